package statecodec

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"simdeck/sim/r3"
)

// Property says what is done with a field besides that states hold it.
type Property uint8

const (
	// Saved is the property of all fields of a walk: states hold them.
	Saved Property = 1 << iota
	// Hashed fields count for hashes.
	Hashed
	// Finite numbers may be neither infinite nor NaN.
	Finite
	// Number fields may be infinite; they may not be NaN.
	Number
	// NonNegative numbers may be infinite; they may be neither negative nor NaN.
	NonNegative
)

// Fields lists the fields of a part, which the walk of the part names in the order of states.
type Fields struct {
	part unsafe.Pointer
	size uintptr
	list []field
}

// field is a field of a part, or neighboring ones of one kind.
type field struct {
	kind       kind
	properties Property
	slot       bool    // less than the number of slots
	offset     uintptr // from the part's beginning
	count      int     // of neighbors
	most       uint64  // the largest value of an index
	what       string  // name of an index in errors
	word       int     // the words of the part before it
}

// kind is the form of a field in memory and in words.
type kind uint8

const (
	float  kind = iota // a word for each number: its bits
	flags              // a word for one bool, or two: 1 is the first alone, 3 both
	uint8s             // whole numbers: a word for each, negative ones in two's complement
	int32s
	uint32s
	uint64s
)

// Float names a number.
func (f *Fields) Float(x *float64, p Property) { f.add(float, unsafe.Pointer(x), 1, p) }

// Vec names a vector.
func (f *Fields) Vec(v *r3.Vec, p Property) {
	f.Float(&v.X, p)
	f.Float(&v.Y, p)
	f.Float(&v.Z, p)
}

// Quat names a quaternion.
func (f *Fields) Quat(q *r3.Quat, p Property) {
	f.Float(&q.W, p)
	f.Float(&q.X, p)
	f.Float(&q.Y, p)
	f.Float(&q.Z, p)
}

// Twist names a twist, the linear part first.
func (f *Fields) Twist(t *r3.Twist, p Property) {
	f.Vec(&t.Linear, p)
	f.Vec(&t.Angular, p)
}

// Flag names a bool.
func (f *Fields) Flag(b *bool, p Property) { f.add(flags, unsafe.Pointer(b), 1, p) }

// FlagPair names two neighboring bools that share a word. The second holds only together with the first.
func (f *Fields) FlagPair(first, second *bool, p Property) {
	if uintptr(unsafe.Pointer(second))-uintptr(unsafe.Pointer(first)) != 1 {
		panic("statecodec: two flags of one word are no neighbors")
	}
	f.add(flags, unsafe.Pointer(first), 2, p)
}

// integer is a whole number that a state can hold.
type integer interface {
	~uint8 | ~int32 | ~uint32 | ~uint64
}

// Integer names a whole number.
func Integer[T integer](f *Fields, n *T, p Property) {
	f.add(integerKind[T](), unsafe.Pointer(n), 1, p)
}

// Index names a whole number of 0 to most; errors call it what.
func Index[T integer](f *Fields, n *T, most uint64, what string) {
	Integer(f, n, Saved)
	last := &f.list[len(f.list)-1]
	last.most, last.what = most, what
}

// Slot names a whole number that is less than the codec's number of slots; errors call it what.
func Slot[T integer](f *Fields, n *T, what string) {
	Integer(f, n, Saved)
	last := &f.list[len(f.list)-1]
	last.slot, last.what = true, what
}

func integerKind[T integer]() kind {
	switch unsafe.Sizeof(T(0)) {
	case 1:
		return uint8s
	case 4:
		if T(0)-1 < 0 {
			return int32s
		}
		return uint32s
	}
	return uint64s
}

// add appends a field.
func (f *Fields) add(k kind, at unsafe.Pointer, count int, p Property) {
	offset := uintptr(at) - uintptr(f.part)
	if offset >= f.size {
		panic(fmt.Sprintf("statecodec: a field is %d bytes from the beginning of a part of %d", offset,
			f.size))
	}
	f.list = append(f.list, field{kind: k, properties: p | Saved, offset: offset, count: count,
		most: math.MaxUint64})
}

