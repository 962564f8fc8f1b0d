// Package engine is the simulator itself. A World is the state machine that commands change and steps move;
// the Engine runs one in a loop and serves it as a sim.Backend. It knows no ROS, no terminal and no socket,
// and looks at the clock in engine.go and pacing.go alone. The same world, seed and commands give the same
// states, bit for bit.
//
// A verb has a file: spawn, delete, move, reset, load, restore, rewind. They work on the entities of the world
// (entity_set.go), each of them (entity.go), and the source from which Reset builds (source.go). The limits of
// a world are checked in admit.go. Package model compiles descriptions, package dynamics moves bodies, and
// package sim is the vocabulary.
//
// Samples of lidars and cameras are computed beside the loop. The loop waits for one only when the same sensor
// is due again, when the world pauses or a StepWorld ends, and before a reset removes the sensor.
package engine

import (
	"fmt"
	"math"
	"time"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensing"
)

// DefaultStepSize is the length of a step without another setting.
const DefaultStepSize = 4 * time.Millisecond

// AsFastAsPossible as Options.RealTime means never to wait.
const AsFastAsPossible = -1.0

// Options are the settings of a world before anything is loaded. The comment of each field says what its zero
// value means.
type Options struct {
	StepSize time.Duration // 0: what the world asks, else DefaultStepSize
	RealTime float64       // 0: what the world asks, else 1; AsFastAsPossible
	Seed     uint64        // of sensor noise
	Clock    func() int64  // ns, only to time the stages of a step for Stats; nil: they are not timed
	Rewind   time.Duration // of simulated time that Rewind can go back; 0: none is kept
	OnFault  sim.FaultPolicy
	Limits   sim.Limits         // of what commands may put in; zero: none
	Start    sim.RecordPosition // where it takes up the life of another
	Workers  *dynamics.Workers  // that compute a step too while they work; they show in no result; nil: none
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
	state    runState
	source   source // the origin of Reset
	physics  *dynamics.World
	entities entitySet
	poses    []scene.NamedPose
	gravity  r3.Vec
	clock    clock
	job      stepJob
	onFault  sim.FaultPolicy
	events   eventLog
	history  history

	// Cache.
	awake      int // bodies after the last step
	snapshots  snapshotBuilder
	sensing    sensing.Pipeline
	stageTimer stageTimer
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
	w := &World{options: o, state: runState{now: sim.NoWorld}, entities: entitySet{lastID: o.Start.ID},
		clock:   clock{stepSize: DefaultStepSize, realTimeFactor: 1, total: o.Start.Steps},
		onFault: o.OnFault, sensing: sensing.NewPipeline(), stageTimer: stageTimer{clock: o.Clock}}
	if err := w.empty(r3.Vec{}); err != nil {
		return nil, err
	}
	return w, nil
}

const (
	minStepSize       = scene.MinStepSize
	maxStepSize       = scene.MaxStepSize
	maxRealTimeFactor = 1e6
)

func checkStepSize(s float64) error {
	if !(s >= minStepSize && s <= maxStepSize) {
		return fmt.Errorf("%w: a step of %v s; %v to %v s is possible", sim.ErrFailed, s, minStepSize,
			maxStepSize)
	}
	return nil
}

// Apply carries out a command between two steps; l is the result of Load for it. A command that is refused
// changes nothing. StepWorld answers nil, nil when it begins: it goes on with every Step until Stepping is
// false, and Outcome is its answer.
func (w *World) Apply(c sim.Command, l Loaded) (sim.Reply, error) {
	if w.state.now == sim.Quitting {
		return nil, fmt.Errorf("%w: %s came too late", sim.ErrClosed, sim.Describe(c))
	}
	reply, err := w.apply(c, l)
	if err == nil {
		w.snapshots.motionStep++
		w.history.record(w, c, l)
	}
	return reply, err
}

// apply is the table of all commands.
func (w *World) apply(c sim.Command, l Loaded) (sim.Reply, error) {
	switch c := c.(type) {
	case sim.SetState:
		return done(w.setState(c.State))
	case sim.StepWorld:
		return w.job.begin(c.N, w.state.now, w.clock.time)
	case sim.CancelSteps:
		w.job.end(fmt.Errorf("%w: on request", sim.ErrCancelled))
		return sim.Done{}, nil
	case sim.Reset:
		return done(w.reset(c))
	case sim.SetPacing:
		return done(w.clock.setPace(c.RealTime))
	case sim.SetFaultPolicy:
		return done(w.setFaultPolicy(c.Policy))
	case sim.BeginLoad:
		return done(w.state.beginLoad())
	case sim.LoadWorld:
		return w.load(c, l)
	case sim.Restore:
		return done(w.restore(c, l))
	case sim.UnloadWorld:
		return done(w.unload())
	case sim.Rewind:
		return w.rewindTo(c)
	}
	if err := w.state.needWorld(c); err != nil {
		return nil, err
	}
	return w.applyInside(c, l)
}

