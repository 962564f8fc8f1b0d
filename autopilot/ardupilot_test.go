package autopilot_test

import (
	"fmt"
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"simdeck/autopilot"
	"simdeck/autopilot/ardupilot"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// arduPilotPeer is the other end of ArduPilot's JSON interface.
type arduPilotPeer struct {
	t     *testing.T
	conn  net.Conn
	frame uint32
	rate  uint16
	start r3.Vec
}

func (s *stand) arduPilot(vehicle int) *arduPilotPeer {
	s.t.Helper()
	conn, err := net.Dial("udp", s.server.Addr(vehicle).String())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &arduPilotPeer{t: s.t, conn: conn, rate: 250}
}

// send sends a packet of pulses with the next number.
func (p *arduPilotPeer) send(levels []float64) {
	p.t.Helper()
	p.frame++
	s := ardupilot.Servos{Rate: p.rate, Frame: p.frame}
	for _, l := range levels {
		s.Channels = append(s.Channels, uint16(1000+1000*l+0.5))
	}
	if _, err := p.conn.Write(ardupilot.AppendServos(nil, s)); err != nil {
		p.t.Fatal(err)
	}
}

// hear waits for an answer.
func (p *arduPilotPeer) hear() *ardupilot.State {
	p.t.Helper()
	memory := make([]byte, 4096)
	_ = p.conn.SetReadDeadline(time.Now().Add(generous))
	n, err := p.conn.Read(memory)
	if err != nil {
		p.t.Fatal(err)
	}
	s, err := ardupilot.ParseState(memory[:n])
	if err != nil {
		p.t.Fatal(err)
	}
	return &s
}

func vec(v [3]float64) r3.Vec { return r3.V(v[0], v[1], v[2]) }

// known is an answer as a pilot knows it.
func (p *arduPilotPeer) known(s *ardupilot.State) *state {
	if p.frame == 1 {
		p.start = vec(s.Position)
	}
	q := s.Quaternion
	return &state{time: s.Time, position: vec(s.Position).Sub(p.start), velocity: vec(s.Velocity),
		attitude: r3.Quat{W: q[0], X: q[1], Y: q[2], Z: q[3]}, rates: vec(s.Gyro)}
}

// flyArduPilot flies the quadrotor of our testdata, and returns how that went.
func flyArduPilot(t *testing.T, world string) (f flight) {
	const until = 20 * time.Second
	s := fly(t, world, until, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.ArduPilot, Entity: "quad", Port: freePort(t, "udp")}}})
	p := s.arduPilot(0)
	levels := [4]float64{}
	for {
		p.send(levels[:])
		now := p.known(p.hear())
		levels = aFlight.levels(now)
		f.watch(&aFlight, now)
		if now.time >= until.Seconds() {
			break
		}
	}
	s.stop()
	f.hash = s.engine.Hash()
	return f
}

// freePort is a port of this machine that nobody listens on.
func freePort(t *testing.T, network string) int {
	t.Helper()
	if network == "udp" {
		c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.LocalAddr().(*net.UDPAddr).Port
	}
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// TestAnArduPilotTakesOffHoversAndLands, and the same flight again comes to the same hash.
func TestAnArduPilotTakesOffHoversAndLands(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	first := flyArduPilot(t, field(t))
	first.holds(t)
	if again := flyArduPilot(t, field(t)); again != first {
		t.Errorf("the same flight again: %+v, want %+v", again, first)
	}
}

// TestAnArduPilotThatStallsPausesTheWorld, which goes on when it answers again.
func TestAnArduPilotThatStallsPausesTheWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: 300 * time.Millisecond,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.ArduPilot, Entity: "quad", Port: freePort(t, "udp")}}})
	p := s.arduPilot(0)
	p.send(nil)
	p.hear()
	s.waitFor("a pause", func() bool { return s.engine.Snapshot().State == sim.Paused })
	if why := s.engine.Snapshot().Halted; !strings.Contains(why, "ardupilot of quad") {
		t.Errorf("the world is paused for %q", why)
	}
	at := s.engine.Snapshot().Step
	if _, err := s.engine.Do(t.Context(), sim.SetState{State: sim.Playing}); err != nil {
		t.Fatal(err)
	}
	p.send(nil)
	p.hear()
	if now := s.engine.Snapshot().Step; now != at+1 {
		t.Errorf("it goes on from step %d to %d, want one step", at, now)
	}
}

