package node

import (
	"context"
	"testing"
	"time"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/rtps"
)

func TestTrafficCountsWhoIsMatchedAndWhoDoesNotFit(t *testing.T) {
	onBench(t, func(b *bench) {
		a, c := b.node("a"), b.node("c")
		b.start(a)
		b.start(c)
		time.Sleep(time.Second)
		before := a.Traffic()
		best := DefaultQoS()
		best.Reliability = rtps.BestEffort
		for topic, q := range map[string]QoS{"reliable": DefaultQoS(), "best": best} {
			if _, err := NewPublisher[stdmsgs.String](a, topic, q); err != nil {
				t.Fatal(err)
			}
			if _, err := NewSubscription(c, topic, DefaultQoS(),
				func(context.Context, *stdmsgs.String, Origin) {}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		got := a.Traffic()
		if n := got.Publishers - before.Publishers; n != 2 {
			t.Errorf("%d publishers more, want 2", n)
		}
		if n := got.MatchedReaders - before.MatchedReaders; n != 1 {
			t.Errorf("%d readers more are matched, want the one that asks for no more than is offered", n)
		}
		if got.Misfits-before.Misfits != 1 || c.Traffic().Misfits != 1 {
			t.Errorf("%d and %d misfits, want one on each side", got.Misfits-before.Misfits,
				c.Traffic().Misfits)
		}
		if got.BytesOut <= before.BytesOut || got.PacketsIn <= before.PacketsIn ||
			got.BytesOut < got.PacketsOut {
			t.Errorf("%+v after %+v", got, before)
		}
	})
}
