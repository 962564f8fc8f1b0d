package wire

import "fmt"

// What says what a declaration declares.
type What uint8

// Kinds of declarations. Of a token it is heard that it is there, by who has declared an interest.
const (
	DeclareKey What = iota
	UndeclareKey
	DeclareSubscriber
	UndeclareSubscriber
	DeclareQueryable
	UndeclareQueryable
	DeclareToken
	UndeclareToken
	DeclareFinal What = 0x1a // all that an Interest asked for has been told
)

// Declare says that something is there from now on, or no more.
type Declare struct {
	Answers  bool   // an Interest
	Interest uint32 // ID of that
	What     What
	ID       uint32  // the sender's, of what is declared
	Key      KeyExpr // of the declaration; optional where something is undeclared
	Complete bool    // of a queryable: it has all that there is on its key
}

const (
	idDeclare     = 0x1e
	flagAnswers   = 0x20
	extComplete   = 0x1 | extNumber
	keyExtNamed   = 0x01
	keyExtSender  = 0x02
	priorityOfAll = Control | Block // of declarations
)

// Append encodes the message.
func (m *Declare) Append(b []byte) []byte {
	at := len(b)
	b = append(b, idDeclare|flagExt)
	if m.Answers {
		b[at] |= flagAnswers
		b = AppendZInt(b, uint64(m.Interest))
	}
	x := extender{b: b}
	x.number(extQoS, uint64(priorityOfAll))
	b = x.b
	switch at = len(b); m.What {
	case DeclareFinal:
		return append(b, byte(DeclareFinal))
	case DeclareKey: // always by its sender
		b = AppendZInt(append(b, byte(m.What)|m.Key.flags()&flagNamed), uint64(m.ID))
		return m.Key.append(b)
	case DeclareSubscriber, DeclareQueryable, DeclareToken:
		b = AppendZInt(append(b, byte(m.What)|m.Key.flags()), uint64(m.ID))
		x = extender{b: m.Key.append(b)}
		if m.What == DeclareQueryable && m.Complete {
			x.number(extComplete, 1)
			x.b[at] |= flagExt
		}
	default:
		x = extender{b: AppendZInt(append(b, byte(m.What)), uint64(m.ID))}
		if m.What != UndeclareKey && (m.Key.Scope != 0 || len(m.Key.Suffix) > 0) {
			x.octets(extKey, m.Key.appendExtension(nil))
			x.b[at] |= flagExt
		}
	}
	return x.b
}

// appendExtension is the key expression as the extension of what undeclares.
func (k KeyExpr) appendExtension(b []byte) []byte {
	var flags byte
	if len(k.Suffix) > 0 {
		flags |= keyExtNamed
	}
	if k.OfSender {
		flags |= keyExtSender
	}
	return append(AppendZInt(append(b, flags), uint64(k.Scope)), k.Suffix...)
}

func (c *cursor) declare() (m Declare) {
	header := c.octet()
	if m.Answers = header&flagAnswers != 0; m.Answers {
		m.Interest = uint32(c.bounded(32))
	}
	c.extensions(header&flagExt != 0, "Declare", func(e extension) bool {
		return e.kind == extQoS || e.kind == extNode
	})
	header = c.octet()
	switch m.What = What(header & idMask); m.What {
	case DeclareFinal:
		c.extensions(header&flagExt != 0, "DeclareFinal", none)
	case DeclareKey:
		m.ID, m.Key = uint32(c.bounded(16)), c.keyExpr(header&flagNamed)
		c.extensions(header&flagExt != 0, "DeclareKey", none)
	case UndeclareKey:
		m.ID = uint32(c.bounded(16))
		c.extensions(header&flagExt != 0, "UndeclareKey", none)
	case DeclareSubscriber, DeclareQueryable, DeclareToken:
		m.ID, m.Key = uint32(c.bounded(32)), c.keyExpr(header)
		c.extensions(header&flagExt != 0, "a declaration", func(e extension) bool {
			if e.kind == extComplete {
				m.Complete = m.What == DeclareQueryable && e.number&1 != 0
			}
			return e.kind == extComplete
		})
	case UndeclareSubscriber, UndeclareQueryable, UndeclareToken:
		m.ID = uint32(c.bounded(32))
		c.extensions(header&flagExt != 0, "what undeclares", func(e extension) bool {
			if e.kind == extKey {
				m.Key = c.keyExtension(e.octets)
			}
			return e.kind == extKey
		})
	default:
		if c.err == nil {
			c.fail(fmt.Errorf("%w: no declaration %#x is known", ErrMalformed, m.What))
		}
	}
	return m
}

// keyExtension is the inverse of KeyExpr.appendExtension.
func (c *cursor) keyExtension(b []byte) (k KeyExpr) {
	in := cursor{left: b}
	flags := in.octet()
	k.Scope, k.OfSender = uint16(in.bounded(16)), flags&keyExtSender != 0
	if flags&keyExtNamed != 0 {
		k.Suffix = in.take(uint64(len(in.left)))
	}
	if in.err != nil {
		c.fail(in.err)
	}
	return k
}
