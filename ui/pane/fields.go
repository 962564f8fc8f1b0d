package pane

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// fieldList collects the numbers of a picture by name.
type fieldList []series

func (l *fieldList) add(name, unit string, v float64) {
	*l = append(*l, series{name, unit, []float32{float32(v)}})
}

// vector adds the three parts of a vector: "velocity x" …
func (l *fieldList) vector(name, unit string, v r3.Vec) {
	l.add(name+" x", unit, v.X)
	l.add(name+" y", unit, v.Y)
	l.add(name+" z", unit, v.Z)
}

// fields are the numbers of an entity and of the simulation now: always the
// same ones for the same model.
func fields(s *sim.Snapshot, entity string) []series {
	var all fieldList
	if i, ok := Find(s.Model, entity); ok && i < len(s.Entities) {
		e, st := &s.Model.Entities[i], &s.Entities[i]
		roll, pitch, yaw := st.Pose.Rot.RPY()
		all.add("speed", "m/s", st.Twist.Linear.Len())
		all.add("turning", "°/s", Degrees(st.Twist.Angular.Len()))
		all.add("x", "m", st.Pose.Pos.X)
		all.add("y", "m", st.Pose.Pos.Y)
		all.add("z", "m", st.Pose.Pos.Z)
		all.add("roll", "°", Degrees(roll))
		all.add("pitch", "°", Degrees(pitch))
		all.add("yaw", "°", Degrees(yaw))
		if e.Spec != nil {
			all.joints(s, e)
			all.drives(s, e)
		}
		all.sensors(s, e)
		all.touching(s, i)
		all.vector("velocity", "m/s", st.Twist.Linear)
		all.vector("turning", "rad/s", st.Twist.Angular)
		all.vector("acceleration", "m/s²", st.Accel.Linear)
	}
	all.add("real-time factor", "", s.Pacing.Measured)
	all.add("cost of a step", "µs", float64(s.Stats.StepCost)/1e3)
	all.add("contacts", "", float64(s.Stats.Contacts))
	all.add("awake bodies", "", float64(s.Stats.Awake))
	return all
}

func (l *fieldList) joints(s *sim.Snapshot, e *sim.EntityModel) {
	for k := range e.Spec.Joints {
		at := e.FirstJoint + k
		if at >= len(s.Joints) || e.Spec.Joints[k].Kind == scene.Fixed {
			continue
		}
		j, spec, unit, effort := &s.Joints[at], &e.Spec.Joints[k], "rad", "N·m"
		if m := j.Motion; m != nil {
			l.add(spec.Name+" turned", "rad", m.Pose.Rot.Vector().Len())
			l.add(spec.Name+" turning", "rad/s", m.Twist.Angular.Len())
			l.add(spec.Name+" moved", "m", m.Pose.Pos.Len())
			continue
		}
		if spec.Kind == scene.Prismatic {
			unit, effort = "m", "N"
		}
		l.add(spec.Name+" position", unit, j.Position)
		l.add(spec.Name+" velocity", unit+"/s", j.Velocity)
		l.add(spec.Name+" effort", effort, j.Effort)
	}
}

func (l *fieldList) drives(s *sim.Snapshot, e *sim.EntityModel) {
	for k := range e.Spec.Drives {
		if at := e.FirstDrive + k; at < len(s.Odom) {
			o := &s.Odom[at]
			l.add("drive asked", "m/s", o.Target.Linear.X)
			l.add("drive turn target", "rad/s", o.Target.Angular.Z)
			l.add("odometry speed", "m/s", o.Twist.Linear.X)
			l.add("odometry turn", "rad/s", o.Twist.Angular.Z)
		}
	}
}

// sensors adds what each sensor measures, as far as that is a number. A sensor that has not measured yet has
// the numbers of an empty measurement, so that the list keeps its length.
func (l *fieldList) sensors(s *sim.Snapshot, e *sim.EntityModel) {
	for k, m := range e.Sensors {
		data := sim.NewMeasurement(m.Spec.Kind)
		if at := e.FirstSensor + k; at < len(s.Samples) && s.Samples[at].Data != nil {
			data = s.Samples[at].Data
		}
		l.measurement(m.Spec.Name+" ", data)
	}
}

func (l *fieldList) measurement(name string, data sim.Measurement) {
	switch d := data.(type) {
	case *sim.LidarScan:
		l.add(name+"nearest", "m", nearest(d))
	case *sim.IMUReading:
		l.vector(name+"turn", "rad/s", d.AngularVelocity)
		l.vector(name+"force", "m/s²", d.SpecificForce)
	case *sim.Wrench:
		l.vector(name+"force", "N", d.Force)
		l.vector(name+"torque", "N·m", d.Torque)
	case *sim.ContactReadings:
		l.add(name+"contacts", "", float64(len(d.Contacts)))
	case *sim.GPSFix:
		l.add(name+"latitude", "°", Degrees(d.Place.Latitude))
		l.add(name+"longitude", "°", Degrees(d.Place.Longitude))
		l.add(name+"altitude", "m", d.Place.Altitude)
	case *sim.MagneticField:
		l.vector(name+"field", "T", d.Field)
	case *sim.AirPressure:
		l.add(name+"pressure", "Pa", d.Pascal)
		l.add(name+"depth", "m", d.Depth)
	case *sim.AirSpeed:
		l.add(name+"pressure", "Pa", d.Pascal)
		l.add(name+"air speed", "m/s", d.Speed)
	case *sim.SonarRange:
		l.add(name+"range", "m", finite(d.Metres))
	case *sim.DVLReading:
		l.vector(name+"velocity", "m/s", d.Velocity)
		l.add(name+"altitude", "m", d.Altitude)
		l.add(name+"beams", "", float64(d.Locked))
	case *sim.OpticalFlow:
		l.add(name+"flow x", "rad", d.X)
		l.add(name+"flow y", "rad", d.Y)
		l.add(name+"quality", "", float64(d.Quality))
	case *sim.AltimeterReading:
		l.add(name+"height", "m", d.Metres)
		l.add(name+"climb", "m/s", d.Speed)
	case *sim.CameraImage: // the camera pane shows it: it is no number
	}
}

// finite is a distance; not a number where nothing was measured.
func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// nearest is the shortest return of a scan; not a number when there is none.
func nearest(scan *sim.LidarScan) float64 {
	least := math.NaN()
	if scan == nil {
		return least
	}
	for _, r := range scan.Ranges {
		if v := float64(r); v-v == 0 && !(least <= v) {
			least = v
		}
	}
	return least
}

// touching adds how many contact points the entity has and their force.
func (l *fieldList) touching(s *sim.Snapshot, entity int) {
	points, force := 0, 0.0
	for i := range s.Contacts {
		if c := &s.Contacts[i]; c.A == entity || c.B == entity {
			points++
			force += c.Force
		}
	}
	l.add("contact points", "", float64(points))
	l.add("contact force", "N", force)
}
