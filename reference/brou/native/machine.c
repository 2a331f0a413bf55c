/* A machine that runs the lowered form as data: for rules that live a second, which no compiler is worth.
 *
 * It is built once for each size of sets (BROU_WORDS). A program is a row of whole numbers: a head with the places of its
 * tables, and records of a fixed length in them (`data_program.py` writes it, in the order of the lists below). Everything that
 * changes lies in one room of values: constants, the state, locals, and behind them what is made on the way. No value has a pointer, so
 * that a state can be copied out of the room and back. Whatever lies outside of its bounds is a crash, never a read. */

typedef struct { int64_t at, many; } Row;
/* A number, a place or a truth; a card or a set; or where the elements of a list, a pile or a row lie (many < 0: none). */
typedef union { int64_t n; brou_set set; Row row; } Value;

enum { NONE, NUMBER, INDEX, TRUTH, CARD, SET, PILE, LIST, ARRAY };
enum {
    CONST, LOCAL, STATE, ELEMENT, PART, CALL, LET, DEMAND, AND, OR, NOT, CHOOSE, UNIQUE, COMPARE, CONTAINS, ADD, SUBTRACT,
    MULTIPLY, DIVIDE, MIN, MAX, ABS, BOUNDED, UNION, COMMON, WITHOUT, SOME, SIZE, LOWEST, PLACE, TRAIT, LOOKUP, TOTAL, PEAK,
    FLOOR, BEST, LENGTH, LISTED, RANGE, TOP, BOTTOM, CUT, SPREAD, STACK, TAKE, DROP, ONTO, LOOP
};
enum { ANY, ALL, SUM, COUNT, FIRST, LEAST, MOST, GATHER, JOIN, SIFT, HIGHEST };
enum { PUT, KEEP, REQUIRE, EACH, CASES, RESET, GOTO };
enum { PICKED, ORDERS, SUBSETS, SPAN };
/* The head: sizes, then where each table begins. */
enum {
    CARDS, SEATS, FRESH, STATE_AT, STATE_SIZE, LOCALS_AT, ARENA_AT, ROOM, ACTS, NODES, PARTS, CELLS, ROUTINES, ACTIONS, PARAMETERS,
    LEVELS, STAGES, STEPS, SCOPES
};
enum { NODE_SIZE = 7, CELL_SIZE = 5, ROUTINE_SIZE = 3, ACTION_SIZE = 9, PARAMETER_SIZE = 9, LEVEL_SIZE = 5, STAGE_SIZE = 5, STEP_SIZE = 7 };
enum { VALUES = 8, PASSED = 256, OWN = 96, DEEPEST = 2000 };
enum { FINE, REFUSED, CRASHED, NO_ACT, NOTHING };

typedef struct { int16_t act, seat; int32_t value[VALUES]; uint8_t cards[PASSED]; } Act;
typedef struct { int32_t act, seat, many, unused; int32_t value[VALUES]; brou_set cards; } Offer;
typedef struct { const int32_t *code; Value *room; int64_t top; int32_t crashed, depth; } Machine;

static const int32_t *At(const Machine *m, int32_t table, int32_t size, int64_t place) {
    return m->code + m->code[table] + size * place;
}

static Value Crash(Machine *m) {
    Value none = {0};
    m->crashed = 1;
    return none;
}

static Value Number(int64_t n) { Value value = {0}; value.n = n; return value; }
static Value Cards(brou_set set) { Value value = {0}; value.set = set; return value; }
static int Is_set(int32_t form) { return form == CARD || form == SET; }
static int Is_row(int32_t form) { return form >= PILE; }

static int64_t Make(Machine *m, int64_t many) {
    int64_t at = m->top;
    if (many < 0 || at + many > m->code[ROOM]) { m->crashed = 1; return at; }
    m->top += many;
    return at;
}

static void Append(Machine *m, Value *list, Value item) {
    int64_t at = Make(m, 1);
    if (m->crashed) return;
    m->room[at] = item;
    list->row.many++;
}

static int Same(const Machine *m, int32_t form, Value one, Value two) {
    if (Is_set(form)) return brou_same(one.set, two.set);
    if (!Is_row(form)) return one.n == two.n;
    if (one.row.many != two.row.many) return 0;
    /* Piles are of cards, lists that are compared of numbers. */
    for (int64_t n = 0; n < one.row.many; n++)
        if (!Same(m, form == PILE ? CARD : NUMBER, m->room[one.row.at + n], m->room[two.row.at + n])) return 0;
    return 1;
}

static int Among(const Machine *m, int32_t form, Value list, Value item) {
    for (int64_t n = 0; n < list.row.many; n++) if (Same(m, form, m->room[list.row.at + n], item)) return 1;
    return 0;
}

