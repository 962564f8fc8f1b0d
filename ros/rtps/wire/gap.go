package wire

// Gap names changes that a reader will not get: from Start up to, without, List.Base, and the set bits of
// List (RTPS 2.2 §8.3.7.4, §9.4.5.5).
type Gap struct {
	Reader, Writer EntityID
	Start          SequenceNumber
	List           SequenceNumberSet
}

// ParseGap reads a GAP submessage. The range may be huge: keep it as a range (CVE-2025-64438).
func ParseGap(b []byte) (Gap, int, error) {
	_, c, n, err := parseBody(b, IDGap, "GAP")
	if err != nil {
		return Gap{}, 0, err
	}
	g := Gap{Reader: c.entity(), Writer: c.entity(), Start: c.sequenceNumber()}
	if g.List, err = c.sequenceNumberSet(1); err != nil {
		return Gap{}, 0, err
	}
	if g.Start < 1 || g.Start > g.List.Base {
		return Gap{}, 0, malformed("GAP", "starts at %d, list at %d", g.Start, g.List.Base)
	}
	return g, n, nil
}

// Append adds the submessage.
func (g Gap) Append(b []byte) []byte {
	start := len(b)
	b = begin(b, IDGap, 0)
	b = appendSequenceNumber(appendEntity(appendEntity(b, g.Reader), g.Writer), g.Start)
	return finish(g.List.Append(b), start, 0)
}
