// Package mavlink has the part of MAVLink by which a simulator and PX4 speak. It has frames of both versions,
// and the messages of hardware in the loop. Source: the MAVLink guide (mavlink.io), "Packet Serialization",
// and the message set common.xml.
package mavlink

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	startV1  = 0xfe
	startV2  = 0xfd
	headerV1 = 6  // bytes, with the start
	headerV2 = 10 // likewise
	checksum = 2  // bytes
	signed   = 1  // in the incompatible flags of version 2
	seal     = 13 // bytes of a signature

	// MaxFrame is the length of the longest frame, in bytes.
	MaxFrame = headerV2 + 255 + checksum + seal
)

var (
	// ErrShort is wrapped where a frame is not whole yet.
	ErrShort = errors.New("a frame of MAVLink is not whole")
	// ErrMalformed is wrapped where bytes are no frame, or a frame is no message of its number.
	ErrMalformed = errors.New("no frame of MAVLink")
)

// Frame is a message with its sender. Its payload of version 2 has lost the zeros at its end.
type Frame struct {
	Seq               uint8
	System, Component uint8
	ID                uint32 // of the message
	Payload           []byte
}

// ParseFrame reads the frame at the beginning of b, and says how long it is. A frame of a message that is not
// known here is not checked, as its checksum depends on the message's definition. The payload is part of b.
func ParseFrame(b []byte) (f Frame, length int, err error) {
	if len(b) == 0 {
		return f, 0, ErrShort
	}
	header, tail := headerV2, checksum
	switch b[0] {
	case startV1:
		header = headerV1
	case startV2:
	default:
		return f, 0, fmt.Errorf("%w: it begins with %#02x", ErrMalformed, b[0])
	}
	if len(b) < header {
		return f, 0, ErrShort
	}
	if header == headerV1 {
		f = Frame{Seq: b[2], System: b[3], Component: b[4], ID: uint32(b[5])}
	} else {
		if b[2]&^signed != 0 {
			return f, 0, fmt.Errorf("%w: flags %#02x are not known", ErrMalformed, b[2])
		}
		if b[2]&signed != 0 {
			tail += seal
		}
		f = Frame{Seq: b[4], System: b[5], Component: b[6],
			ID: uint32(b[7]) | uint32(b[8])<<8 | uint32(b[9])<<16}
	}
	end := header + int(b[1])
	if length = end + tail; len(b) < length {
		return Frame{}, 0, ErrShort
	}
	f.Payload = b[header:end:end]
	if m, known := messages[f.ID]; known {
		want := crc(crc(crcStart, b[1:end]), []byte{m.extra})
		if got := binary.LittleEndian.Uint16(b[end:]); got != want {
			return Frame{}, 0, fmt.Errorf("%w: message %d has the checksum %#04x, want %#04x", ErrMalformed,
				f.ID, got, want)
		}
	}
	return f, length, nil
}

// AppendFrame appends a frame of version 2 without a signature. The message must be one of this package.
// Zeros at the end of its payload are left out, but for the first byte.
func AppendFrame(b []byte, f Frame) []byte {
	payload := f.Payload
	for len(payload) > 1 && payload[len(payload)-1] == 0 {
		payload = payload[:len(payload)-1]
	}
	start := len(b)
	b = append(b, startV2, uint8(len(payload)), 0, 0, f.Seq, f.System, f.Component,
		uint8(f.ID), uint8(f.ID>>8), uint8(f.ID>>16))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint16(b,
		crc(crc(crcStart, b[start+1:]), []byte{messages[f.ID].extra}))
}

const crcStart = 0xffff

// crc goes on with a checksum (CRC-16/MCRF4XX, by a byte at once).
func crc(sum uint16, data []byte) uint16 {
	for _, c := range data {
		x := c ^ uint8(sum)
		x ^= x << 4
		sum = sum>>8 ^ uint16(x)<<8 ^ uint16(x)<<3 ^ uint16(x)>>4
	}
	return sum
}

// Reader reads frames from a stream, and skips what is none.
type Reader struct {
	in      *bufio.Reader
	last    int // bytes of the frame that was given last
	Skipped int // bytes that were no frame
}

// NewReader reads frames from a stream, with memory for one of the longest.
func NewReader(in io.Reader) *Reader { return &Reader{in: bufio.NewReaderSize(in, MaxFrame)} }

// Next is the next frame, whose payload lasts until the next call. After an error of the stream that was a
// time-out it goes on where it was.
func (r *Reader) Next() (Frame, error) {
	_, _ = r.in.Discard(r.last) // they are there
	r.last = 0
	for need := 1; ; {
		b, err := r.in.Peek(need)
		if err != nil {
			return Frame{}, err
		}
		if more := r.in.Buffered(); more > need {
			b, _ = r.in.Peek(more)
		}
		f, n, err := ParseFrame(b)
		switch {
		case err == nil:
			r.last = n
			return f, nil
		case errors.Is(err, ErrShort):
			need = len(b) + 1
		default:
			_, _ = r.in.Discard(1)
			r.Skipped++
			need = 1
		}
	}
}

// GiveUp gives up a frame whose rest does not come: what is there of it is looked through for others.
func (r *Reader) GiveUp() {
	_, _ = r.in.Discard(r.last)
	r.last = 0
	if n, _ := r.in.Discard(min(1, r.in.Buffered())); n > 0 {
		r.Skipped++
	}
}

// Buffered reports that there are bytes which have been read from the stream and not been given.
func (r *Reader) Buffered() bool { return r.in.Buffered() > r.last }
