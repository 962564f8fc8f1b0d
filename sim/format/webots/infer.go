package webots

import (
	"simdeck/sim/format/gazebo"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// inferDrive gives a robot that stands on driven wheels a differential drive, so that it takes cmd_vel.
func (b *builder) inferDrive(r ref) {
	if b.err != nil || b.spec.Static || !b.dynamic[0] { // a base without Physics rolls nowhere
		return
	}
	d, names := gazebo.Infer(b.spec, func(j *scene.Joint) bool { return j.Hold })
	if d == nil {
		return
	}
	b.spec.Drives = append(b.spec.Drives, *d)
	b.noteAt(scene.Inferred, r, "the robot takes cmd_vel by its wheels: %s, separation %.4g m, radius %.4g m",
		names, d.Separation, d.Radius)
}

// oldWheel hangs a wheel of a DifferentialWheels on the base: it turns about the axle, which lies to the
// left.
func (b *builder) oldWheel(name string, to int) {
	at := b.spec.Links[to].Pose
	b.spec.Joints = append(b.spec.Joints,
		scene.Joint{Name: b.own(name + " motor"), Kind: scene.Continuous, Parent: 0, Child: to,
			Pose: r3.Pose{Rot: at.Rot.Conj()}, Axis: r3.V(0, 1, 0), Hold: true})
}

// oldDrive is the drive of a DifferentialWheels, which says how its wheels stand.
func (b *builder) oldDrive(r ref) {
	d := scene.Drive{Kind: scene.Differential, Separation: b.num(r, "axleLength", 0.1),
		Radius:    b.num(r, "wheelRadius", 0.01),
		MaxTorque: max(0, b.num(r, "maxForce", 0.3))}
	for i := range b.spec.Joints {
		switch b.spec.Joints[i].Name {
		case "left wheel motor":
			d.Left = append(d.Left, i)
		case "right wheel motor":
			d.Right = append(d.Right, i)
		}
	}
	if b.spec.Static || len(d.Left) == 0 || len(d.Right) == 0 || !(d.Separation > 0) || !(d.Radius > 0) {
		b.noteAt(scene.Unsupported, r,
			"a DifferentialWheels without Physics, wheels, axleLength or wheelRadius does not drive")
		return
	}
	d.MaxLinearSpeed = max(0, b.num(r, "maxSpeed", 10)) * max(0, b.num(r, "speedUnit", 1)) * d.Radius
	b.spec.Drives = append(b.spec.Drives, d)
}
