package newton

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
)

// island is a problem beside its dense matrices, from which the tests compute what the solver must find.
type island struct {
	Problem
	rng      *rand.Rand
	slip     *rand.Rand     // nil: no contact slips
	jacobian [][][6]float64 // by body and degree of freedom: the twist
	mass     [][]float64
	start    []float64 // velocities
	momentum []float64 // M·start and the impulses of smooth forces
}

func (s *island) vector(scale float64) r3.Vec {
	return r3.V(s.rng.NormFloat64()*scale, s.rng.NormFloat64()*scale, s.rng.NormFloat64()*scale)
}

func (s *island) direction() r3.Vec {
	v := s.vector(1)
	return v.Scale(1 / v.Len())
}

func array(v Vector6) [6]float64 {
	return [6]float64{v.Ang.X, v.Ang.Y, v.Ang.Z, v.Lin.X, v.Lin.Y, v.Lin.Z}
}

func dot(a, b [6]float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// randomIsland is trees of some links with contacts among each other and with the ground. Softness scales the
// compliance of all rows.
func randomIsland(seed uint64, softness float64) *island {
	s := &island{rng: rand.New(rand.NewPCG(seed, 1))}
	if seed%4 == 3 {
		s.slip = rand.New(rand.NewPCG(seed, 2))
	}
	for range 1 + s.rng.IntN(3) {
		s.addTree(1 + s.rng.IntN(4))
	}
	s.computeMass()
	for range s.rng.IntN(4) {
		d := int32(s.rng.IntN(len(s.axes)))
		s.AddJointRow(&Row{Target: s.rng.NormFloat64(), Lower: -s.rng.Float64(), Upper: s.rng.Float64(),
			Compliance: softness * (0.1 + s.rng.Float64())}, []int32{d}, []float64{1})
	}
	for range 1 + s.rng.IntN(6) {
		b := int32(s.rng.IntN(len(s.bodies)))
		a := int32(s.rng.IntN(len(s.bodies)+1)) - 1
		if a == b {
			a = Ground
		}
		s.addContact(a, b, softness)
	}
	return s
}

// addTree adds a root with six degrees of freedom, and links with one each below any of those before.
func (s *island) addTree(links int) {
	first := int32(len(s.bodies))
	for k := range links {
		tensor := r3.Mat{XX: 0.1 + s.rng.Float64(), YY: 0.1 + s.rng.Float64(), ZZ: 0.1 + s.rng.Float64()}
		inertia := Inertia(0.5+s.rng.Float64(), s.vector(0.5), &tensor)
		parent := Ground
		if k > 0 {
			parent = first + int32(s.rng.IntN(k))
		}
		b := s.AddBody(parent, &inertia)
		jacobian := make([][6]float64, len(s.axes), len(s.axes)+6)
		if parent >= 0 {
			copy(jacobian, s.jacobian[parent])
		}
		add := func(axis Vector6) {
			s.AddDof(axis, s.rng.NormFloat64(), s.rng.NormFloat64(), 0.1*s.rng.Float64())
			jacobian = append(jacobian, array(axis))
		}
		if k == 0 {
			for i := range 3 {
				add(Vector6{Lin: r3.Vec{}.With(i, 1)})
			}
			for i := range 3 {
				add(Vector6{Ang: r3.Vec{}.With(i, 1)})
			}
		} else {
			axis := s.direction()
			add(Vector6{Ang: axis, Lin: s.vector(0.5).Cross(axis)})
		}
		s.jacobian = append(s.jacobian, jacobian)
		if int(b) != len(s.jacobian)-1 {
			panic("bodies are out of step")
		}
	}
}

// computeMass computes M as the sum of the bodies' Jᵀ·I·J.
func (s *island) computeMass() {
	n := len(s.axes)
	s.mass = make([][]float64, n)
	for i := range s.mass {
		s.mass[i] = make([]float64, n)
		s.mass[i][i] = s.Diagonal[i]
	}
	for b, j := range s.jacobian {
		for i := range j {
			f := s.bodies[b].inertia.times(&Vector6{r3.V(j[i][0], j[i][1], j[i][2]),
				r3.V(j[i][3], j[i][4], j[i][5])})
			for k := range j {
				s.mass[i][k] += dot(array(f), j[k])
			}
		}
	}
	s.start = append([]float64(nil), s.Velocity...)
	s.momentum = make([]float64, n)
	for i := range n {
		s.momentum[i] = s.Momentum[i]
		for k := range n {
			s.momentum[i] += s.mass[i][k] * s.start[k]
		}
	}
}

// addContact adds a contact of two or three normals, with friction of two coefficients, spin and, sometimes,
// rolling resistance.
func (s *island) addContact(a, b int32, softness float64) {
	normal := s.direction()
	t1, t2 := normal.Basis()
	c := Contact{Normals: int32(2 + s.rng.IntN(2)), Torsion: 0.1 * s.rng.Float64(), LeverFactor: 0.3,
		Friction: [2]float64{s.rng.Float64(), s.rng.Float64()}}
	if s.rng.IntN(2) == 0 {
		c.Rolling = 0.1 * s.rng.Float64()
	}
	if s.slip != nil {
		c.Slip = [2]float64{s.slip.Float64(), s.slip.Float64()}
	}
	s.AddContact(a, b, &c)
	center := s.vector(1)
	add := func(w Vector6, row Row) {
		row.Compliance = softness
		if a >= 0 {
			row.A.addScaled(-1, &w)
		}
		row.B = w
		s.AddRow(&row)
	}
	at := func(p, f r3.Vec) Vector6 { return Vector6{Ang: p.Cross(f), Lin: f} }
	for range c.Normals {
		off := t1.Scale(s.rng.NormFloat64()*0.1).AddScaled(s.rng.NormFloat64()*0.1, t2)
		add(at(center.Add(off), normal), Row{Upper: math.Inf(1), Lever: off.Len(),
			Target: 0.3 * s.rng.NormFloat64()})
	}
	add(Vector6{Ang: normal}, Row{})
	add(at(center, t1), Row{})
	add(at(center, t2), Row{})
	if c.Rolling > 0 {
		for i := range 3 {
			add(Vector6{Ang: r3.Vec{}.With(i, 1)}, Row{})
		}
	}
}

// speed is J·v of a contact's row by the dense matrices.
func (s *island) speed(c *contact, r *Row) (sum float64) {
	for _, side := range []struct {
		body   int32
		wrench Vector6
	}{{c.a, r.A}, {c.b, r.B}} {
		if side.body >= 0 {
			for d, j := range s.jacobian[side.body] {
				sum += dot(j, array(side.wrench)) * s.Velocity[d]
			}
		}
	}
	return sum
}

// residual is M·v − momentum − Jᵀ·λ by the dense matrices, as a part of the momentum.
func (s *island) residual() float64 {
	worst, scale := 0.0, 0.0
	for d := range s.axes {
		r := -s.momentum[d]
		for k, v := range s.Velocity {
			r += s.mass[d][k] * v
		}
		for i := range s.joints {
			for _, t := range s.termsOf(&s.joints[i]) {
				if int(t.dof) == d {
					r -= t.coefficient * s.joints[i].Impulse
				}
			}
		}
		for i := range s.contacts {
			c := &s.contacts[i]
			for _, row := range c.rowsOf(&s.Problem) {
				if c.a >= 0 && d < len(s.jacobian[c.a]) {
					r -= dot(s.jacobian[c.a][d], array(row.A)) * row.Impulse
				}
				if c.b >= 0 && d < len(s.jacobian[c.b]) {
					r -= dot(s.jacobian[c.b][d], array(row.B)) * row.Impulse
				}
			}
		}
		worst, scale = max(worst, math.Abs(r)), max(scale, math.Abs(s.momentum[d]))
	}
	return worst / scale
}

// law is the largest error of an impulse, N·s, against the compliance, the bounds and the cone of its row.
func (s *island) law() (worst float64) {
	off := func(x float64) { worst = max(worst, math.Abs(x)) }
	clamped := func(r *Row, speed, bound float64) {
		lower, upper := r.Lower, r.Upper
		if bound >= 0 {
			lower, upper = -bound, bound
		}
		off(r.Impulse - max(lower, min(upper, (r.Target-speed)/r.Compliance)))
	}
	for i := range s.joints {
		j := &s.joints[i]
		clamped(&j.Row, s.Velocity[s.termsOf(j)[0].dof], -1)
	}
	for i := range s.contacts {
		c := &s.contacts[i]
		rows := c.rowsOf(&s.Problem)
		n := int(c.Normals)
		for k := range n {
			clamped(&rows[k], s.speed(c, &rows[k]), -1)
		}
		clamped(&rows[n], s.speed(c, &rows[n]), c.bound.spin)
		// Friction is the impulse of the compliance within the ellipse, else it lies on its edge and
		// dissipates as no other impulse there does.
		x, y := &rows[n+1], &rows[n+2]
		fx, fy := x.Impulse/c.Friction[0], y.Impulse/c.Friction[1]
		wx, wy := -s.speed(c, x)*c.Friction[0], -s.speed(c, y)*c.Friction[1]
		off(max(0, math.Hypot(fx, fy)-c.bound.tangent))
		// With slip, what is left of a speed beyond its own compliance is along the impulse.
		wx -= c.Slip[0] * x.Impulse * c.Friction[0]
		wy -= c.Slip[1] * y.Impulse * c.Friction[1]
		off((fx*wy - fy*wx) / max(math.Hypot(wx, wy), 1e-9))
		off(min(0, fx*wx+fy*wy))
		if c.Rolling > 0 {
			sum := 0.0
			for k := range 3 {
				sum += rows[n+3+k].Impulse * rows[n+3+k].Impulse
			}
			off(max(0, math.Sqrt(sum)-c.bound.rolling))
		}
	}
	return worst
}

// TestTheImpulseOfSlipIsTheLeastOnTheDisc: no other impulse within the bound has less of ½·Σ rᵢ·fᵢ² + w·f,
// and its slope is the quotient of differences.
func TestTheImpulseOfSlipIsTheLeastOnTheDisc(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		c := contact{Contact: Contact{Friction: [2]float64{1, 1}, Slip: [2]float64{rng.Float64() * 10,
			rng.Float64() * 10}}}
		c.bound.tangent = rng.Float64()
		const r = 1e-3
		x, y := rng.NormFloat64(), rng.NormFloat64()
		row := Row{Compliance: r}
		var law, scratch planeLaw
		fx, fy := c.slide(&row, &row, x, y, &law)
		if f := math.Hypot(fx, fy); f > c.bound.tangent*(1+1e-9) {
			t.Fatalf("|f| is %v beyond %v", f, c.bound.tangent)
		}
		cost := func(fx, fy float64) float64 {
			return 0.5*((r+c.Slip[0])*fx*fx+(r+c.Slip[1])*fy*fy) + x*fx + y*fy
		}
		for i := range 64 {
			a := float64(i) * math.Pi / 32
			for _, b := range []float64{0, 0.5, 0.99, 1} {
				ox, oy := b*c.bound.tangent*math.Cos(a), b*c.bound.tangent*math.Sin(a)
				if cost(ox, oy) < cost(fx, fy)-1e-12 {
					t.Fatalf("%+v at %v, %v: (%v, %v) costs less than (%v, %v)", c, x, y, ox, oy, fx, fy)
				}
			}
		}
		const d = 1e-6
		xx, xy := c.slide(&row, &row, x+d, y, &scratch)
		_, yy := c.slide(&row, &row, x, y+d, &scratch)
		for _, e := range [][2]float64{{law.xx, (fx - xx) / d}, {law.xy, (fy - xy) / d},
			{law.yy, (fy - yy) / d}} {
			if math.Abs(e[0]-e[1]) > 1e-3*(1+math.Abs(e[0])) {
				t.Fatalf("slope %v, by differences %v", e[0], e[1])
			}
		}
	}
}

