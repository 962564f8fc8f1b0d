package simtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"simdeck/ros/mcap"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/record"
)

// Bounds of what a world of this size may keep.
const (
	mostGoroutines = 700
	mostPeers      = 256 + 8 // rtps.Limits.Participants, and those that are just leaving
	mostEvents     = 512
	mostEntities   = 40
)

// answers are the answers to clients.
type answers struct {
	mu  sync.Mutex
	all []*call
}

// answered notes the end of a call.
func (w *world) answered(k *call) {
	w.answers.mu.Lock()
	w.answers.all = append(w.answers.all, k)
	w.answers.mu.Unlock()
	switch {
	case k.err == nil:
		w.trace.add(k.who, "%s: %d", k.what, k.code)
	case errors.Is(k.err, context.DeadlineExceeded):
		w.trace.add(k.who, "%s: no answer", k.what)
	default:
		w.trace.add(k.who, "%s: %s", k.what, cause(k.err))
	}
	if k.took > patience+time.Second {
		w.fail("%s of %s ended after %v", k.what, k.who, k.took)
	}
	if k.err != nil && k.undisturbed && !benign(k.err) {
		w.fail("%s of %s: %v, on a network that was whole", k.what, k.who, k.err)
	}
}

// cause is an error in a word or two, without addresses and numbers of a run.
func cause(err error) string {
	for _, known := range []error{node.ErrNoServer, node.ErrLeft, node.ErrGoalRefused,
		node.ErrCancelRefused} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err.Error()
}

// benign tells whether an error is an answer.
func benign(err error) bool {
	return errors.Is(err, node.ErrGoalRefused) || errors.Is(err, node.ErrCancelRefused)
}

// waits is the number of calls that are neither answered nor given up.
func (w *world) waits() (n int) {
	for _, c := range append(slices.Clone(w.gone), w.clients...) {
		c.mu.Lock()
		n += c.pending
		c.mu.Unlock()
	}
	return n
}

// unanswered fails calls that were neither answered nor given up.
func (w *world) unanswered() {
	for _, c := range append(slices.Clone(w.gone), w.clients...) {
		c.mu.Lock()
		if c.pending > 0 {
			w.fail("%d calls of %s were neither answered nor given up", c.pending, c.name)
		}
		c.mu.Unlock()
	}
}

// check holds what must hold after each event.
func (w *world) check() {
	s := w.engine.Snapshot()
	if n := runtime.NumGoroutine(); n > mostGoroutines {
		w.fail("%d goroutines", n)
	}
	if t := w.bridge.Traffic(); t.Peers > mostPeers || t.Faults > 0 {
		w.fail("the bridge keeps %d participants, and %d datagrams made it panic", t.Peers, t.Faults)
	}
	if len(s.Events) > mostEvents || len(s.Entities) > mostEntities {
		w.fail("a snapshot has %d events and %d entities", len(s.Events), len(s.Entities))
	}
	if len(s.Entities) != len(s.Model.Entities) {
		w.fail("%d states of %d entities", len(s.Entities), len(s.Model.Entities))
	}
	if status := w.bridge.Status(); status.Fault != "" {
		w.fail("ROS is down: %s", status.Fault)
	}
	if text := w.journal.String(); strings.Contains(text, "panic") {
		w.fail("a handler broke: %s", text[strings.Index(text, "panic"):])
	}
}

// finalLog records the commands since the world was loaded, and the hash of what they came to.
func (w *world) finalLog() []byte {
	if w.over() {
		return nil
	}
	ctx := context.Background()
	if err := w.engine.Record(ctx, nil, ""); err != nil && !errors.Is(err, sim.ErrIncorrectState) {
		w.fail("the recording does not end: %v", err)
	}
	var text bytes.Buffer
	out := record.NewWriter(&text,
		record.Header{Version: "simulated", World: yard, Seed: w.seed, RealTime: w.options.Pace(),
			Rewind: rewind, OnFault: sim.ContainFaults.String()}) // as the engine has it
	written := make(chan error, 1)
	go func() { written <- out.Run(ctx) }()
	err := w.engine.Record(ctx, out, "memory")
	if err == nil {
		_, _ = w.engine.Do(ctx, sim.SetPacing{RealTime: 1}) // its hash is that of the world
		err = w.engine.Record(ctx, nil, "")
	}
	if err == nil {
		err = <-written
	}
	if err != nil {
		w.fail("the last recording: %v", err)
	}
	return text.Bytes()
}

// legal are the states that a command may lead to (simulation_interfaces, SetSimulationState, LoadWorld and
// UnloadWorld). A world that cannot be loaded leaves the state in which its loading began.
func legal(from sim.State, c sim.Command, to, loadingFrom sim.State) bool {
	if from == to {
		return true
	}
	switch c := c.(type) {
	case sim.SetState:
		return to == c.State && from != sim.NoWorld && from != sim.LoadingWorld || to == sim.Quitting
	case sim.BeginLoad:
		return to == sim.LoadingWorld
	case sim.LoadWorld:
		return to == sim.Stopped || to == loadingFrom
	case sim.UnloadWorld:
		return to == sim.NoWorld
	case sim.Rewind:
		return to == sim.Paused && from != sim.NoWorld && from != sim.LoadingWorld
	case sim.Restore:
		return true
	}
	return false
}

