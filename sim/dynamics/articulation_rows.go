package dynamics

import "math"

// articulationRow is something that wants a velocity of up to three degrees of freedom: v + give·sum is to be
// the target, and sum, its impulse in a substep, stays between lo and hi.
type articulationRow struct {
	i, j, k               int32 // degrees of freedom; j, k -1: none
	dense                 int32 // above 0: it looks at many, by the numbers of a loop's row (loop.go), 1 + where they begin
	coefI, coefJ, coefK   float64
	target, compliance    float64
	relaxedTarget         float64 // target in the relaxing pass
	lower, upper, impulse float64
	regularization        float64 // by which it yields besides, where loops may repeat or contradict it
	joint                 int32
	kind                  rowKind
	atBound               bool // at a bound that it is pushed against
}

// rowKind says where a row's impulse is remembered.
type rowKind uint8

const (
	rowDrive rowKind = iota
	rowFriction
	rowLower
	rowUpper
	rowCoupling
	rowVelocityLimit
	rowFriction2 // about the joint's second freedom
	rowFriction3
	rowDamping // of a joint that closes a loop, which is no part of the inertia
	rowLoop    // what such a joint holds, which is never remembered: it is exact
)

func (j *joint) storedImpulse(k rowKind) *float64 {
	switch k {
	case rowDrive:
		return &j.impulseDrive
	case rowFriction:
		return &j.impulseFriction
	case rowLower:
		return &j.impulseLower
	case rowUpper:
		return &j.impulseUpper
	case rowVelocityLimit:
		return &j.impulseVelocityLimit
	case rowFriction2:
		return &j.impulseFriction2
	case rowFriction3:
		return &j.impulseFriction3
	case rowDamping:
		return &j.impulseDamping
	}
	return &j.impulseCoupling
}

// isActuated reports that motors, friction, gears or locks act on a limb.
func (l *kinematicTree) isActuated(w *World) bool {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 {
			continue
		}
		j := &w.joints[k.joint]
		if j.friction > 0 && k.dofCount > 0 || j.motor.mode != motorOff && j.motor.mode != motorEffort || j.coupling.on || j.locked() {
			return true
		}
	}
	return false
}

// buildRows makes the rows of a limb for a substep.
func (l *articulation) buildRows(w *World) {
	l.qp.rows = l.qp.rows[:0]
	h := w.solver.h
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		j := &w.joints[k.joint]
		row := articulationRow{i: k.firstDof, coefI: 1, j: -1, k: -1, joint: k.joint}
		if j.friction > 0 {
			stick := row
			stick.lower, stick.upper = -float64(j.friction*h), float64(j.friction*h)
			for d, kind := range [...]rowKind{rowFriction, rowFriction2, rowFriction3} {
				if stick.i, stick.kind = k.firstDof+int32(d), kind; int32(d) < k.dofCount {
					l.qp.addRow(&stick, j)
				}
			}
		}
		if j.kind == Ball && j.limited {
			l.addConeLimit(row, k, j, h)
		}
		if !j.hasAxis() {
			continue
		}
		f := &l.dofs[row.i]
		if d := j.drive(h); d.on {
			l.qp.addMotorRow(row, j, &d, f.q, h)
		}
		if j.speedLimit > 0 {
			l.qp.addVelocityLimit(row, j, f.v)
		}
		if j.limited {
			l.addLimits(row, j, f.q, f.v, h)
		}
		if j.coupling.on {
			l.addCoupling(w, row, j, h)
		}
	}
	if !l.step.conserved {
		return
	}
	l.conservation.onlyLoopImpulses = !l.step.inContact && !l.step.actuated && len(l.qp.rows) == 0
	l.conservation.drivenLoop, l.conservation.startedClosed = false, true
	if len(l.loops) > 0 {
		l.buildAllLoopRows(w)
	}
	l.conservation.onlyLoopImpulses = l.conservation.onlyLoopImpulses && !l.hasExternalLoads(w)
}