// applyInside is the table of the commands that need a world.
func (w *World) applyInside(c sim.Command, l Loaded) (sim.Reply, error) {
	switch c := c.(type) {
	case sim.Spawn:
		return w.spawn(c, l)
	case sim.SpawnBatch:
		return w.spawnBatch(c, l)
	case sim.Delete:
		return done(w.delete(c))
	case sim.SetEntityState:
		return done(w.setEntityState(c))
	case sim.MoveEntities:
		return done(w.moveEntities(c.Moves))
	case sim.SetEntityInfo:
		return done(w.setEntityInfos([]sim.SetEntityInfo{c}))
	case sim.SetEntityInfos:
		return done(w.setEntityInfos(c.Infos))
	case sim.DriveEntity:
		return w.driven(w.entities.drive(c, w.clock.time))
	case sim.DriveCar:
		return w.driven(w.entities.driveCar(c, w.clock.time))
	case sim.SetActor:
		return done(w.entities.setActor(c))
	case sim.SetSignal:
		return done(w.entities.setSignal(c))
	case sim.Attach:
		return done(w.entities.attach(w.physics, c.Pairs))
	case sim.Detach:
		return done(w.entities.detach(w.physics, c.Pairs))
	case sim.SetBattery:
		return done(w.entities.setBattery(c))
	case sim.SetLamps:
		return done(w.entities.setLamps(c))
	case sim.SetJoint:
		return done(w.entities.setJoints(w.physics, sim.SetJoints{Name: c.Name,
			Targets: []sim.JointTarget{{Joint: c.Joint, Mode: c.Mode, Target: c.Target}}}, w.clock.time))
	case sim.SetJoints:
		return done(w.entities.setJoints(w.physics, c, w.clock.time))
	case sim.SetJointPositions:
		return done(w.entities.setJointPositions(w.physics, c, &w.clock))
	case sim.FollowTrajectory:
		return w.entities.followTrajectory(w.physics, c, w.clock.control())
	case sim.EndTrajectory:
		return done(w.entities.endTrajectory(w.physics, c))
	}
	return nil, fmt.Errorf("%w: %s does not act on a world", sim.ErrUnsupported, sim.Describe(c))
}

// done is the answer of a command that has nothing to say.
func done(err error) (sim.Reply, error) {
	if err != nil {
		return nil, err
	}
	return sim.Done{}, nil
}

// State is the state of the simulation.
func (w *World) State() sim.State { return w.state.now }

// Time is the simulated time since the last reset of time.
func (w *World) Time() time.Duration { return w.clock.time }

// StepSize is the length of a step.
func (w *World) StepSize() time.Duration { return w.clock.stepSize }

// Total counts the steps since the world was made; no reset takes it back.
func (w *World) Total() uint64 { return w.clock.total }

// onStructureChanged notes that entities or places came or went.
func (w *World) onStructureChanged() {
	w.snapshots.invalidate()
	w.entities.changed()
}

// report adds an event to the log.
func (w *World) report(level sim.Level, who, format string, args ...any) {
	text := shortened(fmt.Sprintf(format, args...), maxEventLength)
	w.events.add(sim.Event{Time: w.clock.time, Level: level, Who: who, Text: text})
	if level > sim.Info && w.history.age > 0 { // at the loading they are notes
		w.history.mark(sim.MarkWarn+sim.MarkKind(level-sim.Warn), text)
	}
}

// empty throws away everything that stands in the world.
func (w *World) empty(gravity r3.Vec) error {
	p, err := dynamics.New(dynamics.Config{Gravity: gravity, Clock: w.stageTimer.now,
		Workers: w.options.Workers, Contain: w.options.OnFault != sim.HaltOnFault})
	if err != nil {
		return fmt.Errorf("%w: %w", sim.ErrFailed, err)
	}
	w.physics, w.gravity, w.poses = p, gravity, nil
	around := &scene.WorldSpec{}
	if w.source.spec != nil {
		around = w.source.spec
	}
	w.entities.clear(medium.New(around, w.options.Seed))
	w.onStructureChanged()
	return nil
}

// seconds is s as a Duration, to the nanosecond.
func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }
