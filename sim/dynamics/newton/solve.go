package newton

import "math"

const (
	// maxIterations bounds the work of a problem that does not converge, of a line search, and of a slip.
	maxIterations = 100
	// tolerance is the gradient, relative to momenta, at which velocities are a solution.
	tolerance = 1e-9
	// startTolerance is the same at which Start ends: what follows from its velocities is off by as much.
	// From here on bounds of friction follow the normal impulses, which need not be exact before the bounds.
	// A cold start takes 14 steps; with exact impulses in each round it took 22.
	startTolerance = 1e-2
	// boundRounds is the number of times that bounds of friction follow the normal impulses, from those of
	// the step before; bounds time.
	boundRounds = 5
	// minRelaxation is the least part of the way that bounds go in a round; it bounds Aitken's extrapolation.
	minRelaxation = 0.1
	// boundTolerance is the relative change of a bound that calls for another round; it saves rounds.
	boundTolerance = 1e-3
	// withinBound is the part of its bound below which a row's last impulse was not at it. Bounds change by
	// less than the rest. Rounding alone made 28 steps of 7.
	withinBound = 0.9
)

// Solve computes the velocities and impulses, and returns the number of Newton's steps that it took.
func (p *Problem) Solve() int {
	return p.Start() + p.Resume()
}

// Start takes the first of Newton's steps. It leads to the solution, if the same rows are active as in the
// step before. It takes more where that is no solution to a hundredth. Momenta may change with the velocities
// then (AddMomentum), and Resume goes on. It returns the number of steps.
func (p *Problem) Start() int {
	p.updateBounds()
	p.start = append(p.start[:0], p.Velocity...)
	p.spread(p.Velocity, p.twists)
	p.timesMass(p.Velocity, p.twists, p.inertial)
	for d, m := range p.Momentum {
		p.Momentum[d], p.inertial[d] = p.inertial[d]+m, -m
	}
	for i := range p.joints {
		p.joints[i].speed = 0
	}
	for i := range p.rows {
		p.rows[i].speed = p.rows[i].Drift
	}
	p.measure(p.Velocity, p.twists)
	p.advance(1)
	for i := range p.joints {
		p.joints[i].speedBefore = p.joints[i].speed
	}
	p.bounces = false
	for i := range p.rows {
		r := &p.rows[i]
		r.speedBefore = r.speed
		p.bounces = r.bounce() || p.bounces
	}
	p.guess()
	p.hessian.factored = false
	p.computeGradient()
	p.step(1)
	return 1 + p.iterate(startTolerance)
}

// AddMomentum changes the momentum that smooth forces give a degree of freedom, after Start or Solve.
func (p *Problem) AddMomentum(dof int32, change float64) {
	p.Momentum[dof] += change
	p.inertial[dof] -= change
}

// Resume goes on from Start, or from a solution whose momenta have changed.
func (p *Problem) Resume() int { return p.iterate(tolerance) }

// Relax goes on from the solution with the relaxed targets of all rows.
func (p *Problem) Relax() int {
	for i := range p.joints {
		p.joints[i].Target = p.joints[i].RelaxedTarget
	}
	for i := range p.rows {
		p.rows[i].Target = p.rows[i].RelaxedTarget
	}
	return p.iterate(tolerance)
}

// iterate takes Newton's steps until the gradient is at most a part of the momenta. The bounds of friction
// are those of the normal impulses then, unless that takes more than boundRounds.
func (p *Problem) iterate(part float64) int {
	round := 0
	for n := range maxIterations {
		p.evaluate()
		off := p.computeGradient()
		if off <= startTolerance && round < boundRounds && p.followNormals(round) {
			round++
			p.evaluate()
			off = p.computeGradient()
		}
		if off <= part {
			return n
		}
		p.step(0)
	}
	return maxIterations
}

// followNormals moves the bounds of friction to those of the present normal impulses, unless they are there.
// Friction loads the normals that bound it, and bounds that only took over what they are told would go to and
// fro. Rounds after the first are relaxed by Aitken's method (Irons and Tuck, 1969).
func (p *Problem) followNormals(round int) (moved bool) {
	along, across := 0.0, 0.0
	for i := range p.contacts {
		c := &p.contacts[i]
		off := c.bounds(p).tangent - c.bound.tangent
		moved = moved || math.Abs(off) > float64(boundTolerance*c.bound.tangent)
		change := off - c.boundOff
		along += float64(c.boundOff * change)
		across += float64(change * change)
		c.boundOff = off
	}
	if !moved {
		return false
	}
	if round == 0 {
		p.relaxation = 1
	} else if across > 0 {
		p.relaxation = max(minRelaxation, min(1, -float64(p.relaxation*along)/across))
	}
	for i := range p.contacts {
		c := &p.contacts[i]
		b := c.bounds(p)
		c.bound.tangent += float64(p.relaxation * (b.tangent - c.bound.tangent))
		c.bound.spin += float64(p.relaxation * (b.spin - c.bound.spin))
		c.bound.rolling += float64(p.relaxation * (b.rolling - c.bound.rolling))
	}
	return true
}

