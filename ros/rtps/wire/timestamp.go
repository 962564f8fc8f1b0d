package wire

import (
	"math"
	"time"
)

// Timestamp is a point in time, in seconds since 1970 and 2^-32 seconds (RTPS 2.2 §9.3.2.1).
type Timestamp struct {
	Seconds  int32
	Fraction uint32
}

// TimestampOf converts a time. The zero time and years beyond 2037 give TIME_INVALID.
func TimestampOf(t time.Time) Timestamp {
	s := t.Unix()
	if t.IsZero() || s < 0 || s > math.MaxInt32 {
		return Timestamp{-1, math.MaxUint32}
	}
	// rounded up, so that converting back gives the same nanosecond
	return Timestamp{int32(s), uint32((uint64(t.Nanosecond())<<32 + 999_999_999) / 1_000_000_000)}
}

// Time converts back. An invalid timestamp gives the zero time.
func (t Timestamp) Time() time.Time {
	if t.Seconds < 0 {
		return time.Time{}
	}
	return time.Unix(int64(t.Seconds), int64(uint64(t.Fraction)*1_000_000_000>>32))
}

// Duration is a span of time in seconds and 2^-32 seconds (RTPS 2.2 §9.3.2, Duration_t).
type Duration struct {
	Seconds  int32
	Fraction uint32
}

// Infinite is DURATION_INFINITE.
var Infinite = Duration{math.MaxInt32, math.MaxUint32}

// DurationOf converts a duration; zero and less mean infinite.
func DurationOf(d time.Duration) Duration {
	if d <= 0 || d/time.Second >= math.MaxInt32 {
		return Infinite
	}
	return Duration{int32(d / time.Second), uint32((uint64(d%time.Second)<<32 + 999_999_999) / 1_000_000_000)}
}

// Duration converts back; infinite gives zero. A negative duration gives one nanosecond: sooner than any.
func (d Duration) Duration() time.Duration {
	switch {
	case d == Infinite || d.Seconds == math.MaxInt32:
		return 0
	case d.Seconds < 0:
		return 1
	}
	return max(1, time.Duration(d.Seconds)*time.Second+time.Duration(uint64(d.Fraction)*1_000_000_000>>32))
}
