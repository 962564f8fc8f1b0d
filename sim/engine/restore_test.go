package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scenetest"
	"simdeck/sim/trajectory"
)

// written is a command as a recording keeps it.
func written(t *testing.T, c sim.Restore) sim.Restore {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back sim.Restore
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// takenUp is a new world that takes up another.
func takenUp(t *testing.T, w *World, lib *scenetest.Library) *World {
	t.Helper()
	c, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	o := w.options
	o.Start = w.position()
	n, err := NewWorld(o)
	if err != nil {
		t.Fatal(err)
	}
	c = written(t, c)
	if _, err := n.Apply(c, Load(lib, c)); err != nil {
		t.Fatal(err)
	}
	if err := n.Validate(); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestAWorldThatIsTakenUpGoesOnAsTheOther: after whatever was done to it, through everything that is done
// afterwards.
func TestAWorldThatIsTakenUpGoesOnAsTheOther(t *testing.T) {
	var log []sim.LogEntry
	e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing, RealTime: AsFastAsPossible,
		Seed:     3,
		Recorder: logger(func(l sim.LogEntry) { log = append(log, l) })})
	var crowd sync.WaitGroup
	for i := range uint64(4) {
		crowd.Go(func() { storm(sim.WithSender(t.Context(), fmt.Sprint("tester ", i)), e, i, 60) })
	}
	crowd.Wait()
	do(t, e, sim.SetState{State: sim.Quitting})
	<-e.ended
	w, err := NewWorld(Options{Seed: 3, Rewind: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	lib, took, steps := scenetest.NewLibrary(), 0, 0
	var other *World
	for i, l := range log {
		for w.Total() < l.Step {
			_ = w.Step()
			if other == nil {
				continue
			}
			if _ = other.Step(); other.Hash() != w.Hash() {
				t.Fatalf("step %d is another in the world that was taken up", w.Total())
			}
			steps++
		}
		read := Load(lib, l.Command)
		_, err := w.Apply(l.Command, read)
		if other != nil {
			if _, again := other.Apply(l.Command,
				Load(lib, l.Command)); fmt.Sprint(again) != fmt.Sprint(err) || other.Hash() != w.Hash() {
				t.Fatalf("%s: %v, in the world that was taken up %v", sim.Describe(l.Command), err, again)
			}
		}
		if i%7 == 6 && w.State() != sim.Quitting {
			other = takenUp(t, w, lib)
			took++
			if other.Hash() != w.Hash() || other.Total() != w.Total() {
				t.Fatalf("after %s it is %016x, and was %016x", sim.Describe(l.Command), other.Hash(),
					w.Hash())
			}
		}
	}
	if took < 20 || steps < 50 {
		t.Errorf("taken up %d times, %d steps compared", took, steps)
	}
}

func TestDrivesMotorsAndTrajectoriesGoOnWhereAWorldIsTakenUp(t *testing.T) {
	lib := scenetest.NewLibrary()
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "arm_2", Resource: sim.Resource{URI: "arm"},
		Pose: sim.FramedPose{Pose: at(3, 3, 0)}})
	joint := lib.ModelSpecs["arm"].Joints[1].Name
	apply(t, w, sim.FollowTrajectory{Name: "arm_2", Joints: []string{joint},
		Points: []trajectory.Point{{At: 200 * time.Millisecond, Positions: []float64{0.3}},
			{At: time.Second, Positions: []float64{-0.2}}}})
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.4, 0.3)})
	apply(t, w, sim.SetEntityState{Name: "crate", Accel: &r3.Twist{Linear: r3.V(0, 0, 30)}})
	apply(t, w, sim.SetState{State: sim.Playing})
	for range 20 {
		n := takenUp(t, w, lib)
		for k := range 10 {
			if err := errors.Join(w.Step(), n.Step()); err != nil {
				t.Fatal(err)
			}
			if w.Hash() != n.Hash() {
				t.Fatalf("at %v, step %d after it was taken up: another state", w.Time(), k+1)
			}
		}
		a, b := w.Snapshot(), n.Snapshot()
		if fmt.Sprintf("%+v", a.Odom) != fmt.Sprintf("%+v", b.Odom) {
			t.Fatalf("odometry %+v, in the world that was taken up %+v", a.Odom, b.Odom)
		}
	}
}

