package bundle

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// busy is the site with traffic.
func busy() parts {
	p := site()
	p["world.yaml"] += "actors: {trajectories: actors.json}\ntraffic: {lanes: lanes.json, signals: signals.json}\n"
	p["lanes.json"] = `{"version": "1.0.0", "lanes": [{"id": "main", "points": [[0, 3], [18, 3]]}]}`
	p["actors.json"] = `{"actors": [{"id": "car", "lane": "main", "start": 4},
		{"id": "walker", "type": "pedestrian", "trajectory": [{"time": 0, "position": [4, 3]}]}]}`
	p["signals.json"] = `{"signals": [{"id": "light", "position": [9, 5, 12], "yaw": 1.5, "stops": {"main": 8},
		"phases": [{"state": "red", "duration": 5}, {"state": "green", "duration": 5}]}]}`
	return p
}

func TestActorsAndSignalsOfABundleStandOnItsGround(t *testing.T) {
	w, err := load(busy())
	if err != nil {
		t.Fatal(err)
	}
	find := func(name string) scene.Placed {
		i := slices.IndexFunc(w.Models, func(p scene.Placed) bool { return p.Name == name })
		if i < 0 {
			t.Fatalf("no %q among %d models", name, len(w.Models))
		}
		return w.Models[i]
	}
	// the ground rises by one in five along x, from (-1, -2, 10)
	car, walker, light := find("car"), find("walker"), find("light")
	if a := car.Model.Actor; a.Lane != w.Site.Lanes[0] || a.Lane.Name != "main" {
		t.Errorf("the car is on %+v, the site has %+v", a.Lane, w.Site.Lanes)
	}
	if p := car.Pose; math.Abs(p.Pos.Z-10-(p.Pos.X+1)/5) > 1e-6 || math.Abs(p.Rot.Rotate(r3.V(1, 0, 0)).Z-
		1/math.Sqrt(26)) > 1e-6 {
		t.Errorf("the car begins at %v", p)
	}
	if p := walker.Pose.Pos; math.Abs(p.Z-11) > 1e-6 || walker.Model.Info.Category != scene.Human {
		t.Errorf("the walker is at %v, %v", p, walker.Model.Info)
	}
	if light.Pose.Pos != r3.V(9, 5, 12) || !light.Static || light.Model.Signal.Stops[0].At != 8 {
		t.Errorf("the signal is %+v", light)
	}
	if len(w.Notes) != 1 { // that of the site itself
		t.Errorf("notes: %v", w.Notes)
	}
}

func TestWhatIsWrongInTheTrafficOfABundleIsSaid(t *testing.T) {
	for _, c := range []struct{ file, from, to, says string }{
		{"actors.json", `"main"`, `"mian"`, `actors.json:1:35: there is no lane "mian"; did you mean "main"?`},
		{"actors.json", `"car"`, `"ground"`, `traffic has a "ground", as the bundle has`},
		{"actors.json", `"car"`, `"ego"`, `traffic has a "ego", as the bundle has`},
		{"actors.json", `"car"`, `"light"`, `traffic has a "light", as the bundle has`},
		{"signals.json", `"red"`, `"blue"`, `signals.json:2:14: state is "blue"`},
		{"lanes.json", `[[0, 3], [18, 3]]`, `[[0, 3]]`, "points is no list of 2"},
	} {
		p := busy()
		p[c.file] = strings.Replace(p[c.file], c.from, c.to, 1)
		if _, err := load(p); !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s with %s: %v, want %q", c.file, c.to, err, c.says)
		}
	}
	p := busy()
	delete(p, "lanes.json")
	if _, err := load(p); !errors.Is(err, scene.ErrMissingAssets) || !strings.Contains(err.Error(),
		"traffic.lanes") {
		t.Errorf("without the file of lanes: %v", err)
	}
	p = busy()
	p["world.yaml"] = strings.Replace(p["world.yaml"], "traffic: {", "traffic: {signs: s.json, ", 1)
	p["lanes.json"] = strings.Replace(p["lanes.json"], "{", `{"roads": 1, `, 1)
	w, err := load(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"signs" is not known`, `"roads" is not known`} {
		if !slices.ContainsFunc(w.Notes, func(n scene.Note) bool { return strings.Contains(n.Text, want) }) {
			t.Errorf("no note says %q: %v", want, w.Notes)
		}
	}
}
