package autopilot_test

import (
	"math"
	"net"
	"strings"
	"testing"
	"time"

	"simdeck/autopilot"
	"simdeck/autopilot/betaflight"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

// betaflightPeer is the other end of Betaflight's packets.
type betaflightPeer struct {
	t    *testing.T
	conn *net.UDPConn
	to   *net.UDPAddr
}

// freePair is a port of this machine that nobody listens on, as well as the one of Betaflight above it.
func freePair(t *testing.T) int {
	t.Helper()
	for range 100 {
		p := freePort(t, "udp")
		if c, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: p + 2}); err == nil {
			_ = c.Close()
			return p
		}
	}
	t.Fatal("no two ports are free")
	return 0
}

// betaflight is a Betaflight that has just started.
func (s *stand) betaflight(vehicle int) *betaflightPeer {
	s.t.Helper()
	p := &betaflightPeer{t: s.t, to: s.server.Addr(vehicle).(*net.UDPAddr)}
	var err error
	p.conn, err = net.ListenUDP("udp", &net.UDPAddr{IP: p.to.IP, Port: p.to.Port + 2})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = p.conn.Close() })
	return p
}

// send sends outputs of 0 to 1.
func (p *betaflightPeer) send(levels ...float64) {
	p.t.Helper()
	o := betaflight.Outputs{Motors: len(levels)}
	for i, l := range levels {
		o.Pulses[i] = float32(1000 + 1000*l)
	}
	p.write(betaflight.AppendOutputs(nil, &o))
}

func (p *betaflightPeer) write(b []byte) {
	p.t.Helper()
	if _, err := p.conn.WriteToUDP(b, p.to); err != nil {
		p.t.Fatal(err)
	}
}

// hear waits for a state of a later time than another.
func (p *betaflightPeer) hear(after float64) *betaflight.State {
	p.t.Helper()
	memory := make([]byte, 4096)
	_ = p.conn.SetReadDeadline(time.Now().Add(generous))
	for {
		n, err := p.conn.Read(memory)
		if err != nil {
			p.t.Fatal(err)
		}
		s, err := betaflight.ParseState(memory[:n])
		if err != nil {
			p.t.Fatal(err)
		}
		if s.Time > after {
			return &s
		}
	}
}

// rateLoop is Betaflight's loop of rates around its mixer QUADX. Angles and rates are about forward, left and
// up.
type rateLoop struct{ integral r3.Vec }

// outputs are those of the motors rear right, front right, rear left and front left for a throttle.
func (l *rateLoop) outputs(throttle float64, asked, rates r3.Vec, dt float64) (levels [4]float64) {
	off := asked.Sub(rates)
	l.integral = l.integral.AddScaled(dt, off)
	sum := func(p, i, off, integral float64) float64 { return p*off + i*integral }
	roll := sum(0.1, 0.2, off.X, l.integral.X)
	pitch := sum(0.13, 0.2, off.Y, l.integral.Y)
	yaw := -max(-0.1, min(0.1, sum(0.5, 0.5, off.Z, l.integral.Z))) // yaw_motors_reversed is off
	for i, mix := range [4]r3.Vec{r3.V(-1, 1, -1), r3.V(-1, -1, 1), r3.V(1, 1, 1), r3.V(1, -1, -1)} {
		levels[i] = max(0.055, min(1, throttle+mix.Dot(r3.V(roll, pitch, yaw))))
	}
	return levels
}

// racer holds a quadrotor over its place by a loop of angles around that of rates.
type racer struct {
	first *betaflight.State
	loop  rateLoop
	sum   r3.Vec  // of its offsets, m·s
	last  float64 // s
}

// offset is its place from its first one, m: east, north, up.
func (f *racer) offset(s *betaflight.State) r3.Vec {
	const radius = 6371e3 * math.Pi / 180 // m for a degree
	far := vec(s.Position).Sub(vec(f.first.Position))
	return r3.V(far.X*radius*math.Cos(s.Position[1]*math.Pi/180), far.Y*radius, far.Z)
}

// attitudeOf is that of forward-right-down in north-east-down.
func attitudeOf(s *betaflight.State) (roll, pitch, yaw float64) {
	q := s.Quaternion
	return r3.Quat{W: q[0], X: q[1], Y: q[2], Z: q[3]}.RPY()
}

// levels are the outputs that hold a height over the place, m; below 0: the motors stand still.
func (f *racer) levels(s *betaflight.State, height float64) [4]float64 {
	const gravity, hover = 9.81, 0.82
	dt := s.Time - f.last
	f.last = s.Time
	if height < 0 {
		return [4]float64{}
	}
	at, v := f.offset(s), vec(s.Velocity)
	roll, pitch, yaw := attitudeOf(s)
	sin, cos := math.Sincos(yaw)
	f.sum = f.sum.AddScaled(dt, at.Sub(r3.V(0, 0, height)))
	a := at.Scale(-1.2).AddScaled(-1.7, v).AddScaled(-0.5, f.sum)
	tilt := func(a float64) float64 { return max(-0.2, min(0.2, a/gravity)) }
	ahead, right := a.Y*cos+a.X*sin, a.X*cos-a.Y*sin
	_, _, began := attitudeOf(f.first)
	asked := r3.V(6*(tilt(right)-roll), 6*(tilt(ahead)+pitch), 2*(yaw-began))
	throttle := hover + 0.08*(height-at.Z) - 0.1*v.Z - 0.03*f.sum.Z
	return f.loop.outputs(throttle, asked, r3.V(s.Gyro[0], -s.Gyro[1], -s.Gyro[2]), dt)
}

// flyBetaflight flies the quadrotor of the hangar: up to 2 m, over its place in the wind, and down again.
func flyBetaflight(t *testing.T) (f flight) {
	const until = 14 * time.Second
	s := flyIn(t, format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()}}}),
		sim.Resource{URI: "hangar"}, until, autopilot.Config{Patience: generous,
			Vehicles: []autopilot.Vehicle{{Protocol: scene.Betaflight, Port: freePair(t)}}})
	p := s.betaflight(0)
	r := &racer{first: p.hear(0)}
	now := r.first
	r.last = now.Time
	for {
		since := now.Time - r.first.Time
		height := -1.0
		switch {
		case since < 1:
		case since < 9:
			height = 2
			f.hover = r.offset(now).Dist(r3.V(0, 0, 2))
		case since < 12.5:
			height = max(0, 2-0.8*(since-9))
		}
		f.landed = r.offset(now).Z
		if since >= until.Seconds()-0.005 {
			break
		}
		levels := r.levels(now, height)
		p.send(levels[:]...)
		now = p.hear(now.Time)
	}
	s.stop()
	f.hash = s.engine.Hash()
	return f
}

// TestABetaflightTakesOffHoversAndLands, and the same flight again comes to the same hash.
func TestABetaflightTakesOffHoversAndLands(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	first := flyBetaflight(t)
	first.holds(t)
	if again := flyBetaflight(t); again != first {
		t.Errorf("the same flight again: %+v, want %+v", again, first)
	}
}

// TestABetaflightIsToldOfItsVehicleUnasked, and until it answers: its first packet may have come to nobody.
func TestABetaflightIsToldOfItsVehicleUnasked(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.Betaflight, Entity: "quad", Port: freePair(t)}}})
	time.Sleep(250 * time.Millisecond) // it starts later
	p := s.betaflight(0)
	first := p.hear(0)
	if again := p.hear(0); *again != *first {
		t.Errorf("without an answer: %+v, want %+v", again, first)
	}
	if first.Time < 1 {
		t.Errorf("the first state is of %g s; before 20 ms Betaflight takes it for a period", first.Time)
	}
	if a := vec(first.Accel); a.Dist(r3.V(0, 0, -9.81)) > 1e-6 {
		t.Errorf("standing it feels %v, want 9.81 m/s² upwards", a)
	}
	if x := first.Position; math.Abs(x[0]-8.545594) > 1e-9 || math.Abs(x[1]-47.397742) > 1e-9 ||
		math.Abs(x[2]-488.055) > 1e-6 {
		t.Errorf("it is at %v", x)
	}
	if math.Abs(first.Pressure-95590) > 60 { // ISO 2533 at 488 m
		t.Errorf("the air has %g Pa", first.Pressure)
	}
	p.send(0, 0, 0, 0)
	if next := p.hear(first.Time); math.Abs(next.Time-first.Time-0.004) > 1e-9 {
		t.Errorf("the next state is of %g s after %g s, want one step of 4 ms", next.Time, first.Time)
	}
}

