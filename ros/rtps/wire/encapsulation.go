package wire

// EncapsulationSize is the length of the header before every serialised value in octets (RTPS 2.2 §10.2).
const EncapsulationSize = 4

// Representation identifiers (RTPS 2.2 §10.2.1.2). The lowest bit says little-endian.
const (
	EncapsulationCDR   = 0x0000
	EncapsulationPLCDR = 0x0002
)

var headerPLCDR = []byte{0, EncapsulationPLCDR | 1, 0, 0}

// parseEncapsulation checks the representation, either byte order, and gives a cursor behind the header.
func parseEncapsulation(b []byte, want uint16, element string) (cursor, error) {
	c := cursor{b: b, big: true}
	id := c.u16()
	c.u16() // options
	if c.short {
		return c, c.err(element)
	}
	if id&^1 != want {
		return c, malformed(element, "representation is %#04x, not %#04x", id, want)
	}
	return cursor{b: b[EncapsulationSize:], big: id&1 == 0}, nil
}
