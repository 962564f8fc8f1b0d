package webots_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/logtest"
	"simdeck/ui/uitest/pipetest"
	"simdeck/webots"
	"simdeck/webots/wire"
)

const patience = 30 * time.Second // of a test, for what comes at once

// stand is a running world with a server for its controllers.
type stand struct {
	t      *testing.T
	engine *engine.Engine
	server *webots.Server
	config webots.Config
	start  sim.State // of the world; 0: playing
	log    logtest.Journal
	real   bool               // sockets and the clock, where a process is the controller
	pipes  *pipetest.Listener // else controllers connect by pipes, in virtual time
}

// lab runs the world of our testdata as fast as its controllers let it.
func lab(t *testing.T, c webots.Config) *stand {
	t.Helper()
	text, err := os.ReadFile("testdata/worlds/lab.wbt")
	if err != nil {
		t.Fatal(err)
	}
	return run(t, sim.Resource{Document: string(text)}, c)
}

// run runs a world as fast as its controllers let it.
func run(t *testing.T, world sim.Resource, c webots.Config) *stand {
	t.Helper()
	s := &stand{t: t, config: c}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "test", FS: os.DirFS("testdata")}}})
	s.begin(lib, world, c)
	return s
}

// begin runs a world, and lets controllers in, until the test ends.
func (s *stand) begin(lib *format.Library, world sim.Resource, c webots.Config) {
	s.t.Helper()
	var err error
	pace := 1.0 // in virtual time nothing waits for it
	if s.real {
		pace = engine.AsFastAsPossible
	}
	s.engine, err = engine.New(engine.Config{Library: lib, World: world, Start: cmp.Or(s.start, sim.Playing),
		RealTime: pace})
	if err != nil {
		s.t.Fatal(err)
	}
	c.Address, c.Backend, c.Listen = "127.0.0.1:0", s.engine, net.Listen
	if !s.real {
		c.Listen = func(network, address string) (net.Listener, error) {
			l, err := pipetest.Listen(network, address)
			s.pipes = l.(*pipetest.Listener)
			return l, err
		}
	}
	c.Log = slog.New(slog.NewTextHandler(&s.log, nil))
	if s.server, err = webots.Open(c); err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = s.engine.Run(ctx) })
	all.Go(func() { _ = s.server.Run(ctx) })
	s.t.Cleanup(func() {
		stop()
		all.Wait()
		if s.t.Failed() {
			s.t.Log(s.log.String())
		}
	})
}

func (s *stand) do(c sim.Command) {
	s.t.Helper()
	if _, err := s.engine.Do(context.Background(), c); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for something of the engine or the log.
func (s *stand) until(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("it never came about that %s", what)
		}
	}
}

// reporter is told what is wrong, and ends the test.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// controller is a client written from the protocol, independent of the server's code but for its numbers.
type controller struct {
	t       reporter
	conn    net.Conn
	local   bool
	devices []string // by tags
	world   []byte   // of the last answer: its data
	images  map[uint16][]byte
}

// connect greets the server over TCP and reads the configuration.
func (s *stand) connect(robot string) *controller {
	s.t.Helper()
	var c *controller
	s.until("the robot is free", func() (ok bool) {
		var answer string
		if c, answer = s.greet("CTR\nRobot-Name: " + robot); answer == "CONNECTED" {
			return true
		}
		c.conn.Close()
		return false
	})
	c.configure()
	return c
}

func (s *stand) dial() (net.Conn, error) {
	if s.pipes != nil {
		return s.pipes.Dial()
	}
	return net.Dial("tcp", s.server.Addr().String())
}

func (s *stand) greet(text string) (*controller, string) {
	s.t.Helper()
	conn, err := s.dial()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := conn.Write([]byte(text)); err != nil {
		s.t.Fatal(err)
	}
	answer := make([]byte, 16)
	n, _ := conn.Read(answer)
	return &controller{t: s.t, conn: conn}, string(answer[:n])
}

// number writes numbers little-endian.
func number(all ...any) []byte {
	var b bytes.Buffer
	for _, x := range all {
		_ = binary.Write(&b, binary.LittleEndian, x)
	}
	return b.Bytes()
}

// to is a message to a device by its name.
func (c *controller) to(device string, data ...any) []byte {
	c.t.Helper()
	for tag, name := range c.devices {
		if name == device {
			d := number(data...)
			return append(number(uint16(tag), uint32(len(d))), d...)
		}
	}
	c.t.Fatalf("no device %q among %q", device, c.devices)
	return nil
}

