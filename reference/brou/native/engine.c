/* The interface: what is the same in every engine. */

const char *prefix_rules(void) { return Rules; }
const char *prefix_hash(void) { return Hash; }
const char *prefix_tables(void) { return Tables; }
size_t prefix_size(void) { return sizeof(State); }

int32_t prefix_over(const State *S) { return Final[S->phase]; }

int32_t prefix_begin(State *S) {
    memcpy(S, &Fresh, sizeof *S);
    return Begin(S);
}

/* What is open. */

int32_t prefix_offers(const State *S, uint64_t acts, Offer *out, int32_t room) {
    int32_t weights[BROU_ACTS_MOST], many = 0;
    Offer found[BROU_OFFERS];
    for (int n = 0; n < BROU_ACTS_MOST; n++) weights[n] = (int32_t)(acts >> n & 1);
    if (Find(S, weights, found, &many) < 0) return BROU_CRASH;
    if (many && room > 0) memcpy(out, found, (size_t)(many < room ? many : room) * sizeof *found);
    return many;
}

brou_set prefix_cards(const State *S, int32_t act, int32_t seat) {
    int32_t weights[BROU_ACTS_MOST] = {0}, many = 0;
    brou_set cards = brou_nothing();
    Offer found[BROU_OFFERS];
    if (act < 0 || act >= BROU_ACTS_MOST) return cards;
    weights[act] = 1;
    if (Find(S, weights, found, &many) < 0) return cards;
    for (int n = 0; n < many; n++)
        if (found[n].seat == seat && found[n].many) cards = brou_union(cards, found[n].cards);
    return cards;
}

int32_t prefix_describe(const State *S, int32_t act, int32_t seat, Bound *out) {
    if (seat < 0 || seat >= PREFIX_SEATS) return BROU_NO_ACT;
    return Bounds(S, act, seat, out);
}

/* Acting. An act that cannot crash is made in place. */

static int32_t Carry(State *S, const Act *A, int32_t Checked) {
    if (!Crashes[A->act]) return Play(S, A, Checked);
    State after;
    memcpy(&after, S, sizeof after);
    int32_t code = Play(&after, A, Checked);
    if (code == BROU_FINE) memcpy(S, &after, sizeof after);
    return code;
}

int32_t prefix_apply(State *S, const Act *A) {
    if (A->act < 0 || A->act >= BROU_ACTS_MOST || A->seat < 0 || A->seat >= PREFIX_SEATS) return BROU_NO_ACT;
    if (!(Acts[S->phase] >> A->act & 1)) return BROU_REFUSED;
    return Carry(S, A, 0);
}

/* Random play. */

static int32_t Fill_value(uint64_t *seed, uint64_t *packs, const Bound *B, Act *A, int32_t place, int32_t *from) {
    uint64_t own;
    uint8_t cards[BROU_PILE];
    int32_t count = 0, size;
    switch (B->form) {
    case BROU_RANGE:
        A->value[place] = B->low + (int32_t)brou_below(seed, (uint64_t)(B->high - B->low + 1));
        return 1;
    case BROU_LISTED:
        if (brou_some(B->cards)) {
            int64_t chosen = (int64_t)brou_below(seed, (uint64_t)brou_size(B->cards));
            A->value[place] = brou_place(brou_choose(B->cards, chosen));
        } else if (B->list.n)
            A->value[place] = B->list.at[brou_below(seed, (uint64_t)B->list.n)];
        else
            A->value[place] = (int32_t)brou_below(seed, (uint64_t)B->high + 1);
        return 1;
    }
    for (brou_set left = B->cards; brou_some(left); left = brou_rest(left)) cards[count++] = (uint8_t)brou_place(left);
    size = count;
    if (B->form == BROU_SUBSETS) {
        int32_t least = B->low > 0 ? B->low : 0, most = B->high < count ? B->high : count;
        size = least + (int32_t)brou_below(seed, (uint64_t)(most - least + 1));
    }
    if (packs && B->form == BROU_ORDERS) {
        own = brou_word(packs);
        seed = &own;
    }
    brou_shuffle(seed, cards, count);
    if (size > BROU_PASSED - *from) return 0;
    if (B->form == BROU_SUBSETS) {
        brou_set taken = brou_nothing();
        for (int n = 0; n < size; n++) taken = brou_union(taken, brou_card(cards[n]));
        for (int n = 0; n < size; n++, taken = brou_rest(taken)) cards[n] = (uint8_t)brou_place(taken);
    }
    memcpy(A->cards + *from, cards, (size_t)size);
    A->value[place] = size;
    *from += size;
    return 1;
}

