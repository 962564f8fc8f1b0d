package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrShort says that the octets end before the element does.
var ErrShort = errors.New("rtps: datagram ends too early")

// ErrMalformed says that an element breaks a rule of the standard.
var ErrMalformed = errors.New("rtps: malformed element")

// malformed builds an error about one field.
func malformed(element, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrMalformed, element, fmt.Sprintf(format, args...))
}

// cursor reads forward through octets in one byte order. After a read beyond the end it is short, and every
// further read gives zero.
type cursor struct {
	b     []byte
	off   int
	big   bool
	short bool
}

// take returns the next n octets, or nil when there are fewer.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b)-c.off {
		c.short = true
		c.off = len(c.b)
		return nil
	}
	s := c.b[c.off : c.off+n : c.off+n]
	c.off += n
	return s
}

// rest returns all octets not yet read.
func (c *cursor) rest() []byte {
	s := c.b[c.off:]
	c.off = len(c.b)
	return s
}

func (c *cursor) u8() uint8 {
	if s := c.take(1); s != nil {
		return s[0]
	}
	return 0
}

func (c *cursor) u16() uint16 {
	s := c.take(2)
	switch {
	case s == nil:
		return 0
	case c.big:
		return binary.BigEndian.Uint16(s)
	}
	return binary.LittleEndian.Uint16(s)
}

func (c *cursor) u32() uint32 {
	s := c.take(4)
	switch {
	case s == nil:
		return 0
	case c.big:
		return binary.BigEndian.Uint32(s)
	}
	return binary.LittleEndian.Uint32(s)
}

// entity reads an entity id, whose octets have one order only (RTPS 2.2 §9.3.1.2).
func (c *cursor) entity() EntityID {
	if s := c.take(4); s != nil {
		return EntityID(binary.BigEndian.Uint32(s))
	}
	return 0
}

func (c *cursor) prefix() (p GUIDPrefix) {
	copy(p[:], c.take(len(p)))
	return p
}

func (c *cursor) guid() GUID {
	p := c.prefix()
	return GUID{p, c.entity()}
}

func (c *cursor) sequenceNumber() SequenceNumber {
	high := int64(int32(c.u32()))
	return SequenceNumber(high<<32 | int64(c.u32()))
}

// err reports a short read under the element's name.
func (c *cursor) err(element string) error {
	if c.short {
		return fmt.Errorf("%w: %s needs more than %d octets", ErrShort, element, len(c.b))
	}
	return nil
}

func appendU16(b []byte, v uint16) []byte { return binary.LittleEndian.AppendUint16(b, v) }

func appendU32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

func appendEntity(b []byte, e EntityID) []byte { return binary.BigEndian.AppendUint32(b, uint32(e)) }

func appendGUID(b []byte, g GUID) []byte { return appendEntity(append(b, g.Prefix[:]...), g.Entity) }

func appendSequenceNumber(b []byte, n SequenceNumber) []byte {
	return appendU32(appendU32(b, uint32(n>>32)), uint32(n))
}

// pad4 adds zeros until the octets after start are a multiple of four.
func pad4(b []byte, start int) []byte {
	for (len(b)-start)%4 != 0 {
		b = append(b, 0)
	}
	return b
}
