package physics

import (
	"math"
	"sort"
)

// gearRow is a gear between two joints that are not of one limb: it acts through whatever moves each of
// them, a tree of joints or the two bodies of an ordinary one. Gears within a limb are solved with its
// other rows (limbrow.go).
type gearRow struct {
	follower, leader gearEnd
	slot             int32   // of the follower
	ratio            float64 // what the leader's velocity counts; 0: the follower waits at its stop
	mass             float64
	target           float64 // of the velocity, while errors of position are worked off
	sum              float64 // impulse in a substep
}

// gearEnd is one of the joints of a gearRow.
type gearEnd struct {
	limb *limb // nil: row is an ordinary joint's
	dof  int32
	row  int32
	at   int32 // of what a unit of impulse does to the limb, in the solver's scratch
}

// prepareGears lays out the gears that reach beyond a limb, of joints that move, in the order of their
// followers' slots. The joints' own rows are there.
func (w *World) prepareGears() {
	s := &w.solver
	s.gears, s.gearAnswers = s.gears[:0], s.gearAnswers[:0]
	for i := range w.joints {
		j := &w.joints[i]
		if !j.gear.on || w.inOneLimb(j) {
			continue
		}
		r := gearRow{slot: int32(i), sum: j.jGear}
		if j.limb == 0 {
			r.sum = float64(r.sum * w.warmScale())
		}
		if w.gearEnd(&r.follower, int32(i)) && w.gearEnd(&r.leader, j.gear.leader) {
			s.gears = append(s.gears, r)
		}
	}
}

// inOneLimb reports that a geared joint and its leader are of the same limb.
func (w *World) inOneLimb(j *joint) bool {
	return j.limb != 0 && j.limb == w.joints[j.gear.leader].limb
}

// gearEnd finds how a joint is moved in this step; false: it is not.
func (w *World) gearEnd(e *gearEnd, slot int32) bool {
	s, j := &w.solver, &w.joints[slot]
	if j.limb == 0 {
		at := sort.Search(len(s.joints), func(i int) bool { return s.joints[i].slot >= slot })
		e.row = int32(at)
		return at < len(s.joints) && s.joints[at].slot == slot
	}
	if !w.moves(j.child) {
		return false
	}
	e.limb = &w.limbs[j.limb-1]
	e.limb.touched = true // its velocities do not follow from itself alone
	e.dof = e.limb.links[j.link].first
	e.at = int32(len(s.gearAnswers))
	s.gearAnswers = grown(s.gearAnswers, len(s.gearAnswers)+len(e.limb.dofs))
	return true
}

// meshGears finds what the gears do in this substep, and applies what they did in the last.
func (w *World) meshGears() {
	s := &w.solver
	for i := range s.gears {
		r := &s.gears[i]
		s.armGear(&r.follower)
		s.armGear(&r.leader)
		j := &w.joints[r.slot]
		want := float64(j.gear.ratio*s.gearPosition(&r.leader)) + j.gear.offset
		r.ratio = j.gear.ratio
		if j.limited && (want < j.lower || want > j.upper) {
			want, r.ratio = max(j.lower, min(j.upper, want)), 0
		}
		off := s.gearPosition(&r.follower) - want
		r.target = max(-unskewSpeed, min(unskewSpeed, float64(-stopRate*off*s.invH)))
		r.mass = s.gearMass(r)
		s.turnGear(r, r.sum)
	}
}

// armGear finds what a unit of impulse does to a limb.
func (s *solver) armGear(e *gearEnd) {
	if e.limb == nil {
		return
	}
	x := s.gearAnswers[e.at : int(e.at)+len(e.limb.dofs)]
	clear(x)
	x[e.dof] = 1
	e.limb.divide(x)
}

func (s *solver) gearPosition(e *gearEnd) float64 {
	if e.limb != nil {
		return e.limb.dofs[e.dof].q
	}
	return s.joints[e.row].position
}

// endSpeed is the velocity of one of the joints.
func (s *solver) endSpeed(e *gearEnd) float64 {
	if e.limb != nil {
		return e.limb.dofs[e.dof].v
	}
	r := &s.joints[e.row]
	if r.tied {
		s.refreshTied(r)
	}
	return s.speed(r)
}

