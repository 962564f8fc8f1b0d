package rtps

import (
	"math/bits"
	"time"

	"simdeck/ros/rtps/wire"
)

const (
	// maxPartial bounds the samples of one writer that are here in part.
	maxPartial = 16
	// partialLife is the lifetime of an unfinished best-effort sample after its last fragment.
	partialLife = 2 * time.Second
	// settled is the time without fragments after which missing ones are requested: those on the way are not.
	settled = 8 * time.Millisecond
	// impatience is the time after which missing fragments are requested without a word from the writer.
	impatience = 50 * time.Millisecond
	// maxFragments bounds the fragments of a sample: 64 MiB in as small ones as anybody makes.
	maxFragments = 1 << 17
	// A sample that has begun takes firstPart octets, and more as its fragments come: not what its sender
	// says that it will have.
	firstPart = 64 << 10
	// maxNackFrags bounds the NACK_FRAGs of one run; each asks for up to 256 fragments.
	maxNackFrags = 32
)

// reassembly is a sample that has arrived in part (RTPS 2.2 §8.4.14.1).
type reassembly struct {
	sn    wire.SequenceNumber
	size  int // octets per fragment
	total uint32
	have  []uint64 // fragment numbers, from 0
	count uint32
	whole int    // octets of the sample
	buf   []byte // as much of it as has room yet
	last  time.Time
	a     arrival
}

// fragment takes in some fragments of a change.
func (w *writerProxy) fragment(c *Core, a *arrival, d *wire.DataFrag) {
	c.stats.Fragments.In++
	if w.stale(c, a.sn) {
		return
	}
	if int64(d.SampleSize) > int64(c.cfg.Limits.SampleBytes) {
		c.stats.Refused++
		if w.reliable && w.started { // it would hold up all that follow
			w.absent(c, a.sn)
			w.lose(c, 1)
			w.drain(c)
		}
		return
	}
	r := w.reassemblyOf(c, a, d)
	if r == nil {
		c.stats.Refused++
		return
	}
	w.high = max(w.high, a.sn)
	r.last = a.now
	if !w.grow(c, r, d) {
		c.stats.OutOfWindow++ // a reliable writer sends it again
		return
	}
	r.put(c, d)
	if r.count < r.total {
		if w.reliable {
			w.repairBy(c, a.now.Add(impatience))
		} else {
			c.sched.by(&w.task, a.now.Add(partialLife))
		}
		return
	}
	buf := r.buf
	r.buf = nil
	r.a.now = a.now
	w.account(c, -len(buf))
	w.forget(c, r)
	w.accept(c, &r.a, buf)
}

// reassemblyOf finds the unfinished sample of a change or begins one; nil when there is no room.
func (w *writerProxy) reassemblyOf(c *Core, a *arrival, d *wire.DataFrag) *reassembly {
	for _, r := range w.partial {
		if r.sn != a.sn {
			continue
		}
		if r.size == int(d.Size) && r.whole == int(d.SampleSize) {
			return r
		}
		w.forget(c, r) // the writer cuts it differently now
		break
	}
	if len(w.partial) >= maxPartial {
		if w.reliable {
			return nil
		}
		w.forget(c, w.partial[0])
	}
	total := (uint64(d.SampleSize) + uint64(d.Size) - 1) / uint64(d.Size)
	if total > maxFragments {
		return nil
	}
	size := min(int(d.SampleSize), firstPart)
	for !w.reliable && len(w.partial) > 0 && !c.reorder.fits(w.peer, size) {
		w.forget(c, w.partial[0])
	}
	if !w.makeRoom(c, a.sn, size) {
		return nil
	}
	r := &reassembly{sn: a.sn, size: int(d.Size), total: uint32(total), have: make([]uint64, total/64+1),
		whole: int(d.SampleSize),
		buf:   c.pool.get(size), a: *a}
	w.account(c, size)
	w.partial = append(w.partial, r)
	return r
}

// grow makes room for some fragments of a sample. It is false when there is none, or when they lie far beyond
// what has come of it.
func (w *writerProxy) grow(c *Core, r *reassembly, d *wire.DataFrag) bool {
	_, end := d.Span()
	if end <= len(r.buf) {
		return true
	}
	if come := int(r.count) * r.size; end > 4*come+4*firstPart+len(d.Payload) {
		return false
	}
	size := min(r.whole, max(2*len(r.buf), end))
	for !w.reliable && w.partial[0] != r && !c.reorder.fits(w.peer, size-len(r.buf)) {
		w.forget(c, w.partial[0])
	}
	if more := size - len(r.buf); w.reliable && !w.makeRoom(c, r.sn, more) ||
		!c.reorder.fits(w.peer, more) {
		return false
	}
	b := c.pool.get(size)
	copy(b, r.buf)
	c.pool.put(r.buf)
	w.account(c, size-len(r.buf))
	r.buf = b
	return true
}

// put copies the fragments that are not here yet.
func (r *reassembly) put(c *Core, d *wire.DataFrag) {
	first, _ := d.Span()
	for i := range uint32(d.Count) {
		n := d.Start - 1 + i
		if r.have[n/64]>>(n%64)&1 != 0 {
			c.stats.Duplicates++
			continue
		}
		r.have[n/64] |= 1 << (n % 64)
		r.count++
		at := int(n) * r.size
		copy(r.buf[at:min(at+r.size, len(r.buf))], d.Payload[at-first:])
	}
}

// forget drops an unfinished sample.
func (w *writerProxy) forget(c *Core, r *reassembly) {
	w.account(c, -len(r.buf))
	c.pool.put(r.buf)
	r.buf = nil
	for i, o := range w.partial {
		if o == r {
			w.partial = append(w.partial[:i], w.partial[i+1:]...)
			return
		}
	}
}

// heartbeatFrag takes in how far the writer has sent a sample.
func (w *writerProxy) heartbeatFrag(c *Core, h *wire.HeartbeatFrag, now time.Time) {
	if !w.reliable || !w.started || h.SN < w.next || h.SN-w.next >= window {
		return
	}
	w.fragCount = h.Count
	w.high = max(w.high, h.SN)
	if len(w.partial) > 0 {
		w.repairBy(c, now.Add(nackPause))
	} else if _, have := w.ahead[h.SN]; !have {
		w.answer(c, now, impatience) // not one fragment came: ask for the sample
	}
}

// repairBy has missing fragments asked for at a time.
func (w *writerProxy) repairBy(c *Core, at time.Time) {
	if w.repairAt.IsZero() || at.Before(w.repairAt) {
		w.repairAt = at
	}
	c.sched.by(&w.task, w.repairAt)
}

// missing collects missing fragments into a set, from the i-th on. It gives the fragment to continue at;
// total where none is left.
func (r *reassembly) missing(i uint32) (wire.FragmentNumberSet, uint32) {
	var set wire.FragmentNumberSet
	for i < r.total {
		word := ^r.have[i/64] >> (i % 64)
		if word == 0 {
			i = (i/64 + 1) * 64
			continue
		}
		if i += uint32(bits.TrailingZeros64(word)); i >= r.total {
			break
		}
		if set.Base == 0 {
			set.Base = i + 1
		}
		if !set.Add(i + 1) {
			return set, i
		}
		i++
	}
	return set, r.total
}