// Layout is the fields of a part as its walk names them, found once. Codecs, hashes and checks go over these
// lists: a walk over each part in turn would cost more than the work on its fields. Only this file knows of
// addresses.
type Layout[T any] struct{ fieldLists }

// fieldLists are the fields of a type for each purpose. Numbers side by side are one field.
type fieldLists struct {
	named       []field // one by one
	coded       []field
	bounded     []field // whole numbers that a state may not hold in full
	words       int     // of a part
	hashed      []field // numbers
	hashedFlags []field
	finite      []uintptr // offsets of numbers
	number      []uintptr
	nonNegative []uintptr
}

// LayoutOf finds the layout of a part: walk names its fields.
func LayoutOf[T any](walk func(*T, *Fields)) *Layout[T] {
	part := new(T)
	f := Fields{part: unsafe.Pointer(part), size: unsafe.Sizeof(*part)}
	walk(part, &f)
	l := &Layout[T]{}
	for _, one := range f.list {
		if one.word = l.words; one.kind == float {
			l.words += one.count
		} else {
			l.words++
		}
		l.named = append(l.named, one)
		l.coded = appendJoined(l.coded, one)
		if one.slot || one.most != math.MaxUint64 {
			l.bounded = append(l.bounded, one)
		}
		if one.kind != float {
			if one.properties&Hashed != 0 {
				l.hashedFlags = append(l.hashedFlags, one)
			}
			continue
		}
		if one.properties&Hashed != 0 {
			l.hashed = appendJoined(l.hashed, one)
		}
		switch {
		case one.properties&Finite != 0:
			l.finite = append(l.finite, one.offset)
		case one.properties&NonNegative != 0:
			l.nonNegative = append(l.nonNegative, one.offset)
		case one.properties&Number != 0:
			l.number = append(l.number, one.offset)
		}
	}
	return l
}

// appendJoined appends a field, to the last one where both are numbers side by side.
func appendJoined(list []field, f field) []field {
	if n := len(list); n > 0 && f.kind == float && list[n-1].kind == float &&
		list[n-1].offset+8*uintptr(list[n-1].count) == f.offset {
		list[n-1].count += f.count
		return list
	}
	return append(list, f)
}

// Code moves a part between the world and bytes. A dry run leaves the part as it is.
func (l *Layout[T]) Code(c *Codec, part *T) {
	switch {
	case c.writing:
		c.buf = l.append(c.buf, unsafe.Pointer(part))
	case c.dry:
		l.check(c)
	default:
		l.read(c, unsafe.Pointer(part))
	}
}

// CodeOwn codes a part that is the caller's own: a dry run fills it, too.
func (l *Layout[T]) CodeOwn(c *Codec, part *T) {
	if c.writing {
		c.buf = l.append(c.buf, unsafe.Pointer(part))
		return
	}
	l.read(c, unsafe.Pointer(part))
}

// Hash takes in the numbers of a part that count for hashes, then its flags. A set flag counts as 1, the
// second of a pair as 2.
func (l *Layout[T]) Hash(h *WordHash, part *T) {
	sum := uint64(*h)
	for i := range l.hashed {
		for _, x := range l.hashed[i].floats(unsafe.Pointer(part)) {
			sum = hashWord(sum, math.Float64bits(x))
		}
	}
	for i := range l.hashedFlags {
		x := l.hashedFlags[i].flagWord(unsafe.Pointer(part))
		if x&1 != 0 {
			sum = hashWord(sum, 1)
		}
		if x&2 != 0 {
			sum = hashWord(sum, 2)
		}
	}
	*h = WordHash(sum)
}

// Valid reports that all numbers of a part are as their properties say.
func (l *Layout[T]) Valid(part *T) bool {
	sum := 0.0 // of zeros, and NaN with the first that is not finite: one branch for all
	for _, at := range l.finite {
		x := *(*float64)(unsafe.Add(unsafe.Pointer(part), at))
		sum += x - x
	}
	if sum != 0 {
		return false
	}
	for _, at := range l.number {
		if x := *(*float64)(unsafe.Add(unsafe.Pointer(part), at)); x != x {
			return false
		}
	}
	for _, at := range l.nonNegative {
		if x := *(*float64)(unsafe.Add(unsafe.Pointer(part), at)); !(x >= 0) {
			return false
		}
	}
	return true
}

