import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Homme de Brou as the Académie of 1802 has it: free play as in Whist, marriages on the table fourfold, the vole. */
final class HommeDeBrou extends Table {
    /** How many times its plain value a marriage on the table gives and takes. */
    private static final int TABLE_MARRIAGE = 2;
    private static final int PARTIES = 12;
    private static final int LEAST_FOR_VOLE = 190;

    /** Cards drawn for the first deal in this round, by seat. */
    private final Map<Integer, Card> drawn = new HashMap<>();
    private List<Integer> drawing = List.of(0, 1, 2, 3);
    /** Teams with 301 or more, in the order in which they got there. */
    private final List<Integer> reached = new ArrayList<>();
    /** The team that has been asked for a stop. */
    private int asked;

    /** A match from the first draw, or from before a deal if the dealer is given. */
    HommeDeBrou(Integer dealer, int[] accounts, int[] parties) {
        this.dealer = dealer;
        this.phase = dealer == null ? Phase.DRAW : Phase.DEAL;
        System.arraycopy(accounts, 0, written, 0, 2);
        System.arraycopy(parties, 0, marks, 0, 2);
    }

    @Override
    List<List<Integer>> packets() {
        return List.of(List.of(3, 3, 2), List.of(2, 3, 3), List.of(3, 2, 3));
    }

    @Override
    List<String> acts() {
        return List.of("draw", "cut", "deal", "play", "announce", "claim", "declare", "stop", "answer", "next");
    }

    @Override
    List<String> declarations() {
        return List.of("vole");
    }

    @Override
    Refusal duty(List<Card> hand, Card card) {
        return null;
    }

    /** Between the trick that one's team has just taken and the next lead. */
    @Override
    Refusal announcingClosed(int seat) {
        Integer winner = lastWinner();
        return unless(deal.betweenTricks() && winner != null && winner % 2 == seat % 2);
    }

    /** From the deal to the last card, unless a team is bound to the vole. */
    @Override
    Refusal claimRefusal(int seat) {
        if (phase != Phase.PLAY) {
            return Refusal.WINDOW_CLOSED;
        }
        return call == null ? null : Refusal.CONDITION_NOT_MET;
    }

    /** By the player on lead, before the fifth trick: his team has every trick and at least 190 on the sheet. */
    @Override
    Refusal declareRefusal(int seat, Object value) {
        if (phase != Phase.PLAY || !afterOneToFourTricks()) {
            return Refusal.WINDOW_CLOSED;
        }
        if (!"vole".equals(value)) {
            return Refusal.BAD_AMOUNT;
        }
        if (call != null) {
            return Refusal.ALREADY_DONE;
        }
        if (seat != deal.turn()) {
            return Refusal.NOT_YOUR_ROLE;
        }
        boolean able = deal.hasAllTricks(seat % 2) && sheet(seat % 2) >= LEAST_FOR_VOLE;
        return able ? null : Refusal.CONDITION_NOT_MET;
    }

    @Override
    String callKind(Object declaration) {
        return "declared";
    }

    private boolean afterOneToFourTricks() {
        return deal.betweenTricks() && !deal.tricks.isEmpty() && deal.tricks.size() <= 4;
    }

    @Override
    Refusal ownRefusal(int seat, String act, Object value) {
        return switch (act) {
            case "draw" -> drawRefusal(seat, value);
            case "stop" -> stopRefusal(seat, value);
            default -> answerRefusal(seat, value);
        };
    }

    private Refusal drawRefusal(int seat, Object value) {
        if (phase != Phase.DRAW) {
            return Refusal.WINDOW_CLOSED;
        }
        if (!drawing.contains(seat)) {
            return Refusal.NOT_YOUR_ROLE;
        }
        if (drawn.containsKey(seat)) {
            return Refusal.ALREADY_DONE;
        }
        Card card = Card.of(value);
        if (card == null) {
            return Refusal.NO_SUCH_CARD;
        }
        return drawn.containsValue(card) ? Refusal.NOT_AVAILABLE : null;
    }

    /** Asked of a team that has 301 and every trick so far, before the fifth trick. */
    private Refusal stopRefusal(int seat, Object value) {
        if (phase != Phase.PLAY || !afterOneToFourTricks()) {
            return Refusal.WINDOW_CLOSED;
        }
        int others = 1 - seat % 2;
        boolean due = call == null && running(others) >= TARGET && deal.hasAllTricks(others);
        return due ? unlessTrue(value) : Refusal.CONDITION_NOT_MET;
    }

    private Refusal answerRefusal(int seat, Object value) {
        if (phase != Phase.STOP) {
            return Refusal.WINDOW_CLOSED;
        }
        if (seat % 2 != asked) {
            return Refusal.NOT_YOUR_ROLE;
        }
        return value instanceof Boolean ? null : Refusal.BAD_AMOUNT;
    }

    @Override
    void performOwn(int seat, String act, Object value) {
        switch (act) {
            case "draw" -> draw(seat, Card.of(value));
            case "stop" -> {
                asked = 1 - seat % 2;
                phase = Phase.STOP;
            }
            default -> answer((Boolean) value);
        }
    }

