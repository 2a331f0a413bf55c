import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;

/** One deal from the moment when all cards are dealt: the cards and what teams have won with them. */
final class Deal {
    /** A marriage said by a player. */
    record Announcement(int seat, Marriage marriage) {}

    /** A marriage taken in a trick, numbered from one. */
    record Marker(int trick, Marriage marriage, int team) {}

    final int dealer;
    final Card turnup;
    final Suit trump;
    final List<List<Card>> hands;
    final List<Trick.Play> table = new ArrayList<>();
    final List<Trick> tricks = new ArrayList<>();
    final List<Announcement> announcements = new ArrayList<>();
    final List<Marker> markers = new ArrayList<>();
    /** By team: card points in tricks. */
    final int[] points = new int[2];
    /** By team: announced marriages. */
    final int[] announced = new int[2];
    /** By team: marriages taken on the table. */
    final int[] taken = new int[2];
    /** By team: what the other team's marriages on the table have cost. */
    final int[] lost = new int[2];
    int leader;

    /** Hands of eight different cards each, the turn-up in the dealer's; anything else is an error. */
    Deal(int dealer, List<List<Card>> hands, Card turnup) {
        List<Card> all = hands.stream().flatMap(List::stream).toList();
        boolean eightEach = hands.size() == 4 && hands.stream().allMatch(hand -> hand.size() == 8);
        if (!eightEach || new HashSet<>(all).size() != 32 || all.contains(null)) {
            throw new IllegalArgumentException("the hands are not the pack in four times eight cards");
        }
        if (!hands.get(dealer).contains(turnup)) {
            throw new IllegalArgumentException("the turn-up is not in the dealer's hand");
        }
        this.dealer = dealer;
        this.turnup = turnup;
        this.trump = turnup.suit();
        this.hands = hands.stream().map(hand -> (List<Card>) new ArrayList<>(hand.stream().sorted().toList())).toList();
        this.leader = (dealer + 1) % 4;
    }

    /** Packet by packet to the dealer's right and on, the dealer last; the last card is turned up. */
    static Deal out(int dealer, List<Card> deck, List<Integer> packets) {
        if (deck.size() != 32) {
            throw new IllegalArgumentException("the deck is not the pack");
        }
        List<List<Card>> hands = new ArrayList<>();
        for (int seat = 0; seat < 4; seat++) {
            hands.add(new ArrayList<>());
        }
        int next = 0;
        for (int packet : packets) {
            for (int place = 1; place <= 4; place++) {
                hands.get((dealer + place) % 4).addAll(deck.subList(next, next + packet));
                next += packet;
            }
        }
        return new Deal(dealer, hands, deck.get(31));
    }

    /** The deck after the top cards have gone under the rest. */
    static List<Card> cut(List<Card> deck, int top) {
        List<Card> cards = new ArrayList<>(deck);
        Collections.rotate(cards, -top);
        return cards;
    }

    int turn() {
        return (leader + table.size()) % 4;
    }

    boolean betweenTricks() {
        return table.isEmpty();
    }

    Trick last() {
        return tricks.isEmpty() ? null : tricks.get(tricks.size() - 1);
    }

    List<Card> onTable() {
        return table.stream().map(Trick.Play::card).toList();
    }

    int won(int team) {
        return (int) tricks.stream().filter(trick -> trick.team() == team).count();
    }

    boolean hasAllTricks(int team) {
        return won(team) == tricks.size();
    }

    /** Who took a team's first trick; null before it has one. */
    Integer keeper(int team) {
        return tricks.stream().map(Trick::winner).filter(seat -> seat % 2 == team).findFirst().orElse(null);
    }

    /** Whether a player has said a marriage of that suit. */
    boolean hasAnnounced(int seat, Suit suit) {
        return announcements.stream().anyMatch(said -> said.seat() == seat && said.marriage().suit() == suit);
    }

    /** A card goes from a hand to the table; the trick that it completes is swept up, otherwise null. */
    Trick put(int seat, Card card) {
        hands.get(seat).remove(card);
        table.add(new Trick.Play(seat, card));
        if (table.size() < 4) {
            return null;
        }
        Trick.Play best = table.get(0);
        for (Trick.Play play : table) {
            boolean ruffs = play.card().suit() == trump && best.card().suit() != trump;
            best = ruffs || play.card().higherThan(best.card()) ? play : best;
        }
        Trick trick = new Trick(List.copyOf(table), best.seat());
        tricks.add(trick);
        table.clear();
        leader = best.seat();
        return trick;
    }

    /** The points of the latest trick are booked, each of its marriages that many times its plain value. */
    void book(Trick trick, int times) {
        int team = trick.team();
        points[team] += trick.points();
        for (Marriage marriage : Marriage.among(trick.cards())) {
            markers.add(new Marker(tricks.size(), marriage, team));
            taken[team] += times * marriage.value(trump);
            lost[1 - team] += times * marriage.value(trump);
        }
    }

    void announce(int seat, Marriage marriage) {
        announcements.add(new Announcement(seat, marriage));
        announced[seat % 2] += marriage.value(trump);
    }

    /** All a team's marriages, gains less losses. */
    int marriages(int team) {
        return announced[team] + taken[team] - lost[team];
    }
}
