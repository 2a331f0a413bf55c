// go run run.go BUNDLE COMMAND...: judges a program by the corpus in a folder. README.md there says what is done here.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"time"
)

type object = map[string]any

// An item is a line, or anything within one: a way, a request, a step or a check.
type item struct {
	ID                            string
	Needs, Kinds, At              []string
	Premise, Request, Send, own   object
	Equals                        []any
	Absent, Set, Leads            bool
	Under                         map[string][]string
	Ways, Requests, Steps, Checks []item
}
type edition struct {
	Name, Cases string
	Plays       []string
	Defaults    object
	Readings    []struct {
		Key    string
		Values []string
	}
}
type reply struct {
	ID        int
	Results   []object
	Can, Acts []string
	Plays     []struct {
		Game             string
		Editions, Setups []string
	}
	Readings map[string]object
}

var able = map[string]bool{}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func load(file string) *json.Decoder {
	content, err := os.Open(os.Args[1] + "/" + file)
	must(err)
	return json.NewDecoder(content)
}

// ask starts the program, sends it all requests at once, and returns its replies by their numbers.
func ask(requests ...object) map[int]reply {
	var input bytes.Buffer
	for place, request := range requests {
		request["id"] = place + 1 // a line without a number has 0
		must(json.NewEncoder(&input).Encode(request))
	}
	program := exec.Command(os.Args[2], os.Args[3:]...)
	program.Stdin = &input
	timer := time.AfterFunc(5*time.Minute, func() { program.Process.Kill() })
	output, _ := program.Output() // what it says before it dies or is killed counts
	timer.Stop()
	replies := map[int]reply{}
	for _, line := range bytes.Split(output, []byte("\n")) {
		var one reply
		if json.Unmarshal(line, &one) == nil {
			replies[one.ID] = one
		}
	}
	return replies
}

func some[T any](all []T, is func(T) bool) bool {
	for _, one := range all {
		if is(one) {
			return true
		}
	}
	return false
}

// keep returns the items that the program can.
func keep(items []item) (kept []item) {
	for _, one := range items {
		if !some(one.Needs, func(need string) bool { return !able[need] }) {
			kept = append(kept, one)
		}
	}
	return kept
}

func join(parts ...object) object {
	joined := object{}
	for _, part := range parts {
		for key, value := range part {
			joined[key] = value
		}
	}
	return joined
}

// members returns a list as the set of its members, and anything else as it is.
func members(value any) any {
	list, isList := value.([]any)
	if !isList {
		return value
	}
	set := object{}
	for _, member := range list {
		set[fmt.Sprint(member)] = true
	}
	return set
}

func (check item) holds(result object) bool {
	var told any = result
	for _, key := range check.At {
		fields, _ := members(told).(object)
		value, is := fields[key]
		if told = value; !is {
			return check.Absent
		}
	}
	return some(check.Equals, func(value any) bool {
		return reflect.DeepEqual(value, told) || check.Set && reflect.DeepEqual(members(value), members(told))
	})
}

// hear asks the program what it can be asked, and returns what fails, and whether it answers throughout.
func hear(lines *json.Decoder, first object) (failed []item, isSound bool) {
	var asked []item
	var sent []object
	for lines.More() {
		var line item
		must(lines.Decode(&line))
		for _, request := range keep(line.Ways)[0].Requests {
			var steps []object
			request.Steps = keep(request.Steps)
			for _, step := range request.Steps {
				steps = append(steps, step.Send)
			}
			message := join(request.Request, object{"steps": steps})
			if able["readings"] {
				request.own = join(first, request.Premise)
				message["readings"] = request.own
			}
			if steps != nil {
				asked, sent = append(asked, request), append(sent, message)
			}
		}
	}
	replies, answered, lost := ask(sent...), 0, 0
	for place, request := range asked {
		results := append(replies[place+1].Results, make([]object, len(request.Steps))...)
		for number, step := range request.Steps {
			has := func(key string) bool { _, is := results[number][key]; return is }
			if some(step.Kinds, has) {
				answered++
			} else if step.Checks = nil; !has("skip") {
				lost++
			}
			for _, check := range keep(step.Checks) {
				if !check.holds(results[number]) {
					check.ID, check.own = request.ID, request.own
					failed = append(failed, check)
				}
			}
			if step.Leads && !some(step.Kinds, has) {
				break
			}
		}
	}
	return failed, answered > 0 && lost == 0
}

// count returns the scenarios of the failures that count under some readings, one for each failure.
func count(failed []item, followed object) (scenarios []string) {
	for _, one := range failed {
		readings, counts := join(followed, one.own), true
		for key, values := range one.Under {
			counts = counts && some(values, func(value string) bool { return value == fmt.Sprint(readings[key]) })
		}
		if counts {
			scenarios = append(scenarios, one.ID)
		}
	}
	return scenarios
}

// judge prints the verdict on how the program plays an edition, and returns whether it follows it.
func judge(one edition, declared object) bool {
	first := join(one.Defaults, declared)
	failed, isSound := hear(load(one.Cases), first)
	followed, verdict, told := first, "follows", []string{}
	for _, reading := range one.Readings {
		for _, value := range reading.Values {
			other := join(followed, object{reading.Key: value}, declared)
			if len(count(failed, other)) < len(count(failed, followed)) {
				followed = other
			}
		}
		if followed[reading.Key] != first[reading.Key] {
			verdict, told = "follows-readings", append(told, fmt.Sprint(reading.Key, "=", followed[reading.Key]))
		}
	}
	wrong := count(failed, followed)
	if len(wrong) > 0 {
		verdict = "deviates"
	} else if !isSound {
		verdict = "adapter"
	}
	for _, scenario := range wrong {
		if !some(told, func(one string) bool { return one == scenario }) {
			told = append(told, scenario)
		}
	}
	fmt.Println(strings.Join(append([]string{one.Name + ":", verdict}, told...), " "))
	return len(wrong) == 0 && isSound
}

func main() {
	var index struct {
		Acts     []string
		Editions []edition
	}
	must(load("index.json").Decode(&index))
	hello := ask(object{"op": "hello", "protocol": 1})[1]
	if hello.Can == nil {
		os.Exit(3)
	}
	if hello.Acts == nil {
		hello.Acts = index.Acts
	}
	for _, ability := range hello.Can {
		able[ability] = true
	}
	for _, act := range hello.Acts {
		able["act:"+act] = true
	}
	for _, play := range hello.Plays {
		for _, name := range play.Editions {
			for _, setup := range play.Setups {
				able["plays:"+play.Game+"@"+name+":"+setup] = true
			}
		}
	}
	code := 0
	for _, one := range index.Editions {
		isPlayed := some(one.Plays, func(play string) bool { return able[play] })
		if isPlayed && !judge(one, hello.Readings[one.Name]) {
			code = 1
		}
	}
	os.Exit(code)
}
