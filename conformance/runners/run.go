// go run run.go BUNDLE COMMAND...: judges a program by the corpus in a folder. README.md there says what is done here.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any
type readings map[string]string
type check struct {
	At, Needs   []string
	Equals      []any
	Absent, Set bool
	Under       map[string][]any
	Within      map[string][2]int
}
type step struct {
	ID           string
	Send         any
	Kinds, Needs []string
	Leads        bool
	Checks       []check
}
type way struct {
	Needs   []string
	Request object
	Steps   []step
}
type line struct {
	ID, Rules string
	Clauses   []string
	Premise   readings
	Ways      [][]way
}
type edition struct {
	Name, Cases string
	Defaults    readings
	Readings    []struct {
		Key    string
		Values []string
	}
}
type failure struct {
	check
	at  string
	own readings // under which the program was asked, if it takes readings
}
type hearing struct {
	able           map[string]bool // abilities of the program, acts that it knows, and rules that it plays
	ask            func(request object, reply any) bool
	failed         []failure
	answered, lost int
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return value
}

func load(name string) *json.Decoder {
	return json.NewDecoder(must(os.Open(os.Args[1] + "/" + name)))
}

func has(all []any, wanted any) (is bool) {
	for _, one := range all {
		is = is || one == wanted
	}
	return is
}

func (all readings) with(more readings) readings {
	both := readings{}
	for _, each := range []readings{all, more} {
		for key, value := range each {
			both[key] = value
		}
	}
	return both
}

func (one check) counts(followed readings) bool {
	for key, values := range one.Under {
		if !has(values, followed[key]) {
			return false
		}
	}
	for key, bounds := range one.Within {
		if value, _ := strconv.Atoi(followed[key]); value < bounds[0] || bounds[1] < value {
			return false
		}
	}
	return true
}

// form writes a value so that what is equal is written alike: a set as an object of its members.
func form(value any, set bool) string {
	if items, isList := value.([]any); isList && set {
		members := object{}
		for _, item := range items {
			members[form(item, false)] = nil
		}
		value = members
	}
	return string(must(json.Marshal(value)))
}

func (one check) holds(result object) bool {
	var told any = result
	for _, key := range one.At {
		if items, isList := told.([]any); isList {
			told = has(items, key)
			continue
		}
		fields, _ := told.(object)
		found, is := fields[key]
		if told = found; !is {
			return one.Absent
		}
	}
	for _, value := range one.Equals {
		if form(value, one.Set) == form(told, one.Set) {
			return true
		}
	}
	return false
}

func (all *hearing) can(needs []string) bool {
	for _, need := range needs {
		if !all.able[need] && !(all.able["act:"] && strings.HasPrefix(need, "act:")) {
			return false
		}
	}
	return true
}

// choose returns the requests of the first way that has any that the program can be asked.
func (all *hearing) choose(ways [][]way) (asked []way) {
	for _, requests := range ways {
		for _, one := range requests {
			if all.can(one.Needs) {
				asked = append(asked, one)
			}
		}
		if len(asked) > 0 {
			break
		}
	}
	return asked
}

// hear asks what the program can answer, and keeps the checks that fail.
func (all *hearing) hear(asked way, own readings, name string, clauses []string) {
	steps, sent := []step{}, []any{}
	for _, step := range asked.Steps {
		if all.can(step.Needs) {
			steps, sent = append(steps, step), append(sent, step.Send)
		}
	}
	if len(sent) == 0 {
		return
	}
	if asked.Request["steps"] = sent; own != nil {
		asked.Request["readings"] = own
	}
	var reply struct{ Results []object }
	if all.ask(asked.Request, &reply); len(reply.Results) != len(steps) {
		all.lost++
	}
	results := append(reply.Results, make([]object, len(steps))...)
	for place, step := range steps {
		isAnswer, result := false, results[place]
		for _, kind := range step.Kinds {
			_, is := result[kind]
			isAnswer = isAnswer || is
		}
		if _, isSkip := result["skip"]; isAnswer {
			all.answered++
		} else if !isSkip {
			all.lost++
		}
		if !isAnswer && step.Leads {
			break
		}
		for _, check := range step.Checks {
			if isAnswer && all.can(check.Needs) && !check.holds(result) {
				at := fmt.Sprintf("%s#%s (%s)", name, step.ID, strings.Join(clauses, " "))
				all.failed = append(all.failed, failure{check, at, own})
			}
		}
	}
}

