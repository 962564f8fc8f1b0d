// Package articulation computes with trees of joints in reduced coordinates (Featherstone, Rigid Body
// Dynamics Algorithms, 2008: RBDA). The state is joint positions and velocities, so links cannot separate.
//
// Each substep computes the links' poses and axes (kinematics.go), the joint-space inertia (inertia.go) and
// its factors (package linalg), and the bias forces (bias.go). Rows of motors, joint friction, limits,
// couplings and loops are one box-constrained QP (rows.go, qp.go, loop.go). Contacts and other loads on links
// act through the links' impulse responses (response.go). Fast articulations carry momenta (momentum.go) or
// divide the substep (subcycle.go); floating ones and those with loops keep account of energy (conserve.go).
// Spatial vectors are about the articulation's origin, along world axes.
//
// The border: all that is expressed in joint coordinates is here. Bodies, contacts, motors, limits and what a
// joint remembers from step to step belong to the world, package dynamics. It takes loads and the base's
// motion as values, adds rows from Joints, and returns poses, twists and impulses. Loop joints are Jacobians
// here; the world computes the relative pose of their frames, as for every joint in maximal coordinates. No
// field is written from outside, and nothing here knows a body's or a contact's number.
package articulation

import (
	"unsafe"

	"simdeck/sim/statecodec"
)

// Articulation is a tree of links and its state in a step: joint rows, loops, responses to contacts, energy
// and momentum accounts. Between two steps only the positions and velocities of its degrees of freedom count.
//
// A step begins with BeginStep. Each substep is BeginSubstep, then any number of SolveRows and impulses, then
// Advance, SolveRows again for relaxed targets, and EndSubstep. EndStep and Refresh give the links' poses and
// twists. Measure does the reverse: it takes coordinates from bodies that were placed from outside.
type Articulation struct {
	Tree
	loops        []loop // in this step
	step         stepState
	carried      carriedMotion
	Rows         Rows // of this substep
	response     responseCache
	conservation conservation
	projection   loopProjection

	inverseWeights inverseWeights // derived from the tree
}

// stepState is the state of an articulation within a step or substep.
type stepState struct {
	integrator integrator
	// links and axes equal what forward kinematics would compute from the joint coordinates
	kinematicsValid  bool
	inContact        bool    // contacts, or joints in maximal coordinates, act on links
	hasExternalJoint bool    // joints in maximal coordinates act on links
	actuated         bool    // motors, joint friction, couplings or locked joints act
	conserved        bool    // energy and momentum are bookkept in this substep (conserve.go)
	untouched        bool    // no substep of this step has moved it yet
	maxAngularSpeed  float64 // rad/s, of any link
	rowDofs          []int32 // scratch
	rowCoefficients  []float64
}

// integrator is the rule by which an articulation advances through a substep.
type integrator uint8

const (
	// semiImplicit advances positions by the velocities after the substep, on which limits and contacts act.
	semiImplicit integrator = iota
	// trapezoidal advances positions by the mean velocity. Only smooth forces act, and the rule is of second
	// order.
	trapezoidal
	// carryMomenta is for fast links: each keeps its momentum on its way (momentum.go).
	carryMomenta
	// subcycled divides the substep (subcycle.go).
	subcycled
	// direct advances positions by the velocities that Newton's method has found (package newton).
	direct
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

// CopyFrom makes the coordinates and the tree those of another articulation; scratch stays.
func (art *Articulation) CopyFrom(o *Articulation) {
	art.step.kinematicsValid = false
	art.Tree.copyFrom(&o.Tree)
	art.inverseWeights = o.inverseWeights
}

// Encode codes the coordinates, the state of an articulation between two steps.
func (art *Articulation) Encode(c *statecodec.Codec) {
	if art.Tree.encode(c); c.Reads() {
		art.Invalidate()
	}
}

// Size returns about how many bytes a copy takes.
func (art *Articulation) Size() int {
	return len(art.links)*int(unsafe.Sizeof(link{})) + len(art.dofs)*int(unsafe.Sizeof(dof{})) +
		art.inertiaFactor.Size()
}

// Invalidate says that coordinates were changed from outside.
func (art *Articulation) Invalidate() { art.step.kinematicsValid = false }

// MarkContact says that in this step something acts on the links besides joints of the tree.
func (art *Articulation) MarkContact() { art.step.inContact = true }

// InContact reports that in this step something acts on the links besides joints of the tree.
func (art *Articulation) InContact() bool { return art.step.inContact }

// MarkExternalJoint says that a joint in maximal coordinates acts on a link in this step.
func (art *Articulation) MarkExternalJoint() { art.step.hasExternalJoint = true }

// HasExternalJoint reports that a joint in maximal coordinates acts on a link in this step.
func (art *Articulation) HasExternalJoint() bool { return art.step.hasExternalJoint }

// MarkActuated says that motors, friction, couplings or locked joints act in this step.
func (art *Articulation) MarkActuated() { art.step.actuated = true }

// IsDirect reports that Newton's method solves the articulation in this substep.
func IsDirect(art *Articulation) bool { return art.step.integrator == direct }

// Fast reports that links rotate so far in this substep that impulses of the last one do not apply.
func (art *Articulation) Fast() bool { return art.step.integrator.fast() }