// bare replays a recording on a world without readers: its hashes are the recorded ones, and its states
// follow each other legally. It gives how many commands there were, and what is wrong behind the last good
// line.
func (w *world) bare(what string, text []byte) (commands int, rest error) {
	from, err := record.NewReader(bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	p, err := record.NewPlayer(from, w.lib)
	if err != nil {
		return 0, err
	}
	did, err := p.Run(context.Background())
	if errors.Is(err, record.ErrDiverged) {
		w.fail("%s: %v", what, err)
	}
	if invalid := p.World.Validate(); invalid != nil {
		w.fail("%s: %v", what, invalid)
	}
	return int(did.Commands), err
}

// walk follows the states of a recording.
func (w *world) walk(what string, from *record.Reader) {
	world, err := engine.NewWorld(from.Header.Options())
	if err != nil {
		w.fail("%s: %v", what, err)
		return
	}
	loadingFrom := sim.NoWorld
	for {
		e, err := from.Next()
		if err != nil {
			return
		}
		for range e.Hashes {
			_ = world.Step() // a step that fails is a line of its own
		}
		for world.Total() < e.At && e.At <= from.Header.Since {
			if before := world.Total(); world.Step() != nil || world.Total() == before {
				break
			}
		}
		if e.Command == nil {
			continue
		}
		was := world.State()
		_, _ = world.Apply(e.Command, engine.Load(w.lib, e.Command)) // a refusal is compared by the player
		if _, loads := e.Command.(sim.BeginLoad); loads && was != sim.LoadingWorld {
			loadingFrom = was
		}
		if !legal(was, e.Command, world.State(), loadingFrom) {
			w.fail("%s: %s leads from %s to %s", what, sim.Describe(e.Command), was, world.State())
		}
	}
}

// endedWith looks at how the simulator ended.
func (w *world) endedWith(err error) {
	if err == nil {
		return
	}
	if w.disk.failed > 0 && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EIO) ||
		errors.Is(err, syscall.EDQUOT)) {
		return
	}
	w.fail("the simulator ended with %v", err)
}

// review looks at everything when all has ended.
func (w *world) review(last []byte) {
	if len(last) > 0 {
		if _, err := w.bare("the last recording", last); err != nil {
			w.fail("the last recording: %v", err)
		}
		again, _ := record.NewReader(bytes.NewReader(last)) // it was read before
		w.walk("the last recording", again)
	}
	w.disk.die(false)
	for i := range w.disk.images {
		w.open(&w.disk.images[i])
	}
	w.reviewSpawns()
	w.trace.add("simulator", "left the world at %016x", w.engine.Hash())
}

// open opens the recordings of an image.
func (w *world) open(i *image) {
	for _, name := range slices.Sorted(maps.Keys(i.synced)) {
		if _, found := i.files[name]; !found && !strings.HasSuffix(name, ".new") && i.power {
			w.fail("%s was synchronised and is gone after a power loss", name)
		}
	}
	if w.options.Recording.Dir != "" {
		name := path.Join(w.options.Recording.Dir, "commands.simlog")
		w.reviewAcknowledged(i, name, i.files[name])
	}
	for _, name := range slices.Sorted(maps.Keys(i.files)) {
		text := i.files[name]
		switch path.Base(name) {
		case "commands.simlog":
			w.reviewLog(i, name, text)
		case "topics.mcap":
			w.reviewTopics(i, name, text)
		case "metadata.yaml":
			if i.health && !strings.Contains(string(text), "rosbag2_bagfile_information") {
				w.fail("%s of %d octets is no metadata after a death at %v", name, len(text),
					i.at.Sub(w.begins))
			}
		}
	}
}

// reviewLog replays a log of commands: what was synchronised must be there.
func (w *world) reviewLog(i *image, name string, text []byte) {
	whole := i.synced[name]
	if n := bytes.LastIndexByte(whole, '\n') + 1; !bytes.HasPrefix(text, whole[:n]) {
		w.fail("%s: what was synchronised is not there after a death", name)
		return
	}
	if bytes.IndexByte(whole, '\n') < 0 && i.power {
		return // it had just begun
	}
	if len(text) == 0 {
		return
	}
	if _, err := w.bare(name, text); err != nil && i.health && !errors.Is(err, io.EOF) &&
		bytes.IndexByte(text, '\n') >= 0 {
		w.fail("%s after a death at %v, power lost: %v: %v", name, i.at.Sub(w.begins), i.power, err)
	}
}

