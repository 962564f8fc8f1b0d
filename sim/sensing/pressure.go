package sensing

import (
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// barometer is the pressure at a sensor: of the air by its height, or of the water by its depth.
func barometer(w World, s *scene.Sensor, m *state, at r3.Vec, now time.Duration) *sim.AirPressure {
	origin := w.Earth().Elevation
	if s.SeaLevel != nil {
		origin = *s.SeaLevel
	}
	pascal, depth := w.Medium().Pressure(at, now.Seconds(), origin, w.Gravity().Len())
	return reading(m, sim.AirPressure{Spec: &s.Noise, Pascal: m.channels[0].Report(pascal, m.seq),
		Depth: depth})
}

// pitot is the pressure that air, or water, builds up before a tube along x of its frame. The speed that
// belongs to it is that of Bernoulli's law without compression, as in Gazebo.
func pitot(w World, e *Sensors, link int, s *scene.Sensor, m *state, frame r3.Pose, own dynamics.BodyID,
	now time.Duration) *sim.AirSpeed {
	around := w.Medium().At(frame.Pos, now.Seconds())
	flow := around.Velocity
	if surface := surfaceOf(w, frame.Pos, now); frame.Pos.Z < surface {
		flow = flow.Add(e.current(link))
	}
	v := frame.Rot.RotateBack(w.Dynamics().Body(own).VelocityAt(frame.Pos).Sub(flow)).X
	pascal := m.channels[0].Report(float64(around.Density/2*float64(v*math.Abs(v))), m.seq)
	speed := 0.0
	if around.Density > 0 {
		speed = math.Copysign(math.Sqrt(2*math.Abs(pascal)/around.Density), pascal)
	}
	return reading(m, sim.AirSpeed{Spec: &s.Noise, Pascal: pascal, Speed: speed,
		Kelvin: w.Medium().Temperature(frame.Pos.Z)})
}
