package statecodec

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"simdeck/sim/r3"
)

// part is one of everything that a layout can hold.
type part struct {
	left   float64
	at     r3.Vec
	turn   r3.Quat
	twist  r3.Twist
	load   float64
	on     bool
	a, b   bool
	mode   uint8
	slot   int32
	count  int32
	id     uint32
	key    uint64
	unused float64
}

func (p *part) fields(f *Fields) {
	f.Vec(&p.at, Hashed|Finite)
	f.Quat(&p.turn, Hashed)
	f.Twist(&p.twist, Number)
	f.Float(&p.load, NonNegative)
	f.Float(&p.left, Saved)
	f.Flag(&p.on, Saved)
	f.FlagPair(&p.a, &p.b, Hashed)
	Index(f, &p.mode, 3, "the mode")
	Slot(f, &p.slot, "the next part")
	Integer(f, &p.count, Saved)
	Integer(f, &p.id, Saved)
	Integer(f, &p.key, Saved)
}

var partLayout = LayoutOf((*part).fields)

func somePart() part {
	return part{left: math.Copysign(0, -1), at: r3.V(1, 2, 3), turn: r3.Quat{W: 4, X: 5, Y: 6, Z: 7},
		twist: r3.Twist{Linear: r3.V(8, math.Inf(1), 10), Angular: r3.V(11, 12, 13)}, load: 14, on: true,
		a: true, b: true, mode: 3, slot: 6, count: -2, id: math.MaxUint32, key: math.MaxUint64, unused: 15}
}

func stateOf(p *part) []byte {
	c := Writer([]byte("before"))
	partLayout.Code(&c, p)
	return c.Bytes()[len("before"):]
}

func TestALayoutWritesTheWordsOfAPartInTheOrderOfItsWalk(t *testing.T) {
	p := somePart()
	want := []uint64{}
	for _, x := range []float64{1, 2, 3, 4, 5, 6, 7, 8, math.Inf(1), 10, 11, 12, 13, 14,
		math.Copysign(0, -1)} {
		want = append(want, math.Float64bits(x))
	}
	want = append(want, 1, 3, 3, 6, math.MaxUint64-1, math.MaxUint32, math.MaxUint64)
	got := stateOf(&p)
	if len(got) != 8*len(want) {
		t.Fatalf("%d bytes, want %d words", len(got), len(want))
	}
	for i, w := range want {
		if x := binary.LittleEndian.Uint64(got[8*i:]); x != w {
			t.Errorf("word %d is %#x, want %#x", i, x, w)
		}
	}
}

func TestALayoutReadsWhatItHasWrittenAndADryRunKeepsNothing(t *testing.T) {
	p := somePart()
	state := stateOf(&p)
	var dry, read, own part
	check, reader, owner := Checker(state), Reader(state), Checker(state)
	for _, c := range []*Codec{&check, &reader, &owner} {
		c.LimitSlots(7)
	}
	partLayout.Code(&check, &dry)
	partLayout.Code(&reader, &read)
	partLayout.CodeOwn(&owner, &own)
	if check.Err() != nil || reader.Err() != nil || owner.Err() != nil {
		t.Fatal(check.Err(), reader.Err(), owner.Err())
	}
	p.unused = 0
	if dry != (part{}) {
		t.Errorf("a dry run kept %+v", dry)
	}
	if read != p || own != p || !math.Signbit(read.left) {
		t.Errorf("read %+v and %+v, want %+v", read, own, p)
	}
}

