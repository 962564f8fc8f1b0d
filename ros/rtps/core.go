package rtps

import (
	"fmt"
	"time"

	"simdeck/ros/rtps/wire"
)

// Core is one participant as a state machine. Receive and the calls of writers and readers change it, Advance
// returns the datagrams to send, and Deadline the time of the next Advance. It is not safe for concurrent
// use, and does the same for the same calls.
type Core struct {
	cfg   Config
	guid  wire.GUID
	net   network
	local localEndpoints
	sched schedule
	out   sendQueue
	pool  buffers
	// payloads whose samples are gone, but which the datagrams of the last Advance may still hold
	used    [][]byte
	stats   Stats
	held    int    // octets in the histories of volatile writers
	turn    uint64 // counts the calls of Advance
	entropy uint32 // see jitter

	spdp       participantDiscovery
	sedp       endpointDiscovery
	alive      livelinessAssertions
	validation addressValidation
	receiver   messageReceiver
	reorder    reorderBudget
	notices    noticeLog
	watch      graphWatch

	again tokenBucket    // of retransmissions, for all participants together
	woken []*localReader // readers whose queue was empty and no longer is
}

// NewCore makes a participant that knows nobody. cfg.Prefix must be set; cfg.Transport is not used.
func NewCore(cfg Config) (*Core, error) {
	if err := cfg.setDefaults(); err != nil {
		return nil, err
	}
	if cfg.Prefix.IsZero() {
		return nil, fmt.Errorf("%w: no GUID prefix", ErrConfig)
	}
	c := &Core{cfg: cfg, guid: wire.GUID{Prefix: cfg.Prefix, Entity: wire.EntityParticipant}}
	c.local = localEndpoints{writers: map[wire.EntityID]*localWriter{},
		readers: map[wire.EntityID]*localReader{}, inbound: map[wire.GUID][]*writerProxy{}}
	c.spdp = participantDiscovery{core: c, peers: map[wire.GUIDPrefix]*peer{},
		gone: map[wire.GUIDPrefix]time.Time{}, pending: map[wire.GUIDPrefix]struct{}{}}
	c.sedp = endpointDiscovery{core: c, remotes: map[wire.GUID]*remoteEndpoint{}}
	c.receiver = messageReceiver{core: c, origins: map[wire.Locator]*tokenBucket{}}
	c.alive.core, c.validation.core, c.reorder.limit = c, c, c.cfg.Limits.Reassembly
	c.watch.sched, c.notices.stats, c.notices.watch = &c.sched, &c.stats, &c.watch
	c.out.header = wire.Header{Version: wire.Version, Vendor: wire.VendorSimdeck, Prefix: cfg.Prefix}
	c.spdp.announce.task.run = c.spdp.runAnnouncer
	c.alive.automatic.run, c.alive.manual.run = c.alive.runAutomatic, c.alive.runManual
	c.watch.tell.run = func(time.Time) {}
	c.sedp.makeBuiltin()
	return c, nil
}

// GUID names the participant.
func (c *Core) GUID() wire.GUID { return c.guid }

// Start begins to announce the participant.
func (c *Core) Start(now time.Time) {
	c.spdp.announce.restart()
	c.sched.soon(&c.spdp.announce.task)
}

// SetLinks says over which interfaces the participant talks. A change is announced at once.
func (c *Core) SetLinks(links []wire.Link, now time.Time) {
	before := c.net.links
	c.net.links = links
	c.spdp.announce.sn++
	for _, p := range c.spdp.order {
		c.net.leaveNetworks(p, before)
		c.spdp.reroute(p)
	}
	if c.spdp.announce.started {
		c.Start(now)
	}
}

// batch bounds how many datagrams one Advance gives, so that a large transfer does not hold up what arrives.
const batch = 64

// Advance does what is due and gives the datagrams to send. They are valid until the next Advance. More may
// be ready: see Pending.
func (c *Core) Advance(now time.Time) []*Packet {
	c.out.reset()
	for i, b := range c.used {
		c.pool.put(b)
		c.used[i] = nil
	}
	c.used = c.used[:0]
	c.sched.expire(now)
	c.turn++
	for left := c.sched.waiting(); left > 0 &&
		c.out.n < batch; left-- { // each at most once: the next turn is soon
		if t := c.sched.next(); t != nil {
			c.attempt(t, now)
		}
	}
	packets := c.validation.exceedsAmplificationLimit(c.out.packets[:c.out.n], now)
	for _, p := range packets {
		c.stats.Traffic.PacketsOut += uint64(len(p.To))
		c.stats.Traffic.BytesOut += uint64(len(p.To) * p.Len())
	}
	return packets
}

// attempt runs a task. A fault of ours in it ends the task, which what others have sent may have brought
// about, and nothing else.
func (c *Core) attempt(t *task, now time.Time) {
	defer func() {
		if r := recover(); r != nil {
			c.sched.kill(t)
			c.notices.fault(nil, wire.Locator{}, r, now)
		}
	}()
	t.run(now)
}

// Pending tells whether Advance should be called again without waiting.
func (c *Core) Pending() bool { return !c.sched.idle() }

// Deadline gives the time at which Advance must be called if nothing happens before. It is false when there
// is none.
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

// jitter gives a little time that differs from call to call, so that many participants do not answer in the
// same instant. It is a counter's hash, not a clock's: the core stays reproducible.
func (c *Core) jitter(up time.Duration) time.Duration {
	c.entropy += 0x9e3779b9
	h := c.entropy ^ uint32(c.cfg.Prefix[8])<<24 ^ uint32(c.cfg.Prefix[9])<<16 ^ uint32(c.cfg.Prefix[10])<<8 ^
		uint32(c.cfg.Prefix[11])
	h = (h ^ h>>16) * 0x7feb352d
	h = (h ^ h>>15) * 0x846ca68b
	return time.Duration(uint64(h^h>>16) * uint64(up) >> 32)
}
