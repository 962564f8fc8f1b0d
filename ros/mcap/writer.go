package mcap

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math"

	"github.com/klauspost/compress/zstd"
)

// File is the output of a Writer; an *os.File is one.
type File interface {
	WriteAt(b []byte, at int64) (int, error)
	Truncate(size int64) error
}

const (
	// chunkBytes is the uncompressed size at which a chunk is written.
	chunkBytes = 1 << 20
	// largest is the greatest size of a message or definition: more than any reader here takes.
	largest = 128 << 20
)

// Writer writes a file. It is not safe for concurrent use. After an error of the file it returns that error
// forever. Earlier data have been made whole again as far as the file permits, and Statistics counts no more
// than these.
type Writer struct {
	file   File
	at     int64  // where the data end
	length int64  // of the file, with what stands behind the data
	crc    uint32 // of the data up to at
	out    []byte // not written yet, to follow at
	sealed bool   // an index stands behind at
	kept   mark   // contents of the data up to at
	err    error

	pack     *zstd.Encoder
	schemas  []Schema
	channels []Channel
	counts   []uint64 // of messages, by channel
	stats    Statistics
	chunks   []chunkIndex

	// The chunk that grows.
	records    []byte
	start, end uint64
	filled     bool      // it has messages
	index      [][]entry // by channel
}

// entry is the time and the position of a message in its chunk.
type entry struct{ time, at uint64 }

// NewWriter begins a file, which must be empty.
func NewWriter(to File, h Header) (*Writer, error) {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(chunkBytes), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("mcap: %w", err)
	}
	w := &Writer{file: to, pack: pack}
	w.out = appendHeader(append(w.out, magic...), h)
	return w, w.commit(nil)
}

// AddSchema adds the definition of a type and gives its number.
func (w *Writer) AddSchema(name, encoding string, data []byte) (uint16, error) {
	if w.err != nil {
		return 0, w.err
	}
	if len(w.schemas) >= math.MaxUint16 || len(data) > largest {
		return 0, fmt.Errorf("%w: schema %s: number %d, of %d octets", ErrTooLarge, name, len(w.schemas)+1,
			len(data))
	}
	s := Schema{ID: uint16(len(w.schemas) + 1), Name: name, Encoding: encoding, Data: data}
	w.schemas = append(w.schemas, s)
	w.records = appendSchema(w.records, s)
	return s.ID, nil
}

// AddChannel adds a topic and gives its number; that of c does not count.
func (w *Writer) AddChannel(c Channel) (uint16, error) {
	if w.err != nil {
		return 0, w.err
	}
	if len(w.channels) >= math.MaxUint16 {
		return 0, fmt.Errorf("%w: %s would be channel %d", ErrTooLarge, c.Topic, len(w.channels)+1)
	}
	if int(c.Schema) > len(w.schemas) {
		return 0, fmt.Errorf("mcap: channel %s: there is no schema %d", c.Topic, c.Schema)
	}
	c.ID, c.Metadata = uint16(len(w.channels)), maps.Clone(c.Metadata)
	w.channels, w.counts, w.index = append(w.channels, c), append(w.counts, 0), append(w.index, nil)
	w.records = appendChannel(w.records, c)
	return c.ID, nil
}

// Write adds a message; its data are the caller's again. A chunk that is full goes to the file.
func (w *Writer) Write(m *Message) error {
	switch {
	case w.err != nil:
		return w.err
	case int(m.Channel) >= len(w.channels):
		return fmt.Errorf("mcap: there is no channel %d", m.Channel)
	case len(m.Data) > largest:
		return fmt.Errorf("%w: a message of %d octets on %s", ErrTooLarge, len(m.Data),
			w.channels[m.Channel].Topic)
	}
	reach(&w.start, &w.end, m.LogTime, !w.filled)
	w.filled = true
	w.count(m)
	w.index[m.Channel] = append(w.index[m.Channel], entry{m.LogTime, uint64(len(w.records))})
	w.records = appendMessage(w.records, m)
	if len(w.records) < chunkBytes {
		return nil
	}
	return w.Flush()
}

