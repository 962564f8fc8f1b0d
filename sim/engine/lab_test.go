package engine_test

import (
	"io/fs"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// idleRobots are those of the lab that wait to be driven. Their sensors cost most of a step.
var idleRobots = regexp.MustCompile(`(?s)<include>\s*<uri>model://(rover|scout)</uri>.*?</include>`)

// TestTheLabKeepsGoing plays the first world that people see for ten minutes: the porter goes its rounds, the
// person walks, parcels go round without touching each other, and nothing else moves.
func TestTheLabKeepsGoing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	data, err := fs.ReadFile(worlds.FS(), "lab/world.sdf")
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: idleRobots.ReplaceAllString(string(data), "")}})
	do(t, w, sim.SetState{State: sim.Playing})
	seconds(t, w, 1)
	before, rounds := w.Snapshot(), 0
	for last := before; last.Time.Minutes() < 10; {
		seconds(t, w, 2)
		now := w.Snapshot()
		var parcels []int
		for i := range now.Model.Entities {
			e, s := &now.Model.Entities[i], &now.Entities[i]
			moved := s.Pose.Pos.Dist(last.Entities[i].Pose.Pos)
			switch name := e.Name; {
			case s.Fault != nil || s.Pose.Pos.Z < -0.01:
				t.Fatalf("%v: %s is at %v, contained: %v", now.Time, name, s.Pose.Pos, s.Fault)
			case strings.HasPrefix(name, "parcel_"):
				parcels = append(parcels, i)
				if moved < 0.3 || math.Abs(s.Pose.Pos.Z-0.4) > 0.01 {
					t.Fatalf("%v: %s at %v moved by %.3f m in 2 s", now.Time, name, s.Pose.Pos, moved)
				}
			case name == "porter":
				if moved < 0.1 || s.Patrol.Yielded {
					t.Fatalf("%v: the porter at %v moved by %.3f m in 2 s, %+v", now.Time, s.Pose.Pos, moved, s.Patrol)
				}
				if s.Patrol.Point < last.Entities[i].Patrol.Point {
					rounds++
				}
			case name != "person" && before.Entities[i].Pose.Pos.Dist(s.Pose.Pos) > 1e-3:
				t.Fatalf("%v: %s has moved to %v", now.Time, name, s.Pose.Pos)
			}
			for _, k := range parcels[:max(0, len(parcels)-1)] {
				if strings.HasPrefix(e.Name, "parcel_") && s.Pose.Pos.Dist(now.Entities[k].Pose.Pos) < 0.5 {
					t.Fatalf("%v: %s and %s are close together", now.Time, e.Name, now.Model.Entities[k].Name)
				}
			}
		}
		if len(parcels) != 5 {
			t.Fatalf("%d parcels", len(parcels))
		}
		last = now
	}
	if rounds < 18 {
		t.Errorf("the porter went %d rounds in ten minutes", rounds)
	}
	person, ok := before.Find("person")
	if !ok || !slices.ContainsFunc([]float64{1, 3, 5}, func(after float64) bool {
		at := w.Snapshot().Entities[person].Pose.Pos
		seconds(t, w, after)
		return w.Snapshot().Entities[person].Pose.Pos.Dist(at) > 0.5
	}) {
		t.Error("the person does not walk")
	}
}
