package scenario

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim"
	"simdeck/sim/format/traffic"
	"simdeck/sim/r3"
	"simdeck/sim/yamlsrc"
)

// ErrFormat is a scenario that cannot be understood; the text says where.
var ErrFormat = errors.New("not a scenario")

// Bounds of a file.
const (
	MaxSize    = 1 << 20 // bytes
	maxPhases  = 1000
	maxActions = 1000
	maxJoints  = 1000 // of an action
)

// reader reads one file.
type reader struct{ yamlsrc.Reader }

func newReader(file string) *reader {
	return &reader{yamlsrc.Reader{File: file, Format: ErrFormat}}
}

// Is reports whether a text begins as a scenario does: a line of it gives the phases. It may be wrong all the
// same.
func Is(data []byte) bool {
	return bytes.HasPrefix(data, []byte("phases:")) || bytes.Contains(data, []byte("\nphases:"))
}

// Parse reads a scenario; file is its name in messages. Errors wrap ErrFormat.
func Parse(file string, data []byte) (*Scenario, error) { return ParseWith(file, data, nil) }

// ParseWith is Parse with values of variables in place of those that the file
// gives them. One that the file does not declare is an error.
func ParseWith(file string, data []byte, vars map[string]string) (*Scenario, error) {
	r := newReader(file)
	top, err := r.Read(data, MaxSize)
	if err != nil {
		return nil, err
	}
	r.fill(top, vars)
	s := r.scenario(top)
	if r.Err != nil {
		return nil, r.Err
	}
	return s, nil
}

func (r *reader) scenario(n *yaml.Node) *Scenario {
	t := r.Table(n, "a scenario", "name", "vars", "end", "phases", "lanes", "actors", "signals")
	s := &Scenario{Name: r.Text(n, t, "name", false), Traffic: traffic.Read(&r.Reader,
		traffic.Parts{Lanes: t["lanes"], Actors: t["actors"], Signals: t["signals"]}, nil)}
	if err := s.Traffic.Settle(func(_, _ float64) float64 { return 0 }); err != nil && r.Err == nil {
		r.Fail(t["lanes"], "%v", err)
	}
	if t["end"] != nil {
		s.End = r.condition(t["end"])
	}
	list := t["phases"]
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 ||
		len(list.Content) > maxPhases {
		r.Fail(list, "phases is no list of 1 to %d phases", maxPhases)
		return s
	}
	seen := map[string]bool{}
	for _, p := range list.Content {
		t := r.Table(p, "a phase", "name", "when", "do")
		phase := Phase{Name: r.Text(p, t, "name", true)}
		if seen[phase.Name] {
			r.Fail(p, "a second phase is named %q", yamlsrc.Clip(phase.Name))
		}
		seen[phase.Name] = true
		if t["when"] != nil {
			phase.When = r.condition(t["when"])
		}
		if do := t["do"]; do != nil {
			if do.Kind != yaml.SequenceNode || len(do.Content) > maxActions {
				r.Fail(do, "do is no list of at most %d actions", maxActions)
				return s
			}
			for _, a := range do.Content {
				phase.Do = append(phase.Do, r.action(a))
			}
		}
		s.Phases = append(s.Phases, phase)
	}
	return s
}

// one is the only key of a map, and its value.
func (r *reader) one(n *yaml.Node, what string, known ...string) (string, *yaml.Node) {
	r.Table(n, what, known...)
	if r.Err == nil && len(n.Content) != 2 {
		r.Fail(n, "%s with %d keys; want exactly one of %s", what, len(n.Content)/2,
			strings.Join(known, ", "))
	}
	if r.Err != nil {
		return "", nil
	}
	return n.Content[0].Value, n.Content[1]
}

func (r *reader) condition(n *yaml.Node) *Condition {
	kind, v := r.one(n, "a condition", "time", "distance", "region", "signal")
	c := &Condition{Kind: kind}
	switch kind {
	case "time":
		c.Time = r.Float(v, "time", 0)
	case "distance":
		t := r.Table(v, "distance", "entity", "to", "below", "above")
		c.Entity = r.Text(v, t, "entity", true)
		c.Below, c.Above = r.Number(v, t, "below", 0, false), r.Number(v, t, "above", 0, false)
		if (t["below"] == nil) == (t["above"] == nil) {
			r.Fail(v, "distance wants one of below and above")
		}
		if to := t["to"]; to != nil && to.Kind == yaml.ScalarNode && to.Value != "" {
			c.To = to.Value
		} else {
			c.Place = r.Place(v, t, "to")
		}
	case "signal":
		t := r.Table(v, kind, "signal", "is")
		c.Entity, c.Shows = r.Text(v, t, "signal", true), r.Text(v, t, "is", true)
	case "region":
		t := r.Table(v, "region", "entity", "min", "max")
		c.Entity = r.Text(v, t, "entity", true)
		c.Region = r3.Box{Min: r.Place(v, t, "min"), Max: r.Place(v, t, "max")}
		if r.Err == nil && !(c.Region.Min.X <= c.Region.Max.X && c.Region.Min.Y <= c.Region.Max.Y) {
			r.Fail(v, "region: min is beyond max")
		}
	}
	return c
}

