package articulation

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

var jointTypes = []JointType{Fixed, Revolute, Continuous, Prismatic, Ball, Universal, Screw, Planar}

// noJoints are joints without motors, limits and loops.
type noJoints struct{}

func (noJoints) SetEfforts()                                   {}
func (noJoints) AddRows()                                      {}
func (noJoints) LoopDirections(int, float64, bool) []Direction { return nil }
func (noJoints) AddLoopRows(int)                               {}
func (noJoints) LimitError(*Row, float64) (float64, bool)      { return 0, false }

func randomVec(r *rand.Rand) r3.Vec {
	return r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
}

func randomRotation(r *rand.Rand) r3.Quat {
	return r3.AxisAngle(randomVec(r).Add(r3.V(0, 0, 1e-3)), 3*r.Float64())
}

func randomBody(r *rand.Rand) Body {
	b := Body{Mass: 0.2 + 2*r.Float64()}
	m := r3.V(0.01+r.Float64(), 0.01+r.Float64(), 0.01+r.Float64()).Scale(0.1 * b.Mass)
	tensor := r3.Diag(r3.V(m.Y+m.Z, m.X+m.Z, m.X+m.Y))
	b.Inertia = tensor.Turned(randomRotation(r))
	return b
}

func randomJoint(r *rand.Rand, kind JointType) Joint {
	return Joint{Type: kind, Pitch: 0.1 * r.Float64(), AnchorA: randomVec(r).Scale(0.3),
		AnchorB: randomVec(r).Scale(0.3), RotA: randomRotation(r), RotB: randomRotation(r)}
}

// randomTree is up to eight links on joints of every type in random positions and motion, of which every
// other one floats.
func randomTree(r *rand.Rand) *Articulation {
	art := new(Articulation)
	if r.IntN(2) == 0 {
		art.AddFloatingBase(randomBody(r))
		art.SetFloatingBase(randomVec(r), randomRotation(r), randomVec(r), randomVec(r))
	}
	for range 1 + r.IntN(7) {
		parent := int32(r.IntN(len(art.links)+1)) - 1
		if art.Floating() || len(art.links) > 0 && parent < 0 {
			parent = int32(r.IntN(len(art.links)))
		}
		art.AddLink(parent, randomJoint(r, jointTypes[r.IntN(len(jointTypes))]), randomBody(r))
	}
	art.Coordinates(func(q, v *float64) { *q, *v = *q+r.NormFloat64(), r.NormFloat64() },
		func(q *r3.Quat) { *q = q.Mul(randomRotation(r)) })
	return art
}

// Coordinates shows positions and velocities of all degrees of freedom, then the rotation of every link, to
// functions that may change them.
func (tree *Tree) Coordinates(dof func(q, v *float64), rotation func(*r3.Quat)) {
	for d := range tree.dofs {
		dof(&tree.dofs[d].q, &tree.dofs[d].v)
	}
	for k := range tree.links {
		if rotation != nil {
			rotation(&tree.links[k].rotation)
		}
	}
}

// still is a base that does not move.
func still() *Base { return &Base{Rot: r3.Identity()} }

// goOn takes one step of one substep of h seconds, and calls add after the step has begun.
func (art *Articulation) goOn(h float64, joints Joints, add func()) {
	art.BeginStep(false)
	add()
	art.BeginSubstep(h, still(), joints)
	art.SolveRows(false)
	art.Advance(h)
	art.SolveRows(true)
	if art.Conserved() {
		art.EndSubstep(h, still(), joints)
	}
	art.EndStep(h)
	art.Refresh(still())
}

func nothing() {}

// inverse returns M⁻¹ by columns.
func (art *Articulation) inverse() []float64 {
	n := art.DOFs()
	out := make([]float64, n*n)
	for c := range n {
		out[c*n+c] = 1
		art.SolveInertia(out[c*n : c*n+n])
	}
	return out
}

