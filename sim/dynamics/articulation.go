package dynamics

import (
	"fmt"

	"simdeck/sim/dynamics/linalg"
	"simdeck/sim/r3"
)

// articulation is a tree of joints in reduced coordinates (Featherstone, Rigid Body Dynamics Algorithms,
// 2008). Its state is joint positions and velocities, so links cannot separate; forward kinematics gives
// their poses. Arms, grippers and legs are articulations. Wheels and loose loops stay bodies with joint
// constraints. Joints that close loops within an articulation are rows of it (loop.go).
//
// Each substep computes and factors the joint-space inertia (inertia.go) and the bias forces (bias.go).
// Motors, joint friction, limits and couplings are one box-constrained QP (articulation_rows.go,
// articulation_qp.go). Contacts act through the links' impulse responses (articulation_response.go,
// articulation_contact.go). Spatial vectors are about the articulation's origin, along world axes.
type articulation struct {
	live  bool
	dirty bool // a pose or a twist was set: joint coordinates must be measured
	kinematicTree
	loops        []loopJoint // loop-closing joints in this step
	step         articulationStep
	carried      carriedMotion
	qp           articulationQP
	response     responseCache
	conservation conservation
	projection   loopProjection
}

// kinematicTree is the links and degrees of freedom of an articulation, and its spatial algebra.
type kinematicTree struct {
	floating bool  // link 0 is the base and has six degrees of freedom
	base     int32 // slot of the body at the fixed base; -1: the world
	links    []link
	dofs     []dof

	baseMotion    baseMotion
	totalMass     float64             // kg, of all links
	inertiaFactor linalg.BranchedLTDL // of the joint-space inertia
	velocityDelta []float64           // change of the joint velocities by smooth forces, by degree of freedom
}

// baseMotion is the origin of all spatial vectors of an articulation, and the motion that its base
// prescribes.
type baseMotion struct {
	origin       r3.Vec  // m, world axes
	twist        spatial // of the base; zero for a floating base
	acceleration spatial
}

// articulationStep is what an articulation knows about the current step or substep.
type articulationStep struct {
	integrator integrator
	// links and axes equal what forward kinematics would compute from the joint coordinates
	kinematicsValid  bool
	inContact        bool    // contacts, or joints in maximal coordinates, act on links
	hasExternalJoint bool    // joints in maximal coordinates act on links
	actuated         bool    // motors, joint friction, couplings or locked joints act
	conserved        bool    // energy and momentum are bookkept in this substep (articulation_conserve.go)
	untouched        bool    // no substep of this step has moved it yet
	maxAngularSpeed  float64 // rad/s, of any link
}

// integrator is the rule by which an articulation advances through a substep.
type integrator uint8

const (
	// semiImplicit advances positions by the velocities after the substep, on which limits and contacts act.
	semiImplicit integrator = iota
	// trapezoidal advances positions by the mean velocity. Only smooth forces act, and the rule is of second
	// order.
	trapezoidal
	// carryMomenta is for fast links: each keeps its momentum on its way (articulation_momentum.go).
	carryMomenta
	// subcycled divides the substep (articulation_subcycle.go).
	subcycled
	// subcycleCandidate is fast under smooth forces; whether a limit is near is not known yet.
	subcycleCandidate
)

// chooseIntegrator selects the rule: smooth says that no contact, motor or friction acts, fast that links
// rotate far.
func chooseIntegrator(smooth, fast bool) integrator {
	switch {
	case smooth && fast:
		return subcycleCandidate
	case smooth:
		return trapezoidal
	case fast:
		return carryMomenta
	}
	return semiImplicit
}

// smooth reports that only smooth forces act in the substep.
func (i integrator) smooth() bool {
	return i == trapezoidal || i == subcycled || i == subcycleCandidate
}

// fast reports that links rotate far in the substep, so that bias forces at one instant would add energy.
func (i integrator) fast() bool { return i == carryMomenta || i == subcycleCandidate }

// carriedMotion is the motion that fast links take along through a substep.
type carriedMotion struct {
	time          float64 // s, of the way; 0: no momenta are carried
	origin        r3.Vec  // the origin at its start
	kineticEnergy float64 // J
	comTargetSet  bool
	comTarget     r3.Vec // predicted centre of mass of a floating articulation
}

