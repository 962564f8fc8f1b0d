package wire

// InfoDst says for whom the submessages that follow are (RTPS 2.2 §8.3.7.7, §9.4.5.9). A zero prefix means
// everybody.
type InfoDst struct{ Prefix GUIDPrefix }

// ParseInfoDst reads an INFO_DST submessage.
func ParseInfoDst(b []byte) (InfoDst, int, error) {
	_, c, n, err := parseBody(b, IDInfoDst, "INFO_DST")
	if err != nil {
		return InfoDst{}, 0, err
	}
	return InfoDst{c.prefix()}, n, c.err("INFO_DST")
}

// Append adds the submessage.
func (i InfoDst) Append(b []byte) []byte {
	start := len(b)
	return finish(append(begin(b, IDInfoDst, 0), i.Prefix[:]...), start, 0)
}