/* Part of a row; counts below nothing are counted from the end. */
static Value Slice(Value row, int64_t from, int64_t to) {
    int64_t many = row.row.many;
    from = from < 0 ? from + many : from;
    to = to < 0 ? to + many : to;
    from = from < 0 ? 0 : from > many ? many : from;
    to = to < from ? from : to > many ? many : to;
    row.row.at += from;
    row.row.many = to - from;
    return row;
}

static Value Copy(Machine *m, Value one, Value two) {
    Value made = {0};
    if (one.row.many < 0) return one;
    int64_t more = two.row.many > 0 ? two.row.many : 0;
    made.row.at = Make(m, one.row.many + more);
    made.row.many = one.row.many + more;
    if (m->crashed) return Crash(m);
    for (int64_t n = 0; n < one.row.many; n++) m->room[made.row.at + n] = m->room[one.row.at + n];
    for (int64_t n = 0; n < more; n++) m->room[made.row.at + one.row.many + n] = m->room[two.row.at + n];
    return made;
}

static Value Eval(Machine *m, int32_t place);

static int64_t Evaluate_number(Machine *m, int32_t place) { return Eval(m, place).n; }

static Value *Local(const Machine *m, int32_t slot) { return m->room + m->code[LOCALS_AT] + slot; }

/* What a state has at a place, if it is no row: numbers of a state have 32 bits. */
static Value Read_place(Machine *m, int32_t form, int64_t at) {
    Value value = m->room[at];
    if (!Is_set(form) && (value.n < BROU_NO_NUMBER || value.n > INT32_MAX)) return Crash(m);
    return value;
}

static Value Read_cell(Machine *m, int32_t cell) {
    const int32_t *c = At(m, CELLS, CELL_SIZE, cell);
    Value value = {0};
    if (!Is_row(c[1])) return Read_place(m, c[1], c[0]);
    value.row.at = c[1] == ARRAY ? c[0] : c[0] + 1;
    value.row.many = c[1] == ARRAY ? c[2] : m->room[c[0]].n;
    return c[1] != ARRAY && value.row.many >= c[3] ? Crash(m) : value;
}

/* What cards carry over a set: the sum, the greatest, the least, or the first card that carries most. */
static Value Carry(const Machine *m, int32_t op, int64_t table, brou_set set, int64_t none) {
    int64_t sum = 0, found = none, any = 0;
    brou_set best = brou_nothing();
    for (; brou_some(set); set = brou_rest(set), any = 1) {
        int64_t carried = m->room[table + brou_place(set)].n;
        sum += carried;
        if (!any || (op == FLOOR ? carried < found : carried > found)) {
            found = carried;
            best = brou_lowest(set);
        }
    }
    return op == BEST ? Cards(best) : Number(op == TOTAL ? sum : found);
}

static Value Call(Machine *m, int32_t routine, const int32_t *parts, int32_t many) {
    const int32_t *r = At(m, ROUTINES, ROUTINE_SIZE, routine), *own = At(m, PARTS, 1, r[1]);
    Value saved[OWN], given[OWN], found;
    for (int32_t n = 0; n < many; n++) given[n] = Eval(m, parts[n]);
    if (m->crashed) return Crash(m);
    for (int32_t n = 0; n < r[2]; n++) saved[n] = *Local(m, own[n]);
    for (int32_t n = 0; n < many; n++) *Local(m, own[n]) = given[n];
    found = Eval(m, r[0]);
    for (int32_t n = 0; n < r[2]; n++) *Local(m, own[n]) = saved[n];
    return found;
}

/* A quantifier: domain, condition, body, default; `kind` says which, `bound` the slot, `none` what is absent. */
static Value Loop(Machine *m, const int32_t *node, const int32_t *parts) {
    int32_t kind = node[2], form = At(m, NODES, NODE_SIZE, parts[0])[1], own = At(m, NODES, NODE_SIZE, parts[2])[1];
    Value domain = Eval(m, parts[0]), found = {0}, body, most = {0};
    int64_t any = 0, place = 0, start;
    brou_set left = domain.set;
    if (kind == ALL) found.n = 1;
    if (kind == FIRST || kind == HIGHEST) found = m->room[node[6]];
    start = m->top;
    if (kind == GATHER) { found.row.at = start; found.row.many = 0; }
    while (!m->crashed && (Is_set(form) ? brou_some(left) : place < domain.row.many)) {
        Value *bound = Local(m, node[3]);
        *bound = Is_set(form) ? Cards(brou_lowest(left)) : m->room[domain.row.at + place];
        if (Is_set(form)) left = brou_rest(left); else place++;
        if (!Evaluate_number(m, parts[1]) || m->crashed) continue;
        if (kind == SIFT) { found.set = brou_union(found.set, Local(m, node[3])->set); continue; }
        body = Eval(m, parts[2]);
        if (m->crashed) break;
        switch (kind) {
        case ANY: if (body.n) return Number(1); break;
        case ALL: if (!body.n) return Number(0); break;
        case SUM: found.n = (int64_t)((uint64_t)found.n + (uint64_t)body.n); break;
        case COUNT: found.n += body.n != 0; break;
        case FIRST: return body;
        case LEAST: if (!any || body.n < found.n) found = body; break;
        case MOST: if (!any || body.n > found.n) found = body; break;
        case JOIN: found.set = brou_union(found.set, body.set); break;
        case GATHER: if (!Among(m, own, found, body)) Append(m, &found, body); break;
        case HIGHEST: if (!any || body.n > most.n) { found = *Local(m, node[3]); most = body; } break;
        }
        any = 1;
    }
    if (!any && !m->crashed && (kind == LEAST || kind == MOST) && node[5] > 3) return Eval(m, parts[3]);
    return found;
}

