package wire

import "fmt"

// Version is that of the protocol.
const Version = 9

// Role is the duty of a session: a router passes messages on, a client has one router.
type Role uint8

// Roles.
const (
	Router Role = iota
	Peer
	Client
)

// Defaults of Init: 32 bits for sequence numbers and request numbers, and the largest batch.
const (
	DefaultResolution = 0x0a
	MaxBatch          = 1<<16 - 1
)

// Init is the first message each way: InitSyn asks, InitAck answers with a cookie, which Open gives back.
type Init struct {
	Ack        bool
	Version    uint8
	Role       Role
	ID         ID
	Resolution uint8  // bits of sequence numbers, then of request numbers, two bits each: 8, 16, 32, 64
	Batch      uint16 // largest batch that is taken
	Cookie     []byte // of an Ack
	QoS        bool   // each priority has its own sequence numbers
	Patch      uint64 // 1: fragments say which is the first
}

const (
	idInit     = 0x01
	flagAck    = 0x20
	flagSized  = 0x40
	extInitQoS = 0x1 | extUnit
	extPatch   = 0x7 | extNumber
)

// Append encodes the message.
func (m *Init) Append(b []byte) []byte {
	at := len(b)
	b = append(b, idInit, m.Version)
	b = m.ID.appendSized(b, byte(m.Role))
	if m.Ack {
		b[at] |= flagAck
	}
	if m.Resolution != DefaultResolution || m.Batch != MaxBatch {
		b[at] |= flagSized
		b = append(b, m.Resolution, byte(m.Batch), byte(m.Batch>>8))
	}
	if m.Ack {
		b = AppendOctets(b, m.Cookie)
	}
	x := extender{b: b}
	if m.QoS {
		x.header(extInitQoS)
	}
	if m.Patch != 0 {
		x.number(extPatch, m.Patch)
	}
	if x.last > 0 {
		x.b[at] |= flagExt
	}
	return x.b
}

func (c *cursor) init() (m Init) {
	header := c.octet()
	m.Ack, m.Version = header&flagAck != 0, c.octet()
	var flags byte
	m.ID, flags = c.sizedID()
	if m.Role = Role(flags & 3); m.Role > Client {
		c.fail(fmt.Errorf("%w: %d is no role of a session", ErrMalformed, m.Role))
	}
	m.Resolution, m.Batch = DefaultResolution, MaxBatch
	if header&flagSized != 0 {
		m.Resolution, m.Batch = c.octet(), c.uint16()
	}
	if m.Ack {
		m.Cookie = c.octets()
	}
	c.extensions(header&flagExt != 0, "Init", func(e extension) bool {
		switch e.kind {
		case extInitQoS:
			m.QoS = true
		case extPatch:
			m.Patch = e.number
		default:
			return false
		}
		return true
	})
	return m
}
