package rtps

import (
	"slices"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// window is the number of samples that may be on the way to one reader: as many as an ACKNACK can
	// request.
	window = wire.SetBits
	// heartbeatFirst to heartbeatMost is the pause between HEARTBEATs to a reader that has not acknowledged
	// everything; after heartbeatTries without an answer it is heartbeatLate.
	heartbeatFirst = 50 * time.Millisecond
	heartbeatMost  = 200 * time.Millisecond
	heartbeatTries = 16
	// silence is the time without an answer to HEARTBEATs after which a reader gets nothing new: it may be
	// dead.
	silence       = 1200 * time.Millisecond
	heartbeatLate = time.Second
	// staleCount is the time after which a repeated or lower count of an ACKNACK or HEARTBEAT is valid again,
	// as in Cyclone DDS.
	staleCount = 500 * time.Millisecond
	// inFlight is the time for which fragments of the newest sample are not sent again; localInFlight is that
	// on this host, where none is late.
	inFlight      = 20 * time.Millisecond
	localInFlight = 3 * time.Millisecond
	// heartbeatLocal is the first pause after a large sample on this host: an overrun has most likely lost
	// the HEARTBEAT behind it too.
	heartbeatLocal = 8 * time.Millisecond
	// largeAhead and largeBytes bound the large samples in flight to one reader, by number and octets. Beyond
	// both the reader gets nothing new: waiting samples can be dropped without harm, half-sent ones cannot.
	largeAhead = 4
	largeBytes = 4 << 20
	// maxRepairs bounds the samples whose fragments one reader may be asking for at a time.
	maxRepairs = 4
)

// readerProxy is the ReaderProxy of a local writer: its knowledge of a remote reader (RTPS 2.2 §8.4.7.5).
//
// A reliable reader gets no sample before it has answered a first, empty HEARTBEAT. A volatile reader of
// Cyclone DDS skips all numbers up to the last one of the first HEARTBEAT from another vendor's writer.
type readerProxy struct {
	task
	writer   *localWriter
	peer     *peer
	remote   *remoteEndpoint // nil for built-in endpoints
	guid     wire.GUID
	reliable bool
	keeps    bool // the reader is transient local: it gets what was written before it came
	typed    bool // its user data tells a type hash
	locs     []wire.Locator
	local    bool      // all locs are of this host
	audience *audience // the readers of the same participant on this writer

	since    time.Time           // matched
	live     bool                // has answered, or is best effort
	shift    wire.SequenceNumber // offset of the reader's count from ours; see address_validation.go
	start    wire.SequenceNumber
	next     wire.SequenceNumber // first one never sent
	acked    wire.SequenceNumber // it has all up to here
	fragment uint32              // fragments of next that were sent

	resend    wire.SequenceNumberSet
	repairs   []repair
	sentAt    time.Time // the last fragment went out
	large     bool      // fragments went out that are not acknowledged
	heartbeat heartbeatState
	answered  acknackCounts
}

// heartbeatState is the HEARTBEAT that a reader is due next, and those that it has not answered.
type heartbeatState struct {
	due   bool      // send one with the next run
	final bool      // and it may be a final one
	alive bool      // and it says that the writer is alive
	at    time.Time // else the next one is due then
	wait  time.Duration
	tries int       // late ones without an answer
	asked time.Time // the first without an answer; zero: all are answered
}

// acknackCounts are the counts of a reader's last ACKNACK and NACK_FRAG, which tell repeated ones.
type acknackCounts struct {
	ack  uint32
	at   time.Time
	nack uint32
}

// match begins to serve a remote reader.
func (w *localWriter) match(c *Core, p *readerProxy, now time.Time) {
	p.task.run = func(now time.Time) { p.run(c, now) }
	p.writer, p.since = w, now
	p.begin()
	p.route(c)
	w.proxies[p.guid] = p
	w.order = append(w.order, p)
	w.admit(p)
	if !w.builtin {
		p.peer.subscribe(1)
	}
	w.stats.Matched++
	c.sched.soon(&p.task)
	c.watch.changed()
}

