package scene

import (
	"testing"
	"time"
)

func TestASignalBeginsWhereItsOffsetSays(t *testing.T) {
	s := Signal{Phases: []Phase{{"go", GreenLamp, 10 * time.Second}, {"wait", YellowLamp, 3 * time.Second},
		{"stop", RedLamp, 12 * time.Second}}}
	for _, c := range []struct {
		offset time.Duration
		phase  int
		since  time.Duration
	}{{0, 0, 0}, {9 * time.Second, 0, 9 * time.Second}, {10 * time.Second, 1, 0}, {14 * time.Second, 2,
		time.Second},
		{25 * time.Second, 0, 0}, {-time.Second, 2, 11 * time.Second}, {51 * time.Second, 0, time.Second}} {
		s.Offset = c.offset
		if phase, since := s.Begins(); phase != c.phase || since != c.since {
			t.Errorf("with the offset %v it begins in phase %d since %v, want %d since %v", c.offset, phase, since,
				c.phase, c.since)
		}
	}
}

func TestPhasesAreFoundByNameAndByWhatTheyShow(t *testing.T) {
	s := Signal{Phases: []Phase{{"first", RedLamp, time.Second}, {"go", GreenLamp, time.Second},
		{"second", RedLamp, time.Second}, {"red", 0, time.Second}}}
	for _, c := range []struct {
		what  string
		from  int
		phase int
		ok    bool
	}{{"go", 0, 1, true}, {"green", 0, 1, true}, {"second", 0, 2, true}, {"red", 0, 3, true}, {"yellow", 0,
		0, false},
		{"off", 0, 3, true}, {"fly", 0, 0, false}} {
		if i, ok := s.Find(c.what, c.from); i != c.phase || ok != c.ok {
			t.Errorf("%q from %d is phase %d, %v; want %d, %v", c.what, c.from, i, ok, c.phase, c.ok)
		}
	}
	s.Phases = s.Phases[:3]
	if i, _ := s.Find("red", 1); i != 2 {
		t.Errorf("the next red from phase 1 on is phase %d, want 2", i)
	}
}

func TestAspectsAreReadAsTheyAreWritten(t *testing.T) {
	for _, word := range Aspects() {
		if a, ok := ParseAspect(word); !ok || a.String() != word {
			t.Errorf("%q is read as %v, %v", word, a, ok)
		}
	}
	if _, ok := ParseAspect("blue"); ok {
		t.Error("a signal can show blue")
	}
	if got := (RedLamp | GreenLamp).String(); got != "unknown" {
		t.Errorf("red and green at once is %q", got)
	}
}
