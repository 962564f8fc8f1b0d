package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// message is what the receiver of one datagram knows while it goes through the submessages (RTPS 2.2 §8.3.4).
type message struct {
	src         wire.GUIDPrefix
	vendor      wire.VendorID
	from        wire.Locator
	now         time.Time
	stamp       time.Time
	forUs       bool // the destination is this participant or everybody
	named       bool // the destination is this participant by name
	unvalidated bool // somebody else speaks in the name of a participant, as it seems
	raw         []byte
	peer        *peer
}

// Receive takes in a datagram from an address. It never fails: what is wrong is counted. The result is for how long whoever reads the
// socket is to rest before the next one.
func (c *Core) Receive(b []byte, from wire.Locator, now time.Time) (rest time.Duration) {
	defer func() {
		if r := recover(); r != nil {
			c.fault(b, from, r, now)
		}
	}()
	before := c.stats.useless()
	return c.rest(c.receive(b, from, now), before, now)
}

// receive is Receive. It is true when the datagram was of somebody known.
func (c *Core) receive(b []byte, from wire.Locator, now time.Time) bool {
	c.stats.PacketsIn++
	c.stats.BytesIn += uint64(len(b))
	h, off, err := wire.ParseHeader(b)
	if err != nil || !h.Version.Supported() || h.Prefix == c.cfg.Prefix {
		c.stats.Foreign++
		return false
	}
	m := message{src: h.Prefix, vendor: h.Vendor, from: from, now: now, forUs: true, raw: b}
	c.origin(&m)
	for off < len(b) {
		s, n, err := wire.ParseSubmessage(b[off:])
		if err == nil {
			err = c.submessage(&m, s.ID, b[off:off+n])
		}
		if err != nil { // an invalid submessage makes the rest of the message invalid (RTPS 2.2 §8.3.4.1)
			c.stats.Malformed++
			return false
		}
		off += n
	}
	return m.peer != nil
}

// origin looks up the sending participant; whatever it sends renews its lease.
func (c *Core) origin(m *message) {
	m.peer = c.peers[m.src]
	if m.peer == nil {
		return
	}
	if c.isUnvalidated(m.peer, m) {
		m.forUs, m.unvalidated = false, true
		return
	}
	m.peer.seen = m.now
}

// submessage gives one submessage to the method of its kind. Kinds that are not known are skipped.
func (c *Core) submessage(m *message, id uint8, b []byte) error {
	switch id {
	case wire.IDInfoDst:
		return c.onInfoDst(m, b)
	case wire.IDInfoSource:
		return c.onInfoSource(m, b)
	case wire.IDInfoTimestamp:
		return c.onInfoTimestamp(m, b)
	}
	switch {
	case m.unvalidated:
		return c.onUnvalidatedAddress(m, id, b)
	case !m.forUs:
		return nil
	case !c.controls(m, id):
		c.stats.Shed++
		return nil
	}
	switch id {
	case wire.IDData:
		return c.onData(m, b)
	case wire.IDDataFrag:
		return c.onDataFrag(m, b)
	case wire.IDHeartbeat:
		return c.onHeartbeat(m, b)
	case wire.IDHeartbeatFrag:
		return c.onHeartbeatFrag(m, b)
	case wire.IDGap:
		return c.onGap(m, b)
	case wire.IDAckNack:
		return c.onAckNack(m, b)
	case wire.IDNackFrag:
		return c.onNackFrag(m, b)
	}
	return nil
}

func (c *Core) onInfoDst(m *message, b []byte) error {
	d, _, err := wire.ParseInfoDst(b)
	m.named = d.Prefix == c.cfg.Prefix
	m.forUs = (m.named || d.Prefix.IsZero()) && !m.unvalidated
	switch {
	case !m.named || m.unvalidated:
	case m.peer == nil:
		c.addPending(m.src)
	case m.peer.announced(m.from.IPv4()) || c.sameHost(m.peer, m.from) || !c.canValidate(m.peer, m.now):
		c.validateAddress(m.peer, m.from)
	}
	return err
}

func (c *Core) onInfoSource(m *message, b []byte) error {
	s, _, err := wire.ParseInfoSource(b)
	if err != nil {
		return err
	}
	m.src, m.vendor, m.stamp, m.unvalidated = s.Prefix, s.Vendor, time.Time{}, false
	if m.src == c.cfg.Prefix {
		m.forUs = false
	}
	c.origin(m)
	return nil
}

func (c *Core) onInfoTimestamp(m *message, b []byte) error {
	i, _, err := wire.ParseInfoTimestamp(b)
	m.stamp = time.Time{}
	if !i.Invalid {
		m.stamp = i.Time.Time()
	}
	return err
}

