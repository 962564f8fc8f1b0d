package wire

// Flag of DATA_FRAG: the payload is a key (RTPS 2.2 §9.4.5.4.1).
const flagFragKey = 0x04

// DataFrag carries consecutive fragments of one change (RTPS 2.2 §8.3.7.3, §9.4.5.4).
type DataFrag struct {
	Reader, Writer EntityID
	SN             SequenceNumber
	Start          uint32 // number of the first fragment here; the first of all is 1
	Count          uint16 // fragments here
	Size           uint16 // octets per fragment; only the last of all may be shorter
	SampleSize     uint32 // octets of the whole payload, with its encapsulation header
	InlineQoS      []byte
	BigEndian      bool // byte order of InlineQoS
	Key            bool
	Payload        []byte // the fragments, with up to three octets of padding cut off
}

// ParseDataFrag reads a DATA_FRAG submessage and checks that the numbers in it fit each other
// (CVE-2023-50716).
func ParseDataFrag(b []byte) (DataFrag, int, error) {
	s, c, n, err := parseBody(b, IDDataFrag, "DATA_FRAG")
	if err != nil {
		return DataFrag{}, 0, err
	}
	d := DataFrag{BigEndian: c.big, Key: s.Flags&flagFragKey != 0}
	c.u16() // extra flags
	toQoS := int(c.u16())
	start := c.off
	d.Reader, d.Writer, d.SN = c.entity(), c.entity(), c.sequenceNumber()
	d.Start, d.Count, d.Size, d.SampleSize = c.u32(), c.u16(), c.u16(), c.u32()
	if err := dataPosition("DATA_FRAG", &c, d.SN, toQoS, start); err != nil {
		return DataFrag{}, 0, err
	}
	if d.InlineQoS, err = inlineQoSOf(s, &c); err != nil {
		return DataFrag{}, 0, err
	}
	d.Payload = c.rest()
	if err := d.check(); err != nil {
		return DataFrag{}, 0, err
	}
	_, end := d.Span()
	first, _ := d.Span()
	d.Payload = d.Payload[:end-first]
	return d, n, nil
}

func (d *DataFrag) check() error {
	if d.Size == 0 || d.Start == 0 || d.Count == 0 || d.SampleSize == 0 {
		return malformed("DATA_FRAG", "start %d, count %d, fragment size %d, sample size %d: none may be 0",
			d.Start, d.Count, d.Size, d.SampleSize)
	}
	if last := uint64(d.Start) + uint64(d.Count) - 2; last*uint64(d.Size) >= uint64(d.SampleSize) {
		return malformed("DATA_FRAG", "fragments %d to %d of %d octets lie beyond a sample of %d", d.Start,
			last+1, d.Size, d.SampleSize)
	}
	if first, end := d.Span(); len(d.Payload) < end-first {
		return malformed("DATA_FRAG", "%d octets of fragments, need %d", len(d.Payload), end-first)
	}
	return nil
}

// Span gives the place of the fragments in the sample: from the first octet up to, not including, the end.
func (d *DataFrag) Span() (first, end int) {
	first = int(d.Start-1) * int(d.Size)
	return first, min(first+int(d.Count)*int(d.Size), int(d.SampleSize))
}

// Append adds the submessage. InlineQoS must be little-endian.
func (d DataFrag) Append(b []byte) []byte {
	start := len(b)
	return finish(append(d.head(b), d.Payload...), start, 0)
}

// AppendAround adds the submessage without its payload, which belongs at the returned place: who sends it
// need not copy it.
func (d DataFrag) AppendAround(b []byte) (out []byte, at int) {
	start := len(b)
	b = d.head(b)
	return finish(b, start, len(d.Payload)), len(b)
}

func (d DataFrag) head(b []byte) []byte {
	var flags uint8
	if len(d.InlineQoS) > 0 {
		flags = flagInlineQoS
	}
	if d.Key {
		flags |= flagFragKey
	}
	b = begin(b, IDDataFrag, flags)
	b = append(b, 0, 0, 28, 0)
	b = appendSequenceNumber(appendEntity(appendEntity(b, d.Reader), d.Writer), d.SN)
	b = appendU16(appendU16(appendU32(b, d.Start), d.Count), d.Size)
	b = appendU32(b, d.SampleSize)
	return append(b, d.InlineQoS...)
}
