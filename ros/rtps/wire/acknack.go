package wire

// AckNack tells a writer what a reader has and what it misses (RTPS 2.2 §8.3.7.1, §9.4.5.2).
// Everything below State.Base is acknowledged. Fast DDS opens a conversation with base 0 and no bits.
type AckNack struct {
	Reader, Writer EntityID
	State          SequenceNumberSet
	Count          uint32
	Final          bool // the writer need not answer
}

// ParseAckNack reads an ACKNACK submessage.
func ParseAckNack(b []byte) (AckNack, int, error) {
	s, c, n, err := parseBody(b, IDAckNack, "ACKNACK")
	if err != nil {
		return AckNack{}, 0, err
	}
	a := AckNack{Final: s.Flags&flagFinal != 0}
	a.Reader, a.Writer = c.entity(), c.entity()
	if a.State, err = c.sequenceNumberSet(0); err != nil {
		return AckNack{}, 0, err
	}
	a.Count = c.u32()
	if c.short {
		return AckNack{}, 0, c.err("ACKNACK")
	}
	return a, n, nil
}

// Append adds the submessage.
func (a AckNack) Append(b []byte) []byte {
	start := len(b)
	var flags uint8
	if a.Final {
		flags = flagFinal
	}
	b = begin(b, IDAckNack, flags)
	b = appendEntity(appendEntity(b, a.Reader), a.Writer)
	return finish(appendU32(a.State.Append(b), a.Count), start, 0)
}
