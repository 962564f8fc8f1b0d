package statecodec

import (
	"encoding/binary"
	"fmt"
)

// Codec moves the parts of a state between the world and bytes, in the one order in which its caller hands
// them over. It writes, reads, or in a dry run only checks that bytes fit.
type Codec struct {
	buf     []byte
	at      int
	writing bool
	dry     bool
	slots   uint64
	err     error
}

// Writer is a codec that appends to bytes.
func Writer(buf []byte) Codec { return Codec{buf: buf, writing: true} }

// Reader is a codec that reads bytes.
func Reader(buf []byte) Codec { return Codec{buf: buf} }

// Checker is a codec that reads bytes without effect.
func Checker(buf []byte) Codec { return Codec{buf: buf, dry: true} }

// LimitSlots sets the number of slots: fields that name one are less.
func (c *Codec) LimitSlots(n int) { c.slots = uint64(n) }

// Writing reports that bytes are written.
func (c *Codec) Writing() bool { return c.writing }

// Reads reports that values are read and kept.
func (c *Codec) Reads() bool { return !c.writing && !c.dry && c.err == nil }

// Dry reports that nothing is written or kept.
func (c *Codec) Dry() bool { return c.dry }

// Bytes are the first bytes and those written since.
func (c *Codec) Bytes() []byte { return c.buf }

// Err is the first thing wrong with the bytes. Of bytes that are read none may be left over.
func (c *Codec) Err() error {
	if c.err == nil && !c.writing && c.at != len(c.buf) {
		return fmt.Errorf("%d bytes are left over", len(c.buf)-c.at)
	}
	return c.err
}

// Failed reports that something was wrong with the bytes that were read so far.
func (c *Codec) Failed() bool { return c.err != nil }

// Fail refuses the bytes; the first reason counts.
func (c *Codec) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// Word codes a word that is the caller's own: a dry run hands it over, too.
func (c *Codec) Word(v *uint64) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *v)
	} else if in := c.take(8); in != nil {
		*v = binary.LittleEndian.Uint64(in)
	} else {
		*v = 0
	}
}

// Match codes a value that must be the same when it is read.
func (c *Codec) Match(v uint64, what string) {
	got := v
	if c.Word(&got); got != v {
		c.Fail("%s is %d, this world's is %d", what, got, v)
	}
}

// take returns the next bytes; nil, with an error, where there are fewer.
func (c *Codec) take(n int) []byte {
	if c.err != nil || len(c.buf)-c.at < n {
		c.Fail("ends after %d bytes", len(c.buf))
		return nil
	}
	c.at += n
	return c.buf[c.at-n : c.at : c.at]
}
