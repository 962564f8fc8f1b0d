package dynamics

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// solver holds the data of one step: awake bodies side by side, and a row for each constrained direction of
// their motion. The stages of a step rebuild all of it; only the capacity stays.
type solver struct {
	h, invH        float64 // substep, s and 1/s
	warmStartScale float64 // impulse of this step's substeps per impulse of the last step's
	softnesses

	solverBodies
	contactSolver
	clusterSolver
	energyClamps
	directSolver
	couplingSolver
	transmissionSolver
	linkSolver
	newtonSolver

	jointConstraints []jointConstraint
	multiDofFriction []multiDofFriction

	sweepScratch
	lostBody int32                // slot of a body that left the finite numbers in this step; -1: none
	inspect  func(*World, *stage) // sees every stage after it has run; nil: nobody does
}

// solverBodies is the bodies of a step, beside each other by index; index 0 is fixed.
type solverBodies struct {
	states    []bodyState
	masses    []bodyMass
	forces    []bodyForce
	rotations []r3.Quat // now, of bodies that track their rotation
	flags     []bodyFlags
	slots     []int32 // body slots; -1: the fixed one
	index     []int32 // by body slot; 0: does not move
}

// softnesses are those of contacts between moving bodies, of contacts with what does not move, and of joints.
type softnesses struct{ softMoving, softFixed, softJoint softness }

// contactSolver is the manifolds of a step in the order in which passes go through them.
type contactSolver struct {
	touching       []int32 // contacts that have manifolds
	coloring       graphColoring
	packs          []contactPack // beside batches
	batches        []contactBatch
	rows           []contactRow
	contactExtras       // of few lanes
	useSIMD        bool // all lanes of a batch at once
	biasIteration  iteration
	relaxIteration iteration
}

// directSolver is the direct islands of a step (joint_direct.go).
type directSolver struct {
	directIslands      []directIsland
	directJoints       []int32 // joint constraints, island by island
	directRows         []directRow
	directBodies       []directBody
	directIslandOf     []int32 // by body: 1 + its island
	directResponses    []directResponse
	directRowResponses []linalg.VecPair
	directResponseOf   []int32        // by body: 1 + its response
	directFactor       linalg.Skyline // of J·M⁻¹·Jᵀ, row by row
	directRHS          []float64      // by row: right-hand side, then solution
	axisResponses      []float64      // to impulses along joint axes
	firstRowOf         []int32        // by body: 1 + the first row of its island that moves it
}

// couplingSolver is the couplings of a step that reach beyond an articulation (joint_build.go).
type couplingSolver struct {
	couplings         []couplingRow
	couplingResponses []float64
	savedBodies       []bodyState // scratch of trial impulses
	savedDofs         []float64
}

// linkSolver is the articulations that move, and the contacts of their links and of direct islands.
type linkSolver struct {
	activeArticulations     []int32
	articulationContactIDs  []int32
	articulationContacts    []articulationContact
	articulationContactRows []articulationContactRow
	articulatedJoints       articulatedJoints
	anyNoWarmStart          bool // some of these contacts began the substep without impulses
}

// sweepScratch is the scratch of continuous collision (ccd.go).
type sweepScratch struct {
	fastBodies    []motionSweep
	fastJointed   []motionSweep // of bodies on joints
	rewound       []bool        // by body slot
	connected     []int32
	ccdCandidates []int32 // geoms on the way of one
}

// bodyState is a body's velocity and what it has moved since the step began. Index 0 never moves.
type bodyState struct{ v, w, deltaPosition, deltaRotation r3.Vec }

// bodyMass is the inverse mass properties of a body.
type bodyMass struct {
	invMass                       float64
	invInertia                    r3.Mat // world
	com                           r3.Vec // when the step began
	linearDamping, angularDamping float64
	_                             [8]byte
}

// bodyForce is the acceleration of a body by gravity and wrenches, m/s² and rad/s².
type bodyForce struct{ linear, angular r3.Vec }

