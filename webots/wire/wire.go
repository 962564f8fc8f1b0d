// Package wire is Webots' controller protocol as bytes: requests of a controller, answers of a simulator, the
// greeting, and the numbers of messages and nodes. It knows neither sockets nor robots.
//
// All numbers are little-endian. A request has a size, the milliseconds of a step, and messages to devices: a
// tag, a size, and commands. An answer is a list of tags, each with one command, without sizes: both sides
// know how long a command is.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrMalformed is wrapped when bytes are no message of the protocol.
var ErrMalformed = errors.New("malformed message of a controller")

const (
	// MaxRequest bounds the bytes of a request.
	MaxRequest = 8 << 20
	// MaxAnswer bounds the bytes of an answer, pictures aside.
	MaxAnswer = MaxRequest
	// MaxMessages bounds the messages of a request, which has at most one for each device.
	MaxMessages = 1 << 12

	headerSize        = 8 // of a request
	messageHeaderSize = 6
	readPart          = 64 << 10 // memory is taken as bytes come, not as a size says
)

// Request is a request of a controller.
type Request struct {
	Duration uint32 // ms of the step; 0: an answer at once
	Messages []Message
}

// Message is the part of a request for one device.
type Message struct {
	Tag  uint16
	Data []byte // commands, one after the other
}

// ReadRequest reads the bytes of one request into memory that it may use. A size of 0 is
// the farewell of a controller: io.EOF.
func ReadRequest(r io.Reader, into []byte) ([]byte, error) {
	into = append(into[:0], 0, 0, 0, 0)
	if _, err := io.ReadFull(r, into); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(into)
	if size == 0 {
		return nil, io.EOF
	}
	if size < headerSize || size > MaxRequest {
		return nil, fmt.Errorf("%w: a request of %d bytes; want %d to %d", ErrMalformed, size, headerSize,
			MaxRequest)
	}
	for len(into) < int(size) {
		from := len(into)
		into = append(into, make([]byte, min(readPart, int(size)-from))...)
		if _, err := io.ReadFull(r, into[from:]); err != nil {
			return nil, fmt.Errorf("%w: it ends after %d of %d bytes", io.ErrUnexpectedEOF, from, size)
		}
	}
	return into, nil
}

// ParseRequest reads a request with its size. Its messages share the memory of b.
func ParseRequest(b []byte) (Request, error) {
	if len(b) < headerSize {
		return Request{}, fmt.Errorf("%w: a request of %d bytes; want at least %d", ErrMalformed, len(b),
			headerSize)
	}
	if size := binary.LittleEndian.Uint32(b); uint64(size) != uint64(len(b)) {
		return Request{}, fmt.Errorf("%w: a request of %d bytes says that it has %d", ErrMalformed, len(b), size)
	}
	out := Request{Duration: binary.LittleEndian.Uint32(b[4:])}
	for at := headerSize; at < len(b); {
		if len(b)-at < messageHeaderSize {
			return Request{}, fmt.Errorf("%w: byte %d: %d bytes; want a tag and a size", ErrMalformed, at,
				len(b)-at)
		}
		tag, size := binary.LittleEndian.Uint16(b[at:]), binary.LittleEndian.Uint32(b[at+2:])
		at += messageHeaderSize
		if size == 0 || uint64(size) > uint64(len(b)-at) {
			return Request{}, fmt.Errorf("%w: byte %d: a message of %d bytes to device %d; want 1 to %d",
				ErrMalformed, at, size, tag, len(b)-at)
		}
		if len(out.Messages) == MaxMessages {
			return Request{}, fmt.Errorf("%w: more than %d messages", ErrMalformed, MaxMessages)
		}
		out.Messages = append(out.Messages, Message{tag, b[at : at+int(size)]})
		at += int(size)
	}
	return out, nil
}

// Append writes a request as ParseRequest reads it.
func (r *Request) Append(dst []byte) []byte {
	from := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	dst = binary.LittleEndian.AppendUint32(dst, r.Duration)
	for _, m := range r.Messages {
		dst = binary.LittleEndian.AppendUint16(dst, m.Tag)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(m.Data)))
		dst = append(dst, m.Data...)
	}
	binary.LittleEndian.PutUint32(dst[from:], uint32(len(dst)-from))
	return dst
}

// Reader reads the commands of a message. After an error it gives zeros, and Err tells it.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads the data of a message.
func NewReader(data []byte) *Reader { return &Reader{rest: data} }

// Err is the first error that was met.
func (r *Reader) Err() error { return r.err }

// More reports that there is another command.
func (r *Reader) More() bool { return r.err == nil && len(r.rest) > 0 }

// Drop leaves out the rest of the message.
func (r *Reader) Drop() { r.rest = nil }

// Bytes are the next n bytes, in the memory of the message.
func (r *Reader) Bytes(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.rest) {
		r.fail("%d bytes are left; want %d", len(r.rest), n)
		return nil
	}
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: "+format, append([]any{ErrMalformed}, args...)...)
	}
}

// Uint8 is the next byte.
func (r *Reader) Uint8() uint8 {
	if b := r.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// Uint16 are the next two bytes.
func (r *Reader) Uint16() uint16 {
	if b := r.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// Int32 are the next four bytes.
func (r *Reader) Int32() int32 {
	if b := r.Bytes(4); b != nil {
		return int32(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// Float64 are the next eight bytes.
func (r *Reader) Float64() float64 {
	if b := r.Bytes(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// Text is a string, which ends at a zero byte.
func (r *Reader) Text() string {
	for i, c := range r.rest {
		if c == 0 && r.err == nil {
			out := string(r.rest[:i])
			r.rest = r.rest[i+1:]
			return out
		}
	}
	r.fail("a string without an end in %d bytes", len(r.rest))
	return ""
}
