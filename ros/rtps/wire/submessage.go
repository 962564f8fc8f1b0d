package wire

// Submessage ids (RTPS 2.2 §9.4.5.1.1). Ids from 0x80 on belong to the vendor and are skipped.
const (
	IDPad           = 0x01
	IDAckNack       = 0x06
	IDHeartbeat     = 0x07
	IDGap           = 0x08
	IDInfoTimestamp = 0x09
	IDInfoSource    = 0x0c
	IDInfoDst       = 0x0e
	IDNackFrag      = 0x12
	IDHeartbeatFrag = 0x13
	IDData          = 0x15
	IDDataFrag      = 0x16
)

// Flags common to all submessages; the others stand with their submessage.
const flagLittleEndian = 0x01

// Submessage is one piece of a message: an id, flags and a body (RTPS 2.2 §8.3.3.2, §9.4.5.1).
type Submessage struct {
	ID    uint8
	Flags uint8
	Body  []byte // points into the datagram
}

// BigEndian tells the byte order of the body.
func (s Submessage) BigEndian() bool { return s.Flags&flagLittleEndian == 0 }

// ParseSubmessage reads the submessage at the start of b. A length of zero means "to the end of the message",
// save for PAD and INFO_TS.
func ParseSubmessage(b []byte) (Submessage, int, error) {
	c := cursor{b: b}
	s := Submessage{ID: c.u8(), Flags: c.u8()}
	c.big = s.BigEndian()
	length := int(c.u16())
	if c.short {
		return Submessage{}, 0, c.err("submessage header")
	}
	if length == 0 && s.ID != IDPad && s.ID != IDInfoTimestamp {
		length = len(b) - c.off
	}
	s.Body = c.take(length)
	if c.short {
		return Submessage{}, 0, c.err("submessage")
	}
	return s, c.off, nil
}

// parseBody reads a submessage that must have the given id and gives a cursor over its body.
func parseBody(b []byte, id uint8, element string) (Submessage, cursor, int, error) {
	s, n, err := ParseSubmessage(b)
	if err != nil {
		return s, cursor{}, 0, err
	}
	if s.ID != id {
		return s, cursor{}, 0, malformed(element, "submessage id is %#02x, not %#02x", s.ID, id)
	}
	return s, cursor{b: s.Body, big: s.BigEndian()}, n, nil
}

// begin adds a submessage header whose length finish sets.
func begin(b []byte, id, flags uint8) []byte { return append(b, id, flags|flagLittleEndian, 0, 0) }

// finish pads the body to four octets and writes its length into the header at start; apart octets of it are
// sent from elsewhere. A body too long for 16 bits keeps length zero, "to the end of the message": such a
// submessage must be the last.
func finish(b []byte, start, apart int) []byte {
	b = pad4(b, start-apart)
	if n := len(b) - start - 4 + apart; n <= 0xffff {
		b[start+2], b[start+3] = byte(n), byte(n>>8)
	}
	return b
}
