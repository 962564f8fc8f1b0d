package rtps_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// halves sees what a reader receives, and finds samples that it is told to do without when it has some of
// their fragments.
type halves struct {
	t       *testing.T
	total   map[wire.SequenceNumber]int
	has     map[wire.SequenceNumber]map[uint32]bool
	first   wire.SequenceNumber // of the last HEARTBEAT
	skipped int                 // given up before any fragment was sent
}

func (h *halves) giveUp(sn wire.SequenceNumber, by string) {
	if n := len(h.has[sn]); n > 0 && n < h.total[sn] {
		h.t.Errorf("sample %d is given up by a %s when %d of its %d fragments are there", sn, by, n,
			h.total[sn])
		delete(h.has, sn)
	}
}

// see takes in a datagram that arrives.
func (h *halves) see(b []byte) {
	_, n, err := wire.ParseHeader(b)
	for b = b[n:]; err == nil && len(b) > 0; b = b[n:] {
		var s wire.Submessage
		if s, n, err = wire.ParseSubmessage(b); err != nil {
			break
		}
		switch s.ID {
		case wire.IDDataFrag:
			d, _, err := wire.ParseDataFrag(b)
			if err != nil || d.Writer.IsBuiltin() {
				continue
			}
			if h.has[d.SN] == nil {
				h.has[d.SN] = map[uint32]bool{}
			}
			h.total[d.SN] = (int(d.SampleSize) + int(d.Size) - 1) / int(d.Size)
			for i := range uint32(d.Count) {
				h.has[d.SN][d.Start+i] = true
			}
		case wire.IDHeartbeat:
			beat, _, err := wire.ParseHeartbeat(b)
			if err != nil || beat.Writer.IsBuiltin() {
				continue
			}
			for ; h.first < beat.First; h.first++ {
				h.giveUp(h.first, "HEARTBEAT")
			}
		case wire.IDGap:
			gap, _, err := wire.ParseGap(b)
			if err != nil || gap.Writer.IsBuiltin() {
				continue
			}
			for sn := gap.Start; sn < gap.List.Base; sn++ {
				h.giveUp(sn, "GAP")
				h.skipped++
			}
		}
	}
}

// Fast DDS cannot stand it: see localWriter.halfSent.
func TestASampleOfWhichAReaderHasAPartIsNotGivenUp(t *testing.T) {
	for _, c := range []struct {
		size, depth int
		loss        float64
	}{{300_000, 5, 0.3}, {1 << 20, 5, 0.3}, {1 << 20, 1, 0.2}, {200_000, 2, 0.5}, {3 << 20, 10, 0.1}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, netsim.Faults{Delay: 20 * time.Millisecond})
			defer w.end()
			q := reliable
			q.Depth = c.depth
			a, b := w.join("a"), w.join("b")
			x, r := w.writer(a, q), w.reader(b, keepAll)
			w.until(30*time.Second, "matched", ready(x, 1))
			h := &halves{t: t, total: map[wire.SequenceNumber]int{},
				has: map[wire.SequenceNumber]map[uint32]bool{}}
			chance := rand.New(rand.NewPCG(1, 2))
			w.SetFilter(func(from, to string, b []byte) bool {
				if chance.Float64() < c.loss {
					return false
				}
				if from == "a" && to == "b" {
					h.see(b)
				}
				return true
			})
			got := 0
			take := func() {
				for {
					s, ok := r.Take()
					if !ok {
						return
					}
					got++
					r.Recycle(s.Payload)
				}
			}
			payload := pattern(c.size, 1)
			for range 60 {
				if _, err := x.Write(payload, rtps.WriteOptions{}); err != nil {
					t.Fatal(err)
				}
				time.Sleep(30 * time.Millisecond) // less than they take to arrive
				take()
			}
			w.until(time.Minute, "all that is left to arrive", func() bool { return x.Acked(60) })
			take()
			if s := x.Stats(); s.Overwritten == 0 || h.skipped == 0 || got < 5 ||
				got+int(s.Overwritten) < 60 {
				t.Errorf("%+v: %d arrived, %d were given up, %d before any of them was sent", c, got,
					s.Overwritten, h.skipped)
			}
		})
	}
}
