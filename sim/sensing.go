package sim

import (
	"slices"

	"simdeck/sim/sensor"
)

// measure begins the sample of a sensor that is due after a step. The schedule
// and the number of the sample are state; the sample itself is computed only
// when somebody looks, and nothing in the world depends on it.
//
// A sensor has at most one sample on its way: who is due again while the last
// one is not there waits for it, so that none is ever left out.
func (w *World) measure(e *entity, i int) {
	s, m := &e.plan.sensors[i], &e.sensors[i]
	if s.lidar == nil || !m.schedule.Due(w.time) {
		return
	}
	m.seq++
	if m.scan != nil {
		m.scan.finish()
		w.deliver(m.scan)
	}
	if !w.sensing(e.id, i) {
		return
	}
	if w.view == nil {
		w.view = w.physics.View()
	}
	if m.truth == nil {
		m.truth = make([]float64, s.lidar.Rays())
	}
	k := &scan{
		entity: e.name, id: e.id, sensor: i, lidar: s.lidar, spec: &s.spec.Lidar, truth: m.truth, done: make(chan struct{}),
		sight:  sight{w.view, e.bodies[e.plan.places[s.link].body]},
		noise:  sensor.NewNoise(sensor.Key{Seed: w.options.Seed, Entity: e.key(), Sensor: uint64(i), Sample: m.seq}),
		sample: Sample{Seq: m.seq, Time: w.time, Frame: w.linkPose(e, s.link).Mul(upright(s.spec.Pose))},
	}
	k.left.Store(int64(s.lidar.Parts()))
	m.scan = k
	w.scans = append(w.scans, k)
	if w.hand != nil {
		w.hand(k)
		return
	}
	k.finish()
	w.deliver(k)
}

// deliver shows a sample that is done. One whose entity or sensor has been
// replaced since is dropped.
func (w *World) deliver(k *scan) {
	w.scans = slices.DeleteFunc(w.scans, func(o *scan) bool { return o == k })
	if why := k.fault.Load(); why != nil {
		panic(*why)
	}
	at, ok := w.lookup(k.entity)
	if !ok || w.entities[at].id != k.id {
		return
	}
	m := &w.entities[at].sensors[k.sensor]
	if m.scan != k {
		return
	}
	m.scan, m.sample = nil, k.sample
	w.measured++
	w.news = true
}

// collect shows the samples that are done, and reports whether there were any.
func (w *World) collect() bool {
	before := w.measured
	for i := 0; i < len(w.scans); {
		if k := w.scans[i]; k.ended() {
			w.deliver(k)
		} else {
			i++
		}
	}
	return w.measured != before
}

// settle waits for every sample that was due, and shows them.
func (w *World) settle() {
	for len(w.scans) > 0 {
		w.scans[0].finish()
		w.deliver(w.scans[0])
	}
}

// every and none say which sensors are computed.
func every(uint64, int) bool { return true }
func none(uint64, int) bool  { return false }