/* Draw one of what was found; with `packs`, orders from a stream of their own, a word for each. */
static int32_t Draw(const State *S, uint64_t *seed, uint64_t *packs, const Offer *found, int64_t count, Act *A) {
    int64_t place = (int64_t)brou_below(seed, (uint64_t)count);
    const Offer *O = found;
    for (; place >= O->count; O++) place -= O->count;
    A->act = O->act;
    A->seat = O->seat;
    if (Described[O->act]) {
        Bound bounds[PREFIX_VALUES];
        int32_t from = 0;
        if (Bounds(S, O->act, O->seat, bounds) != BROU_FINE) return BROU_CRASHED;
        for (int n = 0; n < Counts[O->act]; n++)
            if (!Fill_value(seed, packs, bounds + n, A, n, &from)) return BROU_CRASHED;
        return BROU_FINE;
    }
    for (int n = 0; n < Counts[O->act] - O->many; n++) A->value[n] = O->value[n];
    if (O->many) {
        int64_t chosen = O->weight == 1 ? place : place / O->weight;
        A->value[Counts[O->act] - 1] = brou_place(brou_choose(O->cards, chosen));
    }
    return BROU_FINE;
}

/* How players choose: what acts weigh, -1 where the state decides, and which may weigh anything. */
typedef struct { const Policy *policy; const int32_t *weights; uint64_t wanted; } Chooser;

static Chooser Read_policy(const Policy *policy) {
    Chooser chooser = {policy, Alike, 0};
    if (policy) chooser.weights = policy->conduct ? Fixed : policy->weight;
    for (int n = 0; n < BROU_ACTS_MOST; n++)
        if (chooser.weights[n] > 0 || (chooser.weights[n] && chooser.weights == Fixed)) chooser.wanted |= UINT64_C(1) << n;
    return chooser;
}

/* Draw the one act that weighs anything in a phase, if it is one card of a set; without cards nothing is drawn. */
static int32_t Choose_card(const State *S, uint64_t *seed, int32_t weight, Act *A) {
    brou_set cards;
    int32_t code = Single(S, A, &cards);
    if (code != BROU_FINE) return code;
    if (!brou_some(cards)) return BROU_NOTHING;
    int64_t place = (int64_t)brou_below(seed, (uint64_t)weight * (uint64_t)brou_size(cards));
    A->value[0] = brou_place(brou_choose(cards, weight == 1 ? place : place / weight));
    return BROU_FINE;
}

/* It stands apart, so that what is done for each card stays small. */
BROU_APART static int32_t Choose_any(const State *S, uint64_t *seed, uint64_t *packs, const Policy *policy, Act *A) {
    Offer found[BROU_OFFERS];
    int32_t many;
    int64_t count = 0;
    if (policy) count = policy->conduct ? Weigh(S, Alike, found, &many) : Find(S, policy->weight, found, &many);
    if (count == 0) count = Find(S, Alike, found, &many);
    if (count <= 0) return count ? BROU_CRASHED : BROU_NOTHING;
    return Draw(S, seed, packs, found, count, A);
}

BROU_INLINE int32_t Choose(const State *S, uint64_t *seed, uint64_t *packs, const Chooser *chooser, Act *A) {
    uint64_t open = Acts[S->phase] & chooser->wanted;
    if (open & Singles[S->phase] && !(open & (open - 1))) {
        A->act = (int16_t)brou_first_bit(open);
        int32_t weight = chooser->weights[A->act], code = weight > 0 ? Choose_card(S, seed, weight, A) : BROU_NOTHING;
        if (code != BROU_NOTHING) return code;
    }
    return Choose_any(S, seed, packs, chooser->policy, A);
}

