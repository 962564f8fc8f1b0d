package bag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"simdeck/ros/mcap"
	"simdeck/ros/node"
)

// ErrExists is wrapped when the folder holds a recording of topics already.
var ErrExists = errors.New("holds a recording already")

// Names of the files in a folder.
const (
	fileName     = "topics.mcap"
	metadataName = "metadata.yaml"
)

const (
	// mostWaiting is the default bound of message octets that wait for the disk.
	mostWaiting = 64 << 20
	// mostHeld is that of a recording for which its source waits.
	mostHeld = 16 << 20
	// lookPeriod is the interval at which Run looks for waiting messages; many of them wake it.
	lookPeriod = 50 * time.Millisecond
	muchWaits  = 1 << 20
)

// Config says what is recorded, and where to.
type Config struct {
	Dir     string                           // the folder; it is made
	Open    func(dir string) (Folder, error) // nil: OpenFolder
	Topics  []string                         // see ParseSelection
	Leave   func(node.Topic) bool            // topics that are left out of these; nil: none
	Library string                           // recording program: "simdeck 1.2"
	// octets that wait for the disk at most; 0: 64 MiB, with a Source 16 MiB
	Queue  int
	Source Source       // that Tap holds back; nil: none
	Log    *slog.Logger // is told of losses; nil: nobody
	// Progress is told some times a second how much has been recorded; nil: nobody.
	Progress func(messages uint64, topics int, bytes int64)
}

// Source is a simulation that is recorded completely: it waits for the recording.
type Source interface {
	Hold(on bool)              // whether it waits
	Losses() map[string]uint64 // nevertheless lost before they were messages, by kind
}

// Recorder records.
type Recorder struct {
	config  Config
	want    Selection
	sources *node.Sources
	disk    *disk // of Run
	wake    chan struct{}
	leave   func() // ends what Tap began; nil: nothing did

	mu       sync.Mutex
	channels []*Channel
	waiting  batch
	room     sync.Cond // of mu: messages may wait again
	holds    bool      // messages of Tap wait for room
	err      error
	closed   bool
}

// Channel takes the messages of a topic.
type Channel struct {
	r     *Recorder
	topic node.Topic
	id    uint16 // in the file; of Run
	known bool   // the file has it; of Run
	wrote uint64 // messages that went to the file, or wait in it for a chunk to be full; of Run

	// Under the recorder's lock.
	sequence uint32
	lost     uint64
	upstream []func() uint64 // losses of subscriptions before this queue
}

// batch is messages that wait, in the order in which they came.
type batch struct {
	messages []message
	data     []byte
}

type message struct {
	channel   *Channel
	log, sent uint64
	sequence  uint32
	end       int // of its data, which begin where the last one's end
}

// New makes the folder and begins the file; Run writes. Errors wrap ErrPattern or ErrExists, or are those of
// the system.
func New(c Config) (*Recorder, error) {
	want, err := ParseSelection(c.Topics)
	if err != nil {
		return nil, err
	}
	d, err := openDisk(c)
	if err != nil {
		return nil, err
	}
	if c.Source != nil {
		c.Queue = cmp.Or(c.Queue, mostHeld)
	}
	c.Queue = cmp.Or(c.Queue, mostWaiting)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	r := &Recorder{config: c, want: want, sources: node.NewSources(), wake: make(chan struct{}, 1), disk: d}
	r.room.L = &r.mu
	if err := r.disk.seal(r.metadata()); err != nil {
		return nil, fmt.Errorf("recording topics: %s: %w", c.Dir, errors.Join(err, r.disk.giveUp()))
	}
	return r, nil
}

// Channel is the recording of a topic's messages; nil when it is not to be recorded. The same topic, also one
// that has come back, has one.
func (r *Recorder) Channel(t node.Topic) *Channel {
	if !r.want.Takes(t) || r.config.Leave != nil && r.config.Leave(t) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.channels {
		if c.topic.Name == t.Name && c.topic.Type == t.Type && c.topic.Hash == t.Hash {
			c.topic.Offer(t.QoS...)
			return c
		}
	}
	c := &Channel{r: r, topic: t}
	r.channels = append(r.channels, c)
	return c
}

// Take records a message as it was serialised, at a time. It copies it and never waits: where too much does
// already, the message is lost.
func (c *Channel) Take(at time.Duration, payload []byte) {
	c.r.mu.Lock()
	defer c.r.mu.Unlock()
	c.take(at, payload)
}

// await is Take for a source that is held back: it waits for room.
func (c *Channel) await(at time.Duration, payload []byte) {
	r := c.r
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.holds && len(r.waiting.data) > 0 && len(r.waiting.data)+len(payload) > r.config.Queue {
		r.room.Wait()
	}
	c.take(at, payload)
}

