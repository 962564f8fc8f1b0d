package mcap

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// Header is the first record of a file.
type Header struct {
	Profile string // format of the channels' metadata: "ros2"
	Library string // writing program
}

// Schema is the definition of a type.
type Schema struct {
	ID       uint16 // from 1 on
	Name     string // "geometry_msgs/msg/Twist"
	Encoding string // of Data: "ros2msg"
	Data     []byte
}

// Channel is a topic with messages of one type.
type Channel struct {
	ID       uint16
	Schema   uint16 // 0: none
	Topic    string
	Encoding string // of messages: "cdr"
	Metadata map[string]string
}

// Message is one message. Times are nanoseconds since an epoch that the file's users agree on.
type Message struct {
	Channel     uint16
	Sequence    uint32 // 0: not told
	LogTime     uint64
	PublishTime uint64
	Data        []byte
}

// Metadata is a named table.
type Metadata struct {
	Name  string
	Table map[string]string
}

// Statistics counts what a file holds.
type Statistics struct {
	Messages                            uint64
	Schemas                             uint16
	Channels, Attachments, Meta, Chunks uint32
	Start, End                          uint64            // lowest and highest LogTime
	Of                                  map[uint16]uint64 // messages by channel
}

// chunkIndex gives a chunk's position and content.
type chunkIndex struct {
	start, end           uint64 // lowest and highest LogTime
	at, size             uint64 // of the chunk's record, its head included
	indexes              map[uint16]uint64
	indexSize            uint64 // of the message indexes behind the chunk
	compression          string
	compressed, unpacked uint64
}

// chunk is a chunk's record without the messages.
type chunk struct {
	start, end  uint64
	unpacked    uint64
	crc         uint32
	compression string
	records     []byte // compressed
}

// footer is the last record of a file.
type footer struct {
	summary, offsets uint64 // where they begin; 0: there is none
	crc              uint32 // from summary up to itself
}

// metadataIndex says where a Metadata is.
type metadataIndex struct {
	at, size uint64
	name     string
}

// summaryOffset says where the records of a kind are in the summary.
type summaryOffset struct {
	op       byte
	at, size uint64
}

// begin appends the head of a record, whose length end fills in.
func begin(b []byte, op byte) ([]byte, int) {
	b = append(b, op, 0, 0, 0, 0, 0, 0, 0, 0)
	return b, len(b)
}

func end(b []byte, from int) []byte {
	binary.LittleEndian.PutUint64(b[from-8:], uint64(len(b)-from))
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func appendTable(b []byte, m map[string]string) []byte {
	b = append(b, 0, 0, 0, 0)
	from := len(b)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b = appendText(appendText(b, k), m[k])
	}
	binary.LittleEndian.PutUint32(b[from-4:], uint32(len(b)-from))
	return b
}

func appendCounts(b []byte, m map[uint16]uint64) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(10*len(m)))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint16(b, k), m[k])
	}
	return b
}

// cursor reads the content of a record; past its end everything is zero and bad is set.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) take(n uint64) []byte {
	if c.bad || n > uint64(len(c.b)) {
		c.bad = true
		return nil
	}
	t := c.b[:n]
	c.b = c.b[n:]
	return t
}

func (c *cursor) u16() uint16 {
	if t := c.take(2); t != nil {
		return binary.LittleEndian.Uint16(t)
	}
	return 0
}

func (c *cursor) u32() uint32 {
	if t := c.take(4); t != nil {
		return binary.LittleEndian.Uint32(t)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if t := c.take(8); t != nil {
		return binary.LittleEndian.Uint64(t)
	}
	return 0
}

func (c *cursor) text() string { return string(c.take(uint64(c.u32()))) }

func (c *cursor) table() map[string]string {
	in := cursor{b: c.take(uint64(c.u32()))}
	m := map[string]string{}
	for len(in.b) > 0 && !in.bad {
		k := in.text()
		m[k] = in.text()
	}
	c.bad = c.bad || in.bad
	return m
}

func (c *cursor) counts() map[uint16]uint64 {
	in := cursor{b: c.take(uint64(c.u32()))}
	m := map[uint16]uint64{}
	for len(in.b) > 0 && !in.bad {
		k := in.u16()
		m[k] = in.u64()
	}
	c.bad = c.bad || in.bad
	return m
}

// done is the error of a record that is too short.
func (c *cursor) done(what string) error {
	if c.bad {
		return fmt.Errorf("%w: %s is too short for what it says of itself", ErrFormat, what)
	}
	return nil
}
