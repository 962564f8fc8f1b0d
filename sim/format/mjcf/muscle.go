package mjcf

import "simdeck/sim/scene"

// usualMuscle is MuJoCo's muscle where a file says nothing else.
var usualMuscle = scene.Muscle{Range: [2]float64{0.75, 1.05}, Peak: -1, Scale: 200, Shortest: 0.5,
	Longest: 1.6, Fastest: 1.5, Passive: 1.3, Lengthening: 1.2}

// muscle reads a <muscle>.
func muscle(a attrs, d *drive) error {
	m := usualMuscle
	for _, f := range []struct {
		name string
		to   *float64
	}{
		{"force", &m.Peak}, {"scale", &m.Scale}, {"lmin", &m.Shortest}, {"lmax", &m.Longest},
		{"vmax", &m.Fastest}, {"fpmax", &m.Passive}, {"fvmax", &m.Lengthening}} {
		var err error
		if *f.to, err = a.number(f.name, *f.to); err != nil {
			return err
		}
	}
	v, err := a.numbers("range", 2, 2)
	if err != nil {
		return err
	}
	if v != nil {
		m.Range = [2]float64{v[0], v[1]}
	}
	d.muscle = &m
	return checkMuscle(a, &m)
}

// muscleOf reads the muscle of a <general> from its nine numbers.
func muscleOf(a attrs, v []float64) (*scene.Muscle, error) {
	m := usualMuscle
	for i, to := range []*float64{&m.Range[0], &m.Range[1], &m.Peak, &m.Scale, &m.Shortest, &m.Longest,
		&m.Fastest, &m.Passive, &m.Lengthening} {
		if i < len(v) {
			*to = v[i]
		}
	}
	return &m, checkMuscle(a, &m)
}

// checkMuscle reads the range of lengths, and refuses a muscle that MuJoCo refuses.
func checkMuscle(a attrs, m *scene.Muscle) error {
	v, err := a.numbers("lengthrange", 2, 2)
	if err != nil {
		return err
	}
	if v != nil {
		if m.LengthRange = [2]float64{v[0], v[1]}; v[0] > v[1] {
			return a.own().errorf("lengthrange=%q of <%s>; the second number is greater than the first",
				clip(a.text("lengthrange")), a.own().Name)
		}
	}
	switch {
	case !(m.Range[0] < m.Range[1]):
		return a.own().errorf("a muscle from %g to %g optimal lengths; the second number is greater than the first",
			m.Range[0], m.Range[1])
	case !(m.Shortest < 1 && m.Longest > 1):
		return a.own().errorf("a muscle with lmin=%g and lmax=%g; less than 1 and more than 1 are meant", m.Shortest,
			m.Longest)
	case !(m.Fastest > 0 && m.Scale > 0 && m.Passive >= 0 && m.Lengthening >= 1):
		return a.own().errorf("a muscle with vmax=%g, scale=%g, fpmax=%g and fvmax=%g; want more than 0 twice, 0 and 1 or more",
			m.Fastest, m.Scale, m.Passive, m.Lengthening)
	}
	return nil
}

// muscular reads the time constants of a muscle.
func (y *dynamics) muscular(a attrs) error {
	y.timeConstant, y.release = 0.01, 0.04
	v, err := a.numbers("timeconst", 2, 2)
	if err != nil {
		return err
	}
	if v != nil {
		y.timeConstant, y.release = v[0], v[1]
	}
	if y.timeConstant < 0 || y.release < 0 {
		return a.own().errorf("timeconst=%q of <%s>; two numbers from 0 on are meant", clip(a.text("timeconst")),
			a.own().Name)
	}
	y.smoothing, err = a.number("tausmooth", 0)
	if err == nil && y.smoothing < 0 {
		err = a.own().errorf("tausmooth=%q of <%s>; 0 or more is meant", clip(a.text("tausmooth")), a.own().Name)
	}
	return err
}
