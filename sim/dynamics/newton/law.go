package newton

import "math"

// planeLaw is the slope of the impulses of two tangents.
type planeLaw struct {
	xx, xy, yy float64 // -∂impulse/∂speed
}

// ballLaw is the slope of the impulse of rolling.
type ballLaw struct {
	sticks bool
	slope  float64    // -∂impulse/∂speed across the direction of rolling
	along  [3]float64 // unit direction of rolling
}

// rowsOf is the rows of the contact.
func (c *contact) rowsOf(p *Problem) []Row { return p.rows[c.firstRow : c.firstRow+c.rowCount] }

// evaluate computes the impulses of the contact's rows at their speeds, and their slopes.
func (c *contact) evaluate(p *Problem) {
	rows, n := c.rowsOf(p), c.Normals
	for i := range n {
		rows[i].evaluate()
	}
	spin := &rows[n]
	spin.Lower, spin.Upper = -c.bound.spin, c.bound.spin
	spin.evaluate()
	x, y := &rows[n+1], &rows[n+2]
	c.tangent = planeLaw{}
	x.Impulse, y.Impulse = c.slide(x, y, x.speed-x.Target, y.speed-y.Target, &c.tangent)
	if c.Rolling > 0 {
		c.evaluateRolling(rows[n+3 : n+6])
	}
}

// evaluate computes the impulse of a row of its own, and its slope.
func (r *Row) evaluate() {
	want := (r.Target - r.speed) / r.Compliance
	r.Impulse, r.slope = max(r.Lower, min(r.Upper, want)), 0
	if r.Impulse == want && r.Lower < r.Upper {
		r.slope = 1 / r.Compliance
	}
}

// slide is the impulse of friction at two speeds. In speeds that are scaled by the coefficients of friction,
// and impulses divided by them, the bound is a circle of the normal impulse.
func (c *contact) slide(x, y *Row, u, v float64, law *planeLaw) (fx, fy float64) {
	m1, m2, bound := c.Friction[0], c.Friction[1], c.bound.tangent
	if m1 <= 0 || bound <= 0 {
		return 0, 0
	}
	r := float64(x.Compliance * m1 * m1)
	wx, wy := float64(m1*u), float64(m2*v)
	if c.Slip != [2]float64{} {
		fx, fy = c.slip(r, wx, wy, law)
		return float64(fx * m1), float64(fy * m2)
	}
	speed := math.Sqrt(float64(wx*wx) + float64(wy*wy))
	if speed <= float64(bound*r) {
		g := 1 / r
		law.xx, law.yy = float64(g*m1*m1), float64(g*m2*m2)
		return float64(-g * wx * m1), float64(-g * wy * m2)
	}
	ex, ey := wx/speed, wy/speed
	g := bound / speed
	law.xx, law.yy = float64(g*ey*ey*m1*m1), float64(g*ex*ex*m2*m2)
	law.xy = float64(-g * ex * ey * m1 * m2)
	return float64(-bound * ex * m1), float64(-bound * ey * m2)
}

// slip is slide of a contact whose tangents have compliances of their own besides r. The scaled impulse f
// minimizes ½·Σ rᵢ·fᵢ² + w·f on the disc of the bound: fᵢ = -wᵢ/(rᵢ + μ), with μ of |f| = bound beyond it.
func (c *contact) slip(r, wx, wy float64, law *planeLaw) (fx, fy float64) {
	m1, m2, bound := c.Friction[0], c.Friction[1], c.bound.tangent
	rx, ry := r+float64(c.Slip[0]*m1*m1), r+float64(c.Slip[1]*m2*m2)
	ax, ay := 1/rx, 1/ry
	fx, fy = float64(-wx*ax), float64(-wy*ay)
	if f2 := float64(fx*fx) + float64(fy*fy); f2 > float64(bound*bound) {
		mu := 0.0
		for range maxIterations { // Newton's method on 1/|f|, which is concave in μ: from below
			f := math.Sqrt(f2)
			slope := (float64(fx*fx*ax) + float64(fy*fy*ay)) / f
			more := float64((f-bound)*f) / float64(bound*slope)
			mu += more
			ax, ay = 1/(rx+mu), 1/(ry+mu)
			fx, fy = float64(-wx*ax), float64(-wy*ay)
			f2 = float64(fx*fx) + float64(fy*fy)
			if more <= float64(1e-14*mu) {
				break
			}
		}
	} else {
		law.xx, law.yy = float64(ax*m1*m1), float64(ay*m2*m2)
		return fx, fy
	}
	// At the bound the impulse only turns: the slope along f is none.
	gx, gy := float64(fx*ax), float64(fy*ay)
	k := 1 / (float64(fx*gx) + float64(fy*gy))
	law.xx = float64((ax - float64(k*gx*gx)) * m1 * m1)
	law.yy = float64((ay - float64(k*gy*gy)) * m2 * m2)
	law.xy = float64(-k * gx * gy * m1 * m2)
	return fx, fy
}