// take is Take under the lock. The messages of a source that is let go when the recording ends have no bound.
func (c *Channel) take(at time.Duration, payload []byte) {
	r := c.r
	c.sequence++
	if r.closed || r.err != nil ||
		r.config.Source == nil && len(r.waiting.data)+len(payload) > r.config.Queue {
		c.lost++
		return
	}
	stamp := uint64(max(0, at))
	before := len(r.waiting.data)
	r.waiting.data = append(r.waiting.data, payload...)
	r.waiting.messages = append(r.waiting.messages, message{c, stamp, stamp, c.sequence, len(r.waiting.data)})
	if before < muchWaits && len(r.waiting.data) >= muchWaits {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}

// Tap records what a node publishes until the recording ends, at the time that its publisher knows, else at
// that which now gives. With a Source, publishers wait where the disk is slower than they are.
func (r *Recorder) Tap(n *node.Node, now func() time.Duration) {
	r.hold(true)
	r.leave = n.Tap(func(t node.Topic) func([]byte) {
		c := r.Channel(t)
		if c == nil {
			return nil
		}
		return func(payload []byte) {
			at, known := t.Time()
			if !known {
				at = now()
			}
			c.await(at, payload)
		}
	})
}

// hold has the source wait, or lets it go.
func (r *Recorder) hold(on bool) {
	if r.config.Source == nil {
		return
	}
	r.config.Source.Hold(on)
	r.mu.Lock()
	r.holds = on
	r.room.Broadcast()
	r.mu.Unlock()
}

// Run writes until ctx ends, then the rest, and closes the file. A recording that breaks ends at once with
// the reason; its part on the disk is readable, and Losses counts the rest.
func (r *Recorder) Run(ctx context.Context) error {
	look := time.NewTicker(lookPeriod)
	defer look.Stop()
	var spare batch
	r.disk.synced = time.Now()
	for ctx.Err() == nil && r.Err() == nil {
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-look.C:
		}
		spare = r.drain(spare)
		now := time.Now()
		r.fail(r.disk.keep(r.metadata, now))
		r.disk.size.Store(r.disk.w.Size())
		r.tellLosses(now)
		r.tellProgress()
	}
	if r.leave != nil {
		r.hold(false) // publishers that wait go on, so that leave can wait for them
		r.leave()
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.drain(spare)
	r.fail(r.disk.close(r.metadata))
	r.tellLosses(time.Now().Add(sealPeriod))
	return r.Err()
}

// tellProgress tells how much has been recorded.
func (r *Recorder) tellProgress() {
	if r.config.Progress == nil {
		return
	}
	messages, topics := uint64(0), 0
	r.mu.Lock()
	for _, c := range r.channels {
		if messages += c.wrote; c.wrote > 0 {
			topics++
		}
	}
	r.mu.Unlock()
	r.config.Progress(messages, topics, r.Size())
}

// drain writes what waits and gives its memory back.
func (r *Recorder) drain(spare batch) batch {
	r.mu.Lock()
	full := r.waiting
	r.waiting = batch{spare.messages[:0], spare.data[:0]}
	r.room.Broadcast()
	r.mu.Unlock()
	from := 0
	for i := range full.messages {
		m := &full.messages[i]
		if err := r.write(m, full.data[from:m.end]); err != nil {
			r.lose(full.messages[i:]) // before fail, which counts what the file had been given
			r.fail(err)
			break
		}
		from = m.end
	}
	clear(full.messages)
	return full
}

func (r *Recorder) write(m *message, data []byte) error {
	if err := r.Err(); err != nil {
		return err
	}
	if err := r.introduce(m.channel); err != nil {
		return err
	}
	err := r.disk.w.Write(&mcap.Message{Channel: m.channel.id, Sequence: m.sequence, LogTime: m.log,
		PublishTime: m.sent, Data: data})
	if err == nil {
		m.channel.wrote++
	}
	return err
}

// fail ends the recording with an error. Messages that are not in the file then are lost.
func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil || r.err != nil {
		return
	}
	r.err = fmt.Errorf("recording topics: %w", err)
	r.holds = false
	r.room.Broadcast()
	in := r.disk.w.Statistics()
	for _, c := range r.channels {
		if c.known {
			c.lost += c.wrote - in.Of[c.id]
			c.known = uint32(c.id) < in.Channels
		}
	}
	for i := range r.waiting.messages {
		r.waiting.messages[i].channel.lost++
	}
	r.waiting = batch{}
}

// Size is the number of octets written to the disk.
func (r *Recorder) Size() int64 { return r.disk.size.Load() }

// Err says why the recording ended early; nil while it goes on.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// lose counts messages that could not be written.
func (r *Recorder) lose(all []message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range all {
		all[i].channel.lost++
	}
}

// Lost is the number of messages that were not recorded.
func (r *Recorder) Lost() (all uint64) {
	for _, n := range r.Losses() {
		all += n
	}
	return all
}
