package dynamics

import "math"

// articulationRow is a constraint on a velocity J·q̇ of one to three degrees of freedom, or of many with
// dense: J·q̇ + compliance·impulse = target, with the impulse of the substep between lower and upper.
type articulationRow struct {
	i, j, k               int32 // degrees of freedom; j, k -1: none
	dense                 int32 // above 0: 1 + offset of its Jacobian in denseCoefficients (loop.go)
	coefI, coefJ, coefK   float64
	target, compliance    float64
	relaxedTarget         float64 // target in the relax iteration
	lower, upper, impulse float64
	regularization        float64 // ε added to the diagonal, where loops may be redundant or inconsistent
	joint                 int32
	kind                  rowKind
	atBound               bool // at a bound, in the active set
}

// rowKind says which stored impulse of a joint a row starts from.
type rowKind uint8

const (
	rowDrive rowKind = iota
	rowFriction
	rowLower
	rowUpper
	rowCoupling
	rowVelocityLimit
	rowFriction2 // about the joint's second degree of freedom
	rowFriction3
	rowDamping // of a loop joint, whose damping is not in the inertia
	rowLoop    // constraint of a loop joint, never warm-started: its solution is exact
)

// storedImpulse is where the joint stores the impulse of a kind of row.
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

// isActuated reports that a motor, friction, coupling or locked joint acts.
func (tree *kinematicTree) isActuated(w *World) bool {
	for i := range tree.links {
		k := &tree.links[i]
		if k.joint < 0 {
			continue
		}
		j := &w.joints.all[k.joint]
		if j.friction > 0 && k.dofCount > 0 || j.motor.mode != motorOff && j.motor.mode != motorEffort ||
			j.coupling.on || j.locked() {
			return true
		}
	}
	return false
}

// buildRows builds the rows for a substep.
func (art *articulation) buildRows(w *World) {
	art.qp.rows = art.qp.rows[:0]
	h := w.solver.h
	for i := range art.links {
		k := &art.links[i]
		if k.joint < 0 || k.dofCount == 0 {
			continue
		}
		j := &w.joints.all[k.joint]
		row := articulationRow{i: k.firstDof, coefI: 1, j: -1, k: -1, joint: k.joint}
		if j.friction > 0 {
			stick := row
			stick.lower, stick.upper = -float64(j.friction*h), float64(j.friction*h)
			for d, kind := range [...]rowKind{rowFriction, rowFriction2, rowFriction3} {
				if stick.i, stick.kind = k.firstDof+int32(d), kind; int32(d) < k.dofCount {
					art.qp.addRow(&stick, j)
				}
			}
		}
		if j.kind == Ball && j.limited {
			art.addConeLimit(row, k, j, h)
		}
		if !j.hasAxis() {
			continue
		}
		f := &art.dofs[row.i]
		if d := j.drive(h); d.on {
			art.qp.addMotorRow(row, j, &d, f.q, h)
		}
		if j.speedLimit > 0 {
			art.qp.addVelocityLimit(row, j, f.v)
		}
		if j.limited {
			art.addLimits(row, j, f.q, f.v, h)
		}
		if j.coupling.on {
			art.addCoupling(w, row, j, h)
		}
	}
	if !art.step.conserved {
		return
	}
	art.conservation.onlyLoopImpulses = !art.step.inContact && !art.step.actuated && len(art.qp.rows) == 0
	art.conservation.drivenLoop, art.conservation.startedClosed = false, true
	if len(art.loops) > 0 {
		art.buildAllLoopRows(w)
	}
	art.conservation.onlyLoopImpulses = art.conservation.onlyLoopImpulses && !art.hasExternalLoads(w)
}

// addRow adds a row with its warm start.
func (b *articulationQP) addRow(r *articulationRow, j *joint) {
	r.impulse = max(r.lower, min(r.upper, *j.storedImpulse(r.kind)))
	b.rows = append(b.rows, *r)
}

// addMotorRow adds a motor; kp > 0 makes it an implicit spring and damper.
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

// limitRecovery is the part of a limit's overrun that is corrected per substep.
const limitRecovery = 0.2

// addLimits adds a limit that is near. Inside the limit the row bounds the approach speed only.
func (art *articulation) addLimits(row articulationRow, j *joint, q, v, h float64) {
	if j.locked() {
		row.kind, row.lower, row.upper = rowLower, math.Inf(-1), math.Inf(1)
		row.target = art.recoverySpeed(float64(limitRecovery*(j.lower-q)) / h)
		art.qp.addRow(&row, j)
		return
	}
	near := float64(2*h*math.Abs(v)) + 1e-3
	for _, limit := range [...]struct {
		kind rowKind
		room float64
	}{{rowLower, q - j.lower}, {rowUpper, j.upper - q}} {
		if limit.room > near {
			*j.storedImpulse(limit.kind) = 0
			continue
		}
		art.addLimit(row, j, limit.kind, limit.room, h)
	}
}

// addLimit adds one limit at a distance room, rad or m; below 0: overrun.
func (art *articulation) addLimit(row articulationRow, j *joint, kind rowKind, room, h float64) {
	row.kind, row.target = kind, -room/h
	if room < 0 {
		row.target = art.recoverySpeed(float64(-limitRecovery*room) / h)
	}
	row.relaxedTarget = min(row.target, 0)
	row.lower, row.upper = 0, math.Inf(1)
	if kind == rowUpper {
		row.lower, row.upper = math.Inf(-1), 0
		row.target, row.relaxedTarget = -row.target, -row.relaxedTarget
	}
	art.qp.addRow(&row, j)
}

// addCoupling adds the coupling of two joints of this articulation. Velocities hold at once, position errors
// within a few substeps. Where the leader asks for more than the follower's limits, the follower stays at its
// limit and the leader is free.
func (art *articulation) addCoupling(w *World, row articulationRow, j *joint, h float64) {
	lead := &w.joints.all[j.coupling.leader]
	if !j.coupledInArticulation(w) {
		return
	}
	row.kind, row.lower, row.upper = rowCoupling, math.Inf(-1), math.Inf(1)
	first := art.links[lead.link].firstDof
	want := float64(j.coupling.ratio*art.dofs[first].q) + j.coupling.offset
	if j.limited && (want < j.lower || want > j.upper) {
		want = max(j.lower, min(j.upper, want))
	} else {
		row.j, row.coefJ = first, -j.coupling.ratio
	}
	off := art.dofs[row.i].q - want
	row.target = art.recoverySpeed(float64(-limitRecovery*off) / h)
	art.qp.addRow(&row, j)
}

// recoverySpeed bounds the velocity that corrects a position error. With loops it is zero, since a loop may
// leave no freedom to move; projectLoops corrects positions then.
func (art *articulation) recoverySpeed(v float64) float64 {
	if len(art.loops) > 0 {
		return 0
	}
	return max(-maxAngularRecovery, min(maxAngularRecovery, v))
}

// speed is J·q̇ of the row, rad/s or m/s.
func (r *articulationRow) speed(art *articulation) float64 {
	if r.dense > 0 {
		return r.denseSpeed(art)
	}
	v := float64(r.coefI * art.dofs[r.i].v)
	if r.j >= 0 {
		v += float64(r.coefJ * art.dofs[r.j].v)
	}
	if r.k >= 0 {
		v += float64(r.coefK * art.dofs[r.k].v)
	}
	return v
}
