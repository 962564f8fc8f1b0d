package sensing

import (
	"slices"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// World is the sensors' view of the world, beside the bodies of their own entity.
type World interface {
	Dynamics() *dynamics.World
	// Model is the common part of snapshots: scene of the cameras.
	Model() *sim.Model
	// AppendLamps appends the lights of the lamps of all entities of Model; nothing where there are none.
	AppendLamps(dst []scene.Glow) []scene.Glow
	// AppendLinkPoses appends where all links are, in the order of Snapshot.Links.
	AppendLinkPoses(dst []r3.Pose) []r3.Pose
	// CollisionName is a collision shape's "entity::link::collision".
	CollisionName(body dynamics.BodyID, geom dynamics.GeomID) string
	Earth() *scene.Earth
	Medium() *medium.Medium
	Gravity() r3.Vec
	// Sensors are those of an entity by its name and number; nil: it has gone.
	Sensors(entity string, id uint64) *Sensors
}

// Clock is the simulated time at a step.
type Clock struct {
	Now      time.Duration // simulated, since the last reset of time
	StepSize time.Duration
}

// Pipeline computes the samples of all sensors of a world: at once, or beside the loop. A world that is
// copied shares what it draws with.
type Pipeline struct {
	Wanted       func(entity uint64, sensor int) bool // whether somebody looks at its samples
	CameraWanted func(entity uint64, sensor int) bool // whether somebody looks at its pictures
	// Submit gives a sample to somebody who computes it; nil: it is computed at once
	Submit func(*Job)
	// Ahead is the number of steps after this one in a rewind; 0: none, or it is the present
	Ahead uint64
	// LeaveOut says that a sample is left out when the one before it is not complete; nil: never
	LeaveOut func() bool

	samples       uint64 // that were shown
	late          uint64 // that were left out
	renderers     *rendererPool
	stage         *render.Stage // scene of the cameras
	renderedModel *sim.Model    // that stage is of
	lamps         []scene.Glow  // that the stage has
	scratchLamps  []scene.Glow
	linkPoses     []r3.Pose            // where its links are in this step
	places        []r3.Pose            // memory for linkPoses
	contacts      []dynamics.Contact   // scratch
	jobs          []*Job               // on their way, in the order in which they were due
	view          *dynamics.QueryScene // scene of this step's lidars
	viewedScene   *dynamics.QueryScene // a view without readers, for reuse
	inlineJob     *Job                 // the job of this goroutine
}

// NewPipeline makes one that computes every sample at once.
func NewPipeline() Pipeline {
	return Pipeline{Wanted: Always, CameraWanted: Always, renderers: &rendererPool{}}
}

// state is a sensor at work.
type state struct {
	schedule    sensor.Schedule
	seq         uint64
	sample      sim.Sample
	held        []sim.Sample    // that are to be shown when their latency is over, the oldest first
	published   bool            // by a snapshot: its memory is not ours any more
	spare       sim.Measurement // data of a sample that no snapshot showed: memory for the next
	scan        *Job            // the sample on its way; nil: none
	lidarJob    *lidarTask      // the work of the last, to be used again
	cameraJob   *cameraTask     //
	truth       []float64       // its scratch
	intensities []float64
	tiles       []sensor.Tile
	channels    []sensor.Channel
	flow, flown flowIntegral // since the last sample, which is state, and of the period that has just ended
}

// measure begins the sample of a sensor that is due after a step. The schedule, the sample's number and the
// integral of an optical flow are state. The sample itself is computed on demand, and nothing in the world
// depends on it.
//
// Proprioceptive samples are ready at once. A lidar or a camera has at most one sample in progress. When it
// is due again before that sample is complete, the loop waits, or leaves that sample out where
// LeaveOut says so.
func (p *Pipeline) measure(w World, e *Sensors, i int, clock Clock) {
	s, m := &e.model.Sensors[i], &e.states[i]
	if !s.Enabled {
		return
	}
	if e.hasFlow(i) {
		m.flow.add(w, e, s, clock.StepSize)
	}
	latency := delay(s.Spec)
	p.showHeld(m, clock.Now-latency)
	if !m.schedule.Due(clock.Now) {
		return
	}
	m.seq++
	m.flown, m.flow = m.flow, flowIntegral{}
	if m.scan != nil {
		if p.LeaveOut != nil && p.LeaveOut() && !m.scan.hasEnded() {
			p.late++
			return
		}
		m.scan.finish()
		p.deliver(w, m.scan)
	}
	if p.outdated(s.Spec.Rate, latency, clock.StepSize) {
		return
	}
	sample := sim.Sample{Seq: m.seq, Time: clock.Now, Frame: e.linkPose(w, s.Link).Mul(s.Spec.Pose.Upright())}
	var work task
	parts := 1
	switch {
	case s.Camera != nil:
		if !p.CameraWanted(e.id, i) {
			return
		}
		stage, links := p.updateStage(w)
		if m.cameraJob == nil {
			m.cameraJob = &cameraTask{}
		}
		*m.cameraJob = cameraTask{camera: s.Camera, spec: &s.Spec.Camera, pose: sample.Frame, stage: stage,
			links: links, noise: e.noise(i), renderers: p.renderers,
			workers: WorkerCount() + 1, into: takeSpare[sim.CameraImage](m)}
		work, parts = m.cameraJob, s.Camera.Parts(WorkerCount()+1)
	case !p.Wanted(e.id, i):
		return
	case s.Lidar != nil:
		if p.view == nil {
			p.view, p.viewedScene = w.Dynamics().QuerySceneInto(p.viewedScene), nil
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
			view: rayView{p.view, e.bodies[e.model.Placements[s.Link].Body],
				soundSurface(w, s.Spec, &sample)},
			noise: e.noise(i),
			into:  takeSpare[sim.LidarScan](m)}
		work, parts = m.lidarJob, s.Lidar.Parts()
	default:
		p.measureNow(w, e, i, sample, latency)
		return
	}
	if p.inlineJob == nil {
		p.inlineJob = &Job{}
	}
	k := p.inlineJob
	if p.Submit != nil {
		k = &Job{done: make(chan struct{})} // a worker may hold it after its completion
	}
	k.entity, k.id, k.sensor, k.work, k.parts, k.sample = e.name, e.id, i, work, parts, sample
	p.begin(w, k, m)
}

// showHeld shows the sample of a moment that was held back; there is at most one for each step.
func (p *Pipeline) showHeld(m *state, moment time.Duration) {
	if len(m.held) > 0 && m.held[0].Time <= moment {
		m.sample, m.published = m.held[0], false
		m.held = slices.Delete(m.held, 0, 1)
		p.samples++
	}
}

// measureNow takes a sample that is computed at once, and shows it or holds it back. One that is held has
// memory of its own.
func (p *Pipeline) measureNow(w World, e *Sensors, i int, sample sim.Sample, latency time.Duration) {
	m := &e.states[i]
	if latency == 0 {
		sample.Data = p.sample(w, e, i, sample.Frame, sample.Time)
		m.sample, m.published = sample, false
		p.samples++
		return
	}
	if len(m.held) >= mostHeld {
		p.late++
		return
	}
	m.published = true
	sample.Data = p.sample(w, e, i, sample.Frame, sample.Time)
	m.held = append(m.held, sample)
}

// mostHeld is the most samples that a sensor with a latency holds back; more are left out.
const mostHeld = 1024

// delay is the latency of a sensor that is computed at once.
func delay(s *scene.Sensor) time.Duration { return time.Duration(s.Latency * 1e9) }

// outdated reports whether a sensor of a rate has a newer sample to show when a replay reaches its target.
// This one is then never read.
func (p *Pipeline) outdated(rate float64, latency, stepSize time.Duration) bool {
	if p.Ahead == 0 {
		return false
	}
	left := time.Duration(p.Ahead-1)*stepSize - latency // one is for the grid on which it measures
	return left >= 0 && (!(rate > 0) || left.Seconds()*rate > 1)
}

// pointerTo is a measurement whose memory is a T.
type pointerTo[T any] interface {
	*T
	sim.Measurement
}

// reading returns the data of a sample that is computed at once. It reuses the memory of the last one unless
// a snapshot has shown that.
func reading[T any, P pointerTo[T]](m *state, v T) P {
	p, ok := m.sample.Data.(P)
	if !ok || m.published {
		p = new(T)
	}
	*p = v
	return p
}

// takeSpare is memory for a sample that is made while the last one may still be
// shown.
func takeSpare[T any, P pointerTo[T]](m *state) P {
	p, ok := m.spare.(P)
	m.spare = nil
	if !ok {
		return new(T)
	}
	return p
}

// EndStep ends what is seen of a step. The memory of views without readers is reused.
func (p *Pipeline) EndStep() {
	if len(p.jobs) == 0 {
		if p.view != nil {
			p.viewedScene = p.view
		}
		if p.linkPoses != nil {
			p.places = p.linkPoses[:0]
		}
	}
	p.view, p.linkPoses = nil, nil
}

// begin gives a scan to whoever computes it.
func (p *Pipeline) begin(w World, k *Job, m *state) {
	k.fault.Store(nil)
	k.partsTaken.Store(0)
	k.partsLeft.Store(int64(k.parts))
	m.scan = k
	p.jobs = append(p.jobs, k)
	if p.Submit != nil {
		p.Submit(k)
		return
	}
	k.finish()
	p.deliver(w, k)
}

// noise is the stream of a sample.
func (e *Sensors) noise(i int) sensor.Noise {
	k := e.noiseKey(i)
	k.Sample = e.states[i].seq
	return sensor.NewNoise(k)
}

func (e *Sensors) noiseKey(i int) sensor.Key {
	return sensor.Key{Seed: e.seed, Entity: e.key, Sensor: uint64(i)}
}

// updateStage is the scene of this step's cameras: made once a step, and never changed.
func (p *Pipeline) updateStage(w World) (*render.Stage, []r3.Pose) {
	m := w.Model()
	lamps := w.AppendLamps(p.scratchLamps[:0])
	if p.stage == nil || p.renderedModel != m || !slices.Equal(lamps, p.lamps) {
		p.lamps = append(p.lamps[:0], lamps...)
		p.stage, p.renderedModel = sim.NewStage(m, p.lamps), m
	}
	p.scratchLamps = lamps
	if p.linkPoses == nil {
		p.linkPoses, p.places = p.places, nil
		p.linkPoses = w.AppendLinkPoses(p.linkPoses)
	}
	return p.stage, p.linkPoses
}

// deliver shows a sample that is done. A sample is dropped when its entity or sensor has been replaced since.
func (p *Pipeline) deliver(w World, k *Job) {
	p.jobs = slices.DeleteFunc(p.jobs, func(o *Job) bool { return o == k })
	if why := k.fault.Load(); why != nil {
		panic(*why)
	}
	e := w.Sensors(k.entity, k.id)
	if e == nil {
		return
	}
	m := &e.states[k.sensor]
	if m.scan != k {
		return
	}
	if !m.published {
		m.spare = m.sample.Data
	}
	m.scan, m.sample, m.published = nil, k.sample, false
	p.samples++
}

// Measure begins the samples of an entity's sensors that are due after a step, and returns how many there are
// to be shown.
func (p *Pipeline) Measure(w World, e *Sensors, clock Clock) uint64 {
	before := p.samples
	for i := range e.states {
		p.measure(w, e, i, clock)
	}
	return p.samples - before
}

// Collect shows the samples that are done, and returns how many there were.
func (p *Pipeline) Collect(w World) uint64 {
	before := p.samples
	for i := 0; i < len(p.jobs); {
		if k := p.jobs[i]; k.hasEnded() {
			p.deliver(w, k)
		} else {
			i++
		}
	}
	return p.samples - before
}

// Drain waits for every sample that was due, shows them, and returns how many there were.
func (p *Pipeline) Drain(w World) uint64 {
	before := p.samples
	for len(p.jobs) > 0 {
		p.jobs[0].finish()
		p.deliver(w, p.jobs[0])
	}
	return p.samples - before
}

// Pending is the number of samples in progress.
func (p *Pipeline) Pending() int { return len(p.jobs) }

// Late is the number of samples that were left out.
func (p *Pipeline) Late() uint64 { return p.late }

// Forget has the next step looked at anew: the world was taken back.
func (p *Pipeline) Forget() { p.view = nil }

// Watched reports whether somebody looks at a sensor of an entity.
func (p *Pipeline) Watched(e *Sensors) bool {
	for i := range e.states {
		if e.model.Sensors[i].Enabled && (p.Wanted(e.id, i) || p.CameraWanted(e.id, i)) {
			return true
		}
	}
	return false
}

// Always and Never say which sensors are computed.
func Always(uint64, int) bool { return true }

// Never is for worlds at whose sensors nobody looks.
func Never(uint64, int) bool { return false }
