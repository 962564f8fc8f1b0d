package mirror

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"simdeck/ros/attach"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of a snapshot of another simulator, whatever that sends. All that is shown of one passes here first.
const (
	mostEntities = 100_000
	mostPlaces   = 1000
	mostPoints   = 4096 // of bounds
	mostTags     = 64
	longestName  = 1024 // bytes; what has a longer one is left out, as a part of it names something else
	longestText  = 4096 // bytes; more is cut off
	longestFault = 512
	longestTag   = 256
	furthest     = 1e9 // m, m/s, rad/s, either way
)

// admitEntities gives those that can be shown, the states of which have places or none, and how many are not
// as they were told.
func admitEntities(list []attach.Entity) (admitted []attach.Entity, odd int) {
	all := len(list)
	list = slices.DeleteFunc(list, func(e attach.Entity) bool { return len(e.Name) > longestName })
	list = list[:min(len(list), mostEntities)]
	odd = all - len(list)
	for i := range list {
		if s := list[i].State; s != nil && !admitState(s) {
			odd++
		}
	}
	return list, odd
}

// admitState makes a state one that can be shown; false when it was none.
func admitState(s *sim.EntityState) bool {
	whole := true
	for _, v := range []*r3.Vec{&s.Pose.Pos, &s.Twist.Linear, &s.Twist.Angular, &s.Accel.Linear,
		&s.Accel.Angular} {
		if !reachable(*v) {
			*v, whole = r3.V(math.NaN(), math.NaN(), math.NaN()), false
		}
	}
	// Some simulators leave a rotation at zero: that is none. A unit quaternion but for its last digits
	// stays.
	q := s.Pose.Rot
	if n := q.W*q.W + q.X*q.X + q.Y*q.Y + q.Z*q.Z; !(math.Abs(n-1) <= 1e-3) {
		s.Pose.Rot, _ = q.Unit()
	}
	return whole
}

// reachable reports that a vector has a place on a map.
func reachable(v r3.Vec) bool {
	return v.IsFinite() && v.MaxAbs() <= furthest
}

// oddities says what of a simulator's answers is not shown as it was told.
func oddities(n int) string {
	return fmt.Sprintf("%d entities are not shown as told: want at most %d, with names of at most %d bytes, and numbers within ±%.0e",
		n, mostEntities, longestName, furthest)
}

// admitPlaces gives the named poses that can be shown.
func admitPlaces(list []scene.NamedPose) []scene.NamedPose {
	list = slices.DeleteFunc(list, func(p scene.NamedPose) bool {
		return len(p.Name) > longestName || !reachable(p.Pose.Pos) || !p.Pose.IsFinite()
	})
	list = list[:min(len(list), mostPlaces)]
	for i := range list {
		list[i].Description, list[i].Tags = cut(list[i].Description, longestText), admitTags(list[i].Tags)
	}
	return list
}

// admitBounds gives bounds, or none where they cannot be shown.
func admitBounds(b scene.Bounds) scene.Bounds {
	known := b.Kind == scene.BoxBounds || b.Kind == scene.HullBounds || b.Kind == scene.SphereBounds
	if !known || len(b.Points) > mostPoints ||
		slices.ContainsFunc(b.Points, func(p r3.Vec) bool { return !reachable(p) }) {
		return scene.Bounds{}
	}
	return b
}

func admitWorld(w scene.WorldInfo) scene.WorldInfo {
	w.Name, w.URI, w.Description = cut(w.Name, longestName), cut(w.URI, longestText),
		cut(w.Description, longestText)
	w.Tags = admitTags(w.Tags)
	return w
}

func admitInfo(i scene.Info) scene.Info {
	i.Description, i.Tags = cut(i.Description, longestText), admitTags(i.Tags)
	return i
}

func admitTags(tags []string) []string {
	tags = tags[:min(len(tags), mostTags)]
	for i := range tags {
		tags[i] = cut(tags[i], longestTag)
	}
	return tags
}

// cut is the beginning of a text, of whole characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
