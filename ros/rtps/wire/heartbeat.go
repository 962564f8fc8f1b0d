package wire

// Flags of HEARTBEAT (RTPS 2.2 §9.4.5.6.1).
const (
	flagFinal      = 0x02
	flagLiveliness = 0x04
)

// Heartbeat announces the samples that a reliable writer still has (RTPS 2.2 §8.3.7.5, §9.4.5.6).
type Heartbeat struct {
	Reader, Writer EntityID
	First, Last    SequenceNumber // nothing: Last = First-1
	Count          uint32         // grows; readers drop repeated ones
	Final          bool           // the reader need not answer when nothing is missing
	Liveliness     bool
}

// ParseHeartbeat reads a HEARTBEAT submessage.
func ParseHeartbeat(b []byte) (Heartbeat, int, error) {
	s, c, n, err := parseBody(b, IDHeartbeat, "HEARTBEAT")
	if err != nil {
		return Heartbeat{}, 0, err
	}
	h := Heartbeat{Final: s.Flags&flagFinal != 0, Liveliness: s.Flags&flagLiveliness != 0}
	h.Reader, h.Writer = c.entity(), c.entity()
	h.First, h.Last, h.Count = c.sequenceNumber(), c.sequenceNumber(), c.u32()
	if c.short {
		return Heartbeat{}, 0, c.err("HEARTBEAT")
	}
	if h.First < 1 || h.Last < h.First-1 || h.Last > maxSequenceNumber {
		return Heartbeat{}, 0, malformed("HEARTBEAT", "range %d to %d", h.First, h.Last)
	}
	return h, n, nil
}

// Append adds the submessage.
func (h Heartbeat) Append(b []byte) []byte {
	start := len(b)
	var flags uint8
	if h.Final {
		flags |= flagFinal
	}
	if h.Liveliness {
		flags |= flagLiveliness
	}
	b = begin(b, IDHeartbeat, flags)
	b = appendEntity(appendEntity(b, h.Reader), h.Writer)
	b = appendSequenceNumber(appendSequenceNumber(b, h.First), h.Last)
	return finish(appendU32(b, h.Count), start, 0)
}