// Properties returns the properties of each byte of a part, 0 for those that the walk does not name.
func (l *Layout[T]) Properties() []Property {
	var one T
	out := make([]Property, unsafe.Sizeof(one))
	for _, f := range l.named {
		for i := range uintptr(f.count) * f.kind.size() {
			out[f.offset+i] |= f.properties
		}
	}
	return out
}

// size is that of one value, in bytes.
func (k kind) size() uintptr {
	switch k {
	case flags, uint8s:
		return 1
	case int32s, uint32s:
		return 4
	}
	return 8
}

// floats are the numbers of a field.
func (f *field) floats(part unsafe.Pointer) []float64 {
	return unsafe.Slice((*float64)(unsafe.Add(part, f.offset)), f.count)
}

// flagWord returns one flag, or two, as a word.
func (f *field) flagWord(part unsafe.Pointer) uint64 {
	x := uint64(*(*uint8)(unsafe.Add(part, f.offset)))
	if f.count == 2 {
		x |= uint64(*(*uint8)(unsafe.Add(part, f.offset+1))) << 1
	}
	return x
}

// get returns a field that is no number as a word.
func (f *field) get(part unsafe.Pointer) (x uint64) {
	switch at := unsafe.Add(part, f.offset); f.kind {
	case flags:
		x = f.flagWord(part)
	case uint8s:
		x = uint64(*(*uint8)(at))
	case int32s:
		x = uint64(*(*int32)(at))
	case uint32s:
		x = uint64(*(*uint32)(at))
	default:
		x = *(*uint64)(at)
	}
	return x
}

// set gives a field that is no number the value of a word.
func (f *field) set(part unsafe.Pointer, x uint64) {
	switch at := unsafe.Add(part, f.offset); f.kind {
	case flags:
		*(*bool)(at) = x != 0
		if f.count == 2 {
			*(*bool)(unsafe.Add(at, 1)) = x&2 != 0
		}
	case uint8s:
		*(*uint8)(at) = uint8(x)
	case int32s, uint32s:
		*(*uint32)(at) = uint32(x)
	default:
		*(*uint64)(at) = x
	}
}

// append appends the words of a part, the lowest byte of each first.
func (l *fieldLists) append(buf []byte, part unsafe.Pointer) []byte {
	from, size := len(buf), 8*l.words
	if cap(buf)-from < size {
		buf = slices.Grow(buf, size)
	}
	buf = buf[:from+size]
	out := buf[from:]
	for i := range l.coded {
		f := &l.coded[i]
		if f.kind != float {
			binary.LittleEndian.PutUint64(out, f.get(part))
			out = out[8:]
			continue
		}
		for _, x := range f.floats(part) {
			binary.LittleEndian.PutUint64(out, math.Float64bits(x))
			out = out[8:]
		}
	}
	return buf
}

// check takes the words of a part, and holds whole numbers to their bounds; nil, with an error, where they
// break them.
func (l *fieldLists) check(c *Codec) []byte {
	in := c.take(8 * l.words)
	if in == nil {
		return nil
	}
	for i := range l.bounded {
		f := &l.bounded[i]
		x, most := binary.LittleEndian.Uint64(in[8*f.word:]), f.most
		if f.slot {
			most = c.slots - 1
		}
		if x > most {
			c.Fail("%s is %d, at most %d", f.what, x, most)
			return nil
		}
	}
	return in
}

// read reads the words of a part into it. With an error it stays as it is.
func (l *fieldLists) read(c *Codec, part unsafe.Pointer) {
	in := l.check(c)
	if in == nil {
		return
	}
	for i := range l.coded {
		f := &l.coded[i]
		if f.kind != float {
			f.set(part, binary.LittleEndian.Uint64(in))
			in = in[8:]
			continue
		}
		list := f.floats(part)
		for k := range list {
			list[k] = math.Float64frombits(binary.LittleEndian.Uint64(in))
			in = in[8:]
		}
	}
}
