// Package lockstep has a world wait, before its next step, for the commands of controllers on the graph. One
// message of each topic is due for each observation, or for each period of simulated time. Commands are held
// until all are there, and then carried out at that step in the order of the topics. So two runs with the
// same controllers are the same, bit by bit. No wait is longer than a time on the wall clock.
package lockstep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrTopic is wrapped by errors of Parse.
var ErrTopic = errors.New("topic in lockstep")

// Bounds of what is asked for.
const (
	maxTopics = 64
	maxRate   = 1e4 // Hz
)

// Topic is a topic of commands for which a world waits.
type Topic struct {
	Name string // relative to the node, or absolute
	// Hz: a message is due at the first step at or after each multiple of this period; 0: one for each
	// message on Observation
	Rate        float64
	Observation string // topic of sensors; "", without a rate: that of the only sensor of the robot
	// a message is for the tick whose time its header has; else the next in turn is
	Stamped bool
}

// Parse reads topics as TOPIC[@RATE|@OBSERVATION][:stamp]. Errors wrap ErrTopic.
func Parse(list []string) (all []Topic, err error) {
	if len(list) > maxTopics {
		return nil, fmt.Errorf("%w: %d of them; want %d at most", ErrTopic, len(list), maxTopics)
	}
	seen := map[string]bool{}
	for _, text := range list {
		t, err := parse(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("%w %q: %s is named twice", ErrTopic, text, t.Name)
		}
		seen[t.Name] = true
		all = append(all, t)
	}
	return all, nil
}

func parse(text string) (t Topic, err error) {
	rest, stamp, has := strings.Cut(text, ":")
	if t.Stamped = has; has && stamp != "stamp" {
		return t, fmt.Errorf("%w %q: %q after the colon; want stamp", ErrTopic, text, stamp)
	}
	name, of, has := strings.Cut(rest, "@")
	if t.Name = name; name == "" || has && of == "" {
		return t, fmt.Errorf("%w %q: want TOPIC, TOPIC@RATE or TOPIC@OBSERVATION, each with or without :stamp",
			ErrTopic, text)
	}
	if of == "" || of[0] != '.' && (of[0] < '0' || of[0] > '9') && of[0] != '-' && of[0] != '+' {
		t.Observation = of
		return t, nil
	}
	if t.Rate, err = strconv.ParseFloat(of, 64); err != nil || !(t.Rate > 0 && t.Rate <= maxRate) {
		return t, fmt.Errorf("%w %q: a rate of %q; want Hz, more than 0 and %g at most", ErrTopic, text, of,
			maxRate)
	}
	return t, nil
}

// String is a topic in the words of Parse.
func (t Topic) String() string {
	s := t.Name
	switch {
	case t.Rate > 0:
		s += "@" + strconv.FormatFloat(t.Rate, 'g', -1, 64)
	case t.Observation != "":
		s += "@" + t.Observation
	}
	if t.Stamped {
		s += ":stamp"
	}
	return s
}
