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