// updateBounds sets the bounds of friction by the present normal impulses.
func (p *Problem) updateBounds() {
	for i := range p.contacts {
		c := &p.contacts[i]
		c.bound = c.bounds(p)
	}
}

// step is one of Newton's; part 0: as far as the line search says.
func (p *Problem) step(part float64) {
	if p.takeSlopes() {
		p.computeHessian()
		p.hessian.Factor()
	}
	for i, g := range p.gradient {
		p.direction[i] = -g
	}
	p.hessian.Solve(p.direction)
	p.spread(p.direction, p.changes)
	p.timesMass(p.direction, p.changes, p.change)
	p.measure(p.direction, p.changes)
	if part == 0 {
		part = p.searchLine()
	}
	for i, d := range p.direction {
		p.Velocity[i] += float64(part * d)
		p.inertial[i] += float64(part * p.change[i])
	}
	p.advance(part)
}

// takeSlopes reports that the matrix must be factored: the slopes are not those of the last factors.
func (p *Problem) takeSlopes() (changed bool) {
	changed = !p.hessian.factored
	p.hessian.factored = true
	for i := range p.joints {
		changed = p.joints[i].takeSlope() || changed
	}
	for i := range p.rows {
		changed = p.rows[i].takeSlope() || changed
	}
	for i := range p.contacts {
		c := &p.contacts[i]
		if c.tangent != c.factoredTangent || c.ball != c.factoredBall {
			c.factoredTangent, c.factoredBall, changed = c.tangent, c.ball, true
		}
	}
	return changed
}

func (r *Row) takeSlope() (changed bool) {
	changed = r.slope != r.factoredSlope
	r.factoredSlope = r.slope
	return changed
}

// guess takes the rows to be active whose impulses of the last step were within their bounds. Rows at a
// bound keep their impulses: they slide on.
func (p *Problem) guess() {
	for i := range p.joints {
		p.joints[i].guess()
	}
	for i := range p.contacts {
		c := &p.contacts[i]
		rows, n := c.rowsOf(p), c.Normals
		for k := range n {
			rows[k].guess()
		}
		spin := &rows[n]
		spin.Lower, spin.Upper = -c.bound.spin, c.bound.spin
		spin.guess()
		c.guessTangent(&rows[n+1], &rows[n+2])
		if c.Rolling > 0 {
			c.guessRolling(rows[n+3 : n+6])
		}
	}
}

// guessTangent is guess of friction at the contact's two tangents.
func (c *contact) guessTangent(x, y *Row) {
	m1, m2, bound := c.Friction[0], c.Friction[1], float64(withinBound*c.bound.tangent)
	c.tangent = planeLaw{}
	if m1 <= 0 || m2 <= 0 || bound <= 0 {
		return
	}
	fx, fy := x.Impulse/m1, y.Impulse/m2
	if float64(fx*fx)+float64(fy*fy) < float64(bound*bound) {
		c.tangent.xx = 1 / (x.Compliance + c.Slip[0])
		c.tangent.yy = 1 / (float64(x.Compliance*m1*m1)/float64(m2*m2) + c.Slip[1])
		x.Impulse = float64((x.Target - x.speed) * c.tangent.xx)
		y.Impulse = float64((y.Target - y.speed) * c.tangent.yy)
	}
}

// guessRolling is guess of the three rows of rolling.
func (c *contact) guessRolling(rows []Row) {
	last := [3]float64{rows[0].Impulse, rows[1].Impulse, rows[2].Impulse}
	c.ball = ballLaw{}
	if length(&last) < float64(withinBound*c.bound.rolling) {
		c.ball = ballLaw{sticks: true, slope: 1 / rows[0].Compliance}
		for i := range rows {
			rows[i].Impulse = float64((rows[i].Target - rows[i].speed) * c.ball.slope)
		}
	}
}