    /** The lowest card in the order of Piquet deals; if several are lowest, those who drew them draw again. */
    private void draw(int seat, Card card) {
        drawn.put(seat, card);
        if (drawn.size() < drawing.size()) {
            return;
        }
        Map<Rank, List<Integer>> byRank = new EnumMap<>(Rank.class);
        for (int drawer : drawing) {
            byRank.computeIfAbsent(drawn.get(drawer).rank(), rank -> new ArrayList<>()).add(drawer);
        }
        drawing = byRank.get(Collections.max(byRank.keySet(), Comparator.naturalOrder()));
        drawn.clear();
        if (drawing.size() == 1) {
            dealer = drawing.get(0);
            phase = Phase.DEAL;
        }
    }

    private void answer(boolean accepted) {
        phase = Phase.PLAY;
        if (accepted) {
            decide("stop", asked, worthAgainst(running(1 - asked)));
        } else {
            call = new Call(asked, "forced");
        }
    }

    @Override
    void begin(Deal dealt) {
        super.begin(dealt);
        reached.clear();
        noteReached();
    }

    @Override
    void announce(int seat, Marriage marriage) {
        super.announce(seat, marriage);
        noteReached();
    }

    /** A team that falls below 301 again has to reach it anew. */
    private void noteReached() {
        for (int team = 0; team < 2; team++) {
            if (running(team) < TARGET) {
                reached.remove((Integer) team);
            } else if (!reached.contains(team)) {
                reached.add(team);
            }
        }
    }

    /** The trick that breaks a promised vole ends the partie and is not booked. */
    @Override
    void trickMade(Trick trick) {
        int team = trick.team();
        if (call != null && call.team() != team) {
            decide("partie-et-vole-failed", team, 3 + worthAgainst(sheet(team)));
            return;
        }
        deal.book(trick, TABLE_MARRIAGE);
        noteReached();
        if (deal.tricks.size() == 8) {
            conclude(team);
        }
    }

    private void conclude(int lastTrick) {
        if (call != null) {
            decide("partie-et-vole-made", lastTrick, 3 + worthAgainst(sheet(1 - lastTrick)));
        } else if (deal.won(lastTrick) == 8) {
            decide("vole", lastTrick, 3);
        } else if (reached.isEmpty()) {
            decide("deal", null, 0);
        } else {
            int first = reached.get(0);
            decide("partie", first, worthAgainst(running(1 - first)));
        }
    }

    /** A right claim is weighed by what the others have; a wrong one by what the claimants have without their gains. */
    @Override
    void claim(int team) {
        if (running(team) >= TARGET) {
            decide("claim-right", team, worthAgainst(running(1 - team)));
        } else {
            decide("claim-wrong", 1 - team, worthAgainst(written[team] - deal.lost[team]));
        }
    }

    private static int worthAgainst(int account) {
        if (account < 0) {
            return 4;
        }
        return account < 150 ? 2 : 1;
    }

    @Override
    void next() {
        if (outcome.winner() != null) {
            marks[outcome.winner()] += outcome.worth();
        }
        for (int team = 0; team < 2; team++) {
            written[team] = switch (outcome.kind()) {
                case "vole" -> written[team];
                case "deal" -> sheet(team) + rounded(deal.points[team]);
                default -> 0;
            };
        }
        clear(true);
    }

    /** What stands on the sheet: marriages are entered at once, tricks only after the deal. */
    private int sheet(int team) {
        return written[team] + (deal == null ? 0 : deal.marriages(team));
    }

    @Override
    int running(int team) {
        return sheet(team) + (deal == null ? 0 : deal.points[team]);
    }

    @Override
    Integer matchWinner() {
        if (marks[0] < PARTIES && marks[1] < PARTIES) {
            return null;
        }
        return marks[0] >= PARTIES ? 0 : 1;
    }

    @Override
    boolean turnupExposed() {
        return deal.tricks.isEmpty() && deal.hands.get(deal.dealer).contains(deal.turnup);
    }

    /** On one's turn, also the last trick and the tricks of one's own team. */
    @Override
    Map<String, Object> view(int seat) {
        Map<String, Object> view = super.view(seat);
        List<Integer> keepers = new ArrayList<>();
        for (int team = 0; team < 2; team++) {
            keepers.add(deal == null ? null : deal.keeper(team));
        }
        view.put("keeper", keepers);
        view.put("accounts", List.of(sheet(0), sheet(1)));
        view.put("parties", pair(marks));
        if (phase == Phase.PLAY && seat == deal.turn()) {
            if (deal.last() != null) {
                view.put("last", shown(deal.last().plays()));
            }
            List<Trick> own = deal.tricks.stream().filter(trick -> trick.team() == seat % 2).toList();
            view.put("own", own.stream().map(trick -> Card.names(trick.cards())).toList());
        }
        return view;
    }

    @Override
    Map<String, Object> score() {
        Map<String, Object> score = super.score();
        score.put("parties", pair(marks));
        return score;
    }
}
