package bag

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"simdeck/ros/node"
)

// ErrPattern is wrapped when a pattern cannot be one of a topic's name.
var ErrPattern = errors.New("not a name or pattern of topics")

// Selection says which topics are recorded. The zero value: all that tools list.
type Selection struct{ take, leave []pattern }

type pattern struct {
	expr   *regexp.Regexp
	hidden bool // it names topics that tools do not list
}

// ParseSelection reads names and patterns, in which * stands for any characters, also /, and ? for one. A
// pattern after ! excludes topics, whatever else matches them. Where nothing takes any, all are taken that
// tools list. Errors wrap ErrPattern.
func ParseSelection(words []string) (Selection, error) {
	var s Selection
	for _, word := range words {
		name, leaves := strings.CutPrefix(word, "!")
		p, err := parsePattern(name)
		switch {
		case err != nil:
			return Selection{}, err
		case leaves:
			s.leave = append(s.leave, p)
		default:
			s.take = append(s.take, p)
		}
	}
	return s, nil
}

// parsePattern reads one; a name without a slash before it is at the root.
func parsePattern(name string) (pattern, error) {
	for i, r := range name {
		if !strings.ContainsRune("/_*?", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') &&
			(r < 'a' || r > 'z') {
			return pattern{}, fmt.Errorf("%w: %q has %q at byte %d; want letters, digits, _, / and the wildcards * and ?",
				ErrPattern, name, r, i)
		}
	}
	if name == "" {
		return pattern{}, fmt.Errorf("%w: it is empty", ErrPattern)
	}
	if !strings.ContainsAny(name[:1], "/*?") {
		name = "/" + name
	}
	expr := "^" + strings.NewReplacer("*", ".*", "?", ".").Replace(name) + "$"
	return pattern{regexp.MustCompile(expr), strings.Contains(name, "/_")}, nil
}

// OfSensor reports whether a topic has the data of a sensor: by its type, that of joints is none.
func OfSensor(t node.Topic) bool {
	return strings.HasPrefix(t.Type, "sensor_msgs/msg/") && t.Type != "sensor_msgs/msg/JointState"
}

// OfMachine reports whether a topic describes the machine and not the world: log, diagnostics, and the status
// of the vehicle profile. The wall clock decides when these are published.
func OfMachine(t node.Topic) bool {
	switch t.Type {
	case "rcl_interfaces/msg/Log", "diagnostic_msgs/msg/DiagnosticArray",
		"gs_sim_msgs/msg/SimulationStatus":
		return true
	}
	return false
}

// Takes reports whether a topic is recorded.
func (s Selection) Takes(t node.Topic) bool {
	for _, p := range s.leave {
		if p.expr.MatchString(t.Name) {
			return false
		}
	}
	for _, p := range s.take {
		if p.expr.MatchString(t.Name) && (p.hidden || !t.Hidden()) {
			return true
		}
	}
	return len(s.take) == 0 && !t.Hidden()
}
