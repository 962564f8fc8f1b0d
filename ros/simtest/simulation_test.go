package simtest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/bag"
	"simdeck/ros/netsim"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/serve/gazebo"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/engine"
	"simdeck/sim/format"
	"simdeck/sim/logtest"
	"simdeck/sim/scene"
	"simdeck/ui/cli"
	"simdeck/ui/keymap"
)

const (
	yard = "world://@cache@/yard"
	// rewind is the span of rewind, and answering the time for answers at the end.
	rewind    = 3 * time.Second
	answering = patience + 4*time.Second
)

// world is the simulated system: an engine, its bridge and recorder, consoles, clients, an attacker, the
// network and the disk between them. All events come from one seeded stream.
type world struct {
	t      *testing.T
	seed   uint64
	trace  trace
	faults []string // properties that did not hold

	lib      scene.Library
	engine   *engine.Engine
	backend  sim.Backend // the engine with what others may ask of it
	bridge   *ros.Bridge
	recorder *cli.Recorder
	options  cli.Options
	disk     *disk
	journal  logtest.Journal
	net      *netsim.Network
	address  wire.Locator // of the simulator
	begins   time.Time
	ran      chan error
	done     chan struct{} // closed: the front of the simulator has ended
	ended    chan struct{} // closed: the simulator has

	keys      *keymap.Map
	pressable []string
	captures  [][]byte

	clients   []*client
	gone      []*client
	operators []*operator
	attacker  *attacker
	joined    int
	asked     int
	spawned   []string // names that clients asked for
	answers   answers
	states    *states
	stopped   bool // an operator has ended the recording that was begun with

	lossy, split, disturbed bool // the network, now; and whether it ever was anything but whole
}

// backend bounds what is asked of an engine in a simulation: time stands still while it steps as fast as it
// can.
type bounded struct{ *engine.Engine }

func (b bounded) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	switch c := c.(type) {
	case sim.SetPacing:
		if !(c.RealTime > 0.1 && c.RealTime < 4) {
			return nil, fmt.Errorf("%w: in simulations the real-time factor is 0.1 to 4, not %g",
				sim.ErrUnsupported, c.RealTime)
		}
	case sim.StepWorld:
		if c.N > 500 {
			return nil, fmt.Errorf("%w: in simulations at most 500 steps are done at once, not %d",
				sim.ErrUnsupported, c.N)
		}
	case sim.Spawn, sim.SpawnBatch:
		if n := len(b.Snapshot().Entities); n > 12 {
			return nil, fmt.Errorf("%w: in simulations there are at most 12 entities", sim.ErrUnsupported)
		}
		if c, many := c.(sim.SpawnBatch); many && len(c.Spawns) > 4 {
			return nil, fmt.Errorf("%w: in simulations at most 4 are spawned at once", sim.ErrUnsupported)
		}
	}
	return b.Engine.Do(ctx, c)
}

// fail notes that a property does not hold.
func (w *world) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.trace.add("property", "%s", text)
	w.trace.mu.Lock()
	defer w.trace.mu.Unlock()
	w.faults = append(w.faults, text)
}

// undisturbed tells whether nothing is wrong with the network, and nobody attacks: then every call is
// answered.
func (w *world) undisturbed() bool { return !w.disturbed && !w.over() }

// over tells whether the simulator has ended, or is about to.
func (w *world) over() bool {
	select {
	case <-w.ended:
		return true
	default:
		return w.engine.Snapshot().State == sim.Quitting
	}
}

// newWorld builds a world and starts it.
func newWorld(t *testing.T, seed uint64, r *rand.Rand, keys *keymap.Map, captures [][]byte) *world {
	w := &world{t: t, seed: seed, keys: keys, pressable: pressable(keys), captures: captures,
		begins: time.Now(), ran: make(chan error, 1),
		done: make(chan struct{}), ended: make(chan struct{}), net: netsim.New(seed),
		disk: newDisk(seed, someFaults(r))}
	w.trace.begun = w.begins
	w.lib = slow{format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: files}}})}
	w.options = cli.Options{World: yard, Seed: seed, RealTime: 1,
		Recording: cli.Recording{Later: "recordings"}}
	w.options.View.Rewind = rewind
	if r.IntN(3) > 0 {
		w.options.Recording.Dir = "recording"
	}
	if err := w.begin(r); err != nil {
		w.trace.add("simulator", "does not begin: %v", err)
		w.engine = nil
		if w.disk.failed == 0 {
			w.fail("it does not begin, on a disk that works: %v", err)
		}
	}
	return w
}

