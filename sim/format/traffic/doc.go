// Package traffic reads what moves by itself in a place, and its traffic signals, from YAML or JSON:
//
//	lanes:
//	  east: {points: [[0, 0], [60, 0], [80, 20]], closed: false}    m, in the map frame; z is the ground's if not given
//	actors:
//	  car_1:
//	    type: vehicle               or truck, cyclist, pedestrian
//	    lane: east
//	    start: 10                   m along the lane
//	    speed: 8                    m/s; of a follower: at the beginning
//	    at_end: restart             or stop
//	    follow: {v0: 13.9, T: 1.5, a: 1.2, b: 2, s0: 2, delta: 4}    the intelligent driver model, see scene.IDM
//	  walker:
//	    type: pedestrian
//	    trajectory: [{time: 0, position: [5, 5]}, {time: 4, position: [5, 9], yaw: 1.57}]
//	    loop: true
//	    held: true                  it waits for a scenario that starts it
//	signals:
//	  crossing:
//	    position: [58, 4]
//	    yaw: 3.14                   rad: where it looks
//	    stops: {east: 55}           m along the lane: of the line where followers wait
//	    offset: 3                   s in its cycle, at the beginning
//	    phases: [{state: green, duration: 10}, {state: yellow, duration: 3}, {state: red, duration: 12}]
//
// Each may be a list of entries with an id instead. Errors name the line and column, and nothing is half
// read.
package traffic

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of a document.
const (
	MaxSize    = 4 << 20 // bytes
	maxLanes   = 1000
	maxActors  = 1000
	maxSignals = 1000
	maxPhases  = 100
	maxStops   = 100
	maxPoints  = 20_000  // of a lane or a trajectory
	maxAllOfIt = 200_000 // of all of them
	groundStep = 2.0     // m between points of a lane that lies on the ground
	level      = 2e-4    // m: a point between them that the straight line passes that near is left out
	nearest    = 1e-3    // m between points of a lane at least
)

// Document is the content of a file.
type Document struct {
	Lanes   []*Lane
	Actors  []Actor
	Signals []Signal
}

// Lane is a lane, and which of its points say how high they are.
type Lane struct {
	scene.Lane
	High []bool // by Points; nil: all of them do
}

// Actor is a declared actor.
type Actor struct {
	Name   string
	Type   string     // a key of kinds
	Size   r3.Vec     // m: length, width, height
	Colour [3]float32 // red, green, blue in 0…1
	scene.Actor
	Yaws []float64 // rad: of the waypoints of its trajectory
	High []bool    // which of them say how high they are; nil: all
}

// Signal is a declared traffic signal.
type Signal struct {
	Name     string
	Position r3.Vec
	High     bool // Position says how high it is
	Yaw      float64
	scene.Signal
}

// kind is the default of all that an actor of a type may leave out.
type kind struct {
	size     r3.Vec
	base     float64 // m between its axles
	colour   [3]float32
	accel    float64 // m/s²
	brake    float64
	category scene.Category
	build    func(*Actor) scene.Link
}

var kinds = map[string]kind{
	"vehicle":    {r3.V(4.5, 1.8, 1.5), 2.7, [3]float32{0.2, 0.35, 0.7}, 2, 3, scene.DynamicObject, car},
	"truck":      {r3.V(8, 2.5, 3.2), 5, [3]float32{0.8, 0.8, 0.75}, 1, 2, scene.DynamicObject, truck},
	"cyclist":    {r3.V(1.8, 0.6, 1.7), 1.1, [3]float32{0.2, 0.6, 0.3}, 1, 2, scene.DynamicObject, cyclist},
	"pedestrian": {r3.V(0.4, 0.55, 1.75), 0.3, [3]float32{0.75, 0.3, 0.2}, 1, 2, scene.Human, pedestrian},
}

// types lists the types of actors.
func types() []string { return []string{"vehicle", "truck", "cyclist", "pedestrian"} }

