package traffic

import (
	"math"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/yamlsrc"
)

// Parse reads a document; file is its name in messages. Errors wrap scene.ErrParse.
func Parse(file string, data []byte) (*Document, error) {
	r := &yamlsrc.Reader{File: file, Format: scene.ErrParse}
	top, err := r.Read(data, MaxSize)
	if err != nil {
		return nil, err
	}
	t := r.Table(top, "a file of traffic", "version", "lanes", "actors", "signals")
	d := Read(r, Parts{t["lanes"], t["actors"], t["signals"]}, nil)
	if r.Err != nil {
		return nil, r.Err
	}
	return d, nil
}

// Is reports whether a text begins as a document of traffic does: a line of it gives actors or signals.
func Is(data []byte) bool {
	for line := range strings.Lines(string(data[:min(len(data), MaxSize)])) {
		if strings.HasPrefix(line, "actors:") || strings.HasPrefix(line, "signals:") {
			return true
		}
	}
	return false
}

// Parts are the values of the keys of a document; nil: it has no such key.
type Parts struct{ Lanes, Actors, Signals *yaml.Node }

// Read reads a document out of another file. Lanes that are known besides may be named. Its error is r.Err.
func Read(r *yamlsrc.Reader, parts Parts, known []*Lane) *Document {
	k := reader{r, &Document{}, known, maxAllOfIt}
	names := map[string]bool{}
	k.each(parts.Lanes, "lanes", maxLanes, map[string]bool{}, k.lane)
	k.each(parts.Actors, "actors", maxActors, names, k.actor)
	k.each(parts.Signals, "signals", maxSignals, names, k.signal)
	return k.d
}

// reader reads one document.
type reader struct {
	*yamlsrc.Reader
	d     *Document
	known []*Lane
	left  int // points that may come
}

// each calls f for the entries of a key, which is a map by name or a list of entries with an id.
func (k *reader) each(n *yaml.Node, key string, most int, seen map[string]bool,
	f func(id string, n *yaml.Node)) {
	if n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
		k.Fail(n, "%s is neither a map by name nor a list of entries with an id", key)
		return
	}
	for i := 0; i < len(n.Content) && k.Err == nil; i++ {
		at, id := n.Content[i], ""
		if n.Kind == yaml.MappingNode {
			id = at.Value
			i++
		} else if own := field(at, "id"); own != nil {
			id = own.Value
		}
		switch {
		case !isName(id):
			k.Fail(at, "%q is no name of %s; want letters, digits, _ and -", yamlsrc.Clip(id), key)
		case seen[id]:
			k.Fail(at, "a second %q in %s", id, key)
		case len(seen) >= most:
			k.Fail(at, "more than %d %s", most, key)
		}
		seen[id] = true
		if k.Err == nil {
			f(id, n.Content[i])
		}
	}
}

// isName reports whether a text can be the name of an entity and of its topics.
func isName(s string) bool {
	return s != "" && len(s) <= 100 && !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-'
	})
}

// field is the value of a key of a map; nil: it has none.
func field(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// within is a number at a key, or what it has before; one beyond the bounds is an error.
func (k *reader) within(t map[string]*yaml.Node, key string, to *float64, least, most float64) {
	n := t[key]
	if n == nil {
		return
	}
	f := k.Float(n, key, least)
	if f > most {
		k.Fail(n, "%s is %g; from %g to %g is possible", key, f, least, most)
		return
	}
	*to = f
}

// point is a place of two or three numbers, and whether it says how high it is.
func (k *reader) point(n *yaml.Node, what string) (r3.Vec, bool) {
	return k.Place(n, map[string]*yaml.Node{what: n}, what), n != nil && len(n.Content) == 3
}

// take counts points, which are bounded.
func (k *reader) take(at *yaml.Node, n int) {
	if k.left -= n; k.left < 0 {
		k.Fail(at, "more than %d points of lanes and trajectories in all", maxAllOfIt)
	}
}

func (k *reader) lane(id string, n *yaml.Node) {
	t := k.Table(n, "a lane", "id", "points", "closed")
	l := &Lane{Lane: scene.Lane{Name: id, Closed: k.Flag(t, "closed")}}
	list := t["points"]
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) < 2 ||
		len(list.Content) > maxPoints {
		k.Fail(n, "lane %s: points is no list of 2 to %d places", id, maxPoints)
		return
	}
	k.take(list, len(list.Content))
	for i, c := range list.Content {
		p, high := k.point(c, "point")
		if i > 0 && p.Dist(l.Points[i-1]) < nearest || l.Closed && i == len(list.Content)-1 &&
			p.Dist(l.Points[0]) < nearest {
			k.Fail(c, "lane %s: point %d is in the place of its neighbour", id, i+1)
		}
		if k.Err != nil {
			return
		}
		l.Points, l.High = append(l.Points, p), append(l.High, high)
	}
	l.Measure()
	k.d.Lanes = append(k.d.Lanes, l)
}