static Value Pile(Machine *m, int32_t op, Value pile, Value other) {
    Value none = {0};
    int64_t n = other.n;
    if (pile.row.many < 0) return Crash(m);
    switch (op) {
    case TAKE: return Slice(pile, 0, n);
    case DROP: return Slice(pile, n, pile.row.many);
    case CUT: return n > 0 && n < pile.row.many ? Copy(m, Slice(pile, n, pile.row.many), Slice(pile, 0, n)) : pile;
    case ONTO: return Copy(m, pile, other);
    case TOP: return pile.row.many ? m->room[pile.row.at] : none;
    case BOTTOM: return pile.row.many ? m->room[pile.row.at + pile.row.many - 1] : none;
    }
    for (int64_t k = 0; k < pile.row.many; k++) none.set = brou_union(none.set, m->room[pile.row.at + k].set);
    return none;
}

static Value Stack(Machine *m, brou_set set) {
    Value made = {0};
    made.row.at = m->top;
    for (; brou_some(set) && !m->crashed; set = brou_rest(set)) Append(m, &made, Cards(brou_lowest(set)));
    return made;
}

static int Compare(const Machine *m, int32_t by, int32_t form, Value one, Value two) {
    switch (by) {
    case 0: return Same(m, form, one, two);
    case 1: return !Same(m, form, one, two);
    case 2: return one.n < two.n;
    case 3: return one.n <= two.n;
    case 4: return one.n > two.n;
    }
    return one.n >= two.n;
}

static Value Apply_operation(Machine *m, const int32_t *node, const int32_t *parts) {
    int32_t form = node[5] > 0 ? At(m, NODES, NODE_SIZE, parts[0])[1] : NONE;
    Value one = node[5] > 0 ? Eval(m, parts[0]) : Number(0), two = node[5] > 1 ? Eval(m, parts[1]) : Number(0);
    if (m->crashed) return Crash(m);
    switch (node[0]) {
    case COMPARE: return Number(Compare(m, node[2], form, one, two));
    case CONTAINS: return Number(Among(m, node[6], one, two));
    case NOT: return Number(!one.n);
    case ADD: return Number((int64_t)((uint64_t)one.n + (uint64_t)two.n));
    case SUBTRACT: return Number((int64_t)((uint64_t)one.n - (uint64_t)two.n));
    case MULTIPLY: return Number((int64_t)((uint64_t)one.n * (uint64_t)two.n));
    case DIVIDE: return two.n < 1 ? Crash(m) : Number(brou_divide(one.n, two.n));
    case MIN: return one.n < two.n ? one : two;
    case MAX: return one.n > two.n ? one : two;
    case ABS: return Number(one.n < 0 ? (int64_t)-(uint64_t)one.n : one.n);
    case BOUNDED: return brou_is_bounded(one.n) ? one : Crash(m);
    case UNION: return Cards(brou_union(one.set, two.set));
    case COMMON: return Cards(brou_common(one.set, two.set));
    case WITHOUT: return Cards(brou_without(one.set, two.set));
    case SOME: return Number(brou_some(one.set));
    case SIZE: return Number(brou_size(one.set));
    case LOWEST: return Cards(brou_lowest(one.set));
    case PLACE: return brou_some(one.set) ? Number(brou_place(one.set)) : Crash(m);
    case TRAIT: return brou_some(one.set) && brou_place(one.set) < m->code[CARDS] ? m->room[node[2] + brou_place(one.set)] : Crash(m);
    case TOTAL: case PEAK: case FLOOR: case BEST: return Carry(m, node[0], node[2], one.set, two.n);
    /* Tables whose place may be absent have what stands for that in front. */
    case LOOKUP: return one.n + node[3] < 0 || one.n + node[3] >= node[6] ? Crash(m) : m->room[node[2] + one.n + node[3]];
    case LENGTH: return Number(one.row.many);
    case ELEMENT: {
        Value found = {0};
        if (two.n < 0 || two.n >= one.row.many) return Crash(m);
        int64_t at = one.row.at + two.n * node[6];
        if (!Is_row(node[1])) return Read_place(m, node[1], at);
        found.row.at = at + 1;
        found.row.many = m->room[at].n;
        return found.row.many >= node[6] ? Crash(m) : found;
    }
    case PART:
        if (two.n < 0 || two.n > one.row.many - node[6]) return Crash(m);
        one.row.at += two.n * node[2];
        one.row.many = node[6];
        return one;
    case SPREAD: case TOP: case BOTTOM: case CUT: case TAKE: case DROP: case ONTO: return Pile(m, node[0], one, two);
    case STACK: return Stack(m, one.set);
    case RANGE: {
        Value made = {0};
        made.row.at = m->top;
        for (int64_t n = one.n; n <= two.n && !m->crashed; n++) Append(m, &made, Number(n));
        return made;
    }
    }
    return Crash(m);
}

