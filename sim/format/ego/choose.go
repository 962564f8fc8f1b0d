package ego

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"simdeck/sim/format/gazebo"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// odomRate is the rate of an ego vehicle's state, in Hz.
const odomRate = 100

// Choose makes a model of a world its ego vehicle, with what set makes of its parameters. Its first drive
// that steers becomes a car's. Odometry and tf move to where the vehicle profile has them, and so do cameras
// and lidars without a topic of their own. The world's other copies of the model stay as they are.
func Choose(w *scene.WorldSpec, name string, set func(*Params) error) error {
	i := slices.IndexFunc(w.Models, func(p scene.Placed) bool { return p.Name == name })
	if i < 0 {
		return fmt.Errorf("the ego vehicle %.60q is no model of the world", name)
	}
	m := *w.Models[i].Model
	k := slices.IndexFunc(m.Drives, func(d scene.Drive) bool { return d.Kind == scene.Ackermann })
	if k < 0 {
		return fmt.Errorf("the ego vehicle %.60q has no drive that steers; gz-sim-ackermann-steering-system is one",
			name)
	}
	m.Drives = slices.Clone(m.Drives)
	m.Drives[0], m.Drives[k] = m.Drives[k], m.Drives[0]
	if m.Drives[0].Car != nil {
		return Adjust(w, set) // it is one already
	}
	for side, joints := range [][]int{m.Drives[0].SteerLeft, m.Drives[0].SteerRight} {
		if len(m.Carried(joints[0])) == 0 {
			return fmt.Errorf("the ego vehicle %.60q steers joint %q on its %s, which carries no wheel that turns",
				name,
				m.Joints[joints[0]].Name, [2]string{"left", "right"}[side])
		}
	}
	p := measured(&m)
	if err := set(&p); err != nil {
		return err
	}
	into(&m, p)
	m.Links = slices.Clone(m.Links)
	for l := range m.Links {
		m.Links[l].Sensors = slices.Clone(m.Links[l].Sensors)
		for s := range m.Links[l].Sensors {
			place(&m.Links[l].Sensors[s])
		}
	}
	w.Models[i].Model = &m
	w.Site = &scene.Site{Ego: name}
	return nil
}

// Adjust changes parameters of the ego vehicle that a world has already, if set does.
func Adjust(w *scene.WorldSpec, set func(*Params) error) error {
	i := slices.IndexFunc(w.Models, func(p scene.Placed) bool { return p.Name == w.Site.Ego })
	m := *w.Models[i].Model
	p := current(&m.Drives[0])
	if err := set(&p); err != nil {
		return err
	}
	m.Drives = slices.Clone(m.Drives)
	into(&m, p)
	w.Models[i].Model = &m
	return nil
}

// measured are the parameters of a model as built; missing ones are those of a middle-sized car, its tyres by
// its mass.
func measured(m *scene.ModelSpec) Params {
	d, p := &m.Drives[0], Middle()
	p.Model = scene.RigidCar
	p.Wheelbase, p.Track = d.WheelBase, d.Separation
	p.Steer, p.SteerRate, p.Speed = cmp.Or(d.SteerLimit, p.Steer), cmp.Or(d.SteerRate, p.SteerRate),
		cmp.Or(d.MaxLinearSpeed, p.Speed)
	p.Acceleration, p.Timeout = cmp.Or(d.MaxLinearAccel, p.Acceleration), cmp.Or(d.Timeout, p.Timeout)
	mass, centre, inertia := 0.0, r3.Vec{}, 0.0
	for i := range m.Links {
		l := &m.Links[i]
		mass += l.Inertial.Mass
		centre = centre.AddScaled(l.Inertial.Mass, l.Pose.Apply(l.Inertial.Pose.Pos))
	}
	if mass > 0 {
		centre = centre.Scale(1 / mass)
		for i := range m.Links {
			l := &m.Links[i]
			off := l.Pose.Apply(l.Inertial.Pose.Pos).Sub(centre)
			axis := l.Pose.Rot.Mul(l.Inertial.Pose.Rot).RotateBack(r3.V(0, 0, 1))
			inertia += axis.Dot(l.Inertial.Inertia.Apply(axis)) + l.Inertial.Mass*(off.X*off.X+off.Y*off.Y)
		}
		p.Front, p.Rear = p.Front*mass/p.Mass, p.Rear*mass/p.Mass
		p.Mass, p.Inertia = mass, inertia
	}
	return p
}

// current are the parameters of a car's drive.
func current(d *scene.Drive) Params {
	c := d.Car
	return Params{d.WheelBase, d.Separation, c.Mass, c.Inertia, d.SteerLimit, d.SteerRate, d.MaxLinearSpeed,
		c.Accel, c.Brake, d.Timeout,
		c.FrontStiffness, c.RearStiffness, c.Model}
}

// into writes parameters into the first drive of a model.
func into(m *scene.ModelSpec, p Params) {
	d := &m.Drives[0]
	car := scene.Car{}
	if d.Car != nil {
		car = *d.Car
	} else {
		car.Rear = behind(m)
		car.Front = p.Wheelbase - car.Rear
		d.Odometry = scene.Odometry{Rate: odomRate, BaseFrame: d.Odometry.BaseFrame, Drift: d.Odometry.Drift}
		// as much as takes it to its greatest acceleration by one wheel of two, or more where the file says
		// so
		d.MaxTorque = max(d.MaxTorque, 1.5*p.Mass*max(p.Acceleration, p.Deceleration)*d.Radius/2)
	}
	car.Model, car.Mass, car.Inertia, car.FrontStiffness, car.RearStiffness = p.Model, p.Mass, p.Inertia,
		p.Front, p.Rear
	car.Accel, car.Brake, car.Emergency = p.Acceleration, p.Deceleration, Emergency
	d.Car = &car
	d.WheelBase, d.Separation, d.SteerLimit, d.SteerRate, d.MaxLinearSpeed, d.MaxLinearAccel, d.Timeout =
		p.Wheelbase, p.Track, p.Steer, p.SteerRate, p.Speed, p.Acceleration, p.Timeout
	d.Kinematic = p.Model != scene.RigidCar
}

// behind is the distance of the rear axle behind the base frame of a model's first drive, in metres.
func behind(m *scene.ModelSpec) float64 {
	d := &m.Drives[0]
	base := m.Links[m.Canonical].Pose
	for i := range m.Links {
		if m.Links[i].Name == d.Odometry.BaseFrame {
			base = m.Links[i].Pose
		}
	}
	front := slices.Concat(m.Carried(d.SteerLeft[0]), m.Carried(d.SteerRight[0]))
	sum, count := 0.0, 0
	for _, j := range slices.Concat(d.Left, d.Right) {
		if !slices.Contains(front, j) {
			sum += base.ApplyInverse(gazebo.WheelCentre(m, m.Joints[j].Child)).X
			count++
		}
	}
	if count == 0 { // it is driven by its front wheels
		for _, j := range front {
			sum += base.ApplyInverse(gazebo.WheelCentre(m, m.Joints[j].Child)).X - d.WheelBase
			count++
		}
	}
	return -sum / float64(count)
}

// place gives a camera or lidar without a topic of its own that of the vehicle profile.
func place(s *scene.Sensor) {
	if s.Topic != "" {
		return
	}
	switch s.Kind {
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		s.Topic = "/camera/" + strings.TrimPrefix(s.Name, "camera_") + "/image_raw"
	case scene.Lidar:
		if s.Lidar.Rows < 2 {
			return // it gives scans, which the profile has not
		}
		s.Topic = "/lidar/" + strings.TrimPrefix(s.Name, "lidar_") + "/points"
	}
}