int32_t prefix_step(State *S, uint64_t *seed, const Policy *policy, Act *out) {
    Act act;
    memset(&act, 0, sizeof act);
    Chooser chooser = Read_policy(policy);
    int32_t code = Choose(S, seed, 0, &chooser, &act);
    if (out) *out = act;
    return code == BROU_FINE ? Carry(S, &act, 1) : code;
}

/* Batches. */

static uint64_t Mix(uint64_t hash, uint64_t word) { return (hash ^ word) * UINT64_C(0x100000001b3); }

/* The hash of all acts so far and one more: act and seat, values, cards. */
static uint64_t Hash_act(uint64_t hash, const Act *A) {
    int32_t from = 0;
    hash = Mix(Mix(hash, (uint64_t)A->act), (uint64_t)A->seat);
    for (int n = 0; n < Counts[A->act]; n++) hash = Mix(hash, (uint64_t)(int64_t)A->value[n]);
    for (int n = 0; n < Counts[A->act]; n++)
        if (Described[A->act] && Passed[A->act][n])
            for (int32_t last = from + A->value[n]; from < last; from++) hash = Mix(hash, A->cards[from]);
    return hash;
}

/* What happens in a match: its figures, its facts, and the acts of the deal that is played. */
typedef struct {
    int64_t value[FIGURES + 1], count[FIGURES + 1], fact[FACTS + 1], deals, acts;
    int32_t made[MADE + 1];
} Match;

/* Add a deal or a match to its figures; where no cards lie, only figures that are asked of some cases alone count. */
static int32_t Ask_figures(const State *S, Match *match, int32_t whole, int32_t dealt) {
    for (int n = 0; n < FIGURES; n++) {
        int64_t answer = 0;
        if (Figures[n][0] != whole || (!dealt && !Figures[n][1])) continue;
        int32_t code = Figure(S, n, &answer);
        if (code == BROU_CRASHED) return code;
        if (code != BROU_FINE) continue;
        match->value[n] += answer;
        match->count[n]++;
    }
    return BROU_FINE;
}

static void Add_count(prefix_count *sum, int64_t value, int64_t cases) {
    sum->value += value;
    sum->square += value * value;
    sum->product += value * cases;
}

/* Count a value of a number, unless it has had too many already. */
BROU_UNUSED static void Count_number(prefix_number *number, int32_t value) {
    int32_t place = 0;
    if (number->many > PREFIX_VARIETY) return;
    while (place < number->many && number->value[place] != value) place++;
    if (place == number->many && number->many++ < PREFIX_VARIETY) number->value[place] = value;
    if (place < PREFIX_VARIETY) number->now[place]++;
}

/* Count the acts and the score of a deal at its end. */
static int32_t End_deal(const State *S, Match *match, Sums *sums) {
    match->deals++;
    for (int n = 0; n < MADE; n++) {
        if (!match->made[n]) continue;
        match->fact[2 * n]++;
        match->fact[2 * n + 1] += match->made[n];
        match->made[n] = 0;
    }
    return FACTS ? Count_deal(S, match->fact, sums->number) : BROU_FINE;
}

static void Add_match(const State *S, const Match *match, Sums *sums) {
    sums->matches++;
    sums->deals += match->deals;
    sums->deals_squared += match->deals * match->deals;
    sums->unfinished += !Final[S->phase];
    for (int n = 0; n < FIGURES; n++) {
        prefix_sum *sum = sums->figure + n;
        sum->value += match->value[n];
        sum->square += match->value[n] * match->value[n];
        sum->product += match->value[n] * match->count[n];
        sum->count += match->count[n];
        sum->squared += match->count[n] * match->count[n];
    }
    for (int n = 0; n < FACTS; n++) Add_count(sums->fact + n, match->fact[n], n < LASTING ? match->deals : 1);
    for (int n = 0; n < NUMBERS; n++) {
        prefix_number *number = sums->number + n;
        for (int place = 0; place < number->many && place < PREFIX_VARIETY; place++)
            Add_count(number->count + place, number->now[place], n < LASTING_NUMBERS ? match->deals : 1);
    }
}

