package wire

// HeartbeatFrag announces the number of sent fragments of a change (RTPS 2.2 §8.3.7.6, §9.4.5.7).
type HeartbeatFrag struct {
	Reader, Writer EntityID
	SN             SequenceNumber
	Last           uint32 // number of the last fragment available
	Count          uint32
}

// ParseHeartbeatFrag reads a HEARTBEAT_FRAG submessage.
func ParseHeartbeatFrag(b []byte) (HeartbeatFrag, int, error) {
	_, c, n, err := parseBody(b, IDHeartbeatFrag, "HEARTBEAT_FRAG")
	if err != nil {
		return HeartbeatFrag{}, 0, err
	}
	h := HeartbeatFrag{Reader: c.entity(), Writer: c.entity(), SN: c.sequenceNumber(), Last: c.u32(),
		Count: c.u32()}
	if c.short {
		return HeartbeatFrag{}, 0, c.err("HEARTBEAT_FRAG")
	}
	if h.SN < 1 || h.SN > maxSequenceNumber || h.Last < 1 {
		return HeartbeatFrag{}, 0, malformed("HEARTBEAT_FRAG", "sequence number %d, last fragment %d", h.SN,
			h.Last)
	}
	return h, n, nil
}

// Append adds the submessage.
func (h HeartbeatFrag) Append(b []byte) []byte {
	start := len(b)
	b = begin(b, IDHeartbeatFrag, 0)
	b = appendSequenceNumber(appendEntity(appendEntity(b, h.Reader), h.Writer), h.SN)
	return finish(appendU32(appendU32(b, h.Last), h.Count), start, 0)
}