// link is a body of an articulation.
type link struct {
	body        int32 // slot
	joint       int32 // slot of the joint towards the base; -1: the floating base
	parent      int32 // link; -1: the base
	firstDof    int32 // its first degree of freedom
	dofCount    int32
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
	externalForce     spatial // weight and applied wrench
	carriedMomentum   spatial // momentum that the link keeps as if it were free
	comSegmentStart   r3.Vec  // COM at the start of a subcycle or of a projection
	comSubstepStart   r3.Vec  // COM when the momentum was saved
	angularSpeedBound float64 // rad/s
}

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

// Articulate moves existing joints into reduced coordinates. They must form a tree: each body is the child of
// at most one joint, and all joints share one base. The base is the world or a body of any type; a dynamic
// base moves with the tree. Joints keep their ids, positions and motors. Removing a joint or body of the tree
// returns the rest to maximal coordinates. Errors: ErrInvalid when the joints are no tree, ErrGone for a
// removed joint.
func (w *World) Articulate(ids []JointID) error {
	art, err := w.buildArticulation(ids)
	if err != nil {
		return fmt.Errorf("reduced coordinates: %w", err)
	}
	slot := w.freeArticulationSlot()
	for i := range art.links {
		k := &art.links[i]
		w.bodies.all[k.body].articulation, w.bodies.all[k.body].link = int32(slot+1), int32(i)
		if k.joint >= 0 {
			w.joints.all[k.joint].articulation, w.joints.all[k.joint].link = int32(slot+1), int32(i)
		}
	}
	w.articulations[slot] = art
	w.articulations[slot].measure(w, true)
	w.active.wake(&w.bodies, art.links[0].body)
	return nil
}

// freeArticulationSlot returns the slot for the next articulation.
func (w *World) freeArticulationSlot() int {
	if len(w.nextArticulations) > 0 {
		slot := w.nextArticulations[0]
		w.nextArticulations = w.nextArticulations[1:]
		return int(slot)
	}
	for i := range w.articulations {
		if !w.articulations[i].live {
			return i
		}
	}
	w.articulations = append(w.articulations, articulation{})
	return len(w.articulations) - 1
}

// Reduced reports whether a joint is in reduced coordinates.
func (h Joint) Reduced() bool {
	return h.alive() && h.w.joints.all[h.id.slot].articulation != 0
}

// buildArticulation sorts joints into a tree.
func (w *World) buildArticulation(ids []JointID) (articulation, error) {
	art := articulation{live: true, kinematicTree: kinematicTree{base: -1}}
	if len(ids) == 0 {
		return art, fmt.Errorf("%w: no joints given", ErrInvalid)
	}
	taken := make(map[int32]bool, len(ids))
	children := make(map[int32]bool, len(ids))
	for _, id := range ids {
		if !w.joints.alive(id) {
			return art, fmt.Errorf("%w: %v", ErrGone, id)
		}
		j := &w.joints.all[id.slot]
		if taken[int32(id.slot)] || j.articulation != 0 || w.bodies.all[j.child].articulation != 0 {
			return art, fmt.Errorf("%w: %v or its child is in an articulation already", ErrInvalid, id)
		}
		if w.bodies.all[j.child].kind != Dynamic {
			return art, fmt.Errorf("%w: the child of %v is %v, must be dynamic", ErrInvalid, id,
				w.bodies.all[j.child].kind)
		}
		if children[j.child] {
			return art, fmt.Errorf("%w: %v is the child of two joints", ErrInvalid, w.bodies.id(j.child))
		}
		taken[int32(id.slot)], children[j.child] = true, true
	}
	base, found := int32(0), false
	for _, id := range ids {
		p := w.joints.all[id.slot].parent
		if p >= 0 && children[p] {
			continue
		}
		if found && p != base {
			return art, fmt.Errorf("%w: the joints have two bases, %v and %v", ErrInvalid, w.bodies.id(base),
				w.bodies.id(p))
		}
		base, found = p, true
	}
	if !found {
		return art, fmt.Errorf("%w: the joints form a loop", ErrInvalid)
	}
	if err := art.setBase(w, base); err != nil {
		return art, err
	}
	return art, art.addLinks(w, ids)
}

