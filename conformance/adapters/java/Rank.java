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
