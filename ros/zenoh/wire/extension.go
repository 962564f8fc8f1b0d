package wire

import "fmt"

// Parts of an extension's header: more follow, how it is encoded, whether it must be understood, which it is.
const (
	extMore      = 0x80
	extEncoding  = 0x60
	extMandatory = 0x10
	extID        = 0x0f

	extUnit   = 0x00
	extNumber = 0x20
	extOctets = 0x40
)

// Extensions of network messages, with their encoding.
const (
	extQoS       = 0x1 | extNumber
	extTimestamp = 0x2 | extOctets
	extNode      = 0x3 | extNumber | extMandatory // of the sender among routers
	extTarget    = 0x4 | extNumber | extMandatory
	extTimeout   = 0x6 | extNumber
	extResponder = 0x3 | extOctets
	extKey       = 0xf | extOctets | extMandatory
)

// extension is a part of a message that its sender may leave out.
type extension struct {
	kind   byte // header without extMore
	number uint64
	octets []byte
}

// extensions gives the extensions at the cursor to f, which is false of one that it does not know.
func (c *cursor) extensions(present bool, of string, f func(extension) bool) {
	for more := present; more && c.err == nil; {
		header := c.octet()
		more = header&extMore != 0
		e := extension{kind: header &^ extMore}
		switch header & extEncoding {
		case extUnit:
		case extNumber:
			e.number = c.zint()
		case extOctets:
			e.octets = c.octets()
		default:
			c.fail(fmt.Errorf("%w: extension %#x of %s has no known encoding", ErrMalformed, header, of))
		}
		if c.err == nil && !f(e) && e.kind&extMandatory != 0 {
			c.fail(fmt.Errorf("%w: %#x of %s", ErrExtension, e.kind, of))
		}
	}
}

// none knows no extension.
func none(extension) bool { return false }

// extender appends extensions and says of each that another follows, until the last.
type extender struct {
	b    []byte
	last int // index of the last header; 0: none yet
}

func (x *extender) header(kind byte) {
	if x.last > 0 {
		x.b[x.last] |= extMore
	}
	x.last = len(x.b)
	x.b = append(x.b, kind)
}

func (x *extender) number(kind byte, v uint64) {
	x.header(kind)
	x.b = AppendZInt(x.b, v)
}

func (x *extender) octets(kind byte, v []byte) {
	x.header(kind)
	x.b = AppendOctets(x.b, v)
}
