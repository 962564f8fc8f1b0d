package node

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/rtps"
)

func TestANodeKnowsHowItsTopicsAreJoinedWithThoseOfOthers(t *testing.T) {
	onBench(t, func(b *bench) {
		here, there := b.node("here"), b.node("there")
		pub, err1 := NewPublisher[stdmsgs.String](here, "out", DefaultQoS())
		var got inbox
		_, err2 := NewCommandSubscription(here, "in", 1, got.take)
		_, err3 := NewSubscription(here, "out", DefaultQoS(), got.take) // of the same process: no other
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		b.start(here)
		b.start(there)
		time.Sleep(time.Second)
		at := here.Links()
		for _, l := range []Link{at.Published("/out"), at.Subscribed("/in"), at.Published("/none")} {
			if l != (Link{}) {
				t.Errorf("with nobody else there: %+v", l)
			}
		}
		say, err1 := NewPublisher[stdmsgs.String](there, "in", DefaultQoS())
		_, err2 = NewSubscription(there, "out", SensorQoS(), got.take)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		b.until("both to be joined", func() bool {
			return here.Links().Published("/out") == Link{Others: 1, Ready: true} &&
				here.Links().Subscribed("/in") == Link{Others: 1, Ready: true}
		})
		if err := pub.Publish(&stdmsgs.String{Data: "x"}); err != nil {
			t.Fatal(err)
		}
		if err := say.Publish(&stdmsgs.String{Data: "y"}); err != nil {
			t.Fatal(err)
		}
		b.until("the messages", func() bool { return len(got.all()) == 3 })
		if sent := here.Links().Published("/out").Sent; sent != 1 {
			t.Errorf("%d messages were sent, want one", sent)
		}
	})
}

// TestARepeatedMessageReachesWhoLostItAndNobodyTwice: a subscription that is not reliable drops what it has
// by its number.
func TestARepeatedMessageReachesWhoLostItAndNobodyTwice(t *testing.T) {
	onBench(t, func(b *bench) {
		talker := b.node("talker")
		pub, err := NewPublisher[stdmsgs.String](talker, "chatter", DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		b.start(talker)
		var got [3]inbox
		for i, q := range []QoS{SensorQoS(), SensorQoS(), DefaultQoS()} {
			listener := b.node(fmt.Sprint("listener", i))
			if _, err := NewSubscription(listener, "chatter", q, got[i].take); err != nil {
				t.Fatal(err)
			}
			b.start(listener)
		}
		b.until("subscribers", func() bool {
			l := talker.Links().Published("/chatter")
			return l.Others == 3 && l.Ready
		})
		time.Sleep(time.Second)
		talker.Links().KeepNewest("/chatter", true)
		var lossy atomic.Bool
		lossy.Store(true)
		b.net.SetFilter(func(_, to string, packet []byte) bool {
			return !(lossy.Load() && to == "listener0" && bytes.Contains(packet, []byte("hello")))
		})
		if err := pub.Publish(&stdmsgs.String{Data: "hello"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for i := range got {
			if want := map[bool]int{true: 0, false: 1}[i == 0]; len(got[i].all()) != want {
				t.Errorf("before it is repeated listener %d has %q", i, got[i].all())
			}
		}
		lossy.Store(false)
		for range 3 {
			talker.Links().Repeat("/chatter")
			time.Sleep(time.Second)
		}
		if err := pub.Publish(&stdmsgs.String{Data: "again"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		for i := range got {
			if !slices.Equal(got[i].all(), []string{"hello", "again"}) {
				t.Errorf("listener %d has %q", i, got[i].all())
			}
		}
	})
}

func TestHeldMessagesReachTheirSubscriptionWhenTheyAreDelivered(t *testing.T) {
	onBench(t, func(b *bench) {
		here, there := b.node("here"), b.node("there")
		var got inbox
		_, err1 := NewCommandSubscription(here, "in", 5, got.take)
		say, err2 := NewPublisher[stdmsgs.String](there, "in", QoS{Reliability: rtps.Reliable, Depth: 10})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		held := make(chan func(), 10)
		release := here.Links().Hold("/in", func(m msgs.Message, deliver func()) {
			if _, ok := m.(*stdmsgs.String); !ok {
				t.Errorf("a %T is held", m)
			}
			held <- deliver
		})
		b.start(here)
		b.start(there)
		b.until("the link", func() bool { return here.Links().Subscribed("/in").Ready })
		tell := func(s string) {
			if err := say.Publish(&stdmsgs.String{Data: s}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		tell("a")
		tell("b")
		if len(got.all()) != 0 || len(held) != 2 {
			t.Fatalf("%q has come, and %d are held", got.all(), len(held))
		}
		first, second := <-held, <-held
		second()
		first()
		if !slices.Equal(got.all(), []string{"b", "a"}) {
			t.Errorf("delivered: %q", got.all())
		}
		other := here.Links().Hold("/in", func(msgs.Message, func()) {})
		release() // of one that holds the topic no more
		tell("c")
		other()
		tell("d")
		if !slices.Equal(got.all(), []string{"b", "a", "d"}) || len(held) != 0 {
			t.Errorf("after its release %q has come", got.all())
		}
	})
}
