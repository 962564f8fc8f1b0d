package physics

import (
	"fmt"

	"simdeck/sim/r3"
)

// A limb is a tree of joints in reduced coordinates (Featherstone, "Rigid Body Dynamics Algorithms",
// 2008): its state is the positions and velocities of the joints, so that links cannot part; their
// poses follow by forward kinematics. Arms, grippers and legs are limbs; wheels and loose loops stay
// bodies with joints between them that the solver holds together. Joints that close loops within a limb are rows
// of it (limbloop.go).
//
// In each substep the joint-space inertia is composed and factored (limbmass.go), the free motion
// found (limbfree.go), and motors, joint friction, stops and gears solved exactly as one block
// (limbrow.go, limbblock.go); contacts on links act through the links' response (limbreach.go,
// limbpatch.go). Vectors of six are about the limb's origin, along world axes.
type limb struct {
	live   bool
	floats bool  // link 0 is the base, which hangs on nothing
	dirty  bool  // a pose or a twist was set: the joints must be measured
	base   int32 // slot of the body that it hangs on; -1: the world
	links  []link
	dofs   []dof

	origin    r3.Vec
	baseTwist spatial
	baseGain  spatial // its rate
	posed     bool    // links and axes are where the joints say, exactly as forward kinematics would find them again
	quiet     bool    // nothing but smooth forces acts: positions go by the trapezoidal rule
	touched   bool    // contacts or other joints act on links
	tied      bool    // other joints do
	held      bool    // motors, friction or gears do
	swift     bool    // its links turn far in this substep: they take their momenta along
	whirled   bool    // it has gone through this substep already
	counted   bool    // its energy and momentum are, in this substep (limbbudget.go)
	fresh     bool    // nothing has moved it in this step yet
	taken     float64 // s, of the way for which momenta are taken along, from
	keptAt    r3.Vec  // where the origin was, with
	energy    float64 // of motion
	bound     bool    // the whole of it is, as it floats, on its way to
	goal      r3.Vec  // for its centre of mass
	fastest   float64
	weight    float64   // kg, of all links
	mass      []float64 // joint-space inertia, lower triangle by rows; then its factors
	rate      []float64 // of the free motion
	rows      []limbRow
	block     block
	loops     []loop    // joints that close rings of its links, in this step
	wide      []float64 // by degree of freedom, of the rows that look at many
	shut      shut
	reaches   []reach
	answers   []answer // of all reaches, a dof after the other
	braced    []answer // the same with what the rows push back
	braces    []int32  // rows that do
	backs     []answer // by reach and row: their impulses
}

// link is a body of a limb.
type link struct {
	body   int32
	joint  int32 // slot; -1: the floating base
	parent int32 // link; -1: the base
	first  int32 // of its dofs
	count  int32
	last   int32 // dof of it or of what it hangs on; -1: none
	turn   r3.Quat
	back   r3.Quat // joint frame to body
	reach  int32   // 1 + index of its response in this step; 0: none

	before r3.Quat // turn at the beginning of the step
	com    r3.Vec  // world
	arm    r3.Vec  // of the COM from the origin
	rot    r3.Quat
	own    inertia
	all    inertia // with what hangs on it
	motion spatial
	gain   spatial
	load   spatial
	kept   spatial // momentum that it takes along
	from   r3.Vec  // COM at the beginning of a part of a whirl
	start  r3.Vec  // and when momentum was noted
	pace   float64
}

// dof is a degree of freedom of a limb.
type dof struct {
	q, v    float64 // q counts for nothing where the link's turn says it
	parent  int32   // the one before it towards the base; -1: none
	top     int32   // of the run, each the parent of the next, that ends in it
	ball    bool    // turns together with the others of its joint
	axis    spatial
	before  float64 // q at the beginning of the step
	last    float64 // v at the beginning of the substep
	drag    float64 // damping
	rotor   float64 // armature
	spring  float64
	rest    float64
	push    float64 // of an effort motor
	bias    float64
	inverse float64 // of the factored inertia's diagonal
}

// Articulate puts joints that exist into reduced coordinates. Together they must be a tree: no body is
// the child of two of them, and all hang on one base: the world, or a body that may be of any type (a
// dynamic base moves with the tree). The joints keep their ids, positions and motors. Removing one of
// the joints or bodies dissolves the tree into joints of the ordinary kind.
func (w *World) Articulate(ids []JointID) error {
	l, err := w.plantLimb(ids)
	if err != nil {
		return fmt.Errorf("reduced coordinates: %w", err)
	}
	slot := w.limbSlot()
	for i := range l.links {
		k := &l.links[i]
		w.bodies[k.body].limb, w.bodies[k.body].link = int32(slot+1), int32(i)
		if k.joint >= 0 {
			w.joints[k.joint].limb, w.joints[k.joint].link = int32(slot+1), int32(i)
		}
	}
	w.limbs[slot] = l
	w.measureLimb(&w.limbs[slot], true)
	w.wake(l.links[0].body)
	return nil
}

// limbSlot is where the next tree goes.
func (w *World) limbSlot() int {
	if len(w.moored) > 0 {
		slot := w.moored[0]
		w.moored = w.moored[1:]
		return int(slot)
	}
	for i := range w.limbs {
		if !w.limbs[i].live {
			return i
		}
	}
	w.limbs = append(w.limbs, limb{})
	return len(w.limbs) - 1
}

// Reduced reports whether a joint is computed in reduced coordinates.
func (w *World) Reduced(id JointID) bool {
	return w.jointAlive(id) && w.joints[id.slot].limb != 0
}