// momenta returns the generalised momentum of every degree of freedom: momenta of subtrees along its axis.
func (art *Articulation) momenta() []float64 {
	art.ComputeTwists()
	sum, out := make([]spatial, len(art.links)), make([]float64, art.DOFs())
	for i := len(art.links) - 1; i >= 0; i-- {
		k := &art.links[i]
		own := k.inertia.momentum(&k.velocity)
		sum[i].add(&own)
		if k.parent >= 0 {
			sum[k.parent].add(&sum[i])
		}
		for d := k.firstDof; d < k.firstDof+k.dofCount; d++ {
			out[d] = art.dofs[d].axis.dot(&sum[i])
		}
	}
	return out
}

// TestTheMassMatrixTurnsVelocitiesIntoMomenta: its columns, by the composite-rigid-body algorithm, are the
// momenta that unit velocities give the links.
func TestTheMassMatrixTurnsVelocitiesIntoMomenta(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		art := randomTree(r)
		art.forwardKinematics(0, still())
		art.computeInertia(0)
		n, inverse := art.DOFs(), art.inverse()
		for c := range n {
			art.Stop()
			art.dofs[c].v = 1
			column := art.momenta()
			for i := range n {
				sum, want := linalg.Dot(inverse[i*n:i*n+n], column), 0.0
				if i == c {
					want = 1
				}
				if math.Abs(sum-want) > 1e-7 {
					t.Fatalf("seed %d: M⁻¹·M has %v at %d, %d, want %v", seed, sum, i, c, want)
				}
			}
		}
	}
}

// TestBiasForcesAreThoseOfLagrangesEquation: at constant joint velocities the bias force is d/dt (M·q̇) -
// ½·∂(q̇ᵀMq̇)/∂q. The test differentiates the momenta and the kinetic energy numerically. Floating bases and
// ball joints are left out: their velocities are no derivatives of coordinates.
func TestBiasForcesAreThoseOfLagrangesEquation(t *testing.T) {
	const step = 1e-5
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		art := new(Articulation)
		for range 1 + r.IntN(6) {
			kind := jointTypes[r.IntN(len(jointTypes))]
			if kind == Ball {
				kind = Planar
			}
			art.AddLink(int32(r.IntN(len(art.links)+1))-1, randomJoint(r, kind), randomBody(r))
		}
		n := art.DOFs()
		q, v := make([]float64, n), make([]float64, n)
		for d := range n {
			q[d], v[d] = r.NormFloat64(), r.NormFloat64()
		}
		at := func(offset []float64, part float64) (momenta []float64, energy float64) {
			for d := range n {
				art.dofs[d].q, art.dofs[d].v = q[d]+part*offset[d], v[d]
			}
			art.forwardKinematics(0, still())
			art.computeLinkInertias()
			momenta = art.momenta()
			energy, _ = art.kineticEnergyAndMomentum()
			return momenta, energy
		}
		after, _ := at(v, step)
		before, _ := at(v, -step)
		at(v, 0)
		art.computeBias(step, 0, biasTerms{inertial: true})
		bias := make([]float64, n)
		for d := range n {
			bias[d] = art.dofs[d].bias
		}
		for c := range n {
			unit := make([]float64, n)
			unit[c] = 1
			_, more := at(unit, step)
			_, less := at(unit, -step)
			want := (after[c]-before[c])/(2*step) - (more-less)/(2*step)
			if math.Abs(bias[c]-want) > 1e-5*(1+math.Abs(want)) {
				t.Fatalf("seed %d: the bias force of %d is %v, want %v", seed, c, bias[c], want)
			}
		}
	}
}

