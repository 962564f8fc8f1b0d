package traffic

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

const whole = `version: "1.0.0"
lanes:
  east: {points: [[0, 0], [60, 0, 2], [80, 20]]}
  ring: {closed: true, points: [[0, 0, 1], [10, 0, 1], [10, 10, 1]]}
actors:
  car_1: {lane: east, start: 10, speed: 8, at_end: restart, follow: {v0: 13.9, T: 1.5, a: 1.2, b: 2, s0: 2.5, delta: 3}}
  bus: {type: truck, lane: ring, size: [12, 2.5, 3], color: [0.8, 0.1, 0.1], acceleration: 0.8, deceleration: 1}
  bike: {type: cyclist, lane: ring, held: true}
  walker: {type: pedestrian, loop: true, trajectory: [{time: 0, position: [5, 5]}, {time: 4, position: [5, 9]}, {time: 6, position: [5, 9, 1], yaw: 1}]}
signals:
  light: {position: [58, 4], yaw: 3, stops: {east: 55}, offset: 3, phases: [{state: green, duration: 10}, {state: yellow, duration: 3}, {name: all_red, state: red, duration: 2.5}, {state: red_yellow, duration: 1}, {state: "off", duration: 1}]}
`

// listed is the same as lists with ids, in JSON.
const listed = `{"lanes": [{"id": "east", "points": [[0, 0], [1, 0]]}], "actors": [{"id": "car", "lane": "east"}],
"signals": [{"id": "s", "position": [0, 0, 1], "phases": [{"state": "red", "duration": 1}]}]}`

func flat(_, _ float64) float64 { return 0.5 }

func TestADocumentOfTrafficIsReadWhole(t *testing.T) {
	d, err := Parse("t.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Settle(flat); err != nil {
		t.Fatal(err)
	}
	lanesAndActors(t, d)
	walkersAndSignals(t, d)
	// the lane leaves the ground 2 m before its middle, and is on it 2 m behind; the ring has its own heights
	if east, ring := d.Lane("east"), d.Lane("ring"); len(east.Points) != 5 || east.Points[1] != r3.V(58, 0,
		0.5) ||
		len(ring.Points) != 3 {
		t.Errorf("lanes with %d and %d points", len(east.Points), len(ring.Points))
	}
	if d, err = Parse("t.json", []byte(listed)); err != nil || d.Actors[0].Name != "car" ||
		d.Signals[0].Name != "s" {
		t.Errorf("as lists: %+v, %v", d, err)
	}
}

// lanesAndActors compares those who are on lanes.
func lanesAndActors(t *testing.T, d *Document) {
	t.Helper()
	car, bus, bike := d.Actors[0], d.Actors[1], d.Actors[2]
	if *car.Follow != (scene.IDM{V0: 13.9, T: 1.5, A: 1.2, B: 2, S0: 2.5, Delta: 3}) || car.Start != 10 ||
		car.Speed != 8 || car.AtEnd != scene.RestartAtEnd || car.Size != r3.V(4.5, 1.8, 1.5) {
		t.Errorf("car %+v", car)
	}
	if bus.Type != "truck" || bus.Base != 7.5 || bus.Colour[0] != 0.8 || bus.Accel != 0.8 || bus.Brake != 1 ||
		bus.Lane.Name != "ring" || !bus.Lane.Closed || bus.Speed != 10 {
		t.Errorf("bus %+v", bus)
	}
	if !bike.Held || bike.AtEnd != scene.StopAtEnd || bike.Follow != nil {
		t.Errorf("bike %+v", bike)
	}
}

// walkersAndSignals compares who keeps times, and the signal.
func walkersAndSignals(t *testing.T, d *Document) {
	t.Helper()
	walker, light := d.Actors[3], d.Signals[0]
	points := walker.Trajectory.Waypoints
	if !walker.Trajectory.Loop || len(points) != 3 || points[0].Pose.Pos != r3.V(5, 5, 0.5) ||
		points[2].Pose.Pos != r3.V(5, 9, 1) || walker.Yaws[0] != r3.Atan2(4, 0) ||
		walker.Yaws[1] != walker.Yaws[0] ||
		walker.Yaws[2] != 1 {
		t.Errorf("walker %+v, %v", walker.Trajectory, walker.Yaws)
	}
	if light.Position != r3.V(58, 4, 0.5) || light.Offset != 3*time.Second || len(light.Phases) != 5 ||
		light.Phases[2] != (scene.Phase{Name: "all_red", Aspect: scene.RedLamp,
			Duration: 2500 * time.Millisecond}) ||
		light.Phases[3].Aspect != scene.RedLamp|scene.YellowLamp || light.Phases[4].Aspect != 0 ||
		light.Stops[0] != (scene.Stop{Lane: "east", At: 55}) {
		t.Errorf("light %+v", light)
	}
}

