package engine

import (
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
)

func pictureAt(seq uint64, t time.Duration) *sim.Snapshot { return &sim.Snapshot{Seq: seq, Time: t} }

// received drains what a subscription holds now.
func received(s *sim.Subscription) (seqs []uint64) {
	for {
		select {
		case p, ok := <-s.C():
			if !ok {
				return append(seqs, 0)
			}
			seqs = append(seqs, p.Seq)
		default:
			return seqs
		}
	}
}

func equal(t *testing.T, what string, got []uint64, want ...uint64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: got %v, want %v", what, got, want)
		}
	}
}

func TestLosslessDeliversEveryMultipleOfItsPeriodAndAllNews(t *testing.T) {
	var f sim.Feed
	s := f.Subscribe(sim.Lossless(100, 10*time.Millisecond))
	every := f.Subscribe(sim.Lossless(100, 0))
	for i := range uint64(12) { // every 4 ms, news at 16 ms
		f.Publish(pictureAt(i, time.Duration(i)*dt), noon, i == 4)
	}
	equal(t, "each 10 ms", received(s), 0, 3, 4, 5, 8, 10)
	if n := len(received(every)); n != 12 {
		t.Errorf("period 0 delivered %d of 12", n)
	}
	// A reset of time begins the multiples anew.
	f.Publish(pictureAt(12, 0), noon, false)
	f.Publish(pictureAt(13, dt), noon, false)
	f.Publish(pictureAt(14, 3*dt), noon, false)
	equal(t, "after a reset", received(s), 12, 14)
}

func TestAFullQueueDropsTheNewestAndCounts(t *testing.T) {
	var f sim.Feed
	s := f.Subscribe(sim.Lossless(2, 0))
	for i := range uint64(5) {
		f.Publish(pictureAt(i+1, time.Duration(i)), noon, false)
	}
	if s.Dropped() != 3 || f.Dropped() != 3 {
		t.Errorf("dropped %d, feed says %d; want 3", s.Dropped(), f.Dropped())
	}
	equal(t, "queue", received(s), 1, 2)
}

func TestLatestKeepsTheNewestAndItsPeriodOfWallTime(t *testing.T) {
	var f sim.Feed
	s := f.Subscribe(sim.Latest(10 * time.Millisecond))
	f.Publish(pictureAt(1, 0), noon, true)
	f.Publish(pictureAt(2, 0), noon.Add(5*time.Millisecond), true)
	equal(t, "within a period", received(s), 1)
	if next := f.Flush(noon.Add(6 * time.Millisecond)); !next.Equal(noon.Add(10 * time.Millisecond)) {
		t.Errorf("due at %v, want 10 ms after noon", next)
	}
	equal(t, "not due", received(s))
	if next := f.Flush(noon.Add(10 * time.Millisecond)); !next.IsZero() {
		t.Errorf("still due at %v", next)
	}
	equal(t, "held back until due", received(s), 2)
	f.Publish(pictureAt(3, 0), noon.Add(20*time.Millisecond), false)
	f.Publish(pictureAt(4, 0), noon.Add(30*time.Millisecond), false)
	equal(t, "newest only", received(s), 4)
	if s.Dropped() != 1 || f.Dropped() != 0 {
		t.Errorf("dropped %d, want 1, and the feed says %d: nothing is lost", s.Dropped(), f.Dropped())
	}
}

func TestAStreamBeginsWithTheNewest(t *testing.T) {
	var f sim.Feed
	f.Publish(pictureAt(9, 0), noon, false)
	equal(t, "latest", received(f.Subscribe(sim.Latest(time.Hour))), 9)
	equal(t, "lossless", received(f.Subscribe(sim.Lossless(1, time.Hour))), 9)
}

