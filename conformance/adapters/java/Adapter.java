import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Lets the tables speak protocol 1 of the suite: one JSON object a line, in and out. */
public final class Adapter {
    private static final String BROUC = "brouc@2022";
    private static final String HOMME = "homme-de-brou@1802";
    private static final String SETUP = "4";
    private static final Map<String, Map<String, Object>> READINGS = new TreeMap<>(Map.of(
            HOMME, readings("""
                    both_over first-to-reach
                    loser_account raw
                    loser_account_unclaimed full-deal
                    wrong_claim_erasure gains-only
                    claim_window any-time
                    announce_window after-own-trick
                    extend_announced once-per-suit
                    announce_simple_with_jack allowed
                    turnup_announceable at-once
                    pv_threshold_base account-with-marriages
                    pv_below_threshold refused
                    pv_marriages count
                    pv_before_first no
                    pv_speaker leader
                    stop_window until-fifth-begun
                    stop_requires_all_tricks yes
                    stop_wrong illegal
                    dealer_rotation right
                    match_end immediately
                    match_parties 12
                    """),
            BROUC, readings("""
                    claim_window any-time
                    claim_counts_open_trick no
                    claim_between_deals yes
                    claim_after_count until-written
                    loser_figure slate
                    claim_net_of_table_losses yes
                    marking implicit
                    marriage_exception complete-in-trick
                    exception_scope forced-only
                    announce_window any-time
                    extend_announced once-per-suit
                    announce_simple_with_jack allowed
                    rounding_order cards-then-marriages
                    cape_carry usable-at-once
                    cape_carry_on_second_cape pending
                    carry_in_thresholds no
                    cape_announce_moment any-moment
                    cape_announce_invalid refused
                    dehors_after_cape_announcement refused
                    cape_failure_moment at-once
                    cape_before_first yes
                    match_end immediately
                    match_ticks 5
                    """)));

    private Adapter() {}

    /** A request that the protocol does not know. */
    private static final class BadRequest extends Exception {
        private static final long serialVersionUID = 1;

        BadRequest(String message) {
            super(message);
        }
    }

    /** A script that is well formed and not played here. */
    private static final class NotPlayed extends Exception {
        private static final long serialVersionUID = 1;

        NotPlayed(String message) {
            super(message);
        }
    }

    /** Answers every line until goodbye or the end of the input. */
    public static void main(String[] arguments) throws IOException {
        InputStream in = new BufferedInputStream(System.in, 1 << 16);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
        boolean open = true;
        while (open) {
            byte[] line = line(in);
            if (line == null) {
                return;
            }
            open = blank(line) || answer(line, out);
        }
    }

