package engine

import (
	"slices"
	"time"

	"simdeck/sim"
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

// sensorState is a sensor at work.
type sensorState struct {
	schedule    sensor.Schedule
	seq         uint64
	sample      sim.Sample
	published   bool        // by a snapshot: its memory is not ours any more
	spare       any         // what a sample held that no snapshot showed: memory for the next
	scan        *sensorJob  // the sample on its way; nil: none
	lidarJob    *lidarTask  // the work of the last, to be used again
	cameraJob   *cameraTask //
	truth       []float64   // its scratch
	intensities []float64
	tiles       []sensor.Tile
	channels    []sensor.Channel
}

// measureSensor begins the sample of a sensor that is due after a step. The schedule
// and the number of the sample are state; the sample itself is computed only
// when somebody looks, and nothing in the world depends on it.
//
// What is felt is there at once. A lidar or a camera has at most one sample on
// its way: who is due again while the last one is not there waits for it, so
// that none is ever left out.
func (w *World) measureSensor(e *entity, i int) {
	s, m := &e.model.Sensors[i], &e.sensors[i]
	if !s.Enabled || !m.schedule.Due(w.time) {
		return
	}
	m.seq++
	if m.scan != nil {
		m.scan.finish()
		w.deliverSample(m.scan)
	}
	if w.renderStale(s.Spec.Rate) {
		return
	}
	sample := sim.Sample{Seq: m.seq, Time: w.time, Frame: w.linkPose(e, s.Link).Mul(s.Spec.Pose.Upright())}
	var t sensorTask
	parts := 1
	switch {
	case s.Camera != nil:
		if !w.cameraWanted(e.id, i) {
			return
		}
		stage, links := w.updateRenderScene()
		if m.cameraJob == nil {
			m.cameraJob = &cameraTask{}
		}
		*m.cameraJob = cameraTask{camera: s.Camera, spec: &s.Spec.Camera, pose: sample.Frame, stage: stage,
			links: links, noise: w.noise(e, i), renderers: w.renderers,
			workers: sensorWorkerCount() + 1, into: takeSpare[sim.CameraImage](m)}
		t, parts = m.cameraJob, s.Camera.Parts(sensorWorkerCount()+1)
	case !w.sensorWanted(e.id, i):
		return
	case s.Lidar != nil:
		if w.view == nil {
			w.view, w.viewedScene = w.physics.QuerySceneInto(w.viewedScene), nil
		}
		if m.truth == nil {
			m.truth, m.intensities = make([]float64, s.Lidar.Rays()), make([]float64, s.Lidar.Rays())
			m.tiles = make([]sensor.Tile, s.Lidar.Parts())
		}
		if m.lidarJob == nil {
			m.lidarJob = &lidarTask{}
		}
		*m.lidarJob = lidarTask{lidar: s.Lidar, spec: &s.Spec.Lidar, pose: sample.Frame, truth: m.truth,
			intensities: m.intensities, tiles: m.tiles,
			view: rayView{w.view, e.bodies[e.model.Placements[s.Link].Body]}, noise: w.noise(e, i),
			into: takeSpare[sim.LidarScan](m)}
		t, parts = m.lidarJob, s.Lidar.Parts()
	default:
		sample.Data = w.sample(e, i, sample.Frame)
		m.sample, m.published = sample, false
		w.sampleStep++
		w.samplesReady = true
		return
	}
	if w.inlineJob == nil {
		w.inlineJob = &sensorJob{}
	}
	k := w.inlineJob
	if w.submit != nil {
		k = &sensorJob{done: make(chan struct{})} // whoever works at it may hold it longer than it takes
	}
	k.entity, k.id, k.sensor, k.task, k.parts, k.sample = e.name, e.id, i, t, parts, sample
	w.beginJob(k, m)
}

// renderStale reports whether a sensor of a rate measures again before the world has
// gone back to where it is asked to: nobody sees this sample then.
func (w *World) renderStale(rate float64) bool {
	if w.aheadSteps == 0 {
		return false
	}
	left := time.Duration(w.aheadSteps-1) * w.stepSize // one is for the grid on which it measures
	return !(rate > 0) || left.Seconds()*rate > 1
}

// reading is what a sample holds that is made at once: in the memory of the last,
// unless a snapshot has shown that.
func reading[T any](m *sensorState, v T) *T {
	p, ok := m.sample.Data.(*T)
	if !ok || m.published {
		p = new(T)
	}
	*p = v
	return p
}

// takeSpare is memory for a sample that is made while the last one may still be
// shown.
func takeSpare[T any](m *sensorState) *T {
	p, ok := m.spare.(*T)
	m.spare = nil
	if !ok {
		return new(T)
	}
	return p
}

// releaseView ends what is seen of a step. Where nobody looks at it any more its
// memory is used again.
func (w *World) releaseView() {
	if len(w.jobs) == 0 {
		if w.view != nil {
			w.viewedScene = w.view
		}
		if w.linkPoses != nil {
			w.places = w.linkPoses[:0]
		}
	}
	w.view, w.linkPoses = nil, nil
}

// beginJob gives a scan to whoever computes it.
func (w *World) beginJob(k *sensorJob, m *sensorState) {
	k.fault.Store(nil)
	k.partsTaken.Store(0)
	k.partsLeft.Store(int64(k.parts))
	m.scan = k
	w.jobs = append(w.jobs, k)
	if w.submit != nil {
		w.submit(k)
		return
	}
	k.finish()
	w.deliverSample(k)
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

// updateRenderScene is what the cameras of this step see: made once a step, and never
// changed.
func (w *World) updateRenderScene() (*render.Stage, []r3.Pose) {
	m := w.currentModel()
	if w.renderScene == nil || w.renderedModel != m {
		w.renderScene, w.renderedModel = sim.NewStage(m), m
	}
	if w.linkPoses == nil {
		w.linkPoses, w.places = w.places, nil
		for _, e := range w.entities {
			for link := range e.model.Placements {
				w.linkPoses = append(w.linkPoses, w.linkPose(e, link))
			}
		}
	}
	return w.renderScene, w.linkPoses
}

// deliverSample shows a sample that is done. One whose entity or sensor has been
// replaced since is dropped.
func (w *World) deliverSample(k *sensorJob) {
	w.jobs = slices.DeleteFunc(w.jobs, func(o *sensorJob) bool { return o == k })
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
	if !m.published {
		m.spare = m.sample.Data
	}
	m.scan, m.sample, m.published = nil, k.sample, false
	w.sampleStep++
	w.samplesReady = true
}

// collectSamples shows the samples that are done, and reports whether there were any.
func (w *World) collectSamples() bool {
	before := w.sampleStep
	for i := 0; i < len(w.jobs); {
		if k := w.jobs[i]; k.hasEnded() {
			w.deliverSample(k)
		} else {
			i++
		}
	}
	return w.sampleStep != before
}

// drainSamples waits for every sample that was due, and shows them.
func (w *World) drainSamples() {
	for len(w.jobs) > 0 {
		w.jobs[0].finish()
		w.deliverSample(w.jobs[0])
	}
}

// always and none say which sensors are computed.
func always(uint64, int) bool { return true }
func never(uint64, int) bool  { return false }
