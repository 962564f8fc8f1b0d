package rtps

import (
	"time"

	"simdeck/ros/rtps/wire"
)

// message is the state of a receiver while it goes through the submessages of one datagram (RTPS 2.2 §8.3.4).
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

// messageReceiver reads datagrams submessage by submessage (RTPS 2.2 §8.3.4), and bounds the cost of those
// that serve nobody.
type messageReceiver struct {
	core    *Core
	origins map[wire.Locator]*tokenBucket // new participants by origin; see newcomer
	waste   tokenBucket                   // of datagrams that serve nobody; see rest
}

// Receive takes in a datagram from an address. It never fails: what is wrong is counted. The result is for
// how long whoever reads the socket is to rest before the next one.
func (c *Core) Receive(b []byte, from wire.Locator, now time.Time) (rest time.Duration) {
	defer func() {
		if r := recover(); r != nil {
			c.notices.fault(b, from, r, now)
		}
	}()
	before := c.stats.useless()
	return c.receiver.rest(c.receiver.receive(b, from, now), before, now)
}

// receive is Receive. It is true when the datagram was of somebody known.
func (rx *messageReceiver) receive(b []byte, from wire.Locator, now time.Time) bool {
	rx.core.stats.Traffic.PacketsIn++
	rx.core.stats.Traffic.BytesIn += uint64(len(b))
	h, off, err := wire.ParseHeader(b)
	if err != nil || !h.Version.Supported() || h.Prefix == rx.core.cfg.Prefix {
		rx.core.stats.Foreign++
		return false
	}
	m := message{src: h.Prefix, vendor: h.Vendor, from: from, now: now, forUs: true, raw: b}
	rx.origin(&m)
	for off < len(b) {
		s, n, err := wire.ParseSubmessage(b[off:])
		if err == nil {
			err = rx.submessage(&m, s.ID, b[off:off+n])
		}
		if err != nil { // an invalid submessage makes the rest of the message invalid (RTPS 2.2 §8.3.4.1)
			rx.core.stats.Malformed++
			return false
		}
		off += n
	}
	return m.peer != nil
}

// origin looks up the sending participant; whatever it sends renews its lease.
func (rx *messageReceiver) origin(m *message) {
	m.peer = rx.core.spdp.peers[m.src]
	if m.peer == nil {
		return
	}
	if rx.core.validation.isUnvalidated(m.peer, m) {
		m.forUs, m.unvalidated = false, true
		return
	}
	m.peer.seen = m.now
}

// submessage gives one submessage to the method of its kind. Kinds that are not known are skipped.
func (rx *messageReceiver) submessage(m *message, id uint8, b []byte) error {
	switch id {
	case wire.IDInfoDst:
		return rx.onInfoDst(m, b)
	case wire.IDInfoSource:
		return rx.onInfoSource(m, b)
	case wire.IDInfoTimestamp:
		return rx.onInfoTimestamp(m, b)
	}
	switch {
	case m.unvalidated:
		return rx.core.validation.onUnvalidatedAddress(m, id, b)
	case !m.forUs:
		return nil
	case !rx.controls(m, id):
		rx.core.stats.Shed++
		return nil
	}
	switch id {
	case wire.IDData:
		return rx.onData(m, b)
	case wire.IDDataFrag:
		return rx.onDataFrag(m, b)
	case wire.IDHeartbeat:
		return rx.onHeartbeat(m, b)
	case wire.IDHeartbeatFrag:
		return rx.onHeartbeatFrag(m, b)
	case wire.IDGap:
		return rx.onGap(m, b)
	case wire.IDAckNack:
		return rx.onAckNack(m, b)
	case wire.IDNackFrag:
		return rx.onNackFrag(m, b)
	}
	return nil
}

func (rx *messageReceiver) onInfoDst(m *message, b []byte) error {
	d, _, err := wire.ParseInfoDst(b)
	m.named = d.Prefix == rx.core.cfg.Prefix
	m.forUs = (m.named || d.Prefix.IsZero()) && !m.unvalidated
	switch {
	case !m.named || m.unvalidated:
	case m.peer == nil:
		rx.core.spdp.addPending(m.src)
	case m.peer.announced(m.from.IPv4()) || rx.core.net.sameHost(m.peer, m.from) ||
		!rx.core.validation.canValidate(m.peer, m.now):
		rx.core.validation.validateAddress(m.peer, m.from)
	}
	return err
}