// begin resets the proxy to the first change that the reader is to get.
func (p *readerProxy) begin() {
	w := p.writer
	p.start = w.last + 1
	if p.keeps && w.keeps() {
		p.start = w.hist.first(w.last + 1)
	}
	p.next, p.acked = p.start, p.start-1
	p.live = !p.reliable
	p.resetHeartbeatPause()
	p.resend = wire.SequenceNumberSet{Base: 1}
	p.heartbeat.due = p.reliable
}

// route chooses the addresses: the endpoint's own, else the participant's.
func (p *readerProxy) route(c *Core) {
	before := p.locs
	switch {
	case p.writer.builtin:
		p.locs = p.peer.meta
	case p.remote != nil && len(p.remote.data.Unicast) > 0:
		locs, _ := c.choose(p.remote.data.Unicast, p.peer)
		p.locs = p.peer.destination(locs)
	default:
		p.locs = p.peer.user
	}
	if local := c.net.allLocal(p.locs); local != p.local { // samples are cut differently from now on
		p.local, p.fragment, p.repairs = local, 0, nil
	}
	if p.counts(c) && (p.shift == 0 || !slices.Equal(p.locs, before)) {
		p.shift += c.validation.secretStep(p.peer)
		p.begin()
	}
}

// unmatch ends it.
func (w *localWriter) unmatch(c *Core, p *readerProxy) {
	c.sched.kill(&p.task)
	delete(w.proxies, p.guid)
	for i, o := range w.order {
		if o == p {
			w.order = append(w.order[:i:i], w.order[i+1:]...)
			break
		}
	}
	w.dismiss(p)
	if !w.builtin {
		p.peer.subscribe(-1)
	}
	w.stats.Matched--
	c.trim(w)
	c.watch.changed()
}

// ackNack takes in an ACKNACK: the reader has all changes below its base, and misses those of its set.
func (p *readerProxy) ackNack(c *Core, a *wire.AckNack, now time.Time) {
	if !p.reliable || a.Count <= p.answered.ack && now.Sub(p.answered.at) < staleCount && p.answered.ack > 0 {
		return
	}
	p.answered.ack, p.answered.at, p.heartbeat.tries, p.heartbeat.asked = a.Count, now, 0, time.Time{}
	if p.writer.builtin && !p.peer.validatedPath {
		p.peer.validatedPath = true
	}
	opening := a.State.Base == 0 || a.Count == 0
	if !p.live {
		if opening && p.peer.vendor == wire.VendorCyclone && !p.writer.builtin && !p.keeps {
			p.beat(c, false) // it has not yet seen our first HEARTBEAT
			return
		}
		if opening && p.shift > 0 {
			p.beat(c, false) // it does not yet know from where on it counts
			return
		}
		p.live = true
		p.resetHeartbeatPause()
		c.watch.changed()
	}
	p.acknowledge(c, a.State.Base-1)
	asked := p.request(c, a, now)
	if asked || !a.Final {
		p.beat(c, !asked && !opening && p.acked == p.writer.last)
	}
	c.sched.soon(&p.task)
}

// acknowledge notes that the reader has all changes up to sn.
func (p *readerProxy) acknowledge(c *Core, sn wire.SequenceNumber) {
	sn = min(sn, p.writer.last)
	if sn <= p.acked {
		return
	}
	p.acked = sn
	if p.large && p.fragment == 0 && sn >= p.next-1 {
		p.large = false
		p.peer.pacer.judge(true)
	}
	if p.next <= sn {
		p.next, p.fragment = sn+1, 0
	}
	p.resetHeartbeatPause()
	p.heartbeat.at = time.Time{}
	for i := 0; i < len(p.repairs); i++ {
		if p.repairs[i].sn <= sn {
			p.repairs = append(p.repairs[:i], p.repairs[i+1:]...)
			i--
		}
	}
	c.trim(p.writer)
}