static Value Listed(Machine *m, const int32_t *node, const int32_t *parts) {
    Value made = {0};
    made.row.at = m->top;
    for (int32_t n = 0; n < node[5] && !m->crashed; n++) {
        Value item = Eval(m, parts[n]);
        if (!m->crashed && !(node[2] && Among(m, At(m, NODES, NODE_SIZE, parts[n])[1], made, item))) Append(m, &made, item);
    }
    return made;
}

static Value Choose_unique(Machine *m, const int32_t *node, const int32_t *parts) {
    int32_t found = -1;
    for (int32_t n = 0; n < node[5]; n += 2)
        if (Evaluate_number(m, parts[n])) {
            if (found >= 0) return Crash(m);
            found = n;
        }
    return found < 0 || m->crashed ? Crash(m) : Eval(m, parts[found + 1]);
}

static Value Eval_node(Machine *m, const int32_t *node, const int32_t *parts) {
    switch (node[0]) {
    case CONST: return m->room[node[2]];
    case LOCAL: return *Local(m, node[2]);
    case STATE: return Read_cell(m, node[2]);
    case CALL: return Call(m, node[2], parts, node[5]);
    case LET: {
        Value kept = Eval(m, parts[0]);
        *Local(m, node[3]) = kept;
        return m->crashed ? kept : Eval(m, parts[1]);
    }
    case DEMAND: return Evaluate_number(m, parts[0]) && !m->crashed ? Eval(m, parts[1]) : Crash(m);
    case AND:
        for (int32_t n = 0; n < node[5]; n++) if (!Evaluate_number(m, parts[n]) || m->crashed) return Number(0);
        return Number(1);
    case OR:
        for (int32_t n = 0; n < node[5]; n++) if (Evaluate_number(m, parts[n]) && !m->crashed) return Number(1);
        return Number(0);
    case CHOOSE: {
        int64_t yes = Evaluate_number(m, parts[0]);
        return m->crashed ? Number(0) : Eval(m, parts[yes ? 1 : 2]);
    }
    case UNIQUE: return Choose_unique(m, node, parts);
    case LISTED: return Listed(m, node, parts);
    case LOOP: return Loop(m, node, parts);
    }
    return Apply_operation(m, node, parts);
}

/* The value of a term. What is made on the way to a number or a set is given up again. */
static Value Eval(Machine *m, int32_t place) {
    const int32_t *node = At(m, NODES, NODE_SIZE, place);
    int64_t top = m->top;
    if (m->crashed || ++m->depth > DEEPEST) return Crash(m);
    Value found = Eval_node(m, node, At(m, PARTS, 1, node[4]));
    m->depth--;
    if (!Is_row(node[1])) m->top = top;
    return found;
}

/* Steps. */

static Value Keep(Machine *m, int32_t term) {
    Value value = Eval(m, term), none = {0};
    return !m->crashed && Is_row(At(m, NODES, NODE_SIZE, term)[1]) ? Copy(m, value, none) : value;
}

static void Put(Machine *m, const int32_t *step) {
    const int32_t *c = At(m, CELLS, CELL_SIZE, step[2]);
    int64_t index = step[3] < 0 ? 0 : Evaluate_number(m, step[3]);
    int32_t form = At(m, NODES, NODE_SIZE, step[4])[1], held = c[1] == ARRAY ? c[4] : c[1];
    Value value = Keep(m, step[4]), none = {0};
    int64_t many = form == ARRAY ? value.row.many : 1;
    if (m->crashed) return;
    if (index < 0 || many < 0 || index + many > c[2]) { Crash(m); return; }
    Value *to = m->room + c[0] + index * c[3];
    if (form == ARRAY) {
        for (int64_t n = 0; n < many; n++) to[n] = m->room[value.row.at + n];
    } else if (!Is_row(held)) {
        *to = none;
        if (Is_set(held)) to->set = value.set; else to->n = value.n;
    } else {
        if (value.row.many >= c[3]) { Crash(m); return; }
        to[0] = Number(value.row.many);
        for (int64_t n = 0; n < c[3] - 1; n++) to[n + 1] = n < value.row.many ? m->room[value.row.at + n] : none;
    }
}

static void Reset(Machine *m, int32_t scope) {
    const int32_t *from = At(m, SCOPES, 1, scope);
    int64_t at = m->code[STATE_AT];
    for (int64_t n = *from; n < m->code[STATE_SIZE]; n++) m->room[at + n] = m->room[m->code[FRESH] + n];
}

