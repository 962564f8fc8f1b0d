// Package newton solves the velocities of an island of bodies and constraints directly: Newton's method on
//
//	minimize ½·vᵀ·M·v − pᵀ·v + Σ ℓ(J·v)
//
// M is the mass matrix, and p the momenta that smooth forces alone would give. The slope of the convex cost ℓ
// of a row of the Jacobian J is the negative impulse. (Todorov, "Convex and analytically-invertible dynamics
// with contacts and constraints", ICRA 2014; Castro, Permenter and Han, "An unconstrained convex formulation
// of compliant contact", T-RO 2023.) A row is J·v + compliance·impulse = target within the bounds of its
// impulse. The bound of friction is µ times the normal impulse of the round before: normals must not open
// when things slide. (Castro et al., "Irrotational contact fields", 2023.)
//
// Bodies are links of trees, and a free body is a tree of one link with six degrees of freedom. Rows act on
// bodies by wrenches, never on degrees of freedom. Twists come by one pass from the roots to the leaves, and
// generalized impulses by one back. The matrix M + Jᵀ·G·J of an iteration comes by the composite rigid body
// algorithm over inertias to which the curvature of the rows is added. It has the pattern of M where all rows
// hold parts of one branch.
package newton

import (
	"math"
	"slices"

	"simdeck/sim/dynamics/linalg"
)

// Problem is an island's velocities and constraints: bodies in the order of their trees, then rows, Begin,
// and Solve.
type Problem struct {
	Velocity []float64 // v, by degree of freedom: where Solve begins, and its result
	Momentum []float64 // p; before Solve, impulses of smooth forces
	Diagonal []float64 // added to M: armature, and implicit dampers and springs

	start      []float64 // velocities before Solve
	bounces    bool      // a row's restitution acts
	relaxation float64   // of the bounds of friction
	bodies     []body
	axes       []Vector6 // by degree of freedom, about the origin of its tree
	dofParent  []int32
	jointRows
	contacts   []contact
	rows       []Row
	pairs      []pair
	twists     []Vector6
	changes    []Vector6
	wrenches   []Vector6
	composites []Symmetric6

	hessian   hessian
	path      []int32
	pattern   []int32
	newly     []int32
	gradient  []float64
	direction []float64
	inertial  []float64 // M·v − p
	change    []float64 // M·direction
}

// hessian is M + Jᵀ·G·J and its factors.
type hessian struct {
	linalg.SparseLTDL
	factored bool // since Start
}

// body is a link of a tree.
type body struct {
	parent             int32 // -1: the root's carrier
	firstDof, dofCount int32
	lastDof            int32 // last degree of freedom of it or its ancestors; -1: none
	inertia            Symmetric6
	momentum           Vector6 // of the twist; scratch
}

// Ground is the end of a row that moves as the problem does not change.
const Ground int32 = -1

// jointRow is a row on degrees of freedom: a limit, a motor, friction of a joint, a coupling, a tendon.
type jointRow struct {
	Row
	first, count int32 // in jointTerms
}

// jointRows is the rows on degrees of freedom.
type jointRows struct {
	joints     []jointRow
	jointTerms []jointTerm // of all of them
}

// jointTerm is a degree of freedom of a row, and its coefficient there.
type jointTerm struct {
	dof         int32
	coefficient float64
}

// termsOf is the degrees of freedom of a row.
func (p *jointRows) termsOf(j *jointRow) []jointTerm { return p.jointTerms[j.first : j.first+j.count] }

// contact is the rows of a contact: its normals, a spin about the normal and two tangents. Where rolling is
// positive, three rows of rolling follow.
type contact struct {
	Contact
	a, b               int32 // bodies
	pair               int32 // 1 + index of what couples two bodies; 0: one of them is none
	firstRow, rowCount int32
	bound              frictionBounds
	boundOff           float64  // N·s, by how much that of tangents was off in the round before
	tangent            planeLaw // of the last evaluation
	ball               ballLaw

	factoredTangent planeLaw // likewise in the last factors
	factoredBall    ballLaw
}

// pair is the curvature that couples two bodies: C of wᵀ_a·C·w_b.
type pair struct {
	a, b int32
	c    [6][6]float64
}

// Contact is the coupling of the rows of a contact.
type Contact struct {
	Normals     int32
	Friction    [2]float64 // along the two tangents
	Slip        [2]float64 // likewise compliances of slip besides those of the rows, m/s per N·s
	Torsion     float64    // m: the spin's bound per normal impulse
	Rolling     float64    // m: likewise of rolling
	LeverFactor float64    // of the spin's bound per normal impulse and lever
}

