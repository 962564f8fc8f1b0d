package bundle

import (
	"fmt"
	"math"

	"simdeck/sim/format/ego"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// vehicle is the car that drives in a bundle.
type vehicle struct {
	ego.Params
	sensors []scene.Sensor
}

// Measures of what the parameters do not say.
const (
	wheelRadius = 0.33
	wheelWidth  = 0.22
	treadWidth  = 0.02 // of what stands on the ground, see wheel
	shoulder    = 0.01 // m by which the tyre is lower beside it
	wheelMass   = 20.0
	hubMass     = 10.0
	odomRate    = 100.0 // Hz
)

// vehicle reads the parameters of the ego vehicle; the defaults are those of a middle-sized car. Settings
// from outside the files override theirs.
func (b *bundle) vehicle() error {
	b.car = vehicle{Params: ego.Middle()}
	t := &table{file: b.top.file, root: b.top.find("vehicle")}
	if t.root != nil && t.root.Value != "" {
		var err error
		if t, err = b.tableOf(true, "vehicle"); err != nil {
			return err
		}
	}
	if t.root != nil {
		if err := b.car.read(t); err != nil {
			return err
		}
		if err := b.pace(t); err != nil {
			return err
		}
		known := []string{ego.ModelKey, "real_time_factor", "start_paused"}
		for _, f := range b.car.Numbers() {
			known = append(known, f.Key)
		}
		t.leftover(b, known...)
	}
	if err := b.car.Apply(b.set); err != nil {
		return fmt.Errorf("%w: vehicle: %w", scene.ErrParse, err)
	}
	for _, f := range b.car.Numbers() {
		if *f.To < least[f.Key] {
			return fmt.Errorf("%w: vehicle: %s is %g; the car of a bundle has %g at least", scene.ErrParse,
				f.Key, *f.To, least[f.Key])
		}
	}
	return nil
}

// pace reads how fast time is to go, and whether it waits at first.
func (b *bundle) pace(t *table) error {
	factor := b.spec.RealTime
	if err := t.number(&factor, 0, 1000, "real_time_factor"); err != nil {
		return err
	}
	b.spec.RealTime, b.spec.Unpaced = factor, t.find("real_time_factor") != nil && factor == 0
	n := t.find("start_paused")
	if n == nil {
		return nil
	}
	if n.Value != "true" && n.Value != "false" {
		return t.fail(n, "start_paused is %q; want true or false", clip(n.Value))
	}
	b.spec.Paused = n.Value == "true"
	return nil
}

// Of a car as it is built here, with wheels and a body of these measures.
var least = map[string]float64{"wheelbase": 0.8, "track_width": 0.3, "mass": 150, "inertia_z": 1}

// read reads the parameters that a table has.
func (c *vehicle) read(t *table) error {
	for _, f := range c.Numbers() {
		if err := t.number(f.To, max(f.Least, least[f.Key]), f.Most, f.Key); err != nil {
			return err
		}
	}
	n := t.find(ego.ModelKey)
	if n == nil || n.Value == "" {
		return nil
	}
	var err error
	if c.Model, err = ego.ParseModel(n.Value); err != nil {
		return t.fail(n, "%v", err)
	}
	return nil
}

// spec is the vehicle: base_link on the ground under its middle, four wheels, the front ones steered.
func (c *vehicle) spec(start r3.Twist) *scene.ModelSpec {
	m := &scene.ModelSpec{Name: "ego", Format: "bundle", Frame: r3.IdentityPose(),
		Placement: r3.IdentityPose(),
		Info: scene.Info{Category: scene.Robot, Description: "ego vehicle of a world bundle",
			Tags: []string{"ego"}}}
	length, width, height := c.Wheelbase+1.6, c.Track+wheelWidth, 1.15
	body := c.Mass - 4*wheelMass - 2*hubMass
	pitch := body / 12 * (length*length + height*height)
	// No moment of inertia of a body exceeds the sum of the others. By default that about z does with those
	// of a box.
	roll := max(body/12*(width*width+height*height), c.Inertia-pitch)
	middle := r3.V(0, 0, 0.25+height/2)
	base := scene.Link{Name: "base_link", Pose: r3.IdentityPose(), Sensors: c.sensors,
		Inertial: scene.Inertial{Mass: body, Pose: r3.Pose{Pos: r3.V(0, 0, 0.55), Rot: r3.Identity()},
			Inertia: r3.Diag(r3.V(roll, pitch, c.Inertia))}}
	shape := scene.Geom{Name: "body", Kind: scene.Box, Size: r3.V(length, width-2*wheelWidth-0.1, height),
		Pose:    r3.Pose{Pos: middle, Rot: r3.Identity()},
		Surface: scene.Surface{Mu: 0.5, Mu2: 0.5}}
	base.Collisions = []scene.Geom{shape}
	shape.Material.Colour = [4]float32{0.75, 0.12, 0.1, 1}
	base.Visuals = []scene.Geom{shape}
	m.Links = append(m.Links, base)
	d := scene.Drive{Kind: scene.Ackermann, Separation: c.Track, WheelBase: c.Wheelbase, Radius: wheelRadius,
		SteerLimit: c.Steer,
		SteerRate:  c.SteerRate, Kinematic: c.Model != scene.RigidCar,
		MaxLinearSpeed: c.Speed,
		MaxLinearAccel: c.Acceleration,
		MaxTorque:      1.5 * c.Mass * max(c.Acceleration, c.Deceleration) * wheelRadius / 2,
		Timeout:        c.Timeout, Odometry: scene.Odometry{BaseFrame: "base_link", Rate: odomRate},
		Car: &scene.Car{Model: c.Model, Front: c.Wheelbase / 2, Rear: c.Wheelbase / 2, Mass: c.Mass,
			Inertia: c.Inertia, FrontStiffness: c.Front,
			RearStiffness: c.Rear, Accel: c.Acceleration, Brake: c.Deceleration, Emergency: ego.Emergency,
			Start: start}}
	for _, side := range []struct {
		name  string
		y     float64
		steer *[]int
		drive *[]int
	}{{"left", c.Track / 2, &d.SteerLeft, &d.Left}, {"right", -c.Track / 2, &d.SteerRight, &d.Right}} {
		*side.steer = append(*side.steer, c.hub(m, side.name, side.y))
		c.wheel(m, "front_"+side.name, r3.V(c.Wheelbase/2, side.y, wheelRadius), len(m.Links)-1)
		*side.drive = append(*side.drive,
			c.wheel(m, "rear_"+side.name, r3.V(-c.Wheelbase/2, side.y, wheelRadius), 0))
	}
	m.Drives = []scene.Drive{d}
	return m
}

// hub adds the link that a front wheel steers with, and returns its joint.
func (c *vehicle) hub(m *scene.ModelSpec, side string, y float64) int {
	at := r3.Pose{Pos: r3.V(c.Wheelbase/2, y, wheelRadius), Rot: r3.Identity()}
	m.Links = append(m.Links, scene.Link{Name: "hub_" + side, Pose: at,
		Inertial: scene.Inertial{Mass: hubMass, Pose: r3.IdentityPose(),
			Inertia: r3.Diag(r3.V(0.2, 0.2, 0.2))}})
	m.Joints = append(m.Joints, scene.Joint{Name: "steer_" + side, Kind: scene.Revolute, Parent: 0,
		Child: len(m.Links) - 1, Pose: r3.IdentityPose(),
		Axis: r3.V(0, 0, 1), Damping: 10,
		Limit: scene.Limit{Set: true, Lower: -min(1.5, 1.4*c.Steer), Upper: min(1.5, 1.4*c.Steer),
			Effort: 2000}})
	return len(m.Joints) - 1
}

// wheel adds a wheel, and returns its joint. Its tyre is crowned, so that a narrow part stands on the ground.
// In a bend one side of a patch as wide as the tyre goes further than the other, and would scrub where rubber
// yields. That turns a rigid wheel against its steering, by 1.2 % of the radius of a bend.
func (c *vehicle) wheel(m *scene.ModelSpec, name string, at r3.Vec, parent int) int {
	spin, tilt := wheelMass*wheelRadius*wheelRadius/2,
		wheelMass*(3*wheelRadius*wheelRadius+wheelWidth*wheelWidth)/12
	g := scene.Geom{Name: name, Kind: scene.Cylinder, Radius: wheelRadius - shoulder, Length: wheelWidth,
		Surface: scene.Surface{Mu: 1, Mu2: 1},
		Pose:    r3.Pose{Rot: r3.FromRPY(math.Pi/2, 0, 0)}}
	tread := g
	tread.Name, tread.Radius, tread.Length = name+"_tread", wheelRadius, treadWidth
	l := scene.Link{Name: "wheel_" + name, Pose: r3.Pose{Pos: at, Rot: r3.Identity()},
		Collisions: []scene.Geom{tread, g},
		Inertial: scene.Inertial{Mass: wheelMass, Pose: r3.IdentityPose(),
			Inertia: r3.Diag(r3.V(tilt, spin, tilt))}}
	g.Radius, g.Material.Colour = wheelRadius, [4]float32{0.1, 0.1, 0.1, 1}
	l.Visuals = []scene.Geom{g}
	m.Links = append(m.Links, l)
	m.Joints = append(m.Joints, scene.Joint{Name: "wheel_" + name + "_joint", Kind: scene.Continuous,
		Parent: parent, Child: len(m.Links) - 1,
		Pose: r3.IdentityPose(), Axis: r3.V(0, 1, 0)})
	return len(m.Joints) - 1
}