func (r *reader) action(n *yaml.Node) Action {
	kind, v := r.one(n, "an action", "set_speed", "set_joints", "set_actor", "set_signal", "spawn",
		"set_pose", "publish", "wait")
	a := Action{Kind: kind}
	switch kind {
	case "set_speed":
		t := r.Table(v, kind, "entity", "speed", "steer", "turn", "aside", "climb")
		a.Entity, a.Speed, a.Steer = r.Text(v, t, "entity", true), r.Number(v, t, "speed", -yamlsrc.Far,
			true),
			r.Number(v, t, "steer", -yamlsrc.Far, false)
		a.Aside = r.Number(v, t, "aside", -yamlsrc.Far, false)
		a.Climb = r.Number(v, t, "climb", -yamlsrc.Far, false)
		if a.Turn = r.Number(v, t, "turn", -yamlsrc.Far, false); t["steer"] != nil && t["turn"] != nil {
			r.Fail(v, "set_speed wants steer (rad) or turn (rad/s), not both")
		}
	case "set_joints":
		t := r.Table(v, kind, "entity", "positions", "time")
		a.Entity, a.Joints, a.Time = r.Text(v, t, "entity", true), r.joints(v, t["positions"]),
			r.Number(v, t, "time", 0, false)
	case "spawn":
		t := r.Table(v, kind, "uri", "name", "position", "yaw")
		a.URI, a.Entity, a.Position, a.Yaw = r.Text(v, t, "uri", true), r.Text(v, t, "name", true),
			r.Place(v, t, "position"), r.Number(v, t, "yaw", -yamlsrc.Far, false)
	case "set_pose":
		t := r.Table(v, kind, "entity", "position", "yaw")
		a.Entity, a.Position, a.Yaw = r.Text(v, t, "entity", true), r.Place(v, t, "position"),
			r.Number(v, t, "yaw", -yamlsrc.Far, false)
	case "publish":
		t := r.Table(v, kind, "topic", "text")
		a.Topic, a.Text = r.Text(v, t, "topic", true), r.Text(v, t, "text", true)
	case "set_actor":
		a.Actor = r.setActor(v)
	case "set_signal":
		t := r.Table(v, kind, "signal", "phase", "hold")
		a.Signal = sim.SetSignal{Name: r.Text(v, t, "signal", true), Phase: r.Text(v, t, "phase", false),
			Hold: r.Flag(t, "hold")}
	case "wait":
		t := r.Table(v, kind, "time", "until")
		if t["until"] == nil {
			a.Time = r.Number(v, t, "time", 0, true)
		} else if a.Until = r.condition(t["until"]); t["time"] != nil {
			r.Fail(v, "wait wants one of time and until")
		}
	}
	return a
}

// setActor is a command to an actor.
func (r *reader) setActor(n *yaml.Node) sim.SetActor {
	t := r.Table(n, "set_actor", "actor", "moving", "speed")
	c := sim.SetActor{Name: r.Text(n, t, "actor", true)}
	if t["moving"] != nil {
		moving := r.Flag(t, "moving")
		c.Moving = &moving
	}
	if t["speed"] != nil {
		speed := r.Float(t["speed"], "speed", 0)
		c.Speed = &speed
	}
	if c.Moving == nil && c.Speed == nil {
		r.Fail(n, "set_actor wants moving, speed, or both")
	}
	return c
}

// joints are the target positions of joints by name, in the order of the file.
func (r *reader) joints(at, n *yaml.Node) (all []Joint) {
	if n == nil || n.Kind != yaml.MappingNode || len(n.Content) == 0 || len(n.Content)/2 > maxJoints {
		if n == nil {
			n = at
		}
		r.Fail(n, "positions holds no joints; want {JOINT: POSITION, …} with 1 to %d", maxJoints)
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if slices.ContainsFunc(all, func(j Joint) bool { return j.Name == k.Value }) {
			r.Fail(k, "positions has a second %q", yamlsrc.Clip(k.Value))
		}
		all = append(all, Joint{k.Value, r.Float(n.Content[i+1], "position of "+yamlsrc.Clip(k.Value),
			-yamlsrc.Far)})
	}
	return all
}

// ParseCondition reads a condition that stands in another file.
func ParseCondition(file string, n *yaml.Node) (*Condition, error) {
	r := newReader(file)
	c := r.condition(n)
	return c, r.Err
}
