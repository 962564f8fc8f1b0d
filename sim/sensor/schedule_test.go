package sensor

import (
	"fmt"
	"testing"
	"time"
)

func TestASensorKeepsItsRateForHours(t *testing.T) {
	for _, c := range []struct {
		rate float64
		step time.Duration
		over time.Duration
		want int
	}{
		{5, time.Millisecond, 10 * time.Second, 50},
		{5, 4 * time.Millisecond, 10 * time.Second, 50},
		{12, 10 * time.Millisecond, time.Hour, 12 * 3600},
		{30, 4 * time.Millisecond, 100 * time.Second, 3000},
		{29.97, time.Millisecond, 1000 * time.Second, 29970},
		{1000, time.Millisecond, time.Second, 1000},
		{4000, time.Millisecond, time.Second, 1000}, // no finer than the steps
		{0, 4 * time.Millisecond, time.Second, 250},
		{0.1, 4 * time.Millisecond, 100 * time.Second, 10},
	} {
		t.Run(fmt.Sprint(c.rate, " Hz by ", c.step), func(t *testing.T) {
			s := NewSchedule(c.rate, 0)
			n := 0
			for now := c.step; now <= c.over; now += c.step {
				if !s.Due(now) {
					continue
				}
				n++
				if due := time.Duration(float64(n) / c.rate * 1e9); c.rate > 0 && c.rate < 500 &&
					(now < due-1 || now >= due+c.step+1) {
					t.Fatalf("sample %d came at %v, want the first boundary from %v", n, now, due)
				}
			}
			if n != c.want {
				t.Errorf("got %d samples in %v, want %d", n, c.over, c.want)
			}
		})
	}
}

func TestAScheduleThatStartsLateFallsInWithTheOthers(t *testing.T) {
	s := NewSchedule(5, 7300*time.Millisecond)
	for now := 7301 * time.Millisecond; now < 7400*time.Millisecond; now += time.Millisecond {
		if s.Due(now) {
			t.Fatalf("due at %v, want 7.4 s", now)
		}
	}
	if !s.Due(7400*time.Millisecond) || s.Next() != 38 {
		t.Errorf("not due at 7.4 s, next sample %d, want 38", s.Next())
	}
}

func TestARateThatIsAlmostNothingMeansNever(t *testing.T) {
	for _, rate := range []float64{5e-324, 1e-300, 1e-12} {
		s := NewSchedule(rate, 0)
		if s.Due(100 * 365 * 24 * time.Hour) {
			t.Errorf("rate %v: due within a century", rate)
		}
	}
}

func TestARateThatIsNoNumberMeansEveryStep(t *testing.T) {
	for _, rate := range []float64{-1, 1e300} {
		s := NewSchedule(rate, 0)
		if !s.Due(1) || !s.Due(2) {
			t.Errorf("rate %v: not due at every step", rate)
		}
	}
}
