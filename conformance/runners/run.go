// go run run.go BUNDLE COMMAND...: judges a program by the corpus in a folder. README.md there says what is done here.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
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
type demand struct{ Needs, Acts []string }
type check struct {
	At          []string
	Equals      []any
	Absent, Set bool
	Under       map[string][]string
	Within      map[string][2]int
	demand
}
type step struct {
	ID     string
	Send   any
	Kinds  []string
	Leads  bool
	Checks []check
	demand
}
type way struct {
	Request object
	Steps   []step
	demand
}
type line struct {
	ID, Game, Edition, Setup string
	Clauses                  []string
	Premise                  readings
	Script                   way
	Positions                []way
}
type edition struct {
	Cases    string
	Defaults readings
	Readings map[string]struct{ Values []string }
}
type failure struct {
	what  string
	check check
	own   readings // under which the program was asked, if it takes readings
}

var hello struct {
	Can, Acts []string
	Plays     []struct {
		Game             string
		Editions, Setups []string
	}
	Readings map[string]object
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return value
}

func load(name string) []byte {
	return bytes.TrimSpace(must(os.ReadFile(filepath.Join(os.Args[1], name))))
}

func read[T any](text []byte) (value T) {
	must(0, json.Unmarshal(text, &value))
	return value
}

func has(all []string, wanted ...string) bool {
	known := map[string]bool{}
	for _, one := range all {
		known[one] = true
	}
	for _, one := range wanted {
		if !known[one] {
			return false
		}
	}
	return true
}

func can(one demand) bool {
	return has(hello.Can, one.Needs...) && (hello.Acts == nil || has(hello.Acts, one.Acts...))
}

func plays(one line) (is bool) {
	for _, play := range hello.Plays {
		is = is || play.Game == one.Game && has(play.Editions, one.Edition) && has(play.Setups, one.Setup)
	}
	return is
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

func (one check) binds(all readings) bool {
	for key, values := range one.Under {
		if !has(values, all[key]) {
			return false
		}
	}
	for key, bounds := range one.Within {
		if value, _ := strconv.Atoi(all[key]); value < bounds[0] || bounds[1] < value {
			return false
		}
	}
	return true
}

// form writes a value so that what is equal is written alike: a set as an object of its members.
func form(value any, set bool) string {
	if items, isList := value.([]any); isList && set {
		members := map[string]bool{}
		for _, item := range items {
			members[form(item, false)] = true
		}
		value = members
	}
	return string(must(json.Marshal(value)))
}

func (one check) holds(result object) bool {
	var told any = result
	for _, key := range one.At {
		switch value := told.(type) {
		case []any:
			told = false
			for _, item := range value {
				told = told == true || item == key
			}
		case object:
			found, is := value[key]
			if told = found; !is {
				return one.Absent
			}
		default:
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

// steps returns the steps of a way that the program can answer.
func (one way) steps() (steps []step, sent []any) {
	for _, step := range one.Steps {
		if can(one.demand) && can(step.demand) {
			steps, sent = append(steps, step), append(sent, step.Send)
		}
	}
	return steps, sent
}

func (one step) isAnswered(result object) bool {
	for _, kind := range one.Kinds {
		if _, is := result[kind]; is {
			return true
		}
	}
	return false
}

// hear asks every line, and returns the checks that fail, with the number of answers and of replies that are none.
func hear(lines []line, all readings, ask func(object) []object) (failed []failure, answered, lost int) {
	for _, line := range lines {
		ways := line.Positions
		if can(line.Script.demand) {
			ways = []way{line.Script}
		}
		for _, way := range ways {
			steps, sent := way.steps()
			if len(steps) == 0 {
				continue
			}
			own := readings(nil)
			if has(hello.Can, "readings") {
				own = with(all, line.Premise)
				way.Request["readings"] = own
			}
			way.Request["steps"] = sent
			results := ask(way.Request)
			if len(results) != len(steps) {
				lost++
				results = append(results, make([]object, len(steps))...)
			}
			for place, step := range steps {
				result := results[place]
				if !step.isAnswered(result) {
					if _, is := result["skip"]; !is {
						lost++
					}
					if step.Leads {
						break
					}
					continue
				}
				answered++
				for _, check := range step.Checks {
					if can(check.demand) && !check.holds(result) {
						name := fmt.Sprintf("%s#%s (%s)", line.ID, step.ID, strings.Join(line.Clauses, " "))
						failed = append(failed, failure{name, check, own})
					}
				}
			}
		}
	}
	return failed, answered, lost
}

// failing returns the failures that count under some readings.
func failing(failed []failure, all readings) (left []failure) {
	for _, one := range failed {
		if own := one.own; own != nil && one.check.binds(own) || own == nil && one.check.binds(all) {
			left = append(left, one)
		}
	}
	return left
}

func judge(known edition, lines []line, declared object, ask func(object) []object) string {
	all := with(known.Defaults, nil)
	for key, value := range declared {
		all[key] = fmt.Sprint(value)
	}
	failed, answered, lost := hear(lines, all, ask)
	keys, changes := []string{}, ""
	for key := range known.Readings {
		if _, is := declared[key]; !is && !has(hello.Can, "readings") {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	for _, key := range keys {
		for _, value := range known.Readings[key].Values {
			if other := with(all, readings{key: value}); len(failing(failed, other)) < len(failing(failed, all)) {
				all = other
			}
		}
		if all[key] != known.Defaults[key] {
			changes += " " + key + "=" + all[key]
		}
	}
	if left := failing(failed, all); len(left) > 0 {
		return "deviates at " + left[0].what
	} else if lost > 0 || answered == 0 {
		return "adapter"
	} else if changes != "" {
		return "follows-readings" + changes
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
	run := func(message object) []object {
		var reply struct{ Results []object }
		ask(message, &reply)
		return reply.Results
	}
	if !ask(object{"op": "hello", "protocol": 1}, &hello) {
		os.Exit(3)
	}
	code := 0
	for name, known := range read[struct{ Editions map[string]edition }](load("index.json")).Editions {
		lines := []line{}
		for _, text := range bytes.Split(load(known.Cases), []byte("\n")) {
			if one := read[line](text); plays(one) {
				lines = append(lines, one)
			}
		}
		if len(lines) == 0 {
			continue
		}
		verdict := judge(known, lines, hello.Readings[name], run)
		fmt.Printf("%s: %s\n", name, verdict)
		if verdict[:7] != "follows" {
			code = 1
		}
	}
	program.Process.Kill()
	os.Exit(code)
}