// send sends a request; ms 0 wants an answer at once.
func (c *controller) send(ms uint32, messages ...[]byte) {
	c.t.Helper()
	body := append(number(ms), bytes.Join(messages, nil)...)
	if _, err := c.conn.Write(append(number(uint32(4+len(body))), body...)); err != nil {
		c.t.Fatal(err)
	}
}

// step sends a request and reads its answer.
func (c *controller) step(ms uint32, messages ...[]byte) *wire.Reader {
	c.t.Helper()
	c.send(ms, messages...)
	return c.receive()
}

func (c *controller) read(n int) []byte {
	c.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(c.conn, b); err != nil {
		c.t.Fatal(err)
	}
	return b
}

// receive reads an answer and gives its data.
func (c *controller) receive() *wire.Reader {
	c.t.Helper()
	c.images = map[uint16][]byte{}
	if c.local {
		size := binary.LittleEndian.Uint32(c.read(4))
		return wire.NewReader(c.read(int(size) - 4)[4:])
	}
	head := c.read(6)
	var data []byte
	for range binary.LittleEndian.Uint16(head) {
		part := c.read(5)
		size := int(binary.LittleEndian.Uint32(part))
		if part[4] == 0 {
			data = append(data, c.read(size)...)
			continue
		}
		of := c.read(3)
		c.images[binary.LittleEndian.Uint16(of)] = c.read(size)
	}
	if len(data) != int(binary.LittleEndian.Uint32(head[2:])) || len(data) < 4 {
		c.t.Fatalf("%d bytes of data; the head says %d", len(data), binary.LittleEndian.Uint32(head[2:]))
	}
	return wire.NewReader(data[4:])
}

// configure asks for the configuration and keeps the names of devices.
func (c *controller) configure() {
	c.t.Helper()
	c.devices = []string{"robot"}
	r := c.step(0, number(uint16(0), uint32(3), uint8(35), uint16(0)))
	if tag, command := r.Uint16(), r.Uint8(); tag != 0 || command != 0 {
		c.t.Fatalf("the first answer begins with command %d to %d", command, tag)
	}
	c.devices[0] = r.Text()
	r.Text()
	r.Bytes(2)
	n := r.Uint16()
	r.Uint16()
	r.Float64()
	for range n - 1 {
		r.Uint16()
		c.devices = append(c.devices, r.Text())
		r.Text()
	}
	if r.Err() != nil {
		c.t.Fatal(r.Err())
	}
}

// told are the numbers that an answer after a step has for devices, by their names; the time is "time".
func (c *controller) told(r *wire.Reader) map[string][]float64 {
	c.t.Helper()
	all := map[string][]float64{}
	counts := map[uint8]int{wire.PositionSensorData: 1, wire.GPSData: 7, wire.DistanceSensorData: 1,
		wire.AccelerometerData: 3, wire.CompassData: 3, wire.GyroData: 3, wire.InertialUnitData: 4,
		wire.TouchSensorData: 1, wire.TouchSensorData3D: 3, wire.MotorFeedback: 1}
	for r.More() {
		tag, command := r.Uint16(), r.Uint8()
		name := c.devices[tag]
		if tag == 0 {
			switch command {
			case wire.RobotTime:
				all["time"] = []float64{r.Float64()}
			case 6: // keys
				all["keys"] = []float64{}
				for range r.Uint8() {
					all["keys"] = append(all["keys"], float64(r.Int32()))
				}
			default:
				c.t.Fatalf("command %d to the robot", command)
			}
			continue
		}
		if name == "receiver" {
			r.Int32()
			for range 4 {
				all[name] = append(all[name], r.Float64())
			}
			all[string(r.Bytes(int(r.Int32())))] = nil
			continue
		}
		n, known := counts[command]
		if !known {
			c.t.Fatalf("command %d to %q", command, name)
		}
		for range n {
			all[name] = append(all[name], r.Float64())
		}
	}
	if r.Err() != nil {
		c.t.Fatal(r.Err())
	}
	return all
}

// enable is a message that lets a sensor tell something every 16 ms.
func (c *controller) enable(device string) []byte {
	return c.to(device, uint8(wire.SetSamplingPeriod), uint16(16))
}

func near(t *testing.T, what string, got []float64, within float64, want ...float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= within) {
			t.Errorf("%s: %v, want %v ± %g", what, got, want, within)
			return
		}
	}
}
