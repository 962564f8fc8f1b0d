package cli

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

func TestSeveralWorldsHaveEachTheirOptions(t *testing.T) {
	for _, command := range []string{"", "run"} {
		l := run(t, append(strings.Fields(command), "a/lab.sdf", "b/lab.sdf", "arm.urdf.xacro", "side:=left",
			"--each-namespace", "--record", "tape", "--namespace", "/x", "--seed", "7"), nil)
		if l.err != nil || len(l.options.Each) != 3 {
			t.Fatalf("%q: %v, %d worlds", command, l.err, len(l.options.Each))
		}
		for i, want := range []struct{ world, tape string }{{"a/lab.sdf", "tape/lab"},
			{"b/lab.sdf", "tape/lab_2"}, {"arm.urdf.xacro?side=left", "tape/arm"}} {
			if o := l.options.Each[i]; o.World != want.world || o.Recording.Dir != want.tape || o.Seed != 7 ||
				o.ROS.Namespace != "/x" || o.Each != nil {
				t.Errorf("%q: world %d is %+v, want %+v", command, i, o, want)
			}
		}
	}
	if l := run(t, []string{"run"}, nil, "SIMDECK_EACH_NAMESPACE=true"); l.err != nil ||
		len(l.options.Each) != 1 || l.options.Each[0].World != "world://demo" {
		t.Errorf("by the environment: %v, %+v", l.err, l.options.Each)
	}
	if l := run(t, []string{"run", "a.sdf"}, nil); l.err != nil || l.options.Each != nil {
		t.Errorf("one world: %v, %+v", l.err, l.options.Each)
	}
}

func TestWhatSeveralWorldsCannotShareIsRefused(t *testing.T) {
	for args, says := range map[string]string{
		"run a.sdf b.sdf": `surplus argument "b.sdf": want one WORLD, or --each-namespace`,
		"a.sdf b.sdf":     `surplus argument "b.sdf": want one WORLD, or --each-namespace`,
		"run a.sdf b.sdf --each-namespace --trace d":       "trace is for one world alone",
		"run a.sdf b.sdf --each-namespace --metrics :9464": "metrics is for one world alone",
		"run a.sdf b.sdf --each-namespace --legacy o3de":   "legacy is for one world alone",
	} {
		if l := run(t, strings.Fields(args), nil); ExitCode(l.err) != 2 ||
			!strings.Contains(l.err.Error(), says) {
			t.Errorf("%s: %v, want %q", args, l.err, says)
		}
	}
}

func TestLabelsOfWorldsAreValidAndEachAnother(t *testing.T) {
	got := Labels([]string{"lab", "lab", "Lab v1.2 (new)", "", "3 rooms", "lab_2", "日本", "a__b"})
	if want := []string{"lab", "lab_2", "Lab_v1_2_new", "world", "world_3_rooms", "lab_2_2", "world_2",
		"a_b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for in, want := range map[[2]string]string{{"", "a"}: "/a", {"/", "a"}: "/a", {"lab", "a"}: "/lab/a",
		{"/lab/x", "a"}: "/lab/x/a"} {
		if got := Inside(in[0], in[1]); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

// running is a world that plays, without ROS.
func running(t *testing.T, duration time.Duration) *Running {
	t.Helper()
	e, err := engine.New(engine.Config{Library: library{}, World: scene.Resource{URI: "empty"},
		Start:    sim.Playing,
		RealTime: engine.AsFastAsPossible})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRecorder(disk{}, Options{}, "test")
	if err != nil {
		t.Fatal(err)
	}
	r.Engine = e
	return &Running{Engine: e, Recorder: r, Duration: duration, Log: slog.New(slog.DiscardHandler)}
}

func TestAWorldEndsAloneAndAllEndWithTheLastOrWithTheFront(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	network := func(ctx context.Context) error { <-ctx.Done(); return nil }
	wait := func(ctx context.Context) error { <-ctx.Done(); return nil }
	short, long := running(t, 10*time.Millisecond), running(t, 0)
	err := RunAll(t.Context(), []*Running{short, long}, network, func(ctx context.Context) error {
		end := time.Now().Add(20 * time.Second)
		for ; short.Engine.Snapshot().State != sim.Quitting; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the short one does not end")
			}
		}
		at := long.Engine.Snapshot().Time
		if _, err := long.Engine.Do(ctx, sim.SetState{State: sim.Paused}); err != nil ||
			long.Engine.Snapshot().Time < at {
			t.Errorf("the other one does not go on: %v", err)
		}
		return nil
	})
	if err != nil || long.Engine.Snapshot().State != sim.Quitting {
		t.Errorf("when the front has returned, the long one is %v, %v", long.Engine.Snapshot().State, err)
	}
	if err := RunAll(t.Context(), []*Running{running(t, 5*time.Millisecond), running(t, 10*time.Millisecond)},
		network, wait); err != nil {
		t.Errorf("both end by themselves: %v", err)
	}
	broken := errors.New("no network any more")
	if err := RunAll(t.Context(), []*Running{running(t, 10*time.Millisecond)},
		func(context.Context) error { return broken }, wait); err != nil {
		t.Errorf("without a network: %v, want the simulation to go on", err)
	}
}
