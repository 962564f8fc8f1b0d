// Package trajectory describes the motion of joints in time: points to pass at given times, with splines as
// ROS 2 controllers make them. It moves nothing; package sim does.
package trajectory

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"time"
)

// ErrInvalid is a trajectory that cannot be followed; the error says where and why.
var ErrInvalid = errors.New("invalid trajectory")

// MaxNumbers bounds the positions of a trajectory: points times joints.
const MaxNumbers = 1 << 20

// Point holds the joints' positions and their derivatives at a time. Velocities and Accelerations may be
// empty.
type Point struct {
	At            time.Duration // from the start
	Positions     []float64     // rad or m, one for each joint
	Velocities    []float64     // rad/s or m/s
	Accelerations []float64     // rad/s² or m/s²
}

// Check says what is wrong with the points of a trajectory of so many joints.
func Check(joints int, points []Point) error {
	switch {
	case joints == 0:
		return fmt.Errorf("%w: no joints", ErrInvalid)
	case len(points) == 0:
		return fmt.Errorf("%w: no points", ErrInvalid)
	case len(points) > MaxNumbers/joints:
		return fmt.Errorf("%w: %d points of %d joints; want at most %d numbers", ErrInvalid, len(points),
			joints, MaxNumbers)
	}
	for i := range points {
		p := &points[i]
		if p.At < 0 || i > 0 && p.At <= points[i-1].At {
			return fmt.Errorf("%w: point %d of %d is at %v; want later than the one before it",
				ErrInvalid, i+1, len(points), p.At)
		}
		if len(p.Positions) != joints {
			return fmt.Errorf("%w: point %d has %d positions for %d joints", ErrInvalid, i+1,
				len(p.Positions), joints)
		}
		for what, list := range [...][]float64{p.Positions, p.Velocities, p.Accelerations} {
			if what > 0 && len(list) == 0 {
				continue
			}
			if len(list) != joints {
				return fmt.Errorf("%w: point %d has %d %s for %d joints; want one for each or none",
					ErrInvalid, i+1, len(list), names[what], joints)
			}
			for _, x := range list {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return fmt.Errorf("%w: point %d has %s %v; want finite numbers", ErrInvalid, i+1,
						names[what], list)
				}
			}
		}
	}
	return nil
}

var names = [...]string{"positions", "velocities", "accelerations"}

// Path is a trajectory that has begun: from where its joints were, through its points. It does not change.
type Path struct {
	points []Point // the first is the joints' start
}

// Begin makes a path from the positions and velocities that its joints have
// now. The points have passed Check. A turn, not 0, says that a joint is continuous: its points are moved by
// whole turns so that the first is nearest.
func Begin(positions, velocities, turns []float64, points []Point) *Path {
	p := &Path{points: make([]Point, 0, len(points)+1)}
	if points[0].At > 0 {
		p.points = append(p.points, Point{Positions: positions, Velocities: velocities})
	}
	shift := make([]float64, len(positions))
	for j, turn := range turns {
		if turn > 0 {
			shift[j] = turn * math.Round((positions[j]-points[0].Positions[j])/turn)
		}
	}
	for _, at := range points {
		moved := make([]float64, len(shift))
		for j, q := range at.Positions {
			moved[j] = q + shift[j]
		}
		at.Positions = moved
		p.points = append(p.points, at)
	}
	return p
}

// Length is the duration of the path.
func (p *Path) Length() time.Duration { return p.points[len(p.points)-1].At }

// At returns the position and velocity of a joint at a time. It interpolates linearly between points without
// velocities, by a cubic between points with them, and by a quintic between points with accelerations too.
// Before the beginning and after the end it rests there.
func (p *Path) At(t time.Duration, joint int) (position, velocity float64) {
	n := len(p.points)
	i := sort.Search(n, func(k int) bool { return p.points[k].At > t })
	switch i {
	case 0:
		return p.points[0].Positions[joint], 0
	case n:
		return p.points[n-1].Positions[joint], 0
	}
	a, b := &p.points[i-1], &p.points[i]
	return between(a, b, joint, (t - a.At).Seconds(), (b.At - a.At).Seconds())
}

// between is a joint x seconds after a, of T seconds from a to b.
func between(a, b *Point, joint int, x, T float64) (position, velocity float64) {
	q0, q1 := a.Positions[joint], b.Positions[joint]
	s := x / T
	if len(a.Velocities) == 0 || len(b.Velocities) == 0 {
		return q0 + float64((q1-q0)*s), (q1 - q0) / T
	}
	// In s from 0 to 1 derivatives are by T as large. h is the way that remains after motion at the initial
	// velocity.
	v0, v1 := a.Velocities[joint]*T, b.Velocities[joint]*T
	if len(a.Accelerations) == 0 || len(b.Accelerations) == 0 {
		h, dv := q1-q0-v0, v1-v0
		c2, c3 := 3*h-dv, dv-2*h
		return horner(s, q0, v0, c2, c3), horner(s, v0, 2*c2, 3*c3) / T
	}
	a0, a1 := a.Accelerations[joint]*float64(T*T), b.Accelerations[joint]*float64(T*T)
	h, dv, da := q1-q0-v0-a0/2, v1-v0-a0, a1-a0
	c3 := float64(10*h) - float64(4*dv) + da/2
	c4 := float64(7*dv) - float64(15*h) - da
	c5 := float64(6*h) - float64(3*dv) + da/2
	return horner(s, q0, v0, a0/2, c3, c4, c5), horner(s, v0, a0, 3*c3, 4*c4, 5*c5) / T
}

// horner is a polynomial of s, its constant first.
func horner(s float64, c ...float64) float64 {
	y := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		y = float64(y*s) + c[i]
	}
	return y
}

// Points are the points of the path, from its joints' start; none of one that has not begun. They are not to
// be changed.
func (p *Path) Points() []Point {
	if p == nil {
		return nil
	}
	return p.points
}

// Restore is the path through the points of another; nil through none.
func Restore(points []Point) *Path {
	if len(points) == 0 {
		return nil
	}
	return &Path{points: points}
}
