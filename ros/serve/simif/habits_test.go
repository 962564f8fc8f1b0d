package simif

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// withHabits runs a test with services that have habits.
func withHabits(t *testing.T, h Habits, f func(y *yard)) {
	t.Helper()
	rostest.On(t, rostest.Play{Files: files, World: scene.Resource{URI: "world://@cache@/yard"},
		Start: sim.Paused}, func(s *rostest.Stage) error {
		_, err := New(Config{Node: s.Server, Backend: s.Engine, Formats: s.Engine.Formats(), Habits: h})
		return err
	}, func(s *rostest.Stage) { f(&yard{s, nil}) })
}

// habitTests hold each habit by its name: what is asked is answered otherwise with the habit than without it.
func habitTests() map[string]func(y *yard) bool {
	at := func(frame string) simif2.SetEntityStateRequest {
		q := simif2.NewSetEntityStateRequest()
		q.Entity, q.SetPose = "crate_a", true
		q.State.Header = stdmsgs.Header{FrameID: frame}
		q.State.Pose.Position = geometrymsgs.Point{X: 3, Z: 1}
		return *q
	}
	return map[string]func(y *yard) bool{
		"same-state-ok": func(y *yard) bool { return y.become(sim.Paused).Result == ok },
		"delete-world": func(y *yard) bool {
			gone := y.remove("crate_a").Result == ok
			return gone && !slices.Contains(y.entities(simif2.EntityFilters{}).Entities, "crate_a")
		},
		"whole-names": func(y *yard) bool {
			return len(y.entities(simif2.EntityFilters{Filter: "crate"}).Entities) == 0 &&
				len(y.entities(simif2.EntityFilters{Filter: "crate|crate_.*"}).Entities) == 2
		},
		"slash-names": func(y *yard) bool {
			r := y.spawn(crateAt("/rover", 0, 0, 2))
			return r.Result.Result == ok && r.EntityName == "rover" &&
				y.state("/rover").Result.Result == ok && y.state("/World/rover").Result.Result == ok &&
				y.setState(at("/rover")).Result == ok && y.remove("/World/rover").Result == ok
		},
		"world-frame": func(y *yard) bool {
			return y.setState(at("World")).Result == ok && y.setState(at("/World")).Result == ok
		},
		"empty-entities": func(y *yard) bool {
			q := crateAt("marker", 1, 2, 3)
			q.EntityResource = simif2.Resource{}
			r := y.spawn(q)
			return r.Result.Result == ok &&
				y.state("marker").State.Pose.Position == geometrymsgs.Point{X: 1, Y: 2, Z: 3}
		},
		"reset-plays": func(y *yard) bool { return y.reset(0).Result == ok && y.now() == sim.Playing },
		"step-state": func(y *yard) bool {
			y.become(sim.Playing)
			return y.step(1).Result == incorrectState
		},
	}
}

func TestEveryHabitChangesWhatItSaysAndNothingElseDoes(t *testing.T) {
	tests := habitTests()
	for _, h := range AllHabits() {
		test := tests[h.Name]
		if test == nil || h.Means == "" || len(h.Of) == 0 {
			t.Errorf("%s: want a test, a meaning and simulators that have it", h.Name)
			continue
		}
		delete(tests, h.Name)
		all := Habits(0)
		for _, one := range AllHabits() {
			all |= one.Habits
		}
		for _, c := range []struct {
			habits Habits
			want   bool
		}{{0, false}, {h.Habits, true}, {all &^ h.Habits, false}} {
			withHabits(t, c.habits, func(y *yard) {
				if got := test(y); got != c.want {
					t.Errorf("%s with %v: %v, want %v", h.Name, c.habits.names(), got, c.want)
				}
			})
		}
	}
	for name := range tests {
		t.Errorf("%s is tested and is no habit", name)
	}
}

func TestHabitsAreNamedByThemselvesAndBySimulators(t *testing.T) {
	for words, want := range map[string][]string{
		"": {}, "standard": {}, "gazebo": {"same-state-ok", "delete-world", "whole-names"},
		"isaac": {"same-state-ok", "delete-world", "slash-names", "world-frame", "empty-entities",
			"reset-plays", "step-state"},
		"step-state standard whole-names": {"whole-names", "step-state"},
	} {
		h, err := ParseHabits(strings.Fields(words))
		if err != nil || !slices.Equal(h.names(), want) {
			t.Errorf("%q: %q, %v; want %q", words, h.names(), err, want)
		}
	}
	_, err := ParseHabits([]string{"gazebo", "webots"})
	if !errors.Is(err, ErrHabit) || !strings.Contains(err.Error(), `"webots"`) ||
		!strings.Contains(err.Error(), "isaac") {
		t.Errorf("%v: want the word and those that there are", err)
	}
}

func TestServicesStandInTheNamespaceThatIsAskedFor(t *testing.T) {
	rostest.On(t, rostest.Play{Files: files, World: scene.Resource{URI: "world://@cache@/yard"},
		Start: sim.Paused}, func(s *rostest.Stage) error {
		_, err := New(Config{Node: s.Server, Backend: s.Engine, Prefix: "/gz_server"})
		return err
	}, func(s *rostest.Stage) {
		r := rostest.Ask(s, "/gz_server/get_entities", simif2.GetEntitiesService(), &simif2.GetEntitiesRequest{})
		if r.Result.Result != ok || len(r.Entities) != 4 {
			t.Errorf("%+v, want the four entities", r)
		}
		for _, one := range s.Client.Servers() {
			if !strings.HasPrefix(one.Name, "/gz_server/") && strings.HasPrefix(one.Type, "simulation_interfaces/") {
				t.Errorf("%s is outside the namespace", one.Name)
			}
		}
	})
}