func TestVelocitiesAreThoseOfLeastCost(t *testing.T) {
	for seed := range uint64(500) {
		s := randomIsland(seed, []float64{1, 1e-2, 1e-4}[seed%3])
		s.Begin()
		s.Solve()
		if r := s.residual(); !(r < 2e-8) {
			t.Errorf("seed %d: M·v − p − Jᵀ·λ is %.2g of p", seed, r)
		}
		if l := s.law(); !(l < 1e-6) {
			t.Errorf("seed %d: an impulse is %.2g N·s from what its row's law says", seed, l)
		}
	}
}

func TestNewtonsMethodConvergesInFewIterations(t *testing.T) {
	const problems = 300
	for _, c := range []struct{ softness, cold, warm float64 }{{1, 7.6, 2.2}, {1e-2, 11.8, 3.2},
		{1e-4, 13.8, 4.4}} {
		cold, warm := 0, 0
		for seed := range uint64(problems) {
			s := randomIsland(seed, c.softness)
			s.Begin()
			cold += s.Solve()
			// as the next step finds it: with the impulses of this one
			again := randomIsland(seed, c.softness)
			for i := range again.rows {
				again.rows[i].Impulse = s.rows[i].Impulse
			}
			for i := range again.joints {
				again.joints[i].Impulse = s.joints[i].Impulse
			}
			again.Begin()
			warm += again.Solve()
		}
		n, m := float64(cold)/problems, float64(warm)/problems
		t.Logf("compliance %v: %.2f iterations, %.2f with a warm start", c.softness, n, m)
		if n > c.cold || m > c.warm {
			t.Errorf("compliance %v: %.2f iterations, %.2f with a warm start, want at most %v and %v",
				c.softness,
				n, m, c.cold, c.warm)
		}
	}
}

