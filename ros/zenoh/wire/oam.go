package wire

// OAM is a message of operation and maintenance, which routers and peers exchange; a client passes it over.
type OAM struct {
	ID   uint16
	Body []byte // of the encoding of octets
}

const (
	idOAM        = 0x1f
	oamEncoding  = 0x60
	oamUnit      = 0x00
	oamNumber    = 0x20
	oamOfOctets  = 0x40
	oamUndefined = 0x60
)

// Append encodes the message.
func (m *OAM) Append(b []byte) []byte {
	return AppendOctets(AppendZInt(append(b, idOAM|oamOfOctets), uint64(m.ID)), m.Body)
}

func (c *cursor) oam() (m OAM) {
	header := c.octet()
	m.ID = uint16(c.bounded(16))
	c.extensions(header&flagExt != 0, "OAM", func(e extension) bool { return e.kind == extQoS })
	switch header & oamEncoding {
	case oamUnit:
	case oamNumber:
		c.zint()
	case oamOfOctets:
		m.Body = c.octets()
	case oamUndefined:
		c.fail(ErrMalformed)
	}
	return m
}
