package dynamics

// applyRestitution gives points the separation speed that restitution asks for, once at the end of the step.
func (s *solver) applyRestitution() {
	for i := range s.restitution {
		e := &s.restitution[i]
		if e.maxImpulse == 0 {
			continue
		}
		p, r, lane := &s.batches[e.batch], &s.rows[e.row], int(e.lane)
		x, y := &s.states[p.a[lane]], &s.states[p.b[lane]]
		n := p.normal.at(lane)
		v := n.Dot(y.v.Sub(x.v)) + r.armCrossNormalB.at(lane).Dot(y.w) - r.armCrossNormalA.at(lane).Dot(x.w)
		j := max(0, r.impulse[lane]-float64(r.mass.at(lane)*(v+float64(e.restitution*e.relativeVelocity))))
		d := j - r.impulse[lane]
		r.impulse[lane] = j
		va, vb := x.v.AddScaled(float64(-d*p.massA[lane]), n), y.v.AddScaled(float64(d*p.massB[lane]), n)
		wa, wb := x.w.AddScaled(-d, r.turnA.at(lane)), y.w.AddScaled(d, r.turnB.at(lane))
		s.writeVelocities(p, lane, va, wa, vb, wb)
	}
}
