package robot

import (
	"cmp"
	"errors"
	"math"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs/marineacousticmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/sim"
)

// sensorPublishers are the topics of a sensor that has several.
type sensorPublishers []sensorPublisher

func (l sensorPublishers) wanted() bool {
	for _, p := range l {
		if p.wanted() {
			return true
		}
	}
	return false
}

func (l sensorPublishers) publish(s *sim.Sample) error {
	var errs []error
	for _, p := range l {
		errs = append(errs, p.publish(s))
	}
	return errors.Join(errs...)
}

// newAirSpeed publishes the differential pressure, as MAVROS does. The speed that belongs to it is a number,
// as no message of sensor_msgs has one.
func (f *RobotPublisher) newAirSpeed(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	topic := cmp.Or(s.Spec.Topic, "diff_pressure")
	pressure, err := newSensorMessage(f, r, topic,
		func(m *sensormsgs.FluidPressure, s *sim.Sample, d *sim.AirSpeed) {
			m.Header = header(s.Time, frame)
			m.FluidPressure, m.Variance = d.Pascal, d.Spec.Std*d.Spec.Std
		})
	if err != nil {
		return nil, err
	}
	speed, err := newSensorMessage(f, r, topic+"/speed",
		func(m *stdmsgs.Float64, _ *sim.Sample, d *sim.AirSpeed) { m.Data = d.Speed })
	if err != nil {
		return nil, err
	}
	return sensorPublishers{pressure, speed}, nil
}

// newSonar publishes the range of a sonar of one beam. Its field of view is the whole cone.
func (f *RobotPublisher) newSonar(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "range"),
		func(m *sensormsgs.Range, s *sim.Sample, d *sim.SonarRange) {
			m.Header = header(s.Time, frame)
			m.RadiationType, m.FieldOfView = sensormsgs.RangeUltrasound, float32(2*d.Spec.HalfAngle)
			m.MinRange, m.MaxRange = float32(d.Spec.MinRange), float32(d.Spec.MaxRange)
			m.Range = float32(d.Metres)
		})
}

// soundSpeed is that for which ranges are told, m/s.
const soundSpeed = 1500

// newDVL publishes a velocity log as ros_gz_bridge does: the first four beams that have an echo, and the
// altitude above the bottom alone. Numbers that are not known are -1.
func (f *RobotPublisher) newDVL(r *robot, s sim.SensorModel, frame string) (sensorPublisher, error) {
	return newSensorMessage(f, r, cmp.Or(s.Spec.Topic, "dvl"),
		func(m *marineacousticmsgs.Dvl, s *sim.Sample, d *sim.DVLReading) {
			*m = marineacousticmsgs.Dvl{Header: header(s.Time, frame), SoundSpeed: soundSpeed, Altitude: -1,
				VelocityMode: marineacousticmsgs.DvlModeBottom, DvlType: marineacousticmsgs.DvlTypePiston}
			noise := d.Spec.Bottom.Noise.Std
			if d.Spec.PhasedArray {
				m.DvlType = marineacousticmsgs.DvlTypePhasedArray
			}
			if d.Water {
				m.VelocityMode, noise = marineacousticmsgs.DvlModeWater, d.Spec.Water.Noise.Std
			} else if d.Locked > 0 {
				m.Altitude = d.Altitude
			}
			fillBeams(m, d.Beams, float32(noise*noise))
			if !d.Valid {
				for i := range m.VelocityCovar {
					m.VelocityCovar[i] = -1
				}
				return
			}
			m.Velocity = geometry.Vector3(d.Velocity)
			m.CourseGnd = math.Atan2(d.Velocity.Y, d.Velocity.X)
			m.SpeedGnd = math.Hypot(d.Velocity.X, d.Velocity.Y)
			c := &d.Covariance
			m.VelocityCovar = [9]float64{c.XX, c.XY, c.XZ, c.YX, c.YY, c.YZ, c.ZX, c.ZY, c.ZZ}
		})
}

// fillBeams tells the beams that have an echo, as many as the message has places for.
func fillBeams(m *marineacousticmsgs.Dvl, beams []sim.DVLBeam, variance float32) {
	n := 0
	for _, b := range beams {
		if !b.Locked || n == len(m.Range) {
			continue
		}
		m.BeamUnitVec[n], m.Range[n], m.BeamVelocity[n] = geometry.Vector3(b.Axis), b.Range, float32(b.Speed)
		m.BeamVelocityCovar[n], m.BeamQuality[n] = variance, 1
		n++
	}
	m.NumGoodBeams, m.BeamRangesValid, m.BeamVelocitiesValid = uint8(n), n > 0, n > 0
}