// failing returns the failures that count under some readings.
func (all *hearing) failing(followed readings) (left []failure) {
	for _, one := range all.failed {
		if one.own == nil && one.counts(followed) || one.own != nil && one.counts(one.own) {
			left = append(left, one)
		}
	}
	return left
}

// judge asks every line and returns the verdict.
func (all *hearing) judge(known edition, lines []line, declared map[string]any) string {
	first, own := known.Defaults.with(nil), readings(nil)
	for key, value := range declared {
		first[key] = fmt.Sprint(value)
	}
	for _, line := range lines {
		if all.able["readings"] {
			own = first.with(line.Premise)
		}
		for _, asked := range all.choose(line.Ways) {
			all.hear(asked, own, line.ID, line.Clauses)
		}
	}
	followed, changed := first, ""
	for _, open := range known.Readings {
		for _, value := range open.Values {
			other := followed.with(readings{open.Key: value})
			if declared[open.Key] == nil && len(all.failing(other)) < len(all.failing(followed)) {
				followed = other
			}
		}
		if followed[open.Key] != first[open.Key] {
			changed += " " + open.Key + "=" + followed[open.Key]
		}
	}
	if left := all.failing(followed); len(left) > 0 {
		return "deviates at " + left[0].at
	} else if all.lost > 0 || all.answered == 0 {
		return "adapter"
	} else if changed != "" {
		return "follows-readings" + changed
	}
	return "follows"
}

func main() {
	program := exec.Command(os.Args[2], os.Args[3:]...)
	input, output := must(program.StdinPipe()), bufio.NewReader(must(program.StdoutPipe()))
	if program.Start() != nil {
		os.Exit(3)
	}
	time.AfterFunc(15*time.Minute, func() { program.Process.Kill() })
	number := 0
	ask := func(message object, reply any) bool {
		number++
		message["id"] = number
		json.NewEncoder(input).Encode(message)
		said, _ := output.ReadBytes('\n')
		var head struct {
			ID int
			OK bool
		}
		return json.Unmarshal(said, &head) == nil && head.ID == number && head.OK && json.Unmarshal(said, reply) == nil
	}
	var hello struct {
		Can, Acts []string
		Plays     []struct {
			Game             string
			Editions, Setups []string
		}
		Readings map[string]object
	}
	if !ask(object{"op": "hello", "protocol": 1}, &hello) {
		os.Exit(3)
	}
	able := map[string]bool{"act:": hello.Acts == nil}
	for _, one := range hello.Can {
		able[one] = true
	}
	for _, one := range hello.Acts {
		able["act:"+one] = true
	}
	for _, play := range hello.Plays {
		for _, edition := range play.Editions {
			for _, setup := range play.Setups {
				able[play.Game+"@"+edition+":"+setup] = true
			}
		}
	}
	var index struct{ Editions []edition }
	must(0, load("index.json").Decode(&index))
	code := 0
	for _, known := range index.Editions {
		lines := []line{}
		for cases := load(known.Cases); cases.More(); {
			var one line
			if must(0, cases.Decode(&one)); able[one.Rules] {
				lines = append(lines, one)
			}
		}
		if len(lines) == 0 {
			continue
		}
		verdict := (&hearing{able: able, ask: ask}).judge(known, lines, hello.Readings[known.Name])
		if fmt.Printf("%s: %s\n", known.Name, verdict); !strings.HasPrefix(verdict, "follows") {
			code = 1
		}
	}
	program.Process.Kill()
	os.Exit(code)
}