// TestADoublePendulumHasTheMassMatrixAndBiasOfTextbooks: point masses m on arms of length l, turned by q0 and
// q0+q1 from hanging, in gravity.
func TestADoublePendulumHasTheMassMatrixAndBiasOfTextbooks(t *testing.T) {
	const m, l, g = 1.5, 0.7, 9.81
	art := new(Articulation)
	rod := Body{Mass: m, Inertia: r3.Diag(r3.V(1e-12, 1e-12, 1e-12))}
	about := r3.Between(r3.V(0, 0, 1), r3.V(0, -1, 0))
	j := Joint{Type: Revolute, RotA: about, RotB: about, AnchorB: r3.V(0, 0, l)}
	art.AddLink(-1, j, rod)
	art.AddLink(0, j, rod)
	q, v := [2]float64{0.4, 0.9}, [2]float64{1.3, -0.8}
	i := 0
	art.Coordinates(func(a, b *float64) { *a, *b = q[i], v[i]; i++ }, func(*r3.Quat) {})
	for k := range int32(2) {
		art.SetLoad(k, r3.V(0, 0, -m*g), r3.Vec{})
	}
	art.forwardKinematics(0, still())
	art.computeInertia(0)
	art.computeBias(0.001, 0, biasTerms{external: true, inertial: true})
	m11, m12, m22 := m*l*l*(3+2*math.Cos(q[1])), m*l*l*(1+math.Cos(q[1])), m*l*l
	x := []float64{1, 0}
	art.SolveInertia(x)
	det := m11*m22 - m12*m12
	if math.Abs(x[0]-m22/det) > 1e-9 || math.Abs(x[1]+m12/det) > 1e-9 {
		t.Errorf("M⁻¹ has the column %v, want %v", x, []float64{m22 / det, -m12 / det})
	}
	sin, s0, s01 := math.Sin(q[1]), math.Sin(q[0]), math.Sin(q[0]+q[1])
	want := [2]float64{-m*l*l*sin*(2*v[0]*v[1]+v[1]*v[1]) + m*g*l*(2*s0+s01),
		m*l*l*sin*v[0]*v[0] + m*g*l*s01}
	for d, w := range want {
		if got := art.dofs[d].bias; math.Abs(got-w) > 1e-9 {
			t.Errorf("the bias force of %d is %v, want %v", d, got, w)
		}
	}
}

// TestMeasuredJointsAreThoseThatKinematicsPlaced: MeasureJoint is the inverse of forward kinematics, for
// positions and velocities of joints of every type.
func TestMeasuredJointsAreThoseThatKinematicsPlaced(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		art := randomTree(r)
		art.Refresh(still())
		var measured Articulation
		measured.CopyFrom(art)
		measured.Coordinates(func(q, v *float64) { *q, *v = 0, 0 }, func(q *r3.Quat) { *q = r3.Identity() })
		at := func(link int32, anchor r3.Vec, rot r3.Quat) (r3.Pose, r3.Pose, r3.Vec, r3.Vec) {
			if link < 0 {
				return r3.Pose{Rot: r3.Identity()}, r3.Pose{Pos: anchor, Rot: rot}, r3.Vec{}, r3.Vec{}
			}
			com, turn := art.LinkPose(link)
			v, w := art.LinkTwist(link)
			body := r3.Pose{Pos: com, Rot: turn}
			return body, body.Mul(r3.Pose{Pos: anchor, Rot: rot}), v, w
		}
		for k := range art.links {
			link := &art.links[k]
			if link.free {
				com, rot := art.LinkPose(0)
				v, w := art.LinkTwist(0)
				measured.SetFloatingBase(com, rot, v, w)
				continue
			}
			pa, a, va, wa := at(link.parent, link.joint.AnchorA, link.joint.RotA)
			pb, b, vb, wb := at(int32(k), link.joint.AnchorB, link.joint.RotB)
			measured.MeasureJoint(int32(k), a, b,
				r3.Twist{Linear: va.Add(wa.Cross(b.Pos.Sub(pa.Pos))), Angular: wa},
				r3.Twist{Linear: vb.Add(wb.Cross(b.Pos.Sub(pb.Pos))), Angular: wb}, true)
		}
		measured.Refresh(still())
		for k := range int32(len(art.links)) {
			c1, r1 := art.LinkPose(k)
			c2, r2 := measured.LinkPose(k)
			if c1.Dist(c2) > 1e-9 || r1.Conj().Mul(r2).Vector().Len() > 1e-6 {
				t.Fatalf("seed %d: link %d (%v) is at %v, measured at %v", seed, k, art.links[k].joint.Type,
					c1, c2)
			}
		}
		for d := range int32(art.DOFs()) {
			if math.Abs(art.V(d)-measured.V(d)) > 1e-9*(1+math.Abs(art.V(d))) {
				t.Fatalf("seed %d: degree of freedom %d goes at %v, measured %v", seed, d, art.V(d),
					measured.V(d))
			}
		}
	}
}