// bodyFlags is the kind of a body, in few bytes for the cache.
type bodyFlags struct {
	tracksRotation       bool // its orientation matters within a step: it is on joints, or not round
	gyroscopic           bool // it is not round and turns freely
	jointed              bool
	gyroscopicCorrection bool // a gyroscopic correction is in its velocity: rolling_contact.go
}

const (
	// Damping ratios: contacts are overdamped so that they do not bounce, most of all with bodies that do not
	// move.
	dynamicDampingRatio = 5.0  // of contacts between moving bodies
	staticDampingRatio  = 10.0 // of contacts with bodies that do not move
	jointDampingRatio   = 2.0  // of joints
	// maxHertzPart is the highest frequency of a soft constraint as a part of the substeps'. Contacts of
	// moving bodies stay below 1/2π: above, the spring removes overlaps faster than it forgets impulses, and
	// piles with lagging impulses swing.
	maxHertzPart        = 0.25
	maxHertzPartDynamic = 0.15
)

// substepsFor chooses the number of substeps: 240 per second, twice as many with joints, for light wheels
// under a heavy chassis. It is at least two, but one for steps of two milliseconds or less.
func substepsFor(dt float64, joints bool) int {
	if dt <= 0.0021 {
		return 1
	}
	rate := 240.0
	if joints {
		rate = 480
	}
	return max(2, min(16, int(math.Ceil(float64(dt*rate)-1e-9))))
}

// automaticSubsteps is the number of substeps of a step of dt seconds in a world without a number of its own.
func automaticSubsteps(bodies *bodySet, joints *jointSet, articulations articulationList,
	transmissions *transmissionSet, contacts *contactSet, dt float64) int {
	n := substepsFor(dt, joints.ids.live > 0)
	if len(transmissions.all) == 0 && articulations.moveAlone(joints, contacts) {
		n = max(1, n/2, substepsForSpin(bodies, articulations, dt))
	}
	return max(n, joints.anchorSubsteps(bodies, dt))
}

// setSubstep sets the length of a substep, n of which make up the step, and what follows from it.
func (s *solver) setSubstep(time *stepTime, cfg *Config, n int) {
	s.h = time.dt / float64(n)
	s.invH = 1 / s.h
	hertz := min(cfg.ContactHertz, float64(maxHertzPartDynamic*s.invH))
	s.softMoving = soft(hertz, dynamicDampingRatio, s.h)
	s.softFixed = soft(min(2*hertz, float64(maxHertzPart*s.invH)), staticDampingRatio, s.h)
	s.softJoint = soft(float64(maxHertzPart*s.invH), jointDampingRatio, s.h)
	s.warmStartScale = time.warmStartRatio(s.h)
	s.buildIteration(&s.biasIteration, true, cfg.RecoverySpeed)
	s.buildIteration(&s.relaxIteration, false, cfg.RecoverySpeed)
}

// warmStartRatio is the ratio of this step's substep to the last step's, by which impulses scale; 0 in the
// first step.
func (t *stepTime) warmStartRatio(h float64) float64 {
	if t.h == 0 {
		return 0
	}
	return h / t.h
}

// moveAlone reports that only articulations and free bodies move. Half the substeps suffice then: the
// integrator is of second order, and links cannot separate.
func (as articulationList) moveAlone(joints *jointSet, contacts *contactSet) bool {
	found := false
	for i := range as {
		found = found || as[i].live
	}
	if !found {
		return false
	}
	for i := range joints.all {
		if joints.ids.inUse(int32(i)) && joints.all[i].articulation == 0 {
			return false
		}
	}
	for _, r := range contacts.pairs.sorted { // asleep too: stored impulses are per substep
		if c := &contacts.all[r.contact]; c.count > 0 && !c.sensor {
			return false
		}
	}
	return true
}

