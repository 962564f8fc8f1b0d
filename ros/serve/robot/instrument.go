package robot

import (
	"simdeck/sim"
	"simdeck/sim/scene"
)

// instrument is what a kind of sensor has on the graph.
type instrument interface {
	// wanted reports whether somebody listens.
	wanted() bool
	// publish sends a sample that was not sent before. Samples of other kinds
	// are passed over.
	publish(s *sim.Sample) error
}

// fitted is an instrument of a robot.
type fitted struct {
	instrument
	sensor int // index into EntityModel.Sensors
	seen   any // the Data that was sent last
}

// addSensors puts the sensors of a robot on the graph.
func (f *Fleet) addSensors(r *robot, m *sim.EntityModel) error {
	for i, s := range m.Sensors {
		in, err := f.fit(r, m, s)
		if err != nil {
			return err
		}
		if in != nil {
			r.instruments = append(r.instruments, fitted{instrument: in, sensor: i})
		}
	}
	return nil
}

// fit makes the instrument of a sensor; nil for kinds that publish nothing.
func (f *Fleet) fit(r *robot, m *sim.EntityModel, s sim.SensorModel) (instrument, error) {
	frame := framed(r.prefix, sensorFrame(m.Spec, s).name)
	switch {
	case isLidar(s):
		return f.fitLidar(r, s, frame)
	case isCamera(s):
		return f.fitCamera(r, s, frame)
	}
	switch s.Spec.Kind {
	case scene.IMU:
		return f.fitIMU(r, s, frame)
	case scene.Contact:
		return f.fitContacts(r, s)
	case scene.ForceTorque:
		return f.fitWrench(r, m, s, frame)
	case scene.GPS:
		return f.fitFix(r, s, frame)
	case scene.Magnetometer:
		return f.fitCompass(r, s, frame)
	case scene.AirPressure:
		return f.fitBarometer(r, s, frame)
	case scene.Altimeter:
		return f.fitAltimeter(r, s)
	}
	return nil, nil
}

// publishNew sends the newest sample, once.
func (f *fitted) publishNew(samples []sim.Sample) error {
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