// Row is a constraint on the relative velocity of two bodies, or of degrees of freedom.
type Row struct {
	A, B          Vector6 // wrenches on the two bodies of a unit impulse; unused on degrees of freedom
	Target        float64 // m/s or rad/s
	RelaxedTarget float64 // likewise, for Relax
	Compliance    float64 // change of velocity per impulse, above 0
	Lower, Upper  float64 // of the impulse; of a contact's friction: set by Solve
	Lever         float64 // m, of a normal: from the center of friction
	Impulse       float64 // where the bounds of friction begin, and the result
	Drift         float64 // m/s or rad/s, part of the row's speed that the problem does not change
	Restitution   float64 // of a normal: part of the approaching speed with which it parts
	BounceSpeed   float64 // m/s, approaching speed before Solve from which it does

	speed       float64 // J·v + Drift
	speedBefore float64 // likewise before Solve
	change      float64 // J·direction
	slope       float64 // -∂impulse/∂speed

	factoredSlope float64 // likewise in the last factors
}

// Reset begins a problem without bodies.
func (p *Problem) Reset() {
	p.bodies, p.axes, p.dofParent = p.bodies[:0], p.axes[:0], p.dofParent[:0]
	p.joints, p.contacts, p.rows, p.pairs = p.joints[:0], p.contacts[:0], p.rows[:0], p.pairs[:0]
	p.jointTerms = p.jointTerms[:0]
	p.Velocity, p.Momentum, p.Diagonal = p.Velocity[:0], p.Momentum[:0], p.Diagonal[:0]
}

// AddBody adds a link below its parent, or a root below Ground, and returns its number.
func (p *Problem) AddBody(parent int32, inertia *Symmetric6) int32 {
	last := int32(-1)
	if parent >= 0 {
		last = p.bodies[parent].lastDof
	}
	p.bodies = append(p.bodies, body{parent: parent, firstDof: int32(len(p.axes)), lastDof: last,
		inertia: *inertia})
	return int32(len(p.bodies) - 1)
}

// AddDof adds a degree of freedom to the last body: its axis about the origin of its tree, and its velocity.
// It takes the impulse of smooth forces on it, and its term on the diagonal of M alone.
func (p *Problem) AddDof(axis Vector6, velocity, impulse, diagonal float64) int32 {
	b := &p.bodies[len(p.bodies)-1]
	b.dofCount++
	p.dofParent = append(p.dofParent, b.lastDof)
	b.lastDof = int32(len(p.axes))
	p.axes = append(p.axes, axis)
	p.Velocity, p.Momentum = append(p.Velocity, velocity), append(p.Momentum, impulse)
	p.Diagonal = append(p.Diagonal, diagonal)
	return b.lastDof
}

// AddJointRow adds a row on degrees of freedom.
func (p *Problem) AddJointRow(r *Row, dofs []int32, coefficients []float64) {
	p.joints = append(p.joints, jointRow{Row: *r, first: int32(len(p.jointTerms)), count: int32(len(dofs))})
	for i, d := range dofs {
		p.jointTerms = append(p.jointTerms, jointTerm{d, coefficients[i]})
	}
}

// JointImpulse is the impulse of a joint's row.
func (p *Problem) JointImpulse(i int32) float64 { return p.joints[i].Impulse }

// ChangeTarget adds to the target of a joint's row, and to the relaxed one. Resume must follow.
func (p *Problem) ChangeTarget(i int32, change float64) {
	p.joints[i].Target += change
	p.joints[i].RelaxedTarget += change
}

// SetRelaxedTarget sets the target of a joint's row for Relax.
func (p *Problem) SetRelaxedTarget(i int32, target float64) { p.joints[i].RelaxedTarget = target }

// JointWork is the work of a joint's row in the solution, J.
func (p *Problem) JointWork(i int32) float64 {
	j := &p.joints[i]
	return float64(0.5 * j.Impulse * (j.speedBefore + j.speed))
}

// AddContact begins a contact between two bodies, of which one may be Ground; AddRow adds its rows.
func (p *Problem) AddContact(a, b int32, c *Contact) {
	k := contact{Contact: *c, a: a, b: b, firstRow: int32(len(p.rows))}
	if a >= 0 && b >= 0 {
		if n := len(p.pairs); n == 0 || p.pairs[n-1].a != a || p.pairs[n-1].b != b {
			p.pairs = append(p.pairs, pair{a: a, b: b})
		}
		k.pair = int32(len(p.pairs))
	}
	p.contacts = append(p.contacts, k)
}

// AddRow adds a row to the last contact.
func (p *Problem) AddRow(r *Row) {
	p.contacts[len(p.contacts)-1].rowCount++
	p.rows = append(p.rows, *r)
}

