package sim

import (
	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/sensor"
)

// measure takes the sample of a sensor that is due after a step. The schedule
// and the number of the sample are state; the sample itself is computed only
// when somebody looks, and nothing in the world depends on it.
func (w *World) measure(e *entity, i int) {
	s, m := &e.plan.sensors[i], &e.sensors[i]
	if s.lidar == nil || !m.schedule.Due(w.time) {
		return
	}
	m.seq++
	if !w.sensing(e.id, i) {
		return
	}
	frame := w.linkPose(e, s.link).Mul(upright(s.spec.Pose))
	noise := sensor.NewNoise(sensor.Key{Seed: w.options.Seed, Entity: e.key(), Sensor: uint64(i), Sample: m.seq})
	m.sample = Sample{
		Seq: m.seq, Time: w.time, Frame: frame,
		Data: &LidarScan{Spec: &s.spec.Lidar, Ranges: s.lidar.Scan(frame, &rays{w.physics, e.bodies[e.plan.places[s.link].body]}, noise)},
	}
	w.measured++
	w.news = true
}

// every and none say which sensors are computed.
func every(uint64, int) bool { return true }
func none(uint64, int) bool  { return false }

// rays is the world as a sensor sees it: everything but the entity that
// carries it.
type rays struct {
	world *physics.World
	own   physics.BodyID
}

// CastRay is what sensor.Caster asks for.
func (r *rays) CastRay(ray r3.Ray, limit float64) (float64, bool) {
	hit, ok := r.world.CastRayExcept(ray, limit, 0, r.own)
	return hit.Distance, ok
}