// Flush hands the chunk that grows to the file.
func (w *Writer) Flush() error {
	w.close()
	return w.commit(nil)
}

// Seal does as Flush and puts what makes the file whole behind it: the metadata, the index and the footer.
// More can be written after it.
func (w *Writer) Seal(tables ...Metadata) error {
	w.close()
	w.kept.tables = tables
	return w.commit(w.tail(tables))
}

// Unsealed tells whether the file has parts without an index.
func (w *Writer) Unsealed() bool { return !w.sealed || len(w.records) > 0 }

// Statistics counts what was written, what the chunk that grows holds included.
func (w *Writer) Statistics() Statistics {
	s := w.stats
	s.Schemas, s.Channels, s.Chunks = uint16(len(w.schemas)), uint32(len(w.channels)), uint32(len(w.chunks))
	s.Of = make(map[uint16]uint64, len(w.counts))
	for c, n := range w.counts {
		s.Of[uint16(c)] = n
	}
	return s
}

// Size is the length of the file without the index.
func (w *Writer) Size() int64 { return w.at + int64(len(w.out)) }

// close puts the chunk that grows into out, with the indexes of its messages.
func (w *Writer) close() {
	if len(w.records) == 0 {
		return
	}
	k := chunk{start: w.start, end: w.end, unpacked: uint64(len(w.records)),
		crc: crc32.ChecksumIEEE(w.records), compression: "zstd"}
	at, from := uint64(w.Size()), len(w.out)
	var body int
	w.out, body = beginChunk(w.out, k)
	packed := len(w.out)
	w.out = endChunk(w.pack.EncodeAll(w.records, w.out), body)
	i := chunkIndex{start: k.start, end: k.end, at: at, size: uint64(len(w.out) - from),
		compression: k.compression,
		compressed:  uint64(len(w.out) - packed), unpacked: k.unpacked}
	behind := len(w.out)
	for c, list := range w.index {
		if len(list) == 0 {
			continue
		}
		if i.indexes == nil {
			i.indexes = map[uint16]uint64{}
		}
		i.indexes[uint16(c)] = at + uint64(len(w.out)-from)
		w.out = appendMessageIndex(w.out, uint16(c), list)
		w.index[c] = list[:0]
	}
	i.indexSize = uint64(len(w.out) - behind)
	w.chunks = append(w.chunks, i)
	w.records, w.filled, w.start, w.end = w.records[:0], false, 0, 0
}

// count takes a message into the statistics.
func (w *Writer) count(m *Message) {
	reach(&w.stats.Start, &w.stats.End, m.LogTime, w.stats.Messages == 0)
	w.stats.Messages++
	w.counts[m.Channel]++
}

func appendMessageIndex(b []byte, channel uint16, list []entry) []byte {
	b, at := begin(b, opMessageIndex)
	b = binary.LittleEndian.AppendUint16(b, channel)
	b = binary.LittleEndian.AppendUint32(b, uint32(16*len(list)))
	for _, e := range list {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, e.time), e.at)
	}
	return end(b, at)
}

// commit writes what waits, and a tail behind it that the next commit replaces. It writes over the last tail,
// so that the room which that had is never another file's.
func (w *Writer) commit(tail []byte) error {
	if w.err != nil || len(w.out) == 0 && tail == nil {
		return w.err
	}
	n := len(w.out)
	crc := crc32.Update(w.crc, crc32.IEEETable, w.out)
	w.out = append(w.out, tail...)
	end := w.at + int64(len(w.out))
	if w.sealed = false; end < w.length {
		w.err = w.file.Truncate(end)
	}
	if w.err == nil {
		_, w.err = w.file.WriteAt(w.out, w.at)
	}
	if w.err != nil {
		w.goBack()
		return w.err
	}
	w.at, w.length, w.crc, w.out, w.sealed = w.at+int64(n), end, crc, w.out[:0], tail != nil
	w.keep()
	return nil
}