static int32_t Run(Machine *m, int32_t first, int32_t many);

static int32_t Run_step(Machine *m, const int32_t *step) {
    switch (step[0]) {
    case GOTO: return step[1];
    case RESET: Reset(m, step[1]); break;
    case PUT: Put(m, step); break;
    case KEEP: *Local(m, step[1]) = Keep(m, step[4]); break;
    case REQUIRE: if (!Evaluate_number(m, step[4])) Crash(m); break;
    case CASES: {
        const int32_t *cases = At(m, PARTS, 1, step[5]);
        for (int32_t n = 0; n < step[6] && !m->crashed; n++, cases += 3)
            if (cases[0] < 0 || (Evaluate_number(m, cases[0]) && !m->crashed)) return Run(m, cases[1], cases[2]);
        break;
    }
    case EACH: {
        int32_t form = At(m, NODES, NODE_SIZE, step[4])[1];
        Value domain = Keep(m, step[4]);
        brou_set left = domain.set;
        for (int64_t n = 0; !m->crashed && (Is_set(form) ? brou_some(left) : n < domain.row.many); n++) {
            *Local(m, step[1]) = Is_set(form) ? Cards(brou_lowest(left)) : m->room[domain.row.at + n];
            if (Is_set(form)) left = brou_rest(left);
            int32_t stage = Run(m, step[5], step[6]);
            if (stage >= 0) return stage;
        }
    }
    }
    return -1;
}

/* Carry out steps; the stage that they lead to, or -1. */
static int32_t Run(Machine *m, int32_t first, int32_t many) {
    const int32_t *listed = At(m, PARTS, 1, first);
    for (int32_t n = 0; n < many && !m->crashed; n++) {
        int32_t stage = Run_step(m, At(m, STEPS, STEP_SIZE, listed[n]));
        if (stage >= 0) return stage;
    }
    return -1;
}

/* The phase of the state; the first one where there is no such phase. */
static int64_t Phase(Machine *m) {
    int64_t phase = m->room[m->code[STATE_AT]].n;
    if (phase >= 0 && phase < (m->code[STEPS] - m->code[STAGES]) / STAGE_SIZE) return phase;
    m->crashed = 1;
    return 0;
}

static int32_t Settle(Machine *m, int32_t stage) {
    for (int32_t turns = 0; stage >= 0 && !m->crashed; turns++) {
        const int32_t *s = At(m, STAGES, STAGE_SIZE, stage);
        m->room[m->code[STATE_AT]] = Number(stage);
        if (!s[2] || turns > DEEPEST) return turns > DEEPEST ? CRASHED : FINE;
        stage = Run(m, s[1], s[2]);
        if (stage < 0) m->crashed = 1;
    }
    return m->crashed ? CRASHED : FINE;
}

/* What is open. */

typedef struct { Offer *found; int32_t room, many; } Found;

static int32_t Find_list(const Machine *m, int32_t list, Value item) {
    Value lists = m->room[list];
    for (int64_t n = 0; n < lists.row.many; n++) if (Same(m, LIST, m->room[lists.row.at + n], item)) return (int32_t)n;
    return -1;
}

static void Report(Machine *m, const int32_t *a, int32_t act, int32_t many, Value last, Found *f) {
    if (f->many >= f->room) { m->crashed = 1; return; }
    Offer *o = f->found + f->many++;
    memset(o, 0, sizeof *o);
    o->act = act;
    o->seat = (int32_t)Local(m, a[2])->n;
    o->many = many;
    if (many) o->cards = last.set;
    for (int32_t n = 0; !a[8] && n < a[4] - many; n++) {
        const int32_t *p = At(m, PARAMETERS, PARAMETER_SIZE, a[3] + n);
        Value value = *Local(m, p[0]);
        o->value[n] = p[2] == LIST ? Find_list(m, p[8], value) : Is_set(p[2]) ? brou_place(value.set) : (int32_t)value.n;
    }
}

static void Find_levels(Machine *m, const int32_t *a, int32_t act, int32_t depth, Found *f) {
    Value none = {0};
    int64_t top = m->top;
    if (m->crashed) return;
    if (depth == a[6]) { Report(m, a, act, 0, none, f); return; }
    const int32_t *l = At(m, LEVELS, LEVEL_SIZE, a[5] + depth), *guards = At(m, PARTS, 1, l[3]);
    int32_t form = l[1] < 0 ? NONE : At(m, NODES, NODE_SIZE, l[1])[1];
    Value domain = l[1] < 0 ? Number(0) : Eval(m, l[1]);
    if (depth > 1 && depth == a[6] - 1 && !l[4] && Is_set(form) && !a[8]) {
        if (brou_some(domain.set) && !m->crashed) Report(m, a, act, 1, domain, f);
        return;
    }
    brou_set left = domain.set;
    int64_t many = l[1] < 0 ? 1 : Is_row(form) ? domain.row.many : domain.n >= 0;
    for (int64_t n = 0; !m->crashed && (Is_set(form) ? brou_some(left) : n < many); n++) {
        if (l[1] >= 0) *Local(m, l[0]) = Is_set(form) ? Cards(brou_lowest(left)) : Is_row(form) ? m->room[domain.row.at + n] : domain;
        if (Is_set(form)) left = brou_rest(left);
        int32_t holds = 1;
        for (int32_t g = 0; g < l[4] && holds && !m->crashed; g++) holds = Evaluate_number(m, guards[g]) != 0;
        if (holds && !m->crashed) Find_levels(m, a, act, depth + 1, f);
    }
    m->top = top;
}