// evaluateRolling computes the three impulses of rolling resistance.
func (c *contact) evaluateRolling(rows []Row) {
	r, bound := rows[0].Compliance, c.bound.rolling
	w := [3]float64{rows[0].speed - rows[0].Target, rows[1].speed - rows[1].Target,
		rows[2].speed - rows[2].Target}
	speed := length(&w)
	c.ball = ballLaw{sticks: speed <= float64(bound*r), slope: 1 / r}
	k := -1 / r
	if !c.ball.sticks {
		k = -bound / speed
		c.ball.slope = -k
		c.ball.along = [3]float64{w[0] / speed, w[1] / speed, w[2] / speed}
	}
	for i := range rows {
		rows[i].Impulse = float64(k * w[i])
	}
}

func length(w *[3]float64) float64 {
	return math.Sqrt(float64(w[0]*w[0]) + float64(w[1]*w[1]) + float64(w[2]*w[2]))
}

// frictionBounds is the largest impulses of friction: of the tangents in scaled speeds, N·s, of the spin
// about the normal and of rolling, N·m·s.
type frictionBounds struct{ tangent, spin, rolling float64 }

// bounds returns the bounds of friction by the present normal impulses.
func (c *contact) bounds(p *Problem) frictionBounds {
	rows := c.rowsOf(p)
	normal, levers := 0.0, 0.0
	for i := range c.Normals {
		normal += rows[i].Impulse
		levers += float64(rows[i].Impulse * rows[i].Lever)
	}
	return frictionBounds{tangent: normal, spin: float64(c.LeverFactor*levers) + float64(c.Torsion*normal),
		rolling: float64(c.Rolling * normal)}
}

// workAlong returns the derivative of the row's cost along the direction, at a part of it, and the derivative
// of that.
func (r *Row) workAlong(part float64) (slope, curvature float64) {
	want := (r.Target - r.speed - float64(part*r.change)) / r.Compliance
	j := max(r.Lower, min(r.Upper, want))
	if j == want {
		curvature = float64(r.change*r.change) / r.Compliance
	}
	return -float64(j * r.change), curvature
}

// workAlong is that of all rows of the contact.
func (c *contact) workAlong(p *Problem, part float64) (slope, curvature float64) {
	rows := c.rowsOf(p)
	n := int(c.Normals)
	for i := range rows[:n+1] {
		a, b := rows[i].workAlong(part)
		slope, curvature = slope+a, curvature+b
	}
	x, y := &rows[n+1], &rows[n+2]
	var law planeLaw
	fx, fy := c.slide(x, y, x.speed-x.Target+float64(part*x.change),
		y.speed-y.Target+float64(part*y.change), &law)
	slope -= float64(fx*x.change) + float64(fy*y.change)
	curvature += float64(law.xx*x.change*x.change) + float64(2*law.xy*x.change*y.change) +
		float64(law.yy*y.change*y.change)
	if c.Rolling > 0 {
		a, b := c.rollingWork(rows[n+3:], part)
		slope, curvature = slope+a, curvature+b
	}
	return slope, curvature
}

// rollingWork is workAlong of the rows of rolling.
func (c *contact) rollingWork(rows []Row, part float64) (slope, curvature float64) {
	r, bound := rows[0].Compliance, c.bound.rolling
	var w, d [3]float64
	for i := range rows[:3] {
		d[i] = rows[i].change
		w[i] = rows[i].speed - rows[i].Target + float64(part*d[i])
	}
	speed := length(&w)
	wd := float64(w[0]*d[0]) + float64(w[1]*d[1]) + float64(w[2]*d[2])
	dd := float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2])
	if speed <= float64(bound*r) {
		return wd / r, dd / r
	}
	k, along := bound/speed, wd/speed
	return float64(k * wd), float64(k * (dd - float64(along*along)))
}