// arrival is one change of a remote writer, whole or in part.
type arrival struct {
	sn      wire.SequenceNumber
	content wire.Content
	qos     wire.InlineQoS
	payload []byte // into the datagram
	stamp   time.Time
	now     time.Time
}

func (c *Core) onData(m *message, b []byte) error {
	d, _, err := wire.ParseData(b)
	if err != nil {
		return err
	}
	a := arrival{sn: d.SN, content: d.Content, payload: d.Payload, stamp: m.stamp, now: m.now}
	if d.InlineQoS != nil {
		if a.qos, _, err = wire.ParseInlineQoS(d.InlineQoS, d.BigEndian); err != nil {
			return err
		}
	}
	if d.Writer == wire.EntitySPDPWriter {
		return c.onParticipant(m, &a)
	}
	if !c.heard(m) {
		return nil
	}
	for _, w := range c.inbound[wire.GUID{Prefix: m.src, Entity: d.Writer}] {
		if d.Reader == wire.EntityUnknown || d.Reader == w.reader.guid.Entity {
			w.data(c, &a)
		}
	}
	return nil
}

func (c *Core) onDataFrag(m *message, b []byte) error {
	d, _, err := wire.ParseDataFrag(b)
	if err != nil || !c.heard(m) {
		return err
	}
	a := arrival{sn: d.SN, content: wire.ContentData, stamp: m.stamp, now: m.now}
	if d.Key {
		a.content = wire.ContentKey
	}
	if d.InlineQoS != nil {
		if a.qos, _, err = wire.ParseInlineQoS(d.InlineQoS, d.BigEndian); err != nil {
			return err
		}
	}
	for _, w := range c.inbound[wire.GUID{Prefix: m.src, Entity: d.Writer}] {
		if d.Reader == wire.EntityUnknown || d.Reader == w.reader.guid.Entity {
			w.fragment(c, &a, &d)
		}
	}
	return nil
}

func (c *Core) onHeartbeat(m *message, b []byte) error {
	h, _, err := wire.ParseHeartbeat(b)
	if err != nil || !c.heard(m) {
		return err
	}
	for _, w := range c.inbound[wire.GUID{Prefix: m.src, Entity: h.Writer}] {
		if h.Reader == wire.EntityUnknown || h.Reader == w.reader.guid.Entity {
			w.heartbeat(c, &h, m.now)
		}
	}
	m.peer = c.peers[m.src] // it may have been dropped
	return nil
}

func (c *Core) onHeartbeatFrag(m *message, b []byte) error {
	h, _, err := wire.ParseHeartbeatFrag(b)
	if err != nil || !c.heard(m) {
		return err
	}
	for _, w := range c.inbound[wire.GUID{Prefix: m.src, Entity: h.Writer}] {
		if h.Reader == wire.EntityUnknown || h.Reader == w.reader.guid.Entity {
			w.heartbeatFrag(c, &h, m.now)
		}
	}
	return nil
}

func (c *Core) onGap(m *message, b []byte) error {
	g, _, err := wire.ParseGap(b)
	if err != nil || !c.heard(m) {
		return err
	}
	for _, w := range c.inbound[wire.GUID{Prefix: m.src, Entity: g.Writer}] {
		if g.Reader == wire.EntityUnknown || g.Reader == w.reader.guid.Entity {
			w.gap(c, &g, m.now)
		}
	}
	return nil
}

func (c *Core) onAckNack(m *message, b []byte) error {
	a, _, err := wire.ParseAckNack(b)
	if err != nil {
		return err
	}
	p := c.readerProxy(m, a.Writer, a.Reader)
	if p == nil {
		c.heard(m)
		return nil
	}
	ok, proof := p.unshift(&a)
	known := c.heard(m)
	if p.counts(c) && a.State.Base > 0 && c.validate(p.peer, m.from, proof, m.now) {
		known = true
	}
	switch {
	case !known:
	case !ok:
		c.stats.Refused++
	case p.restarted(&a, m.now):
		c.restart(p.peer)
		m.peer = nil
	default:
		p.ackNack(c, &a, m.now)
	}
	return nil
}

func (c *Core) onNackFrag(m *message, b []byte) error {
	f, _, err := wire.ParseNackFrag(b)
	if err != nil || !c.heard(m) {
		return err
	}
	if p := c.readerProxy(m, f.Writer, f.Reader); p != nil {
		p.nackFrag(c, &f, m.now)
	}
	return nil
}

// readerProxy finds what a local writer knows of the sender's reader; nil when they are not matched.
func (c *Core) readerProxy(m *message, writer, reader wire.EntityID) *readerProxy {
	w := c.writers[writer]
	if w == nil {
		return nil
	}
	return w.proxies[wire.GUID{Prefix: m.src, Entity: reader}]
}
