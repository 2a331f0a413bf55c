import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The four suits in the order in which lists show them. */
enum Suit {
    S, H, D, C;

    /** The suit of that letter; null if there is none. */
    static Suit of(Object letter) {
        for (Suit suit : values()) {
            if (suit.name().equals(letter)) {
                return suit;
            }
        }
        return null;
    }
}

/** The eight ranks in the order in which lists show them, which is that of Piquet; they take tricks by strength. */
enum Rank {
    ACE('A', 7, 11),
    KING('K', 5, 4),
    QUEEN('Q', 4, 3),
    JACK('J', 3, 2),
    TEN('T', 6, 10),
    NINE('9', 2, 0),
    EIGHT('8', 1, 0),
    SEVEN('7', 0, 0);

    final char letter;
    final int strength;
    final int points;

    Rank(char letter, int strength, int points) {
        this.letter = letter;
        this.strength = strength;
        this.points = points;
    }
}

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

/** King and queen of a suit, with the jack (grand) or without (simple). */
record Marriage(Suit suit, boolean grand) implements Comparable<Marriage> {
    /** What is in the value of an announcement; null if that makes no sense. */
    static Marriage of(Object value) {
        if (!(value instanceof Map<?, ?> named)) {
            return null;
        }
        Suit suit = Suit.of(named.get("suit"));
        Object kind = named.get("kind");
        boolean known = "simple".equals(kind) || "grand".equals(kind);
        return suit != null && known ? new Marriage(suit, "grand".equals(kind)) : null;
    }

    /** The marriages that lie among some cards, the highest of each suit. */
    static List<Marriage> among(List<Card> cards) {
        List<Marriage> found = new ArrayList<>();
        for (Suit suit : Suit.values()) {
            Marriage grand = new Marriage(suit, true);
            Marriage simple = new Marriage(suit, false);
            if (cards.containsAll(grand.cards())) {
                found.add(grand);
            } else if (cards.containsAll(simple.cards())) {
                found.add(simple);
            }
        }
        return found;
    }

    /** The cards it is made of. */
    List<Card> cards() {
        Card king = new Card(Rank.KING, suit);
        Card queen = new Card(Rank.QUEEN, suit);
        return grand ? List.of(king, queen, new Card(Rank.JACK, suit)) : List.of(king, queen);
    }

    String kind() {
        return grand ? "grand" : "simple";
    }

    /** Ten a card, twenty a card in trump. */
    int value(Suit trump) {
        return cards().size() * (suit == trump ? 20 : 10);
    }

    @Override
    public int compareTo(Marriage other) {
        return suit.compareTo(other.suit);
    }
}
