package scenario

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

const crossing = `name: crossing
lanes: {east: {points: [[0, 0], [100, 0]]}}
actors:
  car: {lane: east, start: 5, follow: {v0: 8}}
  walker: {type: pedestrian, held: true, trajectory: [{time: 0, position: [60, -3]}, {time: 5, position: [60, 3]}]}
signals:
  light: {position: [42, 4], stops: {east: 40}, phases: [{state: red, duration: 1000}, {name: go, state: green, duration: 1000}]}
phases:
  - name: arrive
    do:
      - wait: {until: {distance: {entity: car, to: [40, 0], below: 5}}}
      - wait: {time: 5}
  - name: go
    do:
      - set_signal: {signal: light, phase: green}
      - set_actor: {actor: walker, moving: true}
  - name: cross
    when: {signal: {signal: light, is: go}}
    do:
      - set_speed: {entity: car, speed: 4}
  - name: past
    when: {region: {entity: walker, min: [55, 2.9], max: [65, 4]}}
`

// meadow is a world of bare ground.
const meadow = `<sdf version="1.9"><world name="meadow"><model name="ground"><static>true</static><link name="l">
<collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model></world></sdf>`

// field is a backend without an engine, with a library that reads.
type field struct {
	*engine.World
	library *format.Library
}

// Do applies a command.
func (b field) Do(_ context.Context, c sim.Command) (sim.Reply, error) {
	return b.Apply(c, engine.Load(b.library, c))
}

// Subscribe is never called: nobody plays by snapshots that come.
func (field) Subscribe(sim.Delivery) *sim.Subscription { panic("no snapshots come") }

// Capabilities declares none.
func (field) Capabilities() sim.Capabilities { return sim.Capabilities{} }

// onMeadow plays a scenario on bare ground, up to some simulated seconds.
func onMeadow(t *testing.T, text string, seconds float64) (*sim.Snapshot, []string, error) {
	t.Helper()
	s, err := Parse("s.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := field{w, format.NewLibrary(format.Config{})}
	for _, c := range []sim.Command{sim.LoadWorld{Resource: sim.Resource{Document: meadow}},
		sim.SetState{State: sim.Playing}} {
		if _, err := b.Do(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var phases []string
	p := Player{Backend: b, Told: func(_ float64, phase string) {
		if len(phases) == 0 || phases[len(phases)-1] != phase {
			phases = append(phases, phase)
		}
	}}
	p.Begin(w.Snapshot())
	for w.Time().Seconds() < seconds {
		if ended, err := p.At(t.Context(), s, w.Snapshot()); ended || err != nil {
			return w.Snapshot(), phases, err
		}
		for before := w.Time(); w.Time() < before+Look; {
			if err := w.Step(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return w.Snapshot(), phases, errors.New("it did not end")
}

func TestAScenarioBringsTrafficWaitsForItAndTellsIt(t *testing.T) {
	s, phases, err := onMeadow(t, crossing, 60)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(phases, " "); got != "arrive go cross past" && got != "arrive cross past" &&
		got != "arrive past" {
		t.Errorf("phases %q", got)
	}
	find := func(name string) sim.EntityState {
		i, ok := s.Find(name)
		if !ok {
			t.Fatalf("there is no %q", name)
		}
		return s.Entities[i]
	}
	car, walker, light := find("car"), find("walker"), find("light")
	if light.Signal.Aspect != scene.GreenLamp || light.Signal.Phase != "go" {
		t.Errorf("the signal is %+v", light.Signal)
	}
	if car.Actor.Wanted != 4 || car.Actor.Speed > 4.5 || car.Pose.Pos.X < 40 {
		t.Errorf("told to go at 4 m/s the car is at %v: %+v", car.Pose.Pos, car.Actor)
	}
	if math.Abs(walker.Pose.Pos.X-60) > 1e-6 || walker.Pose.Pos.Y < 2.9 {
		t.Errorf("the walker is at %v", walker.Pose.Pos)
	}
}

func TestActionsOnTrafficThatIsNotThereEndAScenario(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"set_signal: {signal: light", "set_signal: {signal: lihgt",
			`in phase "go": an action failed: set_signal: not found: no entity is named "lihgt"; did you mean "light"?`},
		{"phase: green", "phase: blue", `signal light has no phase "blue"`},
		{"actor: walker, moving: true", "actor: light, moving: true", "light is no actor"},
		{"actor: walker, moving: true", "actor: walker, speed: 3", "walker keeps the times of its trajectory"},
		{"speed: 4}", "speed: 4, steer: 1}", "car is an actor: its lane turns it"},
		{"speed: 4}", "speed: -4}", "a speed of -4 m/s for car; 0 to 200 is possible"},
		{"  car: {", "  ground: {", `before the first phase: name not unique: "ground" is in use`},
	} {
		if _, _, err := onMeadow(t, strings.Replace(crossing, c.from, c.to, 1), 60); !errors.Is(err,
			ErrAction) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.to, err, c.says)
		}
	}
}

func TestWhatIsWrongInTheTrafficOfAScenarioIsSaidWithItsLine(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"lane: east", "lane: west", `a.yaml:4:15: there is no lane "west"`},
		{"is: go", "shows: go", `a.yaml:18:36: "shows" is unknown in signal; want signal, is`},
		{"phase: green", "phase: green, hold: maybe", `hold is "maybe"; want true or false`},
		{"actor: walker, moving: true", "actor: walker", "set_actor wants moving, speed, or both"},
		{"below: 5}}", "below: 5}}, time: 4", "wait wants one of time and until"},
		{"until: {distance", "until: {luck", `"luck" is unknown in a condition; want time, distance, region, signal`},
		{"[100, 0]", "[1e7, 0]", "has too many points on the ground"},
	} {
		if _, err := Parse("a.yaml", []byte(strings.Replace(crossing, c.from, c.to, 1))); !errors.Is(err,
			ErrFormat) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.to, err, c.says)
		}
	}
}
