import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON. Values are {@code Map}, {@code List}, {@code String}, {@code Long}, {@code BigInteger} (whole
 * numbers too long for a long), {@code Double}, {@code Boolean} and null.
 */
final class Json {
    /** Deeper nesting is refused, so that no input can exhaust the stack. */
    private static final int DEEPEST = 100;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** A text that is no JSON. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /** An object of keys and values in turn, in this order. */
    static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            object.put((String) keysAndValues[at], keysAndValues[at + 1]);
        }
        return object;
    }

    /** The one value that the text holds. */
    static Object read(String text) throws Malformed {
        Json reader = new Json(text);
        Object value = reader.value();
        reader.space();
        if (reader.at < text.length()) {
            throw reader.malformed("nothing more");
        }
        return value;
    }

    private Object value() throws Malformed {
        space();
        return switch (peek()) {
            case '{' -> members();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> members() throws Malformed {
        Map<String, Object> members = new LinkedHashMap<>();
        open();
        if (!taken('}')) {
            do {
                space();
                String key = string();
                expect(':');
                members.put(key, value());
            } while (taken(','));
            expect('}');
        }
        depth--;
        return members;
    }

    private List<Object> array() throws Malformed {
        List<Object> items = new ArrayList<>();
        open();
        if (!taken(']')) {
            do {
                items.add(value());
            } while (taken(','));
            expect(']');
        }
        depth--;
        return items;
    }

    private void open() throws Malformed {
        at++;
        if (++depth > DEEPEST) {
            throw malformed("less nesting");
        }
    }

    private Object word(String word, Object value) throws Malformed {
        if (!text.startsWith(word, at)) {
            throw malformed(word);
        }
        at += word.length();
        return value;
    }

    private Object number() throws Malformed {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        boolean leadingZero = peek() == '0';
        int whole = digits();
        if (leadingZero && whole > 1) {
            throw malformed("no leading zero");
        }
        boolean fraction = peek() == '.';
        if (fraction) {
            at++;
            digits();
        }
        boolean exponent = peek() == 'e' || peek() == 'E';
        if (exponent) {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        return numeric(text.substring(start, at), fraction || exponent);
    }

    private static Object numeric(String written, boolean real) {
        if (real) {
            return Double.valueOf(written);
        }
        BigInteger whole = new BigInteger(written);
        return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole;
    }

    private int digits() throws Malformed {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        if (at == start || at - start > 1000) {
            throw malformed("a number");
        }
        return at - start;
    }

    private String string() throws Malformed {
        if (peek() != '"') {
            throw malformed("a string");
        }
        at++;
        StringBuilder characters = new StringBuilder();
        while (true) {
            if (at >= text.length() || text.charAt(at) < ' ') {
                throw malformed("the end of a string");
            }
            char next = text.charAt(at++);
            if (next == '"') {
                return characters.toString();
            }
            characters.append(next == '\\' ? escaped() : next);
        }
    }

    private char escaped() throws Malformed {
        char letter = peek();
        at++;
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw malformed("an escape");
        };
    }

    private char unit() throws Malformed {
        int code = 0;
        for (int place = 0; place < 4; place++) {
            char letter = peek();
            int digit = letter < 128 ? Character.digit(letter, 16) : -1;
            if (digit < 0) {
                throw malformed("four hexadecimal digits");
            }
            code = code * 16 + digit;
            at++;
        }
        return (char) code;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** The next character; NUL, which no JSON holds unescaped, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean taken(char wanted) {
        space();
        boolean here = peek() == wanted;
        if (here) {
            at++;
        }
        return here;
    }

    private void expect(char wanted) throws Malformed {
        if (!taken(wanted)) {
            throw malformed("'" + wanted + "'");
        }
    }

    private Malformed malformed(String wanted) {
        return new Malformed("no JSON: " + wanted + " expected at character " + at);
    }

    /** The value as JSON of ASCII characters on one line. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            String gap = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(gap);
                quote(member.getKey().toString(), out);
                out.append(':');
                write(member.getValue(), out);
                gap = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            String gap = "[";
            for (Object item : items) {
                out.append(gap);
                write(item, out);
                gap = ",";
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            quote(string, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (char next : string.toCharArray()) {
            if (next == '"' || next == '\\') {
                out.append('\\').append(next);
            } else if (next < ' ' || next > '~') {
                out.append(String.format("\\u%04x", (int) next));
            } else {
                out.append(next);
            }
        }
        out.append('"');
    }
}