// reserve makes room for the fixed body and so many awake ones, in a world with so many slots.
func (s *solverBodies) reserve(awake, slots int) {
	n := 1 + awake
	s.states, s.masses, s.slots = linalg.Grow(s.states, n), linalg.Grow(s.masses, n), linalg.Grow(s.slots, n)
	s.forces = linalg.Grow(s.forces, n)
	s.rotations, s.flags = linalg.Grow(s.rotations, n), linalg.Grow(s.flags, n)
	s.states[0], s.masses[0], s.slots[0] = bodyState{}, bodyMass{}, -1
	s.rotations[0], s.flags[0] = r3.Identity(), bodyFlags{}
	s.index = linalg.Grow(s.index, slots)
	clear(s.index)
}

// add adds a body that does not move to the solver's arrays.
func (s *solverBodies) add(bodies *bodySet, gravity r3.Vec, h float64, slot int32) int32 {
	i := int32(len(s.states))
	s.states, s.masses, s.slots = append(s.states, bodyState{}), append(s.masses, bodyMass{}),
		append(s.slots, 0)
	s.forces = append(s.forces, bodyForce{})
	s.rotations, s.flags = append(s.rotations, r3.Quat{}), append(s.flags, bodyFlags{})
	s.load(bodies, gravity, h, i, slot)
	return i
}

// load loads a body.
func (s *solverBodies) load(bodies *bodySet, gravity r3.Vec, h float64, i, slot int32) {
	s.index[slot], s.slots[i] = i, slot
	b, m, in := &bodies.all[slot], &bodies.motion[slot], &bodies.massProps[slot]
	mv, wt, p, t := &s.states[i], &s.masses[i], &s.forces[i], &s.flags[i]
	*mv, *wt, *p, *t = bodyState{}, bodyMass{com: m.com, linearDamping: 1, angularDamping: 1}, bodyForce{},
		bodyFlags{jointed: len(b.joints) > 0}
	s.rotations[i] = m.rot
	if bodies.isAwake(slot) {
		mv.v, mv.w = m.v, m.w
		t.tracksRotation = t.jointed || !in.spherical || b.kind == Kinematic
	}
	if b.articulation != 0 {
		t.tracksRotation = false // follows from its joints
	} else if b.kind == Dynamic && !b.asleep {
		t.gyroscopic = !in.spherical
		wt.invMass = in.invMass
		wt.invInertia = in.invInertia.TurnedSymmetric(m.rot)
		p.linear = b.force.Scale(in.invMass)
		if !b.noGravity {
			p.linear = p.linear.Add(gravity)
		}
		p.angular = wt.applyInvInertia(b.torque)
		h := h
		wt.linearDamping = 1 / (1 + float64(h*b.linDamping))
		wt.angularDamping = 1 / (1 + float64(h*b.angDamping))
	}
}

// addFixed is the solver index of a joint's body, even where it does not move.
func (s *solverBodies) addFixed(bodies *bodySet, gravity r3.Vec, h float64, slot int32) int32 {
	if i := s.index[slot]; i != 0 {
		return i
	}
	return s.add(bodies, gravity, h, slot)
}

// allStates is every body but the first, which never moves.
func (s *solverBodies) allStates() batchRange { return batchRange{1, int32(len(s.states))} }

// softness is a spring and damper as a constraint sees it (Catto, "Soft Constraints", GDC 2011).
type softness struct{ bias, mass, impulse float64 }

// rigid is a constraint that only looks at velocity.
func rigid() softness { return softness{0, 1, 0} }

func soft(hertz, ratio, h float64) softness {
	omega := float64(2 * math.Pi * hertz)
	a := float64(2*ratio) + float64(h*omega)
	b := float64(h * omega * a)
	c := 1 / (1 + b)
	return softness{omega / a, float64(b * c), c}
}

// iteration is the constants of a pass over batches. Assembly knows the layout by the fields' names.
type iteration struct {
	invH lanes64 // 1/s
	// m/s, the negative of the speed at which overlaps are pushed apart at most
	maxPushOut                        lanes64
	one, half, sign                   lanes64 // 1, 0.5, and the bit of the sign alone
	biasRate, massScale, impulseScale lanes32 // softness of a pass that does not push
	useBias                           bool    // overlaps are pushed apart
}