// plantLimb sorts joints into a tree.
func (w *World) plantLimb(ids []JointID) (limb, error) {
	l := limb{live: true, base: -1}
	if len(ids) == 0 {
		return l, fmt.Errorf("%w: no joint is named", ErrInvalid)
	}
	taken := make(map[int32]bool, len(ids))
	children := make(map[int32]bool, len(ids))
	for _, id := range ids {
		if !w.jointAlive(id) {
			return l, fmt.Errorf("%w: %v", ErrGone, id)
		}
		j := &w.joints[id.slot]
		if taken[int32(id.slot)] || j.limb != 0 || w.bodies[j.child].limb != 0 {
			return l, fmt.Errorf("%w: %v or its child belongs to a tree already", ErrInvalid, id)
		}
		if w.bodies[j.child].kind != Dynamic {
			return l, fmt.Errorf("%w: the child of %v is %v, must be dynamic", ErrInvalid, id, w.bodies[j.child].kind)
		}
		if children[j.child] {
			return l, fmt.Errorf("%w: %v is the child of two joints", ErrInvalid, w.bodyID(j.child))
		}
		taken[int32(id.slot)], children[j.child] = true, true
	}
	root, found := int32(0), false
	for _, id := range ids {
		p := w.joints[id.slot].parent
		if p >= 0 && children[p] {
			continue
		}
		if found && p != root {
			return l, fmt.Errorf("%w: the joints hang on both %v and %v", ErrInvalid, w.bodyID(root), w.bodyID(p))
		}
		root, found = p, true
	}
	if !found {
		return l, fmt.Errorf("%w: the joints are a ring", ErrInvalid)
	}
	if err := w.rootLimb(&l, root); err != nil {
		return l, err
	}
	return l, w.growLimb(&l, ids)
}

func (w *World) rootLimb(l *limb, root int32) error {
	l.base = root
	if root < 0 || w.bodies[root].kind != Dynamic {
		return nil
	}
	if w.bodies[root].limb != 0 {
		return fmt.Errorf("%w: the base %v belongs to a tree already", ErrInvalid, w.bodyID(root))
	}
	l.floats, l.base = true, -1
	l.links = append(l.links, link{body: root, joint: -1, parent: -1, count: 6, last: 5, turn: r3.Identity()})
	for i := range int32(6) {
		l.addDof(dof{parent: i - 1, ball: i >= 3})
	}
	return nil
}

// growLimb adds the joints, those nearer to the base first and else in the order of their slots.
func (w *World) growLimb(l *limb, ids []JointID) error {
	at := map[int32]int32{} // body → link
	if l.floats {
		at[l.links[0].body] = 0
	}
	placed := make([]bool, len(w.joints))
	for again := true; again; {
		again = false
		for _, id := range ids {
			j := &w.joints[id.slot]
			parent, on := int32(-1), j.parent == l.base && !l.floats
			if !on && j.parent >= 0 {
				parent, on = lookLink(at, j.parent)
			}
			if !on || placed[id.slot] {
				continue
			}
			placed[id.slot], again = true, true
			at[j.child] = int32(len(l.links))
			l.sprout(j, int32(id.slot), parent)
		}
	}
	for _, id := range ids {
		if !placed[id.slot] {
			return fmt.Errorf("%w: %v hangs on a ring of joints", ErrInvalid, id)
		}
	}
	n := len(l.dofs)
	l.mass, l.rate = make([]float64, n*n), make([]float64, n)
	return nil
}

func lookLink(at map[int32]int32, body int32) (int32, bool) {
	i, ok := at[body]
	return i, ok
}

// sprout adds the child of a joint.
func (l *limb) sprout(j *joint, slot, parent int32) {
	k := link{body: j.child, joint: slot, parent: parent, first: int32(len(l.dofs)), count: j.freedom(), last: -1,
		turn: r3.Identity(), back: j.rotB.Conj()}
	if parent >= 0 {
		k.last = l.links[parent].last
	}
	for range k.count {
		l.addDof(dof{parent: k.last, ball: j.kind == Ball, drag: j.damping, rotor: j.armature})
		k.last = int32(len(l.dofs) - 1)
	}
	switch {
	case j.drives():
		d := &l.dofs[k.first]
		d.spring, d.rest = j.stiffness, j.springRest
	case j.kind == Ball:
		for i := range 3 {
			l.dofs[k.first+int32(i)].spring = j.stiffness
		}
	}
	l.links = append(l.links, k)
}

func (l *limb) addDof(d dof) {
	d.top = int32(len(l.dofs))
	if d.parent >= 0 && d.parent == d.top-1 {
		d.top = l.dofs[d.parent].top
	}
	l.dofs = append(l.dofs, d)
}

// dissolve makes ordinary bodies and joints of a limb.
func (w *World) dissolve(number int32) {
	l := &w.limbs[number-1]
	for i := range l.links {
		k := &l.links[i]
		w.bodies[k.body].limb, w.bodies[k.body].link = 0, 0
		if k.joint >= 0 {
			w.joints[k.joint].limb, w.joints[k.joint].link = 0, 0
		}
	}
	*l = limb{}
}

// disturbed notes that the pose or twist of a body was set from outside.
func (w *World) disturbed(slot int32) {
	for i := range w.limbs {
		if l := &w.limbs[i]; l.live && (l.base == slot || w.bodies[slot].limb == int32(i+1)) {
			l.dirty = true
		}
	}
}