static int32_t Find(Machine *m, const int32_t *weights, Offer *found, int32_t room) {
    const int32_t *s = At(m, STAGES, STAGE_SIZE, Phase(m));
    Found f = {found, room, 0};
    for (int32_t n = 0; n < s[4]; n++) {
        int32_t act = At(m, PARTS, 1, s[3])[n];
        m->top = m->code[ARENA_AT];
        if (!weights || weights[act] > 0) Find_levels(m, At(m, ACTIONS, ACTION_SIZE, act), act, 0, &f);
    }
    return m->crashed ? -1 : f.many;
}

/* Acting. */

static int32_t Read_cards(Machine *m, const Act *act, int32_t count, int32_t *from, Value *pile) {
    brou_set seen = brou_nothing();
    pile->row.at = m->top;
    pile->row.many = 0;
    if (count < 0 || count > PASSED - *from) return 0;
    for (int32_t n = 0; n < count && !m->crashed; n++) {
        uint8_t card = act->cards[*from + n];
        if (card >= m->code[CARDS] || brou_holds(seen, card)) return 0;
        seen = brou_union(seen, brou_card(card));
        Append(m, pile, Cards(brou_card(card)));
    }
    *from += count;
    return !m->crashed;
}

static int32_t Read_value(Machine *m, const int32_t *p, const Act *act, int32_t value, int32_t *from) {
    Value read = {0};
    if (p[1] == ORDERS || p[1] == SUBSETS) {
        if (!Read_cards(m, act, value, from, &read)) return 0;
        if (p[2] != PILE) read = Pile(m, SPREAD, read, read);
    } else if (Is_set(p[2])) {
        if (value < 0 || value >= m->code[CARDS]) return 0;
        read.set = brou_card(value);
    } else if (p[2] == LIST) {
        if (p[8] < 0 || value < 0 || value >= m->room[p[8]].row.many) return 0;
        read = m->room[m->room[p[8]].row.at + value];
    } else {
        if ((value < p[6] || value > p[7]) && !(p[5] && value == (p[2] == NUMBER ? BROU_NO_NUMBER : -1))) return 0;
        read.n = value;
    }
    *Local(m, p[0]) = read;
    return 1;
}

/* Whether a value lies in the domain of its parameter. */
static int32_t Lies(Machine *m, const int32_t *p) {
    Value value = *Local(m, p[0]), domain = p[3] < 0 ? Number(0) : Eval(m, p[3]), none = {0};
    const int32_t *bounds = At(m, PARTS, 1, p[4]);
    int32_t form = p[3] < 0 ? NONE : At(m, NODES, NODE_SIZE, p[3])[1];
    if (m->crashed) return 0;
    if (p[1] == ORDERS) {
        none = Pile(m, SPREAD, value, none);
        return brou_same(none.set, domain.set) && value.row.many == brou_size(domain.set);
    }
    if (p[1] == SUBSETS || p[1] == SPAN) {
        int64_t low = Evaluate_number(m, bounds[0]), high = Evaluate_number(m, bounds[1]);
        int64_t size = p[1] == SPAN ? value.n : brou_size(value.set);
        if (m->crashed || (p[1] == SUBSETS && brou_some(brou_without(value.set, domain.set)))) return 0;
        return low <= size && size <= high;
    }
    return Is_set(form) ? brou_some(brou_common(value.set, domain.set)) : Among(m, p[2], domain, value);
}

static int32_t Apply(Machine *m, const Act *act, int32_t checked) {
    const int32_t *a = At(m, ACTIONS, ACTION_SIZE, act->act), *s = At(m, STAGES, STAGE_SIZE, Phase(m));
    int32_t from = 0, open = 0;
    m->top = m->code[ARENA_AT];
    for (int32_t n = 0; n < s[4]; n++) open |= At(m, PARTS, 1, s[3])[n] == act->act;
    *Local(m, a[2]) = Number(act->seat);
    for (int32_t n = 0; n < a[4]; n++)
        if (!Read_value(m, At(m, PARAMETERS, PARAMETER_SIZE, a[3] + n), act, act->value[n], &from)) return m->crashed ? CRASHED : NO_ACT;
    if (!checked) {
        if (!open) return REFUSED;
        if (!Evaluate_number(m, a[0])) return m->crashed ? CRASHED : REFUSED;
        for (int32_t n = 0; n < a[4]; n++)
            if (!Lies(m, At(m, PARAMETERS, PARAMETER_SIZE, a[3] + n))) return m->crashed ? CRASHED : REFUSED;
        if (!Evaluate_number(m, a[1])) return m->crashed ? CRASHED : REFUSED;
    }
    int32_t stage = Run(m, a[7], At(m, PARTS, 1, a[7])[-1]);
    return stage < 0 || m->crashed ? (m->crashed ? CRASHED : FINE) : Settle(m, stage);
}

