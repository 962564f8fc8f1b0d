package wire

import (
	"math"
	"time"
)

// Open ends the handshake: OpenSyn gives the cookie back, OpenAck says that the session stands.
type Open struct {
	Ack    bool
	Lease  time.Duration // for which the sender may be silent until it is taken for gone
	SN     uint64        // of the sender's first frame
	Cookie []byte        // of an OpenSyn
}

const (
	idOpen      = 0x02
	flagSeconds = 0x40
)

// Append encodes the message.
func (m *Open) Append(b []byte) []byte {
	header, lease := byte(idOpen), uint64(m.Lease/time.Millisecond)
	if m.Ack {
		header |= flagAck
	}
	if m.Lease%time.Second == 0 {
		header |= flagSeconds
		lease /= 1000
	}
	b = AppendZInt(append(b, header), lease)
	b = AppendZInt(b, m.SN)
	if !m.Ack {
		b = AppendOctets(b, m.Cookie)
	}
	return b
}

func (c *cursor) open() (m Open) {
	header, lease, unit := c.octet(), c.zint(), time.Millisecond
	if header&flagSeconds != 0 {
		unit = time.Second
	}
	m.Ack = header&flagAck != 0
	m.Lease = time.Duration(min(lease, uint64(math.MaxInt64/unit))) * unit
	m.SN = c.bounded(32)
	if !m.Ack {
		m.Cookie = c.octets()
	}
	c.extensions(header&flagExt != 0, "Open", none)
	return m
}