func TestClosingEndsTheStreamOnce(t *testing.T) {
	var f sim.Feed
	a, b := f.Subscribe(sim.Lossless(4, 0)), f.Subscribe(sim.Lossless(4, 0))
	a.Close()
	a.Close()
	f.Publish(pictureAt(1, 0), noon, false)
	equal(t, "closed", received(a), 0)
	f.Close()
	b.Close()
	equal(t, "what was queued, then the end", received(b), 1, 0)
	equal(t, "subscribed too late", received(f.Subscribe(sim.Latest(0))), 1, 0)
}

func TestSensorsAreWatchedWhileSomebodyLooks(t *testing.T) {
	var f sim.Feed
	if f.SensorWatched(1, 0) {
		t.Error("watched by nobody")
	}
	a, b := f.Subscribe(sim.Latest(0)), f.Subscribe(sim.Latest(0))
	b.WantSensors(false)
	if !f.SensorWatched(1, 0) {
		t.Error("not watched")
	}
	a.WantSensors(false)
	if f.SensorWatched(1, 0) {
		t.Error("watched by those who look away")
	}
	a.WantSamples(func(entity uint64, sensor int) bool { return entity == 7 && sensor == 2 })
	if f.SensorWatched(1, 2) || f.SensorWatched(7, 1) || !f.SensorWatched(7, 2) {
		t.Error("watched is another than the one that was asked for")
	}
	a.WantSensors(true)
	if !f.SensorWatched(1, 0) {
		t.Error("not watched again")
	}
	a.Close()
	if f.SensorWatched(1, 0) {
		t.Error("watched by one who left")
	}
}

func TestTheDrawingIsThereForWhoAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Paused})
		frames, joints := e.Subscribe(sim.Latest(time.Hour)), e.Subscribe(sim.Latest(time.Hour))
		defer frames.Close()
		for i, c := range []struct {
			ask  func()
			want sim.DrawFlags
		}{
			{func() {}, 0},
			{func() { frames.WantDrawing(sim.DrawFrames) }, sim.DrawFrames},
			{func() { joints.WantDrawing(sim.DrawJoints) }, sim.DrawFrames | sim.DrawJoints},
			{joints.Close, sim.DrawFrames},
			{func() { frames.WantDrawing(0) }, 0},
		} {
			c.ask()
			do(t, e, sim.StepWorld{N: 1})
			var seen sim.DrawFlags
			for _, l := range e.Snapshot().Drawing {
				seen |= l.Kind
			}
			if seen != c.want {
				t.Errorf("%d: drawn %b, asked for %b", i, seen, c.want)
			}
		}
	})
}

func TestOnlyAReaderWithAHoldStopsTheSimulationAndCommandsGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := running(t, Config{World: sim.Resource{URI: "yard"}, Start: sim.Playing})
		var hold sim.Hold
		ordinary := e.Subscribe(sim.Lossless(64, 0))
		complete := e.Subscribe(sim.Lossless(64, 0).Holding(&hold))
		hold.Set(true)
		time.Sleep(time.Second)
		at := e.Snapshot().Time
		if n := len(complete.C()); n > 20 || complete.Dropped() > 0 || at > 20*dt {
			t.Errorf("after a second %d snapshots wait, %d are lost, and it is %v", n, complete.Dropped(), at)
		}
		do(t, e, sim.SetPacing{RealTime: 1})
		if again := e.Snapshot().Time; again != at {
			t.Errorf("the held world went on from %v to %v", at, again)
		}
		for range 250 {
			<-complete.C()
			complete.Done()
		}
		if complete.Dropped() > 0 || e.Snapshot().Time < 200*dt {
			t.Errorf("after 250 snapshots %d are lost, and it is %v", complete.Dropped(), e.Snapshot().Time)
		}
		hold.Set(false)
		time.Sleep(2 * time.Second)
		if now := e.Snapshot().Time; now < 2500*time.Millisecond {
			t.Errorf("without a hold it is %v after 2 s more", now)
		}
		if ordinary.Dropped() == 0 || hold.Lost() > 0 {
			t.Errorf("%d and %d snapshots are lost", ordinary.Dropped(), hold.Lost())
		}
	})
}