// TestBytesThatAreNoOutputsChangeNothing: no numbers, too short or of a second autopilot.
func TestBytesThatAreNoOutputsChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: generous,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.Betaflight, Entity: "quad", Port: freePair(t)}}})
	p := s.betaflight(0)
	now := p.hear(0)
	p.send(0, 0, 0, 0)
	now = p.hear(now.Time)
	second, err := net.DialUDP("udp", nil, p.to)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close() }()
	full := betaflight.Outputs{Motors: 4, Pulses: [betaflight.MaxOutputs]float32{2000, 2000, 2000, 2000}}
	s.waitFor("a second autopilot that is not heard", func() bool {
		if _, err := second.Write(betaflight.AppendOutputs(nil, &full)); err != nil {
			t.Fatal(err)
		}
		p.send(0, 0, 0, 0)
		now = p.hear(now.Time)
		return strings.Contains(s.log.String(), "a second autopilot is not heard")
	})
	bad := betaflight.Outputs{Motors: 4}
	bad.Pulses[2] = float32(math.NaN())
	for range 500 {
		p.write(betaflight.AppendOutputs(nil, &bad))
		p.write([]byte{4, 0, 0, 0, 1})
	}
	s.logged("a packet is skipped")
	if again := p.hear(0); again.Time != now.Time {
		t.Errorf("it is told of %g s, want %g s: nothing was asked", again.Time, now.Time)
	}
	p.send(0, 0, 0, 0)
	p.hear(now.Time)
	if h := s.height("quad"); h > 0.01 {
		t.Errorf("a second autopilot has it rise to %g m", h)
	}
}

func TestABetaflightThatStallsPausesTheWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	s := fly(t, field(t), 0, autopilot.Config{Patience: 300 * time.Millisecond,
		Vehicles: []autopilot.Vehicle{{Protocol: scene.Betaflight, Entity: "quad", Port: freePair(t)}}})
	p := s.betaflight(0)
	now := p.hear(0)
	p.send(0, 0, 0, 0)
	now = p.hear(now.Time)
	s.waitFor("a pause", func() bool { return s.engine.Snapshot().State == sim.Paused })
	if why := s.engine.Snapshot().Halted; !strings.Contains(why, "betaflight of quad") {
		t.Errorf("the world is paused for %q", why)
	}
	at := s.engine.Snapshot().Step
	if _, err := s.engine.Do(t.Context(), sim.SetState{State: sim.Playing}); err != nil {
		t.Fatal(err)
	}
	p.send(0, 0, 0, 0)
	if next := p.hear(now.Time); math.Abs(next.Time-now.Time-0.004) > 1e-9 {
		t.Errorf("it goes on from %g s to %g s, want one step", now.Time, next.Time)
	}
	if now := s.engine.Snapshot().Step; now != at+1 {
		t.Errorf("it goes on from step %d to %d, want one step", at, now)
	}
}

// turning are the speeds of the rotors of the quadrotor, rad/s, after some steps with four outputs.
func turning(p *betaflightPeer, s *stand, levels ...float64) (speeds [4]float64) {
	now := p.hear(0)
	for range 300 {
		p.send(levels...)
		now = p.hear(now.Time)
	}
	snapshot := s.engine.Snapshot()
	i, _ := snapshot.Find("quad")
	for k := range speeds { // a joint turns at a tenth of its rotor
		speeds[k] = 10 * math.Abs(snapshot.JointsOf(i)[k].Velocity)
	}
	return speeds
}

// TestBetaflightsMotorsAreThoseOfItsMixer: rear right, front right, rear left, front left, whatever numbers
// rotors have, unless the file says which output turns which joint.
func TestBetaflightsMotorsAreThoseOfItsMixer(t *testing.T) {
	if testing.Short() {
		t.Skip("opens sockets, waits on the real clock")
	}
	const rotor = `<rotor id="%"><jointName>rotor_#_joint</jointName><turningDirection>ccw</turningDirection><maxRpm>800</maxRpm><rotorVelocitySlowdownSim>1</rotorVelocitySlowdownSim></rotor>`
	plugin := `<plugin name="gz::sim::systems::BetaflightPlugin" filename="BetaflightPlugin"><imuName>imu</imuName>`
	for i, output := range []string{"2", "0", "3", "1"} {
		plugin += strings.NewReplacer("%", output, "#", string(rune('0'+i))).Replace(rotor)
	}
	for text, want := range map[string][4]float64{
		"":                   {160, 240, 320, 80}, // front right, rear left, front left, rear right
		plugin + "</plugin>": {240, 80, 320, 160},
	} {
		world := strings.Replace(field(t), `<model name="quad">`, `<model name="quad">`+text, 1)
		s := fly(t, world, 0, autopilot.Config{Patience: generous,
			Vehicles: []autopilot.Vehicle{{Protocol: scene.Betaflight, Entity: "quad", Port: freePair(t)}}})
		got := turning(s.betaflight(0), s, 0.1, 0.2, 0.3, 0.4)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1 {
				t.Errorf("with %q the rotors turn at %.1f rad/s, want %v", text, got, want)
				break
			}
		}
		s.stop()
	}
}
