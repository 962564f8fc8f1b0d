package scene

import (
	"math"
	"sort"

	"simdeck/sim/r3"
)

// Lane is a line on the ground that actors follow, in the world frame. It never changes once Measure was
// called.
type Lane struct {
	Name   string
	Points []r3.Vec // at least two, none in the place of the one before
	Closed bool     // the last is followed by the first

	at     []float64 // m along the lane: of each point, and of the end
	length float64
}

// Measure computes the lengths along the lane. Everything below needs them.
func (l *Lane) Measure() {
	l.at = l.at[:0]
	s := 0.0
	for i, p := range l.Points {
		l.at = append(l.at, s)
		if i+1 < len(l.Points) {
			s += p.Dist(l.Points[i+1])
		} else if l.Closed {
			s += p.Dist(l.Points[0])
		}
	}
	if l.Closed {
		l.at = append(l.at, s)
	}
	l.length = s
}

// Length is the length of the lane in m, of a closed one all around.
func (l *Lane) Length() float64 { return l.length }

// segments is the number of straight pieces.
func (l *Lane) segments() int { return len(l.at) - 1 }

// segment is the ends of a piece.
func (l *Lane) segment(i int) (a, b r3.Vec) { return l.Points[i], l.Points[(i+1)%len(l.Points)] }

// Wrap is a distance along the lane brought into 0 up to its length, where the lane is closed.
func (l *Lane) Wrap(s float64) float64 {
	if !l.Closed || s >= 0 && s < l.length {
		return s
	}
	s = math.Mod(s, l.length)
	if s < 0 {
		s += l.length
	}
	if s >= l.length { // of a tiny negative distance
		s = 0
	}
	return s
}

// Point is the place at a distance along the lane, and the direction of the lane there. Before the beginning
// and after the end of an open lane it goes straight on.
func (l *Lane) Point(s float64) (at, tangent r3.Vec) {
	s = l.Wrap(s)
	i := sort.Search(l.segments(), func(i int) bool { return l.at[i+1] > s })
	i = min(i, l.segments()-1)
	a, b := l.segment(i)
	tangent, _ = b.Sub(a).Unit()
	return a.AddScaled(s-l.at[i], tangent), tangent
}

// Pose is the pose of a vehicle whose middle is at a distance along the lane. Its two axles are on the lane,
// base apart; x is forward, and z as far up as the slope lets it.
func (l *Lane) Pose(s, base float64) r3.Pose {
	rear, tangent := l.Point(s - base/2)
	front, _ := l.Point(s + base/2)
	forward, ok := front.Sub(rear).Unit()
	if !ok {
		forward = tangent
	}
	yaw := r3.Atan2(forward.Y, forward.X)
	pitch := -r3.Asin(max(-1, min(1, forward.Z)))
	return r3.Pose{Pos: front.Add(rear).Scale(0.5), Rot: r3.FromRPY(0, pitch, yaw)}
}

// Corridor is the box around the lane from a distance along it up to reach further.
func (l *Lane) Corridor(from, reach float64) r3.Box {
	s := l.Wrap(from)
	if !l.Closed {
		s = max(0, min(s, l.length))
		reach = min(reach, l.length-s)
	}
	reach = min(reach, l.length)
	begin, _ := l.Point(s)
	end, _ := l.Point(s + reach)
	box := r3.EmptyBox().Extend(begin).Extend(end)
	first := sort.Search(len(l.Points), func(i int) bool { return l.at[i] > s })
	for k := range len(l.Points) {
		i := first + k
		at := l.length // of the first point, once around
		if i < len(l.Points) {
			at = l.at[i]
		} else if i -= len(l.Points); l.Closed {
			at = l.at[i] + l.length
		}
		if !(at < s+reach) {
			break
		}
		box = box.Extend(l.Points[i])
	}
	return box
}

// Near is a place seen from a lane.
type Near struct {
	Along   float64 // m from where it was looked from
	Across  float64 // m to the left of the lane
	Up      float64 // m above it
	Tangent r3.Vec  // of the lane there
}

// Locate finds the point of the lane that is nearest to a place in the ground plane. It looks from a distance
// along the lane up to reach further. It is false where the nearest point is one of the two ends of that.
func (l *Lane) Locate(place r3.Vec, from, reach float64) (n Near, within bool) {
	best := math.Inf(1)
	s := l.Wrap(from)
	if !l.Closed {
		s = max(0, min(s, l.length))
		reach = min(reach, l.length-s)
	}
	reach = min(reach, l.length)
	first := min(sort.Search(l.segments(), func(i int) bool { return l.at[i+1] > s }), l.segments()-1)
	along := 0.0
	for k := range l.segments() {
		i := first + k
		if i >= l.segments() {
			if !l.Closed {
				break
			}
			i -= l.segments()
		}
		begin := l.at[i]
		if k == 0 {
			begin = s
		}
		span := min(l.at[i+1]-begin, reach-along)
		if !(span > 0) {
			break
		}
		a, b := l.segment(i)
		t, _ := b.Sub(a).Unit()
		start := a.AddScaled(begin-l.at[i], t)
		d := place.Sub(start)
		flat := float64(t.X*t.X) + float64(t.Y*t.Y)
		u := 0.0
		if flat > 0 {
			u = (float64(d.X*t.X) + float64(d.Y*t.Y)) / flat
		}
		u = max(0, min(u, span))
		off := d.AddScaled(-u, t)
		if far := float64(off.X*off.X) + float64(off.Y*off.Y); far < best {
			best = far
			n = Near{Along: along + u, Across: float64(t.X*off.Y) - float64(t.Y*off.X), Up: off.Z, Tangent: t}
		}
		along += span
	}
	return n, n.Along > 0 && n.Along < reach
}
