// A player of Tysiąc that knows rules.md and nothing of Brou, and the few lines that speak the protocol.
//
//	go run programs/tysiac.go
//	go run programs/tysiac.go faulty
//
// The second one has a mistake planted in it: a suit that is melded becomes trump with the next trick only.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

const ranks = "ATKQJ9"

var (
	counts = map[byte]int{'A': 11, 'T': 10, 'K': 4, 'Q': 3, 'J': 2}
	melds  = map[byte]int{'H': 100, 'D': 80, 'C': 60, 'S': 40}
	pack   = makePack()
	faulty = len(os.Args) > 1 && os.Args[1] == "faulty"
)

func makePack() []string {
	var cards []string
	for _, suit := range "SHDC" {
		for _, rank := range ranks {
			cards = append(cards, string(rank)+string(suit))
		}
	}
	return cards
}

func contains(cards []string, card string) bool {
	for _, one := range cards {
		if one == card {
			return true
		}
	}
	return false
}

// sortCards returns cards in the order of the pack.
func sortCards(cards []string) []string {
	sorted := []string{}
	for _, card := range pack {
		if contains(cards, card) {
			sorted = append(sorted, card)
		}
	}
	return sorted
}

type laid struct {
	Seat int    `json:"seat"`
	Card string `json:"card"`
}

type game struct {
	phase           string
	dealer, cutAt   int
	totals          [3]int
	hands           [3][]string
	stock, musik    []string
	bid             int
	declarer, turn  int // -1 for nobody
	leader, last    int
	passed          [3]bool
	given           [3]string
	trump, next     byte
	melded, counted [3]int
	trick           []laid
	done            int
	beating, barrel string
	void            string
	unit            int
}

func (g *game) clear() {
	g.phase, g.cutAt, g.bid, g.declarer, g.turn, g.leader, g.last = "deal", 0, 100, -1, -1, -1, -1
	g.hands, g.stock, g.musik = [3][]string{}, nil, nil
	g.passed, g.given, g.trump, g.next = [3]bool{}, [3]string{}, 0, 0
	g.melded, g.counted, g.trick, g.done = [3]int{}, [3]int{}, nil, 0
}

func (g *game) deal(deck []string) {
	for at, card := range deck[:21] {
		seat := (g.dealer + 1 + at) % 3
		g.hands[seat] = append(g.hands[seat], card)
	}
	g.begin(deck[21:])
}

func (g *game) begin(stock []string) {
	g.stock, g.phase = stock, "bid"
	g.declarer, g.turn = (g.dealer+1)%3, (g.dealer+2)%3
}

func (g *game) findLimit(seat int) int {
	limit := 120
	for suit, worth := range melds {
		if contains(g.hands[seat], "K"+string(suit)) && contains(g.hands[seat], "Q"+string(suit)) {
			limit += worth
		}
	}
	if limit > 400 {
		return 400
	}
	return limit
}

// rate says how high a card is in the trick, 0 if it cannot win.
func (g *game) rate(card string) int {
	height := len(ranks) - strings.IndexByte(ranks, card[0])
	if card[1] == g.trump {
		return 100 + height
	}
	if card[1] == g.trick[0].Card[1] {
		return height
	}
	return 0
}

func (g *game) findPlayable(seat int) []string {
	hand := sortCards(g.hands[seat])
	if len(g.trick) == 0 {
		return hand
	}
	best := 0
	for _, one := range g.trick {
		if rate := g.rate(one.Card); rate > best {
			best = rate
		}
	}
	pick := func(suit byte, above int) []string {
		found := []string{}
		for _, card := range hand {
			if card[1] == suit && g.rate(card) > above {
				found = append(found, card)
			}
		}
		return found
	}
	led := g.trick[0].Card[1]
	same, trumps := pick(led, -1), []string{}
	if g.trump != 0 {
		trumps = pick(g.trump, -1)
	}
	switch {
	case len(same) > 0:
		if higher := pick(led, best); len(higher) > 0 && g.beating == "duty" {
			return higher
		}
		return same
	case len(trumps) > 0 && g.void == "must-trump":
		if higher := pick(g.trump, best); len(higher) > 0 {
			return higher
		}
		return trumps
	}
	return hand
}