func TestAProblemThatDoesNotConvergeEndsAtTheBoundOfIterations(t *testing.T) {
	s := randomIsland(1, 1e-16) // of which rounding alone is more than the tolerance
	s.Begin()
	if n, m := s.Start(), s.Resume(); n > 101 || m != 100 {
		t.Errorf("%d and %d iterations, want at most 101 and 100", n, m)
	}
}

func TestBoundsOfFrictionFollowNormalImpulses(t *testing.T) {
	// A block slides along the ground, and a part of its friction presses it down, as on a tilted plane. A
	// round leaves µ times this part of the error.
	for _, c := range []struct{ coupling, within float64 }{{0, 1e-12}, {0.01, 1e-3}, {0.04, 1e-3},
		{0.1, 1e-3}, {0.3, 1e-3}, {0.6, 3e-3}} {
		var s island
		inertia := Inertia(1, r3.Vec{}, &r3.Mat{XX: 1, YY: 1, ZZ: 1})
		s.AddBody(Ground, &inertia)
		s.AddDof(Vector6{Lin: r3.V(1, 0, 0)}, 3, 0, 0)
		s.AddDof(Vector6{Lin: r3.V(0, 0, 1)}, 0, -1, 0)
		s.AddContact(Ground, 0, &Contact{Normals: 1, Friction: [2]float64{1, 1}})
		s.AddRow(&Row{B: Vector6{Lin: r3.V(0, 0, 1)}, Upper: math.Inf(1), Compliance: 1e-3})
		s.AddRow(&Row{B: Vector6{Ang: r3.V(0, 0, 1)}, Compliance: 1e-3})
		s.AddRow(&Row{B: Vector6{Lin: r3.V(1, 0, c.coupling)}, Compliance: 1e-3})
		s.AddRow(&Row{B: Vector6{Lin: r3.V(0, 1, 0)}, Compliance: 1e-3})
		s.Begin()
		s.Solve()
		normal, friction := s.rows[0].Impulse, -s.rows[2].Impulse
		if off := math.Abs(friction-normal) / normal; off > c.within {
			t.Errorf("coupling %v: friction is %.3g of the normal impulse, want 1 within %v", c.coupling,
				friction/normal, c.within)
		} else {
			t.Logf("coupling %v: off by %.3g", c.coupling, off)
		}
	}
}

