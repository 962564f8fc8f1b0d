package pane

import (
	"fmt"
	"math"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// Instruments stand beside the view of who drives a robot. They show its speeds, the room that its lidar sees
// around it, and its collisions.
type Instruments struct {
	Entity string // that is driven

	hits  int           // collisions since it is driven
	last  time.Duration // simulated time of the newest
	with  string        // the entity of the newest
	touch map[int]bool  // entities that it touches now
}

// Distances of obstacles, in metres.
const (
	tooNear = 0.3
	near    = 0.8
)

// level is the elevation of the rings of a lidar that see obstacles and not the ground, in rad either way.
const level = 0.05

// Drive begins to look at an entity.
func (n *Instruments) Drive(name string) { *n = Instruments{Entity: name} }

// Feed takes a new picture of the world.
func (n *Instruments) Feed(s *sim.Snapshot) {
	i, ok := Find(s.Model, n.Entity)
	if n.Entity == "" || !ok {
		return
	}
	before := n.touch
	n.touch = map[int]bool{}
	for _, c := range s.Contacts {
		other := c.A + c.B - i
		if c.A != i && c.B != i || c.Carries() || other < 0 || other >= len(s.Model.Entities) {
			continue
		}
		if n.touch[other] = true; !before[other] {
			n.hits, n.last, n.with = n.hits+1, s.Time, s.Model.Entities[other].Name
		}
	}
}

// collisions are the robots that run into something, in a map that is used again.
func collisions(all map[int]bool, s *sim.Snapshot) map[int]bool {
	clear(all)
	for k := range s.Contacts {
		for i := range s.Collided(&s.Contacts[k]) {
			if all == nil {
				all = map[int]bool{}
			}
			all[i] = true
		}
	}
	return all
}

// Draw fills the area.
func (n *Instruments) Draw(a canvas.Area, v *View) {
	i, ok := Find(v.Snap.Model, n.Entity)
	if !ok || i >= len(v.Snap.Entities) {
		a.Clip(1, 0, a.W()-2, "gone", theme.Bad)
		return
	}
	m := &v.Snap.Model.Entities[i]
	y := n.speeds(a, 0, v.Snap, m, &v.Snap.Entities[i])
	if propelled(m) {
		y = n.attitude(a, y, v.Snap, i)
	}
	for k, state := range v.Snap.BatteriesOf(i) {
		y = drawBattery(a, y, &m.Spec.Batteries[k], state)
	}
	y = n.collisions(a, y, v.Snap)
	n.room(a, y, v.Snap, m)
}

// Rows is the number of lines that all instruments of a robot take.
func (n *Instruments) Rows(s *sim.Snapshot) int {
	rows := 10
	if i, ok := Find(s.Model, n.Entity); ok {
		m := &s.Model.Entities[i]
		if propelled(m) {
			rows += 4
		}
		rows += 2 * len(s.BatteriesOf(i))
		if slides(m) {
			rows += 2
		}
		if climbs(m) {
			rows += 2
		}
	}
	return rows
}

// propelled reports that a robot flies or swims.
func propelled(m *sim.EntityModel) bool { return m.Spec != nil && len(m.Spec.Flow.Rotors) > 0 }

// slides reports that a robot moves sideways as it is told.
func slides(m *sim.EntityModel) bool {
	return m.Spec != nil && len(m.Spec.Drives) > 0 && m.Spec.Drives[0].Slides()
}

// climbs reports that a robot flies or dives as it is told.
func climbs(m *sim.EntityModel) bool {
	return m.Spec != nil && len(m.Spec.Drives) > 0 && m.Spec.Drives[0].Climbs()
}

// speeds draws the speed and the turn as bars from their targets and limits; of what climbs, that, too.
func (n *Instruments) speeds(a canvas.Area, y int, s *sim.Snapshot, m *sim.EntityModel,
	now *sim.EntityState) int {
	limitV, limitUp, limitW := 1.0, 0.0, 1.0
	var want r3.Twist
	through := now.Twist.Linear
	if m.Spec != nil && len(m.Spec.Drives) > 0 {
		d := &m.Spec.Drives[0]
		if d.Climbs() {
			limitV = 3
		}
		if a := d.Aircraft; a != nil { // its speed is that through the air
			limitV, limitUp, through = 1.5*a.CruiseSpeed, 0.3*a.CruiseSpeed, through.Sub(s.Wind)
		}
		limitV, limitW = or0(d.MaxLinearSpeed, limitV), or0(d.MaxAngularSpeed, limitW)
		if k := m.FirstDrive; k < len(s.Odom) {
			want = s.Odom[k].Target
		}
	}
	v := now.Pose.Rot.RotateBack(through)
	if propelled(m) { // velocities of those are level
		v = r3.AxisAngle(r3.V(0, 0, 1), now.Pose.Rot.Yaw()).RotateBack(through)
	}
	y = gauge(a, y, "speed", v.X, want.Linear.X, limitV, "m/s")
	if slides(m) {
		y = gauge(a, y, "aside", v.Y, want.Linear.Y, limitV, "m/s")
	}
	if climbs(m) {
		y = gauge(a, y, "climb", v.Z, want.Linear.Z, or0(limitUp, limitV), "m/s")
	}
	return gauge(a, y, "turn", now.Twist.Angular.Z, want.Angular.Z, limitW, "rad/s")
}

// attitude draws the height or depth, how far it leans, how much of its thrust it needs, and the wind.
func (n *Instruments) attitude(a canvas.Area, y int, s *sim.Snapshot, i int) int {
	now := &s.Entities[i]
	roll, pitch, _ := now.Pose.Rot.RPY()
	name, z := "height", now.Pose.Pos.Z
	if z < 0 && s.Model.Entities[i].Spec.Drives[0].Kind == scene.Vessel {
		name, z = "depth", -z
	}
	a.Text(1, y, name, theme.Label)
	a.Right(a.W()-1, y, Number(z, 2)+" m", theme.Strong)
	a.Text(1, y+1, "leans", theme.Label)
	role := theme.Plain
	if math.Max(math.Abs(roll), math.Abs(pitch)) > steep {
		role = theme.Warn
	}
	a.Right(a.W()-1, y+1, fmt.Sprintf("roll %s°  pitch %s°", Number(roll*180/math.Pi, 0),
		Number(pitch*180/math.Pi, 0)), role)
	y += 2
	if now, most, ok := thrust(s, i); ok {
		a.Text(1, y, "thrust", theme.Label)
		role := theme.Plain
		if now > 0.9*most {
			role = theme.Warn
		}
		a.Right(a.W()-1, y, fmt.Sprintf("%s of %s N", Number(now, 1), Number(most, 1)), role)
		y++
	}
	a.Text(1, y, "wind", theme.Label)
	wind := "none"
	if s.Wind != (r3.Vec{}) {
		wind = Breeze(s.Wind)
	}
	a.Right(a.W()-1, y, wind, theme.Plain)
	return y + 1
}

// thrust is the sum of those of all rotors where nothing flows, and the most of it, N; not ok: their speeds
// are not known.
func thrust(s *sim.Snapshot, i int) (now, most float64, ok bool) {
	joints, rotors := s.JointsOf(i), s.Model.Entities[i].Spec.Flow.Rotors
	for k := range rotors {
		r := &rotors[k]
		if r.Turn == 0 || r.Joint >= len(joints) {
			continue
		}
		w, bound := joints[r.Joint].Velocity/r.Turn, r.Thrust*r.Most*r.Most
		if r.ByForce {
			bound = max(r.Force[1], -r.Force[0])
		}
		now, most, ok = now+r.Thrust*w*w, most+bound, true
	}
	return now, most, ok
}

// steep is an angle from upright at which much of the thrust is lost, rad.
const steep = 0.6

func or0(v, otherwise float64) float64 {
	if v > 0 {
		return v
	}
	return otherwise
}

// gauge draws a value between -limit and limit: a bar from the middle, and a mark where it is to go.
func gauge(a canvas.Area, y int, name string, v, want, limit float64, unit string) int {
	a.Text(1, y, name, theme.Label)
	a.Right(a.W()-len(unit)-2, y, Number(v, 2), theme.Strong)
	a.Text(a.W()-len(unit)-1, y, unit, theme.Dim)
	w := a.W() - 2
	at := func(v float64) int {
		return 1 + int(math.Round(float64(w-1)/2*(1+max(-1, min(1, v/limit)))))
	}
	for x := range w {
		a.Put(1+x, y+1, '·', theme.Dim)
	}
	for x := min(at(0), at(v)); x <= max(at(0), at(v)) && math.Abs(v) > 0.01*limit; x++ {
		a.Put(x, y+1, '■', theme.Good)
	}
	a.Put(at(0), y+1, '│', theme.Label)
	if want != 0 {
		a.Put(at(want), y+1, '◆', theme.Warn)
	}
	return y + 2
}

func (n *Instruments) collisions(a canvas.Area, y int, s *sim.Snapshot) int {
	a.Text(1, y, "collisions", theme.Label)
	switch {
	case len(n.touch) > 0:
		a.Clip(12, y, a.W()-13, "! "+n.with, theme.Bad)
	case n.hits > 0:
		text := fmt.Sprintf("%d, %s s ago: %s", n.hits, Number((s.Time-n.last).Seconds(), 0), n.with)
		a.Clip(12, y, min(a.W()-13, canvas.TextWidth(text)), text, theme.Warn)
	default:
		a.Text(12, y, "none", theme.Good)
	}
	return y + 1
}

// room draws how far it is to obstacles in four directions, as its first lidar sees them.
func (n *Instruments) room(a canvas.Area, y int, s *sim.Snapshot, m *sim.EntityModel) {
	for i, sensor := range m.Sensors {
		k := m.FirstSensor + i
		if k >= len(s.Samples) {
			continue
		}
		scan, ok := s.Samples[k].Data.(*sim.LidarScan)
		if !ok || len(scan.Ranges) == 0 {
			continue
		}
		around := sectors(scan, heading(sensor.Spec.Pose.Rot))
		a.Text(1, y, "lidar", theme.Label)
		for d, name := range [4]string{"ahead", "left", "behind", "right"} {
			if y++; y >= a.H() {
				return
			}
			distance(a, y, name, around[d])
		}
		return
	}
	a.Clip(1, y, a.W()-2, "no lidar", theme.Dim)
}

// sectors are the least ranges ahead, left, behind and right; infinite where nothing is seen.
func sectors(scan *sim.LidarScan, yaw float64) (least [4]float64) {
	for i := range least {
		least[i] = math.Inf(1)
	}
	columns := max(1, scan.Spec.Columns)
	for i, r := range scan.Ranges {
		if ring := i / columns; r != r || math.IsInf(float64(r), 0) ||
			scan.Spec.Rows > 1 && (ring >= scan.Spec.Rows || math.Abs(scan.Spec.Elevation(ring)) > level) {
			continue
		}
		angle := math.Remainder(scan.Spec.Azimuth(i%columns)+yaw, 2*math.Pi)
		d := (int(math.Round(angle/(math.Pi/2))) + 4) % 4
		least[d] = min(least[d], float64(r))
	}
	return least
}

// distance draws a bar that is the longer the nearer an obstacle is.
func distance(a canvas.Area, y int, name string, d float64) {
	a.Text(2, y, name, theme.Dim)
	role, sign := theme.Good, ""
	switch {
	case d < tooNear:
		role, sign = theme.Bad, "!"
	case d < near:
		role, sign = theme.Warn, "!"
	}
	if math.IsInf(d, 1) {
		a.Right(a.W()-1, y, "free", theme.Dim)
		return
	}
	a.Right(a.W()-1, y, sign+Number(d, 2)+" m", role)
	w := a.W() - 9 - 9
	if n := int(math.Round(float64(w) * min(1, tooNear/max(d, 0.01)))); w > 0 && n > 0 {
		a.Text(9, y, strings.Repeat("■", n), role)
	}
}
