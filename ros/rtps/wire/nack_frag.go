package wire

// NackFrag asks a writer for fragments of a change (RTPS 2.2 §8.3.7.10, §9.4.5.13).
type NackFrag struct {
	Reader, Writer EntityID
	SN             SequenceNumber
	State          FragmentNumberSet
	Count          uint32
}

// ParseNackFrag reads a NACK_FRAG submessage.
func ParseNackFrag(b []byte) (NackFrag, int, error) {
	_, c, n, err := parseBody(b, IDNackFrag, "NACK_FRAG")
	if err != nil {
		return NackFrag{}, 0, err
	}
	f := NackFrag{Reader: c.entity(), Writer: c.entity(), SN: c.sequenceNumber()}
	if f.State, err = c.fragmentNumberSet(); err != nil {
		return NackFrag{}, 0, err
	}
	f.Count = c.u32()
	if c.short {
		return NackFrag{}, 0, c.err("NACK_FRAG")
	}
	if f.SN < 1 || f.SN > maxSequenceNumber {
		return NackFrag{}, 0, malformed("NACK_FRAG", "sequence number %d", f.SN)
	}
	return f, n, nil
}

// Append adds the submessage.
func (f NackFrag) Append(b []byte) []byte {
	start := len(b)
	b = begin(b, IDNackFrag, 0)
	b = appendSequenceNumber(appendEntity(appendEntity(b, f.Reader), f.Writer), f.SN)
	return finish(appendU32(f.State.Append(b), f.Count), start, 0)
}