// got gives the number up to which the reader lacks no change.
func (p *readerProxy) got() wire.SequenceNumber {
	if p.reliable {
		return p.acked
	}
	return p.next - 1
}

// resetHeartbeatPause resets the pause between HEARTBEATs to its shortest.
func (p *readerProxy) resetHeartbeatPause() { p.heartbeat.wait, p.heartbeat.tries = heartbeatFirst, 0 }

// request notes the changes that an ACKNACK asks for. It is false where none is to be sent again.
func (p *readerProxy) request(c *Core, a *wire.AckNack, now time.Time) bool {
	asked := false
	for sn := max(a.State.Base, 1); sn < min(a.State.End(), p.next); sn++ {
		if !a.State.Contains(sn) || p.has(sn) || p.repairing(sn) {
			continue
		}
		if p.flying(sn, now) {
			asked = true // it may still arrive; the HEARTBEAT that follows will ask again
			continue
		}
		asked = p.want(sn, max(1, a.State.Base)) || asked
	}
	return asked
}

// flying reports that fragments of a sample may still be in flight.
func (p *readerProxy) flying(sn wire.SequenceNumber, now time.Time) bool {
	since, limit := now.Sub(p.sentAt), inFlight
	if p.local {
		limit = localInFlight
	}
	if sn < p.next-1 || since >= limit {
		return false
	}
	h := p.writer.hist.find(sn)
	return h != nil && p.fragments(h) > 1
}

// silent reports that the reader has not answered for so long that it may be dead.
func (p *readerProxy) silent(now time.Time) bool {
	return !p.heartbeat.asked.IsZero() && now.Sub(p.heartbeat.asked) > silence
}

// want notes that one sample is to be sent again. Requests that no longer fit into the set are dropped; the
// reader repeats them.
func (p *readerProxy) want(sn, base wire.SequenceNumber) bool {
	if sn-p.resend.Base >= window || p.resend.Empty() {
		p.resend = wire.SequenceNumberSet{Base: base}
	}
	return p.resend.Add(sn)
}

// has reports that the reader has acknowledged a sample. Samples before its start it may still ask for; see
// lowest.
func (p *readerProxy) has(sn wire.SequenceNumber) bool { return sn >= p.start && sn <= p.acked }

// repairing reports that fragments of a sample are being sent again.
func (p *readerProxy) repairing(sn wire.SequenceNumber) bool {
	for i := range p.repairs {
		if p.repairs[i].sn == sn {
			return true
		}
	}
	return false
}

// beat schedules a HEARTBEAT with the next run. It is final only if every request for it is.
func (p *readerProxy) beat(c *Core, final bool) {
	p.heartbeat.final = final && (p.heartbeat.final || !p.heartbeat.due)
	p.heartbeat.due = true
	c.sched.soon(&p.task)
}

// payload gives the payload of a change for this reader.
func (p *readerProxy) payload(h *change) []byte {
	if h.untyped != nil && !p.typed {
		return h.untyped
	}
	return h.payload
}

// fragmentSize gives the octets per fragment for a change; constant as long as the reader's address is.
func (p *readerProxy) fragmentSize(h *change) int {
	switch {
	case p.local:
		return localFragment
	case len(h.qos) > 0:
		return qosFragment
	}
	return remoteFragment
}

// datagram gives the largest datagram for this reader.
func (p *readerProxy) datagram() int {
	if p.local {
		return localDatagram
	}
	return remoteDatagram
}

// overhead is the octets around the payload of a DATA in its datagram: header, INFO_DST, INFO_TS, the
// submessage and a HEARTBEAT.
const overhead = wire.HeaderSize + 16 + 12 + 24 + 32

// fragments gives the number of fragments of a change; 1 when it is sent whole.
func (p *readerProxy) fragments(h *change) uint32 {
	n := len(p.payload(h))
	if n+len(h.qos)+overhead <= p.datagram() {
		return 1
	}
	size := p.fragmentSize(h)
	return uint32((n + size - 1) / size)
}