/* Chance. */

static int32_t Fill(Machine *m, uint64_t *seed, const int32_t *p, Act *act, int32_t place, int32_t *from) {
    Value domain = p[3] < 0 ? Number(0) : Eval(m, p[3]);
    int32_t form = p[3] < 0 ? NONE : At(m, NODES, NODE_SIZE, p[3])[1], count = 0, size;
    const int32_t *bounds = At(m, PARTS, 1, p[4]);
    int64_t low = p[1] == SUBSETS || p[1] == SPAN ? Evaluate_number(m, bounds[0]) : 0;
    int64_t high = p[1] == SUBSETS || p[1] == SPAN ? Evaluate_number(m, bounds[1]) : 0;
    uint8_t cards[PASSED];
    if (m->crashed) return 0;
    if (p[1] == SPAN) {
        if (high < low) return 0;
        act->value[place] = (int32_t)(low + (int64_t)brou_below(seed, (uint64_t)(high - low + 1)));
        return 1;
    }
    if (p[1] == PICKED) {
        int64_t many = Is_set(form) ? brou_size(domain.set) : domain.row.many;
        if (many < 1) return 0;
        int64_t chosen = (int64_t)brou_below(seed, (uint64_t)many);
        if (Is_set(form)) act->value[place] = brou_place(brou_choose(domain.set, chosen));
        else act->value[place] = p[2] == LIST ? (int32_t)chosen : (int32_t)m->room[domain.row.at + chosen].n;
        return 1;
    }
    for (brou_set left = domain.set; brou_some(left); left = brou_rest(left)) cards[count++] = (uint8_t)brou_place(left);
    size = count;
    if (p[1] == SUBSETS) {
        int64_t least = low > 0 ? low : 0, most = high < count ? high : count;
        if (most < least) return 0;
        size = (int32_t)(least + (int64_t)brou_below(seed, (uint64_t)(most - least + 1)));
    }
    brou_shuffle(seed, cards, count);
    if (size > PASSED - *from) return 0;
    if (p[1] == SUBSETS) {
        brou_set taken = brou_nothing();
        for (int32_t n = 0; n < size; n++) taken = brou_union(taken, brou_card(cards[n]));
        for (int32_t n = 0; n < size; n++, taken = brou_rest(taken)) cards[n] = (uint8_t)brou_place(taken);
    }
    memcpy(act->cards + *from, cards, (size_t)size);
    act->value[place] = size;
    *from += size;
    return 1;
}

static int32_t Draw(Machine *m, uint64_t *seed, const int32_t *weights, Offer *found, int32_t room, Act *act) {
    int64_t count = 0;
    int32_t many = Find(m, weights, found, room), from = 0;
    for (int32_t n = 0; n < many; n++) count += (found[n].many ? brou_size(found[n].cards) : 1) * (int64_t)(weights ? weights[found[n].act] : 1);
    if (many == 0 && weights) return Draw(m, seed, 0, found, room, act);
    if (many <= 0) return many ? CRASHED : NOTHING;
    int64_t place = (int64_t)brou_below(seed, (uint64_t)count);
    for (const Offer *o = found; o < found + many; o++) {
        int64_t weight = weights ? weights[o->act] : 1, size = weight * (o->many ? brou_size(o->cards) : 1);
        if (place >= size) { place -= size; continue; }
        const int32_t *a = At(m, ACTIONS, ACTION_SIZE, o->act);
        act->act = (int16_t)o->act;
        act->seat = (int16_t)o->seat;
        for (int32_t n = 0; n < VALUES; n++) act->value[n] = o->value[n];
        if (o->many) act->value[a[4] - 1] = brou_place(brou_choose(o->cards, place / weight));
        *Local(m, a[2]) = Number(o->seat);
        for (int32_t n = 0; a[8] && n < a[4]; n++)
            if (!Fill(m, seed, At(m, PARAMETERS, PARAMETER_SIZE, a[3] + n), act, n, &from)) return CRASHED;
        return FINE;
    }
    return CRASHED;
}

static uint64_t Mix(uint64_t hash, uint64_t word) { return (hash ^ word) * UINT64_C(0x100000001b3); }