func TestAStateThatDoesNotFitChangesNothingAndSaysWhy(t *testing.T) {
	for name, spoil := range map[string]struct {
		do   func(*sim.Restore)
		want string
	}{
		"another version":      {func(c *sim.Restore) { c.Version++ }, "version 2"},
		"a world that is gone": {func(c *sim.Restore) { c.World.Resource.URI = "nowhere" }, "nowhere"},
		"one model less":       {func(c *sim.Restore) { c.IDs = c.IDs[1:] }, "models"},
		"a state that is none": {func(c *sim.Restore) { c.State = sim.Quitting }, "cannot be restored"},
		"a pace that is none":  {func(c *sim.Restore) { c.Pace = -3 }, "real-time factor"},
		"an entity twice": {func(c *sim.Restore) { c.Entities = append(c.Entities, c.Entities[0]) },
			"twice"},
		"an entity less": {func(c *sim.Restore) { c.Entities = c.Entities[1:] },
			"others than were reserved"},
		"a model that is gone": {func(c *sim.Restore) {
			c.Entities[0].Spawned,
				c.Entities[0].Resource.URI = true, "nothing"
		}, "nothing"},
		"a number that none has": {func(c *sim.Restore) { c.Entities[0].ID = 1 << 40 }, "no model number"},
		"a slot far away": {func(c *sim.Restore) { c.Entities[0].Placement.Bodies = []int32{1 << 30} },
			"slot 1073741824"},
		"a slot below": {func(c *sim.Restore) { c.Entities[0].Placement.Geoms = []int32{-1} },
			"slot -1"},
		"a slot twice": {func(c *sim.Restore) { c.Entities[1].Placement = c.Entities[0].Placement },
			"slot"},
		"a generation more":        {func(c *sim.Restore) { c.Slots.Bodies[0] += 2 }, "physics state"},
		"a thousand million slots": {func(c *sim.Restore) { c.Slots.Joints = make([]uint32, 1<<19) }, "idle"},
		"too many trees":           {func(c *sim.Restore) { c.Slots.Articulations = 1 << 30 }, "trees"},
		"a bit of physics":         {func(c *sim.Restore) { c.Physics[len(c.Physics)/2] ^= 1 }, "damaged"},
		"half of physics": {func(c *sim.Restore) { c.Physics = c.Physics[:len(c.Physics)/2] },
			"damaged"},
		"no physics": {func(c *sim.Restore) { c.Physics = nil }, "too short"},
		"numbers too many": {func(c *sim.Restore) {
			c.Entities[0].Words = append(c.Entities[0].Words,
				7)
		}, "numbers"},
		"another clock": {func(c *sim.Restore) { c.Time++ },
			"its files have changed, or the state is damaged"},
		"a joint that is none": {func(c *sim.Restore) {
			c.Entities[0].Trajectories = []sim.RestoredTrajectory{
				{Joints: []int{99}}}
		},
			"joint 99"},
		"a pose that is none": {func(c *sim.Restore) { c.Entities[0].Start.Pos.X = 1e300 }, "more than"},
	} {
		w, lib := yard(t, sim.Paused), scenetest.NewLibrary()
		apply(t, w, sim.StepWorld{N: 10})
		c, err := w.Restorable()
		if err != nil {
			t.Fatal(err)
		}
		c = written(t, c)
		spoil.do(&c)
		n, _ := NewWorld(Options{Seed: 3})
		_, err = n.Apply(c, Load(lib, c))
		if err == nil || !strings.Contains(err.Error(), spoil.want) || n.State() != sim.NoWorld ||
			len(n.Snapshot().Entities) > 0 {
			t.Errorf("%s: %v, and the world is %s; want %q and none", name, err, n.State(), spoil.want)
		}
		before := w.Hash()
		if _, err = w.Apply(c, Load(lib, c)); err == nil || w.Hash() != before || w.Validate() != nil {
			t.Errorf("%s: a world that stood there was %016x, and is %016x after %v (%v)", name, before,
				w.Hash(), err, w.Validate())
		}
	}
}