// TestAFreeTreeConservesMomentumAndEnergy through many substeps, with joints of every type.
func TestAFreeTreeConservesMomentumAndEnergy(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		art := randomTree(r)
		if !art.floating {
			continue
		}
		if seed%2 == 0 { // fast: substeps are divided
			art.ScaleVelocities(10)
		}
		art.Refresh(still())
		sum := func() (energy float64, p spatial) {
			art.computeLinkInertias()
			energy, p = art.kineticEnergyAndMomentum()
			return energy, art.aboutWorldOrigin(&p)
		}
		e0, p0 := sum()
		for range 500 {
			art.goOn(0.001, noJoints{}, nothing)
		}
		e1, p1 := sum()
		if math.Abs(e1-e0) > 1e-4*e0 || p1.lin.Dist(p0.lin) > 1e-6*(1+p0.lin.Len()) ||
			p1.ang.Dist(p0.ang) > 1e-4*(1+p0.ang.Len()) {
			t.Errorf("seed %d: energy %v → %v J, momentum %v → %v", seed, e0, e1, p0, p1)
		}
	}
}

// TestImpulsesGoWhereTheyAreApplied: an impulse at a link changes the momentum of a free tree by itself, the
// link's velocity by the response, and responses are reciprocal.
func TestImpulsesGoWhereTheyAreApplied(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		art := randomTree(r)
		if !art.floating {
			continue
		}
		art.Refresh(still())
		a, b := int32(r.IntN(len(art.links))), int32(r.IntN(len(art.links)))
		art.BeginStep(true)
		art.RequestResponse(a)
		art.RequestResponse(b)
		ra, rb := art.LinkEnd(a), art.LinkEnd(b)
		art.BeginSubstep(1e-9, still(), noJoints{})
		_, p0 := art.kineticEnergyAndMomentum()
		v0, w0 := ra.Velocity()
		f, turn := randomVec(r), randomVec(r)
		dv, dw := ra.ImpulseResponse(f, turn)
		ra.ApplyImpulse(f, turn)
		_, p1 := art.kineticEnergyAndMomentum()
		v1, w1 := ra.Velocity()
		if d := v1.Sub(v0).Dist(dv) + w1.Sub(w0).Dist(dw); d > 1e-9*(1+dv.Len()+dw.Len()) {
			t.Errorf("seed %d: the link changes its twist by %v, %v, its response is %v, %v", seed,
				v1.Sub(v0), w1.Sub(w0), dv, dw)
		}
		moment := turn.Add(art.links[a].arm.Cross(f))
		if d := p1.lin.Sub(p0.lin).Dist(f) + p1.ang.Sub(p0.ang).Dist(moment); d > 1e-7 {
			t.Errorf("seed %d: momentum changes by %v, the impulse is %v, %v", seed, d, f, moment)
		}
		ab, ba := ra.CrossResponse(rb), rb.CrossResponse(ra)
		g, twist := randomVec(r), randomVec(r)
		va, wa := ab.Apply(g, twist)
		vb, wb := ba.Apply(f, turn)
		if x, y := va.Dot(f)+wa.Dot(turn), vb.Dot(g)+wb.Dot(twist); math.Abs(x-y) > 1e-8*(1+math.Abs(x)) {
			t.Errorf("seed %d: work %v there and %v back", seed, x, y)
		}
	}
}

// heldJoint holds one degree of freedom at rest, by at most an impulse.
type heldJoint struct {
	noJoints
	art *Articulation
	dof int32
	max float64
}

func (h heldJoint) AddRows() {
	row := RowOf(h.dof, 0)
	row.Lower, row.Upper = -h.max, h.max
	h.art.Rows.Add(&row)
}