func TestWhatIsWrongInADocumentOfTrafficIsSaidWithItsLine(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"lanes:", "roads:", `t.yaml:2:1: "roads" is unknown in a file of traffic`},
		{"[80, 20]", "[80]", `t.yaml:3:39: point is no place`},
		{"[80, 20]", "[80, up]", `point is "up"`},
		{"[60, 0, 2], [80, 20]", "", "points is no list of 2 to"},
		{"[60, 0, 2], [80, 20]", "[60, 0, 2], [60, 0, 2]", "point 3 is in the place of its neighbour"},
		{"[10, 10, 1]]", "[0, 0, 1]]", "point 3 is in the place of its neighbour"},
		{"closed: true", "closed: yes", `t.yaml:4:18: closed is "yes"; want true or false`},
		{"car_1", "car 1", `"car 1" is no name of actors`},
		{"bus:", "car_1:", `a second "car_1" in actors`},
		{"light:", "bike:", `t.yaml:11:3: a second "bike" in signals`},
		{"type: truck", "type: tank", `t.yaml:7:15: type "tank" of bus; want vehicle, truck, cyclist, pedestrian`},
		{"lane: east,", "lane: eats,", `t.yaml:6:17: there is no lane "eats"; did you mean "east"?`},
		{"lane: east,", "", "actor car_1 wants one of lane and trajectory"},
		{"start: 10", "start: 200", "start is 200; from 0 to 88.38821783673019 is possible"},
		{"speed: 8", "speed: -8", `speed is "-8"`},
		{"at_end: restart", "at_end: jump", `at_end is "jump"; want stop or restart`},
		{"delta: 3", "gamma: 3", `"gamma" is unknown in follow; want v0, T, a, b, s0, delta`},
		{"a: 1.2", "a: 0", `a is "0"; want a number from 0.01`},
		{"size: [12, 2.5, 3]", "size: [12, 2.5]", "size of bus is no length, width and height"},
		{"size: [12, 2.5, 3]", "size: [120, 2.5, 3]", "size of bus is no length, width and height"},
		{"color: [0.8, 0.1, 0.1]", "color: [8, 0.1, 0.1]", "color of bus is no red, green and blue of 0 to 1"},
		{"loop: true", "speed: 3", "speed is of an actor on a lane; walker keeps the times"},
		{"held: true", "loop: true", "loop is of a trajectory; bike is on a lane"},
		{"time: 4", "time: 0", "waypoint 2 of walker at 0 s; want later than the one before it"},
		{"time: 4, ", "", "time is not given"},
		{"position: [5, 9]}", "place: [5, 9]}", `"place" is unknown in a waypoint`},
		{"position: [58, 4], ", "", "t.yaml:11:10: position is not given"},
		{"east: 55", "east: 155", "stop is 155; from 0 to"},
		{"east: 55", "west: 55", `there is no lane "west"`},
		{"state: green", "state: blue", `state is "blue"; want off, red, red_yellow, yellow, green`},
		{"name: all_red", "name: green", `phase 3 of light is a second "green"`},
		{"name: all_red", "name: all red", `"all red" is no name of a phase`},
		{"duration: 10", "duration: 0.01", `duration is "0.01"; want a number from 0.1`},
		{"actors:", "actors: 3\nother:", `t.yaml:6:1: "other" is unknown`},
		{whole, "actors: 3\n", "actors is neither a map by name nor a list of entries with an id"},
		{whole, "actors: [3]\n", `"" is no name of actors`},
		{whole, "", "EOF"},
		{whole, "a: [", "t.yaml"},
		{whole, strings.Repeat("#", MaxSize+1), "at most"},
	} {
		if _, err := Parse("t.yaml", []byte(strings.Replace(whole, c.from, c.to, 1))); !errors.Is(err,
			scene.ErrParse) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.to[:min(len(c.to), 40)], err, c.says)
		}
	}
}

func TestALaneThatWouldTakeTooManyPointsOnTheGroundIsRefused(t *testing.T) {
	d, err := Parse("t.yaml", []byte("lanes: {far: {points: [[0, 0], [1e7, 0]]}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Settle(flat); !errors.Is(err, scene.ErrParse) ||
		!strings.Contains(err.Error(), `lane "far" has too many points`) {
		t.Errorf("10,000 km on the ground: %v", err)
	}
}

func TestADocumentIsReadAsItWasWritten(t *testing.T) {
	d, err := Parse("t.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Settle(flat); err != nil {
		t.Fatal(err)
	}
	again(t, d)
	for _, name := range []string{"car_1", "walker", "light"} {
		one, ok := d.Alone(name)
		if !ok {
			t.Fatalf("there is no %q", name)
		}
		read, err := Parse("one.yaml", Append(nil, one))
		if err != nil {
			t.Fatal(err)
		}
		m, err := read.Model()
		if err != nil || m.Name != name {
			t.Errorf("%s alone: %v, %v", name, m, err)
		}
	}
	if _, ok := d.Alone("nobody"); ok {
		t.Error("somebody is called nobody")
	}
	if _, err := d.Model(); err == nil {
		t.Error("five actors and signals are one model")
	}
}

// again reads what was written of a document, and compares.
func again(t *testing.T, d *Document) {
	t.Helper()
	text := Append(nil, d)
	got, err := Parse("again.yaml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := got.Settle(flat); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, d) {
		t.Errorf("written and read again it is another:\n%s", text)
	}
}

func TestEveryStrictPrefixOfADocumentOfTrafficIsShorterOrFails(t *testing.T) {
	full, err := Parse("t.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(whole) - 1 {
		d, err := Parse("t.yaml", []byte(whole[:i]))
		if err == nil && len(d.Lanes)+len(d.Actors)+len(d.Signals) >= len(full.Lanes)+len(full.Actors)+
			len(full.Signals) {
			t.Fatalf("the first %d bytes of %d are read as the whole", i, len(whole))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(listed))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse("f", data)
		if err != nil {
			if !errors.Is(err, scene.ErrParse) {
				t.Error(err)
			}
			return
		}
		if d.Settle(flat) != nil {
			return
		}
		for i := range d.Actors {
			a := &d.Actors[i]
			if p := a.Model().Placement; !p.IsFinite() {
				t.Errorf("%s begins at %v", a.Name, p)
			}
		}
		again(t, d)
	})
}