type gift struct {
	To   int    `json:"to"`
	Card string `json:"card"`
}

// findLegal returns what a seat may do now, by act.
func (g *game) findLegal(seat int) map[string]any {
	legal := map[string]any{}
	switch {
	case g.phase == "deal":
		if seat == g.dealer {
			legal["deal"] = map[string]any{"deck": map[string]any{"order": pack}, "packets": [][]int{{1, 1, 1, 1, 1, 1, 1}}}
		} else if (seat+1)%3 == g.dealer && g.cutAt == 0 {
			legal["cut"] = map[string]int{"min": 1, "max": len(pack) - 1}
		}
	case g.phase == "result":
		legal["next"] = []bool{true}
	case seat != g.turn || g.phase == "over":
	case g.phase == "bid" || g.phase == "contract":
		steps := []int{}
		for bid := 100; bid <= 400; bid += 10 {
			if bid > g.bid && bid <= g.findLimit(seat) || bid == g.bid && g.phase == "contract" {
				steps = append(steps, bid/10)
			}
		}
		if g.phase == "contract" {
			legal["settle"] = steps
		} else {
			legal["decline"] = []bool{true}
			if len(steps) > 0 {
				legal["bid"] = steps
			}
		}
	case g.phase == "give":
		gifts := []gift{}
		for to := 0; to < 3; to++ {
			for _, card := range sortCards(g.hands[seat]) {
				if to != seat && g.given[to] == "" {
					gifts = append(gifts, gift{to, card})
				}
			}
		}
		legal["give"] = gifts
	default:
		legal["play"] = g.findPlayable(seat)
	}
	return legal
}

func without(cards []string, card string) []string {
	left := []string{}
	for _, one := range cards {
		if one != card {
			left = append(left, one)
		}
	}
	return left
}

// act does an act, or returns the code of its refusal.
func (g *game) act(seat int, name string, raw json.RawMessage) string {
	phases := map[string]string{
		"cut": "deal", "deal": "deal", "bid": "bid", "decline": "bid", "give": "give", "settle": "contract", "play": "play",
		"next": "result",
	}
	if phases[name] == "" {
		return "not_available"
	}
	if phases[name] != g.phase {
		return "window_closed"
	}
	if phases[name] == "bid" || phases[name] == "play" {
		if seat != g.turn {
			return "not_your_turn"
		}
	} else if phases[name] == "give" || phases[name] == "contract" {
		if seat != g.turn {
			return "not_your_role"
		}
	}
	switch name {
	case "cut":
		if (seat+1)%3 != g.dealer {
			return "not_your_role"
		}
		if g.cutAt > 0 {
			return "already_done"
		}
		if json.Unmarshal(raw, &g.cutAt) != nil || g.cutAt < 1 || g.cutAt >= len(pack) {
			g.cutAt = 0
			return "bad_amount"
		}
	case "deal":
		var dealt struct{ Deck []string }
		if seat != g.dealer {
			return "not_your_role"
		}
		if json.Unmarshal(raw, &dealt) != nil || len(sortCards(dealt.Deck)) != len(pack) {
			return "no_such_card"
		}
		g.deal(append(append([]string{}, dealt.Deck[g.cutAt:]...), dealt.Deck[:g.cutAt]...))
	case "bid", "settle":
		var tens int
		if json.Unmarshal(raw, &tens) != nil || tens < 10 || tens > 40 {
			return "bad_amount"
		}
		bid := tens * 10
		if bid < g.bid || bid == g.bid && name == "bid" {
			return "too_low"
		}
		if bid > g.findLimit(seat) && bid != g.bid {
			return "not_available"
		}
		g.bid = bid
		if name == "settle" {
			g.phase, g.leader = "play", seat
		} else {
			g.declarer = seat
			g.pass(seat)
		}
	case "decline":
		g.passed[seat] = true
		g.pass(seat)
	case "give":
		return g.give(seat, raw)
	case "play":
		return g.play(seat, raw)
	case "next":
		g.writeDown()
	}
	return ""
}

