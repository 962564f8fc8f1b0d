package rtps_test

import (
	"context"
	"flag"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// captures reads the datagrams that real participants sent.
func captures(t testing.TB) [][]byte {
	t.Helper()
	all, err := netsim.Captures("wire/testdata/captures/*")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var soakFor = flag.Duration("soak", 3*time.Second, "how long, in virtual time, hostile peers are endured")

// soak is a target with an honest client, attackers, and somebody whose address they misuse.
type soak struct {
	*world
	target, honest *rtps.Participant
	out, in        *rtps.Writer // the target's, the honest client's
	atHonest, here *rtps.Reader
	attackers      []*netsim.Attacker
	from           []*netsim.Host
	quiet          []func()
	// octets to the victim but announcements to all; counted where the target sends
	misled      atomic.Uint64
	perSecond   atomic.Uint64
	worstSecond uint64
}

func newSoak(t *testing.T) *soak {
	s := &soak{world: newWorld(t, netsim.Faults{Delay: time.Millisecond})}
	s.target = s.join("target", func(c *rtps.Config) {
		c.Limits.Reassembly, c.Limits.Discovery, c.Limits.HistoryBytes = 16<<20, 8<<20, 8<<20
	})
	s.honest = s.join("honest")
	victim := s.hearing("victim")
	s.SetFilter(func(from, to string, b []byte) bool {
		if from == "target" && to == "victim" && b[wire.HeaderSize] == wire.IDInfoDst {
			s.misled.Add(uint64(len(b)))
			s.perSecond.Add(uint64(len(b)))
		}
		return true
	})
	s.out, s.here = s.writer(s.target, keepAll), s.reader(s.target, keepAll)
	s.in, s.atHonest = s.writer(s.honest, keepAll), s.reader(s.honest, keepAll)
	s.until(time.Second, "matched", func() bool { return ready(s.out, 2)() && ready(s.in, 2)() })
	recorded := captures(t)
	for i, name := range []string{"attacker", "accomplice"} {
		h := s.hearing(name)
		a := &netsim.Attacker{Target: s.target.GUID().Prefix, Victim: victim.Links()[0].Meta[0],
			Self: h.Links()[0].Meta[0], Captures: recorded,
			Topic: topic, Type: strMsg, Writer: s.in.GUID(), Reader: s.atHonest.GUID(),
			Ours: [2]wire.EntityID{s.out.GUID().Entity, s.here.GUID().Entity}}
		a.Seed(uint64(i))
		s.attackers, s.from = append(s.attackers, a), append(s.from, h)
	}
	return s
}

// hearing adds a host that takes what it is sent and does nothing with it.
func (s *soak) hearing(name string) *netsim.Host {
	h := s.Host(name)
	ctx, stop := context.WithCancel(s.t.Context())
	done := make(chan error, 1)
	go func() { done <- h.Run(ctx, func([]byte, wire.Locator) {}) }()
	s.quiet = append(s.quiet, func() { stop(); <-done })
	return h
}

func (s *soak) end() {
	for _, f := range s.quiet {
		f()
	}
	s.world.end()
}

// attack sends n datagrams of every attacker, to the target's ports and to everybody's.
func (s *soak) attack(n int) {
	to := []wire.Locator{wire.UDPv4([4]byte{10, 0, 0, 1}, 7410), wire.UDPv4([4]byte{10, 0, 0, 1}, 7411)}
	for i := range n {
		for k, a := range s.attackers {
			if err := s.from[k].Send(a.Next(), to[i%2], 0); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// flow counts what one honest reader gets of one honest writer.
type flow struct {
	next    wire.SequenceNumber
	slowest time.Duration
}

func (f *flow) take(t *testing.T, r *rtps.Reader, of wire.GUID) {
	for {
		s, ok := r.Take()
		if !ok {
			return
		}
		if s.Writer != of {
			r.Recycle(s.Payload)
			continue
		}
		if s.SN != f.next+1 {
			t.Fatalf("sample %d follows %d", s.SN, f.next)
		}
		f.next = s.SN
		f.slowest = max(f.slowest, time.Since(s.SourceTime))
		r.Recycle(s.Payload)
	}
}

// TestHostilePeersHarmNobody has two attackers send eight thousand datagrams per second for a while in which
// an honest client works. Its samples must arrive in order and in time; the target must keep its limits, and
// must not become a means of flooding.
func TestHostilePeersHarmNobody(t *testing.T) {
	const (
		mostDelay = 100 * time.Millisecond
		// 16 in part, 8 of discovery, 8 in the history and in the queue; more than half as much again, as it
		// lies about
		mostMemory  = 64 << 20
		mostAtOnce  = 256 << 10
		mostOfASec  = 32 << 10
		largeSample = 100_000
	)
	seconds := int(soakFor.Seconds())
	synctest.Test(t, func(t *testing.T) {
		s := newSoak(t)
		defer s.end()
		before := heap()
		var there, back flow
		payloads := [][]byte{number(1), pattern(largeSample, 1)}
		var late *rtps.Reader
		for ms := range seconds * 1000 {
			s.attack(4)
			if ms == seconds*500 {
				late = s.reader(s.join("late"), reliable)
			}
			if ms%10 == 0 {
				for _, w := range []*rtps.Writer{s.out, s.in} {
					if _, err := w.Write(payloads[ms/10%10/9], rtps.WriteOptions{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			time.Sleep(time.Millisecond)
			there.take(t, s.atHonest, s.out.GUID())
			back.take(t, s.here, s.in.GUID())
			if ms%1000 == 999 {
				s.worstSecond = max(s.worstSecond, s.perSecond.Swap(0))
			}
		}
		if held := heap() - before; held > mostMemory {
			t.Errorf("%d MiB more are held, at most %d", held>>20, mostMemory>>20)
		}
		time.Sleep(2 * time.Second)
		there.take(t, s.atHonest, s.out.GUID())
		back.take(t, s.here, s.in.GUID())
		s.judge(t, &there, &back)
		if int(there.next) != seconds*100 || int(back.next) != seconds*100 ||
			max(there.slowest, back.slowest) > mostDelay {
			t.Errorf("%d samples there, the slowest after %v, %d back, the slowest after %v; want %d within %v",
				there.next, there.slowest,
				back.next, back.slowest, seconds*100, mostDelay)
		}
		if n := len(taken(late)); n == 0 {
			t.Error("who joins while the attack lasts is not let in")
		}
		if s.misled.Load() > mostAtOnce+uint64(seconds+2)*mostOfASec ||
			s.worstSecond > mostAtOnce+mostOfASec {
			t.Errorf("%d octets were sent to somebody who had nothing to do with it, %d in one second",
				s.misled.Load(), s.worstSecond)
		}
	})
}

// judge looks at whether the attack was one.
func (s *soak) judge(t *testing.T, there, back *flow) {
	st := s.target.Stats()
	t.Logf("%+v", st)
	t.Logf("there %+v, back %+v, misled %d, worst second %d", there, back, s.misled.Load(), s.worstSecond)
	if st.Malformed == 0 || st.Foreign == 0 || st.Refused == 0 || st.Unvalidated == 0 ||
		st.AmplificationLimited == 0 || st.Displaced == 0 || s.misled.Load() == 0 {
		t.Errorf("an attack that does not get so far proves nothing: %+v", st)
	}
	if st.Panics != 0 {
		t.Errorf("%d faults", st.Panics)
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