func TestASolveAllocatesNothing(t *testing.T) {
	s := randomIsland(3, 1e-3)
	s.Begin()
	if n := testing.AllocsPerRun(10, func() {
		s.Begin()
		s.Solve()
		s.Relax()
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestAMomentumThatIsOffByABillionthIsASolution: with less the velocities stay. With more there is another
// step. Start is content with a hundredth.
func TestAMomentumThatIsOffByABillionthIsASolution(t *testing.T) {
	s := &island{rng: rand.New(rand.NewPCG(1, 1))}
	s.addTree(1)
	s.computeMass()
	s.Begin()
	s.Solve()
	for off, want := range map[float64]bool{0.7e-9: true, 1.4e-9: false} {
		clear(s.inertial)
		clear(s.Momentum)
		s.Momentum[2], s.inertial[2] = 3, 3*off
		if got := s.computeGradient() <= tolerance; got != want {
			t.Errorf("a momentum that is off by %v of itself is a solution: %v, want %v", off, got, want)
		}
		s.inertial[2] = 3e7 * off
		if got := s.computeGradient() <= startTolerance; got != want {
			t.Errorf("Start ends with a momentum that is off by %v of itself: %v, want %v", 1e7*off, got, want)
		}
	}
}

// TestBoundsFollowNormalsThatAreExactToAHundredth: while momenta are off by more, they stay.
func TestBoundsFollowNormalsThatAreExactToAHundredth(t *testing.T) {
	for off, want := range map[float64]bool{0.7e-2: true, 1.4e-2: false} {
		var s island
		inertia := Inertia(1, r3.Vec{}, &r3.Mat{XX: 1, YY: 1, ZZ: 1})
		s.AddBody(Ground, &inertia)
		s.AddDof(Vector6{Lin: r3.V(1, 0, 0)}, 0, 0, 0)
		s.AddDof(Vector6{Lin: r3.V(0, 0, 1)}, 0, -1, 0)
		s.AddContact(Ground, 0, &Contact{Normals: 1, Friction: [2]float64{1, 1}})
		s.AddRow(&Row{B: Vector6{Lin: r3.V(0, 0, 1)}, Upper: math.Inf(1), Compliance: 1e-3})
		s.AddRow(&Row{B: Vector6{Ang: r3.V(0, 0, 1)}, Compliance: 1e-3})
		s.AddRow(&Row{B: Vector6{Lin: r3.V(1, 0, 0)}, Compliance: 1e-3})
		s.AddRow(&Row{B: Vector6{Lin: r3.V(0, 1, 0)}, Compliance: 1e-3})
		s.Begin()
		s.Solve()
		bound := &s.contacts[0].bound.tangent
		*bound = 2
		s.AddMomentum(0, math.Sqrt2*off) // the weight and the ground's impulse are 1 each
		s.iterate(1)
		if got := *bound < 1.1; got != want {
			t.Errorf("with momenta off by %v the bound of friction goes from 2 to %v; follows: %v, want %v", off,
				*bound, got, want)
		}
	}
}

// TestABoundThatRunsAwayIsFollowedByATenth: where a bound is off by more after a round than before it, in the
// same direction, Aitken's method would turn back. It goes on a tenth of the way.
func TestABoundThatRunsAwayIsFollowedByATenth(t *testing.T) {
	var s island
	s.contacts = []contact{{Contact: Contact{Normals: 1}, rowCount: 1}}
	s.rows = []Row{{Impulse: 2}}
	c := &s.contacts[0]
	if !s.followNormals(0) || c.bound.tangent != 2 {
		t.Fatalf("the first round goes to %v, want 2", c.bound.tangent)
	}
	s.rows[0].Impulse = 7
	if !s.followNormals(1) || math.Abs(c.bound.tangent-2.5) > 1e-12 {
		t.Errorf("the second round goes from 2 to %v, want a tenth of the way to 7", c.bound.tangent)
	}
}