// DefaultIDM is a driver in a town, by the parameters of M. Treiber and A. Kesting, "Traffic Flow Dynamics"
// (2013), table 11.2.
func DefaultIDM() scene.IDM { return scene.IDM{V0: 15, T: 1, A: 1, B: 1.5, S0: 2, Delta: 4} }

// Lane is the lane of a name; nil: there is none.
func (d *Document) Lane(name string) *Lane {
	for _, l := range d.Lanes {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// Settle puts everything that does not say how high it is onto the ground. Lanes get points between theirs so
// that they follow it.
func (d *Document) Settle(ground func(x, y float64) float64) error {
	left := maxAllOfIt
	for _, l := range d.Lanes {
		if l.High != nil && slices.Contains(l.High, false) {
			if err := l.settle(ground, &left); err != nil {
				return err
			}
		}
		l.High = nil
		l.Measure()
	}
	for i := range d.Actors {
		a := &d.Actors[i]
		for k, high := range a.High {
			if p := &a.Trajectory.Waypoints[k].Pose.Pos; !high {
				p.Z = ground(p.X, p.Y)
			}
		}
		if a.High = nil; a.Lane != nil {
			a.Start = min(a.Start, a.Lane.Length()) // which the ground may have made another
		}
	}
	for i := range d.Signals {
		if s := &d.Signals[i]; !s.High {
			s.Position.Z, s.High = ground(s.Position.X, s.Position.Y), true
		}
		for k := range d.Signals[i].Stops {
			if l := d.Lane(d.Signals[i].Stops[k].Lane); l != nil {
				d.Signals[i].Stops[k].At = min(d.Signals[i].Stops[k].At, l.Length())
			}
		}
	}
	return nil
}

// settle puts a lane onto the ground. Points that come into one place there are one.
func (l *Lane) settle(ground func(x, y float64) float64, left *int) error {
	var out []r3.Vec
	add := func(p r3.Vec) {
		if len(out) == 0 || p.Dist(out[len(out)-1]) >= nearest {
			out = append(out, p)
		}
	}
	for i, p := range l.Points {
		if !l.High[i] {
			p.Z = ground(p.X, p.Y)
		}
		add(p)
		next := (i + 1) % len(l.Points)
		if next == 0 && !l.Closed || l.High[i] && l.High[next] {
			continue
		}
		q := l.Points[next]
		n := math.Ceil(flatDistance(p, q) / groundStep)
		if n > float64(*left) {
			return fmt.Errorf("%w: lane %q has too many points on the ground, one each %g m; lanes have %d at most",
				scene.ErrParse, l.Name, groundStep, maxAllOfIt)
		}
		*left -= int(n)
		if !l.High[next] {
			q.Z = ground(q.X, q.Y)
		}
		onGround := func(k int) r3.Vec {
			if k == int(n) {
				return q
			}
			at := p.Lerp(q, float64(k)/n)
			at.Z = ground(at.X, at.Y)
			return at
		}
		for k := 1; k < int(n); k++ {
			if at := onGround(k); math.Abs(at.Z-between(out[len(out)-1], onGround(k+1), at)) > level {
				add(at)
			}
		}
	}
	if n := len(out); l.Closed && n > 1 && out[0].Dist(out[n-1]) < nearest {
		out = out[:n-1]
	}
	if len(out) < 2 {
		return fmt.Errorf("%w: on the ground lane %q is one point", scene.ErrParse, l.Name)
	}
	l.Points = out
	return nil
}

// between is the height at a place of the straight line from a to b above it.
func between(a, b, at r3.Vec) float64 {
	u := flatDistance(a, at) / flatDistance(a, b)
	return a.Z + float64(u*(b.Z-a.Z))
}

// flatDistance is the distance of two places on a map.
func flatDistance(a, b r3.Vec) float64 { return b.Sub(a).Mul(r3.V(1, 1, 0)).Len() }