    /** The next line without its end; null at the end of the input. */
    private static byte[] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        while (next >= 0 && next != '\n') {
            line.write(next);
            next = in.read();
        }
        return line.toByteArray();
    }

    private static boolean blank(byte[] line) {
        for (byte next : line) {
            if (next != ' ' && next != '\t' && next != '\r') {
                return false;
            }
        }
        return true;
    }

    /** Writes the reply to one line; false after goodbye. */
    private static boolean answer(byte[] line, PrintStream out) {
        Map<String, Object> reply = Json.object("id", null, "ok", false);
        boolean goodbye = false;
        try {
            Map<?, ?> request = request(line);
            reply.put("id", id(request));
            Map<String, Object> content = reply(request);
            reply.put("ok", true);
            reply.putAll(content);
            goodbye = "bye".equals(request.get("op"));
        } catch (CharacterCodingException problem) {
            reply.put("error", "no UTF-8");
        } catch (Json.Malformed | BadRequest problem) {
            reply.put("error", problem.getMessage());
        }
        byte[] written = (Json.write(reply) + "\n").getBytes(StandardCharsets.US_ASCII);
        out.write(written, 0, written.length);
        out.flush();
        return !goodbye;
    }

    private static Map<?, ?> request(byte[] line) throws Json.Malformed, BadRequest, CharacterCodingException {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
        if (Json.read(text) instanceof Map<?, ?> request) {
            return request;
        }
        throw new BadRequest("a request is an object");
    }

    private static Object id(Map<?, ?> request) throws BadRequest {
        Object id = request.get("id");
        boolean counts = id instanceof Long number && number >= 0 || id instanceof BigInteger big && big.signum() > 0;
        if (!counts) {
            throw new BadRequest("id is not an integer from 0 on");
        }
        return id;
    }

    private static Map<String, Object> reply(Map<?, ?> request) throws BadRequest {
        Object operation = request.get("op");
        if ("hello".equals(operation)) {
            if (!Long.valueOf(1).equals(request.get("protocol"))) {
                throw new BadRequest("only protocol 1 is spoken here");
            }
            return hello();
        }
        if ("run".equals(operation)) {
            return Map.of("results", run(request));
        }
        if ("ping".equals(operation) || "bye".equals(operation)) {
            return Map.of();
        }
        throw new BadRequest("unknown op");
    }

    private static Map<String, Object> hello() {
        List<Object> plays = new ArrayList<>();
        for (String played : List.of(BROUC, HOMME)) {
            String[] parts = played.split("@");
            plays.add(Json.object("game", parts[0], "editions", List.of(parts[1]), "setups", List.of(SETUP)));
        }
        return Json.object(
                "protocol", 1,
                "engine", Json.object("name", "table-de-brou", "version", "1.0", "language", "java"),
                "plays", plays,
                "readings", READINGS,
                "can", List.of("deal", "match", "score", "view", "codes", "offturn", "winner"),
                "max_in_flight", 16);
    }

    /** Readings from lines of key and value. */
    private static Map<String, Object> readings(String lines) {
        Map<String, Object> readings = new LinkedHashMap<>();
        for (String line : lines.lines().toList()) {
            String[] parts = line.split(" ");
            boolean number = Character.isDigit(parts[1].charAt(0));
            readings.put(parts[0], number ? (Object) Long.valueOf(parts[1]) : parts[1]);
        }
        return readings;
    }

    /** Plays a whole script at a table of its own: one result a step. */
    private static List<Object> run(Map<?, ?> request) throws BadRequest {
        if (!(request.get("steps") instanceof List<?> steps)) {
            throw new BadRequest("steps is not a list");
        }
        try {
            Table table = table(request);
            List<Object> results = new ArrayList<>();
            for (Object step : steps) {
                results.add(result(table, step));
            }
            return results;
        } catch (NotPlayed reason) {
            return Collections.nCopies(steps.size(), Map.of("skip", reason.getMessage()));
        }
    }

    /** A fresh table in the position asked for. */
    private static Table table(Map<?, ?> request) throws BadRequest, NotPlayed {
        String game = name(request, "game") + "@" + name(request, "edition");
        if (!READINGS.containsKey(game) || !name(request, "setup").equals(SETUP)) {
            throw new NotPlayed("not played here");
        }
        sameReadings(READINGS.get(game), object(request, "readings"));
        Map<?, ?> start = object(request, "start");
        Integer dealer = start.containsKey("dealer") ? Integer.valueOf(seat(start.get("dealer"))) : null;
        int[] accounts = pair(start, "accounts");
        Table table = game.equals(BROUC)
                ? new Brouc(dealer, accounts, pair(start, "coches"), pair(start, "carry"))
                : new HommeDeBrou(dealer, accounts, pair(start, "parties"));
        if (start.containsKey("hands") || start.containsKey("deck")) {
            if (dealer == null) {
                throw new NotPlayed("cards without a dealer");
            }
            table.begin(dealt(start, table));
        }
        return table;
    }

    private static void sameReadings(Map<String, Object> ours, Map<?, ?> asked) throws NotPlayed {
        for (Map.Entry<?, ?> reading : asked.entrySet()) {
            Object followed = ours.get(reading.getKey());
            if (followed != null && !followed.equals(reading.getValue())) {
                throw new NotPlayed("only " + reading.getKey() + "=" + followed + " is played here");
            }
        }
    }

    /** The deal that the start describes, by hands and turn-up or by a deck. */
    private static Deal dealt(Map<?, ?> start, Table table) throws BadRequest {
        try {
            if (start.containsKey("hands")) {
                return new Deal(table.dealer, hands(object(start, "hands")), Card.of(start.get("turnup")));
            }
            List<Card> deck = cards(start.get("deck"));
            List<Integer> given = table.packets(start.get("packets"));
            if (given == null && start.containsKey("packets")) {
                throw new BadRequest("start.packets is no way to deal");
            }
            return Deal.out(table.dealer, deck, given == null ? table.packets().get(0) : given);
        } catch (IllegalArgumentException problem) {
            throw new BadRequest("start: " + problem.getMessage());
        }
    }

    private static List<List<Card>> hands(Map<?, ?> bySeat) throws BadRequest {
        List<List<Card>> hands = new ArrayList<>();
        for (String seat : List.of("0", "1", "2", "3")) {
            hands.add(cards(bySeat.get(seat)));
        }
        return hands;
    }

    private static List<Card> cards(Object value) throws BadRequest {
        List<Card> cards = Card.list(value);
        if (cards == null) {
            throw new BadRequest("start: no list of cards of this pack");
        }
        return cards;
    }

    private static String name(Map<?, ?> request, String key) throws BadRequest {
        if (request.get(key) instanceof String name) {
            return name;
        }
        throw new BadRequest(key + " is not named");
    }

    /** The object under a key, an empty one if there is none. */
    private static Map<?, ?> object(Map<?, ?> parent, String key) throws BadRequest {
        if (!parent.containsKey(key)) {
            return Map.of();
        }
        if (parent.get(key) instanceof Map<?, ?> object) {
            return object;
        }
        throw new BadRequest(key + " is not an object");
    }

    /** A number for each team, zeros if there are none. */
    private static int[] pair(Map<?, ?> start, String key) throws BadRequest {
        if (!start.containsKey(key)) {
            return new int[2];
        }
        if (start.get(key) instanceof List<?> numbers && numbers.size() == 2) {
            return new int[] {number(numbers.get(0)), number(numbers.get(1))};
        }
        throw new BadRequest("start." + key + " is not a pair of numbers");
    }

    private static int number(Object value) throws BadRequest {
        if (value instanceof Long number && Math.abs(number) < 1_000_000_000) {
            return number.intValue();
        }
        throw new BadRequest("no amount: " + value);
    }

    private static int seat(Object value) throws BadRequest {
        if (value instanceof Long seat && seat >= 0 && seat <= 3) {
            return seat.intValue();
        }
        throw new BadRequest("no seat of this table: " + value);
    }

    /** What the table says to one step of a script. */
    private static Map<String, ?> result(Table table, Object step) {
        if (!(step instanceof Map<?, ?> asked)) {
            return Map.of("err", "a step is an object");
        }
        try {
            if (asked.containsKey("act")) {
                return done(table, seat(asked.get("by")), object(asked, "act"));
            }
            if (asked.containsKey("legal")) {
                return Map.of("legal", table.legal(seat(asked.get("legal"))));
            }
            if (asked.containsKey("view")) {
                return Map.of("view", table.view(seat(asked.get("view"))));
            }
        } catch (BadRequest problem) {
            return Map.of("err", problem.getMessage());
        }
        if (asked.containsKey("winner")) {
            return Collections.singletonMap("winner", table.lastWinner());
        }
        return asked.containsKey("score") ? Map.of("score", table.score()) : Map.of("skip", "unknown kind of step");
    }

    private static Map<String, ?> done(Table table, int seat, Map<?, ?> act) throws BadRequest {
        if (act.size() != 1) {
            throw new BadRequest("an act has one name");
        }
        Map.Entry<?, ?> named = act.entrySet().iterator().next();
        Refusal refusal = table.act(seat, (String) named.getKey(), named.getValue());
        return refusal == null ? Map.of("ok", true) : Map.of("no", refusal.code());
    }
}