// begin makes the simulator as simdeck does and starts it.
func (w *world) begin(r *rand.Rand) (err error) {
	if w.recorder, err = cli.NewRecorder(w.disk, w.options, "simulated"); err != nil {
		return err
	}
	w.engine, err = engine.New(engine.Config{Library: w.lib, World: scene.Resource{URI: yard},
		Start:    []sim.State{sim.Stopped, sim.Paused, sim.Playing}[r.IntN(3)],
		RealTime: w.options.Pace(), Seed: w.seed, Rewind: rewind, Recorder: w.recorder.First()})
	if err != nil {
		return err
	}
	w.recorder.Engine, w.backend = w.engine, bounded{w.engine}
	host := w.net.Host("simdeck")
	w.address = host.Links()[0].Meta[0]
	log := slog.New(slog.NewTextHandler(io.MultiWriter(&w.journal), nil))
	c := ros.Config{Transport: host, Seed: w.seed, Version: "simulated", Log: log,
		Legacy: []string{"", gazebo.Classic, gazebo.O3DE}[r.IntN(3)]}
	if r.IntN(4) == 0 {
		c.AsWorker("", "", "")
		c.Node = "simdeck"
	}
	if w.bridge, err = ros.New(c, w.backend); err != nil {
		return err
	}
	err = w.recorder.With(func(dir string, in cli.RecordingFolder,
		_ sim.RecordingScope) (cli.TopicRecording, error) {
		return w.bridge.Record(bag.Config{Dir: dir, Open: func(string) (bag.Folder, error) { return in, nil },
			Library: "simulated", Log: log})
	})
	if err != nil {
		return err
	}
	ready := make(chan struct{})
	run := cli.Running{Engine: w.engine, Bridge: func(ctx context.Context) error {
		time.Sleep(apart(1))
		go func() { <-w.bridge.Ready(); time.Sleep(apart(2)); close(ready) }()
		return w.bridge.Run(ctx)
	}, Ready: ready, Recorder: w.recorder, Log: log}
	w.states = watchStates(w)
	go func() {
		w.ran <- run.Run(context.Background(), func(ctx context.Context) error {
			select {
			case <-w.done:
			case <-ctx.Done():
			}
			return nil
		})
		close(w.ended)
	}()
	return nil
}

// apart keeps the clocks of what begins at once from ticking at the same moments: the order of those is
// nobody's.
func apart(n int) time.Duration { return time.Duration(n) * 137_911 * time.Nanosecond }

// event has something happen.
func (w *world) event(r *rand.Rand) {
	switch k := r.IntN(40); {
	case k == 0 && len(w.clients) < 4:
		w.join()
	case k == 1:
		w.leave(r)
	case k == 2:
		w.weather(r)
	case k < 5:
		power := r.IntN(2) == 0
		w.trace.add("disk", "image, power lost: %v", power)
		w.disk.die(power)
	case k < 9 && w.attacker != nil:
		w.attacker.act(w, r)
	case k < 20 || len(w.clients) == 0:
		w.operators[r.IntN(len(w.operators))].act(r)
	default:
		w.clients[r.IntN(len(w.clients))].act(r)
	}
}

// run is a life of a world: events at random times, and after each the properties.
func (w *world) run(r *rand.Rand, keep func(int) bool) {
	w.net.ByContent()
	w.net.SetFaults(netsim.Faults{Delay: someDelay(r), Jitter: someDelay(r)})
	for range 1 + r.IntN(2) {
		time.Sleep(apart(3))
		w.join()
	}
	for i := range 1 + r.IntN(2) {
		time.Sleep(apart(5))
		w.sit(fmt.Sprintf("operator%d", i), 60+r.IntN(80), 20+r.IntN(20))
	}
	time.Sleep(apart(7))
	if r.IntN(3) == 0 {
		w.assault(w.seed)
	}
	for i := range 20 + r.IntN(50) {
		wait := time.Duration(r.ExpFloat64() * 5e7)
		if r.IntN(30) == 0 {
			wait += time.Second
		}
		if r.IntN(800) == 0 {
			wait = sim.StatePeriod + 2*time.Second // a recording keeps the state meanwhile
		}
		time.Sleep(wait)
		synctest.Wait()
		one := rand.New(rand.NewPCG(r.Uint64(), uint64(i)))
		if keep(i) {
			w.event(one)
		}
		for _, o := range w.operators {
			o.d.Settle()
			o.check()
		}
		w.check()
		if w.over() || len(w.faults) > 0 {
			break
		}
	}
	w.end()
}

// end ends everything, and looks at what is left.
func (w *world) end() {
	w.trace.add("simulator", "ends")
	for end := time.Now().Add(answering); w.waits() > 0 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	w.unanswered()
	w.trace.end()
	w.disk.die(true)
	w.stopped = w.states.said("the recording ends")
	last := w.finalLog()
	close(w.done)
	select {
	case <-w.ended:
	case <-time.After(20 * time.Second):
		buf := make([]byte, 1<<20)
		w.fail("the simulator did not end within 20 s\n%s", buf[:runtime.Stack(buf, true)])
		w.t.Fatal(w.faults)
	}
	w.endedWith(<-w.ran)
	for _, c := range w.clients {
		c.stop()
	}
	for _, c := range append(w.gone, w.clients...) {
		c.wait()
	}
	if w.attacker != nil {
		w.attacker.stop()
		<-w.attacker.ended
	}
	w.states.wait()
	for _, o := range w.operators {
		o.d.Settle()
	}
	time.Sleep(time.Minute) // the last ticks of consoles end
	for _, o := range w.operators {
		o.d.Settle()
	}
	w.review(last)
}

// shipped are the key bindings.
func shipped() (*keymap.Map, error) {
	text, err := os.ReadFile("../../keymap.yaml")
	if err != nil {
		return nil, err
	}
	return keymap.Parse("keymap.yaml", text)
}
