package articulation

import (
	"math"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
	"simdeck/sim/statecodec"
)

// Tree is the links and degrees of freedom of an articulation, and its spatial algebra. Links and degrees of
// freedom are numbered from the base outwards. The zero value is an empty tree on a base that does not move
// with it; AddFloatingBase and AddLink build it.
type Tree struct {
	floating bool // link 0 is the base and has six degrees of freedom
	links    []link
	dofs     []dof

	baseMotion    baseMotion
	totalMass     float64             // kg, of all links
	inertiaFactor linalg.BranchedLTDL // of the joint-space inertia
	velocityDelta []float64           // change of the joint velocities by smooth forces, by degree of freedom
}

// Body is the inertia of a link, and the damping of its motion.
type Body struct {
	Mass           float64 // kg
	Inertia        r3.Mat  // kg·m² about the COM, body axes
	LinearDamping  float64 // 1/s
	AngularDamping float64 // 1/s
}

// Base is the body at the base of a tree that does not float, in one moment. The zero value with the identity
// as its rotation is the world.
type Base struct {
	COM       r3.Vec  // m, world
	Rot       r3.Quat // body to world
	V, W      r3.Vec  // m/s, of the COM, and rad/s
	Kinematic bool    // it moves at V and W; else it stands still
}

// after is the base after a time, s.
func (b *Base) after(time float64) Base {
	moved := *b
	if b.Kinematic {
		moved.COM, moved.Rot = b.COM.AddScaled(time, b.V), b.Rot.Turn(b.W.Scale(time))
	}
	return moved
}

// baseMotion is the origin of all spatial vectors of an articulation, and the motion that its base
// prescribes.
type baseMotion struct {
	origin       r3.Vec  // m, world axes
	twist        spatial // of the base; zero for a floating base
	acceleration spatial
}

// link is a body of an articulation.
type link struct {
	joint       Joint // towards the base; of the floating base: unused
	body        Body
	free        bool    // the floating base
	parent      int32   // link; -1: the base
	firstDof    int32   // its first degree of freedom
	dofCount    int32   //
	lastDof     int32   // last degree of freedom of it or its ancestors; -1: none
	rotation    r3.Quat // joint rotation, of a spherical joint or floating base
	jointToBody r3.Quat // joint frame to body
	response    int32   // 1 + index of its impulse response in this step; 0: none

	rotationBefore    r3.Quat // rotation when the step began
	com               r3.Vec  // m, world
	arm               r3.Vec  // m, COM from the origin
	rot               r3.Quat // body to world
	inertia           inertia
	compositeInertia  inertia // with all its descendants
	velocity          spatial
	acceleration      spatial
	load              load    // weight and applied wrench
	externalForce     spatial // likewise, about the origin
	biasForce         spatial // that keeps the link on its way at constant joint velocities
	carriedMomentum   spatial // momentum that the link keeps as if it were free
	comSegmentStart   r3.Vec  // COM at the start of a subcycle or of a projection
	comSubstepStart   r3.Vec  // COM when the momentum was saved
	angularSpeedBound float64 // rad/s
}

// load is a force and a torque at a link's centre of mass, N and N·m along world axes.
type load struct{ force, torque r3.Vec }

// dof is a degree of freedom of an articulation.
type dof struct {
	q, v       float64 // rad or m, and rad/s or m/s; q is unused where link.rotation holds the position
	parent     int32   // the preceding one towards the base; -1: none
	spherical  bool    // rotates together with the others of its joint
	axis       spatial
	qBefore    float64 // q when the step began
	vBefore    float64 // v when the substep began
	damping    float64 // N·m·s/rad or N·s/m
	armature   float64 // kg·m² or kg
	stiffness  float64 // N·m/rad or N/m
	springRest float64 // rad or m
	effort     float64 // N·m or N, of a motor in effort mode
	bias       float64 // N·m or N
}

// AddFloatingBase makes a body link 0, which moves with the tree. The tree must be empty.
func (tree *Tree) AddFloatingBase(b Body) {
	tree.floating = true
	tree.links = append(tree.links, link{body: b, free: true, parent: -1, dofCount: 6, lastDof: 5,
		rotation: r3.Identity()})
	for i := range int32(6) {
		tree.addDof(dof{parent: i - 1, spherical: i >= 3})
	}
}

