import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Brouc as L'Etivaz plays it: trumps must be beaten, only saying so wins a partie, the losers mark ticks. */
final class Brouc extends Table {
    /** How many times its plain value a marriage on the table gives and takes. */
    private static final int TABLE_MARRIAGE = 1;
    private static final int TICKS = 5;
    private static final String DEHORS = "cape-dehors";
    private static final String PAS_DEDOUBLE = "pas-dedouble";

    /** Marriages announced in a cape, by team, which wait for a deal that is none. */
    private final int[] carry = new int[2];

    /** A match from the lot for the first deal, or from before a deal if the dealer is given. */
    Brouc(Integer dealer, int[] slate, int[] ticks, int[] carry) {
        this.dealer = dealer;
        this.phase = dealer == null ? Phase.LOT : Phase.DEAL;
        System.arraycopy(slate, 0, written, 0, 2);
        System.arraycopy(ticks, 0, marks, 0, 2);
        System.arraycopy(carry, 0, this.carry, 0, 2);
    }

    @Override
    List<List<Integer>> packets() {
        return List.of(List.of(1, 3, 4));
    }

    @Override
    List<String> acts() {
        return List.of("lot", "cut", "deal", "play", "announce", "claim", "declare", "next");
    }

    @Override
    List<String> declarations() {
        return List.of(DEHORS, PAS_DEDOUBLE);
    }

    /**
     * A trump must beat those that lie there. Who has to play one and cannot beat is free among his trumps; who has to
     * play one and can may instead put king, queen or jack to a marriage.
     */
    @Override
    Refusal duty(List<Card> hand, Card card) {
        List<Card> ahead = deal.onTable().stream().filter(this::isTrump).toList();
        if (!isTrump(card) || beats(card, ahead)) {
            return null;
        }
        boolean bound = isTrump(deal.table.get(0).card()) || hand.stream().allMatch(this::isTrump);
        boolean able = hand.stream().anyMatch(held -> isTrump(held) && beats(held, ahead));
        return bound && (!able || marries(card, ahead)) ? null : Refusal.MUST_BEAT;
    }

    private boolean isTrump(Card card) {
        return card.suit() == deal.trump;
    }

    private static boolean beats(Card trump, List<Card> others) {
        return others.stream().allMatch(trump::higherThan);
    }

    /** Whether king and queen lie there with this card, and it is one of them or their jack. */
    private boolean marries(Card trump, List<Card> ahead) {
        List<Card> lying = new ArrayList<>(ahead);
        lying.add(trump);
        boolean figure = new Marriage(deal.trump, true).cards().contains(trump);
        return figure && lying.containsAll(new Marriage(deal.trump, false).cards());
    }

    /** At any time, on or off turn, once one's party has a trick. */
    @Override
    Refusal announcingClosed(int seat) {
        return unless(deal.won(seat % 2) > 0);
    }

    /** At any time from before a deal until it is written, but not on points that a cape takes out of the reckoning. */
    @Override
    Refusal claimRefusal(int seat) {
        return switch (phase) {
            case DEAL -> null;
            case PLAY -> call == null ? null : Refusal.CONDITION_NOT_MET;
            case COUNT -> !isCape() || claimable(seat % 2) >= TARGET ? null : Refusal.CONDITION_NOT_MET;
            default -> Refusal.WINDOW_CLOSED;
        };
    }

    private boolean isCape() {
        return outcome.kind().equals("cape");
    }

    /** By a player with two cards or more: his party has all tricks and writes 19; to double, the others at most 14. */
    @Override
    Refusal declareRefusal(int seat, Object value) {
        if (phase != Phase.PLAY) {
            return Refusal.WINDOW_CLOSED;
        }
        if (!DEHORS.equals(value) && !PAS_DEDOUBLE.equals(value)) {
            return Refusal.BAD_AMOUNT;
        }
        if (call != null) {
            return Refusal.ALREADY_DONE;
        }
        if (deal.hands.get(seat).size() < 2) {
            return Refusal.WINDOW_CLOSED;
        }
        int team = seat % 2;
        boolean far = written[team] >= 190 && (value.equals(DEHORS) || written[1 - team] <= 140);
        return far && deal.hasAllTricks(team) ? null : Refusal.CONDITION_NOT_MET;
    }

    @Override
    Refusal ownRefusal(int seat, String act, Object value) {
        if (phase != Phase.LOT) {
            return Refusal.WINDOW_CLOSED;
        }
        return value instanceof Long first && first >= 0 && first <= 3 ? null : Refusal.BAD_AMOUNT;
    }

    @Override
    void performOwn(int seat, String act, Object value) {
        dealer = ((Long) value).intValue();
        phase = Phase.DEAL;
    }

    @Override
    void trickMade(Trick trick) {
        deal.book(trick, TABLE_MARRIAGE);
        int team = trick.team();
        if (call != null && call.team() != team) {
            decide(call.kind() + "-failed", team, ticksCalled());
        } else if (deal.tricks.size() == 8) {
            conclude(team);
        }
    }

    private void conclude(int lastTrick) {
        if (call != null) {
            decide(call.kind() + "-made", lastTrick, ticksCalled());
            return;
        }
        boolean cape = deal.won(lastTrick) == 8;
        outcome = cape ? new Outcome("cape", lastTrick, 2) : new Outcome("deal", null, 0);
        phase = Phase.COUNT;
    }

    private int ticksCalled() {
        return call.kind().equals(PAS_DEDOUBLE) ? 4 : 3;
    }

    /** Right or wrong, the ticks are those that the other party's slate is worth. */
    @Override
    void claim(int team) {
        boolean right = claimable(team) >= TARGET;
        decide(right ? "claim-right" : "claim-wrong", right ? team : 1 - team, written[1 - team] < 150 ? 2 : 1);
    }

    /** Nothing of a deal that has become a cape counts in a claim, neither gain nor loss. */
    private int claimable(int team) {
        return phase == Phase.COUNT && isCape() ? standing(team) : running(team);
    }

    @Override
    void next() {
        if (outcome.winner() != null) {
            marks[1 - outcome.winner()] += outcome.worth();
        }
        for (int team = 0; team < 2; team++) {
            write(team);
        }
        clear(deal != null);
    }

    /** What the outcome leaves of a party's slate and of its waiting marriages. */
    private void write(int team) {
        switch (outcome.kind()) {
            case "cape" -> carry[team] += deal.announced[team];
            case "deal" -> {
                written[team] = standing(team) + rounded(deal.points[team]) + deal.marriages(team);
                carry[team] = 0;
            }
            default -> {
                written[team] = 0;
                carry[team] = 0;
            }
        }
    }

    /** What a party brings into the deal. */
    private int standing(int team) {
        return written[team] + carry[team];
    }

    @Override
    int running(int team) {
        return standing(team) + (deal == null ? 0 : deal.points[team] + deal.marriages(team));
    }

    @Override
    Integer matchWinner() {
        if (marks[0] < TICKS && marks[1] < TICKS) {
            return null;
        }
        return marks[0] >= TICKS ? 1 : 0;
    }

    @Override
    Map<String, Object> view(int seat) {
        Map<String, Object> view = super.view(seat);
        view.put("accounts", pair(written));
        view.put("coches", pair(marks));
        view.put("carry", pair(carry));
        return view;
    }

    @Override
    Map<String, Object> score() {
        Map<String, Object> score = super.score();
        score.put("coches", pair(marks));
        score.put("carry", pair(carry));
        return score;
    }
}
