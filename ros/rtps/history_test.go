package rtps

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"simdeck/ros/rtps/wire"
)

func TestTheHistoryFindsWhatItHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var h history
	var want []wire.SequenceNumber
	for sn := wire.SequenceNumber(1); sn < 3000; sn++ {
		if sn%7 != 0 {
			h.add(change{sn: sn, payload: make([]byte, 8)})
			want = append(want, sn)
		}
		for len(want) > 20 {
			i := 0
			if random.IntN(4) == 0 {
				i = random.IntN(len(want))
			}
			h.remove(i)
			want = slices.Delete(want, i, i+1)
		}
		if h.len() != len(want) || h.bytes != 8*len(want) {
			t.Fatalf("holds %d changes of %d octets, want %d", h.len(), h.bytes, len(want))
		}
		ask := max(1, sn-wire.SequenceNumber(random.IntN(30)))
		if got := h.find(ask); (got != nil) != slices.Contains(want, ask) || got != nil && got.sn != ask {
			t.Fatalf("find %d: %+v", ask, got)
		}
		i, _ := slices.BinarySearch(want, ask)
		if rest := h.from(ask); len(rest) != len(want)-i || len(rest) > 0 && rest[0].sn != want[i] {
			t.Fatalf("from %d: %d changes, want %d", ask, len(rest), len(want)-i)
		}
		if len(want) > 0 && h.first(0) != want[0] {
			t.Fatalf("first is %d, want %d", h.first(0), want[0])
		}
	}
	if cap(h.all) > 500 {
		t.Errorf("20 changes take room for %d", cap(h.all))
	}
}

func TestTheHistoryCountsWhatIsForTheSameParticipant(t *testing.T) {
	one, other := wire.GUIDPrefix{1}, wire.GUIDPrefix{2}
	var h history
	add := func(to wire.GUIDPrefix, wantN, wantOldest int) {
		t.Helper()
		h.add(change{sn: wire.SequenceNumber(h.len() + 1), to: to, toOne: to != wire.GUIDPrefix{}})
		if n, oldest := h.perDestinationCount(nil); n != wantN || oldest != wantOldest {
			t.Errorf("after %d: %d alike from %d, want %d from %d", h.len(), n, oldest, wantN, wantOldest)
		}
	}
	all := wire.GUIDPrefix{}
	add(all, 1, 0)
	add(all, 2, 0)
	add(one, 1, 2)
	add(other, 1, 3)
	add(one, 2, 2)
	add(all, 3, 0)
	if n, oldest := h.perDestinationCount(func(sn wire.SequenceNumber) bool { return sn == 1 }); n != 2 ||
		oldest != 1 {
		t.Errorf("but for the first: %d from %d", n, oldest)
	}
	h.remove(2)
	h.remove(2)
	h.remove(2)
	if n, oldest := h.perDestinationCount(nil); h.toOne != 0 || n != 3 || oldest != 0 {
		t.Errorf("%d for one, %d alike from %d", h.toOne, n, oldest)
	}
}

func TestTheQueueKeepsItsOrderAndItsLimit(t *testing.T) {
	q := queue{limit: 20}
	next, first := 0, 0
	random := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		if random.IntN(5) < 3 && !q.full() {
			q.push(Sample{SN: wire.SequenceNumber(next)})
			next++
			continue
		}
		s, ok := q.pop()
		if ok != (first < next) || ok && s.SN != wire.SequenceNumber(first) {
			t.Fatalf("took %d %v, want %d", s.SN, ok, first)
		}
		if ok {
			first++
		}
	}
	if len(q.ring) > q.limit {
		t.Errorf("a ring of %d for a limit of %d", len(q.ring), q.limit)
	}
}

func TestBuffersAreUsedAgainButNotHoarded(t *testing.T) {
	var p buffers
	a := p.get(100)
	p.put(a)
	if b := p.get(90); &b[0] != &a[0] || len(b) != 90 {
		t.Error("a buffer that fits is not used")
	}
	p.put(make([]byte, 1<<20))
	if b := p.get(10); cap(b) > 1000 {
		t.Errorf("10 octets hold %d", cap(b))
	}
	for range 1000 {
		p.put(make([]byte, 10))
	}
	if len(p.free) > maxFree {
		t.Errorf("%d buffers wait", len(p.free))
	}
	if p.copyOf(nil) != nil {
		t.Error("a copy of nothing is something")
	}
}

func TestTasksRunInTheOrderOfTheirTimes(t *testing.T) {
	var s schedule
	begin := time.Unix(0, 0)
	var ran []string
	tasks := map[string]*task{}
	for i, name := range []string{"c", "a", "b", "never", "soon"} {
		x := &task{}
		x.run = func(time.Time) { ran = append(ran, name) }
		tasks[name] = x
		if name != "soon" {
			s.by(x, begin.Add(time.Duration(10-i)*time.Second))
		}
	}
	s.by(tasks["a"], begin.Add(time.Second))    // earlier
	s.by(tasks["c"], begin.Add(20*time.Second)) // later: stays
	s.by(tasks["b"], begin.Add(1500*time.Millisecond))
	s.soon(tasks["soon"])
	s.soon(tasks["soon"])
	s.soon(tasks["never"])
	s.kill(tasks["never"])
	for now := begin; now.Before(begin.Add(30 * time.Second)); now = now.Add(time.Second) {
		s.expire(now)
		for x := s.next(); x != nil; x = s.next() {
			x.run(now)
			ran = append(ran, fmt.Sprint(now.Unix()))
		}
	}
	if got := fmt.Sprint(ran); got != "[soon 0 a 1 b 2 c 10]" || !s.idle() || len(s.timers) != 0 {
		t.Errorf("%s; %d timers left", got, len(s.timers))
	}
}