// AddLink adds a link below another one, or below the base where parent is -1, and returns its number.
func (tree *Tree) AddLink(parent int32, j Joint, b Body) int32 {
	k := link{joint: j, body: b, parent: parent, firstDof: int32(len(tree.dofs)),
		dofCount: j.Type.DOFs(), lastDof: -1,
		rotation: r3.Identity(), jointToBody: j.RotB.Conj()}
	if parent >= 0 {
		k.lastDof = tree.links[parent].lastDof
	}
	for range k.dofCount {
		tree.addDof(dof{parent: k.lastDof, spherical: j.Type == Ball, damping: j.Damping,
			armature: j.Armature})
		k.lastDof = int32(len(tree.dofs) - 1)
	}
	switch {
	case j.Type.HasAxis():
		d := &tree.dofs[k.firstDof]
		d.stiffness, d.springRest = j.Stiffness, j.SpringRest
	case j.Type == Ball:
		for i := range 3 {
			tree.dofs[k.firstDof+int32(i)].stiffness = j.Stiffness
		}
	}
	tree.links = append(tree.links, k)
	return int32(len(tree.links) - 1)
}

// addDof adds a degree of freedom.
func (tree *Tree) addDof(d dof) {
	tree.dofs = append(tree.dofs, d)
	tree.inertiaFactor.AddUnknown(d.parent)
	tree.velocityDelta = append(tree.velocityDelta, 0)
}

// copyFrom copies the links and degrees of freedom of another tree; scratch stays.
func (tree *Tree) copyFrom(o *Tree) {
	tree.floating = o.floating
	tree.links, tree.dofs = append(tree.links[:0], o.links...), append(tree.dofs[:0], o.dofs...)
	tree.inertiaFactor.CopyShape(&o.inertiaFactor)
	tree.velocityDelta = linalg.Grow(tree.velocityDelta, len(o.velocityDelta))
}

// DOFs returns the number of degrees of freedom.
func (tree *Tree) DOFs() int { return len(tree.dofs) }

// Floating reports that link 0 is the base.
func (tree *Tree) Floating() bool { return tree.floating }

// FirstDOF returns the first degree of freedom of a link, and how many it has.
func (tree *Tree) FirstDOF(link int32) (first, count int32) {
	k := &tree.links[link]
	return k.firstDof, k.dofCount
}

// Q returns the position of a degree of freedom, rad or m. It is meaningless for rotations of spherical
// joints without springs and of floating bases, which LinkRotation returns.
func (tree *Tree) Q(dof int32) float64 { return tree.dofs[dof].q }

// V returns the velocity of a degree of freedom, rad/s or m/s.
func (tree *Tree) V(dof int32) float64 { return tree.dofs[dof].v }

// LinkRotation returns the rotation of a spherical joint or of the floating base.
func (tree *Tree) LinkRotation(link int32) r3.Quat { return tree.links[link].rotation }

// LinkPose returns the centre of mass and the rotation of a link, as they were last computed.
func (tree *Tree) LinkPose(link int32) (com r3.Vec, rot r3.Quat) {
	k := &tree.links[link]
	return k.com, k.rot
}

// LinkTwist returns the velocity of a link's centre of mass and its angular velocity, as they were last
// computed.
func (tree *Tree) LinkTwist(link int32) (v, w r3.Vec) {
	k := &tree.links[link]
	return k.velocity.linearAt(k.arm), k.velocity.ang
}

// BaseTwistAt returns the part of a link's velocity that the base prescribes, whatever joints do: that of its
// centre of mass, and the angular one.
func (tree *Tree) BaseTwistAt(link int32) (v, w r3.Vec) {
	return tree.baseMotion.twist.linearAt(tree.links[link].arm), tree.baseMotion.twist.ang
}

// TotalMass returns the mass of all links, kg, once inertias have been computed.
func (tree *Tree) TotalMass() float64 { return tree.totalMass }

