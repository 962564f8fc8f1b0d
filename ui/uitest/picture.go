package uitest

import (
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// publish makes the newest picture and hands it to who is due.
func (d *Backend) publish() {
	if d.model == nil {
		d.revision++
		d.model = &sim.Model{Revision: d.revision, World: d.world, Gravity: r3.V(0, 0, -9.81),
			NamedPoses: d.poses, Notes: d.notes}
		links, joints, sensors, drives := 0, 0, 0, 0
		for i := range d.bodies {
			m := &d.bodies[i].model
			m.FirstLink, m.FirstJoint, m.FirstSensor, m.FirstDrive = links, joints, sensors, drives
			links, joints, sensors, drives = links+len(m.Spec.Links), joints+len(m.Spec.Joints),
				sensors+len(m.Sensors), drives+len(m.Spec.Drives)
			d.model.Entities = append(d.model.Entities, *m)
		}
	}
	s := &sim.Snapshot{
		Seq: 1, Step: d.step, Time: d.time(), StepSize: stepSize, State: d.state, Model: d.model,
		Events: d.events, Past: d.past(),
		Pacing: sim.Pacing{Asked: d.asked},
		Stats: sim.Stats{Steps: d.step, StepCost: 38 * time.Microsecond, Bodies: len(d.bodies), Awake: 2,
			Contacts: 7, Geoms: 40, Joints: 4, Pairs: 12, Substeps: 2,
			Stages:   [sim.StageCount]time.Duration{1e3, 2e3, 6e3, 3e3, 21e3, 2e3, 1e3, 2e3},
			Commands: uint64(len(d.done))},
	}
	if d.snap != nil {
		s.Seq = d.snap.Seq + 1
	}
	if d.state == sim.Playing {
		s.Pacing.Measured = d.asked
	}
	for i := range d.bodies {
		d.appendBody(s, &d.bodies[i])
	}
	d.snap = s
	d.feed.Publish(s, time.Now(), true)
}

func (d *Backend) appendBody(s *sim.Snapshot, b *body) {
	spec := b.model.Spec
	s.Entities = append(s.Entities, b.state)
	for l := range spec.Links {
		s.Links = append(s.Links, sim.LinkState{Pose: b.state.Pose.Mul(spec.Links[l].Pose),
			Twist: b.state.Twist})
	}
	for range spec.Joints {
		s.Joints = append(s.Joints, sim.JointState{Position: d.time().Seconds(),
			Velocity: b.drive.Linear.X * 30})
	}
	for i := range spec.Drives {
		_ = i
		s.Odom = append(s.Odom, sim.Odometry{Seq: d.step, Time: d.time(), Pose: b.state.Pose, Twist: b.drive,
			Target: b.drive})
	}
	for _, sensor := range b.model.Sensors {
		frame := b.state.Pose.Mul(spec.Links[sensor.Link].Pose)
		s.Samples = append(s.Samples, sim.Sample{Seq: d.step/50 + 1, Time: d.time(), Frame: frame,
			Data: d.scan(&sensor.Spec.Lidar, frame)})
	}
}

// scan sees the walls of a room of 10 by 8 metres about the origin.
func (d *Backend) scan(l *scene.LidarSpec, at r3.Pose) *sim.LidarScan {
	scan := &sim.LidarScan{Spec: l}
	for i := range l.Columns {
		a := l.MinAngle + (l.MaxAngle-l.MinAngle)*float64(i)/float64(l.Columns-1) + at.Rot.Yaw()
		s, c := math.Sincos(a)
		r := min(wallAt(at.Pos.X, c, 5), wallAt(at.Pos.Y, s, 4))
		if r > l.MaxRange {
			r = math.Inf(1)
		}
		scan.Ranges = append(scan.Ranges, float32(r))
	}
	return scan
}

func wallAt(p, direction, half float64) float64 {
	switch {
	case direction > 1e-9:
		return (half - p) / direction
	case direction < -1e-9:
		return (-half - p) / direction
	}
	return math.Inf(1)
}
