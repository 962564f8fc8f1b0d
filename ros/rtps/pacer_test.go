package rtps

import (
	"testing"
	"time"
)

func TestThePaceAllowsABurstAndThenTheRate(t *testing.T) {
	for _, local := range []bool{false, true} {
		var p pacer
		p.begin(local)
		now := time.Unix(100, 0)
		sent, begin := 0, now
		for now.Sub(begin) < 100*time.Millisecond {
			if p.settle(now) {
				p.debt += 1400
				sent += 1400
				continue
			}
			if at := p.resume(); at.After(now) {
				now = at
			} else {
				t.Fatalf("told to resume at %v, which is past %v", at, now)
			}
		}
		if want := int(p.rate/10) + paceBurst; sent < want*9/10 || sent > want*11/10 {
			t.Errorf("%d octets in 100 ms, want about %d", sent, want)
		}
	}
}

// TestThePaceFollowsWhatTheReceiverCanTake has a receiver that takes so many octets per second, and loses
// what comes faster.
func TestThePaceFollowsWhatTheReceiverCanTake(t *testing.T) {
	for _, c := range []struct {
		local     bool
		takes     int64
		low, high int64
	}{
		{false, 40 << 20, 30 << 20, 50 << 20},
		{false, 400 << 20, 300 << 20, 500 << 20},
		{false, 1 << 20, 8 << 20, 8 << 20}, // no slower than this
		{false, 9 << 30, 1 << 30, 1 << 30}, // and no faster
		{true, 300 << 20, 250 << 20, 600 << 20},
		{true, 1 << 20, 128 << 20, 128 << 20},
		{true, 9 << 30, 4 << 30, 4 << 30},
	} {
		var p pacer
		p.begin(c.local)
		const size = 1 << 20
		for range 200 {
			p.fresh += size
			if p.rate > c.takes {
				p.again += int(size * (p.rate - c.takes) / p.rate)
			}
			p.judge(true)
		}
		if p.rate < c.low || p.rate > c.high {
			t.Errorf("a receiver of %d MiB/s, local %v, is sent %d MiB/s", c.takes>>20, c.local, p.rate>>20)
		}
	}
}