// laneAt is the lane that a node names.
func (k *reader) laneAt(n *yaml.Node) *Lane {
	for _, list := range [][]*Lane{k.d.Lanes, k.known} {
		if i := slices.IndexFunc(list, func(l *Lane) bool { return l.Name == n.Value }); i >= 0 {
			return list[i]
		}
	}
	var names []string
	for _, list := range [][]*Lane{k.d.Lanes, k.known} {
		for _, l := range list {
			names = append(names, l.Name)
		}
	}
	k.Fail(n, "there is no lane %q%s", yamlsrc.Clip(n.Value), scene.DidYouMean(n.Value, names))
	return nil
}

func (k *reader) actor(id string, n *yaml.Node) {
	t := k.Table(n, "an actor", "id", "type", "size", "color", "lane", "start", "speed", "at_end",
		"acceleration", "deceleration", "follow", "trajectory", "loop", "held")
	a := Actor{Name: id, Type: "vehicle"}
	if t["type"] != nil {
		a.Type = t["type"].Value
	}
	of, known := kinds[a.Type]
	if !known {
		k.Fail(t["type"], "type %q of %s; want %s", yamlsrc.Clip(a.Type), id, strings.Join(types(), ", "))
		return
	}
	a.Size, a.Colour, a.Base, a.Accel, a.Brake = of.size, of.colour, of.base, of.accel, of.brake
	a.Held = k.Flag(t, "held")
	k.looks(t, &a, of)
	switch {
	case (t["lane"] == nil) == (t["trajectory"] == nil):
		k.Fail(n, "actor %s wants one of lane and trajectory", id)
	case t["lane"] != nil:
		k.onLane(t, &a)
	default:
		k.trajectory(t, &a)
	}
	if k.Err == nil {
		k.d.Actors = append(k.d.Actors, a)
	}
}

// looks reads the size and the colour of an actor. Its axles come closer as it is shorter.
func (k *reader) looks(t map[string]*yaml.Node, a *Actor, of kind) {
	if n := t["size"]; n != nil {
		size, all := k.point(n, "size")
		if k.Err == nil && !(all && min(size.X, size.Y, size.Z) >= 0.1 && max(size.X, size.Y,
			size.Z) <= 100) {
			k.Fail(n, "size of %s is no length, width and height of 0.1 to 100 m", a.Name)
		}
		a.Size, a.Base = size, size.X*of.base/of.size.X
	}
	if n := t["color"]; n != nil {
		c, all := k.point(n, "color")
		if k.Err == nil && !(all && min(c.X, c.Y, c.Z) >= 0 && max(c.X, c.Y, c.Z) <= 1) {
			k.Fail(n, "color of %s is no red, green and blue of 0 to 1", a.Name)
		}
		a.Colour = [3]float32{float32(c.X), float32(c.Y), float32(c.Z)}
	}
}

// onLane reads how an actor goes on a lane.
func (k *reader) onLane(t map[string]*yaml.Node, a *Actor) {
	for _, key := range []string{"loop"} {
		if t[key] != nil {
			k.Fail(t[key], "%s is of a trajectory; %s is on a lane, which has at_end", key, a.Name)
		}
	}
	l := k.laneAt(t["lane"])
	if l == nil {
		return
	}
	a.Lane = &l.Lane
	k.within(t, "start", &a.Start, 0, l.Length())
	a.Speed = 10
	if a.Type == "pedestrian" {
		a.Speed = 1.4
	}
	if t["follow"] != nil {
		a.Speed = 0
	}
	k.within(t, "speed", &a.Speed, 0, maxSpeed)
	k.within(t, "acceleration", &a.Accel, 0.01, 100)
	k.within(t, "deceleration", &a.Brake, 0.01, 100)
	switch n := t["at_end"]; {
	case n == nil || n.Value == "stop":
	case n.Value == "restart":
		a.AtEnd = scene.RestartAtEnd
	default:
		k.Fail(n, "at_end is %q; want stop or restart", yamlsrc.Clip(n.Value))
	}
	if n := t["follow"]; n != nil {
		k.follow(n, a)
	}
}

// maxSpeed bounds speeds, m/s.
const maxSpeed = 200.0

// follow reads a driver.
func (k *reader) follow(n *yaml.Node, a *Actor) {
	t := k.Table(n, "follow", "v0", "T", "a", "b", "s0", "delta")
	d := DefaultIDM()
	k.within(t, "v0", &d.V0, 0.1, maxSpeed)
	k.within(t, "T", &d.T, 0, 100)
	k.within(t, "a", &d.A, 0.01, 100)
	k.within(t, "b", &d.B, 0.01, 100)
	k.within(t, "s0", &d.S0, 0, 1000)
	k.within(t, "delta", &d.Delta, 0.1, 100)
	a.Follow = &d
}

