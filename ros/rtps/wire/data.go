package wire

// Flags of DATA (RTPS 2.2 §9.4.5.3.1).
const (
	flagInlineQoS = 0x02
	flagData      = 0x04
	flagKey       = 0x08
)

// Content is the kind of a DATA's payload (RTPS 2.2 §9.4.5.3.1, flags D and K).
type Content uint8

// The payload is absent, the value, or only its key (of an instance that was disposed).
const (
	ContentNone Content = iota
	ContentData
	ContentKey
)

// Data carries one change of a writer (RTPS 2.2 §8.3.7.2, §9.4.5.3).
type Data struct {
	Reader, Writer EntityID
	SN             SequenceNumber
	InlineQoS      []byte // raw parameter list with its sentinel, for ParseInlineQoS; nil when absent
	BigEndian      bool   // byte order of InlineQoS
	Content        Content
	Payload        []byte // encapsulation header and serialised value, perhaps padded; nil when absent
}

// ParseData reads a DATA submessage.
func ParseData(b []byte) (Data, int, error) {
	s, c, n, err := parseBody(b, IDData, "DATA")
	if err != nil {
		return Data{}, 0, err
	}
	d := Data{BigEndian: c.big}
	c.u16() // extra flags
	toQoS := int(c.u16())
	start := c.off
	d.Reader, d.Writer, d.SN = c.entity(), c.entity(), c.sequenceNumber()
	if err := dataPosition("DATA", &c, d.SN, toQoS, start); err != nil {
		return Data{}, 0, err
	}
	if d.InlineQoS, err = inlineQoSOf(s, &c); err != nil {
		return Data{}, 0, err
	}
	switch s.Flags & (flagData | flagKey) {
	case flagData:
		d.Content = ContentData
	case flagKey:
		d.Content = ContentKey
	case flagData | flagKey:
		return Data{}, 0, malformed("DATA", "both a value and a key are flagged")
	}
	if d.Content != ContentNone {
		d.Payload = c.rest()
	}
	return d, n, nil
}

// dataPosition checks the fixed part of DATA and DATA_FRAG and moves the cursor to the inline QoS.
func dataPosition(element string, c *cursor, sn SequenceNumber, toQoS, start int) error {
	if c.short {
		return c.err(element)
	}
	if sn < 1 {
		return malformed(element, "sequence number %d is below 1", sn)
	}
	if start+toQoS < c.off || start+toQoS > len(c.b) {
		return malformed(element, "octetsToInlineQos is %d, body has %d octets", toQoS, len(c.b))
	}
	c.off = start + toQoS
	return nil
}

// inlineQoSOf takes the inline QoS off the cursor if the submessage flags one.
func inlineQoSOf(s Submessage, c *cursor) ([]byte, error) {
	if s.Flags&flagInlineQoS == 0 {
		return nil, nil
	}
	n, err := parameterListLength(c.b[c.off:], c.big)
	if err != nil {
		return nil, err
	}
	return c.take(n), nil
}

// Append adds the submessage. InlineQoS must be little-endian.
func (d Data) Append(b []byte) []byte {
	start := len(b)
	return finish(append(d.head(b), d.Payload...), start, 0)
}

// AppendAround adds the submessage without its payload, which belongs at the returned place: who sends it
// need not copy it.
func (d Data) AppendAround(b []byte) (out []byte, at int) {
	start := len(b)
	b = d.head(b)
	return finish(b, start, len(d.Payload)), len(b)
}

func (d Data) head(b []byte) []byte {
	b = begin(b, IDData, contentFlags(d.InlineQoS, d.Content))
	b = append(b, 0, 0, 16, 0)
	b = appendSequenceNumber(appendEntity(appendEntity(b, d.Reader), d.Writer), d.SN)
	return append(b, d.InlineQoS...)
}

func contentFlags(inlineQoS []byte, c Content) (f uint8) {
	if len(inlineQoS) > 0 {
		f = flagInlineQoS
	}
	switch c {
	case ContentData:
		f |= flagData
	case ContentKey:
		f |= flagKey
	}
	return f
}
