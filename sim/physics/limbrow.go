package physics

import "math"

// limbRow is something that wants a velocity of up to three degrees of freedom: v + give·sum is to be
// the target, and sum, its impulse in a substep, stays between lo and hi.
type limbRow struct {
	i, j, k      int32 // degrees of freedom; j, k -1: none
	wide         int32 // above 0: it looks at many, by the numbers of a loop's row (limbloop.go), 1 + where they begin
	ci, cj, ck   float64
	target, give float64
	calm         float64 // target in the relaxing pass
	lo, hi, sum  float64
	hair         float64 // by which it yields besides, where loops may repeat or contradict it
	joint        int32
	kind         rowKind
	held         bool // at a bound that it is pushed against
}

// rowKind says where a row's impulse is remembered.
type rowKind uint8

const (
	rowDrive rowKind = iota
	rowStick
	rowLower
	rowUpper
	rowGear
	rowSpeed
	rowStick2 // about the joint's second freedom
	rowStick3
	rowDamp // of a joint that closes a loop, which is no part of the inertia
	rowLoop // what such a joint holds, which is never remembered: it is exact
)

func (j *joint) memory(k rowKind) *float64 {
	switch k {
	case rowDrive:
		return &j.jDrive
	case rowStick:
		return &j.jStick
	case rowLower:
		return &j.jLower
	case rowUpper:
		return &j.jUpper
	case rowSpeed:
		return &j.jBrake
	case rowStick2:
		return &j.jStick2
	case rowStick3:
		return &j.jStick3
	case rowDamp:
		return &j.jDamp
	}
	return &j.jGear
}

// busy reports that motors, friction, gears or locks act on a limb.
func (w *World) busy(l *limb) bool {
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 {
			continue
		}
		j := &w.joints[k.joint]
		if j.friction > 0 && k.count > 0 || j.motor.mode != motorOff && j.motor.mode != motorEffort || j.gear.on || j.locked() {
			return true
		}
	}
	return false
}

// lineUp makes the rows of a limb for a substep.
func (w *World) lineUp(l *limb) {
	l.rows = l.rows[:0]
	h := w.solver.h
	for i := range l.links {
		k := &l.links[i]
		if k.joint < 0 || k.count == 0 {
			continue
		}
		j := &w.joints[k.joint]
		row := limbRow{i: k.first, ci: 1, j: -1, k: -1, joint: k.joint}
		if j.friction > 0 {
			stick := row
			stick.lo, stick.hi = -float64(j.friction*h), float64(j.friction*h)
			for d, kind := range [...]rowKind{rowStick, rowStick2, rowStick3} {
				if stick.i, stick.kind = k.first+int32(d), kind; int32(d) < k.count {
					l.addRow(&stick, j)
				}
			}
		}
		if j.kind == Ball && j.limited {
			l.reachCone(row, k, j, h)
		}
		if !j.drives() {
			continue
		}
		f := &l.dofs[row.i]
		if d := j.drive(h); d.on {
			l.addDrive(row, j, &d, f.q, h)
		}
		if j.speedLimit > 0 {
			l.addBrake(row, j, f.v)
		}
		if j.limited {
			l.addStops(row, j, f.q, f.v, h)
		}
		if j.gear.on {
			w.addGear(l, row, j, h)
		}
	}
	if !l.counted {
		return
	}
	l.shut.exact = !l.touched && !l.held && len(l.rows) == 0
	l.shut.driven, l.shut.closed = false, true
	if len(l.loops) > 0 {
		w.lineUpLoops(l)
	}
	l.shut.exact = l.shut.exact && !w.isPulled(l)
}

func (l *limb) addRow(r *limbRow, j *joint) {
	r.sum = max(r.lo, min(r.hi, *j.memory(r.kind)))
	l.rows = append(l.rows, *r)
}

func (l *limb) addDrive(row limbRow, j *joint, d *drive, q, h float64) {
	row.kind, row.lo, row.hi = rowDrive, -d.limit, d.limit
	row.target = d.target
	if d.kp > 0 {
		k := d.kd + float64(h*d.kp)
		row.give = 1 / float64(h*k)
		row.target = float64((d.target-q)*d.kp) / k
	}
	row.calm = row.target
	l.addRow(&row, j)
}

// stopRate is how much of an overrun of a stop is taken back per substep.
const stopRate = 0.2

// addStops adds the stop that is near: before it is reached the joint may still come closer.
func (l *limb) addStops(row limbRow, j *joint, q, v, h float64) {
	if j.locked() {
		row.kind, row.lo, row.hi = rowLower, math.Inf(-1), math.Inf(1)
		row.target = l.recovery(float64(stopRate*(j.lower-q)) / h)
		l.addRow(&row, j)
		return
	}
	near := float64(2*h*math.Abs(v)) + 1e-3
	for _, stop := range [...]struct {
		kind rowKind
		room float64
	}{{rowLower, q - j.lower}, {rowUpper, j.upper - q}} {
		if stop.room > near {
			*j.memory(stop.kind) = 0
			continue
		}
		l.addStop(row, j, stop.kind, stop.room, h)
	}
}

// addStop adds a stop and the room that is left before it.
func (l *limb) addStop(row limbRow, j *joint, kind rowKind, room, h float64) {
	row.kind, row.target = kind, -room/h
	if room < 0 {
		row.target = l.recovery(float64(-stopRate*room) / h)
	}
	row.calm = min(row.target, 0)
	row.lo, row.hi = 0, math.Inf(1)
	if kind == rowUpper {
		row.lo, row.hi = math.Inf(-1), 0
		row.target, row.calm = -row.target, -row.calm
	}
	l.addRow(&row, j)
}

// addGear makes a joint follow another of the same limb: the velocities at once, what the positions
// are off within a few substeps. Where the leader asks for more than the follower's stops allow, the
// follower waits at its stop and the leader goes on.
func (w *World) addGear(l *limb, row limbRow, j *joint, h float64) {
	lead := &w.joints[j.gear.leader]
	if !w.inOneLimb(j) {
		return
	}
	row.kind, row.lo, row.hi = rowGear, math.Inf(-1), math.Inf(1)
	first := l.links[lead.link].first
	want := float64(j.gear.ratio*l.dofs[first].q) + j.gear.offset
	if j.limited && (want < j.lower || want > j.upper) {
		want = max(j.lower, min(j.upper, want))
	} else {
		row.j, row.cj = first, -j.gear.ratio
	}
	off := l.dofs[row.i].q - want
	row.target = l.recovery(float64(-stopRate*off) / h)
	l.addRow(&row, j)
}

// recovery is the velocity by which a row takes back what its position is off; in a limb with loops nothing does, since
// they may leave no way to move at all: closeLoops shifts the joints.
func (l *limb) recovery(v float64) float64 {
	if len(l.loops) > 0 {
		return 0
	}
	return max(-unskewSpeed, min(unskewSpeed, v))
}

// rowSpeed is the velocity that a row looks at.
func (l *limb) rowSpeed(r *limbRow) float64 {
	if r.wide > 0 {
		return l.wideSpeed(r)
	}
	v := float64(r.ci * l.dofs[r.i].v)
	if r.j >= 0 {
		v += float64(r.cj * l.dofs[r.j].v)
	}
	if r.k >= 0 {
		v += float64(r.ck * l.dofs[r.k].v)
	}
	return v
}
