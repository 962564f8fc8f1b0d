package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"simdeck/sim/r3"
)

// ErrFrame is wrapped by every error about the bytes of a frame.
var ErrFrame = errors.New("no frame of motion")

// MostPoses is the most poses of a world that a frame holds.
const MostPoses = 1 << 16

// Kinds of frames.
const (
	delta    = 1
	keyframe = 2
)

// mostCoarse is the coarsest exponent: steps of 7.8 mm and 0.9°.
const mostCoarse = 5

// Header stands before the poses of a frame.
type Header struct {
	Keyframe bool
	World    uint32        // its number at the server
	Scene    uint32        // revision of the scene whose poses these are
	Seq      uint32        // a delta follows the frame whose Seq is one less
	Time     time.Duration // simulated, in steps of 1 µs
	State    uint8         // sim.State
}

// append writes a header.
func (h *Header) append(out []byte) []byte {
	kind := byte(delta)
	if h.Keyframe {
		kind = keyframe
	}
	out = append(out, kind)
	for _, v := range [...]uint32{h.World, h.Scene, h.Seq} {
		out = binary.AppendUvarint(out, uint64(v))
	}
	out = binary.AppendVarint(out, h.Time.Microseconds())
	return append(out, h.State)
}

// source reads numbers from the front of bytes; bad is the first that was not there.
type source struct {
	rest []byte
	bad  string
}

func (s *source) fail(what string) {
	if s.bad == "" {
		s.bad = what
	}
	s.rest = nil
}