// buildIteration sets the constants of a pass; limit is the fastest push-out, m/s.
func (s *solver) buildIteration(p *iteration, useBias bool, limit float64) {
	*p = iteration{useBias: useBias}
	for i := range width {
		p.invH[i], p.maxPushOut[i] = s.invH, -limit
		p.massScale[i], p.one[i], p.half[i], p.sign[i] = 1, 1, 0.5, math.Copysign(0, -1)
	}
}

const (
	// maxSubstepTurn is the largest rotation per substep of spinning bodies with joints, rad.
	maxSubstepTurn = 0.1
	// maxRotationSubsteps bounds the substeps for rotation in a step.
	maxRotationSubsteps = 16
)

// rotationSubsteps is the number of substeps for a rotation by angle, rad.
func rotationSubsteps(angle float64) int {
	if angle <= maxSubstepTurn {
		return 1
	}
	return int(min(maxRotationSubsteps, math.Ceil(angle/maxSubstepTurn)))
}

// anchorSubsteps is the number of substeps that far joint anchors need at their speed (joint_direct.go). A
// light body at a long arm moves straight through a substep, and its joint must correct that.
func (js *jointSet) anchorSubsteps(bodies *bodySet, dt float64) int {
	n := 1
	for i := range js.all {
		j := &js.all[i]
		if !js.ids.inUse(int32(i)) || j.articulation != 0 {
			continue
		}
		n = max(n, bodies.anchorSubsteps(j.child, j.anchorB, dt))
		if j.parent >= 0 {
			n = max(n, bodies.anchorSubsteps(j.parent, j.anchorA, dt))
		}
	}
	return n
}

// anchorSubsteps is the number of substeps for a far anchor that circles its body.
func (bs *bodySet) anchorSubsteps(slot int32, arm r3.Vec, dt float64) int {
	m, in := &bs.motion[slot], &bs.massProps[slot]
	if float64(dt*dt*m.w.Len2()) <= maxSubstepTurn*maxSubstepTurn || !bs.isAwake(slot) ||
		!hasLongLever(in.invMass, &in.invInertia, arm) {
		return 1
	}
	return rotationSubsteps(dt * math.Sqrt(m.w.Cross(m.rot.Rotate(arm)).Len2()/arm.Len2()))
}

// substepsForSpin is the number of substeps that spherical joints and floating bases need by their spin: tops
// and gyroscopes. Rotation about a constrained axis needs none.
func substepsForSpin(bodies *bodySet, articulations []worldArticulation, dt float64) int {
	fastest := 0.0
	for i := range articulations {
		art := &articulations[i]
		if !art.live || !bodies.isAwake(art.links[0].body) {
			continue
		}
		fastest = max(fastest, art.FastestSpin2())
	}
	return rotationSubsteps(dt * math.Sqrt(fastest))
}

// Effective masses and inverse inertias of impulses at bodies and joints.

// applyInvInertia is I⁻¹·j, the angular velocity by an angular impulse.
func (t *bodyMass) applyInvInertia(j r3.Vec) r3.Vec { return t.invInertia.Times(j) }

// leverMass sets k to the inverse effective mass of a point at an arm by rotation: [arm]×ᵀ·I⁻¹·[arm]×.
func leverMass(k, inv *r3.Mat, arm r3.Vec) {
	if arm == (r3.Vec{}) {
		*k = r3.Mat{}
		return
	}
	x, y, z := arm.X, arm.Y, arm.Z // e.g. x × arm is (0, z, -y); zero terms are omitted
	xY, xZ := float64(inv.YY*z)-float64(inv.YZ*y), float64(inv.ZY*z)-float64(inv.ZZ*y)
	yX, yY, yZ := float64(inv.XZ*x)-float64(inv.XX*z), float64(inv.YZ*x)-float64(inv.YX*z),
		float64(inv.ZZ*x)-float64(inv.ZX*z)
	zX, zY, zZ := float64(inv.XX*y)-float64(inv.XY*x), float64(inv.YX*y)-float64(inv.YY*x),
		float64(inv.ZX*y)-float64(inv.ZY*x)
	xy, xz, yz := float64(z*yY)-float64(y*yZ), float64(z*zY)-float64(y*zZ), float64(x*zZ)-float64(z*zX)
	k.XX, k.XY, k.XZ = float64(z*xY)-float64(y*xZ), xy, xz
	k.YX, k.YY, k.YZ = xy, float64(x*yZ)-float64(z*yX), yz
	k.ZX, k.ZY, k.ZZ = xz, yz, float64(y*zX)-float64(x*zY)
}

