package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Why something cannot be read.
var (
	ErrShort     = errors.New("zenoh: message ends too early")
	ErrMalformed = errors.New("zenoh: malformed message")
	// an extension that its sender wants understood, and that is not known here
	ErrExtension = errors.New("zenoh: extension must be understood")
)

// AppendZInt appends a number in groups of seven bits, the lowest first; the ninth octet has all of its bits.
func AppendZInt(b []byte, v uint64) []byte {
	for i := 0; v >= 0x80 && i < 8; i++ {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// AppendOctets appends octets with their number in front.
func AppendOctets[T []byte | string](b []byte, v T) []byte {
	return append(AppendZInt(b, uint64(len(v))), v...)
}

// cursor reads what is left of a message; after the first error it gives zeros.
type cursor struct {
	left []byte
	err  error
}

func (c *cursor) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.left = nil
}

func (c *cursor) octet() byte {
	if len(c.left) == 0 {
		c.fail(ErrShort)
		return 0
	}
	b := c.left[0]
	c.left = c.left[1:]
	return b
}

// next is the octet that octet would give.
func (c *cursor) next() byte {
	if len(c.left) == 0 {
		c.fail(ErrShort)
		return 0
	}
	return c.left[0]
}

func (c *cursor) zint() (v uint64) {
	for i := range 9 {
		b := c.octet()
		if i == 8 {
			return v | uint64(b)<<56
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return v
		}
	}
	return v
}

// bounded is a number of at most so many bits.
func (c *cursor) bounded(bits int) uint64 {
	v := c.zint()
	if v>>bits != 0 {
		c.fail(fmt.Errorf("%w: %d is no number of %d bits", ErrMalformed, v, bits))
		return 0
	}
	return v
}

// take is the next n octets.
func (c *cursor) take(n uint64) []byte {
	if n > uint64(len(c.left)) {
		c.fail(ErrShort)
		return nil
	}
	b := c.left[:n:n]
	c.left = c.left[n:]
	return b
}

// octets are some with their number in front.
func (c *cursor) octets() []byte { return c.take(c.zint()) }

func (c *cursor) uint16() uint16 {
	if b := c.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}