// pass hands the auction on to the next seat that is in it, and ends it where one is left.
func (g *game) pass(seat int) {
	left := 0
	for _, passed := range g.passed {
		if !passed {
			left++
		}
	}
	for k := 3; k >= 1; k-- {
		if one := (seat + k) % 3; !g.passed[one] {
			g.turn = one
		}
	}
	if left == 1 {
		g.phase, g.turn, g.musik = "give", g.declarer, g.stock
		g.hands[g.declarer] = append(g.hands[g.declarer], g.stock...)
	}
}

func (g *game) give(seat int, raw json.RawMessage) string {
	var one gift
	if json.Unmarshal(raw, &one) != nil || one.To < 0 || one.To > 2 {
		return "not_available"
	}
	if !contains(g.hands[seat], one.Card) {
		return "not_in_hand"
	}
	if one.To == seat {
		return "not_available"
	}
	if g.given[one.To] != "" {
		return "already_done"
	}
	g.hands[seat] = without(g.hands[seat], one.Card)
	g.hands[one.To] = append(g.hands[one.To], one.Card)
	g.given[one.To] = one.Card
	others := 0
	for _, card := range g.given {
		if card != "" {
			others++
		}
	}
	if others == 2 {
		g.phase = "contract"
	}
	return ""
}

func (g *game) play(seat int, raw json.RawMessage) string {
	var card string
	if json.Unmarshal(raw, &card) != nil || !contains(g.hands[seat], card) {
		return "not_in_hand"
	}
	if legal := g.findPlayable(seat); !contains(legal, card) {
		led := g.trick[0].Card[1]
		if card[1] != led && legal[0][1] == led {
			return "must_follow"
		}
		if card[1] != led && card[1] != g.trump {
			return "must_trump"
		}
		return "must_beat"
	}
	partner := map[byte]string{'K': "Q", 'Q': "K"}[card[0]] + card[1:]
	if len(g.trick) == 0 && len(partner) == 2 && contains(g.hands[seat], partner) {
		g.melded[seat] += melds[card[1]]
		if faulty {
			g.next = card[1]
		} else {
			g.trump = card[1]
		}
	}
	g.hands[seat] = without(g.hands[seat], card)
	g.trick = append(g.trick, laid{seat, card})
	g.turn = (seat + 1) % 3
	if len(g.trick) == 3 {
		g.take()
	}
	return ""
}

func (g *game) take() {
	best := g.trick[0]
	sum := 0
	for _, one := range g.trick {
		sum += counts[one.Card[0]]
		if g.rate(one.Card) > g.rate(best.Card) {
			best = one
		}
	}
	g.counted[best.Seat] += sum
	g.trick, g.turn, g.leader, g.last = nil, best.Seat, best.Seat, best.Seat
	if g.next != 0 {
		g.trump, g.next = g.next, 0
	}
	g.done++
	if g.done == 8 {
		g.phase, g.turn, g.leader = "result", -1, -1
	}
}

func (g *game) findGains() [3]int {
	var gains [3]int
	for seat := 0; seat < 3; seat++ {
		own := g.counted[seat] + g.melded[seat]
		switch {
		case seat == g.declarer && own >= g.bid:
			gains[seat] = g.bid
		case seat == g.declarer:
			gains[seat] = -g.bid
		case g.totals[seat] < 800 || g.barrel == "open":
			gains[seat] = (2*own + g.unit) / (2 * g.unit) * g.unit
		}
	}
	return gains
}

func (g *game) writeDown() {
	over := false
	for seat, gain := range g.findGains() {
		g.totals[seat] += gain
		over = over || g.totals[seat] >= 1000
	}
	g.dealer = (g.dealer + 1) % 3
	g.clear()
	if over {
		g.phase = "over"
	}
}

