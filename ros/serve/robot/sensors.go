package robot

import (
	"cmp"
	"math"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/gazebomsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// sensorMessage is a sensor publisher of one topic: fill makes the message of a sample,
// whose Data is a D.
type sensorMessage[T any, D sim.Measurement] struct {
	pub  *node.Publisher[T]
	msg  T
	fill func(m *T, s *sim.Sample, d D)
}

func (i *sensorMessage[T, D]) wanted() bool { return i.pub.Subscribers() > 0 }

func (i *sensorMessage[T, D]) publish(s *sim.Sample) error {
	d, ok := s.Data.(D)
	if !ok || !i.wanted() {
		return nil
	}
	i.fill(&i.msg, s, d)
	return i.pub.Publish(&i.msg)
}

// newSensorMessage opens the topic of a sense.
func newSensorMessage[T any, D sim.Measurement, PT msgs.Of[T]](f *RobotPublisher, r *robot, topic string,
	fill func(m *T, s *sim.Sample, d D)) (sensorPublisher, error) {
	p, err := open[T, PT](f, r, topic, burstQoS())
	if err != nil {
		return nil, err
	}
	return &sensorMessage[T, D]{pub: p, fill: fill}, nil
}

// variance is that of a number with all its errors, of each sample and of the device.
func variance(n *scene.Noise) float64 {
	return n.Std*n.Std + n.BiasStd*n.BiasStd + n.WalkStd*n.WalkStd
}

// spread is a covariance without correlations.
func spread(n *[3]scene.Noise) (c [9]float64) {
	for i := range n {
		c[4*i] = n[i].Std * n[i].Std
	}
	return c
}

func (f *RobotPublisher) newIMU(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "imu"),
		func(m *sensormsgs.Imu, s *sim.Sample, d *sim.IMUReading) {
			m.Header = header(s.Time, frame)
			m.Orientation = geometry.Quaternion(d.Orientation)
			m.OrientationCovariance = [9]float64{}
			if d.Spec.NoOrientation {
				m.Orientation, m.OrientationCovariance[0] = geometrymsgs.Quaternion{W: 1}, -1
			}
			m.AngularVelocity, m.AngularVelocityCovariance = geometry.Vector3(d.AngularVelocity),
				spread(&d.Spec.Turn)
			m.LinearAcceleration, m.LinearAccelerationCovariance = geometry.Vector3(d.SpecificForce),
				spread(&d.Spec.Force)
		})
}

// newContacts publishes what touches as gazebo_msgs/ContactsState, in the
// world frame.
func (f *RobotPublisher) newContacts(r *robot, s sim.SensorModel) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "contacts"),
		func(m *gazebomsgs.ContactsState, s *sim.Sample, d *sim.ContactReadings) {
			m.Header = header(s.Time, r.root)
			m.States = m.States[:0]
			for _, t := range d.Contacts {
				c := gazebomsgs.ContactState{Info: t.Own + " touches " + t.Other, Collision1Name: t.Own,
					Collision2Name: t.Other}
				var force, torque r3.Vec
				for _, p := range t.Points {
					force, torque = force.Add(p.Force), torque.Add(p.Torque)
					c.Wrenches = append(c.Wrenches,
						geometrymsgs.Wrench{Force: geometry.Vector3(p.Force),
							Torque: geometry.Vector3(p.Torque)})
					c.ContactPositions = append(c.ContactPositions, geometry.Vector3(p.Position))
					c.ContactNormals = append(c.ContactNormals, geometry.Vector3(t.Normal))
					c.Depths = append(c.Depths, p.Depth)
				}
				c.TotalWrench = geometrymsgs.Wrench{Force: geometry.Vector3(force),
					Torque: geometry.Vector3(torque)}
				m.States = append(m.States, c)
			}
		})
}

func (f *RobotPublisher) newWrench(r *robot, m *sim.EntityModel, s sim.SensorModel,
	frame string) (sensorPublisher, error) {
	spec := &s.Spec.Force
	if !spec.Set || spec.Joint >= len(m.Spec.Joints) {
		return nil, nil
	}
	switch j := &m.Spec.Joints[spec.Joint]; {
	case spec.Frame == "parent" && j.Parent >= 0:
		frame = framed(r.prefix, m.Spec.Links[j.Parent].Name)
	case spec.Frame != "sensor":
		frame = framed(r.prefix, m.Spec.Links[j.Child].Name)
	}
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "wrench"),
		func(m *geometrymsgs.WrenchStamped, s *sim.Sample, d *sim.Wrench) {
			m.Header = header(s.Time, frame)
			m.Wrench = geometrymsgs.Wrench{Force: geometry.Vector3(d.Force),
				Torque: geometry.Vector3(d.Torque)}
		})
}

func (f *RobotPublisher) newGPS(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "fix"),
		func(m *sensormsgs.NavSatFix, s *sim.Sample, d *sim.GPSFix) {
			m.Header = header(s.Time, frame)
			m.Status = sensormsgs.NavSatStatus{Status: sensormsgs.NavSatStatusFix,
				Service: sensormsgs.NavSatStatusServiceGps}
			if !d.Valid {
				m.Status.Status = sensormsgs.NavSatStatusNoFix
			}
			m.Latitude, m.Longitude, m.Altitude = d.Place.Latitude*180/math.Pi, d.Place.Longitude*180/math.Pi,
				d.Place.Altitude
			h, v := variance(&d.Spec.Horizontal), variance(&d.Spec.Vertical)
			m.PositionCovariance = [9]float64{0: h, 4: h, 8: v}
			m.PositionCovarianceType = sensormsgs.NavSatFixCovarianceTypeDiagonalKnown
		})
}

func (f *RobotPublisher) newCompass(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "magnetic_field"),
		func(m *sensormsgs.MagneticField, s *sim.Sample, d *sim.MagneticField) {
			m.Header = header(s.Time, frame)
			m.MagneticField, m.MagneticFieldCovariance = geometry.Vector3(d.Field), spread(d.Spec)
		})
}

func (f *RobotPublisher) newBarometer(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "air_pressure"),
		func(m *sensormsgs.FluidPressure, s *sim.Sample, d *sim.AirPressure) {
			m.Header = header(s.Time, frame)
			m.FluidPressure, m.Variance = d.Pascal, d.Spec.Std*d.Spec.Std
		})
}

// newAltimeter publishes the height as a number: no message of sensor_msgs has
// one.
func (f *RobotPublisher) newAltimeter(r *robot, s sim.SensorModel) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "altitude"),
		func(m *stdmsgs.Float64, _ *sim.Sample, d *sim.AltimeterReading) { m.Data = d.Metres })
}
