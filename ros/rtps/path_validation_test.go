package rtps_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
)

// honest checks that nobody of these was taken for somebody else.
func (w *world) honest() {
	w.t.Helper()
	for i, p := range w.all {
		if s := p.Stats(); s.Displaced+s.AddressChanges+s.Expired+s.Malformed != 0 {
			w.t.Errorf("participant %d: %+v", i, s)
		}
	}
}

func TestAParticipantWithAnotherAddressIsFollowedAtOnce(t *testing.T) {
	for _, c := range []struct {
		what  string
		pause time.Duration // between the old address and the new one
		loss  float64
		most  time.Duration
	}{
		{"at once", 0, 0, 1500 * time.Millisecond},
		{"the cable is out for two seconds", 2 * time.Second, 0, 1500 * time.Millisecond},
		{"in a bad network", 500 * time.Millisecond, 0.2, 5 * time.Second},
		{"after its lease", 25 * time.Second, 0, 1500 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
			defer w.end()
			var moving *netsim.Host
			a := w.join("a")
			b := w.join("b", func(cfg *rtps.Config) { moving = cfg.Transport.(*netsim.Host) })
			x, r := w.writer(a, latched), w.reader(b, latched)
			back, there := w.writer(b, reliable), w.reader(a, reliable)
			w.until(time.Second, "matched", func() bool { return ready(x, 1)() && ready(there, 1)() })
			time.Sleep(10 * time.Second)
			w.SetFaults(netsim.Faults{Delay: time.Millisecond, Loss: c.loss})
			for i := range 3 {
				if c.pause > 0 {
					moving.Move([4]byte{})
					time.Sleep(c.pause)
				}
				moving.Move([4]byte{10, 0, 9, byte(i)})
				got, heard := r.Stats().Received, there.Stats().Received
				w.write(x, i)
				w.write(back, i)
				took := w.until(10*time.Second, c.what,
					func() bool { return r.Stats().Received > got && there.Stats().Received > heard })
				if took > c.most {
					t.Errorf("%s: it took %v, at most %v", c.what, took, c.most)
				}
				time.Sleep(5 * time.Second)
			}
			if g := a.Graph(); len(g.Participants) != 1 || g.Participants[0].Address != "10.0.9.2:7410" {
				t.Errorf("%s: %+v", c.what, g.Participants)
			}
		})
	}
}

// Hosts with two interfaces in one network send from the one that the system's routes prefer, whichever they
// announce.
func TestAnHonestParticipantMaySendFromAnAddressThatItDoesNotAnnounce(t *testing.T) {
	for _, later := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
			defer w.end()
			var host *netsim.Host
			a := w.join("a")
			b := w.join("b", func(cfg *rtps.Config) { host = cfg.Transport.(*netsim.Host) })
			if !later {
				host.SendFrom([4]byte{10, 0, 9, 9})
			}
			x, r := w.writer(a, keepAll), w.reader(b, keepAll)
			back, there := w.writer(b, keepAll), w.reader(a, keepAll)
			both := func() bool {
				return ready(x, 1)() && ready(r, 1)() && ready(back, 1)() &&
					ready(there, 1)()
			}
			if took := w.until(10*time.Second, "matched", both); took > 500*time.Millisecond {
				t.Errorf("matched after %v", took)
			}
			host.SendFrom([4]byte{10, 0, 9, 9})
			large := pattern(3_000_000, 1)
			for range 3 {
				for _, o := range []*rtps.Writer{x, back} {
					if _, err := o.Write(large, rtps.WriteOptions{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			w.until(3*time.Second, "all arrive",
				func() bool { return r.Stats().Received == 3 && there.Stats().Received == 3 })
			w.honest()
			if n := a.Stats().AmplificationLimited + b.Stats().AmplificationLimited; n != 0 {
				t.Errorf("%d datagrams withheld", n)
			}
		})
	}
}

func TestFiftyParticipantsOnABusyNetworkAreAllTakenForWhatTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 50
		w := newWorld(t, netsim.Faults{Delay: 500 * time.Microsecond, Jitter: time.Millisecond, Loss: 0.01,
			Duplicate: 0.01})
		defer w.end()
		var writers []*rtps.Writer
		var readers []*rtps.Reader
		for i := range n {
			p := w.join(fmt.Sprintf("p%02d", i))
			writers, readers = append(writers, w.writer(p, reliable)), append(readers, w.reader(p, best))
			time.Sleep(7 * time.Millisecond)
		}
		took := w.until(20*time.Second, "everybody matched", func() bool {
			for i := range writers {
				if !ready(writers[i], n)() {
					return false
				}
			}
			return true
		})
		for i := range 20 {
			for _, x := range writers {
				w.write(x, i)
			}
			time.Sleep(50 * time.Millisecond)
			for _, r := range readers {
				taken(r)
			}
		}
		w.honest()
		for i, p := range w.all {
			if s := p.Stats(); s.Unvalidated+s.AmplificationLimited+s.Refused != 0 ||
				readers[i].Stats().Received < 20*n*9/10 {
				t.Errorf("participant %d got %d samples; %+v", i, readers[i].Stats().Received, s)
			}
		}
		t.Logf("all matched %v after the last one came", took)
	})
}

