package rtps

import (
	"fmt"
	"time"

	"simdeck/ros/rtps/wire"
)

// Core is one participant as a state machine: Receive and the calls of writers and readers change it, Advance gives what is to be sent,
// Deadline when to call Advance again. It is not safe for concurrent use, and does the same for the same calls.
type Core struct {
	cfg   Config
	guid  wire.GUID
	links []wire.Link
	sched schedule
	out   sendQueue
	pool  buffers
	used  [][]byte // payloads whose samples are gone, but which the datagrams of the last Advance may still hold
	stats Stats

	announce announcer
	builtin  builtin
	alive    livelinessAssertions

	peers             map[wire.GUIDPrefix]*peer
	order             []*peer // peers in the order of their discovery
	gone              map[wire.GUIDPrefix]time.Time
	pending           map[wire.GUIDPrefix]struct{}
	origins           map[wire.Locator]*tokenBucket // see shed
	waste             tokenBucket                   // of datagrams that serve nobody
	spend             tokenBucket                   // for addresses that are not proven
	guesses           tokenBucket                   // at numbers that prove an address
	again             tokenBucket                   // for what participants are sent more than once
	writers           map[wire.EntityID]*localWriter
	readers           map[wire.EntityID]*localReader
	locals            []endpoint                   // user endpoints in the order of their creation
	inbound           map[wire.GUID][]*writerProxy // by remote writer
	remotes           map[wire.GUID]*remoteEndpoint
	refused           map[string]time.Time // when somebody was last refused what all share
	telling, faulting tokenBucket          // of notices
	notices           []Notice
	partial           int // octets of samples that have arrived in part or before their turn
	held              int // octets in the histories of volatile writers
	known             int // octets of what the endpoints of others say of themselves
	lastID            uint32
	turn              uint64         // counts the calls of Advance
	revision          uint64         // grows with every change of the graph
	told              time.Time      // when watches were told last
	tell              task           // wakes the driver to tell them again
	woken             []*localReader // readers whose queue was empty and no longer is
	entropy           uint32
}

// NewCore makes a participant that knows nobody. cfg.Prefix must be set; cfg.Transport is not used.
func NewCore(cfg Config) (*Core, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	if cfg.Prefix.IsZero() {
		return nil, fmt.Errorf("%w: no GUID prefix", ErrConfig)
	}
	c := &Core{
		cfg:     cfg,
		guid:    wire.GUID{Prefix: cfg.Prefix, Entity: wire.EntityParticipant},
		peers:   map[wire.GUIDPrefix]*peer{},
		gone:    map[wire.GUIDPrefix]time.Time{},
		pending: map[wire.GUIDPrefix]struct{}{},
		origins: map[wire.Locator]*tokenBucket{},
		writers: map[wire.EntityID]*localWriter{},
		readers: map[wire.EntityID]*localReader{},
		inbound: map[wire.GUID][]*writerProxy{},
		remotes: map[wire.GUID]*remoteEndpoint{},
	}
	c.out.header = wire.Header{Version: wire.Version, Vendor: wire.VendorSimdeck, Prefix: cfg.Prefix}
	c.announce.task.run = c.runAnnouncer
	c.alive.automatic.run, c.alive.manual.run = c.runAutomatic, c.runManual
	c.tell.run = func(time.Time) {}
	c.makeBuiltin()
	return c, nil
}

// GUID names the participant.
func (c *Core) GUID() wire.GUID { return c.guid }

// Start begins to announce the participant.
func (c *Core) Start(now time.Time) {
	c.announce.restart()
	c.sched.soon(&c.announce.task)
}

// SetLinks says over which interfaces the participant talks. A change is announced at once.
func (c *Core) SetLinks(links []wire.Link, now time.Time) {
	before := c.links
	c.links = links
	c.announce.sn++
	for _, p := range c.order {
		c.leaveNetworks(p, before)
		c.reroute(p)
	}
	if c.announce.started {
		c.Start(now)
	}
}

