package wire

import "fmt"

// Value is a publication on a key or an answer to a query: a payload, or the end of one.
type Value struct {
	Deleted    bool
	Timestamp  Timestamp
	Encoding   Encoding
	Attachment []byte
	Payload    []byte
}

// Encoding says how a payload is to be understood.
type Encoding struct {
	ID     uint16
	Schema []byte // of at most 255 octets
}

const (
	idPut     = 0x01
	idDel     = 0x02
	flagStamp = 0x20
	flagCoded = 0x40

	extPutAttachment = 0x3 | extOctets
	extDelAttachment = 0x2 | extOctets
)

func (e Encoding) none() bool { return e.ID == 0 && len(e.Schema) == 0 }

func (e Encoding) append(b []byte) []byte {
	id := uint64(e.ID) << 1
	if len(e.Schema) == 0 {
		return AppendZInt(b, id)
	}
	return AppendOctets(AppendZInt(b, id|1), e.Schema[:min(len(e.Schema), 255)])
}

func (c *cursor) encoding() (e Encoding) {
	id := c.bounded(17)
	e.ID = uint16(id >> 1)
	if id&1 != 0 {
		if e.Schema = c.octets(); len(e.Schema) > 255 {
			c.fail(ErrMalformed)
		}
	}
	return e
}

func (v *Value) append(b []byte) []byte {
	at, attachment := len(b), byte(extPutAttachment)
	b = append(b, idPut)
	if v.Deleted {
		b[at], attachment = idDel, extDelAttachment
	}
	if v.Timestamp != (Timestamp{}) {
		b[at] |= flagStamp
		b = v.Timestamp.append(b)
	}
	if !v.Deleted && !v.Encoding.none() {
		b[at] |= flagCoded
		b = v.Encoding.append(b)
	}
	x := extender{b: b}
	if len(v.Attachment) > 0 {
		x.octets(attachment, v.Attachment)
		x.b[at] |= flagExt
	}
	if v.Deleted {
		return x.b
	}
	return AppendOctets(x.b, v.Payload)
}

func (c *cursor) value() (v Value) {
	header, attachment := c.octet(), byte(extPutAttachment)
	switch id := header & idMask; id {
	case idPut:
	case idDel:
		v.Deleted, attachment = true, extDelAttachment
	default:
		c.fail(fmt.Errorf("%w: %#x is neither a value nor its end", ErrMalformed, id))
	}
	if header&flagStamp != 0 {
		v.Timestamp = c.timestamp()
	}
	if !v.Deleted && header&flagCoded != 0 {
		v.Encoding = c.encoding()
	}
	c.extensions(header&flagExt != 0, "Put", func(e extension) bool {
		if e.kind != attachment {
			return false // among them shared memory, which is mandatory
		}
		v.Attachment = e.octets
		return true
	})
	if !v.Deleted {
		v.Payload = c.octets()
	}
	return v
}
