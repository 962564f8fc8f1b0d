package cli

import "testing"

func TestMemoryIsGivenBackOnceABurstIsOver(t *testing.T) {
	freed := 0
	s := memoryTrimmer{free: func() { freed++ }}
	for i, c := range []struct {
		allocated uint64
		playing   bool
		want      int
		why       string
	}{
		{40 << 20, false, 0, "the burst is under way"},
		{41 << 20, true, 0, "a world that plays is not disturbed"},
		{41 << 20, false, 1, "it rests"},
		{42 << 20, false, 1, "little was allocated since"},
		{60 << 20, false, 1, "another burst"},
		{60 << 20, false, 2, "it is over"},
		{61 << 20, false, 2, "once is enough"},
	} {
		if s.trimIfIdle(c.allocated, c.playing); freed != c.want {
			t.Errorf("look %d: given back %d times, want %d: %s", i, freed, c.want, c.why)
		}
	}
}