static int32_t Batch_match(State *S, uint64_t seed, const Policy *policy, Sums *sums) {
    int64_t longest = policy && policy->longest ? policy->longest : 20000;
    uint64_t stream = seed ^ UINT64_C(0x5851F42D4C957F2D), *packs = policy && policy->packs ? &stream : 0;
    Chooser chooser = Read_policy(policy);
    Match match;
    Act act;
    State before;
    memset(&before, 0, sizeof before);
    memset(&match, 0, sizeof match);
    memset(&act, 0, sizeof act);
    for (int n = 0; n < NUMBERS; n++) memset(sums->number[n].now, 0, sizeof sums->number[n].now);
    int32_t code = prefix_begin(S);
    while (code == BROU_FINE && match.acts < longest) {
        code = Choose(S, &seed, packs, &chooser, &act);
        if (code != BROU_FINE) break;
        if (MADE) Tell_act(&act, match.made);
        if (Ends[act.act]) before = *S;
        if (sums->hashed) sums->hash = Hash_act(sums->hash, &act);
        match.acts++;
        sums->acts++;
        code = Play(S, &act, 1);
        if (!Ends[act.act] || code != BROU_FINE) continue;
        int32_t dealt = Dealt(&before), over = !Dealt(S);
        if (over || !dealt) code = Ask_figures(&before, &match, 0, dealt);
        if (over && dealt && code == BROU_FINE) code = End_deal(&before, &match, sums);
    }
    if (code == BROU_CRASHED) return code;
    if (Dealt(S)) {
        code = Ask_figures(S, &match, 0, 1);
        if (code != BROU_CRASHED) code = End_deal(S, &match, sums);
    }
    if (code != BROU_CRASHED) code = Ask_figures(S, &match, 1, 1);
    if (code != BROU_CRASHED && FACTS) code = Count_match(S, match.fact, sums->number);
    if (code != BROU_CRASHED) Add_match(S, &match, sums);
    return code;
}

static int64_t Batch_acts(State *S, uint64_t *seed, int64_t count, const Policy *policy, Sums *sums) {
    Chooser chooser = Read_policy(policy);
    Act act;
    memset(&act, 0, sizeof act);
    for (int64_t made = 0; made < count; made++) {
        int32_t code = Choose(S, seed, 0, &chooser, &act);
        if (code == BROU_NOTHING) {
            sums->matches++;
            code = prefix_begin(S);
        } else if (code == BROU_FINE) {
            if (sums->hashed) sums->hash = Hash_act(sums->hash, &act);
            sums->acts++;
            code = Play(S, &act, 1);
        }
        if (code != BROU_FINE) return BROU_CRASH;
    }
    return count;
}

int64_t prefix_play(State *S, uint64_t *seed, int64_t count, int32_t unit, const Policy *policy, Sums *sums) {
    Sums unwanted;
    if (!sums) memset(sums = &unwanted, 0, sizeof unwanted);
    if (unit == BROU_ACTS) return Batch_acts(S, seed, count, policy, sums);
    for (int64_t made = 0; made < count; made++) sums->crashed += Batch_match(S, (*seed)++, policy, sums) == BROU_CRASHED;
    return count;
}

/* Questions. */

int32_t prefix_ask(const State *S, int32_t question, const int32_t *given, int64_t *answer) {
    return Ask(S, question, given, answer);
}

uint64_t prefix_broken(const State *S) { return Broken(S); }

int64_t prefix_score(const State *S, char *out, int64_t room) {
    brou_json json = {out, room, 0, 0, 0, 0};
    return Show_Score(S, -1, &json) == BROU_FINE ? json.length : BROU_CRASH;
}

int64_t prefix_view(const State *S, int32_t seat, char *out, int64_t room) {
    brou_json json = {out, room, 0, 0, 0, 0};
    if (seat < 0 || seat >= PREFIX_SEATS) return BROU_CRASH;
    return Show_View(S, seat, &json) == BROU_FINE ? json.length : BROU_CRASH;
}

int64_t prefix_write(const State *S, char *out, int64_t room) {
    brou_json json = {out, room, 0, 0, 0, 0};
    return Show_State(S, &json) == BROU_FINE ? json.length : BROU_CRASH;
}

