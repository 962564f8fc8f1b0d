package sim

import (
	"fmt"
	"math"
	"time"
)

// TrackStatus says how a trajectory goes.
type TrackStatus uint8

// Track statuses.
const (
	TrackFollowing  TrackStatus = iota
	TrackReached                // it is at its goal
	TrackPathMissed             // a joint was too far from its path
	TrackGoalMissed             // a joint was too far from its goal for too long
	TrackCancelled              // on request
	TrackReplaced               // something else took its joints
)

// String is the status in words.
func (s TrackStatus) String() string {
	if int(s) < len(trackStatuses) {
		return trackStatuses[s]
	}
	return "unknown"
}

var trackStatuses = [...]string{"following", "reached", "path missed", "goal missed", "cancelled", "replaced"}

// Track is a trajectory that joints follow, or followed lately.
type Track struct {
	ID       uint64
	Entity   int           // index into Model.Entities
	Joints   []int         // indices into its Spec.Joints; shared
	Elapsed  time.Duration // since it began; less than 0: until it does
	Status   TrackStatus
	Why      string    // why it ended
	Position []float64 // where the joints should be; empty before it begins
	Velocity []float64
}

// stillness is how slow a joint must be at a goal that has a tolerance, as in
// ros2_control (stopped_velocity_tolerance), rad/s or m/s.
const stillness = 0.01

// judge looks after a step how an entity's trajectories go.
func (w *World) judge(e *entity) {
	for i := range e.tracks {
		if t := &e.tracks[i]; t.status == TrackFollowing && t.path != nil {
			w.judgeTrack(e, t)
		}
	}
}

func (w *World) judgeTrack(e *entity, t *track) {
	over := t.elapsed - t.path.Length()
	if over < 0 {
		if why := w.missed(e, t, t.within, 0); why != "" {
			w.give(e, t, TrackPathMissed, why)
		}
		return
	}
	why := w.missed(e, t, t.goal, stillness)
	switch {
	case why == "":
		t.end(TrackReached, "")
	case t.goalWithin > 0 && over > t.goalWithin:
		w.give(e, t, TrackGoalMissed, why)
	}
}

// give gives a trajectory up: its joints hold where they are.
func (w *World) give(e *entity, t *track, s TrackStatus, why string) {
	for _, j := range t.joints {
		w.keepAt(e, j, w.physics.JointState(e.joints[j]).Position)
	}
	t.end(s, why)
	w.report(Warn, e.name, "trajectory %d: %s: %s", t.id, s, why)
}

// missed says which joint is out of its tolerance; empty: none. Where no
// velocity is given a joint must be as slow as still says, if that is not 0.
func (w *World) missed(e *entity, t *track, within []JointTolerance, still float64) string {
	for k, tol := range within {
		j := t.joints[k]
		q, v := t.path.At(t.elapsed, k)
		s := w.physics.JointState(e.joints[j])
		if tol.Velocity == 0 && tol.Position > 0 {
			tol.Velocity = still
		}
		if off := math.Abs(s.Position - q); tol.Position > 0 && off > tol.Position {
			return fmt.Sprintf("joint %q is at %.4g, %.3g from %.4g; %g is allowed", e.plan.spec.Joints[j].Name, s.Position, off, q, tol.Position)
		}
		if off := math.Abs(s.Velocity - v); tol.Velocity > 0 && off > tol.Velocity {
			return fmt.Sprintf("joint %q moves with %.4g and not %.4g; %g is allowed", e.plan.spec.Joints[j].Name, s.Velocity, v, tol.Velocity)
		}
	}
	return ""
}

// showTracks copies how the trajectories go.
func (w *World) showTracks(s *Snapshot) {
	for i, e := range w.entities {
		for k := range e.tracks {
			t := &e.tracks[k]
			shown := Track{ID: t.id, Entity: i, Joints: t.joints, Elapsed: t.elapsed, Status: t.status, Why: t.why}
			if t.path != nil {
				for n := range t.joints {
					q, v := t.path.At(t.elapsed, n)
					shown.Position, shown.Velocity = append(shown.Position, q), append(shown.Velocity, v)
				}
			}
			s.Tracks = append(s.Tracks, shown)
		}
	}
}
