package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// longest is the greatest length of a line: a command can carry the text of a model.
const longest = 64 << 20

// Reader takes a recording apart.
type Reader struct {
	Header Header
	from   io.Reader
	scan   *bufio.Reader
	line   int
	read   int64 // bytes of whole lines
	Cut    bool  // the recording ends within a line: its process was killed, or the machine lost its power
}

// NewReader reads the header.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: from, scan: bufio.NewReaderSize(from, 1<<16)}
	text, err := r.next()
	if err != nil {
		return nil, fmt.Errorf("%w: no header", ErrFormat)
	}
	if err := json.Unmarshal(text, &r.Header); err != nil || r.Header.Format == 0 {
		return nil, fmt.Errorf("%w: line 1 is no header of one", ErrFormat)
	}
	if r.Header.Format > Format {
		return nil, fmt.Errorf("%w: of format %d, written by simdeck %s; this version reads up to %d",
			ErrFormat, r.Header.Format, r.Header.Version, Format)
	}
	if _, err := r.Header.faultPolicy(); err != nil {
		return nil, err
	}
	return r, nil
}

// Next is the next line; io.EOF after the last whole one. A line with a zero byte, which JSON never has, is
// not whole. After a power failure a file may have zeros where it had grown and its content was not on the
// disk yet.
func (r *Reader) Next() (Entry, error) {
	text, err := r.next()
	if err != nil {
		return Entry{}, err
	}
	e, err := ParseEntry(text)
	if err != nil {
		return Entry{}, fmt.Errorf("line %d: %w", r.line, err)
	}
	return e, nil
}

// Line is the number of the line that Next gave last.
func (r *Reader) Line() int { return r.line }

func (r *Reader) next() ([]byte, error) {
	var text []byte
	for {
		part, err := r.scan.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil && bytes.IndexByte(text, 0) >= 0:
			r.Cut = true
			return nil, io.EOF
		case err == nil:
			r.line++
			r.read += int64(len(text))
			return text, nil
		case errors.Is(err, bufio.ErrBufferFull):
			if len(text) > longest {
				return nil, fmt.Errorf("%w: line %d is longer than %d MiB", ErrFormat, r.line+1, longest>>20)
			}
		case errors.Is(err, io.EOF):
			r.Cut = len(text) > 0
			return nil, io.EOF
		default:
			return nil, err
		}
	}
}
