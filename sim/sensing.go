package sim

import (
	"slices"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/sensor"
)

// SensorPolicy says when sensors are computed. It never changes what the world
// does.
type SensorPolicy uint8

// Sensor policies.
const (
	SensorsOnDemand SensorPolicy = iota // while some open Subscription wants them
	SensorsAlways
	SensorsNever
)

// measuring is a sensor at work.
type measuring struct {
	schedule sensor.Schedule
	seq      uint64
	sample   Sample
	shown    bool        // by a snapshot: its memory is not ours any more
	spare    any         // what a sample held that no snapshot showed: memory for the next
	scan     *scan       // the sample on its way; nil: none
	cast     *lidarTask  // the work of the last, to be used again
	draw     *cameraTask //
	truth    []float64   // its scratch
	echo     []float64
	tiles    []sensor.Tile
	channels []sensor.Channel
}

// measure begins the sample of a sensor that is due after a step. The schedule
// and the number of the sample are state; the sample itself is computed only
// when somebody looks, and nothing in the world depends on it.
//
// What is felt is there at once. A lidar or a camera has at most one sample on
// its way: who is due again while the last one is not there waits for it, so
// that none is ever left out.
func (w *World) measure(e *entity, i int) {
	s, m := &e.plan.sensors[i], &e.sensors[i]
	if !s.runs || !m.schedule.Due(w.time) {
		return
	}
	m.seq++
	if m.scan != nil {
		m.scan.finish()
		w.deliver(m.scan)
	}
	if w.outdated(s.spec.Rate) {
		return
	}
	sample := Sample{Seq: m.seq, Time: w.time, Frame: w.linkPose(e, s.link).Mul(s.spec.Pose.Upright())}
	var t task
	parts := 1
	switch {
	case s.camera != nil:
		if !w.filming(e.id, i) {
			return
		}
		stage, links := w.scenery()
		if m.draw == nil {
			m.draw = &cameraTask{}
		}
		*m.draw = cameraTask{camera: s.camera, spec: &s.spec.Camera, pose: sample.Frame, stage: stage, links: links, noise: w.noise(e, i), easels: w.easels,
			hands: crewSize() + 1, into: unshown[Picture](m)}
		t, parts = m.draw, s.camera.Parts(crewSize()+1)
	case !w.sensing(e.id, i):
		return
	case s.lidar != nil:
		if w.view == nil {
			w.view, w.viewed = w.physics.ViewOnto(w.viewed), nil
		}
		if m.truth == nil {
			m.truth, m.echo = make([]float64, s.lidar.Rays()), make([]float64, s.lidar.Rays())
			m.tiles = make([]sensor.Tile, s.lidar.Parts())
		}
		if m.cast == nil {
			m.cast = &lidarTask{}
		}
		*m.cast = lidarTask{lidar: s.lidar, spec: &s.spec.Lidar, pose: sample.Frame, truth: m.truth, echo: m.echo, tiles: m.tiles,
			sight: sight{w.view, e.bodies[e.plan.places[s.link].body]}, noise: w.noise(e, i), into: unshown[LidarScan](m)}
		t, parts = m.cast, s.lidar.Parts()
	default:
		sample.Data = w.feel(e, i, sample.Frame)
		m.sample, m.shown = sample, false
		w.measured++
		w.news = true
		return
	}
	if w.solo == nil {
		w.solo = &scan{}
	}
	k := w.solo
	if w.hand != nil {
		k = &scan{done: make(chan struct{})} // whoever works at it may hold it longer than it takes
	}
	k.entity, k.id, k.sensor, k.task, k.parts, k.sample = e.name, e.id, i, t, parts, sample
	w.begin(k, m)
}

// outdated reports whether a sensor of a rate measures again before the world has
// gone back to where it is asked to: nobody sees this sample then.
func (w *World) outdated(rate float64) bool {
	if w.ahead == 0 {
		return false
	}
	left := time.Duration(w.ahead-1) * w.stepSize // one is for the grid on which it measures
	return !(rate > 0) || left.Seconds()*rate > 1
}

// felt is what a sample holds that is made at once: in the memory of the last,
// unless a snapshot has shown that.
func felt[T any](m *measuring, v T) *T {
	p, ok := m.sample.Data.(*T)
	if !ok || m.shown {
		p = new(T)
	}
	*p = v
	return p
}

// unshown is memory for a sample that is made while the last one may still be
// shown.
func unshown[T any](m *measuring) *T {
	p, ok := m.spare.(*T)
	m.spare = nil
	if !ok {
		return new(T)
	}
	return p
}

// unsee ends what is seen of a step. Where nobody looks at it any more its
// memory is used again.
func (w *World) unsee() {
	if len(w.scans) == 0 {
		if w.view != nil {
			w.viewed = w.view
		}
		if w.placed != nil {
			w.places = w.placed[:0]
		}
	}
	w.view, w.placed = nil, nil
}

// begin gives a scan to whoever computes it.
func (w *World) begin(k *scan, m *measuring) {
	k.fault.Store(nil)
	k.taken.Store(0)
	k.left.Store(int64(k.parts))
	m.scan = k
	w.scans = append(w.scans, k)
	if w.hand != nil {
		w.hand(k)
		return
	}
	k.finish()
	w.deliver(k)
}

// noise is the stream of a sample.
func (w *World) noise(e *entity, i int) sensor.Noise {
	k := w.noiseKey(e, i)
	k.Sample = e.sensors[i].seq
	return sensor.NewNoise(k)
}

func (w *World) noiseKey(e *entity, i int) sensor.Key {
	return sensor.Key{Seed: w.options.Seed, Entity: e.key(), Sensor: uint64(i)}
}

// scenery is what the cameras of this step see: made once a step, and never
// changed.
func (w *World) scenery() (*render.Stage, []r3.Pose) {
	m := w.currentModel()
	if w.stage == nil || w.staged != m {
		w.stage, w.staged = NewStage(m), m
	}
	if w.placed == nil {
		w.placed, w.places = w.places, nil
		for _, e := range w.entities {
			for link := range e.plan.places {
				w.placed = append(w.placed, w.linkPose(e, link))
			}
		}
	}
	return w.stage, w.placed
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
	if !m.shown {
		m.spare = m.sample.Data
	}
	m.scan, m.sample, m.shown = nil, k.sample, false
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
