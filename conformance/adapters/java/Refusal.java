import java.util.Locale;

/** Why an act is refused. */
enum Refusal {
    NOT_YOUR_TURN,
    NOT_YOUR_ROLE,
    NOT_IN_HAND,
    NO_SUCH_CARD,
    MUST_FOLLOW,
    MUST_BEAT,
    BAD_AMOUNT,
    WINDOW_CLOSED,
    CONDITION_NOT_MET,
    NOT_AVAILABLE,
    ALREADY_DONE;

    String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
