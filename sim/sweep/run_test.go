package sweep

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scenario"
	"simdeck/sim/scene"
)

// slope is a crate on a ramp of 0.3 rad, down towards x, which it slides on where friction is below tan 0.3 =
// 0.31.
const slope = `<sdf version="1.9"><world name="slope">
  <model name="ramp"><static>true</static><pose>0 0 0 0 0.3 0</pose>
    <link name="l"><collision name="c"><geometry><box><size>40 10 0.2</size></box></geometry></collision></link></model>
  <model name="crate"><pose>0 0 0.37 0 0.3 0</pose>
    <link name="l"><inertial><mass>2</mass></inertial><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>
</world></sdf>`

// runOnce does one run of a sweep on the slope.
func runOnce(t *testing.T, text string, index int, play string) Result {
	t.Helper()
	s, err := Parse("s.yaml", []byte("world: slope.sdf\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here",
		FS: fstest.MapFS{"slope.sdf": {Data: []byte(slope)}}}}})
	run := RunContext{Sweep: s, Run: &s.Runs[index], Library: lib,
		World: scene.Resource{URI: s.Runs[index].World}}
	if play != "" {
		if run.Scenario, err = scenario.ParseWith("play.yaml", []byte(play),
			s.Runs[index].Vars()); err != nil {
			t.Fatal(err)
		}
	}
	return run.Execute(t.Context())
}

func TestFrictionGravityAndPlaceAreWhatTheRunSays(t *testing.T) {
	text := `duration: 2s
report: crate
matrix:
  friction.ramp: [0.05, 0.9]
  friction.crate: [0.05, 0.9]
  gravity: [-9.8, -1.62]
`
	var went []float64
	for i := range 8 {
		r := runOnce(t, text, i, "")
		if r.Outcome != Passed || r.Time != 2 || r.Steps != 500 || len(r.Hash) != 16 ||
			len(r.State["crate"]) != len(StateColumns()) {
			t.Fatalf("run %d: %+v", i, r)
		}
		went = append(went, r.State["crate"][0])
	}
	if !(went[0] > 2 && went[1] > 0.3 && went[1] < went[0]/3 && went[6] < 0.1 && went[7] < 0.1) {
		t.Errorf("the crate went %.2f m: it slides far without friction, less so on the moon, and stays with it",
			went)
	}
	at := runOnce(t, "duration: 4ms\nreport: crate\npose.crate: [-1, 2, 5, 1.5]\n", 0, "").State["crate"]
	if fmt.Sprintf("%.1f", at[:4]) != "[-1.0 2.0 5.0 1.5]" {
		t.Errorf("the crate stands at %.2f", at)
	}
}

func TestJitterIsDrawnFromTheSeedWithinItsBounds(t *testing.T) {
	text := "duration: 4ms\nreport: crate\nmatrix:\n  seed: 1..40\n  pose.crate: [0, 0, 5, 0]\n  jitter.crate: [0.5, 0.1, 0, 0.2]\n"
	seen := map[float64]bool{}
	var least, most [4]float64
	for i := range 40 {
		at := runOnce(t, text, i, "").State["crate"]
		seen[at[0]] = true
		for k := range least {
			least[k], most[k] = min(least[k], at[k]), max(most[k], at[k])
		}
	}
	bounds := [4]float64{0.5, 0.1, 5, 0.2}
	for k, b := range bounds {
		if k != 2 && (least[k] < -b || most[k] > b || least[k] > -b/2 || most[k] < b/2) {
			t.Errorf("number %d is %g to %g, within ±%g and over most of it is right", k, least[k], most[k],
				b)
		}
	}
	if again := runOnce(t, text, 7, "").State["crate"]; len(seen) != 40 || !seen[again[0]] || most[2] > 5 ||
		most[2] < 4.99 {
		t.Errorf("%d different places of 40, z to %g", len(seen), most[2])
	}
}