// JointRows returns the number of rows on degrees of freedom.
func (p *Problem) JointRows() int32 { return int32(len(p.joints)) }

// Rows returns the rows of all contacts, in the order in which they were added.
func (p *Problem) Rows() []Row { return p.rows }

// Begin ends the problem: it finds the pattern of the matrix, unless it is that of the problem before.
func (p *Problem) Begin() {
	n := len(p.axes)
	p.gradient, p.direction = linalg.Grow(p.gradient, n), linalg.Grow(p.direction, n)
	p.inertial, p.change = linalg.Grow(p.inertial, n), linalg.Grow(p.change, n)
	p.twists, p.changes = linalg.Grow(p.twists, len(p.bodies)), linalg.Grow(p.changes, len(p.bodies))
	p.wrenches = linalg.Grow(p.wrenches, len(p.bodies))
	p.composites = linalg.Grow(p.composites, len(p.bodies))
	p.newly = append(append(p.newly[:0], int32(n)), p.dofParent...)
	for i := range p.pairs {
		p.newly = append(p.newly, p.bodies[p.pairs[i].a].lastDof, p.bodies[p.pairs[i].b].lastDof)
	}
	for i := range p.joints {
		if j := &p.joints[i]; j.count > 1 {
			p.newly = append(p.newly, j.count)
			for _, t := range p.termsOf(j) {
				p.newly = append(p.newly, t.dof)
			}
		}
	}
	if same(p.newly, p.pattern) {
		return
	}
	p.pattern, p.newly = p.newly, p.pattern
	p.hessian.Reset(n)
	for d := range p.dofParent {
		p.hessian.AddClique(p.ancestors(int32(d), -1))
	}
	for i := range p.pairs {
		p.hessian.AddClique(p.ancestors(p.bodies[p.pairs[i].a].lastDof, p.bodies[p.pairs[i].b].lastDof))
	}
	for i := range p.joints {
		if j := &p.joints[i]; j.count > 1 {
			p.hessian.AddClique(p.ancestorsOf(p.termsOf(j)))
		}
	}
	p.hessian.Analyze()
}

func same(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// ancestors is two degrees of freedom and their ancestors, ascending.
func (p *Problem) ancestors(a, b int32) []int32 {
	p.path = p.path[:0]
	for a >= 0 || b >= 0 {
		d := max(a, b)
		p.path = append(p.path, d)
		if a == d {
			a = p.dofParent[d]
		}
		if b == d {
			b = p.dofParent[d]
		}
	}
	for i, j := 0, len(p.path)-1; i < j; i, j = i+1, j-1 {
		p.path[i], p.path[j] = p.path[j], p.path[i]
	}
	return p.path
}

// ancestorsOf is the degrees of freedom of a row and their ancestors, ascending.
func (p *Problem) ancestorsOf(terms []jointTerm) []int32 {
	p.path = p.path[:0]
	for _, t := range terms {
		for d := t.dof; d >= 0; d = p.dofParent[d] {
			p.path = append(p.path, d)
		}
	}
	slices.Sort(p.path)
	p.path = slices.Compact(p.path)
	return p.path
}

// Speed returns J·v + Drift of the solution.
func (r *Row) Speed() float64 { return r.speed }

// NeedsRelaxation reports that a row on degrees of freedom has a target that is off its relaxed one by more
// than a speed.
func (p *Problem) NeedsRelaxation(speed float64) bool {
	for i := range p.joints {
		if j := &p.joints[i]; math.Abs(j.Target-j.RelaxedTarget) > speed {
			return true
		}
	}
	return false
}

// Counts returns the numbers of bodies and degrees of freedom.
func (p *Problem) Counts() (bodies, dofs int32) { return int32(len(p.bodies)), int32(len(p.axes)) }

// Turning returns the angular speed of the fastest of the first n bodies, rad/s.
func (p *Problem) Turning(n int32) (speed float64) {
	p.spread(p.Velocity, p.twists)
	for i := range n {
		speed = max(speed, p.twists[i].Ang.Len2())
	}
	return math.Sqrt(speed)
}

// BounceWork returns the work of all contacts in the solution, J, where restitution acts, else 0. Newton's
// law of restitution at several contacts may add energy.
func (p *Problem) BounceWork() (sum float64) {
	if !p.bounces {
		return 0
	}
	for i := range p.rows {
		r := &p.rows[i]
		sum += float64(0.5 * r.Impulse * (r.speedBefore + r.speed))
	}
	return sum
}

// KineticEnergy returns that of the solution, J, with what Diagonal adds to M.
func (p *Problem) KineticEnergy() (sum float64) {
	for d, v := range p.Velocity {
		sum += float64(0.5 * v * (p.inertial[d] + p.Momentum[d]))
	}
	return sum
}
