package main

import (
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"

	"simdeck/ros/rtps/wire"
)

// Names of the suite's type (OMG, DDS Interoperability Wire Protocol test suite: shape.idl).
const typeName = "ShapeType"

// Representation identifiers of the type, which is appendable (DDS-XTypes 1.3 §7.6.3.1.2, table 60). The
// lowest bit says little-endian.
const (
	plainCDR       = 0x0000
	delimitedCDR2  = 0x0008 // with a length before the members
	representation = 1      // place of the identifier's low octet in a payload
)

// mostColor bounds the key, as the type does.
const mostColor = 128

// errPayload says that octets are not a shape.
var errPayload = errors.New("shape: payload")

// shape is a value of the suite's type: a coloured square that moves about. The colour is the key.
type shape struct {
	color   string
	x, y    int32
	size    int32
	payload []byte // additional octets, to make samples large
}

// append adds the encapsulation header and the value, in XCDR1, or XCDR2 with xcdr2.
func (s *shape) append(b []byte, xcdr2 bool) []byte {
	return encapsulate(b, xcdr2, func(b []byte) []byte {
		b = appendText(b, s.color)
		for _, v := range []int32{s.x, s.y, s.size, int32(len(s.payload))} {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
		return append(b, s.payload...)
	})
}

// appendKey adds the encapsulation header and the key alone.
func (s *shape) appendKey(b []byte, xcdr2 bool) []byte {
	return encapsulate(b, xcdr2, func(b []byte) []byte { return appendText(b, s.color) })
}

func encapsulate(b []byte, xcdr2 bool, members func([]byte) []byte) []byte {
	if !xcdr2 {
		return members(append(b, 0, plainCDR|1, 0, 0))
	}
	b = append(b, 0, delimitedCDR2|1, 0, 0, 0, 0, 0, 0)
	start := len(b)
	b = members(b)
	binary.LittleEndian.PutUint32(b[start-4:], uint32(len(b)-start))
	return b
}

// appendText adds a string and what aligns the next member to four octets.
func appendText(b []byte, s string) []byte {
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s)+1)), s...)
	return append(b, make([]byte, 4-len(s)&3)...)
}

// parse reads a payload; with keyOnly, the key alone.
func parse(b []byte, keyOnly bool) (shape, error) {
	if len(b) < wire.EncapsulationSize || b[0] != 0 {
		return shape{}, fmt.Errorf("%w: %d octets that begin with %x", errPayload, len(b), b[:min(4, len(b))])
	}
	p := parser{b: b[wire.EncapsulationSize:], order: binary.ByteOrder(binary.BigEndian)}
	id := b[representation]
	if id&1 != 0 {
		p.order = binary.LittleEndian
	}
	switch id &^ 1 {
	case plainCDR:
	case delimitedCDR2:
		p.b = p.take(int(p.u32()))
	default:
		return shape{}, fmt.Errorf("%w: representation is %#02x, needs CDR or delimited CDR2", errPayload, id)
	}
	s := shape{color: p.text()}
	if !keyOnly {
		s.x, s.y, s.size = int32(p.u32()), int32(p.u32()), int32(p.u32())
		s.payload = p.take(int(p.u32()))
	}
	if p.short {
		return shape{}, fmt.Errorf("%w: %d octets are too few", errPayload, len(b))
	}
	return s, nil
}

// parser goes through members that are aligned to four octets.
type parser struct {
	b     []byte
	order binary.ByteOrder
	short bool
}

func (p *parser) take(n int) []byte {
	if n < 0 || n > len(p.b) {
		p.short, p.b = true, nil
		return nil
	}
	s := p.b[:n]
	p.b = p.b[n:]
	return s
}

func (p *parser) u32() uint32 {
	if s := p.take(4); s != nil {
		return p.order.Uint32(s)
	}
	return 0
}

func (p *parser) text() string {
	n := int(p.u32())
	if n > mostColor+1 {
		p.short = true
		return ""
	}
	s := p.take(n)
	p.take(min(-n&3, len(p.b))) // padding; a key may end without it
	for len(s) > 0 && s[len(s)-1] == 0 {
		s = s[:len(s)-1]
	}
	return string(s)
}

// keyHash names the instance of a colour: a key that may have more than 16 octets goes by its MD5 (RTPS 2.2
// §9.6.3.8).
func keyHash(color string) wire.KeyHash {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(color)+1)), color...)
	return md5.Sum(append(b, 0))
}

// instanceOf finds the instance of a payload, for rtps.KeyFunc.
func instanceOf(payload []byte, keyOnly bool) (wire.KeyHash, error) {
	s, err := parse(payload, keyOnly)
	return keyHash(s.color), err
}