// TestAnArduPilotIsAnsweredOnceForEachPacket: one that comes again does no step, and a second autopilot and
// bytes that are none change nothing.
func TestAnArduPilotIsAnsweredOnceForEachPacket(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.ArduPilot, Entity: "quad", Port: freePort(t, "udp")}}})
	p, second := s.arduPilot(0), s.arduPilot(0)
	p.send(nil)
	before := p.hear()
	second.send([]float64{1, 1, 1, 1})
	for i := range 2000 {
		if _, err := second.conn.Write([]byte{0x1a, 0x48, byte(i), 0, 0, 0}); err != nil {
			t.Fatal(err)
		}
	}
	s.logged("a packet is skipped")
	time.Sleep(600 * time.Millisecond)
	p.frame-- // as if the answer was lost
	p.send(nil)
	if again := p.hear(); again.Time != before.Time {
		t.Errorf("a packet that came again: %+v, want %+v", again, before)
	}
	p.send(nil)
	if next := p.hear(); next.Time-before.Time < 0.0039 || next.Time-before.Time > 0.0041 {
		t.Errorf("the next answer is of %g s after %g s, want one step of 4 ms", next.Time, before.Time)
	}
	if h := s.height("quad"); h > 0.01 {
		t.Errorf("a second autopilot has it rise to %g m", h)
	}
}

// TestAnArduPilotPluginSaysWhichOutputsTurnWhichRotors: the outputs of our testdata in another order, from
// 1100 to 1900 µs, at the port of the file.
func TestAnArduPilotPluginSaysWhichOutputsTurnWhichRotors(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	port := freePort(t, "udp")
	plugin := fmt.Sprintf(`<plugin name="ArduPilotPlugin" filename="ArduPilotPlugin"><fdm_addr>127.0.0.1</fdm_addr><fdm_port_in>%d</fdm_port_in>
		<gazeboXYZToNED degrees="true">0 0 0 180 0 90</gazeboXYZToNED>`, port)
	for i, channel := range []int{3, 0, 7, 1} {
		plugin += fmt.Sprintf(`<control channel="%d"><jointName>rotor_%d_joint</jointName><useForce>1</useForce><multiplier>800</multiplier>
			<servo_min>1100</servo_min><servo_max>1900</servo_max><type>VELOCITY</type></control>`, channel, i)
	}
	model := `<model name="quad">`
	s := fly(t, strings.Replace(field(t), model, model+plugin+"</plugin>", 1), 0, autopilot.Config{
		Patience: generous, Vehicles: []autopilot.Vehicle{{Protocol: scene.ArduPilot}}})
	p := s.arduPilot(0)
	if p.conn.RemoteAddr().(*net.UDPAddr).Port != port {
		t.Fatalf("it is listened for on %v, want port %d", p.conn.RemoteAddr(), port)
	}
	for range 300 {
		p.send([]float64{0.2, 0.3, 0, 0.1, 0, 0, 0, 0.4})
		p.hear()
	}
	now := s.engine.Snapshot()
	i, _ := now.Find("quad")
	for k, level := range []float64{0, 0.125, 0.375, 0.25} {
		// A joint turns at a tenth of its rotor.
		if got := math.Abs(now.JointsOf(i)[k].Velocity); math.Abs(got-80*level) > 0.1 {
			t.Errorf("rotor %d turns at %g rad/s, want %g", k, 10*got, 800*level)
		}
	}
}
