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
	seen   sim.Measurement // the Data that was sent last
}

// addSensors puts the sensors of a robot on the graph.
func (f *RobotPublisher) addSensors(r *robot, m *sim.EntityModel) error {
	for i, s := range m.Sensors {
		in, err := f.newSensorPublisher(r, m, s)
		if err != nil {
			return err
		}
		if in != nil {
			r.sensors = append(r.sensors, fittedSensor{sensorPublisher: in, sensor: i})
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
