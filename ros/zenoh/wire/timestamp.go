package wire

import "time"

// Timestamp is the time of a publication, by the clock of the named session. The zero value is none.
type Timestamp struct {
	// seconds since 1970 in the upper half, 2⁻³² s in the lower
	NTP uint64
	ID  ID
}

// TimestampOf is the time as a timestamp has it.
func TimestampOf(t time.Time, id ID) Timestamp {
	return Timestamp{uint64(t.Unix())<<32 | uint64(t.Nanosecond())<<32/1e9, id}
}

// Time is the inverse of TimestampOf, to the nanosecond.
func (t Timestamp) Time() time.Time {
	return time.Unix(int64(t.NTP>>32), int64((t.NTP&0xffffffff)*1e9>>32))
}

func (t Timestamp) append(b []byte) []byte {
	return AppendOctets(AppendZInt(b, t.NTP), t.ID[:t.ID.size()])
}

func (c *cursor) timestamp() (t Timestamp) {
	t.NTP = c.zint()
	id := c.octets()
	if len(id) > len(t.ID) {
		c.fail(ErrMalformed)
		return Timestamp{}
	}
	copy(t.ID[:], id)
	return t
}