// SetLoad sets the force and the torque at a link's centre of mass, N and N·m along world axes, weight
// included.
func (tree *Tree) SetLoad(link int32, force, torque r3.Vec) {
	k := &tree.links[link]
	k.load = load{force, torque}
}

// SetEffort sets the force of a motor at the first degree of freedom of a link, N·m or N.
func (tree *Tree) SetEffort(link int32, effort float64) {
	tree.dofs[tree.links[link].firstDof].effort = effort
}

// Effort returns the force of the motor at the first degree of freedom of a link, N·m or N.
func (tree *Tree) Effort(link int32) float64 { return tree.dofs[tree.links[link].firstDof].effort }

// dofFields and linkFields are the state of degrees of freedom and links.
var (
	dofFields  = statecodec.LayoutOf((*dof).fields)
	linkFields = statecodec.LayoutOf((*link).fields)
)

func (d *dof) fields(f *statecodec.Fields) {
	f.Float(&d.q, statecodec.Hashed|statecodec.Finite)
	f.Float(&d.v, statecodec.Hashed|statecodec.Finite)
}

func (k *link) fields(f *statecodec.Fields) { f.Quat(&k.rotation, statecodec.Saved) }

// encode codes positions and velocities of all degrees of freedom, then the rotation of every link.
func (tree *Tree) encode(c *statecodec.Codec) {
	for d := range tree.dofs {
		dofFields.Code(c, &tree.dofs[d])
	}
	for k := range tree.links {
		linkFields.Code(c, &tree.links[k])
	}
}

// Hash takes in positions and velocities of all degrees of freedom.
func (tree *Tree) Hash(h *statecodec.WordHash) {
	for d := range tree.dofs {
		dofFields.Hash(h, &tree.dofs[d])
	}
}

// NotFinite returns the first degree of freedom whose position or velocity is not finite; -1: none.
func (tree *Tree) NotFinite() int32 {
	for d := range tree.dofs {
		if !dofFields.Valid(&tree.dofs[d]) {
			return int32(d)
		}
	}
	return -1
}

// Stop zeroes all velocities.
func (tree *Tree) Stop() {
	for d := range tree.dofs {
		tree.dofs[d].v = 0
	}
}

// ScaleVelocities multiplies all velocities by k.
func (tree *Tree) ScaleVelocities(k float64) {
	for d := range tree.dofs {
		tree.dofs[d].v = float64(k * tree.dofs[d].v)
	}
}

// AppendVelocities appends the velocities of all degrees of freedom.
func (tree *Tree) AppendVelocities(to []float64) []float64 {
	for d := range tree.dofs {
		to = append(to, tree.dofs[d].v)
	}
	return to
}

// AddScaledVelocities adds k·x to the velocities, by degree of freedom.
func (tree *Tree) AddScaledVelocities(k float64, x []float64) {
	for i, c := range x {
		tree.dofs[i].v += float64(k * c)
	}
}

// SetVelocities sets the velocities of all degrees of freedom.
func (tree *Tree) SetVelocities(v []float64) {
	for d := range tree.dofs {
		tree.dofs[d].v = v[d]
	}
}

// SolveInertia replaces x by M⁻¹·x, by degree of freedom, with the mass matrix M that was last computed.
func (tree *Tree) SolveInertia(x []float64) { tree.inertiaFactor.Solve(x) }

// Finite reports that velocities are below 1e6 and positions below 1e12.
func (tree *Tree) Finite() bool {
	for d := range tree.dofs {
		if f := &tree.dofs[d]; !(math.Abs(f.v) < 1e6) || !(math.Abs(f.q) < 1e12) {
			return false
		}
	}
	return true
}

// FastestSpin2 returns the square of the largest angular speed of a spherical joint or of the floating base,
// rad²/s².
func (tree *Tree) FastestSpin2() (fastest float64) {
	for d := 0; d < len(tree.dofs); d++ {
		if !tree.dofs[d].spherical {
			continue
		}
		a, b, c := tree.dofs[d].v, tree.dofs[d+1].v, tree.dofs[d+2].v
		fastest = max(fastest, float64(a*a)+float64(b*b)+float64(c*c))
		d += 2
	}
	return fastest
}