// bounce sets the row's targets by the speed of an impact (Newton's law of restitution); false: there is
// none.
func (r *Row) bounce() bool {
	if r.Restitution == 0 || r.speed >= -r.BounceSpeed {
		return false
	}
	r.Target = max(r.Target, float64(-r.Restitution*r.speed))
	r.RelaxedTarget = r.Target
	return true
}

// guess is that of a row.
func (r *Row) guess() {
	r.slope = 0
	low, high := r.Lower, r.Upper
	if middle, half := float64(0.5*(low+high)), float64(0.5*(high-low)); !math.IsInf(half, 1) {
		low, high = middle-float64(withinBound*half), middle+float64(withinBound*half)
	}
	if r.Impulse > low && r.Impulse < high {
		r.slope = 1 / r.Compliance
		r.Impulse = (r.Target - r.speed) / r.Compliance
	}
}

// measure computes the rows' changes by velocities and twists.
func (p *Problem) measure(velocity []float64, twists []Vector6) {
	for i := range p.joints {
		j := &p.joints[i]
		sum := 0.0
		for _, t := range p.termsOf(j) {
			sum += float64(t.coefficient * velocity[t.dof])
		}
		j.change = sum
	}
	for i := range p.contacts {
		c := &p.contacts[i]
		rows := c.rowsOf(p)
		if c.a < 0 {
			t := &twists[c.b]
			for k := range rows {
				rows[k].change = t.Dot(&rows[k].B)
			}
			continue
		}
		ta := &twists[c.a]
		for k := range rows {
			rows[k].change = ta.Dot(&rows[k].A)
		}
		if c.b >= 0 {
			tb := &twists[c.b]
			for k := range rows {
				rows[k].change += tb.Dot(&rows[k].B)
			}
		}
	}
}

// advance adds a part of the changes to the speeds.
func (p *Problem) advance(part float64) {
	for i := range p.joints {
		p.joints[i].speed += float64(part * p.joints[i].change)
	}
	for i := range p.rows {
		p.rows[i].speed += float64(part * p.rows[i].change)
	}
}

// evaluate computes all impulses.
func (p *Problem) evaluate() {
	for i := range p.joints {
		p.joints[i].evaluate()
	}
	for i := range p.contacts {
		p.contacts[i].evaluate(p)
	}
}

// computeGradient computes M·v − p − Jᵀ·impulses, and returns its size as a part of the momenta.
func (p *Problem) computeGradient() float64 {
	clear(p.wrenches)
	for i := range p.contacts {
		c := &p.contacts[i]
		rows := c.rowsOf(p)
		for k := range rows {
			j := rows[k].Impulse
			if j == 0 {
				continue
			}
			if c.a >= 0 {
				p.wrenches[c.a].addScaled(j, &rows[k].A)
			}
			if c.b >= 0 {
				p.wrenches[c.b].addScaled(j, &rows[k].B)
			}
		}
	}
	p.gather(p.wrenches, p.gradient)
	for i := range p.joints {
		j := &p.joints[i]
		for _, t := range p.termsOf(j) {
			p.gradient[t.dof] += float64(t.coefficient * j.Impulse)
		}
	}
	error2, scale2 := 0.0, 0.0
	for d, m := range p.inertial {
		impulse := p.gradient[d]
		g := m - impulse
		p.gradient[d] = g
		error2 += float64(g * g)
		scale2 += float64(p.Momentum[d]*p.Momentum[d]) + float64(impulse*impulse)
	}
	if error2 == 0 {
		return 0
	}
	return math.Sqrt(error2 / scale2)
}

// searchLine returns the part of the direction at which the cost is least.
func (p *Problem) searchLine() float64 {
	base, curve := 0.0, 0.0
	for i, d := range p.direction {
		base += float64(p.inertial[i] * d)
		curve += float64(p.change[i] * d)
	}
	low, high, part := 0.0, math.Inf(1), 1.0
	enough := float64(1e-3 * curve)
	for range maxIterations {
		slope, curvature := base+float64(part*curve), curve
		for i := range p.joints {
			s, c := p.joints[i].workAlong(part)
			slope, curvature = slope+s, curvature+c
		}
		for i := range p.contacts {
			s, c := p.contacts[i].workAlong(p, part)
			slope, curvature = slope+s, curvature+c
		}
		if math.Abs(slope) <= enough {
			return part
		}
		if slope < 0 {
			low = part
		} else {
			high = part
		}
		next := part - slope/curvature
		if !(next > low && next < high) {
			if math.IsInf(high, 1) {
				next = 2 * part
			} else {
				next = 0.5 * (low + high)
			}
		}
		part = next
	}
	return part
}
