package wire

// SequenceNumber counts the changes of a writer, from 1 (RTPS 2.2 §8.3.5.4, §9.3.2).
type SequenceNumber int64

// SequenceNumberUnknown stands where there is no number: ff ff ff ff 00 00 00 00 on the wire.
const SequenceNumberUnknown SequenceNumber = -1 << 32

// maxSequenceNumber leaves room for a bitmap behind any number, so that no sum overflows.
const maxSequenceNumber SequenceNumber = 1<<63 - 1<<32

// SampleIdentity names one change: whose, and which (DDS-RPC 1.0 §7.5.1.1.1). A service reply carries the one
// of its request.
type SampleIdentity struct {
	Writer GUID
	SN     SequenceNumber
}

// ParseSampleIdentity reads the 24 octets of a sample identity.
func ParseSampleIdentity(b []byte, big bool) (SampleIdentity, int, error) {
	c := cursor{b: b, big: big}
	s := SampleIdentity{c.guid(), c.sequenceNumber()}
	return s, c.off, c.err("sample identity")
}

// Append adds the 24 octets of the identity.
func (s SampleIdentity) Append(b []byte) []byte {
	return appendSequenceNumber(appendGUID(b, s.Writer), s.SN)
}
