package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
)

// playback runs a test on the playback of a recording, inside a bubble of synctest.
func playback(t *testing.T, text []byte, test func(*testing.T, *Playback)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		b, err := NewPlayback(ctx, func(context.Context) (*Player, io.Closer, error) {
			r, err := NewReader(bytes.NewReader(text))
			if err != nil {
				return nil, nil, err
			}
			p, err := NewPlayer(r, fakeLibrary{})
			return p, io.NopCloser(nil), err
		})
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- b.Run(ctx) }()
		test(t, b)
		stop()
		if err := <-over; err != nil {
			t.Error(err)
		}
		if _, err := b.Do(t.Context(), sim.Rewind{}); !errors.Is(err, sim.ErrClosed) {
			t.Errorf("after its end: %v", err)
		}
	})
}

func TestAPlaybackGoesToAnyMomentOfARecording(t *testing.T) {
	text := stepped(t, 40, map[int]sim.Command{
		3: sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"},
			Pose: sim.FramedPose{Pose: at(0.3, 0.2, 4)}},
		12: sim.Delete{Names: []string{"b"}}, 17: sim.Rewind{Back: 6 * time.Second},
		25: sim.Reset{Scope: sim.ResetTime}})
	// the steps of the recording are 40 s; at 17 s the clock says 11 s
	playback(t, text, func(t *testing.T, b *Playback) {
		do := func(c sim.Command) sim.Reply {
			t.Helper()
			r, err := b.Do(t.Context(), c)
			if err != nil {
				t.Fatalf("%s: %v", sim.Describe(c), err)
			}
			return r
		}
		time.Sleep(2 * time.Second)
		s := b.Snapshot()
		if s.State != sim.Playing || s.Time < 1900*time.Millisecond || s.Time > 2*time.Second ||
			s.Past.Newest != 40*time.Second || s.Past.Reach != 40*time.Second {
			t.Fatalf("after two seconds: %s at %v, %+v", s.State, s.Time, s.Past)
		}
		want := []time.Duration{3*time.Second - s.StepSize, 12*time.Second - s.StepSize,
			25*time.Second - s.StepSize}
		for i, m := range s.Past.Marks {
			if len(s.Past.Marks) != len(want) || m.At != want[i] {
				t.Fatalf("marks %+v, want them at %v", s.Past.Marks, want)
			}
		}
		do(sim.SetState{State: sim.Paused})
		for _, c := range []struct {
			to, clock time.Duration
			there     bool
		}{{11 * time.Second, 11 * time.Second, true}, {38 * time.Second, 13 * time.Second, true},
			{20 * time.Second, 14 * time.Second, true}, {4 * time.Second, 4 * time.Second, true},
			{0, 0, false}, {time.Hour, 15 * time.Second, true}, {16 * time.Second, 16 * time.Second, false}} {
			do(sim.Rewind{Back: b.Snapshot().Past.Now - c.to})
			s := b.Snapshot()
			if s.Past.Now != min(c.to, 40*time.Second) || s.Time != c.clock || s.State != sim.Paused {
				t.Errorf("to %v: %s at %v, %v; want %v", c.to, s.State, s.Past.Now, s.Time, c.clock)
			}
			if _, there := s.Find("b"); there != c.there {
				t.Errorf("at %v: b is there: %v", c.to, there)
			}
		}
		do(sim.SetPacing{RealTime: 4})
		do(sim.SetState{State: sim.Playing})
		time.Sleep(3 * time.Second)
		if now := b.Snapshot().Past.Now; now < 27500*time.Millisecond || now > 28*time.Second {
			t.Errorf("three seconds at four times real time led from 16 s to %v", now)
		}
		do(sim.SetPacing{})
		for b.Snapshot().State == sim.Playing {
			time.Sleep(time.Millisecond)
		}
		if s := b.Snapshot(); s.Past.Now != 40*time.Second || len(s.Events) < 4 {
			t.Errorf("at the end: %v, %+v", s.Past.Now, s.Events)
		}
		if _, err := b.Do(t.Context(), sim.SetState{State: sim.Playing}); !errors.Is(err, sim.ErrIncorrectState) {
			t.Errorf("play at the end: %v", err)
		}
		if _, err := b.Do(t.Context(), sim.Delete{Names: []string{"low"}}); !errors.Is(err, sim.ErrUnsupported) {
			t.Errorf("a deletion in a recording: %v", err)
		}
	})
}

func TestAPlaybackEndsWhereItDiffers(t *testing.T) {
	text := stepped(t, 8, map[int]sim.Command{5: sim.Spawn{Name: "b", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(0.3, 0.2, 4)}}})
	text = bytes.Replace(text, []byte(`"Z":4`), []byte(`"Z":5`), 1)
	playback(t, text, func(t *testing.T, b *Playback) {
		time.Sleep(7 * time.Second)
		s := b.Snapshot()
		if s.State != sim.Paused || s.Past.Newest != 5*time.Second || s.Halted == "" ||
			s.Events[len(s.Events)-1].Level != sim.Error {
			t.Errorf("%s at %v of %v, %q", s.State, s.Past.Now, s.Past.Newest, s.Halted)
		}
		if r, err := b.Do(t.Context(), sim.Rewind{Back: 2 * time.Second}); err != nil ||
			r.(sim.Rewound).Time != 3*time.Second {
			t.Errorf("back from there: %+v, %v", r, err)
		}
	})
}
