package dynamics

import (
	"fmt"
	"math"
	"slices"

	"simdeck/sim/r3"
)

// FaultCause says what was wrong with the motion of a body.
type FaultCause uint8

// Causes of faults.
const (
	FaultNotFinite FaultCause = iota + 1
	FaultTooFast
	FaultTooFar
)

// String is the cause in words.
func (c FaultCause) String() string {
	switch c {
	case FaultNotFinite:
		return "its velocity was not finite"
	case FaultTooFast:
		return fmt.Sprintf("it was faster than %g m/s or %g rad/s", MaxSpeed, MaxSpin)
	case FaultTooFar:
		return fmt.Sprintf("it was further than %g m from the origin", MaxExtent)
	}
	return fmt.Sprintf("cause %d", uint8(c))
}

// faultHits is how many of the bodies that touched a contained one are told.
const faultHits = 4

// FaultHit is a body that touched a contained one, and how fast the two moved against each other before the
// step.
type FaultHit struct {
	Body  BodyID
	Speed float64 // m/s
}

// Fault is a body whose motion left the finite numbers or their bounds, and was contained.
type Fault struct {
	Body  BodyID
	Cause FaultCause
	Speed float64 // m/s, before the step
	hits  [faultHits]FaultHit
	count int
}

// Hits are bodies that touched it, or what joints tie to it, in that step; the fastest, from the fastest on.
func (f *Fault) Hits() []FaultHit { return f.hits[:f.count] }

// faultOf is what is told of a body; the bodies that joints tie to it are listed.
func (c *containment) faultOf(bodies *bodySet, contacts *contactSet, active *activeSet, l lostBody) Fault {
	f, inside := Fault{Body: bodies.id(l.slot), Cause: l.cause, Speed: bodies.speedOf(l.slot)}, c.inside
	for _, i := range active.contacts {
		c := &contacts.all[i]
		if c.count == 0 || c.sensor || inside[c.bodyA] == inside[c.bodyB] {
			continue
		}
		own, other := c.bodyA, c.bodyB
		if inside[other] {
			own, other = other, own
		}
		ma, mb := &bodies.motion[own], &bodies.motion[other]
		at := bodies.motion[c.bodyA].com.Add(contacts.manifolds[c.base].points[0].arm)
		va := r3.Twist{Linear: ma.v, Angular: ma.w}.At(at.Sub(ma.com))
		vb := r3.Twist{Linear: mb.v, Angular: mb.w}.At(at.Sub(mb.com))
		f.hit(FaultHit{bodies.id(other), va.Sub(vb).Len()})
	}
	return f
}

// hit keeps the fastest hits, one for each body.
func (f *Fault) hit(h FaultHit) {
	at := slices.IndexFunc(f.Hits(), func(k FaultHit) bool { return k.Body == h.Body })
	switch {
	case at >= 0:
	case f.count < faultHits:
		at = f.count
		f.count++
	default:
		at = faultHits - 1
	}
	if f.hits[at].Body != (BodyID{}) && !(h.Speed > f.hits[at].Speed) {
		return
	}
	f.hits[at] = h
	slices.SortStableFunc(f.Hits(), func(a, b FaultHit) int {
		switch {
		case a.Speed > b.Speed:
			return -1
		case a.Speed < b.Speed:
			return 1
		}
		return 0
	})
}

// Faults are the bodies that the last Step contained. Valid until the next.
func (w *World) Faults() []Fault { return w.containment.faults }

// cause is why a body's motion is lost.
func (m *bodyState) cause() FaultCause {
	switch {
	case !m.v.IsFinite() || !m.w.IsFinite() || !m.deltaPosition.IsFinite() || !m.deltaRotation.IsFinite():
		return FaultNotFinite
	case m.v.Len2() <= MaxSpeed*MaxSpeed && m.w.Len2() <= MaxSpin*MaxSpin:
		return FaultTooFar
	}
	return FaultTooFast
}

// cause is why the motion of a tree of joints is lost.
func (l *worldArticulation) cause() FaultCause {
	for d := range int32(l.DOFs()) {
		if x := l.V(d) + l.Q(d); math.IsNaN(x) || math.IsInf(x, 0) {
			return FaultNotFinite
		}
	}
	return FaultTooFast
}