func TestAParticipantThatComesBackUnderTheSameNameIsANewOne(t *testing.T) {
	for _, c := range []struct {
		what      string
		elsewhere bool // at another address
	}{{"at the same address", false}, {"at another address", true}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: time.Millisecond})
			defer w.end()
			var died, back *netsim.Host
			a := w.join("a")
			first := w.join("b", func(cfg *rtps.Config) { died = cfg.Transport.(*netsim.Host) })
			r := w.reader(a, reliable)
			x := w.writer(first, reliable)
			w.until(time.Second, "matched", ready(x, 1))
			for i := range 500 {
				w.write(x, i)
				time.Sleep(time.Millisecond)
				taken(r)
			}
			address := died.Links()[0].Meta[0].IPv4()
			time.Sleep(5 * time.Second)
			died.Move([4]byte{}) // no farewell
			time.Sleep(time.Second)
			again := w.join("b2", func(cfg *rtps.Config) {
				cfg.Prefix = prefix("b")
				back = cfg.Transport.(*netsim.Host)
				if !c.elsewhere {
					back.Move(address)
				}
			})
			y, other := w.writer(again, reliable), w.reader(again, reliable)
			z := w.writer(a, reliable)
			took := w.until(10*time.Second, c.what+": matched",
				func() bool { return ready(y, 2)() && ready(z, 2)() && ready(r, 2)() && ready(other, 2)() })
			taken(r)
			w.write(y, 1, 2, 3)
			w.write(z, 4)
			// three of its own
			w.until(5*time.Second, c.what+": samples of the new one",
				func() bool { return other.Stats().Received == 4 })
			time.Sleep(3 * time.Second)
			got := taken(r)
			slices.Sort(got) // the 4 comes from another writer
			if fmt.Sprint(got) != "[1 2 3 4]" {
				t.Errorf("%s: got %v, want 1 to 4; matched after %v; %+v", c.what, got, took, a.Stats())
			}
		})
	}
}

func TestBestEffortStaysFreshOverABadNetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, netsim.Faults{Delay: 10 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.2,
			Duplicate: 0.05, Reorder: 0.1})
		defer w.end()
		a, b := w.join("a"), w.join("b")
		x, eager, lazy := w.writer(a, rtps.QoS{Depth: 1}), w.reader(b, rtps.QoS{Depth: 1}),
			w.reader(b, rtps.QoS{Depth: 1})
		w.until(20*time.Second, "matched", // on both sides, which learn of each other in their own time
			func() bool { return ready(x, 2)() && ready(eager, 1)() && ready(lazy, 1)() })
		const n, pause = 5000, 5 * time.Millisecond
		got, last := 0, -1
		for i := range n {
			w.write(x, i)
			time.Sleep(pause)
			synctest.Wait()
			if s, ok := eager.Take(); ok {
				if age := time.Since(s.SourceTime); age > 45*time.Millisecond || int(s.SN) <= last {
					t.Fatalf("sample %d after %d is %v old", s.SN, last, age)
				}
				got, last = got+1, int(s.SN)
			}
			if i%200 == 199 { // it finds the newest, not the oldest of those that it has missed
				if s, ok := lazy.Take(); !ok || time.Since(s.SourceTime) > 100*time.Millisecond {
					t.Fatalf("who looks once a second gets %v a sample that is %v old", ok,
						time.Since(s.SourceTime))
				}
			}
		}
		if got < n/4 {
			t.Errorf("%d of %d samples", got, n)
		}
		if s := lazy.Stats(); s.Dropped == 0 {
			t.Error("what a full queue drops is not counted")
		}
	})
}