/* Write the acts of a seat by name, each with its values or what these are chosen from. */
static int32_t Show_Legal(const State *S, Offer *found, int32_t many, int32_t seat, brou_json *J) {
    brou_open(J, '{');
    for (int n = 0; n < BROU_ACTS_MOST; n++) {
        int32_t listed = 0, act = Order[n];
        for (Offer *O = found; O < found + many; O++) {
            if (O->act != act || O->seat != seat) continue;
            if (!listed) brou_key(J, Names_Act[act]);
            if (!listed++ && !Described[act]) brou_open(J, '[');
            if (!O->many && Write(S, J, O) != BROU_FINE) return BROU_CRASHED;
            if (!O->many) continue;
            for (brou_set left = O->cards; brou_some(left); left = brou_rest(left)) {
                O->value[Counts[act] - 1] = brou_place(left);
                if (Write(S, J, O) != BROU_FINE) return BROU_CRASHED;
            }
        }
        if (listed && !Described[act]) brou_close(J, ']');
    }
    brou_close(J, '}');
    return BROU_FINE;
}

int64_t prefix_legal(const State *S, int32_t seat, char *out, int64_t room) {
    brou_json json = {out, room, 0, 0, 0, 0};
    Offer found[BROU_OFFERS];
    int32_t many;
    if (seat < 0 || seat >= PREFIX_SEATS || Find(S, Alike, found, &many) < 0) return BROU_CRASH;
    return Show_Legal(S, found, many, seat, &json) == BROU_FINE ? json.length : BROU_CRASH;
}

/* What counts under the conduct that was compiled in, without its weights; acts that are described with their bounds. */
uint64_t prefix_meant(const State *S) {
    brou_json json = {0, 0, 0, 0, 0, 0};
    Offer found[BROU_OFFERS];
    uint64_t hash = 0;
    int32_t many;
    int64_t count = Weigh(S, Alike, found, &many);
    if (count == 0) count = Find(S, Alike, found, &many);
    if (count < 0) return UINT64_MAX;
    for (const Offer *O = found; O < found + many; O++) {
        if (!O->count) continue;
        hash = Mix(Mix(hash, (uint64_t)O->act), (uint64_t)O->seat);
        if (Described[O->act]) {
            if (Write(S, &json, O) != BROU_FINE) return UINT64_MAX;
            continue;
        }
        for (int n = 0; n < Counts[O->act] - O->many; n++) hash = Mix(hash, (uint64_t)(int64_t)O->value[n]);
        if (!O->many) continue;
        for (brou_set left = O->cards; brou_some(left); left = brou_rest(left)) hash = Mix(hash, (uint64_t)brou_place(left));
    }
    return Mix(hash, json.hash) & ~(UINT64_C(1) << 63);
}

uint64_t prefix_scored(const State *S) {
    brou_json json = {0, 0, 0, 0, 0, 0};
    return Show_Score(S, -1, &json) == BROU_FINE ? json.hash & ~(UINT64_C(1) << 63) : UINT64_MAX;
}

int32_t prefix_ends(const State *S, int32_t act) { return act >= 0 && act < BROU_ACTS_MOST && Ends[act] && Dealt(S); }

int32_t prefix_digest(const State *S, uint8_t out[32]) {
    brou_sha sha;
    brou_json json = {0, 0, 0, &sha, 0, 0};
    Offer found[BROU_OFFERS];
    int32_t many;
    brou_sha_begin(&sha);
    if (Find(S, Alike, found, &many) < 0) return BROU_CRASHED;
    brou_open(&json, '{');
    brou_key(&json, "legal");
    brou_open(&json, '[');
    for (int seat = 0; seat < PREFIX_SEATS; seat++)
        if (Show_Legal(S, found, many, seat, &json) != BROU_FINE) return BROU_CRASHED;
    brou_close(&json, ']');
    brou_key(&json, "state");
    if (Show_State(S, &json) != BROU_FINE) return BROU_CRASHED;
    brou_close(&json, '}');
    brou_sha_end(&sha, out);
    return BROU_FINE;
}

/* Acts and beginnings that are read. */

