package wire

// SetBits is the capacity of a set.
const SetBits = 256

// SequenceNumberSet holds up to 256 sequence numbers from Base on, as a bitmap, highest bit first (RTPS 2.2
// §8.3.5.5, §9.4.2.6).
type SequenceNumberSet struct {
	Base SequenceNumber
	bitmap
}

// Add puts a number into the set. It is false when the number does not fit.
func (s *SequenceNumberSet) Add(n SequenceNumber) bool {
	if n < s.Base || n-s.Base >= SetBits {
		return false
	}
	s.set(uint32(n - s.Base))
	return true
}

// Contains tells whether a number is in the set.
func (s *SequenceNumberSet) Contains(n SequenceNumber) bool {
	return n >= s.Base && n-s.Base < SequenceNumber(s.NumBits) && s.has(uint32(n-s.Base))
}

// End is the first number that the set cannot say anything about.
func (s *SequenceNumberSet) End() SequenceNumber { return s.Base + SequenceNumber(s.NumBits) }

// sequenceNumberSet reads a set whose base is at least lowest.
func (c *cursor) sequenceNumberSet(lowest SequenceNumber) (s SequenceNumberSet, err error) {
	s.Base = c.sequenceNumber()
	s.bitmap, err = c.bitmap()
	if err == nil && (s.Base < lowest || s.Base > maxSequenceNumber) {
		err = malformed("sequence number set", "base %d", s.Base)
	}
	return s, err
}

// ParseSequenceNumberSet reads a set of sequence numbers. Base 0 is taken: Fast DDS sends it to open a
// conversation.
func ParseSequenceNumberSet(b []byte, big bool) (SequenceNumberSet, int, error) {
	c := cursor{b: b, big: big}
	s, err := c.sequenceNumberSet(0)
	return s, c.off, err
}

// Append adds the set.
func (s SequenceNumberSet) Append(b []byte) []byte {
	return s.bitmap.append(appendSequenceNumber(b, s.Base))
}

// FragmentNumberSet holds up to 256 fragment numbers from Base on (RTPS 2.2 §8.3.5.7, §9.4.2.8).
type FragmentNumberSet struct {
	Base uint32
	bitmap
}

// Add puts a number into the set. It is false when the number does not fit.
func (s *FragmentNumberSet) Add(n uint32) bool {
	if n < s.Base || n-s.Base >= SetBits {
		return false
	}
	s.set(n - s.Base)
	return true
}

// Contains tells whether a number is in the set.
func (s *FragmentNumberSet) Contains(n uint32) bool {
	return n >= s.Base && n-s.Base < s.NumBits && s.has(n-s.Base)
}

func (c *cursor) fragmentNumberSet() (s FragmentNumberSet, err error) {
	s.Base = c.u32()
	s.bitmap, err = c.bitmap()
	if err == nil && (s.Base < 1 || s.Base > 1<<32-1-SetBits) {
		err = malformed("fragment number set", "base %d", s.Base)
	}
	return s, err
}

// ParseFragmentNumberSet reads a set of fragment numbers.
func ParseFragmentNumberSet(b []byte, big bool) (FragmentNumberSet, int, error) {
	c := cursor{b: b, big: big}
	s, err := c.fragmentNumberSet()
	return s, c.off, err
}

// Append adds the set.
func (s FragmentNumberSet) Append(b []byte) []byte { return s.bitmap.append(appendU32(b, s.Base)) }

// bitmap is the part that both sets share.
type bitmap struct {
	NumBits uint32 // bits that count
	Bits    [SetBits / 32]uint32
}

// Empty tells whether no bit is set.
func (m *bitmap) Empty() bool { return m.Bits == [SetBits / 32]uint32{} }

func (m *bitmap) has(i uint32) bool { return m.Bits[i/32]>>(31-i%32)&1 != 0 }

func (m *bitmap) set(i uint32) {
	m.Bits[i/32] |= 1 << (31 - i%32)
	m.NumBits = max(m.NumBits, i+1)
}

func (c *cursor) bitmap() (m bitmap, err error) {
	m.NumBits = c.u32()
	if m.NumBits > SetBits {
		return m, malformed("number set", "%d bits, at most %d", m.NumBits, SetBits)
	}
	for i := range (m.NumBits + 31) / 32 {
		m.Bits[i] = c.u32()
	}
	if tail := m.NumBits % 32; tail != 0 { // bits behind the last one have no meaning
		m.Bits[m.NumBits/32] &= ^uint32(0) << (32 - tail)
	}
	return m, c.err("number set")
}

func (m *bitmap) append(b []byte) []byte {
	b = appendU32(b, m.NumBits)
	for i := range (m.NumBits + 31) / 32 {
		b = appendU32(b, m.Bits[i])
	}
	return b
}
