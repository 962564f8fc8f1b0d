package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrAnswer is a request whose answer would be too long.
var ErrAnswer = errors.New("the answer to the controller's request is too long")

// Answer is a message to a controller.
type Answer struct {
	Immediate bool // more is to come before the controller may go on
	data      []byte
	images    []image
	over      bool // more was to be told than fits
}

// image is a picture, which goes beside the other data over TCP.
type image struct {
	tag    uint16
	pixels []byte
}

// Kinds of the parts of an answer over TCP.
const (
	dataPart  = 0
	imagePart = 1
)

// Empty reports that there is nothing to tell.
func (a *Answer) Empty() bool { return len(a.data) == 0 && len(a.images) == 0 }

// Reset forgets everything but the memory.
func (a *Answer) Reset() {
	a.Immediate, a.data, a.images, a.over = false, a.data[:0], a.images[:0], false
}

// Err is ErrAnswer when more was to be told than an answer may hold, which was left out.
func (a *Answer) Err() error {
	if a.over {
		return fmt.Errorf("%w: more than %d bytes", ErrAnswer, MaxAnswer)
	}
	return nil
}

// fits reports that so many more bytes may be told.
func (a *Answer) fits(n int) bool {
	a.over = a.over || n > MaxAnswer-len(a.data)
	return !a.over
}

// To begins a command to a device.
func (a *Answer) To(tag uint16, command uint8) *Answer {
	a.Uint16(tag)
	return a.Uint8(command)
}

// Uint8 appends a byte.
func (a *Answer) Uint8(x uint8) *Answer {
	if a.fits(1) {
		a.data = append(a.data, x)
	}
	return a
}

// Flag appends a byte that is 1 or 0.
func (a *Answer) Flag(yes bool) *Answer {
	if yes {
		return a.Uint8(1)
	}
	return a.Uint8(0)
}

// Uint16 appends two bytes.
func (a *Answer) Uint16(x uint16) *Answer {
	if a.fits(2) {
		a.data = binary.LittleEndian.AppendUint16(a.data, x)
	}
	return a
}

// Int32 appends four bytes.
func (a *Answer) Int32(x int32) *Answer {
	if a.fits(4) {
		a.data = binary.LittleEndian.AppendUint32(a.data, uint32(x))
	}
	return a
}

// Float64 appends eight bytes for each number.
func (a *Answer) Float64(all ...float64) *Answer {
	if !a.fits(8 * len(all)) {
		return a
	}
	for _, x := range all {
		a.data = binary.LittleEndian.AppendUint64(a.data, math.Float64bits(x))
	}
	return a
}

// Text appends a string; one with a zero byte ends there.
func (a *Answer) Text(s string) *Answer {
	s, _, _ = strings.Cut(s, "\x00")
	if a.fits(len(s) + 1) {
		a.data = append(append(a.data, s...), 0)
	}
	return a
}

// Raw appends bytes as they are.
func (a *Answer) Raw(b []byte) *Answer {
	if a.fits(len(b)) {
		a.data = append(a.data, b...)
	}
	return a
}

// Image adds the picture of a device. The pixels are kept, not copied.
func (a *Answer) Image(tag uint16, pixels []byte) { a.images = append(a.images, image{tag, pixels}) }

// delay is the first word of an answer: not negative unless more is to come.
func (a *Answer) delay() uint32 {
	if a.Immediate {
		return math.MaxUint32
	}
	return 0
}

// AppendTCP writes an answer as it goes over TCP: the number of parts, the bytes of those that are data, and
// the parts.
func (a *Answer) AppendTCP(dst []byte) []byte {
	le := binary.LittleEndian
	dst = le.AppendUint16(dst, uint16(1+len(a.images)))
	dst = le.AppendUint32(dst, uint32(4+len(a.data)))
	dst = le.AppendUint32(dst, uint32(4+len(a.data)))
	dst = append(dst, dataPart)
	dst = le.AppendUint32(dst, a.delay())
	dst = append(dst, a.data...)
	for _, i := range a.images {
		dst = le.AppendUint32(dst, uint32(len(i.pixels)))
		dst = append(dst, imagePart)
		dst = le.AppendUint16(dst, i.tag)
		dst = append(dst, SerialImage)
		dst = append(dst, i.pixels...)
	}
	return dst
}

// AppendLocal writes an answer as it goes over a local socket. Pictures go by memory that both have mapped.
func (a *Answer) AppendLocal(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(8+len(a.data)))
	dst = binary.LittleEndian.AppendUint32(dst, a.delay())
	return append(dst, a.data...)
}
