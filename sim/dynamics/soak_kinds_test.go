package dynamics

import "math"

// soakKind is a kind of small random worlds.
type soakKind uint8

const (
	soakHeaps soakKind = iota // bodies and chains of joints
	soakRings                 // joints that close a ring
	soakTrees                 // trees of joints in reduced coordinates
	soakLoops                 // such trees with an ordinary joint that closes a loop
)

func (k soakKind) String() string { return [...]string{"heaps", "rings", "trees", "loops"}[k] }

// rings are one or two rings of three to six bodies on joints of any kind, and free bodies.
func (w *soakWorld) rings() {
	for range 1 + w.r.IntN(2) {
		first := len(w.added)
		for range 3 + w.r.IntN(4) {
			if w.addApart() && len(w.added) > first+1 {
				w.joints = append(w.joints, w.joinLast())
			}
		}
		if last := len(w.added) - 1; last >= first+2 {
			w.joints = append(w.joints, must[JointID](w)(w.AddJoint(w.between(w.added[last],
				w.added[first]))))
		}
	}
	w.drive(w.joints)
	w.others()
}

// trees adds one or two trees of up to seven bodies, floating or on a static body, with rotors and limits, on
// screws too.
func (w *soakWorld) trees() {
	for range 1 + w.r.IntN(2) {
		w.tree()
	}
	w.others()
}

func (w *soakWorld) tree() {
	first := len(w.added)
	if !w.addApart() {
		return
	}
	var joints []JointID
	if !w.space && w.r.IntN(3) == 0 {
		joints = append(joints, must[JointID](w)(w.AddJoint(w.between(BodyID{}, w.added[first]))))
	}
	for range 2 + w.r.IntN(5) {
		if !w.addApart() {
			continue
		}
		last := len(w.added) - 1
		d := w.between(w.added[first+w.r.IntN(last-first)], w.added[last])
		d.Limited = d.Limited || w.r.IntN(2) == 0 &&
			(d.Type == Revolute || d.Type == Prismatic || d.Type == Screw)
		if w.r.IntN(3) == 0 {
			d.Armature = w.effort(&d) * math.Sqrt(w.size) * w.r.Float64()
		}
		joints = append(joints, must[JointID](w)(w.AddJoint(d)))
	}
	if len(joints) == 0 {
		return
	}
	w.check(w.Articulate(joints))
	if last := len(w.added) - 1; w.kind == soakLoops && last > first+1 {
		joints = append(joints, must[JointID](w)(w.AddJoint(w.between(w.added[first+w.r.IntN(last-first)],
			w.added[last]))))
	}
	w.joints = append(w.joints, joints...)
	w.drive(joints)
	w.MeasureJoints()
}

// others adds up to four free bodies.
func (w *soakWorld) others() {
	for range w.r.IntN(5) {
		w.addApart()
	}
}

// drive gives the joints of every other world motors of all modes.
func (w *soakWorld) drive(joints []JointID) {
	if w.r.IntN(2) == 0 {
		return
	}
	for _, id := range joints {
		j := &w.World.joints.all[id.slot]
		mode := w.r.IntN(5)
		if !j.kind.HasAxis() {
			continue
		}
		d := JointDef{Type: j.kind, Parent: w.bodies.id(j.parent), Child: w.bodies.id(j.child)}
		unit, way := w.effort(&d)*2*w.r.Float64(), 2*w.r.Float64()-1
		if j.kind == Prismatic {
			way *= 10 * w.size
		}
		switch mode {
		case 0:
			w.check(w.Joint(id).SetMotorVelocity(5*way, unit))
		case 1:
			w.check(w.Joint(id).SetMotorPosition(way, unit/math.Abs(way), 0.1*unit/math.Abs(way), unit))
		case 2:
			w.check(w.Joint(id).SetMotorPosition(way, 0, 0, unit))
		case 3:
			w.check(w.Joint(id).SetMotorEffort(unit * (2*w.r.Float64() - 1)))
		}
	}
}