// trajectory reads the times of an actor.
func (k *reader) trajectory(t map[string]*yaml.Node, a *Actor) {
	for _, key := range []string{"start", "speed", "at_end", "acceleration", "deceleration", "follow"} {
		if t[key] != nil {
			k.Fail(t[key], "%s is of an actor on a lane; %s keeps the times of its trajectory", key, a.Name)
		}
	}
	list := t["trajectory"]
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 || len(list.Content) > maxPoints {
		k.Fail(list, "trajectory of %s is no list of 1 to %d waypoints", a.Name, maxPoints)
		return
	}
	k.take(list, len(list.Content))
	a.Trajectory = &scene.Script{Loop: k.Flag(t, "loop")}
	turned := make([]bool, len(list.Content))
	for i, n := range list.Content {
		w := k.Table(n, "a waypoint", "time", "position", "yaw")
		at := scene.Waypoint{Time: k.Number(n, w, "time", 0, true), Pose: r3.IdentityPose()}
		if i > 0 && k.Err == nil && !(at.Time > a.Trajectory.Waypoints[i-1].Time) {
			k.Fail(n, "waypoint %d of %s at %g s; want later than the one before it", i+1, a.Name, at.Time)
		}
		if w["position"] == nil {
			k.Fail(n, "position is not given")
		}
		if k.Err != nil {
			return
		}
		p, high := k.point(w["position"], "position")
		at.Pose.Pos = p
		yaw := 0.0
		if turned[i] = w["yaw"] != nil; turned[i] {
			yaw = k.Float(w["yaw"], "yaw", -yamlsrc.Far)
		}
		a.Trajectory.Waypoints, a.Yaws = append(a.Trajectory.Waypoints, at), append(a.Yaws, yaw)
		a.High = append(a.High, high)
	}
	a.face(turned)
}

// face turns waypoints without a direction to where the way goes on from them; where it ends, or waits, they
// look as before.
func (a *Actor) face(turned []bool) {
	list := a.Trajectory.Waypoints
	for i := range list {
		if !turned[i] {
			var d r3.Vec
			if i+1 < len(list) {
				d = list[i+1].Pose.Pos.Sub(list[i].Pose.Pos)
			}
			if d.X != 0 || d.Y != 0 {
				a.Yaws[i] = r3.Atan2(d.Y, d.X)
			} else if i > 0 {
				a.Yaws[i] = a.Yaws[i-1]
			}
		}
		list[i].Pose.Rot = r3.FromRPY(0, 0, a.Yaws[i])
	}
}

func (k *reader) signal(id string, n *yaml.Node) {
	t := k.Table(n, "a signal", "id", "position", "yaw", "stops", "offset", "phases")
	s := Signal{Name: id, Yaw: k.Number(n, t, "yaw", -yamlsrc.Far, false)}
	if t["position"] == nil {
		k.Fail(n, "position is not given")
		return
	}
	s.Position, s.High = k.point(t["position"], "position")
	s.Offset = seconds(k.Number(n, t, "offset", -yamlsrc.Far, false))
	k.stops(t["stops"], &s)
	list := t["phases"]
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 ||
		len(list.Content) > maxPhases {
		k.Fail(n, "signal %s: phases is no list of 1 to %d phases", id, maxPhases)
		return
	}
	for i, c := range list.Content {
		p := k.Table(c, "a phase", "name", "state", "duration")
		word := k.Text(c, p, "state", true)
		aspect, known := scene.ParseAspect(word)
		if !known {
			k.Fail(c, "state is %q; want %s", yamlsrc.Clip(word), strings.Join(scene.Aspects(), ", "))
		}
		phase := scene.Phase{Name: k.Text(c, p, "name", false), Aspect: aspect,
			Duration: seconds(k.Number(c, p, "duration", scene.MinPhase.Seconds(), true))}
		if phase.Name == "" {
			phase.Name = word
		}
		if phase.Name != word && !isName(phase.Name) {
			k.Fail(c, "%q is no name of a phase; want letters, digits, _ and -", yamlsrc.Clip(phase.Name))
		}
		if slices.ContainsFunc(s.Phases, func(o scene.Phase) bool { return o.Name == phase.Name }) {
			k.Fail(c, "phase %d of %s is a second %q; want another name", i+1, id, yamlsrc.Clip(phase.Name))
		}
		if k.Err != nil {
			return
		}
		s.Phases = append(s.Phases, phase)
	}
	k.d.Signals = append(k.d.Signals, s)
}

// stops reads where followers wait for a signal.
func (k *reader) stops(n *yaml.Node, s *Signal) {
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode || len(n.Content)/2 > maxStops {
		k.Fail(n, "stops of %s holds no lanes; want {LANE: METRES} with at most %d", s.Name, maxStops)
		return
	}
	for i := 0; i+1 < len(n.Content) && k.Err == nil; i += 2 {
		l := k.laneAt(n.Content[i])
		if l == nil {
			return
		}
		if slices.ContainsFunc(s.Stops, func(o scene.Stop) bool { return o.Lane == l.Name }) {
			k.Fail(n.Content[i], "%s stops lane %s a second time", s.Name, l.Name)
		}
		stop := scene.Stop{Lane: l.Name}
		k.within(map[string]*yaml.Node{"stop": n.Content[i+1]}, "stop", &stop.At, 0, l.Length())
		s.Stops = append(s.Stops, stop)
	}
}

// seconds is s as a Duration, to the nanosecond.
func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }
