package sim

import (
	"fmt"
	"math"
	"strings"
	"time"

	"simdeck/sim/physics"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// DefaultStepSize is how far a step goes when nobody says.
const DefaultStepSize = 4 * time.Millisecond

// AsFastAsPossible as Options.RealTime means never to wait.
const AsFastAsPossible = -1.0

// Options are what a world is told before anything is loaded. The zero value
// is what each field says.
type Options struct {
	StepSize time.Duration // 0: what the world asks, else DefaultStepSize
	RealTime float64       // 0: what the world asks, else 1; AsFastAsPossible
	Seed     uint64        // of sensor noise
	Clock    func() int64  // ns, only to time the stages of a step for Stats; nil: they are not timed
	Rewind   time.Duration // of simulated time that Rewind can go back; 0: none is kept
	OnFault  FaultPolicy
	Limits   Limits        // of what commands may put in; zero: none
	From     Origin        // where it takes up the life of another
	Hands    *physics.Crew // that compute a step too while they work; they show in no result; nil: none
}

// World is the state machine of the simulator: what commands do, and what a
// step does. It has no goroutine, no clock and does no I/O, and is not safe
// for concurrent use; Engine drives one. The same commands at the same steps
// make the same states, bit for bit.
//
// TestEveryFieldOfTheWorldHasAKind lists its fields as state, cache or config.
type World struct {
	options Options

	// State.
	state    State
	waiting  State  // what state goes back to when the world that is being read cannot be loaded
	source   source // what Reset builds from
	physics  *physics.World
	entities []*entity // ordered by name
	poses    []scene.NamedPose
	gravity  r3.Vec
	stepSize time.Duration
	pace     float64
	time     time.Duration
	step     uint64 // since the last reset of time
	total    uint64 // since the world was made
	lastID   uint64
	groups   int32
	job      stepJob
	onFault  FaultPolicy
	halted   string // why the engine paused it; of a state that was set since it is nothing
	journal  journal
	past     past

	// Cache.
	model    *Model
	revision uint64
	owner    []int32 // body slot → index into entities, -1: none
	awake    int     // bodies after the last step
	moved    uint64  // grows when a pose or twist may have changed
	measured uint64  // grows when a sample or an odometry is new
	shown    *picture
	drawing  physics.DrawFlags // of snapshots
	contacts []physics.Contact
	active   []*entity                            // those with drives, sensors, mimics: what a step looks after
	sensing  func(entity uint64, sensor int) bool // whether somebody wants its samples
	filming  func(entity uint64, sensor int) bool // whether somebody wants its pictures
	ahead    uint64                               // steps that follow this one on the way back to an age; 0: none, or it is the present
	labels   map[physics.GeomID]string            // names of collision shapes that were asked for, for as long as the bodies are the same
	easels   *easels                              // what pictures are drawn with
	stage    *render.Stage                        // what cameras see
	staged   *Model                               // that stage is of
	placed   []r3.Pose                            // where its links are in this step
	places   []r3.Pose                            // memory for placed
	patches  []physics.Contact                    // scratch of feel
	hand     func(*scan)                          // gives a sample to somebody who computes it; nil: it is computed at once
	scans    []*scan                              // samples on their way, in the order in which they were due
	view     *physics.View                        // what the sensors of this step see
	viewed   *physics.View                        // one that nobody looks at any more
	solo     *scan                                // that which the world computes itself
	watch    stagewatch
	news     bool // a sample or an odometry came that no snapshot was published with
}

// source is the world as loaded.
type source struct {
	from  LoadWorld
	info  WorldInfo
	spec  *scene.WorldSpec
	cloud *render.Cloud // of spec.Site; nil: none
	plans []*plan       // by spec.Models
	ids   []uint64      // by spec.Models
	names []string      // by spec.Models
	notes scene.Notes
}

// NewWorld makes a world in which nothing is loaded.
func NewWorld(o Options) (*World, error) {
	if o.StepSize != 0 {
		if err := checkStepSize(o.StepSize.Seconds()); err != nil {
			return nil, err
		}
	}
	if err := checkPace(max(0, o.RealTime)); err != nil {
		return nil, err
	}
	w := &World{options: o, state: NoWorld, total: o.From.Steps, lastID: o.From.ID, stepSize: DefaultStepSize, pace: 1, onFault: o.OnFault, sensing: every, filming: every, easels: &easels{}, watch: stagewatch{clock: o.Clock}}
	if err := w.empty(r3.Vec{}); err != nil {
		return nil, err
	}
	return w, nil
}

const (
	leastStep = 10e-6 // s
	mostStep  = 0.1   // s
	mostPace  = 1e6
)

func checkStepSize(s float64) error {
	if !(s >= leastStep && s <= mostStep) {
		return fmt.Errorf("%w: a step of %v s; %v to %v s is possible", ErrFailed, s, leastStep, mostStep)
	}
	return nil
}

func checkPace(f float64) error {
	if !(f >= 0 && f <= mostPace) {
		return fmt.Errorf("%w: a real-time factor of %v; 0 (as fast as possible) to %g is possible", ErrFailed, f, mostPace)
	}
	return nil
}

// Apply carries out a command between two steps; l is what Load read for it.
// A command that is refused changes nothing. StepWorld answers nil, nil when
// it begins: it goes on with every Step until Stepping is false, and Outcome
// is its answer.
func (w *World) Apply(c Command, l Loaded) (Reply, error) {
	if w.state == Quitting {
		return nil, fmt.Errorf("%w: %s came too late", ErrClosed, Describe(c))
	}
	reply, err := w.apply(c, l)
	if err == nil {
		w.moved++
		w.past.note(c, l)
	}
	return reply, err
}

// apply is the table of all commands.
func (w *World) apply(c Command, l Loaded) (Reply, error) {
	switch c := c.(type) {
	case SetState:
		return done(w.setState(c.State))
	case StepWorld:
		return w.beginSteps(c.N)
	case CancelSteps:
		return done(w.endSteps(fmt.Errorf("%w: on request", ErrCancelled)))
	case Reset:
		return done(w.reset(c))
	case SetPacing:
		return done(w.setPace(c.RealTime))
	case SetFaultPolicy:
		return done(w.setFaultPolicy(c.Policy))
	case BeginLoad:
		return done(w.beginLoad())
	case LoadWorld:
		return w.load(c, l)
	case Resume:
		return done(w.resume(c, l))
	case UnloadWorld:
		return done(w.unload())
	case Rewind:
		return w.rewind(c.Back)
	}
	if err := w.loaded(c); err != nil {
		return nil, err
	}
	return w.applyInside(c, l)
}

// applyInside is the table of the commands that need a world.
func (w *World) applyInside(c Command, l Loaded) (Reply, error) {
	switch c := c.(type) {
	case Spawn:
		return w.spawn(c, l)
	case SpawnBatch:
		return w.spawnBatch(c, l)
	case Delete:
		return done(w.delete(c.Names))
	case SetEntityState:
		return done(w.setEntityState(c))
	case MoveEntities:
		return done(w.moveEntities(c.Moves))
	case SetEntityInfo:
		return done(w.setEntityInfos([]SetEntityInfo{c}))
	case SetEntityInfos:
		return done(w.setEntityInfos(c.Infos))
	case DriveEntity:
		return done(w.driveEntity(c))
	case DriveCar:
		return done(w.driveCar(c))
	case SetJoint:
		return done(w.setJoint(c))
	case SetJoints:
		return done(w.setJoints(c))
	case FollowTrajectory:
		return w.followTrajectory(c)
	case EndTrajectory:
		return done(w.endTrajectory(c))
	}
	return nil, fmt.Errorf("%w: %s does not act on a world", ErrUnsupported, Describe(c))
}

// done is the answer of a command that has nothing to say.
func done(err error) (Reply, error) {
	if err != nil {
		return nil, err
	}
	return Done{}, nil
}

// loaded refuses commands that need a world when there is none.
func (w *World) loaded(c Command) error {
	switch w.state {
	case NoWorld:
		return fmt.Errorf("%w: %s needs one; load a world first", ErrNoWorld, Describe(c))
	case LoadingWorld:
		return fmt.Errorf("%w: %s while a world is being loaded; wait for it", ErrIncorrectState, Describe(c))
	}
	return nil
}

// State is the state of the simulation.
func (w *World) State() State { return w.state }

// Time is the simulated time since the last reset of time.
func (w *World) Time() time.Duration { return w.time }

// StepSize is how far a step goes.
func (w *World) StepSize() time.Duration { return w.stepSize }

// Total counts the steps since the world was made; no reset takes it back.
func (w *World) Total() uint64 { return w.total }

// structured notes that entities or places came or went.
func (w *World) structured() {
	w.model = nil
	w.moved++
	w.measured++
	w.activate()
}

// activate lists the entities that a step looks after.
func (w *World) activate() {
	w.active = w.active[:0]
	for _, e := range w.entities {
		if len(e.drives) > 0 || len(e.sensors) > 0 || e.mimics || e.pushed || e.plan.spec.Script != nil || len(e.tracks) > 0 {
			w.active = append(w.active, e)
		}
	}
}

// report adds an event to the log.
func (w *World) report(level Level, who, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxEvent {
		text = strings.ToValidUTF8(text[:maxEvent], "") + "…"
	}
	w.journal.add(Event{Time: w.time, Level: level, Who: who, Text: text})
}

// empty throws away everything that stands in the world.
func (w *World) empty(gravity r3.Vec) error {
	p, err := physics.New(physics.Config{Gravity: gravity, Clock: w.watch.now, Crew: w.options.Hands, Contain: w.options.OnFault != HaltOnFault})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	w.physics, w.gravity, w.groups = p, gravity, 0
	w.entities, w.poses, w.active = nil, nil, nil
	w.structured()
	return nil
}

// seconds is s as a Duration, to the nanosecond.
func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// finite reports whether x is a number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
