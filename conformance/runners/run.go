// go run run.go BUNDLE COMMAND...: judges a program by the portable corpus in a folder, with nothing else of Brou.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any
type readings map[string]string

type greeting struct {
	Can, Acts []string
	Plays     []struct {
		Game             string
		Editions, Setups []string
	}
	Readings map[string]object
}
type step struct {
	ID, Reading string
	Needs       []string
	Expect      object
	Values      map[string]object
}
type line struct {
	ID, Setup, Level string
	Clauses, Needs   []string
	Premise          readings
	Silent           map[string][]string
	Within           map[string]struct{ Least, Greatest *int }
	Request          object
	Steps            []step
	Positions        []struct {
		Step    int
		Needs   []string
		Card    string
		Request object
	}
}
type edition struct {
	Cases    string
	Readings map[string]struct {
		Default string
		Values  []string
	}
}
type heard struct {
	line    line
	results []object // a result a step, nil where it was not asked; none at all if the program was lost
}

var (
	program *exec.Cmd
	input   io.WriteCloser
	replies chan []byte
	number  int
	hello   greeting
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func stop() {
	if program != nil && program.Process != nil {
		program.Process.Kill()
		go program.Wait()
	}
	program = nil
}

func start() {
	program = exec.Command(os.Args[2], os.Args[3:]...)
	input, _ = program.StdinPipe()
	output, _ := program.StdoutPipe()
	lines := make(chan []byte)
	replies = lines
	if program.Start() != nil {
		close(lines)
		return
	}
	go func() {
		scanner := bufio.NewScanner(output)
		scanner.Buffer(nil, 4<<20+2)
		for scanner.Scan() {
			lines <- append([]byte{}, scanner.Bytes()...)
		}
		close(lines)
	}()
}

// ask sends a request and returns the reply; a program that says anything else is started anew for the next request.
func ask(message object, limit time.Duration) object {
	if program == nil {
		start()
		if message["op"] != "hello" {
			ask(object{"op": "hello", "protocol": 1}, 30*time.Second)
		}
	}
	if program == nil {
		return nil
	}
	number++
	sent := object{}
	for key, value := range message {
		sent[key] = value
	}
	sent["id"] = number
	written, _ := json.Marshal(sent)
	go func(input io.Writer) { input.Write(append(written, '\n')) }(input)
	select {
	case said := <-replies:
		reply := object{}
		if json.Unmarshal(said, &reply) == nil && reply["id"] == float64(number) && reply["ok"] == true {
			return reply
		}
	case <-time.After(limit):
	}
	stop()
	return nil
}

func form(value any) string { // keys in order
	written, _ := json.Marshal(value)
	return string(written)
}

// bag returns choices whatever their order, a range of numbers as the list of them.
func bag(value any, spell bool) any {
	switch found := value.(type) {
	case []any:
		seen := map[string]bool{}
		for _, one := range found {
			seen[form(one)] = true
		}
		all := []string{}
		for one := range seen {
			all = append(all, one)
		}
		sort.Strings(all)
		return all
	case object:
		low, isLow := found["min"].(float64)
		high, isHigh := found["max"].(float64)
		if spell && isLow && isHigh && len(found) == 2 && high-low < 1000 {
			numbers := []any{}
			for n := low; n <= high; n++ {
				numbers = append(numbers, n)
			}
			return bag(numbers, false)
		}
		bags := object{}
		for key, one := range found {
			bags[key] = bag(one, false)
		}
		return bags
	}
	return value
}

func has(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}

func can(needs []string) bool {
	for _, one := range needs {
		if !has(hello.Can, one) {
			return false
		}
	}
	return true
}

func knows(act string) bool { return hello.Acts == nil || has(hello.Acts, act) }

func fits(want, said object) bool {
	if want["ok"] != nil {
		return said["ok"] == true
	}
	if codes := want["no"]; codes != nil {
		no, refused := said["no"]
		list, named := codes.([]any)
		for _, one := range list {
			named = named && one != no
		}
		return refused && (no == true || !named || !has(hello.Can, "codes"))
	}
	if legal, is := want["legal"].(object); is {
		told, is := said["legal"].(object)
		for act, choices := range legal {
			offered := told[act]
			if offered == nil {
				offered = []any{}
			}
			is = is && (!knows(act) || reflect.DeepEqual(bag(choices, true), bag(offered, true)))
		}
		return is
	}
	if winner, is := want["winner"]; is {
		told, answered := said["winner"]
		return answered && winner == told
	}
	for _, key := range []string{"view", "score"} {
		wanted, is := want[key].(object)
		told, answered := said[key].(object)
		if !is {
			continue
		}
		for name, value := range wanted {
			found, known := told[name]
			answered = answered && (!known || form(found) == form(value))
		}
		hides, _ := want["hides"].([]any)
		for _, name := range hides {
			answered = answered && told[name.(string)] == nil
		}
		return answered
	}
	return false
}

func (one step) wish(chosen readings) object {
	if one.Expect != nil {
		return one.Expect
	}
	return one.Values[chosen[one.Reading]]
}

func with(all readings, more readings) readings {
	both := readings{}
	for _, each := range []readings{all, more} {
		for key, value := range each {
			both[key] = value
		}
	}
	return both
}

func (one line) under(chosen readings) readings {
	if has(hello.Can, "readings") {
		return with(chosen, one.Premise)
	}
	return chosen
}

func (one line) holds(chosen readings) bool {
	for key, value := range one.Premise {
		if chosen[key] != value {
			return false
		}
	}
	for key, values := range one.Silent {
		if has(values, chosen[key]) {
			return false
		}
	}
	for key, bounds := range one.Within {
		value, _ := strconv.Atoi(chosen[key])
		if bounds.Least != nil && value < *bounds.Least || bounds.Greatest != nil && value > *bounds.Greatest {
			return false
		}
	}
	return true
}

// put asks a line: the whole script as far as the program knows its acts, or each position of it.
func (one line) put(all readings) []object {
	results, chosen := make([]object, len(one.Steps)), one.under(all)
	exchange := func(request object, steps []any) []any {
		sent := object{}
		for key, value := range request {
			sent[key] = value
		}
		sent["steps"] = steps
		if has(hello.Can, "readings") {
			sent["readings"] = chosen
		}
		said, _ := ask(sent, 5*time.Second)["results"].([]any)
		if len(said) != len(steps) {
			return nil
		}
		return said
	}
	if can(one.Needs) {
		asked, numbers := []any{}, []int{}
		for n, message := range one.Request["steps"].([]any) {
			known := true
			act, _ := message.(object)["act"].(object)
			for name := range act {
				known = knows(name)
			}
			if !known && one.Steps[n].wish(chosen)["ok"] != nil {
				break
			}
			if known && can(one.Steps[n].Needs) {
				asked, numbers = append(asked, message), append(numbers, n)
			}
		}
		if len(asked) == 0 {
			return results
		}
		said := exchange(one.Request, asked)
		if said == nil {
			return nil
		}
		for place, n := range numbers {
			results[n], _ = said[place].(object)
		}
	} else if has(hello.Can, "position") {
		for _, position := range one.Positions {
			if !can(position.Needs) {
				continue
			}
			said := exchange(position.Request, position.Request["steps"].([]any))
			if said == nil {
				return nil
			}
			last, _ := said[len(said)-1].(object)
			if legal, is := last["legal"].(object); is && position.Card != "" {
				last = object{"no": true}
				cards, _ := legal["play"].([]any)
				for _, card := range cards {
					if card == position.Card {
						last = object{"ok": true}
					}
				}
			}
			results[position.Step] = last
		}
	}
	return results
}

// judge returns the number of the first step that deviates, else -1; behind an act that went another way nothing is judged.
func (one line) judge(results []object, all readings) int {
	whole, chosen := can(one.Needs), one.under(all)
	if !one.holds(chosen) {
		return -1
	}
	for n, said := range results {
		want := one.Steps[n].wish(chosen)
		if said == nil || want == nil {
			continue
		}
		silent := said["skip"] != nil || said["err"] != nil
		other := silent || !fits(want, said)
		if other && !silent && one.Level != "open" {
			return n
		}
		act := one.Request["steps"].([]any)[n].(object)["act"]
		if other && whole && act != nil && !(said["skip"] != nil && want["no"] != nil) {
			return -1
		}
	}
	return -1
}

// infer changes undeclared readings, each time the one after which least fails, as long as there is one.
func infer(judged []heard, free []readings, chosen readings) ([]heard, readings) {
	failing := func(chosen readings) (left []heard) {
		for _, one := range judged {
			if one.line.judge(one.results, chosen) >= 0 {
				left = append(left, one)
			}
		}
		return left
	}
	left := failing(chosen)
	for before := math.MaxInt; len(left) > 0 && len(left) < before; {
		before = len(left)
		own := chosen
		for _, change := range free {
			if rest := failing(with(own, change)); len(rest) < len(left) {
				left, chosen = rest, with(own, change)
			}
		}
	}
	return left, chosen
}

func verify(name string, cases []line, chosen readings, free []readings) (verdict string, fine bool) {
	judged, lost := []heard{}, false
	for _, one := range cases {
		results, answered := one.put(chosen), false
		lost = lost || results == nil
		for _, said := range results {
			lost = lost || said["err"] != nil
			answered = answered || said != nil && said["skip"] == nil
		}
		if answered {
			judged = append(judged, heard{one, results})
		}
	}
	left, found := infer(judged, free, chosen)
	for _, one := range left { // a line that fails is asked again: who then says something else is not judged by it
		n, again := one.line.judge(one.results, found), one.line.put(found)
		if again != nil && one.line.judge(again, found) == n {
			verdict = fmt.Sprintf("deviates at %s#%s (%s)", one.line.ID, one.line.Steps[n].ID, strings.Join(one.line.Clauses, " "))
			break
		}
		lost = true
	}
	fine = verdict == "" && !lost && len(judged) > 0
	changes := []string{}
	for key, value := range found {
		if value != chosen[key] {
			changes = append(changes, " "+key+"="+value)
		}
	}
	sort.Strings(changes)
	switch {
	case verdict != "":
	case !fine:
		verdict = "adapter"
	case len(changes) > 0:
		verdict = "follows-readings"
	default:
		verdict = "follows"
	}
	return verdict + strings.Join(changes, ""), fine
}

func load(name string, into any) {
	content, err := os.ReadFile(filepath.Join(os.Args[1], name))
	check(err)
	check(json.Unmarshal(content, into))
}

func readCases(name string, setups []string) (cases []line) {
	content, err := os.ReadFile(filepath.Join(os.Args[1], name))
	check(err)
	for _, text := range bytes.Split(bytes.TrimSpace(content), []byte("\n")) {
		var one line
		check(json.Unmarshal(text, &one))
		if has(setups, one.Setup) {
			cases = append(cases, one)
		}
	}
	return cases
}

func main() {
	var index struct{ Editions map[string]edition }
	load("index.json", &index)
	reply := ask(object{"op": "hello", "protocol": 1}, 30*time.Second)
	if reply == nil {
		fmt.Println("no greeting")
		os.Exit(3)
	}
	check(json.Unmarshal([]byte(form(reply)), &hello))
	names, code := []string{}, 0
	for name := range index.Editions {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		setups := []string{}
		for _, play := range hello.Plays {
			for _, one := range play.Editions {
				if play.Game+"@"+one == name {
					setups = append(setups, play.Setups...)
				}
			}
		}
		cases := readCases(index.Editions[name].Cases, setups)
		if len(cases) == 0 {
			continue
		}
		chosen, free := readings{}, []readings{}
		keys := []string{}
		for key := range index.Editions[name].Readings {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			one := index.Editions[name].Readings[key]
			declared, is := hello.Readings[name][key]
			if chosen[key] = one.Default; is {
				chosen[key] = fmt.Sprint(declared)
			} else if !has(hello.Can, "readings") {
				for _, value := range one.Values {
					free = append(free, readings{key: value})
				}
			}
		}
		verdict, fine := verify(name, cases, chosen, free)
		fmt.Printf("%s: %s\n", name, verdict)
		if !fine {
			code = 1
		}
	}
	stop()
	os.Exit(code)
}
