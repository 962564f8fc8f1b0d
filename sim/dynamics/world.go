// Package dynamics moves rigid bodies: contacts with friction, joints with motors, sleep, and the
// questions that sensors and tools ask of the bodies (rays, overlaps, contacts).
//
// A World is a state machine of plain arrays, indexed by slots with generations and split by who
// reads them: moving state, constants, bookkeeping. Step is the pipeline broad phase → narrow phase →
// soft-step solver → finish → sleep. Every order is fixed by slots, never by history, maps or
// goroutines, so the same calls give the same bits on every machine; nothing is allocated once the
// arrays have grown to the world's size.
//
// Trees of joints (arms, legs) may be given reduced coordinates by Articulate: see package articulation.
//
// The solver is the "soft step" of Catto (box2d v3, "Solver2D", 2024): small substeps, each with one
// pass of soft constraints, integration, and one relaxing pass that takes the push velocity out again.
//
// Units are SI, frames right-handed, everything in the world frame unless said. A World is not safe
// for concurrent use; it has no clock, no goroutine and no randomness of its own. Goroutines of Workers
// may compute a part of each step; the bits are the same without them, and with any number.
package dynamics

import (
	"errors"
	"fmt"
	"math"

	"simdeck/sim/r3"
)

var (
	// ErrGone is wrapped when an id names nothing, or something that has been removed.
	ErrGone = errors.New("no such thing in the physics world")
	// ErrInvalid is wrapped when a value cannot be: the message says which, its value and what would do.
	ErrInvalid = errors.New("invalid value")
)

// Config is how a world behaves; the zero value is a world without gravity and with defaults.
type Config struct {
	Gravity  r3.Vec // m/s²
	Substeps int    // per Step, at most 64; 0: chosen from the step
	// stiffness of contacts as a frequency; 0: 240 Hz; never above 0.15 of the substeps'
	ContactHertz  float64
	RecoverySpeed float64      // m/s, the fastest that an overlap is pushed apart; 0: 1 m/s
	NoSleep       bool         // bodies at rest are computed on
	SleepSpeed    float64      // m/s of any point of a body, below which it may fall asleep; 0: 0.01
	SleepTime     float64      // s that it must stay so slow; 0: 0.5
	Mix           Mix          // how two frictions make one
	Clock         func() int64 // ns; only for the stage times in Stats; nil: none
	// bodies that leave the finite numbers are taken out, and Step goes on: see Faults
	Contain bool
	Workers *Workers // computes steps too while it works; nil: nobody else does
}

// World is all bodies, geoms, joints and contacts. Make it with New.
type World struct {
	cfg   Config
	tuner parallelTuner // whether workers are worth their while here
	time  stepTime

	bodies            bodySet
	geoms             geomSet
	joints            jointSet
	articulations     articulationList // in reduced coordinates
	nextArticulations []int32          // where the next of them go, see PlaceNext
	contacts          contactSet

	active      activeSet
	containment containment

	solver  solver
	islands islandBuilder
	stats   Stats
	scratch []workerScratch // one for each worker
}

// stepTime is how far a world has gone, and in which steps.
type stepTime struct {
	dt    float64 // s, of the last step
	h     float64 // s, of its substeps
	steps uint64  // taken
}

// New makes an empty world; an ErrInvalid names what is wrong with the configuration.
func New(c Config) (*World, error) {
	if !c.Gravity.IsFinite() {
		return nil, fmt.Errorf("%w: gravity %v m/s² is not finite", ErrInvalid, c.Gravity)
	}
	if c.Substeps < 0 || c.Substeps > 64 {
		return nil, fmt.Errorf("%w: %d substeps, must be 0 (automatic) to 64", ErrInvalid, c.Substeps)
	}
	for _, f := range []struct {
		name  string
		value *float64
		def   float64
	}{
		{"contact hertz", &c.ContactHertz, 240},
		{"recovery speed", &c.RecoverySpeed, 1},
		{"sleep speed", &c.SleepSpeed, 0.01},
		{"sleep time", &c.SleepTime, 0.5},
	} {
		if !(*f.value >= 0) || math.IsInf(*f.value, 1) {
			return nil, fmt.Errorf("%w: %s %v, must be finite and not negative", ErrInvalid, f.name, *f.value)
		}
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	if c.Mix > MixMultiply {
		return nil, fmt.Errorf("%w: friction mix %d is unknown", ErrInvalid, c.Mix)
	}
	w := &World{cfg: c}
	w.solver.useSIMD = hasAVX2()
	w.solver.setInspect()
	w.geoms.tree.Clear()
	w.scratch = make([]workerScratch, 1)
	return w, nil
}

// Gravity is the acceleration that acts on every body, m/s².
func (w *World) Gravity() r3.Vec { return w.cfg.Gravity }

// SetGravity changes it and wakes every body.
func (w *World) SetGravity(g r3.Vec) error {
	if !g.IsFinite() {
		return fmt.Errorf("%w: gravity %v m/s² is not finite", ErrInvalid, g)
	}
	w.cfg.Gravity = g
	for i := range w.bodies.all {
		w.active.wake(&w.bodies, int32(i))
	}
	return nil
}

// Steps is how often Step has moved the world.
func (w *World) Steps() uint64 { return w.time.steps }

// Stage is a part of Step.
type Stage int

// The stages, in the order in which Step goes through them.
const (
	StageBroad Stage = iota
	StageNarrow
	StagePrepare
	StageSolve
	StageFinish
	StageSleep
	StageCount
)

// String is a short name for tables.
func (s Stage) String() string {
	names := [StageCount]string{"broad", "narrow", "prepare", "solve", "finish", "sleep"}
	if s < 0 || s >= StageCount {
		return fmt.Sprintf("stage %d", int(s))
	}
	return names[s]
}

// Stats are the figures of the last step.
type Stats struct {
	Bodies    int
	Awake     int
	Geoms     int
	Joints    int
	Pairs     int // of geoms whose fat boxes overlap
	Touching  int // contacts that were solved
	Manifolds int
	Points    int
	Islands   int // awake ones, counted only in steps in which something may fall asleep
	Substeps  int
	Swept     int // fast bodies that were followed on their way
	Stopped   int // those of them that met something on it

	// TrianglesLeft are those near a geom that were not looked at because 512 others of the mesh were near it
	// too: the mesh is too fine for the geom, its contact may miss some.
	TrianglesLeft int
	Stage         [StageCount]int64 // ns; zero without Config.Clock
}

// Stats returns the figures of the last step.
func (w *World) Stats() Stats {
	s := w.stats
	s.Bodies, s.Geoms, s.Joints = w.bodies.ids.live, w.geoms.ids.live, w.joints.ids.live
	s.Pairs = len(w.contacts.pairs.sorted)
	s.Awake = 0
	for i := range w.bodies.all {
		if w.bodies.ids.inUse(int32(i)) && w.bodies.isAwake(int32(i)) {
			s.Awake++
		}
	}
	s.Manifolds, s.Points = len(w.solver.coloring.constraints), w.solver.coloring.pointCount()
	return s
}

// lap times the stages of one step with the injected clock.
type lap struct {
	w    *World
	last int64
}

func startLap(w *World) lap {
	l := lap{w: w}
	if w.cfg.Clock != nil {
		l.last = w.cfg.Clock()
	}
	return l
}

func (l *lap) end(s Stage) {
	if c := l.w.cfg.Clock; c != nil {
		now := c()
		l.w.stats.Stage[s] = now - l.last
		l.last = now
	}
}