func (s *source) byte(what string) byte {
	if len(s.rest) == 0 {
		s.fail(what)
		return 0
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b
}

func (s *source) unsigned(what string, most uint64) uint64 {
	v, n := binary.Uvarint(s.rest)
	if n <= 0 || v > most {
		s.fail(what)
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

func (s *source) signed(what string, most int64) int64 {
	v, n := binary.Varint(s.rest)
	if n <= 0 || v > most || v < -most {
		s.fail(what)
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

// parseHeader reads what Header.append writes.
func parseHeader(s *source) (h Header) {
	kind := s.byte("kind")
	if kind != delta && kind != keyframe {
		s.fail("kind")
	}
	h.Keyframe = kind == keyframe
	h.World = uint32(s.unsigned("world", 1<<32-1))
	h.Scene = uint32(s.unsigned("scene", 1<<32-1))
	h.Seq = uint32(s.unsigned("seq", 1<<32-1))
	h.Time = time.Duration(s.signed("time", 1<<52)) * time.Microsecond
	h.State = s.byte("state")
	return h
}

// contexts are the adaptive probabilities of a delta, which begin anew with each.
type contexts struct {
	still [4]prob // by whether the pose before in the frame stands still, and this one did
	jump  prob
	size  [3][6][24]prob // unary: by component, size of the component before, and bit
	top   [3][24]prob    // second bit of a number, by its size
}

func (c *contexts) begin() {
	for i := range c.still {
		c.still[i] = probHalf
	}
	c.jump = 1<<probBits - 64
	for g := range c.size {
		for k := range c.size[g] {
			for i := range c.size[g][k] {
				c.size[g][k][i] = probHalf
			}
		}
		for i := range c.top[g] {
			c.top[g][i] = probHalf
		}
	}
}

// group is the class of a component of residuals: level, upward, of the rotation.
func group(component int) int {
	switch {
	case component == 2:
		return 1
	case component > 2:
		return 2
	}
	return 0
}

func stillContext(before, this bool) int {
	i := 0
	if before {
		i = 2
	}
	if this {
		i++
	}
	return i
}

// Encoder keeps what viewers know of a world's motion. It is for one goroutine.
type Encoder struct {
	// Budget is the most bytes of a usual delta: where frames are larger, steps become coarser until they
	// fit. 0: steps are always fine.
	Budget int

	tracks []track
	coarse uint
	coder  rangeEncoder
	c      contexts
}

// Reset begins with other poses: the next frame must be a keyframe.
func (e *Encoder) Reset(poses []r3.Pose) {
	e.tracks = e.tracks[:0]
	for _, p := range poses[:min(len(poses), MostPoses)] {
		f := fix(p)
		e.tracks = append(e.tracks, track{f, f})
	}
	e.coarse = 0
}

// Keyframe appends a frame with all that is known, after which deltas may follow.
func (e *Encoder) Keyframe(out []byte, h Header) []byte {
	h.Keyframe = true
	out = h.append(out)
	out = binary.AppendUvarint(out, uint64(len(e.tracks)))
	for i := range e.tracks {
		t := &e.tracks[i]
		for k := range 3 {
			out = binary.AppendVarint(out, t.now.pos[k])
			out = binary.AppendVarint(out, t.now.pos[k]-t.before.pos[k])
		}
		for k := range 4 {
			out = binary.AppendVarint(out, t.now.quat[k])
			out = binary.AppendVarint(out, t.now.quat[k]-t.before.quat[k])
		}
	}
	return out
}

// Delta appends a frame that moves everything to poses, as many as Reset had. False: nothing moves or has
// moved, so that viewers need the frame for its header alone.
func (e *Encoder) Delta(out []byte, h Header, poses []r3.Pose) (frame []byte, moved bool) {
	h.Keyframe = false
	from := len(out)
	out = append(h.append(out), byte(e.coarse))
	e.coder.begin(out)
	e.c.begin()
	before := true
	for i := range e.tracks {
		t := &e.tracks[i]
		to := t.now
		if i < len(poses) {
			to = fix(poses[i])
		}
		context, stays := &e.c.still[stillContext(before, t.still())], t.near(&to, e.coarse)
		moved = moved || !stays || !t.still()
		if before = stays; stays {
			e.coder.bit(context, 0)
			t.rest()
			continue
		}
		e.coder.bit(context, 1)
		e.move(t, &to)
	}
	out = e.coder.end(len(out))
	e.adjust(len(out)-from, moved)
	return out, moved
}

// adjust chooses the steps of the next delta by the size of this one. At rest poses are corrected in fine
// steps.
func (e *Encoder) adjust(size int, moved bool) {
	switch {
	case !moved || e.Budget == 0:
		e.coarse = 0
	case size > e.Budget && e.coarse < mostCoarse:
		e.coarse++
	case size < e.Budget*2/3 && e.coarse > 0:
		e.coarse--
	}
}

// move codes how a frame moves.
func (e *Encoder) move(t *track, to *fixed) {
	pos, quat := t.predict()
	r, ok := residuals(to, pos, quat, e.coarse)
	if !ok {
		e.coder.bit(&e.c.jump, 1)
		for _, x := range to.pos {
			e.coder.raw(uint32(int32(x)), 32)
		}
		for _, x := range to.quat {
			e.coder.raw(uint32(uint16(int16(x))), 16)
		}
		t.jump(*to)
		return
	}
	e.coder.bit(&e.c.jump, 0)
	near := 0
	for k, v := range r {
		g := group(k)
		size := bits.Len32(uint32(max(v, -v)))
		for i := range size {
			e.coder.bit(&e.c.size[g][near][i], 1)
		}
		e.coder.bit(&e.c.size[g][near][size], 0)
		if near = min(size, 5); size == 0 {
			continue
		}
		sign, rest := uint32(0), uint32(v)
		if v < 0 {
			sign, rest = 1, uint32(-v)
		}
		e.coder.raw(sign, 1)
		if size > 1 {
			e.coder.bit(&e.c.top[g][size], int(rest>>(size-2)&1))
			e.coder.raw(rest, size-2)
		}
	}
	t.apply(&r, e.coarse)
}

// Decoder is a viewer's knowledge of a world's motion. It is for one goroutine.
type Decoder struct {
	tracks []track
	last   Header
	known  bool
	c      contexts
	coder  rangeDecoder
}

// Decode takes a frame. An error wraps ErrFrame, and leaves all as it was; a keyframe is needed then.
func (d *Decoder) Decode(frame []byte) (Header, error) {
	s := source{rest: frame}
	h := parseHeader(&s)
	switch {
	case s.bad != "":
	case h.Keyframe:
		tracks := parseKeyframe(&s)
		if s.bad == "" {
			d.tracks, d.known = tracks, true
		}
	case !d.known || h.World != d.last.World || h.Scene != d.last.Scene || h.Seq != d.last.Seq+1:
		return h, fmt.Errorf("%w: a delta of world %d, scene %d, number %d, after %d, %d, %d", ErrFrame,
			h.World, h.Scene, h.Seq, d.last.World, d.last.Scene, d.last.Seq)
	default:
		if coarse := uint(s.byte("step")); coarse <= mostCoarse && s.bad == "" {
			d.delta(s.rest, coarse)
		} else {
			s.fail("step")
		}
	}
	if s.bad != "" {
		return h, fmt.Errorf("%w of %d bytes: %s is missing or wrong", ErrFrame, len(frame), s.bad)
	}
	d.last = h
	return h, nil
}

func parseKeyframe(s *source) []track {
	n := int(s.unsigned("number of poses", MostPoses))
	if n > len(s.rest)/14 { // a pose has 14 numbers
		s.fail("poses")
		return nil
	}
	tracks := make([]track, n)
	for i := range tracks {
		t := &tracks[i]
		for k := range 3 {
			t.now.pos[k] = s.signed("position", posMost)
			t.before.pos[k] = t.now.pos[k] - s.signed("velocity", 1<<33)
		}
		for k := range 4 {
			t.now.quat[k] = s.signed("attitude", quatUnit)
			t.before.quat[k] = t.now.quat[k] - s.signed("turn", 2*quatUnit)
		}
		if t.now.quat == [4]int64{} || t.before.quat == [4]int64{} {
			s.fail("attitude")
		}
	}
	if len(s.rest) > 0 {
		s.fail("end")
	}
	return tracks
}

func (d *Decoder) delta(in []byte, coarse uint) {
	d.coder.begin(in)
	d.c.begin()
	before := true
	for i := range d.tracks {
		t := &d.tracks[i]
		context := &d.c.still[stillContext(before, t.still())]
		if before = d.coder.bit(context) == 0; before {
			t.rest()
			continue
		}
		d.move(t, coarse)
	}
}

func (d *Decoder) move(t *track, coarse uint) {
	if d.coder.bit(&d.c.jump) == 1 {
		var to fixed
		for k := range to.pos {
			to.pos[k] = int64(int32(d.coder.raw(32)))
		}
		for k := range to.quat {
			to.quat[k] = int64(int16(d.coder.raw(16)))
		}
		if to.quat == [4]int64{} {
			to.quat = identity.quat
		}
		t.jump(to)
		return
	}
	var r [6]int32
	near := 0
	for k := range r {
		g, size := group(k), 0
		for size < 23 && d.coder.bit(&d.c.size[g][near][size]) == 1 {
			size++
		}
		if near = min(size, 5); size == 0 {
			continue
		}
		negative, v := d.coder.raw(1) == 1, int32(1)
		if size > 1 {
			v = v<<1 | int32(d.coder.bit(&d.c.top[g][size]))
			v = v<<(size-2) | int32(d.coder.raw(size-2))
		}
		if r[k] = v; negative {
			r[k] = -v
		}
	}
	t.apply(&r, coarse)
}

// Poses appends the poses that the last frame left.
func (d *Decoder) Poses(dst []r3.Pose) []r3.Pose {
	for i := range d.tracks {
		dst = append(dst, d.tracks[i].now.pose())
	}
	return dst
}
