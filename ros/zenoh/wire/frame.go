package wire

// Frame carries whole network messages, to the end of its batch.
type Frame struct {
	Reliable bool
	SN       uint32
	Messages []byte
}

// Fragment carries a part of a network message that is larger than a batch, to the end of its own.
type Fragment struct {
	Reliable bool
	More     bool // parts follow
	SN       uint32
	First    bool // of sessions whose Init has Patch 1
	Dropped  bool // the sender has given up the rest of the message
	Part     []byte
}

const (
	idFrame      = 0x05
	idFragment   = 0x06
	flagReliable = 0x20
	flagMore     = 0x40

	extFrameQoS = 0x1 | extNumber | extMandatory
	extFirst    = 0x2 | extUnit
	extDropped  = 0x3 | extUnit
)

// Append encodes the message; the messages may be appended behind it, too.
func (m *Frame) Append(b []byte) []byte {
	header := byte(idFrame)
	if m.Reliable {
		header |= flagReliable
	}
	return append(AppendZInt(append(b, header), uint64(m.SN)), m.Messages...)
}

func (c *cursor) frame() (m Frame) {
	header := c.octet()
	m.Reliable, m.SN = header&flagReliable != 0, uint32(c.bounded(32))
	c.extensions(header&flagExt != 0, "Frame", func(e extension) bool { return e.kind == extFrameQoS })
	m.Messages = c.take(uint64(len(c.left)))
	return m
}

// Append encodes the message.
func (m *Fragment) Append(b []byte) []byte {
	at := len(b)
	b = append(b, idFragment)
	if m.Reliable {
		b[at] |= flagReliable
	}
	if m.More {
		b[at] |= flagMore
	}
	x := extender{b: AppendZInt(b, uint64(m.SN))}
	if m.First {
		x.header(extFirst)
	}
	if m.Dropped {
		x.header(extDropped)
	}
	if x.last > 0 {
		x.b[at] |= flagExt
	}
	return append(x.b, m.Part...)
}

func (c *cursor) fragment() (m Fragment) {
	header := c.octet()
	m.Reliable, m.More, m.SN = header&flagReliable != 0, header&flagMore != 0, uint32(c.bounded(32))
	c.extensions(header&flagExt != 0, "Fragment", func(e extension) bool {
		switch e.kind {
		case extFrameQoS:
		case extFirst:
			m.First = true
		case extDropped:
			m.Dropped = true
		default:
			return false
		}
		return true
	})
	m.Part = c.take(uint64(len(c.left)))
	return m
}