// batch bounds how many datagrams one Advance gives, so that a large transfer does not hold up what arrives.
const batch = 64

// Advance does what is due and gives the datagrams to send. They are valid until the next Advance. More may be ready: see Pending.
func (c *Core) Advance(now time.Time) []*Packet {
	c.out.reset()
	for i, b := range c.used {
		c.pool.put(b)
		c.used[i] = nil
	}
	c.used = c.used[:0]
	c.sched.expire(now)
	c.turn++
	for left := c.sched.waiting(); left > 0 && c.out.n < batch; left-- { // each at most once: the next turn is soon
		if t := c.sched.next(); t != nil {
			c.attempt(t, now)
		}
	}
	packets := c.exceedsAmplificationLimit(c.out.packets[:c.out.n], now)
	for _, p := range packets {
		c.stats.PacketsOut += uint64(len(p.To))
		c.stats.BytesOut += uint64(len(p.To) * p.Len())
	}
	return packets
}

// attempt runs a task. A fault of ours in it ends the task, which what others have sent may have brought about, and nothing else.
func (c *Core) attempt(t *task, now time.Time) {
	defer func() {
		if r := recover(); r != nil {
			c.sched.kill(t)
			c.fault(nil, wire.Locator{}, r, now)
		}
	}()
	t.run(now)
}

// Pending tells whether Advance should be called again without waiting.
func (c *Core) Pending() bool { return !c.sched.idle() }

// Deadline gives the time at which Advance must be called if nothing happens before. It is false when there is none.
func (c *Core) Deadline() (time.Time, bool) {
	if len(c.sched.timers) == 0 {
		return time.Time{}, false
	}
	return c.sched.timers[0].at, true
}

// Stats gives the counters.
func (c *Core) Stats() Stats { return c.stats }

// discard drops the i-th sample of a writer's history. Its memory is used again once no datagram holds it.
func (c *Core) discard(w *localWriter, i int) {
	h := w.hist.remove(i)
	c.hold(w, -h.size())
	for _, b := range [...][]byte{h.payload, h.untyped, h.qos} {
		switch {
		case cap(b) == 0:
		case c.out.n == 0:
			c.pool.put(b)
		default:
			c.used = append(c.used, b)
		}
	}
}

// hold books octets that a writer keeps until they are acknowledged.
func (c *Core) hold(w *localWriter, octets int) {
	if !w.keeps() {
		c.held += octets
	}
}

// tellPause is the least time between two changes that watches are told of: who looks at the graph after each of them looks at all of it.
const tellPause = 5 * time.Millisecond

// mayTell tells whether watches are to be told of changes now; if not, the core wants to be called when they are.
func (c *Core) mayTell(now time.Time) bool {
	if next := c.told.Add(tellPause); now.Before(next) {
		c.sched.by(&c.tell, next)
		return false
	}
	c.told = now
	return true
}

// changed notes that the graph or a match is not what it was.
func (c *Core) changed() { c.revision++ }

// nextEntity gives a new user entity id of a kind (RTPS 2.2 §9.3.1.2: three octets of the implementation's choice).
func (c *Core) nextEntity(kind wire.EntityID) wire.EntityID {
	c.lastID++
	return wire.EntityID(c.lastID&0xffffff)<<8 | kind
}

// jitter gives a little time that differs from call to call, so that many participants do not answer in the same instant. It is a
// counter's hash, not a clock's: the core stays reproducible.
func (c *Core) jitter(up time.Duration) time.Duration {
	c.entropy += 0x9e3779b9
	h := c.entropy ^ uint32(c.cfg.Prefix[8])<<24 ^ uint32(c.cfg.Prefix[9])<<16 ^ uint32(c.cfg.Prefix[10])<<8 ^ uint32(c.cfg.Prefix[11])
	h = (h ^ h>>16) * 0x7feb352d
	h = (h ^ h>>15) * 0x846ca68b
	return time.Duration(uint64(h^h>>16) * uint64(up) >> 32)
}