// TestAHeldJointReactsToImpulsesUpToItsBound: in the constrained response of a link, a strong motor keeps its
// joint at rest. A weak motor takes the part of the impulse that its bound allows.
func TestAHeldJointReactsToImpulsesUpToItsBound(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 6))
		art := randomTree(r)
		if art.DOFs() == 0 {
			continue
		}
		art.Stop()
		art.Refresh(still())
		held := heldJoint{art: art, dof: int32(r.IntN(art.DOFs())), max: 1e6}
		link := int32(r.IntN(len(art.links)))
		begin := func() LinkEnd {
			art.BeginStep(true)
			art.RequestResponse(link)
			art.BeginSubstep(1e-3, still(), held)
			art.SolveRows(false)
			art.UpdateConstrainedResponses(false)
			return art.LinkEnd(link)
		}
		end, f, turn := begin(), randomVec(r), randomVec(r)
		end.ApplyConstrainedImpulse(f, turn)
		if v := art.V(held.dof); math.Abs(v) > 1e-9 {
			t.Errorf("seed %d: a held joint goes at %v", seed, v)
		}
		_, _, reaction, _ := art.Rows.Impulse(0)
		if part, _ := end.MaxImpulseFraction(f, turn); part != 1 {
			t.Errorf("seed %d: a strong motor takes a part of %v of the impulse", seed, part)
		}
		if math.Abs(reaction) < 1e-3 {
			continue
		}
		art.Stop()
		held.max = 0.5 * math.Abs(reaction)
		end = begin()
		if part, row := end.MaxImpulseFraction(f, turn); math.Abs(part-0.5) > 1e-6 || row != 0 {
			t.Errorf("seed %d: row %d takes a part of %v, want half", seed, row, part)
		}
	}
}

// pinned closes a loop: the end of a chain is held at a point of the world.
type pinned struct {
	noJoints
	art    *Articulation
	link   int32
	anchor r3.Vec // from the link's COM, body axes
	at     r3.Vec
}

func (p pinned) end() r3.Vec {
	com, rot := p.art.LinkPose(p.link)
	return com.Add(rot.Rotate(p.anchor))
}

func (p pinned) LoopDirections(int, float64, bool) []Direction {
	_, rot := p.art.LinkPose(p.link)
	var out []Direction
	for i := range 3 {
		e := r3.Vec{}.With(i, 1)
		out = append(out, Direction{Along: e, ArmB: rot.Rotate(p.anchor).Cross(e),
			Error: p.end().Sub(p.at).At(i)})
	}
	return out
}

// TestALoopStaysClosedAndKeepsItsEnergy: three links on hinges, the last of which is pinned to the world,
// fall for two seconds. One of the three directions is redundant.
func TestALoopStaysClosedAndKeepsItsEnergy(t *testing.T) {
	const g, l = 9.81, 0.4
	art := new(Articulation)
	about := r3.Between(r3.V(0, 0, 1), r3.V(0, 1, 0))
	rod := Body{Mass: 1, Inertia: r3.Diag(r3.V(0.014, 0.014, 0.001))}
	for i := range int32(3) {
		j := Joint{Type: Revolute, RotA: about, RotB: about, AnchorA: r3.V(0, 0, -l/2),
			AnchorB: r3.V(0, 0, l/2)}
		if i == 0 {
			j.AnchorA = r3.Vec{}
		}
		art.AddLink(i-1, j, rod)
	}
	q, i := [3]float64{0.9, -1.2, -0.8}, 0
	art.Coordinates(func(a, _ *float64) { *a = q[i]; i++ }, func(*r3.Quat) {})
	art.Refresh(still())
	p := pinned{art: art, link: 2, anchor: r3.V(0, 0, -l/2)}
	p.at = p.end()
	energy := func() float64 {
		art.computeLinkInertias()
		sum, _ := art.kineticEnergyAndMomentum()
		for k := range int32(3) {
			com, _ := art.LinkPose(k)
			sum += g * com.Z
		}
		return sum
	}
	e0, fastest := energy(), 0.0
	turn := 2/rod.Inertia.XX + 1/rod.Inertia.ZZ
	for range 2000 {
		for k := range int32(3) {
			art.SetLoad(k, r3.V(0, 0, -g), r3.Vec{})
		}
		art.goOn(0.001, p, func() { art.AddLoop(-1, 2, [2]float64{1 + turn*l*l/4, turn}) })
		if off := p.end().Dist(p.at); off > 1e-6 {
			t.Fatalf("the loop is open by %v m", off)
		}
		if e := energy(); math.Abs(e-e0) > 0.02 {
			t.Fatalf("energy %v J, %v at the start", e, e0)
		}
		fastest = max(fastest, math.Abs(art.V(0)))
	}
	if fastest < 0.5 {
		t.Errorf("the chain hardly moves: %v rad/s", fastest)
	}
}

