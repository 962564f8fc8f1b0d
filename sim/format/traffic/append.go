package traffic

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Append writes a document as Parse reads it, and gives the same one again. All heights of it are given: see
// Settle.
func Append(b []byte, d *Document) []byte {
	b = append(b, "version: \"1.0.0\"\n"...)
	if len(d.Lanes) > 0 {
		b = append(b, "lanes:\n"...)
	}
	for _, l := range d.Lanes {
		b = fmt.Appendf(b, "  %q: {points: [", l.Name)
		for i, p := range l.Points {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendVec(b, p)
		}
		b = fmt.Appendf(b, "], closed: %t}\n", l.Closed)
	}
	if len(d.Actors) > 0 {
		b = append(b, "actors:\n"...)
	}
	for i := range d.Actors {
		b = d.Actors[i].append(b)
	}
	if len(d.Signals) > 0 {
		b = append(b, "signals:\n"...)
	}
	for i := range d.Signals {
		b = d.Signals[i].append(b)
	}
	return b
}

// number is a number with all its digits.
func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func appendVec(b []byte, v r3.Vec) []byte {
	return fmt.Appendf(b, "[%s, %s, %s]", number(v.X), number(v.Y), number(v.Z))
}

func (a *Actor) append(b []byte) []byte {
	b = fmt.Appendf(b, "  %q: {type: %s, held: %t, size: ", a.Name, a.Type, a.Held)
	b = appendVec(b, a.Size)
	c := a.Colour
	b = fmt.Appendf(b, ", color: [%s, %s, %s]", number(float64(c[0])), number(float64(c[1])),
		number(float64(c[2])))
	if a.Lane == nil {
		b = fmt.Appendf(b, ", loop: %t, trajectory: [", a.Trajectory.Loop)
		for i, w := range a.Trajectory.Waypoints {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendVec(fmt.Appendf(b, "{time: %s, position: ", number(w.Time)), w.Pose.Pos)
			b = fmt.Appendf(b, ", yaw: %s}", number(a.Yaws[i]))
		}
		return append(b, "]}\n"...)
	}
	end := map[scene.LaneEnd]string{scene.StopAtEnd: "stop", scene.RestartAtEnd: "restart"}[a.AtEnd]
	b = fmt.Appendf(b, ", lane: %q, start: %s, speed: %s, at_end: %s, acceleration: %s, deceleration: %s",
		a.Lane.Name, number(a.Start), number(a.Speed), end, number(a.Accel), number(a.Brake))
	if f := a.Follow; f != nil {
		b = fmt.Appendf(b, ", follow: {v0: %s, T: %s, a: %s, b: %s, s0: %s, delta: %s}", number(f.V0),
			number(f.T), number(f.A), number(f.B), number(f.S0), number(f.Delta))
	}
	return append(b, "}\n"...)
}

func (s *Signal) append(b []byte) []byte {
	b = appendVec(fmt.Appendf(b, "  %q: {position: ", s.Name), s.Position)
	b = fmt.Appendf(b, ", yaw: %s, offset: %s, stops: {", number(s.Yaw), number(s.Offset.Seconds()))
	var stops, phases []string
	for _, k := range s.Stops {
		stops = append(stops, fmt.Sprintf("%q: %s", k.Lane, number(k.At)))
	}
	for _, p := range s.Phases {
		phases = append(phases, fmt.Sprintf("{name: %q, state: %s, duration: %s}", p.Name, p.Aspect,
			number(p.Duration.Seconds())))
	}
	return fmt.Appendf(b, "%s}, phases: [%s]}\n", strings.Join(stops, ", "), strings.Join(phases, ", "))
}

// Alone is a document of one actor, by name, with the lane that it needs; false: there is none of that name.
func (d *Document) Alone(name string) (*Document, bool) {
	for i := range d.Actors {
		if a := &d.Actors[i]; a.Name == name {
			out := &Document{Actors: []Actor{*a}}
			if a.Lane != nil {
				out.Lanes = []*Lane{{Lane: *a.Lane}}
			}
			return out, true
		}
	}
	for i := range d.Signals {
		if s := &d.Signals[i]; s.Name == name {
			out := &Document{Signals: []Signal{*s}}
			for _, k := range s.Stops {
				out.Lanes = append(out.Lanes, marker(k))
			}
			return out, true
		}
	}
	return nil, false
}

// marker stands for a lane in a document of a signal alone, which needs no more of it than a name and a
// length.
func marker(k scene.Stop) *Lane {
	return &Lane{Lane: scene.Lane{Name: k.Lane, Points: []r3.Vec{{}, r3.V(math.Max(1, 2*k.At), 0, 0)}}}
}
