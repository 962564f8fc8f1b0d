package wire

// KeyExpr is a key expression on the wire: what a declared number stands for, and text behind it.
type KeyExpr struct {
	Scope  uint16 // declared by DeclareKey; 0: nothing
	Suffix []byte // behind it
	// the number was declared by the sender of the message, not by its receiver
	OfSender bool
}

// Flags of messages with a key expression.
const (
	flagNamed    = 0x20 // there is a suffix
	flagOfSender = 0x40
	flagExt      = 0x80
)

// Key is a key expression of text alone.
func Key(text string) KeyExpr { return KeyExpr{Suffix: []byte(text)} }

// flags are those of the message that carries it.
func (k KeyExpr) flags() (f byte) {
	if len(k.Suffix) > 0 {
		f |= flagNamed
	}
	if k.OfSender {
		f |= flagOfSender
	}
	return f
}

func (k KeyExpr) append(b []byte) []byte {
	b = AppendZInt(b, uint64(k.Scope))
	if len(k.Suffix) > 0 {
		b = AppendOctets(b, k.Suffix)
	}
	return b
}

// keyExpr reads what append wrote, with the flags of its message.
func (c *cursor) keyExpr(flags byte) KeyExpr {
	k := KeyExpr{Scope: uint16(c.bounded(16)), OfSender: flags&flagOfSender != 0}
	if flags&flagNamed != 0 {
		k.Suffix = c.octets()
		if len(k.Suffix) > maxSuffix {
			c.fail(ErrMalformed)
		}
	}
	return k
}

// maxSuffix is the greatest length of a suffix: it is counted in 16 bits.
const maxSuffix = 1<<16 - 1