func TestALayoutRefusesWordsOutOfBoundsAndKeepsNothingOfThem(t *testing.T) {
	p := somePart()
	for _, c := range []struct {
		word  int
		value uint64
		want  string
	}{
		{17, 4, "the mode is 4, at most 3"},
		{18, 7, "the next part is 7, at most 6"},
		{18, 1<<32 | 1, "the next part is 4294967297, at most 6"},
	} {
		state := stateOf(&p)
		binary.LittleEndian.PutUint64(state[8*c.word:], c.value)
		for name, codec := range map[string]Codec{"dry run": Checker(state), "read": Reader(state)} {
			codec.LimitSlots(7)
			var got part
			partLayout.Code(&codec, &got)
			if err := codec.Err(); err == nil || err.Error() != c.want {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			if got != (part{}) {
				t.Errorf("%s: kept %+v", name, got)
			}
		}
	}
}

func TestALayoutRefusesStatesThatAreTooShortOrTooLong(t *testing.T) {
	p := somePart()
	state := stateOf(&p)
	short, long := Reader(state[:len(state)-1]), Reader(append(state, 0))
	for c, want := range map[*Codec]string{&short: "ends after 175 bytes", &long: "1 bytes are left over"} {
		c.LimitSlots(7)
		var got part
		partLayout.Code(c, &got)
		if err := c.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAFlagWordIsTrueUnlessItIsZero(t *testing.T) {
	p := somePart()
	state := stateOf(&p)
	for word, want := range map[uint64][3]bool{0: {}, 1: {true, true, false}, 2: {true, true, true},
		4: {true, true,
			false}} {
		binary.LittleEndian.PutUint64(state[8*15:], word)
		binary.LittleEndian.PutUint64(state[8*16:], word)
		c := Reader(state)
		c.LimitSlots(7)
		var got part
		partLayout.Code(&c, &got)
		if c.Err() != nil || [3]bool{got.on, got.a, got.b} != want {
			t.Errorf("words %d are read as %v, want %v: %v", word, [3]bool{got.on, got.a, got.b}, want,
				c.Err())
		}
	}
}

func TestTheHashOfALayoutTakesInTheHashedFieldsAlone(t *testing.T) {
	hash := func(p part) uint64 {
		h := NewWordHash
		partLayout.Hash(&h, &p)
		return uint64(h)
	}
	p := somePart()
	want := NewWordHash
	for _, x := range []float64{1, 2, 3, 4, 5, 6, 7} {
		want.Float(x)
	}
	want.Word(1)
	want.Word(2)
	if got := hash(p); got != uint64(want) {
		t.Errorf("%016x, want %016x", got, uint64(want))
	}
	q := p
	q.load, q.left, q.slot, q.on, q.twist = 1, 1, 1, false, r3.Twist{}
	if hash(q) != hash(p) {
		t.Error("a field that is not hashed changes the hash")
	}
}

func TestALayoutIsValidWithinThePropertiesOfItsNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		change func(*part)
		valid  bool
	}{
		"as it is":                 {func(*part) {}, true},
		"finite is the largest":    {func(p *part) { p.at.Y = -math.MaxFloat64 }, true},
		"finite is infinite":       {func(p *part) { p.at.Y = -inf }, false},
		"finite is NaN":            {func(p *part) { p.at.Z = nan }, false},
		"a number is infinite":     {func(p *part) { p.twist.Angular.Z = -inf }, true},
		"a number is NaN":          {func(p *part) { p.twist.Angular.Z = nan }, false},
		"non-negative is zero":     {func(p *part) { p.load = math.Copysign(0, -1) }, true},
		"non-negative is infinite": {func(p *part) { p.load = inf }, true},
		"non-negative is negative": {func(p *part) { p.load = -math.SmallestNonzeroFloat64 }, false},
		"non-negative is NaN":      {func(p *part) { p.load = nan }, false},
		"saved alone is NaN":       {func(p *part) { p.left = nan }, true},
	} {
		p := somePart()
		c.change(&p)
		if got := partLayout.Valid(&p); got != c.valid {
			t.Errorf("%s: valid is %v", name, got)
		}
	}
}

func TestTheChecksumIsTheHashOfEachByte(t *testing.T) {
	var b []byte
	for i := range 300 {
		h := NewWordHash
		for _, x := range b {
			h.Word(uint64(x))
		}
		if got := Checksum(b); got != uint64(h) {
			t.Fatalf("%d bytes: %016x, want %016x", i, got, uint64(h))
		}
		b = append(b, byte(i*i+7))
	}
}