func (rx *messageReceiver) onInfoSource(m *message, b []byte) error {
	s, _, err := wire.ParseInfoSource(b)
	if err != nil {
		return err
	}
	m.src, m.vendor, m.stamp, m.unvalidated = s.Prefix, s.Vendor, time.Time{}, false
	if m.src == rx.core.cfg.Prefix {
		m.forUs = false
	}
	rx.origin(m)
	return nil
}

func (rx *messageReceiver) onInfoTimestamp(m *message, b []byte) error {
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

func (rx *messageReceiver) onData(m *message, b []byte) error {
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
		return rx.core.spdp.onParticipant(m, &a)
	}
	if !rx.core.validation.heard(m) {
		return nil
	}
	for _, w := range rx.core.local.inbound[wire.GUID{Prefix: m.src, Entity: d.Writer}] {
		if d.Reader == wire.EntityUnknown || d.Reader == w.reader.guid.Entity {
			w.data(rx.core, &a)
		}
	}
	return nil
}

func (rx *messageReceiver) onDataFrag(m *message, b []byte) error {
	d, _, err := wire.ParseDataFrag(b)
	if err != nil || !rx.core.validation.heard(m) {
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
	for _, w := range rx.core.local.inbound[wire.GUID{Prefix: m.src, Entity: d.Writer}] {
		if d.Reader == wire.EntityUnknown || d.Reader == w.reader.guid.Entity {
			w.fragment(rx.core, &a, &d)
		}
	}
	return nil
}

func (rx *messageReceiver) onHeartbeat(m *message, b []byte) error {
	h, _, err := wire.ParseHeartbeat(b)
	if err != nil || !rx.core.validation.heard(m) {
		return err
	}
	for _, w := range rx.core.local.inbound[wire.GUID{Prefix: m.src, Entity: h.Writer}] {
		if h.Reader == wire.EntityUnknown || h.Reader == w.reader.guid.Entity {
			w.heartbeat(rx.core, &h, m.now)
		}
	}
	m.peer = rx.core.spdp.peers[m.src] // it may have been dropped
	return nil
}

func (rx *messageReceiver) onHeartbeatFrag(m *message, b []byte) error {
	h, _, err := wire.ParseHeartbeatFrag(b)
	if err != nil || !rx.core.validation.heard(m) {
		return err
	}
	for _, w := range rx.core.local.inbound[wire.GUID{Prefix: m.src, Entity: h.Writer}] {
		if h.Reader == wire.EntityUnknown || h.Reader == w.reader.guid.Entity {
			w.heartbeatFrag(rx.core, &h, m.now)
		}
	}
	return nil
}

func (rx *messageReceiver) onGap(m *message, b []byte) error {
	g, _, err := wire.ParseGap(b)
	if err != nil || !rx.core.validation.heard(m) {
		return err
	}
	for _, w := range rx.core.local.inbound[wire.GUID{Prefix: m.src, Entity: g.Writer}] {
		if g.Reader == wire.EntityUnknown || g.Reader == w.reader.guid.Entity {
			w.gap(rx.core, &g, m.now)
		}
	}
	return nil
}

func (rx *messageReceiver) onAckNack(m *message, b []byte) error {
	a, _, err := wire.ParseAckNack(b)
	if err != nil {
		return err
	}
	p := rx.readerProxy(m, a.Writer, a.Reader)
	if p == nil {
		rx.core.validation.heard(m)
		return nil
	}
	ok, proven := p.unshift(&a)
	known := rx.core.validation.heard(m)
	if p.counts(rx.core) && a.State.Base > 0 && rx.core.validation.validate(p.peer, m.from, proven, m.now) {
		known = true
	}
	switch {
	case !known:
	case !ok:
		rx.core.stats.Refused++
	case p.restarted(&a, m.now):
		rx.core.spdp.restart(p.peer, p.guid, m.now)
		m.peer = nil
	default:
		p.ackNack(rx.core, &a, m.now)
	}
	return nil
}

func (rx *messageReceiver) onNackFrag(m *message, b []byte) error {
	f, _, err := wire.ParseNackFrag(b)
	if err != nil || !rx.core.validation.heard(m) {
		return err
	}
	if p := rx.readerProxy(m, f.Writer, f.Reader); p != nil {
		p.nackFrag(rx.core, &f, m.now)
	}
	return nil
}

// readerProxy finds what a local writer knows of the sender's reader; nil when they are not matched.
func (rx *messageReceiver) readerProxy(m *message, writer, reader wire.EntityID) *readerProxy {
	w := rx.core.local.writers[writer]
	if w == nil {
		return nil
	}
	return w.proxies[wire.GUID{Prefix: m.src, Entity: reader}]
}
