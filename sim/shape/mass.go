package shape

import (
	"errors"
	"fmt"
	"math"

	"simdeck/sim/r3"
)

const pi = math.Pi

// ErrMass says that a mass cannot belong to a body; the error that wraps it says why.
var ErrMass = errors.New("invalid mass")

// Mass holds the mass properties of a body.
type Mass struct {
	Mass    float64 // kg
	COM     r3.Vec  // centre of mass, in the frame of the shape or body
	Inertia r3.Mat  // kg·m² about the COM, along the axes of the same frame
}

// Moved is the same mass seen from a parent frame in which its own frame has the pose p.
func (m Mass) Moved(p r3.Pose) Mass {
	return Mass{m.Mass, p.Apply(m.COM), m.Inertia.Turned(p.Rot)}
}

// Plus is both masses as one body; both are given in the same frame.
func (m Mass) Plus(n Mass) Mass {
	total := m.Mass + n.Mass
	if !(total > 0) {
		return Mass{}
	}
	com := m.COM.Scale(m.Mass/total).AddScaled(n.Mass/total, n.COM)
	i := m.Inertia.Add(steiner(m.Mass, m.COM.Sub(com))).Add(n.Inertia).Add(steiner(n.Mass, n.COM.Sub(com)))
	return Mass{total, com, i}
}

// steiner is the inertia of a point mass at d (parallel axis theorem).
func steiner(m float64, d r3.Vec) r3.Mat {
	s := r3.Skew(d)
	return s.Mul(s).Scale(-m)
}

// Check wraps ErrMass unless the mass is positive and the inertia physical. Such an inertia is symmetric,
// with positive principal moments of which none exceeds the sum of the others by more than a millionth.
func (m Mass) Check() error {
	if !(m.Mass > 0) || m.Mass > 1e12 {
		return fmt.Errorf("%w: %v kg, must be between 0 and 1e12", ErrMass, m.Mass)
	}
	if !m.COM.IsFinite() || m.COM.MaxAbs() > maxSize {
		return fmt.Errorf("%w: centre of mass %v is not within %v m", ErrMass, m.COM, maxSize)
	}
	i := m.Inertia
	if !i.IsFinite() {
		return fmt.Errorf("%w: inertia %v is not finite", ErrMass, i)
	}
	slack := float64(1e-6 * (math.Abs(i.XX) + math.Abs(i.YY) + math.Abs(i.ZZ)))
	if math.Abs(i.XY-i.YX) > slack || math.Abs(i.XZ-i.ZX) > slack || math.Abs(i.YZ-i.ZY) > slack {
		return fmt.Errorf("%w: inertia %v is not symmetric", ErrMass, i)
	}
	v, _ := i.Eigen()
	lo, sum := min(v.X, v.Y, v.Z), v.X+v.Y+v.Z
	if !(lo > 0) {
		return fmt.Errorf("%w: principal moments %v kg·m², must all be positive", ErrMass, v)
	}
	if hi := max(v.X, v.Y, v.Z); hi > sum-hi+slack {
		return fmt.Errorf("%w: principal moments %v kg·m²: one exceeds the sum of the others, which no body has",
			ErrMass, v)
	}
	return nil
}

// solidMass integrates a closed surface, outward triangles, as tetrahedra from its first vertex.
func solidMass(vertices []r3.Vec, each func(yield func(a, b, c int32)), density float64) Mass {
	if len(vertices) == 0 {
		return Mass{}
	}
	o := vertices[0]
	var volume float64
	var first r3.Vec
	var second r3.Mat // ∫ x xᵀ
	each(func(i, j, k int32) {
		a, b, c := vertices[i].Sub(o), vertices[j].Sub(o), vertices[k].Sub(o)
		v := a.Dot(b.Cross(c)) / 6
		s := a.Add(b).Add(c)
		volume += v
		first = first.AddScaled(v/4, s)
		second = second.Add(outer(a).Add(outer(b)).Add(outer(c)).Add(outer(s)).Scale(v / 20))
	})
	if !(volume > 0) {
		return Mass{}
	}
	com := first.Scale(1 / volume)
	second = second.Add(outer(com).Scale(-volume))
	tr := second.XX + second.YY + second.ZZ
	inertia := r3.Diag(r3.Vec{X: tr, Y: tr, Z: tr}).Add(second.Scale(-1)).Scale(density)
	return Mass{float64(density * volume), com.Add(o), inertia}
}

func outer(a r3.Vec) r3.Mat {
	return r3.Columns(a.Scale(a.X), a.Scale(a.Y), a.Scale(a.Z))
}
