import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One of the 32 cards. */
record Card(Rank rank, Suit suit) implements Comparable<Card> {
    /** All cards, suit by suit, each from ace to seven. */
    static final List<Card> PACK = pack();
    private static final Map<Object, Card> NAMED = named();

    private static List<Card> pack() {
        List<Card> cards = new ArrayList<>();
        for (Suit suit : Suit.values()) {
            for (Rank rank : Rank.values()) {
                cards.add(new Card(rank, suit));
            }
        }
        return List.copyOf(cards);
    }

    private static Map<Object, Card> named() {
        Map<Object, Card> cards = new HashMap<>();
        PACK.forEach(card -> cards.put(card.toString(), card));
        return cards;
    }

    /** The card of that name; null if there is none. */
    static Card of(Object name) {
        return NAMED.get(name);
    }

    /** The cards that a JSON value lists; null if it lists anything else. */
    static List<Card> list(Object value) {
        if (!(value instanceof List<?> names)) {
            return null;
        }
        List<Card> cards = new ArrayList<>();
        for (Object name : names) {
            cards.add(of(name));
        }
        return cards.contains(null) ? null : cards;
    }

    /** The names of some cards. */
    static List<String> names(List<Card> cards) {
        return cards.stream().map(Card::toString).toList();
    }

    /** Whether this card is a higher one of the same suit. */
    boolean higherThan(Card other) {
        return suit == other.suit && rank.strength > other.rank.strength;
    }

    @Override
    public int compareTo(Card other) {
        int bySuit = suit.compareTo(other.suit);
        return bySuit != 0 ? bySuit : rank.compareTo(other.rank);
    }

    @Override
    public String toString() {
        return rank.letter + suit.name();
    }
}
