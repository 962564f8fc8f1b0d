package wire

import "bytes"

// HeaderSize is the length of a message header in octets.
const HeaderSize = 20

var magic = []byte("RTPS")

// Header opens every message (RTPS 2.2 §8.3.3.1, §9.4.4).
type Header struct {
	Version ProtocolVersion
	Vendor  VendorID
	Prefix  GUIDPrefix // of the sending participant
}

// ParseHeader reads a message header. A datagram that does not start with RTPS is ErrMalformed; Cyclone DDS
// sends such datagrams to itself.
func ParseHeader(b []byte) (Header, int, error) {
	c := cursor{b: b, big: true}
	var h Header
	if m := c.take(4); m != nil && !bytes.Equal(m, magic) {
		return h, 0, malformed("header", "starts with %x, not with RTPS", m)
	}
	h.Version = ProtocolVersion{c.u8(), c.u8()}
	h.Vendor = VendorID(c.u16())
	h.Prefix = c.prefix()
	return h, c.off, c.err("header")
}

// Append adds the header.
func (h Header) Append(b []byte) []byte {
	b = append(b, magic...)
	b = append(b, h.Version.Major, h.Version.Minor, byte(h.Vendor>>8), byte(h.Vendor))
	return append(b, h.Prefix[:]...)
}