func (s *solver) gearSpeed(r *gearRow) float64 {
	v := s.endSpeed(&r.follower)
	if r.ratio != 0 {
		v -= float64(r.ratio * s.endSpeed(&r.leader))
	}
	return v
}

// turnGear applies an impulse to the follower, and what holds it to the leader.
func (s *solver) turnGear(r *gearRow, j float64) {
	s.turnEnd(&r.follower, j)
	if r.ratio != 0 {
		s.turnEnd(&r.leader, float64(-r.ratio*j))
	}
}

func (s *solver) turnEnd(e *gearEnd, j float64) {
	if e.limb == nil {
		s.along(&s.joints[e.row], j)
		return
	}
	for i, x := range s.gearAnswers[e.at : int(e.at)+len(e.limb.dofs)] {
		e.limb.dofs[i].v += float64(j * x)
	}
}

// gearMass is found by trying: both joints may have a body in common, or hang on one tree. All
// velocities are put back as they were.
func (s *solver) gearMass(r *gearRow) float64 {
	before := s.gearSpeed(r)
	s.kept, s.keptDofs = s.kept[:0], s.keptDofs[:0]
	s.keepEnd(&r.follower)
	s.keepEnd(&r.leader)
	s.turnGear(r, 1)
	after := s.gearSpeed(r)
	s.restoreEnd(&r.leader)
	s.restoreEnd(&r.follower)
	return invertOrZero(after - before)
}

func (s *solver) keepEnd(e *gearEnd) {
	for _, l := range s.limbsOf(e) {
		if l != nil {
			for d := range l.dofs {
				s.keptDofs = append(s.keptDofs, l.dofs[d].v)
			}
		}
	}
	if e.limb == nil {
		r := &s.joints[e.row]
		s.kept = append(s.kept, s.moving[r.a], s.moving[r.b])
	}
}

// restoreEnd undoes keepEnd; of two ends the second one first.
func (s *solver) restoreEnd(e *gearEnd) {
	limbs := s.limbsOf(e)
	for i := len(limbs) - 1; i >= 0; i-- {
		l := limbs[i]
		if l == nil {
			continue
		}
		from := len(s.keptDofs) - len(l.dofs)
		for d, v := range s.keptDofs[from:] {
			l.dofs[d].v = v
		}
		s.keptDofs = s.keptDofs[:from]
	}
	if e.limb == nil {
		r := &s.joints[e.row]
		n := len(s.kept)
		s.moving[r.a], s.moving[r.b] = s.kept[n-2], s.kept[n-1]
		s.kept = s.kept[:n-2]
	}
}

// limbsOf are the limbs that an impulse at an end moves.
func (s *solver) limbsOf(e *gearEnd) [2]*limb {
	if e.limb != nil {
		return [2]*limb{e.limb}
	}
	r := &s.joints[e.row]
	return [2]*limb{r.limbA.limb, r.limbB.limb}
}

// solveGears is one pass over the gears; push says whether errors of position are worked off.
func (s *solver) solveGears(push bool) {
	for i := range s.gears {
		r := &s.gears[i]
		want := 0.0
		if push {
			want = r.target
		}
		j := float64(r.mass * (want - s.gearSpeed(r)))
		r.sum += j
		s.turnGear(r, j)
	}
}

// finishGears stores what the next step starts from.
func (w *World) finishGears() {
	for i := range w.solver.gears {
		r := &w.solver.gears[i]
		w.joints[r.slot].jGear = r.sum
	}
}

// joinGears makes one island of what gears hold together.
func (w *World) joinGears(awake func(int32) bool) {
	for i := range w.joints {
		j := &w.joints[i]
		if !j.gear.on {
			continue
		}
		first := int32(math.MaxInt32)
		for _, k := range [2]*joint{j, &w.joints[j.gear.leader]} {
			for _, b := range [2]int32{k.parent, k.child} {
				if b < 0 || !awake(b) {
					continue
				}
				if first == math.MaxInt32 {
					first = b
				}
				w.sleep.join(first, b)
			}
		}
	}
}
