package robot

import (
	"simdeck/sim"
	"simdeck/sim/scene"
)

// sensorPublisher publishes the topics of a kind of sensor.
type sensorPublisher interface {
	// wanted reports whether somebody listens.
	wanted() bool
	// publish sends a sample that was not sent before. Samples of other kinds
	// are passed over.
	publish(s *sim.Sample) error
}

// fittedSensor is a sensor publisher of a robot.
type fittedSensor struct {
	sensorPublisher
	sensor int             // index into EntityModel.Sensors
	topics []string        // full, the main one first
	seen   sim.Measurement // the Data that was sent last
}

// addSensors puts the sensors of a robot on the graph.
func (f *RobotPublisher) addSensors(r *robot, m *sim.EntityModel) error {
	for i, s := range m.Sensors {
		before := len(r.ends)
		in, err := f.newSensorPublisher(r, m, s)
		if err != nil {
			return err
		}
		if in != nil {
			fitted := fittedSensor{sensorPublisher: in, sensor: i}
			for _, e := range r.ends[before:] {
				if e, ok := e.(topical); ok {
					fitted.topics = append(fitted.topics, e.Topic())
				}
			}
			r.sensors = append(r.sensors, fitted)
		}
	}
	return nil
}

// newSensorPublisher makes the publisher of a sensor; nil for kinds that publish nothing.
func (f *RobotPublisher) newSensorPublisher(r *robot, m *sim.EntityModel, s sim.SensorModel) (sensorPublisher,
	error) {
	frame := framed(r.prefix, sensorFrame(m.Spec, s).name)
	switch {
	case isLidar(s):
		return f.newLidar(r, s, frame)
	case isCamera(s):
		return f.newCamera(r, s, frame)
	}
	switch s.Spec.Kind {
	case scene.IMU:
		return f.newIMU(r, s, frame)
	case scene.Contact:
		return f.newContacts(r, s)
	case scene.ForceTorque:
		return f.newWrench(r, m, s, frame)
	case scene.GPS:
		return f.newGPS(r, s, frame)
	case scene.Magnetometer:
		return f.newCompass(r, s, frame)
	case scene.AirPressure:
		return f.newBarometer(r, s, frame)
	case scene.Altimeter:
		return f.newAltimeter(r, s)
	case scene.AirSpeed:
		return f.newAirSpeed(r, s, frame)
	case scene.Sonar:
		return f.newSonar(r, s, frame)
	case scene.DVL:
		return f.newDVL(r, s, frame)
	}
	return nil, nil
}

// publishNew sends the newest sample, once.
func (f *fittedSensor) publishNew(samples []sim.Sample) error {
	if f.sensor >= len(samples) {
		return nil
	}
	s := &samples[f.sensor]
	if s.Data == nil || s.Data == f.seen {
		return nil
	}
	f.seen = s.Data
	return f.publish(s)
}
