package dynamics

import (
	"fmt"
	"math"
	"sort"

	"simdeck/sim/dynamics/articulation"
	"simdeck/sim/dynamics/linalg"
)

// coupling ties a joint's position to another's: ratio·leader + offset.
type coupling struct {
	on            bool
	leader        int32
	ratio, offset float64
}

// SetCoupling couples two joints both ways, like gear wheels or gripper fingers (URDF's mimic). The
// follower's position is held at ratio times the leader's plus offset, rad or m. The joints may be anywhere;
// within one articulation the coupling is exact. Ratio 0 and offset 0 remove it. Errors: ErrGone, ErrInvalid.
func (w *World) SetCoupling(follower, leader JointID, ratio, offset float64) error {
	if !w.joints.alive(follower) || !w.joints.alive(leader) {
		return fmt.Errorf("%w: coupling of %v with %v", ErrGone, follower, leader)
	}
	if math.IsNaN(ratio+offset) || math.IsInf(ratio+offset, 0) {
		return fmt.Errorf("%w: coupling of %v with ratio %v and offset %v, must be finite", ErrInvalid,
			follower, ratio, offset)
	}
	j, lead := &w.joints.all[follower.slot], &w.joints.all[leader.slot]
	if follower == leader || !j.kind.HasAxis() || !lead.kind.HasAxis() {
		return fmt.Errorf("%w: coupling of %v (%v) with %v (%v): both joints must have an axis", ErrInvalid,
			follower, j.kind, leader, lead.kind)
	}
	j.coupling = coupling{on: ratio != 0 || offset != 0, leader: int32(leader.slot), ratio: ratio,
		offset: offset}
	j.impulseCoupling = 0
	for _, k := range [2]*joint{j, lead} {
		for _, b := range [2]int32{k.parent, k.child} {
			if b >= 0 {
				w.active.wake(&w.bodies, b)
			}
		}
	}
	return nil
}

// couplingRow is the coupling of two joints that are not of one articulation. It acts through an
// articulation's inertia or through a joint constraint's two bodies. Couplings within an articulation are
// rows of it (articulation_rows.go).
type couplingRow struct {
	follower, leader couplingEnd
	slot             int32   // of the follower
	ratio            float64 // of velocities; 0: the follower is at its limit
	mass             float64
	target           float64 // velocity that corrects the position error, with bias
	impulse          float64 // of the substep
}

// couplingEnd is one joint of a couplingRow.
type couplingEnd struct {
	articulation *articulation.Articulation // nil: row is a joint constraint
	dof          int32
	row          int32
	offset       int32 // of M⁻¹·Jᵀ in solver.couplingResponses
}

// prepareCouplings builds the couplings beyond one articulation of awake joints, in order of the followers'
// slots. Joint constraints must exist.
func (s *solver) prepareCouplings(bodies *bodySet, joints *jointSet, articulations articulationList) {
	s.couplings, s.couplingResponses = s.couplings[:0], s.couplingResponses[:0]
	for i := range joints.all {
		j := &joints.all[i]
		if !j.coupling.on || j.coupledInArticulation(joints) {
			continue
		}
		r := couplingRow{slot: int32(i), impulse: j.impulseCoupling}
		if j.articulation == 0 {
			r.impulse = float64(r.impulse * s.warmStartScale)
		}
		if r.follower.resolve(bodies, j, articulations, s, int32(i)) &&
			r.leader.resolve(bodies, &joints.all[j.coupling.leader], articulations, s, j.coupling.leader) {
			s.couplings = append(s.couplings, r)
		}
	}
}

// resolve finds what moves a joint in this step; false: it does not move.
func (e *couplingEnd) resolve(bodies *bodySet, j *joint, articulations articulationList, s *solver,
	slot int32) bool {
	if j.articulation == 0 {
		at := sort.Search(len(s.jointConstraints),
			func(i int) bool { return s.jointConstraints[i].slot >= slot })
		e.row = int32(at)
		return at < len(s.jointConstraints) && s.jointConstraints[at].slot == slot
	}
	if !bodies.isAwake(j.child) {
		return false
	}
	e.articulation = &articulations[j.articulation-1].Articulation
	e.articulation.MarkContact() // other bodies act on it
	e.dof, _ = e.articulation.FirstDOF(j.link)
	e.offset = int32(len(s.couplingResponses))
	s.couplingResponses = linalg.Grow(s.couplingResponses,
		len(s.couplingResponses)+e.articulation.DOFs())
	return true
}

// beginCouplings computes responses and targets, and applies the warm start.
func (s *solver) beginCouplings(joints *jointSet) {
	for i := range s.couplings {
		r := &s.couplings[i]
		r.follower.updateResponse(s)
		r.leader.updateResponse(s)
		j := &joints.all[r.slot]
		want := float64(j.coupling.ratio*r.leader.position(s)) + j.coupling.offset
		r.ratio = j.coupling.ratio
		if j.limited && (want < j.lower || want > j.upper) {
			want, r.ratio = max(j.lower, min(j.upper, want)), 0
		}
		off := r.follower.position(s) - want
		r.target = max(-maxAngularRecovery, min(maxAngularRecovery, float64(-limitRecovery*off*s.invH)))
		r.mass = r.measureMass(s)
		r.applyImpulse(s, r.impulse)
	}
}

