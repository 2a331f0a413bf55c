import java.util.List;

/** Four cards in order of play and who took them. */
record Trick(List<Play> plays, int winner) {
    /** A card and who played it. */
    record Play(int seat, Card card) {}

    int team() {
        return winner % 2;
    }

    List<Card> cards() {
        return plays.stream().map(Play::card).toList();
    }

    int points() {
        return plays.stream().mapToInt(play -> play.card().rank().points).sum();
    }
}
