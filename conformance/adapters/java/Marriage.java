import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** King and queen of a suit, with the jack (grand) or without (simple). */
record Marriage(Suit suit, boolean grand) {
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
}
