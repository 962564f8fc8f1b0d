package wire

import "time"

// Reliability kinds on the wire (RTPS 2.2 §9.6.2.2; DDS 1.4 §2.2.3.14).
const (
	ReliabilityBestEffort = 1
	ReliabilityReliable   = 2
)

// Durability kinds on the wire (DDS 1.4 §2.2.3.4).
const (
	DurabilityVolatile       = 0
	DurabilityTransientLocal = 1
	DurabilityTransient      = 2
	DurabilityPersistent     = 3
)

// Liveliness kinds on the wire (DDS 1.4 §2.2.3.11).
const (
	LivelinessAutomatic           = 0
	LivelinessManualByParticipant = 1
	LivelinessManualByTopic       = 2
)

// EndpointQoS is the quality of service that an endpoint offers or asks for (DDS 1.4 §2.2.3). Durations of 0
// are infinite.
type EndpointQoS struct {
	Reliability     uint32
	Durability      uint32
	KeepAll         bool
	Depth           int32 // 0 = not told: Fast DDS does not
	Deadline        time.Duration
	Lifespan        time.Duration
	Liveliness      uint32
	LivelinessLease time.Duration
	Exclusive       bool          // ownership
	Strength        int32         // of a writer, where ownership is exclusive
	Separation      time.Duration // of the samples that a reader takes: its time-based filter
	Partitions      []string
	Representations []int16 // 0 = XCDR1, 2 = XCDR2; nil = not told, which means XCDR1
}

// maxBlocking is the time that a full reliable writer would block: 100 ms, the default of DDS. Nobody acts on
// it.
const maxBlocking = 100 * time.Millisecond

func (q *EndpointQoS) take(id uint16, v *cursor) bool {
	switch id {
	case PIDReliability:
		q.Reliability = v.u32()
	case PIDDurability:
		q.Durability = v.u32()
	case PIDHistory:
		q.KeepAll, q.Depth = v.u32() == 1, max(0, int32(v.u32()))
		if q.KeepAll {
			q.Depth = 0 // Cyclone DDS tells -1
		}
	case PIDDeadline:
		q.Deadline = Duration{int32(v.u32()), v.u32()}.Duration()
	case PIDLifespan:
		q.Lifespan = Duration{int32(v.u32()), v.u32()}.Duration()
	case PIDLiveliness:
		q.Liveliness = v.u32()
		q.LivelinessLease = Duration{int32(v.u32()), v.u32()}.Duration()
	case PIDOwnership:
		q.Exclusive = v.u32() == 1
	case PIDOwnershipStrength:
		q.Strength = int32(v.u32())
	case PIDTimeBasedFilter:
		if d := (Duration{int32(v.u32()), v.u32()}); d != (Duration{}) { // Fast DDS tells 0
			q.Separation = d.Duration()
		}
	case PIDPartition:
		q.Partitions = v.strings()
	case PIDRepresentation:
		q.Representations = v.representations()
	default:
		return false
	}
	return true
}

func (c *cursor) strings() []string {
	n := c.u32()
	if uint64(n)*4 > uint64(len(c.b)-c.off) { // a length each
		c.short = true
		return nil
	}
	var out []string
	for range n {
		c.align()
		out = append(out, c.str())
	}
	return out
}

func (c *cursor) representations() []int16 {
	n := c.u32()
	if uint64(n)*2 > uint64(len(c.b)-c.off) {
		c.short = true
		return nil
	}
	var out []int16
	for range n {
		out = append(out, int16(c.u16()))
	}
	return out
}

// append adds the parameters that differ from the defaults, and always reliability, durability and history.
func (q *EndpointQoS) append(l *list) {
	d := DurationOf(maxBlocking)
	l.u32(PIDReliability, q.Reliability, uint32(d.Seconds), d.Fraction)
	l.u32(PIDDurability, q.Durability)
	if q.KeepAll {
		l.u32(PIDHistory, 1, 0)
	} else if q.Depth > 0 {
		l.u32(PIDHistory, 0, uint32(q.Depth))
	}
	if q.Deadline > 0 {
		l.duration(PIDDeadline, q.Deadline)
	}
	if q.Lifespan > 0 {
		l.duration(PIDLifespan, q.Lifespan)
	}
	if q.Liveliness != LivelinessAutomatic || q.LivelinessLease > 0 {
		d := DurationOf(q.LivelinessLease)
		l.u32(PIDLiveliness, q.Liveliness, uint32(d.Seconds), d.Fraction)
	}
	if q.Exclusive {
		l.u32(PIDOwnership, 1)
	}
	if q.Strength != 0 {
		l.u32(PIDOwnershipStrength, uint32(q.Strength))
	}
	if q.Separation > 0 {
		l.duration(PIDTimeBasedFilter, q.Separation)
	}
	if len(q.Partitions) > 0 {
		l.open(PIDPartition)
		l.b = appendU32(l.b, uint32(len(q.Partitions)))
		for _, p := range q.Partitions {
			l.b = appendString(pad4(l.b, l.start), p)
		}
		l.close()
	}
	if len(q.Representations) > 0 {
		l.open(PIDRepresentation)
		l.b = appendU32(l.b, uint32(len(q.Representations)))
		for _, r := range q.Representations {
			l.b = appendU16(l.b, uint16(r))
		}
		l.close()
	}
}
