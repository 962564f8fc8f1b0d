package mcap

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// Limits on what a file can make a Reader keep.
const (
	mostRecord   = 256 << 20 // octets of a record
	mostUnpacked = 256 << 20 // octets of a chunk
)

// Reader reads a file.
type Reader struct {
	Header     Header
	Schemas    map[uint16]Schema
	Channels   map[uint16]Channel
	Statistics Statistics
	Tables     []Metadata
	// Cut says that the file has no index: its process was killed. Reading all of it has found the whole
	// records.
	Cut bool

	from   io.ReaderAt
	size   int64
	chunks []chunkIndex // in the order of the file
	unpack *zstd.Decoder
	plain  []byte // of the chunk that was read last
}

// NewReader reads the index of a file of size octets, or all of the file where there is none. Errors wrap
// ErrFormat, or are those of from.
func NewReader(from io.ReaderAt, size int64) (*Reader, error) {
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(mostUnpacked), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("mcap: %w", err)
	}
	r := &Reader{from: from, size: size, unpack: unpack}
	if b, err := r.read(0, uint64(len(magic))); err != nil || string(b) != magic {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrFormat)
	}
	r.forget()
	err = r.readSummary()
	if errors.Is(err, ErrFormat) {
		r.forget()
		r.Cut = true
		err = r.scan()
	}
	return r, err
}

func (r *Reader) forget() {
	r.Schemas, r.Channels, r.Statistics, r.chunks, r.Tables = map[uint16]Schema{}, map[uint16]Channel{},
		Statistics{Of: map[uint16]uint64{}}, nil, nil
}

// read gives n octets of the file.
func (r *Reader) read(at, n uint64) ([]byte, error) {
	if n > mostRecord || at > uint64(r.size) || n > uint64(r.size)-at {
		return nil, fmt.Errorf("%w: %d octets at %d, of %d", ErrFormat, n, at, r.size)
	}
	b := make([]byte, n)
	if _, err := r.from.ReadAt(b, int64(at)); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return b, nil
}

// record reads the record at a place; next is behind it.
func (r *Reader) record(at uint64) (op byte, content []byte, next uint64, err error) {
	head, err := r.read(at, headSize)
	if err != nil {
		return 0, nil, at, err
	}
	n := binary.LittleEndian.Uint64(head[1:])
	content, err = r.read(at+headSize, n)
	return head[0], content, at + headSize + n, err
}

// each takes the records in b apart.
func each(b []byte, do func(op byte, content []byte) error) error {
	for len(b) > 0 {
		if len(b) < headSize {
			return fmt.Errorf("%w: %d octets behind the last record", ErrFormat, len(b))
		}
		n := binary.LittleEndian.Uint64(b[1:])
		if n > uint64(len(b)-headSize) {
			return fmt.Errorf("%w: a record of %d octets, of which %d are there", ErrFormat, n,
				len(b)-headSize)
		}
		if err := do(b[0], b[headSize:headSize+n]); err != nil {
			return err
		}
		b = b[headSize+n:]
	}
	return nil
}

// readSummary reads the index; ErrFormat when there is none that can be trusted.
func (r *Reader) readSummary() error {
	const footerSize = headSize + 8 + 8 + 4
	tail, err := r.read(uint64(max(0, r.size-footerSize-int64(len(magic)))), footerSize+uint64(len(magic)))
	if err != nil {
		return err
	}
	if string(tail[footerSize:]) != magic || tail[0] != opFooter {
		return fmt.Errorf("%w: it does not end as one", ErrFormat)
	}
	f, err := parseFooter(tail[headSize:footerSize])
	if err != nil {
		return err
	}
	ends := uint64(r.size) - uint64(len(tail))
	if f.summary == 0 || f.summary > ends || f.offsets != 0 && (f.offsets < f.summary || f.offsets > ends) {
		return fmt.Errorf("%w: its index is at %d", ErrFormat, f.summary)
	}
	b, err := r.read(f.summary, ends-f.summary)
	if err != nil {
		return err
	}
	if f.crc != 0 && f.crc != crc32.Update(crc32.ChecksumIEEE(b), crc32.IEEETable, tail[:footerSize-4]) {
		return fmt.Errorf("%w: its index is damaged", ErrFormat)
	}
	if err := each(b, r.index); err != nil {
		return err
	}
	slices.SortStableFunc(r.chunks, func(a, b chunkIndex) int { return cmp.Compare(a.at, b.at) })
	op, content, _, err := r.record(uint64(len(magic)))
	if err == nil && op == opHeader {
		r.Header, err = parseHeader(content)
	}
	return err
}

// index takes in a record of the summary, or one that stands between the chunks.
func (r *Reader) index(op byte, content []byte) (err error) {
	switch op {
	case opSchema:
		var s Schema
		s, err = parseSchema(content)
		r.Schemas[s.ID] = s
	case opChannel:
		var c Channel
		c, err = parseChannel(content)
		r.Channels[c.ID] = c
	case opStatistics:
		r.Statistics, err = parseStatistics(content)
	case opChunkIndex:
		var i chunkIndex
		i, err = parseChunkIndex(content)
		r.chunks = append(r.chunks, i)
	case opMetadataIndex:
		var i metadataIndex
		if i, err = parseMetadataIndex(content); err == nil {
			err = r.metadata(i.at)
		}
	}
	return err
}

func (r *Reader) metadata(at uint64) error {
	op, content, _, err := r.record(at)
	if err != nil || op != opMetadata {
		return cmp.Or(err, fmt.Errorf("%w: no metadata at %d", ErrFormat, at))
	}
	m, err := parseMetadata(content)
	r.Tables = append(r.Tables, m)
	return err
}

// Messages passes the messages from a log time on to do, in the order of writing; chunks that end before are
// not read. A message's data are valid during the call only. An error of each ends it.
func (r *Reader) Messages(from uint64, do func(*Message) error) error {
	for _, i := range r.chunks {
		if i.end < from {
			continue
		}
		op, content, _, err := r.record(i.at)
		if err == nil && op != opChunk {
			err = fmt.Errorf("%w: no chunk at %d", ErrFormat, i.at)
		}
		if err == nil {
			err = r.open(content)
		}
		if err == nil {
			err = each(r.plain, func(op byte, content []byte) error {
				if op != opMessage {
					return nil
				}
				m, err := parseMessage(content)
				if err != nil || m.LogTime < from {
					return err
				}
				return do(&m)
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open unpacks a chunk into plain.
func (r *Reader) open(content []byte) error {
	k, err := parseChunk(content)
	if err != nil {
		return err
	}
	r.plain = r.plain[:0]
	switch k.compression {
	case "":
		r.plain = append(r.plain, k.records...)
	case "zstd":
		if r.plain, err = r.unpack.DecodeAll(k.records, r.plain); err != nil {
			return fmt.Errorf("%w: a chunk that cannot be unpacked: %w", ErrFormat, err)
		}
	default:
		return fmt.Errorf("%w: a chunk is compressed as %q: want zstd or none", ErrFormat, k.compression)
	}
	if uint64(len(r.plain)) != k.unpacked || k.crc != 0 && k.crc != crc32.ChecksumIEEE(r.plain) {
		return fmt.Errorf("%w: a chunk is damaged", ErrFormat)
	}
	return nil
}
