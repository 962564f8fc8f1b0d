package wire

// Bits of a change's status (RTPS 2.2 §9.6.3.4).
const (
	StatusDisposed     = 0x1
	StatusUnregistered = 0x2
)

// InlineQoS holds the parameters between the header of a change and its payload (RTPS 2.2 §9.6.3).
type InlineQoS struct {
	Status  uint32         // StatusDisposed, StatusUnregistered
	KeyHash KeyHash        // of discovery data the key is a GUID
	Related SampleIdentity // of a service's request or reply
}

// ParseInlineQoS reads an inline parameter list.
func ParseInlineQoS(b []byte, big bool) (InlineQoS, int, error) {
	var q InlineQoS
	var modern bool
	n, err := eachParameter(b, big, func(id uint16, v *cursor) bool {
		switch id {
		case PIDStatusInfo:
			v.big = true // in any message (RTPS 2.2 §9.6.3.4)
			q.Status = v.u32()
		case PIDKeyHash:
			copy(q.KeyHash[:], v.take(len(q.KeyHash)))
		case PIDRelatedSample:
			q.Related, modern = SampleIdentity{v.guid(), v.sequenceNumber()}, true
		case PIDRelatedSampleLegacy:
			if len(v.b) >= 24 && !modern {
				q.Related = SampleIdentity{v.guid(), v.sequenceNumber()}
			}
		default:
			return false
		}
		return true
	})
	return q, n, err
}

// Append adds the parameter list; an empty one adds nothing.
func (q InlineQoS) Append(b []byte) []byte {
	if q == (InlineQoS{}) {
		return b
	}
	l := list{b: b}
	if !q.KeyHash.IsZero() {
		l.octets(PIDKeyHash, q.KeyHash[:]...)
	}
	if q.Status != 0 {
		l.octets(PIDStatusInfo, byte(q.Status>>24), byte(q.Status>>16), byte(q.Status>>8), byte(q.Status))
	}
	if q.Related != (SampleIdentity{}) {
		for _, id := range []uint16{PIDRelatedSample, PIDRelatedSampleLegacy} {
			l.open(id)
			l.b = q.Related.Append(l.b)
			l.close()
		}
	}
	return l.end()
}