func TestTheSameRunComesToTheSame(t *testing.T) {
	text := "duration: 1s\nreport: crate\nmatrix: {seed: [1, 2], friction.ramp: [0.1]}\n"
	if a, b := runOnce(t, text, 0, ""), runOnce(t, text, 0, ""); !reflect.DeepEqual(a, b) || a.Hash == "" {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestARunPassesOrFailsByItsConditions(t *testing.T) {
	const slide = "friction.ramp: 0.02\nduration: 3s\n"
	const down = "pass: {region: {entity: crate, min: [1, -5], max: [50, 5]}}\n"
	wait := "phases: [{name: wait, when: {time: 1}}]"
	for _, c := range []struct {
		what, text, play string
		want             Outcome
		before, after    time.Duration
		says             string
	}{
		{"it slides down", slide + down, "", Passed, 2 * time.Second, 0, ""},
		{"it does not", "friction.ramp: 0.9\nduration: 1s\n" + down, "", Failed, 1001 * time.Millisecond,
			time.Second, "not all of pass held within 1s"},
		{"it slides too far", slide + "fail: [{time: 9}, {distance: {entity: crate, to: ramp, above: 0.5}}]\n",
			"", Failed, 2 * time.Second, 0, "crate is more than 0.5 m from ramp"},
		{"the scenario ends", slide, wait, Passed, 1100 * time.Millisecond, time.Second, ""},
		{"the scenario ends, and what must hold does later",
			"friction.ramp: 0.02\nduration: 3s\npass: {region: {entity: crate, min: [4, -5], max: [50, 5]}}\n",
			wait, Passed, 3 * time.Second, 1100 * time.Millisecond, ""},
		{"the scenario does not end", slide, "phases: [{name: never, when: {time: 99}}]", Failed,
			3001 * time.Millisecond, 3 * time.Second, "the scenario had not ended after 3s"},
		{"an action fails", slide, "phases: [{name: go, do: [{set_pose: {entity: nobody, position: [0, 0]}}]}]",
			Failed, time.Second, 0, "nobody"},
		{"an entity is misspelt", slide + "fail: {distance: {entity: crete, to: ramp, above: 0.5}}\n", "",
			Invalid, 0, 0, `world "slope" has no "crete"; did you mean "crate"?`},
		{"so is one that is moved", slide + "pose.kraten: [0, 0]\n", "", Invalid, 0, 0,
			`pose.kraten: not found: world "slope" has no "kraten"; did you mean "crate"?`},
		{"a world is not there", slide + "matrix: {include: [{world: nowhere.sdf}]}\n", "", Invalid, 0, 0,
			"nowhere.sdf"},
	} {
		r := runOnce(t, c.text, 0, c.play)
		at := time.Duration(r.Time * 1e9)
		if r.Outcome != c.want || !strings.Contains(r.Reason, c.says) || at > c.before || at < c.after {
			t.Errorf("%s: %+v, want %s between %v and %v with %q", c.what, r, c.want, c.after, c.before,
				c.says)
		}
	}
}

func TestARunThatIsEndedFromOutsideSaysSo(t *testing.T) {
	s, err := Parse("s.yaml", []byte("world: slope.sdf\nduration: 1000h\n"))
	if err != nil {
		t.Fatal(err)
	}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "here",
		FS: fstest.MapFS{"slope.sdf": {Data: []byte(slope)}}}}})
	ctx, stop := context.WithCancel(t.Context())
	r := RunContext{Sweep: s, Run: &s.Runs[0], Library: lib, World: scene.Resource{URI: "slope.sdf"},
		OnProgress: func(at time.Duration) {
			if at > time.Second {
				stop()
			}
		}}.Execute(ctx)
	if r.Outcome != Fault || !strings.Contains(r.Reason, context.Canceled.Error()) || r.Time < 1 {
		t.Errorf("%+v", r)
	}
}
