import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What both games have in common: four seats, teams of the even and the odd ones, cut and deal, play, marriages.
 *
 * <p>Every act is first judged by {@link #refusal}, which changes nothing, and then done by {@link #perform}; what is
 * legal is what would not be refused. Amounts are in points.
 */
abstract class Table {
    /** Where the match stands. */
    enum Phase {
        DRAW, LOT, DEAL, PLAY, STOP, COUNT, RESULT, OVER;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a deal or a partie came out: the worth in parties or tick marks, the winner null if nobody gets any. */
    record Outcome(String kind, Integer winner, int worth) {}

    /** What a team has undertaken: to take every trick. */
    record Call(int team, String kind) {}

    static final int TARGET = 301;
    private static final List<Object> YES = List.of(true);

    Phase phase;
    Integer dealer;
    /** What is written on sheet or slate, by team. */
    final int[] written = new int[2];
    /** Parties won or tick marks suffered, by team. */
    final int[] marks = new int[2];
    /** The deal in hand; null between deals. */
    Deal deal;
    Call call;
    Outcome outcome;
    private int cut;

    // ---------------------------------------------------------------- what a game says

    /** The ways to deal eight cards. */
    abstract List<List<Integer>> packets();

    /** The names of all acts of the game. */
    abstract List<String> acts();

    /** What may be declared. */
    abstract List<String> declarations();

    /** The duty of a follower, by which a card that he holds may be refused; null if he may play it. */
    abstract Refusal duty(List<Card> hand, Card card);

    /** The reason why a player may not announce now, whatever he holds; null if he may. */
    abstract Refusal announcingClosed(int seat);

    /** The reason why a player may not claim now; null if he may. */
    abstract Refusal claimRefusal(int seat);

    abstract Refusal declareRefusal(int seat, Object value);

    /** The verdict on the acts that only one of the games has. */
    abstract Refusal ownRefusal(int seat, String act, Object value);

    abstract void claim(int team);

    abstract void performOwn(int seat, String act, Object value);

    /** Books a trick and sees what follows from it. */
    abstract void trickMade(Trick trick);

    abstract void next();

    /** What a team has in all at this moment. */
    abstract int running(int team);

    /** The team that has won the match; null before its end. */
    abstract Integer matchWinner();

    // ---------------------------------------------------------------- acts

    /** Does the act unless it is refused; the reason, or null when it is done. */
    final Refusal act(int seat, String act, Object value) {
        Refusal refusal = refusal(seat, act, value);
        if (refusal == null) {
            perform(seat, act, value);
        }
        return refusal;
    }

    final Refusal refusal(int seat, String act, Object value) {
        if (!acts().contains(act)) {
            return Refusal.NOT_AVAILABLE;
        }
        return switch (act) {
            case "cut" -> cutRefusal(seat, value);
            case "deal" -> dealRefusal(seat, value);
            case "play" -> playRefusal(seat, value);
            case "announce" -> announceRefusal(seat, value);
            case "claim" -> first(unlessTrue(value), claimRefusal(seat));
            case "declare" -> declareRefusal(seat, value);
            case "next" -> first(unlessTrue(value), unless(phase == Phase.COUNT || phase == Phase.RESULT));
            default -> ownRefusal(seat, act, value);
        };
    }

    private void perform(int seat, String act, Object value) {
        switch (act) {
            case "cut" -> cut = ((Long) value).intValue();
            case "deal" -> begin(dealt((Map<?, ?>) value));
            case "play" -> play(seat, Card.of(value));
            case "announce" -> announce(seat, Marriage.of(value));
            case "claim" -> claim(seat % 2);
            case "declare" -> call = new Call(seat % 2, callKind(value));
            case "next" -> next();
            default -> performOwn(seat, act, value);
        }
    }

    /** Under which name a declaration is remembered. */
    String callKind(Object declaration) {
        return (String) declaration;
    }

    static Refusal unless(boolean open) {
        return open ? null : Refusal.WINDOW_CLOSED;
    }

    static Refusal unlessTrue(Object value) {
        return Boolean.TRUE.equals(value) ? null : Refusal.BAD_AMOUNT;
    }

    static Refusal first(Refusal... refusals) {
        for (Refusal refusal : refusals) {
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private Refusal cutRefusal(int seat, Object value) {
        if (phase != Phase.DEAL) {
            return Refusal.WINDOW_CLOSED;
        }
        if (seat != (dealer + 3) % 4) {
            return Refusal.NOT_YOUR_ROLE;
        }
        if (cut != 0) {
            return Refusal.ALREADY_DONE;
        }
        return value instanceof Long top && top >= 1 && top <= 31 ? null : Refusal.BAD_AMOUNT;
    }

    private Refusal dealRefusal(int seat, Object value) {
        Refusal refusal = dealerOnly(seat);
        if (refusal != null) {
            return refusal;
        }
        if (!(value instanceof Map<?, ?> parts) || packets(parts.get("packets")) == null) {
            return Refusal.BAD_AMOUNT;
        }
        List<Card> deck = Card.list(parts.get("deck"));
        boolean whole = deck != null && deck.size() == 32 && deck.containsAll(Card.PACK);
        return whole ? null : Refusal.NO_SUCH_CARD;
    }

    private Refusal dealerOnly(int seat) {
        if (phase != Phase.DEAL) {
            return Refusal.WINDOW_CLOSED;
        }
        return seat == dealer ? null : Refusal.NOT_YOUR_ROLE;
    }

    /** The way to deal that equals the given value; null if there is none. */
    final List<Integer> packets(Object value) {
        for (List<Integer> pattern : packets()) {
            if (pattern.stream().map(Integer::longValue).toList().equals(value)) {
                return pattern;
            }
        }
        return null;
    }

    private Deal dealt(Map<?, ?> parts) {
        return Deal.out(dealer, Deal.cut(Card.list(parts.get("deck")), cut), packets(parts.get("packets")));
    }

    /** The cards are dealt: the play begins. */
    void begin(Deal dealt) {
        deal = dealt;
        phase = Phase.PLAY;
    }

    private Refusal playRefusal(int seat, Object value) {
        if (phase != Phase.PLAY) {
            return Refusal.WINDOW_CLOSED;
        }
        if (seat != deal.turn()) {
            return Refusal.NOT_YOUR_TURN;
        }
        Card card = Card.of(value);
        if (card == null) {
            return Refusal.NO_SUCH_CARD;
        }
        List<Card> hand = deal.hands.get(seat);
        if (!hand.contains(card)) {
            return Refusal.NOT_IN_HAND;
        }
        return deal.betweenTricks() ? null : first(follow(hand, card), duty(hand, card));
    }

    /** Both games: who has the suit led plays it. */
    private Refusal follow(List<Card> hand, Card card) {
        Suit led = deal.table.get(0).card().suit();
        boolean able = hand.stream().anyMatch(held -> held.suit() == led);
        return able && card.suit() != led ? Refusal.MUST_FOLLOW : null;
    }

    private void play(int seat, Card card) {
        Trick trick = deal.put(seat, card);
        if (trick != null) {
            trickMade(trick);
        }
    }

    private Refusal announceRefusal(int seat, Object value) {
        Refusal closed = phase != Phase.PLAY ? Refusal.WINDOW_CLOSED : announcingClosed(seat);
        if (closed != null) {
            return closed;
        }
        Marriage marriage = Marriage.of(value);
        if (marriage == null) {
            return Refusal.BAD_AMOUNT;
        }
        if (deal.hasAnnounced(seat, marriage.suit())) {
            return Refusal.ALREADY_DONE;
        }
        return deal.hands.get(seat).containsAll(marriage.cards()) ? null : Refusal.NOT_IN_HAND;
    }

    void announce(int seat, Marriage marriage) {
        deal.announce(seat, marriage);
    }

    /** Nothing more is played: what lies in an unfinished trick counts for nobody. */
    final void decide(String kind, Integer winner, int worth) {
        if (deal != null) {
            deal.table.clear();
        }
        outcome = new Outcome(kind, winner, worth);
        phase = Phase.RESULT;
    }

    /** The deal is put away; the match goes on with the next one unless it is over. */
    final void clear(boolean dealerMoves) {
        deal = null;
        call = null;
        outcome = null;
        cut = 0;
        dealer = dealerMoves ? (dealer + 1) % 4 : dealer;
        phase = matchWinner() == null ? Phase.DEAL : Phase.OVER;
    }

    /** Tens, units from five on as a further ten. */
    static int rounded(int points) {
        return (points + 5) / 10 * 10;
    }

    // ---------------------------------------------------------------- questions

    /** From each act that is open to a seat to its choices. */
    final Map<String, Object> legal(int seat) {
        Map<String, Object> open = new LinkedHashMap<>();
        for (String act : acts()) {
            Object choices = choices(seat, act);
            if (!List.of().equals(choices)) {
                open.put(act, choices);
            }
        }
        return open;
    }

    private Object choices(int seat, String act) {
        if (act.equals("cut")) {
            return refusal(seat, act, 1L) == null ? Json.object("min", 1, "max", 31) : List.of();
        }
        if (act.equals("deal")) {
            Map<String, Object> order = Json.object("order", Card.names(Card.PACK));
            return dealerOnly(seat) == null ? Json.object("deck", order, "packets", packets()) : List.of();
        }
        return candidates(act).stream().filter(value -> refusal(seat, act, value) == null).toList();
    }

    private List<?> candidates(String act) {
        return switch (act) {
            case "draw", "play" -> Card.names(Card.PACK);
            case "lot" -> List.of(0L, 1L, 2L, 3L);
            case "announce" -> everyMarriage();
            case "declare" -> declarations();
            case "answer" -> List.of(true, false);
            default -> YES;
        };
    }

    private static List<Object> everyMarriage() {
        List<Object> all = new ArrayList<>();
        for (Suit suit : Suit.values()) {
            for (String kind : List.of("simple", "grand")) {
                all.add(Json.object("suit", suit.name(), "kind", kind));
            }
        }
        return all;
    }

    /** What a seat sees. */
    Map<String, Object> view(int seat) {
        boolean playing = phase == Phase.PLAY;
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("phase", phase.label());
        view.put("dealer", dealer);
        view.put("turn", playing ? deal.turn() : null);
        view.put("leader", playing ? deal.leader : null);
        view.put("trump", deal == null ? null : deal.trump.name());
        view.put("turnup", deal == null ? null : shownTurnup());
        view.put("hand", deal == null ? List.of() : Card.names(deal.hands.get(seat)));
        view.put("hands", deal == null ? List.of(0, 0, 0, 0) : deal.hands.stream().map(List::size).toList());
        view.put("trick", deal == null ? List.of() : shown(deal.table));
        view.put("won", deal == null ? List.of(0, 0) : List.of(deal.won(0), deal.won(1)));
        view.put("markers", deal == null ? List.of() : shownMarkers());
        view.put("announced", deal == null ? List.of() : shownAnnouncements());
        view.put("call", call == null ? null : Json.object("team", call.team(), "kind", call.kind()));
        return view;
    }

    private Map<String, Object> shownTurnup() {
        return Json.object("card", deal.turnup.toString(), "exposed", turnupExposed());
    }

    /** Whether the turn-up still lies on the table. */
    boolean turnupExposed() {
        return false;
    }

    /** Who took the latest trick of the deal; null if there is none. */
    final Integer lastWinner() {
        return deal == null || deal.last() == null ? null : deal.last().winner();
    }

    static List<Map<String, Object>> shown(List<Trick.Play> plays) {
        return plays.stream().map(play -> Json.object("seat", play.seat(), "card", play.card().toString())).toList();
    }

    private List<Map<String, Object>> shownMarkers() {
        return deal.markers.stream().map(marker -> {
            Marriage taken = marker.marriage();
            return Json.object(
                    "trick", marker.trick(), "suit", taken.suit().name(), "kind", taken.kind(), "team", marker.team());
        }).toList();
    }

    private List<Map<String, Object>> shownAnnouncements() {
        Comparator<Deal.Announcement> bySeat = Comparator.comparingInt(Deal.Announcement::seat);
        Comparator<Deal.Announcement> order = bySeat.thenComparing(said -> said.marriage().suit());
        return deal.announcements.stream().sorted(order).map(said -> {
            Marriage marriage = said.marriage();
            return Json.object("seat", said.seat(), "suit", marriage.suit().name(), "kind", marriage.kind());
        }).toList();
    }

    /** The reckoning, the same for everybody; the marks of the match stand under the name that the game gives them. */
    Map<String, Object> score() {
        Map<String, Object> score = new LinkedHashMap<>();
        score.put("before", pair(written));
        score.put("accounts", List.of(running(0), running(1)));
        score.put("points", deal == null ? List.of(0, 0) : pair(deal.points));
        score.put("result", outcome == null ? null : outcome.kind());
        score.put("winner", outcome == null ? null : outcome.winner());
        score.put("worth", outcome == null ? 0 : outcome.worth());
        score.put("over", phase == Phase.OVER ? matchWinner() : null);
        return score;
    }

    static List<Integer> pair(int[] byTeam) {
        return List.of(byTeam[0], byTeam[1]);
    }
}
