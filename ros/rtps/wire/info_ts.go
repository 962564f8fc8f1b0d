package wire

// Flag of INFO_TS: no time from here on (RTPS 2.2 §9.4.5.11.1).
const flagInvalidate = 0x02

// InfoTimestamp gives the source time of the submessages that follow (RTPS 2.2 §8.3.7.9, §9.4.5.11).
type InfoTimestamp struct {
	Invalid bool
	Time    Timestamp
}

// ParseInfoTimestamp reads an INFO_TS submessage.
func ParseInfoTimestamp(b []byte) (InfoTimestamp, int, error) {
	s, c, n, err := parseBody(b, IDInfoTimestamp, "INFO_TS")
	if err != nil {
		return InfoTimestamp{}, 0, err
	}
	i := InfoTimestamp{Invalid: s.Flags&flagInvalidate != 0}
	if !i.Invalid {
		i.Time = Timestamp{int32(c.u32()), c.u32()}
	}
	return i, n, c.err("INFO_TS")
}

// Append adds the submessage.
func (i InfoTimestamp) Append(b []byte) []byte {
	start := len(b)
	if i.Invalid {
		return finish(begin(b, IDInfoTimestamp, flagInvalidate), start, 0)
	}
	b = begin(b, IDInfoTimestamp, 0)
	return finish(appendU32(appendU32(b, uint32(i.Time.Seconds)), i.Time.Fraction), start, 0)
}