func (b *articulationQP) addRow(r *articulationRow, j *joint) {
	r.impulse = max(r.lower, min(r.upper, *j.storedImpulse(r.kind)))
	b.rows = append(b.rows, *r)
}

func (b *articulationQP) addMotorRow(row articulationRow, j *joint, d *motorDrive, q, h float64) {
	row.kind, row.lower, row.upper = rowDrive, -d.limit, d.limit
	row.target = d.target
	if d.kp > 0 {
		k := d.kd + float64(h*d.kp)
		row.compliance = 1 / float64(h*k)
		row.target = float64((d.target-q)*d.kp) / k
	}
	row.relaxedTarget = row.target
	b.addRow(&row, j)
}

// limitRecovery is how much of an overrun of a stop is taken back per substep.
const limitRecovery = 0.2

// addLimits adds the stop that is near: before it is reached the joint may still come closer.
func (l *articulation) addLimits(row articulationRow, j *joint, q, v, h float64) {
	if j.locked() {
		row.kind, row.lower, row.upper = rowLower, math.Inf(-1), math.Inf(1)
		row.target = l.recoverySpeed(float64(limitRecovery*(j.lower-q)) / h)
		l.qp.addRow(&row, j)
		return
	}
	near := float64(2*h*math.Abs(v)) + 1e-3
	for _, stop := range [...]struct {
		kind rowKind
		room float64
	}{{rowLower, q - j.lower}, {rowUpper, j.upper - q}} {
		if stop.room > near {
			*j.storedImpulse(stop.kind) = 0
			continue
		}
		l.addLimit(row, j, stop.kind, stop.room, h)
	}
}

// addLimit adds a stop and the room that is left before it.
func (l *articulation) addLimit(row articulationRow, j *joint, kind rowKind, room, h float64) {
	row.kind, row.target = kind, -room/h
	if room < 0 {
		row.target = l.recoverySpeed(float64(-limitRecovery*room) / h)
	}
	row.relaxedTarget = min(row.target, 0)
	row.lower, row.upper = 0, math.Inf(1)
	if kind == rowUpper {
		row.lower, row.upper = math.Inf(-1), 0
		row.target, row.relaxedTarget = -row.target, -row.relaxedTarget
	}
	l.qp.addRow(&row, j)
}

// addCoupling makes a joint follow another of the same limb: the velocities at once, what the positions
// are off within a few substeps. Where the leader asks for more than the follower's stops allow, the
// follower waits at its stop and the leader goes on.
func (l *articulation) addCoupling(w *World, row articulationRow, j *joint, h float64) {
	lead := &w.joints[j.coupling.leader]
	if !j.coupledInArticulation(w) {
		return
	}
	row.kind, row.lower, row.upper = rowCoupling, math.Inf(-1), math.Inf(1)
	first := l.links[lead.link].firstDof
	want := float64(j.coupling.ratio*l.dofs[first].q) + j.coupling.offset
	if j.limited && (want < j.lower || want > j.upper) {
		want = max(j.lower, min(j.upper, want))
	} else {
		row.j, row.coefJ = first, -j.coupling.ratio
	}
	off := l.dofs[row.i].q - want
	row.target = l.recoverySpeed(float64(-limitRecovery*off) / h)
	l.qp.addRow(&row, j)
}

// recoverySpeed is the velocity by which a row takes back what its position is off; in a limb with loops nothing does, since
// they may leave no way to move at all: projectLoops shifts the joints.
func (l *articulation) recoverySpeed(v float64) float64 {
	if len(l.loops) > 0 {
		return 0
	}
	return max(-maxAngularRecovery, min(maxAngularRecovery, v))
}

// rowVelocityLimit is the velocity that a row looks at.
func (r *articulationRow) speed(l *articulation) float64 {
	if r.dense > 0 {
		return r.denseSpeed(l)
	}
	v := float64(r.coefI * l.dofs[r.i].v)
	if r.j >= 0 {
		v += float64(r.coefJ * l.dofs[r.j].v)
	}
	if r.k >= 0 {
		v += float64(r.coefK * l.dofs[r.k].v)
	}
	return v
}