func (g *game) score() map[string]any {
	var counted [3]int
	for seat := 0; seat < 3; seat++ {
		counted[seat] = g.counted[seat] + g.melded[seat]
	}
	told := map[string]any{"counted": counted, "totals": g.totals}
	if g.done == 8 {
		told["gains"] = g.findGains()
	}
	return told
}

func orNull(seat int) any {
	if seat < 0 {
		return nil
	}
	return seat
}

func (g *game) view(seat int) map[string]any {
	var trump any
	if g.trump != 0 {
		trump = string(g.trump)
	}
	lengths, given := [3]int{}, []laid{}
	for one := 0; one < 3; one++ {
		lengths[one] = len(g.hands[one])
		if g.given[one] != "" && (one == seat || seat == g.declarer) {
			given = append(given, laid{one, g.given[one]})
		}
	}
	trick := g.trick
	if trick == nil {
		trick = []laid{}
	}
	return map[string]any{
		"phase": g.phase, "dealer": g.dealer, "hand": sortCards(g.hands[seat]), "hands": lengths, "bid": g.bid,
		"declarer": orNull(g.declarer), "passed": g.passed, "musik": sortCards(g.musik), "given": given, "trump": trump,
		"melds": g.melded, "turn": orNull(g.turn), "leader": orNull(g.leader), "trick": trick,
	}
}

type request struct {
	Op       string
	ID       int
	Readings map[string]any
	Start    struct {
		Dealer *int
		Totals *[3]int
		Hands  map[string][]string
		Stock  []string
		Deck   []string
	}
	Steps []map[string]json.RawMessage
}

func begin(asked request) *game {
	g := &game{beating: "duty", void: "must-trump", unit: 10, barrel: "closed"}
	g.clear()
	if asked.Start.Dealer != nil {
		g.dealer = *asked.Start.Dealer
	}
	if asked.Start.Totals != nil {
		g.totals = *asked.Start.Totals
	}
	switch {
	case asked.Start.Hands != nil:
		used := []string{}
		for seat := 0; seat < 3; seat++ {
			g.hands[seat] = asked.Start.Hands[fmt.Sprint(seat)]
			used = append(used, g.hands[seat]...)
		}
		stock := asked.Start.Stock
		if stock == nil {
			for _, card := range pack {
				if !contains(used, card) {
					stock = append(stock, card)
				}
			}
		}
		g.begin(stock)
	case asked.Start.Deck != nil:
		g.deal(asked.Start.Deck)
	}
	return g
}

func (g *game) takeStep(step map[string]json.RawMessage) map[string]any {
	var seat int
	if raw, ok := step["act"]; ok {
		var act map[string]json.RawMessage
		json.Unmarshal(raw, &act)
		json.Unmarshal(step["by"], &seat)
		for name, value := range act {
			if code := g.act(seat, name, value); code != "" {
				return map[string]any{"no": code}
			}
		}
		return map[string]any{"ok": true}
	}
	if raw, ok := step["legal"]; ok {
		json.Unmarshal(raw, &seat)
		return map[string]any{"legal": g.findLegal(seat)}
	}
	if raw, ok := step["view"]; ok {
		json.Unmarshal(raw, &seat)
		return map[string]any{"view": g.view(seat)}
	}
	if _, ok := step["score"]; ok {
		return map[string]any{"score": g.score()}
	}
	return map[string]any{"winner": orNull(g.last)}
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		if json.Unmarshal(line, &asked) != nil {
			continue
		}
		reply := map[string]any{"id": asked.ID, "ok": true}
		switch asked.Op {
		case "hello":
			reply["protocol"] = 1
			reply["engine"] = map[string]string{"name": "tysiac.go", "language": "go"}
			reply["plays"] = []any{map[string]any{"game": "tysiac", "editions": []string{"house"}, "setups": []string{"1"}}}
			reply["can"] = []string{"deal", "match", "view", "winner", "score", "codes", "offturn"}
		case "run":
			g := begin(asked)
			results := []any{}
			for _, step := range asked.Steps {
				results = append(results, g.takeStep(step))
			}
			reply["results"] = results
		}
		written, _ := json.Marshal(reply)
		fmt.Println(string(written))
	}
}
