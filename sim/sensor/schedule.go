// Package sensor turns a state of the world into measurements: when each is
// due, what a lidar sees, and how noisy it is. Measurements never feed back
// into the world, so they may be left out when nobody wants them.
package sensor

import (
	"math"
	"simdeck/sim/statecodec"
	"time"
)

// Schedule gives the step boundaries of a sensor's samples. The k-th sample is due at the first boundary at
// or after k/rate, counted from zero: 12 Hz stays 12 Hz over hours.
type Schedule struct {
	rate float64 // Hz; 0: every step
	k    int64   // the next sample's number on that grid
}

// NewSchedule starts a schedule of rate Hz whose first sample follows now; a rate that is not positive means
// every step.
func NewSchedule(rate float64, now time.Duration) Schedule {
	if !(rate > 0) || rate > 1e9 {
		return Schedule{}
	}
	s := Schedule{rate: rate}
	s.skip(now)
	return s
}

// Due reports whether a sample is taken at the step boundary now, and goes on
// to the next one. Samples that the steps are too coarse for are left out.
func (s *Schedule) Due(now time.Duration) bool {
	if s.rate == 0 {
		return true
	}
	if now < s.at(s.k) {
		return false
	}
	s.skip(now)
	return true
}

// Next is the number of the sample that the schedule waits for; state of the
// simulation.
func (s *Schedule) Next() int64 { return s.k }

// At is the simulated time of that sample, which is taken at the first step boundary at or after it; zero
// with every step.
func (s *Schedule) At() time.Duration {
	if s.rate == 0 {
		return 0
	}
	return s.at(s.k)
}

// skip puts k to the first sample after now.
func (s *Schedule) skip(now time.Duration) {
	s.k = max(s.k, int64(math.Floor(now.Seconds()*s.rate)))
	for s.at(s.k) <= now {
		s.k++
	}
}

func (s *Schedule) at(k int64) time.Duration {
	ns := math.Round(float64(float64(k)*1e9) / s.rate)
	if ns >= math.MaxInt64 { // in three hundred years, or never
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// CodeState visits what the schedule remembers.
func (s *Schedule) CodeState(v statecodec.Visitor) { statecodec.Whole(v, &s.k) }
