package dynamics

import "fmt"

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
