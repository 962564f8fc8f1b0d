package wire

// Mode says which declarations an Interest asks for.
type Mode uint8

// Modes: no more, those that stand, those that come, both.
const (
	Ended Mode = iota
	Current
	Future
	CurrentFuture
)

// Kinds of declarations that an Interest asks for.
const (
	OfKeys        uint8 = 0x01
	OfSubscribers uint8 = 0x02
	OfQueryables  uint8 = 0x04
	OfTokens      uint8 = 0x08
	Aggregated    uint8 = 0x80 // as few as cover them

	restricted    uint8 = 0x10
	interestNamed uint8 = 0x20
	interestOwn   uint8 = 0x40
	asked               = OfKeys | OfSubscribers | OfQueryables | OfTokens | Aggregated
)

// Interest asks for declarations on keys that meet a key expression.
type Interest struct {
	ID   uint32
	Mode Mode
	Of   uint8   // OfSubscribers and the like
	Key  KeyExpr // the zero value: all keys
}

const (
	idInterest = 0x19
	modeShift  = 5
	modeMask   = 0x60
)

// Append encodes the message.
func (m *Interest) Append(b []byte) []byte {
	b = append(b, idInterest|flagExt|byte(m.Mode)<<modeShift&modeMask)
	b = AppendZInt(b, uint64(m.ID))
	if m.Mode != Ended {
		of := m.Of & asked
		any := m.Key.Scope == 0 && len(m.Key.Suffix) == 0
		if !any {
			of |= restricted
		}
		if len(m.Key.Suffix) > 0 {
			of |= interestNamed
		}
		if !any && m.Key.OfSender {
			of |= interestOwn
		}
		b = append(b, of)
		if !any {
			b = m.Key.append(b)
		}
	}
	x := extender{b: b}
	x.number(extQoS, uint64(priorityOfAll))
	return x.b
}

func (c *cursor) interest() (m Interest) {
	header := c.octet()
	m.ID, m.Mode = uint32(c.bounded(32)), Mode(header&modeMask>>modeShift)
	if m.Mode != Ended {
		of := c.octet()
		m.Of = of & asked
		if of&restricted != 0 {
			var flags byte
			if of&interestNamed != 0 {
				flags |= flagNamed
			}
			if of&interestOwn != 0 {
				flags |= flagOfSender
			}
			m.Key = c.keyExpr(flags)
		}
	}
	c.extensions(header&flagExt != 0, "Interest", func(e extension) bool {
		return e.kind == extQoS || e.kind == extNode
	})
	return m
}
