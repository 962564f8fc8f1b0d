package autopilot_test

import (
	"errors"
	"math"
	"net"
	"strings"
	"testing"

	"simdeck/autopilot"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

func TestAVehicleIsNamedByProtocolEntityAndPort(t *testing.T) {
	for text, want := range map[string]autopilot.Vehicle{
		"px4":                      {Protocol: scene.PX4},
		"ardupilot:iris":           {Protocol: scene.ArduPilot, Entity: "iris"},
		"betaflight:quad":          {Protocol: scene.Betaflight, Entity: "quad"},
		"px4:iris:4561":            {Protocol: scene.PX4, Entity: "iris", Port: 4561},
		"ardupilot:fleet::iris":    {Protocol: scene.ArduPilot, Entity: "fleet::iris"},
		"ardupilot:fleet::iris:90": {Protocol: scene.ArduPilot, Entity: "fleet::iris", Port: 90},
		"px4::4561":                {},
		"paparazzi":                {},
		"":                         {},
		"px4:iris:0":               {},
		"px4:iris:65536":           {},
		"px4:iris:+1":              {},
	} {
		got, err := autopilot.ParseVehicle(text)
		if want.Protocol == "" {
			if err == nil {
				t.Errorf("%q is taken as %+v", text, got)
			}
		} else if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// two is the world of our testdata with a second quadrotor.
func two(t *testing.T) string {
	text := field(t)
	at := strings.Index(text, `    <model name="quad">`)
	end := strings.Index(text, "  </world>")
	another := strings.NewReplacer(`name="quad"`, `name="other"`, "0 0 0.055", "3 0 0.055")
	second := another.Replace(text[at:end])
	return text[:end] + second + text[end:]
}

// port is that of a vehicle's autopilot.
func port(s *stand, vehicle int) int { return s.server.Addr(vehicle).(*net.UDPAddr).Port }

// TestEachVehicleHasItsInstance: without a name all are meant, by the order of their names.
func TestEachVehicleHasItsInstance(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, two(t), 0, autopilot.Config{Patience: generous, Vehicles: []autopilot.Vehicle{
		{Protocol: scene.ArduPilot, Port: freePort(t, "udp")}}})
	other, quad := s.arduPilot(0), s.arduPilot(1)
	if first, second := port(s, 0), port(s, 1); second != first+10 {
		t.Errorf("ports %d and %d, want them ten apart", first, second)
	}
	for range 300 { // 1.2 s
		other.send([]float64{0.9, 0.9, 0.9, 0.9})
		quad.send(nil)
		other.hear()
		quad.hear()
	}
	if up, down := s.height("other"), s.height("quad"); !(up > 0.5) || !(down < 0.01) {
		t.Errorf("the one that is to rise is at %g m, the other at %g m", up, down)
	}
}

// TestAVehicleThatIsGoneHoldsNobodyUp, and is flown again when it comes back.
func TestAVehicleThatIsGoneHoldsNobodyUp(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.ArduPilot, Entity: "quad", Port: freePort(t, "udp")}}})
	p := s.arduPilot(0)
	p.send(nil)
	before := p.hear()
	if _, err := s.engine.Do(t.Context(), sim.Delete{Names: []string{"quad"}, OfWorld: true}); err != nil {
		t.Fatal(err)
	}
	at := s.engine.Snapshot().Step
	s.waitFor("steps without it", func() bool { return s.engine.Snapshot().Step > at+100 })
	if _, err := s.engine.Do(t.Context(), sim.Reset{}); err != nil {
		t.Fatal(err)
	}
	s.waitFor("a vehicle", func() bool { _, ok := s.engine.Snapshot().Find("quad"); return ok })
	p.send(nil)
	if again := p.hear(); again.Time <= before.Time {
		t.Errorf("the time of an autopilot goes from %g s to %g s", before.Time, again.Time)
	}
}

func TestWhatCannotBeFlownIsRefusedAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	e, err := engine.New(engine.Config{Library: format.NewLibrary(format.Config{}),
		World: sim.Resource{Document: `<sdf version="1.9"><world name="w"><model name="box"><link name="l"/></model></world></sdf>`}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []autopilot.Vehicle{{Protocol: scene.PX4}, {Protocol: scene.PX4, Entity: "box"}} {
		v.Port = freePort(t, "tcp")
		_, err := autopilot.Open(autopilot.Config{Backend: e, Vehicles: []autopilot.Vehicle{v}})
		if !errors.Is(err, autopilot.ErrVehicle) {
			t.Errorf("%+v: %v", v, err)
		}
	}
}

// TestAWorldThatDoesNotWaitTellsAutopilotsSo, and goes on without an answer.
func TestAWorldThatDoesNotWaitTellsAutopilotsSo(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, two(t), 0, autopilot.Config{Patience: -1, Vehicles: []autopilot.Vehicle{
		{Protocol: scene.ArduPilot, Entity: "quad", Port: freePort(t, "udp")},
		{Protocol: scene.PX4, Entity: "other", Port: freePort(t, "tcp")}}})
	s.waitFor("steps without autopilots", func() bool { return s.engine.Snapshot().Step > 100 })
	p, q := s.arduPilot(0), s.px4(1)
	last := 0.0
	for range 20 {
		p.send([]float64{0, 0, 0, 0})
		now := p.hear()
		if !now.Free || now.Time <= last {
			t.Fatalf("after %g s: %+v", last, now)
		}
		last = now.Time
	}
	for range 20 {
		q.hear()
		q.send(0.2, 0.2, 0.2, 0.2)
	}
	s.waitFor("rotors that turn", func() bool { // at a tenth of 160 rad/s
		now := s.engine.Snapshot()
		i, _ := now.Find("other")
		return math.Abs(now.JointsOf(i)[0].Velocity-16) < 0.01
	})
}
