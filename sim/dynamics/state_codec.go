package dynamics

import (
	"encoding/binary"
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// stateCodec moves values between the world and bytes: it writes, reads, or (dry) only checks.
type stateCodec struct {
	buf     []byte
	at      int
	writing bool
	dry     bool
	err     error
}

// reads reports that values read are to be kept.
func (c *stateCodec) reads() bool { return !c.writing && !c.dry && c.err == nil }

func (c *stateCodec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// next reads one word; 0 after the end, with an error.
func (c *stateCodec) next() uint64 {
	if c.err != nil || len(c.buf)-c.at < 8 {
		c.fail("ends after %d bytes", len(c.buf))
		return 0
	}
	v := binary.LittleEndian.Uint64(c.buf[c.at:])
	c.at += 8
	return v
}

// match writes a value that must be the same when it is read.
func (c *stateCodec) match(v uint64, what string) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, v)
	} else if got := c.next(); got != v {
		c.fail("%s is %d, this world's is %d", what, got, v)
	}
}

// word hands the value over in a dry run too: the variable must be the caller's own.
func (c *stateCodec) word(v *uint64) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, *v)
		return
	}
	*v = c.next()
}

func (c *stateCodec) float(v *float64) {
	if c.writing {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(*v))
		return
	}
	x := c.next()
	if c.reads() {
		*v = math.Float64frombits(x)
	}
}

func (c *stateCodec) flag(v *bool) {
	x := uint64(0)
	if *v {
		x = 1
	}
	c.word(&x)
	if c.reads() {
		*v = x != 0
	}
}

// sleep codes how a body sleeps: 1, or 3 where nothing wakes it.
func (c *stateCodec) sleep(b *body) {
	x := uint64(0)
	if b.asleep {
		x = 1
	}
	if b.contained {
		x |= 2
	}
	c.word(&x)
	if c.reads() {
		b.asleep, b.contained = x != 0, x&2 != 0
	}
}

func (c *stateCodec) vec(v *r3.Vec) {
	c.float(&v.X)
	c.float(&v.Y)
	c.float(&v.Z)
}

func (c *stateCodec) quat(q *r3.Quat) {
	c.float(&q.W)
	c.float(&q.X)
	c.float(&q.Y)
	c.float(&q.Z)
}
