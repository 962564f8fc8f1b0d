package scene

// Muscle is the force of a muscle by its activation, length and speed: curves of Hill's type as MuJoCo has
// them ("Computation", Muscles). Lengths are divided by the optimal length, at which it is strongest.
type Muscle struct {
	// lengths of the transmission between which the muscle works, m; both zero: those between its stops
	LengthRange [2]float64
	Range       [2]float64 // the same in optimal lengths
	Peak        float64    // N, at the optimal length; below 0: Scale over the acceleration by 1 N
	Scale       float64
	Shortest    float64 // optimal lengths between which it is active
	Longest     float64
	Fastest     float64 // optimal lengths per second at which it shortens without force
	Passive     float64 // passive force at Longest, in peaks
	Lengthening float64 // active force at the fastest lengthening, in peaks
}

// optimal is the optimal length.
func (m *Muscle) optimal() float64 {
	return (m.LengthRange[1] - m.LengthRange[0]) / max(1e-15, m.Range[1]-m.Range[0])
}

// force is the force at an activation, and its derivatives by length and speed. It pulls: it is below 0.
func (m *Muscle) force(activation, length, speed float64) (force, byLength, bySpeed float64) {
	l0 := max(1e-15, m.optimal())
	l, v := m.Range[0]+float64((length-m.LengthRange[0])/l0), speed/max(1e-15, float64(l0*m.Fastest))
	fl, dl := m.byLength(l)
	fv, dv := m.bySpeed(v)
	fp, dp := m.stretched(l)
	force = -m.Peak * (float64(float64(activation*fl)*fv) + fp)
	byLength = -m.Peak * (float64(float64(activation*dl)*fv) + dp) / l0
	bySpeed = -m.Peak * float64(float64(activation*fl)*dv) / max(1e-15, float64(l0*m.Fastest))
	return force, byLength, bySpeed
}

// byLength is the active force by length, in peaks: four parabolas around 1.
func (m *Muscle) byLength(l float64) (f, slope float64) {
	rise, fall := float64(0.5*(m.Shortest+1)), float64(0.5*(1+m.Longest))
	parabola := func(from, width float64) (x, w float64) {
		w = max(1e-15, width)
		return (l - from) / w, w
	}
	switch {
	case l < m.Shortest || l > m.Longest:
		return 0, 0
	case l <= rise:
		x, w := parabola(m.Shortest, rise-m.Shortest)
		return float64(0.5 * x * x), x / w
	case l <= 1:
		x, w := parabola(1, 1-rise)
		return 1 - float64(0.5*x*x), -x / w
	case l <= fall:
		x, w := parabola(1, fall-1)
		return 1 - float64(0.5*x*x), -x / w
	}
	x, w := parabola(m.Longest, m.Longest-fall)
	return float64(0.5 * x * x), x / w
}

// bySpeed is the active force by speed, in peaks: it is 0 at -1, 1 at rest.
func (m *Muscle) bySpeed(v float64) (f, slope float64) {
	y := m.Lengthening - 1
	switch {
	case v <= -1:
		return 0, 0
	case v <= 0:
		return float64((v + 1) * (v + 1)), float64(2 * (v + 1))
	case v <= y:
		return m.Lengthening - float64((y-v)*(y-v))/max(1e-15, y), float64(2*(y-v)) / max(1e-15, y)
	}
	return m.Lengthening, 0
}

// stretched is the passive force by length, in peaks.
func (m *Muscle) stretched(l float64) (f, slope float64) {
	half := max(1e-15, float64(0.5*(1+m.Longest))-1)
	switch x := (l - 1) / half; {
	case x <= 0:
		return 0, 0
	case x <= 1:
		return float64(0.5 * m.Passive * x * x), float64(m.Passive*x) / half
	default:
		return float64(m.Passive * (x - 0.5)), m.Passive / half
	}
}
