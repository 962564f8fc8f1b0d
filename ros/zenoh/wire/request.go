package wire

import (
	"fmt"
	"math"
	"time"
)

// Target says which of the queryables of a key a query is for.
type Target uint8

// Targets: the nearest complete one or all, all of them, all complete ones.
const (
	BestMatching Target = iota
	All
	AllComplete
)

// Consolidation says which of the answers with one key are given to who asks.
type Consolidation uint8

// Consolidations: what the router likes, all, only later ones, the latest.
const (
	Auto Consolidation = iota
	NotConsolidated
	Monotonic
	Latest
)

// Request carries a query to the queryables of a key.
type Request struct {
	ID      uint32 // of the sender's choice; Response and ResponseFinal have it
	Key     KeyExpr
	QoS     QoS // 0: Data
	Target  Target
	Timeout time.Duration // after which no answer is taken; 0: none is told

	Consolidation Consolidation
	Parameters    []byte // "_max=1;_anyke"
	HasBody       bool   // there is a payload, which may be empty
	Encoding      Encoding
	Payload       []byte
	Attachment    []byte
}

const (
	idRequest = 0x1c
	idQuery   = 0x03

	flagConsolidation = 0x20
	flagParameters    = 0x40

	extBody            = 0x3 | extOctets
	extQueryAttachment = 0x5 | extOctets
)

// Append encodes the message.
func (m *Request) Append(b []byte) []byte {
	at := len(b)
	b = AppendZInt(append(b, idRequest|m.Key.flags()), uint64(m.ID))
	x := extender{b: m.Key.append(b)}
	if m.QoS != 0 && m.QoS != Data {
		x.number(extQoS, uint64(m.QoS))
	}
	if m.Target != BestMatching {
		x.number(extTarget, uint64(m.Target))
	}
	if m.Timeout > 0 {
		x.number(extTimeout, uint64(m.Timeout/time.Millisecond))
	}
	if x.last > 0 {
		x.b[at] |= flagExt
	}
	return m.appendQuery(x.b)
}

func (m *Request) appendQuery(b []byte) []byte {
	at := len(b)
	b = append(b, idQuery)
	if m.Consolidation != Auto {
		b[at] |= flagConsolidation
		b = append(b, byte(m.Consolidation))
	}
	if len(m.Parameters) > 0 {
		b[at] |= flagParameters
		b = AppendOctets(b, m.Parameters)
	}
	x := extender{b: b}
	if m.HasBody {
		var scratch [16]byte
		coded := m.Encoding.append(scratch[:0])
		x.header(extBody)
		x.b = AppendZInt(x.b, uint64(len(coded)+len(m.Payload)))
		x.b = append(append(x.b, coded...), m.Payload...)
	}
	if len(m.Attachment) > 0 {
		x.octets(extQueryAttachment, m.Attachment)
	}
	if x.last > 0 {
		x.b[at] |= flagExt
	}
	return x.b
}

func (c *cursor) request() (m Request) {
	header := c.octet()
	m.ID, m.Key, m.QoS = uint32(c.bounded(32)), c.keyExpr(header), Data
	c.extensions(header&flagExt != 0, "Request", func(e extension) bool {
		switch e.kind {
		case extQoS:
			m.QoS = QoS(e.number)
		case extTarget:
			m.Target = Target(min(e.number, math.MaxUint8))
		case extTimeout:
			m.Timeout = time.Millisecond *
				time.Duration(min(e.number, math.MaxInt64/uint64(time.Millisecond)))
		case extNode:
		default:
			return false
		}
		return true
	})
	c.query(&m)
	return m
}

func (c *cursor) query(m *Request) {
	header := c.octet()
	if id := header & idMask; id != idQuery && c.err == nil {
		c.fail(fmt.Errorf("%w: a request carries %#x, want a query", ErrMalformed, id))
	}
	if header&flagConsolidation != 0 {
		m.Consolidation = Consolidation(c.octet())
	}
	if header&flagParameters != 0 {
		m.Parameters = c.octets()
	}
	c.extensions(header&flagExt != 0, "Query", func(e extension) bool {
		switch e.kind {
		case extBody:
			body := cursor{left: e.octets}
			m.HasBody, m.Encoding, m.Payload = true, body.encoding(), body.left
			if body.err != nil {
				c.fail(body.err)
			}
		case extQueryAttachment:
			m.Attachment = e.octets
		default:
			return false
		}
		return true
	})
}