// updateResponse computes an articulation's response to a unit impulse at the joint.
func (e *couplingEnd) updateResponse(s *solver) {
	if e.articulation == nil {
		return
	}
	x := s.couplingResponses[e.offset : int(e.offset)+e.articulation.DOFs()]
	clear(x)
	x[e.dof] = 1
	e.articulation.SolveInertia(x)
}

// position is the joint's position, rad or m.
func (e *couplingEnd) position(s *solver) float64 {
	if e.articulation != nil {
		return e.articulation.Q(e.dof)
	}
	return s.jointConstraints[e.row].position
}

// speed is the joint's velocity, rad/s or m/s.
func (e *couplingEnd) speed(s *solver) float64 {
	if e.articulation != nil {
		return e.articulation.V(e.dof)
	}
	r := &s.jointConstraints[e.row]
	if r.onArticulation {
		r.refreshEndVelocities(s)
	}
	return r.speed(s)
}

// speed is the velocity error of the coupling.
func (r *couplingRow) speed(s *solver) float64 {
	v := r.follower.speed(s)
	if r.ratio != 0 {
		v -= float64(r.ratio * r.leader.speed(s))
	}
	return v
}

// applyImpulse applies an impulse to the follower and its reaction to the leader.
func (r *couplingRow) applyImpulse(s *solver, j float64) {
	r.follower.applyImpulse(s, j)
	if r.ratio != 0 {
		r.leader.applyImpulse(s, float64(-r.ratio*j))
	}
}

// applyImpulse applies an impulse along the joint.
func (e *couplingEnd) applyImpulse(s *solver, j float64) {
	if e.articulation == nil {
		s.jointConstraints[e.row].applyAlongAxis(s, j)
		return
	}
	e.articulation.AddScaledVelocities(j, s.couplingResponses[e.offset:int(e.offset)+e.articulation.DOFs()])
}

// measureMass measures the effective mass by a unit impulse, since both joints may share a body or an
// articulation. All velocities are restored.
func (r *couplingRow) measureMass(s *solver) float64 {
	before := r.speed(s)
	s.savedBodies, s.savedDofs = s.savedBodies[:0], s.savedDofs[:0]
	r.follower.save(s)
	r.leader.save(s)
	r.applyImpulse(s, 1)
	after := r.speed(s)
	r.leader.restore(s)
	r.follower.restore(s)
	return inverseOrZero(after - before)
}

// save saves the velocities that an impulse at the end changes.
func (e *couplingEnd) save(s *solver) {
	for _, art := range e.articulations(s) {
		if art != nil {
			s.savedDofs = art.AppendVelocities(s.savedDofs)
		}
	}
	if e.articulation == nil {
		r := &s.jointConstraints[e.row]
		s.savedBodies = append(s.savedBodies, s.states[r.a], s.states[r.b])
	}
}

// restore undoes save; the second end first.
func (e *couplingEnd) restore(s *solver) {
	arts := e.articulations(s)
	for i := len(arts) - 1; i >= 0; i-- {
		art := arts[i]
		if art == nil {
			continue
		}
		from := len(s.savedDofs) - art.DOFs()
		art.SetVelocities(s.savedDofs[from:])
		s.savedDofs = s.savedDofs[:from]
	}
	if e.articulation == nil {
		r := &s.jointConstraints[e.row]
		n := len(s.savedBodies)
		s.states[r.a], s.states[r.b] = s.savedBodies[n-2], s.savedBodies[n-1]
		s.savedBodies = s.savedBodies[:n-2]
	}
}

// articulations returns the articulations that an impulse at the end moves.
func (e *couplingEnd) articulations(s *solver) [2]*articulation.Articulation {
	if e.articulation != nil {
		return [2]*articulation.Articulation{e.articulation}
	}
	r := &s.jointConstraints[e.row]
	return [2]*articulation.Articulation{r.endA.link.Articulation(), r.endB.link.Articulation()}
}

// solveCouplings is one iteration over the couplings; useBias corrects position errors.
func (s *solver) solveCouplings(useBias bool) {
	for i := range s.couplings {
		r := &s.couplings[i]
		want := 0.0
		if useBias {
			want = r.target
		}
		j := float64(r.mass * (want - r.speed(s)))
		r.impulse += j
		r.applyImpulse(s, j)
	}
}

// finishCouplings stores the impulses for the next step.
func (js *jointSet) finishCouplings(s *solver) {
	for i := range s.couplings {
		r := &s.couplings[i]
		js.all[r.slot].impulseCoupling = r.impulse
	}
}
