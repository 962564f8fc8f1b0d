package rtps_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
)

// withLiveliness is a quality of service with a lease of 300 ms.
func withLiveliness(kind rtps.Liveliness) rtps.QoS {
	return rtps.QoS{Reliability: rtps.Reliable, Depth: 10, Liveliness: kind,
		LivelinessLease: 300 * time.Millisecond}
}

// livelinessPair is a writer and a reader with such a quality that are matched.
func livelinessPair(w *world, q rtps.QoS) (*rtps.Writer, *rtps.Reader) {
	a, b := w.join("a"), w.join("b")
	x, r := w.writer(a, q), w.reader(b, q)
	w.until(time.Second, "matched", func() bool { return ready(x, 1)() && ready(r, 1)() })
	return x, r
}

// dead checks how many writers a reader takes for dead, and how often that has happened.
func dead(t *testing.T, r *rtps.Reader, what string, now int, ever uint64) {
	t.Helper()
	if s := r.Stats(); s.NotAlive != now || s.LostLiveliness != ever {
		t.Errorf("%s: %d writers not alive, %d times; want %d, %d", what, s.NotAlive, s.LostLiveliness, now,
			ever)
	}
}

func TestAnAutomaticWriterIsAliveAsLongAsItsParticipantIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond, Loss: 0.1})
		defer w.end()
		_, r := livelinessPair(w, withLiveliness(rtps.Automatic))
		before := w.all[0].Stats().Traffic.PacketsOut
		time.Sleep(10 * time.Second)
		dead(t, r, "nothing is written", 0, 0)
		if n := w.all[0].Stats().Traffic.PacketsOut - before; n > 400 {
			t.Errorf("%d datagrams in 10 s, for a lease of 300 ms", n)
		}
		w.Partition([]string{"a"}, []string{"b"})
		time.Sleep(time.Second)
		dead(t, r, "cut off", 1, 1)
		if len(r.Matches()) != 1 {
			t.Error("the participant's lease of 20 s is not over")
		}
		watch := w.all[1].Watch()
		defer watch.Close()
		w.Heal()
		time.Sleep(time.Second)
		dead(t, r, "healed", 0, 1)
		select {
		case <-watch.C():
		default:
			t.Error("no token for a writer that is alive again")
		}
	})
}

func TestAManualWriterIsAliveWhenItsApplicationSaysSo(t *testing.T) {
	for _, kind := range []rtps.Liveliness{rtps.ManualByParticipant, rtps.ManualByTopic} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
			defer w.end()
			x, r := livelinessPair(w, withLiveliness(kind))
			other, err := w.all[0].NewWriter(rtps.WriterConfig{Topic: topic, Type: strMsg,
				QoS: withLiveliness(kind)})
			if err != nil {
				t.Fatal(err)
			}
			w.until(time.Second, "two writers", ready(r, 2))
			for range 20 {
				w.write(x, 1)
				if err := other.AssertLiveliness(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(200 * time.Millisecond)
			}
			dead(t, r, "one writes, the other asserts", 0, 0)
			for range 20 {
				w.write(x, 1)
				time.Sleep(200 * time.Millisecond)
			}
			if kind == rtps.ManualByParticipant {
				dead(t, r, "one for all", 0, 0)
			} else {
				dead(t, r, "each for itself", 1, 1)
			}
			lost := r.Stats().LostLiveliness
			time.Sleep(time.Second)
			dead(t, r, "silence", 2, lost+2-uint64(min(1, lost)))
			w.write(x, 2)
			other.AssertLiveliness()
			time.Sleep(100 * time.Millisecond)
			dead(t, r, "alive again", 0, lost+2-uint64(min(1, lost)))
			time.Sleep(time.Second)
			x.Close()
			other.Close()
			time.Sleep(100 * time.Millisecond)
			if s := r.Stats(); s.NotAlive != 0 || s.Matched != 0 {
				t.Errorf("writers that are gone are neither alive nor dead: %+v", s)
			}
			if err := x.AssertLiveliness(); !errors.Is(err, rtps.ErrClosed) {
				t.Errorf("asserting a closed writer: %v", err)
			}
		})
	}
}

func TestALateReaderLearnsFromTheLastMessageThatAWriterIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
		defer w.end()
		q := rtps.QoS{Reliability: rtps.Reliable, Depth: 1, LivelinessLease: time.Second}
		w.writer(w.join("a"), q)
		time.Sleep(30 * time.Second) // many messages, of which the last counts
		r := w.reader(w.join("b"), q)
		w.until(time.Second, "matched", ready(r, 1))
		time.Sleep(5 * time.Second)
		dead(t, r, "late", 0, 0)
		w.honest()
	})
}