// setBase sets the base; a dynamic body becomes link 0 with six degrees of freedom.
func (tree *kinematicTree) setBase(w *World, body int32) error {
	tree.base = body
	if body < 0 || w.bodies.all[body].kind != Dynamic {
		return nil
	}
	if w.bodies.all[body].articulation != 0 {
		return fmt.Errorf("%w: the base %v is in an articulation already", ErrInvalid, w.bodies.id(body))
	}
	tree.floating, tree.base = true, -1
	tree.links = append(tree.links,
		link{body: body, joint: -1, parent: -1, dofCount: 6, lastDof: 5, rotation: r3.Identity()})
	for i := range int32(6) {
		tree.addDof(dof{parent: i - 1, spherical: i >= 3})
	}
	return nil
}

// addLinks adds joints, those nearer to the base first, otherwise in the order given.
func (tree *kinematicTree) addLinks(w *World, ids []JointID) error {
	at := map[int32]int32{} // body → link
	if tree.floating {
		at[tree.links[0].body] = 0
	}
	placed := make([]bool, len(w.joints.all))
	for again := true; again; {
		again = false
		for _, id := range ids {
			j := &w.joints.all[id.slot]
			parent, on := int32(-1), j.parent == tree.base && !tree.floating
			if !on && j.parent >= 0 {
				parent, on = findLink(at, j.parent)
			}
			if !on || placed[id.slot] {
				continue
			}
			placed[id.slot], again = true, true
			at[j.child] = int32(len(tree.links))
			tree.addLink(j, int32(id.slot), parent)
		}
	}
	for _, id := range ids {
		if !placed[id.slot] {
			return fmt.Errorf("%w: %v is connected to the base by a loop only", ErrInvalid, id)
		}
	}
	tree.velocityDelta = make([]float64, len(tree.dofs))
	return nil
}

// findLink returns the link of a body.
func findLink(at map[int32]int32, body int32) (int32, bool) {
	i, ok := at[body]
	return i, ok
}

// addLink adds the child of a joint.
func (tree *kinematicTree) addLink(j *joint, slot, parent int32) {
	k := link{body: j.child, joint: slot, parent: parent, firstDof: int32(len(tree.dofs)),
		dofCount: j.dofCount(), lastDof: -1,
		rotation: r3.Identity(), jointToBody: j.rotB.Conj()}
	if parent >= 0 {
		k.lastDof = tree.links[parent].lastDof
	}
	for range k.dofCount {
		tree.addDof(dof{parent: k.lastDof, spherical: j.kind == Ball, damping: j.damping,
			armature: j.armature})
		k.lastDof = int32(len(tree.dofs) - 1)
	}
	switch {
	case j.hasAxis():
		d := &tree.dofs[k.firstDof]
		d.stiffness, d.springRest = j.stiffness, j.springRest
	case j.kind == Ball:
		for i := range 3 {
			tree.dofs[k.firstDof+int32(i)].stiffness = j.stiffness
		}
	}
	tree.links = append(tree.links, k)
}

// addDof adds a degree of freedom.
func (tree *kinematicTree) addDof(d dof) {
	tree.dofs = append(tree.dofs, d)
	tree.inertiaFactor.AddUnknown(d.parent)
}

// toMaximal returns an articulation's links to bodies and joint constraints.
func (w *World) toMaximal(number int32) {
	art := &w.articulations[number-1]
	for i := range art.links {
		k := &art.links[i]
		w.bodies.all[k.body].articulation, w.bodies.all[k.body].link = 0, 0
		if k.joint >= 0 {
			w.joints.all[k.joint].articulation, w.joints.all[k.joint].link = 0, 0
		}
	}
	*art = articulation{}
}

// invalidateJoints marks the articulations of a body whose pose or twist was set from outside.
func (w *World) invalidateJoints(slot int32) {
	for i := range w.articulations {
		if art := &w.articulations[i]; art.live &&
			(art.base == slot || w.bodies.all[slot].articulation == int32(i+1)) {
			art.dirty = true
		}
	}
}