// boundedRows drives every degree of freedom towards a velocity, by impulses within bounds.
type boundedRows struct {
	noJoints
	art  *Articulation
	rows []Row
}

func (b boundedRows) AddRows() {
	for i := range b.rows {
		b.art.Rows.Add(&b.rows[i])
	}
}

// TestRowsReachTheirTargetsOrAreAtTheirBounds: the optimality conditions of the box-constrained QP, from any
// warm start.
func TestRowsReachTheirTargetsOrAreAtTheirBounds(t *testing.T) {
	const rounding = 1e-12
	bound := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 9))
		art := randomTree(r)
		art.Refresh(still())
		b := boundedRows{art: art}
		for d := range int32(art.DOFs()) {
			row := RowOf(d, d)
			row.Lower, row.Upper = -r.Float64(), r.Float64()
			if r.IntN(2) == 0 {
				row.Lower, row.Upper = math.Inf(-1), math.Inf(1)
			}
			if row.Target = r.NormFloat64(); r.IntN(3) == 0 {
				row.Compliance = r.Float64()
			}
			if other := int32(r.IntN(art.DOFs())); other != d && r.IntN(3) == 0 {
				row.Couple(other, r.NormFloat64())
			}
			row.Impulse = r.NormFloat64()
			b.rows = append(b.rows, row)
		}
		art.BeginStep(true)
		art.BeginSubstep(1e-4, still(), b)
		art.SolveRows(false)
		for i := range b.rows {
			row := &art.Rows.list[i]
			off := row.speed(&art.Rows, art.dofs) + row.Compliance*row.Impulse - row.Target
			switch slack := 1e-6; {
			case row.Impulse < row.Lower || row.Impulse > row.Upper:
				t.Errorf("seed %d: row %d pushes with %v, not within %v and %v", seed, i, row.Impulse,
					row.Lower, row.Upper)
			case row.Impulse > row.Lower+rounding && off > slack,
				row.Impulse < row.Upper-rounding && off < -slack:
				t.Errorf("seed %d: row %d misses its target by %v, at %v within %v and %v", seed, i, off,
					row.Impulse, row.Lower, row.Upper)
			}
			if math.Abs(off) > 1e-6 {
				bound++
			}
		}
	}
	if bound < 50 {
		t.Errorf("only %d rows are at a bound", bound)
	}
}

// TestACopyGoesOnAlike bit by bit.
func TestACopyGoesOnAlike(t *testing.T) {
	for seed := range uint64(20) {
		art := randomTree(rand.New(rand.NewPCG(seed, 7)))
		var other Articulation
		other.CopyFrom(art)
		for range 50 {
			for _, a := range [2]*Articulation{art, &other} {
				for k := range int32(len(a.links)) {
					a.SetLoad(k, r3.V(0, 0, -1), r3.V(0.1, 0, 0))
				}
				a.goOn(0.002, noJoints{}, nothing)
			}
		}
		for d := range int32(art.DOFs()) {
			if art.Q(d) != other.Q(d) || art.V(d) != other.V(d) {
				t.Fatalf("seed %d: degree of freedom %d is at %v, of the copy at %v", seed, d, art.Q(d),
					other.Q(d))
			}
		}
	}
}

// TestASubstepOfATreeAllocatesNothing once scratch has grown.
func TestASubstepOfATreeAllocatesNothing(t *testing.T) {
	art := randomTree(rand.New(rand.NewPCG(3, 8)))
	step := func() { art.goOn(0.002, noJoints{}, nothing) }
	step()
	if n := testing.AllocsPerRun(50, step); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