static int32_t Parse_values(brou_span value, Act *A) {
    int32_t from = 0, count = Counts[A->act];
    brou_span one;
    if (!count) return brou_is_text(value, "true") ? BROU_FINE : BROU_NO_ACT;
    if (count == 1) return Parse(A->act, 0, value, A, &from);
    for (int32_t n = 0; n < count; n++)
        if (!brou_member(value, Value_names[A->act][n], &one) || Parse(A->act, n, one, A, &from) != BROU_FINE)
            return BROU_NO_ACT;
    return BROU_FINE;
}

int32_t prefix_read(const char *text, int64_t length, int32_t seat, Act *out) {
    brou_span act = {text, length}, key, value;
    memset(out, 0, sizeof *out);
    if (seat < 0 || seat >= PREFIX_SEATS) return BROU_NO_ACT;
    if (!brou_enter(&act, '{') || !brou_next_key(&act, &key, &value) || brou_take(&act).length) return BROU_NO_ACT;
    int32_t place = brou_read_name(key, Names_Act, BROU_ACTS_MOST);
    if (place < 0) return BROU_NO_ACT;
    out->act = (int16_t)place;
    out->seat = (int16_t)seat;
    return Parse_values(value, out);
}

/* The first value that may be chosen, for those of a deal that a start does not name. */
static int32_t Fill_first(const Bound *B, int32_t *value) {
    if (B->form == BROU_RANGE) *value = B->low;
    else if (B->form != BROU_LISTED) return BROU_NO_ACT;
    else *value = brou_some(B->cards) ? brou_place(B->cards) : B->list.n ? B->list.at[0] : 0;
    return BROU_FINE;
}

/* Deal as a start has it, if it has the order of the pack. */
static int32_t Deal(State *S, brou_span start) {
    int32_t weights[BROU_ACTS_MOST] = {0}, many = 0, from = 0;
    Offer found[BROU_OFFERS];
    Bound bounds[PREFIX_VALUES];
    brou_span value;
    Act act;
    memset(&act, 0, sizeof act);
    if (DEALING < 0 || !brou_member(start, Value_names[DEALING][DEALT], &value)) return BROU_FINE;
    act.act = DEALING;
    weights[act.act] = 1;
    if (Find(S, weights, found, &many) < 0) return BROU_CRASHED;
    if (!many) return BROU_REFUSED;
    act.seat = found->seat;
    if (Bounds(S, act.act, act.seat, bounds) != BROU_FINE) return BROU_CRASHED;
    for (int32_t n = 0; n < Counts[act.act]; n++) {
        int32_t named = brou_member(start, Value_names[act.act][n], &value);
        int32_t code = named ? Parse(act.act, n, value, &act, &from) : Fill_first(bounds + n, act.value + n);
        if (code != BROU_FINE) return code;
    }
    return Carry(S, &act, 0);
}

int32_t prefix_start(State *S, const char *text, int64_t length) {
    brou_span whole = {text, length}, object = whole, key, value;
    State after;
    if (!brou_enter(&object, '{')) return BROU_NO_ACT;
    if (!brou_next_key(&object, &key, &value)) return prefix_begin(S);
    if (STARTING < 0) return BROU_NO_ACT;
    memcpy(&after, &Fresh, sizeof after);
    after.phase = STARTING;
    do if (Give(&after, key, value) != BROU_FINE) return BROU_NO_ACT; while (brou_next_key(&object, &key, &value));
    int32_t code = Start(&after);
    if (code == BROU_FINE && Broken(&after)) code = BROU_REFUSED;
    if (code == BROU_FINE) code = Deal(&after, whole);
    if (code == BROU_FINE) memcpy(S, &after, sizeof after);
    return code;
}

const char *prefix_member(const char *text, int64_t length, const char *key, int64_t *found) {
    brou_span object = {text, length}, value;
    if (!brou_member(object, key, &value)) return 0;
    *found = value.length;
    return value.at;
}

const char *prefix_item(const char *text, int64_t length, int64_t place, int64_t *found) {
    brou_span list = {text, length}, item;
    if (!brou_enter(&list, '[')) return 0;
    while (brou_next(&list, &item))
        if (!place--) {
            *found = item.length;
            return item.at;
        }
    return 0;
}