// inverseSymmetric is the inverse of a symmetric matrix; zero for a singular one.
func inverseSymmetric(m *r3.Mat) r3.Mat {
	a := float64(m.YY*m.ZZ) - float64(m.YZ*m.YZ)
	b := float64(m.XZ*m.YZ) - float64(m.XY*m.ZZ)
	c := float64(m.XY*m.YZ) - float64(m.XZ*m.YY)
	det := float64(m.XX*a) + float64(m.XY*b) + float64(m.XZ*c)
	if det == 0 {
		return r3.Mat{}
	}
	k := 1 / det
	yy := float64(m.XX*m.ZZ) - float64(m.XZ*m.XZ)
	yz := float64(m.XY*m.XZ) - float64(m.XX*m.YZ)
	zz := float64(m.XX*m.YY) - float64(m.XY*m.XY)
	a, b, c = float64(a*k), float64(b*k), float64(c*k)
	yy, yz, zz = float64(yy*k), float64(yz*k), float64(zz*k)
	return r3.Mat{XX: a, XY: b, XZ: c, YX: b, YY: yy, YZ: yz, ZX: c, ZY: yz, ZZ: zz}
}

// planarMass is the inverse of k in the plane of p1 and p2.
func planarMass(k *r3.Mat, p1, p2 r3.Vec) r3.Mat {
	k1, k2 := k.Times(p1), k.Times(p2)
	k11, k12, k22 := p1.Dot(k1), p1.Dot(k2), p2.Dot(k2)
	det := inverseOrZero(float64(k11*k22) - float64(k12*k12))
	return r3.Mat{XX: float64(k22 * det), XY: float64(-k12 * det), YX: float64(-k12 * det),
		YY: float64(k11 * det)}
}

// clampLength scales v to a length of at most most.
func clampLength(v r3.Vec, most float64) r3.Vec {
	if l := v.Len(); l > most {
		return v.Scale(most / l)
	}
	return v
}

func inverseOrZero(x float64) float64 {
	if x > 0 {
		return 1 / x
	}
	return 0
}

// hasLongLever compares the trace of leverMass with maxLeverRatio.
func hasLongLever(invMass float64, inv *r3.Mat, arm r3.Vec) bool {
	turn := float64(arm.Len2()*(inv.XX+inv.YY+inv.ZZ)) - arm.Dot(inv.Times(arm))
	return turn > float64(maxLeverRatio*invMass)
}

// angularMomentumOf is a body's angular momentum, kg·m²/s.
func (s *solverBodies) angularMomentumOf(at int32) r3.Vec {
	inertia := inverseSymmetric(&s.masses[at].invInertia)
	return inertia.Apply(s.states[at].w)
}

// kineticEnergyOf is a body's kinetic energy, J.
func (s *solverBodies) kineticEnergyOf(at int32) float64 {
	m := &s.states[at]
	return float64(0.5*m.v.Len2())/s.masses[at].invMass + float64(0.5*m.w.Dot(s.angularMomentumOf(at)))
}

// fractionWithinEnergy is the largest x of at most 1 for which square·x² + double·x is not above room.
func fractionWithinEnergy(square, double, room float64) float64 {
	if square == 0 || square+double <= room {
		return 1
	}
	room = max(0, room)
	root := math.Sqrt(float64(double*double) + float64(4*square*room))
	if double > 0 {
		return min(1, float64(2*room)/(double+root))
	}
	return min(1, (root-double)/float64(2*square))
}
