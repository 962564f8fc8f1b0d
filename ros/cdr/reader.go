package cdr

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Reader takes values from a payload in the order in which they were written. The first failure sticks: every
// read after it gives zero, and Err tells what was wrong and where. Bytes after the last value are of no
// concern to it: peers pad. A Reader keeps the payload only until the next Reset and never hands out parts of
// it, Rest aside.
type Reader struct {
	body  []byte // after the encapsulation header
	off   int
	big   bool
	xcdr2 bool
	err   *Error
}

// NewReader reads the payload, which begins with its encapsulation header.
func NewReader(payload []byte) *Reader {
	r := new(Reader)
	r.Reset(payload)
	return r
}

// Reset makes the Reader read another payload and forget its error.
func (r *Reader) Reset(payload []byte) {
	*r = Reader{}
	if len(payload) < HeaderSize {
		r.fail("encapsulation header of 4 bytes", fmt.Sprintf("%d bytes", len(payload)), ErrShort)
		return
	}
	big, xcdr2, ok := header(payload)
	if !ok {
		got := fmt.Sprintf("%02x%02x", payload[0], payload[1])
		r.fail("encapsulation 0000, 0001, 0006 or 0007", got, ErrEncapsulation)
		return
	}
	r.body, r.big, r.xcdr2 = payload[HeaderSize:], big, xcdr2
}

// Err is nil, or the first thing that went wrong, an *Error.
func (r *Reader) Err() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// Offset is the number of bytes read, counted from the byte after the encapsulation header.
func (r *Reader) Offset() int { return r.off }

// Remaining is the number of bytes not read yet, trailing padding included.
func (r *Reader) Remaining() int { return len(r.body) - r.off }

// Rest is the unread rest: a part of the payload, not a copy.
func (r *Reader) Rest() []byte { return r.body[r.off:] }

func (r *Reader) fail(want, got string, err error) {
	if r.err != nil {
		return
	}
	r.err = &Error{Offset: r.off, Want: want, Got: got, Err: err}
	r.body = r.body[:r.off]
}

// take gives the next n elements of size bytes, aligned to size; nil when the payload ends before. n must not
// be 0.
func (r *Reader) take(n, size int, want string) []byte {
	align := size
	if r.xcdr2 && align > 4 {
		align = 4
	}
	start := r.off + (-r.off & (align - 1))
	if left := len(r.body) - start; left < 0 || n > left/size {
		if r.err == nil {
			r.fail(fmt.Sprintf("%d %s", n, want), fmt.Sprintf("%d bytes left", r.Remaining()), ErrShort)
		}
		return nil
	}
	r.off = start + n*size
	return r.body[start:r.off]
}

// Bool reads one byte that must be 0 or 1.
func (r *Reader) Bool() bool {
	v := r.Uint8()
	if v > 1 {
		r.off--
		r.fail("bool", fmt.Sprint(v), ErrBool)
		return false
	}
	return v == 1
}

// Uint8 reads a ROS uint8, byte or char.
func (r *Reader) Uint8() uint8 {
	if r.off >= len(r.body) {
		r.take(1, 1, "8-bit value")
		return 0
	}
	v := r.body[r.off]
	r.off++
	return v
}

// Int8 reads one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Uint16 reads 2 bytes, aligned to 2.
func (r *Reader) Uint16() uint16 {
	p := r.take(1, 2, "16-bit value")
	if p == nil {
		return 0
	}
	if r.big {
		return binary.BigEndian.Uint16(p)
	}
	return binary.LittleEndian.Uint16(p)
}

// Int16 reads 2 bytes, aligned to 2.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Uint32 reads 4 bytes, aligned to 4.
func (r *Reader) Uint32() uint32 {
	p := r.take(1, 4, "32-bit value")
	if p == nil {
		return 0
	}
	if r.big {
		return binary.BigEndian.Uint32(p)
	}
	return binary.LittleEndian.Uint32(p)
}

// Int32 reads 4 bytes, aligned to 4.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Uint64 reads 8 bytes, aligned to 8 (XCDR2: to 4).
func (r *Reader) Uint64() uint64 {
	p := r.take(1, 8, "64-bit value")
	if p == nil {
		return 0
	}
	if r.big {
		return binary.BigEndian.Uint64(p)
	}
	return binary.LittleEndian.Uint64(p)
}

// Int64 reads 8 bytes, aligned to 8 (XCDR2: to 4).
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 reads an IEEE 754 single, aligned to 4.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads an IEEE 754 double, aligned to 8 (XCDR2: to 4).
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }
