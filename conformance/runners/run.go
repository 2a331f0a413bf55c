// go run run.go BUNDLE COMMAND...: judges a program by the portable corpus in a folder, with nothing else of Brou.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any
type readings = map[string]string
type conditions struct {
	Under  map[string][]string
	Within map[string]struct{ Least, Greatest int }
}
type check struct {
	At, Needs           []string
	Equals              []any
	Has                 string
	Unordered, Optional bool
	conditions
}
type step struct {
	ID     string
	Send   any
	Needs  []string
	Leads  bool
	Checks []check
}
type line struct {
	ID, Setup, Level string
	Clauses          []string
	Premise          readings
	Ways             []struct {
		Needs, Instead []string
		Request        object
		Steps          []step
	}
	conditions
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
	steps   []step
	results []object
}

var hello struct {
	Can, Acts []string
	Plays     []struct {
		Game             string
		Editions, Setups []string
	}
	Readings map[string]object
}
var program *exec.Cmd
var input io.WriteCloser
var replies *bufio.Reader
var number int

func has(all []string, one string) bool {
	for _, other := range all {
		if other == one {
			return true
		}
	}
	return false
}

func try(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func stop() {
	if program != nil && program.Process != nil {
		program.Process.Kill()
		program.Wait()
	}
	program = nil
}

// ask returns the reply; a program that says anything else is started anew for the next request.
func ask(message object, limit time.Duration) object {
	if program == nil {
		program = exec.Command(os.Args[2], os.Args[3:]...)
		input, _ = program.StdinPipe()
		output, _ := program.StdoutPipe()
		replies = bufio.NewReader(output)
		if program.Start() == nil && message["op"] != "hello" {
			ask(object{"op": "hello", "protocol": 1}, 30*time.Second)
		}
	}
	if program == nil || program.Process == nil {
		return nil
	}
	number++
	message["id"] = number
	defer time.AfterFunc(limit, func() { program.Process.Kill() }).Stop()
	go func(input io.Writer) { json.NewEncoder(input).Encode(message) }(input)
	reply := object{}
	said, _ := replies.ReadBytes('\n')
	if json.Unmarshal(said, &reply) == nil && reply["id"] == float64(number) && reply["ok"] == true {
		return reply
	}
	stop()
	return nil
}

func form(value any, unordered bool) string { // keys in order, and lists where their order says nothing
	items, isList := value.([]any)
	if members, is := value.(object); is {
		forms := object{}
		for key, one := range members {
			forms[key] = form(one, unordered)
		}
		value = forms
	} else if isList {
		forms := []string{}
		for _, one := range items {
			if made := form(one, unordered); !unordered || !has(forms, made) {
				forms = append(forms, made)
			}
		}
		if unordered {
			sort.Strings(forms)
		}
		value = forms
	}
	written, _ := json.Marshal(value)
	return string(written)
}

func (one conditions) follows(all readings) bool {
	for key, values := range one.Under {
		if !has(values, all[key]) {
			return false
		}
	}
	for key, bounds := range one.Within {
		if value, _ := strconv.Atoi(all[key]); value < bounds.Least || bounds.Greatest < value {
			return false
		}
	}
	return true
}

func (one check) fits(result any) bool {
	told := result
	for _, key := range one.At {
		members, _ := told.(object)
		found, is := members[key]
		if told = found; !is && (one.Equals == nil || one.Optional) {
			return one.Optional
		}
	}
	if one.Has != "" {
		cards, _ := told.([]any)
		told = false
		for _, card := range cards {
			told = told == true || card == one.Has
		}
	}
	for _, value := range one.Equals {
		if form(value, one.Unordered) == form(told, one.Unordered) {
			return true
		}
	}
	return one.Equals == nil
}

func can(needs []string) bool {
	for _, one := range needs {
		isAct := strings.HasPrefix(one, "act ") && (hello.Acts == nil || has(hello.Acts, one[4:]))
		if !isAct && !has(hello.Can, one) {
			return false
		}
	}
	return true
}

func with(all, more readings) readings {
	both := readings{}
	for _, each := range []readings{all, more} {
		for key, value := range each {
			both[key] = value
		}
	}
	return both
}

func (one line) chosen(all readings) readings {
	if can([]string{"readings"}) {
		return with(all, one.Premise)
	}
	return all
}

// judge returns the first step that deviates; behind one that play goes on from and that has no answer, nothing is judged.
func (one heard) judge(all readings) *step {
	chosen := one.line.chosen(all)
	for n := 0; n < len(one.steps) && one.line.Level != "open" && one.line.follows(chosen); n++ {
		_, skipped := one.results[n]["skip"]
		if skipped && one.steps[n].Leads {
			break
		}
		for _, each := range one.steps[n].Checks {
			if !skipped && can(each.Needs) && each.follows(chosen) && !each.fits(one.results[n]) {
				return &one.steps[n]
			}
		}
	}
	return nil
}

func verify(name string, known edition, cases []line) (verdict string) {
	chosen, free, lost, all := readings{}, []readings{}, false, []heard{}
	for key, one := range known.Readings {
		declared, is := hello.Readings[name][key]
		if chosen[key] = one.Default; is {
			chosen[key] = fmt.Sprint(declared)
		}
		for _, value := range one.Values {
			if !is && !can([]string{"readings"}) {
				free = append(free, readings{key: value})
			}
		}
	}
	sort.Slice(free, func(n, m int) bool { return fmt.Sprint(free[n]) < fmt.Sprint(free[m]) })
	for _, one := range cases {
		for _, way := range one.Ways {
			steps, sent, request := []step{}, []any{}, object{}
			for _, each := range way.Steps {
				if can(each.Needs) {
					steps, sent = append(steps, each), append(sent, each.Send)
				}
			}
			if !can(way.Needs) || way.Instead != nil && can(way.Instead) || len(steps) == 0 {
				continue
			}
			for key, value := range way.Request {
				request[key] = value
			}
			if request["steps"] = sent; can([]string{"readings"}) {
				request["readings"] = one.chosen(chosen)
			}
			results, answered := []object{}, false
			written, _ := json.Marshal(ask(request, 5*time.Second)["results"])
			bad := json.Unmarshal(written, &results) != nil || len(results) != len(steps)
			for _, result := range results {
				bad = bad || result["err"] != nil
				answered = answered || result["skip"] == nil
			}
			if lost = lost || bad; answered && !bad {
				all = append(all, heard{one, steps, results})
			}
		}
	}
	failing := func(chosen readings) (left []heard) {
		for _, one := range all {
			if one.judge(chosen) != nil {
				left = append(left, one)
			}
		}
		return left
	}
	// The one change of an undeclared reading after which least fails is made, as long as there is one.
	left, best, changes := failing(chosen), chosen, ""
	for before := len(left) + 1; len(left) > 0 && len(left) < before; {
		before = len(left)
		own := best
		for _, change := range free {
			if rest := failing(with(own, change)); len(rest) < len(left) {
				left, best = rest, with(own, change)
			}
		}
	}
	for _, change := range free {
		for key, value := range change {
			if best[key] == value && chosen[key] != value {
				changes += " " + key + "=" + value
			}
		}
	}
	if len(left) > 0 {
		one := left[0].line
		return fmt.Sprintf("deviates at %s#%s (%s)%s", one.ID, left[0].judge(best).ID, strings.Join(one.Clauses, " "), changes)
	} else if lost || len(all) == 0 {
		return "adapter" + changes
	} else if changes != "" {
		return "follows-readings" + changes
	}
	return "follows"
}

func main() {
	load := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join(os.Args[1], name))
		try(err)
		return content
	}
	var index struct{ Editions map[string]edition }
	try(json.Unmarshal(load("index.json"), &index))
	greeting, _ := json.Marshal(ask(object{"op": "hello", "protocol": 1}, 30*time.Second))
	if json.Unmarshal(greeting, &hello); hello.Plays == nil {
		fmt.Println("no greeting")
		os.Exit(3)
	}
	code := 0
	for name, known := range index.Editions {
		cases := []line{}
		for _, text := range strings.Split(strings.TrimSpace(string(load(known.Cases))), "\n") {
			var one line
			try(json.Unmarshal([]byte(text), &one))
			for _, play := range hello.Plays {
				for _, each := range play.Editions {
					if play.Game+"@"+each == name && has(play.Setups, one.Setup) {
						cases = append(cases, one)
					}
				}
			}
		}
		if len(cases) > 0 {
			verdict := verify(name, known, cases)
			fmt.Printf("%s: %s\n", name, verdict)
			if !strings.HasPrefix(verdict, "follows") {
				code = 1
			}
		}
	}
	stop()
	os.Exit(code)
}