static uint64_t Hash_act(const Machine *m, uint64_t hash, const Act *act) {
    const int32_t *a = At(m, ACTIONS, ACTION_SIZE, act->act);
    int32_t from = 0;
    hash = Mix(Mix(hash, (uint64_t)act->act), (uint64_t)act->seat);
    for (int32_t n = 0; n < a[4]; n++) hash = Mix(hash, (uint64_t)(int64_t)act->value[n]);
    for (int32_t n = 0; n < a[4]; n++) {
        int32_t form = At(m, PARAMETERS, PARAMETER_SIZE, a[3] + n)[1];
        if (form == ORDERS || form == SUBSETS)
            for (int32_t last = from + act->value[n]; from < last; from++) hash = Mix(hash, act->cards[from]);
    }
    return hash;
}

static uint64_t Hash_words(uint64_t hash, const void *from, size_t bytes) {
    uint64_t word;
    for (size_t n = 0; n + sizeof word <= bytes; n += sizeof word) {
        memcpy(&word, (const char *)from + n, sizeof word);
        hash = Mix(hash, word);
    }
    return hash;
}

/* The surface. A state is copied into the room and, if all went well, out again. */

static Machine Enter(const int32_t *code, Value *room, const Value *state) {
    Machine m = {code, room, code[ARENA_AT], 0, 0};
    if (state) memcpy(room + code[STATE_AT], state, (size_t)code[STATE_SIZE] * sizeof *state);
    return m;
}

static int32_t Leave(const Machine *m, int32_t code, Value *state) {
    if (code == FINE) memcpy(state, m->room + m->code[STATE_AT], (size_t)m->code[STATE_SIZE] * sizeof *state);
    return code;
}

int32_t brou_machine_begin(const int32_t *code, Value *room, Value *state) {
    Machine m = Enter(code, room, room + code[FRESH]);
    return Leave(&m, Settle(&m, 0), state);
}

int32_t brou_machine_offers(const int32_t *code, Value *room, const Value *state, Offer *found, int32_t many) {
    Machine m = Enter(code, room, state);
    return Find(&m, 0, found, many);
}

int32_t brou_machine_apply(const int32_t *code, Value *room, Value *state, const Act *act) {
    Machine m = Enter(code, room, state);
    if (act->act < 0 || act->act >= code[ACTS] || act->seat < 0 || act->seat >= code[SEATS]) return NO_ACT;
    return Leave(&m, Apply(&m, act, 0), state);
}

int32_t brou_machine_step(const int32_t *code, Value *room, Value *state, uint64_t *seed, const int32_t *weights, Offer *found, int32_t many) {
    Machine m = Enter(code, room, state);
    Act act;
    memset(&act, 0, sizeof act);
    int32_t drawn = Draw(&m, seed, weights, found, many, &act);
    return drawn == FINE ? Leave(&m, Apply(&m, &act, 1), state) : drawn;
}

/* Make so many random acts, beginning anew where a match ends. `sums` are the hash of the acts, where it is `watched` that
 * of every state and of what is open in it, matches that ended, and acts. A crash ends it. */
int32_t brou_machine_play(
    const int32_t *code, Value *room, Value *state, uint64_t *seed, int64_t count, int32_t watched, const int32_t *weights,
    Offer *found, int32_t many, uint64_t *sums
) {
    for (int64_t n = 0; n < count; n++) {
        Machine m = Enter(code, room, state);
        Act act;
        memset(&act, 0, sizeof act);
        int32_t drawn = Draw(&m, seed, weights, found, many, &act);
        if (drawn == NOTHING) {
            sums[2]++;
            drawn = brou_machine_begin(code, room, state);
        } else if (drawn == FINE) {
            sums[0] = Hash_act(&m, sums[0], &act);
            sums[3]++;
            drawn = Leave(&m, Apply(&m, &act, 1), state);
        }
        if (drawn != FINE) return drawn;
        if (!watched) continue;
        sums[1] = Hash_words(sums[1], state, (size_t)code[STATE_SIZE] * sizeof *state);
        m = Enter(code, room, state);
        int32_t open = Find(&m, 0, found, many);
        if (open < 0) return CRASHED;
        sums[1] = Hash_words(sums[1], found, (size_t)open * sizeof *found);
    }
    return FINE;
}

/* The value of a term that asks for no local. */
int32_t brou_machine_ask(const int32_t *code, Value *room, const Value *state, int32_t term, Value *answer) {
    Machine m = Enter(code, room, state);
    *answer = Eval(&m, term);
    return m.crashed ? CRASHED : FINE;
}

/* What a routine gives for some arguments. */
int32_t brou_machine_call(
    const int32_t *code, Value *room, const Value *state, int32_t routine, const Value *given, int32_t many, Value *answer
) {
    Machine m = Enter(code, room, state);
    const int32_t *r = At(&m, ROUTINES, ROUTINE_SIZE, routine), *own = At(&m, PARTS, 1, r[1]);
    for (int32_t n = 0; n < many && n < r[2]; n++) *Local(&m, own[n]) = given[n];
    *answer = Eval(&m, r[0]);
    return m.crashed ? CRASHED : FINE;
}