// reviewAcknowledged looks for what clients were told was done, two seconds and more before a death, in the
// recording that was made then.
func (w *world) reviewAcknowledged(i *image, name string, text []byte) {
	if !i.health || w.disk.faults.slow > 0 || w.stopped {
		return
	}
	for _, k := range w.answers.all {
		if k.err == nil && k.code == 1 && strings.HasPrefix(k.spawns, "thing") &&
			i.at.Sub(k.begun.Add(k.took)) > 2*time.Second && !bytes.Contains(text, []byte(`"`+k.spawns+`"`)) {
			w.fail("%s of %s was acknowledged %v before a death, and is not in %s", k.what, k.spawns,
				i.at.Sub(k.begun.Add(k.took)), name)
		}
	}
}

// reviewTopics reads a recording of topics: to its end, or where the machine lost its power what was
// synchronised. Later data are not synchronized before the index that lists them, so that a killed process
// always leaves an index.
func (w *world) reviewTopics(i *image, name string, text []byte) {
	synced := i.synced[name]
	if len(synced) == 0 && i.power || len(text) == 0 {
		return
	}
	read := func(text []byte) (n uint64, err error) {
		r, err := mcap.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return 0, err
		}
		err = r.Messages(0, func(*mcap.Message) error { n++; return nil })
		return n, err
	}
	n, err := read(text)
	if err != nil && i.health && !i.power {
		w.fail("%s after a death at %v, power lost: %v: %v", name, i.at.Sub(w.begins), i.power, err)
		return
	}
	if least, err := read(synced); err == nil && n < least {
		w.fail("%s has %d messages after a death at %v, and %d were synchronised", name, n,
			i.at.Sub(w.begins), least)
	}
}

// reviewSpawns compares what clients were told with what was done: what was acknowledged was done once.
func (w *world) reviewSpawns() {
	for _, k := range w.answers.all {
		if k.spawns == "" || !strings.HasPrefix(k.spawns, "thing") {
			continue
		}
		done := w.states.count("ros", "as "+k.spawns+" at ")
		if k.err == nil && k.code == 1 && done != 1 || k.err == nil && k.code != 1 && done != 0 || done > 1 {
			w.fail("%s of %s was answered with %d (%v), and done %d times", k.what, k.spawns, k.code, k.err,
				done)
		}
	}
}

// states follows the snapshots of an engine.
type states struct {
	w     *world
	sub   *sim.Subscription
	ended chan struct{}

	mu     sync.Mutex
	seq    uint64
	events []sim.Event
	names  map[string]bool
}

// watchStates follows an engine until it ends.
func watchStates(w *world) *states {
	s := &states{w: w, sub: w.engine.Subscribe(sim.Lossless(1<<14, 100*time.Millisecond)),
		ended: make(chan struct{}), names: map[string]bool{}}
	s.sub.WantSensors(w.seed%2 == 0)
	go func() {
		defer close(s.ended)
		for snap := range s.sub.C() {
			s.take(snap)
		}
	}()
	return s
}

func (s *states) wait() {
	select {
	case <-s.ended:
	case <-time.After(time.Second):
		s.w.fail("the stream of snapshots does not end")
	}
	if n := s.sub.Dropped(); n > 0 {
		s.w.fail("%d snapshots were dropped", n)
	}
}

// take looks at a snapshot: what was spawned is there, and no entity leaves without a command that takes it
// away.
func (s *states) take(snap *sim.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	removes := false
	var came []string
	for _, e := range snap.Events {
		if e.Seq > s.seq {
			if _, rest, spawned := strings.Cut(e.Text, " as "); spawned && e.Level == sim.Info &&
				strings.HasPrefix(e.Text, "spawn ") {
				name, _, _ := strings.Cut(rest, " at ")
				came = append(came, name)
			}
			s.seq, s.events = e.Seq, append(s.events, e)
			removes = removes || e.Level == sim.Info && takesAway(e.Text) || e.Level == sim.Warn &&
				strings.HasPrefix(e.Text, "load ")
		}
	}
	names := map[string]bool{}
	for i := range snap.Model.Entities {
		names[snap.Model.Entities[i].Name] = true
	}
	for _, name := range came {
		if !names[name] && !removes {
			s.w.fail("%q was spawned, and is not there", name)
		}
	}
	for name := range s.names {
		if !names[name] && !removes {
			s.w.fail("%q is gone, and nobody has taken it away", name)
		}
	}
	s.names = names
}

func takesAway(text string) bool {
	for _, verb := range []string{"delete ", "reset ", "load ", "unload ", "take up ", "rewind ",
		"set state stopped"} {
		if strings.HasPrefix(text, verb) {
			return true
		}
	}
	return false
}

// count is the number of a sender's effective commands with a text.
func (s *states) count(who, text string) (n int) {
	for _, e := range s.events {
		if e.Who == who && e.Level == sim.Info && strings.Contains(e.Text, text) &&
			strings.HasPrefix(e.Text, "spawn ") {
			n++
		}
	}
	return n
}

// said tells whether an event says a text.
func (s *states) said(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.events, func(e sim.Event) bool { return e.Text == text })
}
