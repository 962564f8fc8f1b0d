package wire

import (
	"encoding/binary"
	"fmt"
)

// Message is a transport or a network message.
type Message interface {
	// Append encodes the message.
	Append(b []byte) []byte
}

// idMask selects the part of a header that names the message.
const idMask = 0x1f

// ParseTransport reads the first transport message of a batch and gives what follows it: *Init, *Open,
// *Close, *KeepAlive, *Frame or *Fragment. Errors wrap ErrShort, ErrMalformed or ErrExtension.
func ParseTransport(b []byte) (Message, []byte, error) {
	c := cursor{left: b}
	switch id := c.next() & idMask; {
	case c.err != nil:
		return nil, nil, c.err
	case id == idInit:
		m := c.init()
		return result(&c, &m)
	case id == idOpen:
		m := c.open()
		return result(&c, &m)
	case id == idClose:
		m := c.close()
		return result(&c, &m)
	case id == idKeepAlive:
		m := c.keepAlive()
		return result(&c, &m)
	case id == idFrame:
		m := c.frame()
		return result(&c, &m)
	case id == idFragment:
		m := c.fragment()
		return result(&c, &m)
	default:
		return nil, nil, fmt.Errorf("%w: no transport message %#x is known", ErrMalformed, id)
	}
}

// ParseNetwork reads the first network message of a frame and gives what follows it: *Push, *Request,
// *Response, *ResponseFinal, *Declare or *Interest. Errors are those of ParseTransport.
func ParseNetwork(b []byte) (Message, []byte, error) {
	c := cursor{left: b}
	switch id := c.next() & idMask; {
	case c.err != nil:
		return nil, nil, c.err
	case id == idPush:
		m := c.push()
		return result(&c, &m)
	case id == idRequest:
		m := c.request()
		return result(&c, &m)
	case id == idResponse:
		m := c.response()
		return result(&c, &m)
	case id == idResponseFinal:
		m := c.responseFinal()
		return result(&c, &m)
	case id == idDeclare:
		m := c.declare()
		return result(&c, &m)
	case id == idInterest:
		m := c.interest()
		return result(&c, &m)
	case id == idOAM: // of routers about their network
		m := c.oam()
		return result(&c, &m)
	default:
		return nil, nil, fmt.Errorf("%w: no network message %#x is known", ErrMalformed, id)
	}
}

// result ends the reading of a message.
func result(c *cursor, m Message) (Message, []byte, error) {
	if c.err != nil {
		return nil, nil, c.err
	}
	return m, c.left, nil
}

// BatchHeader is the number of octets in front of a batch on a stream.
const BatchHeader = 2

// AppendBatch appends a batch as a stream carries it: its length in two octets, the lower first, then itself.
// It has at most MaxBatch octets.
func AppendBatch(b, batch []byte) []byte {
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(batch))), batch...)
}

// BatchSize is the number of octets of the batch behind a header.
func BatchSize(header [BatchHeader]byte) int { return int(binary.LittleEndian.Uint16(header[:])) }
