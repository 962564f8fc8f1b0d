package node

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/rtps"
	"simdeck/sim/logtest"
)

// journal keeps a log's lines.
type journal struct{ logtest.Journal }

// lines counts the lines that have all words.
func (j *journal) lines(words ...string) (found int) {
next:
	for line := range strings.Lines(j.String()) {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		found++
	}
	return found
}

func TestWhatDoesNotFitIsSaidOnceWithTopicAndPolicy(t *testing.T) {
	reliable, feeble := DefaultQoS(), SensorQoS()
	punctual := DefaultQoS()
	punctual.Deadline = time.Second
	withLiveliness := DefaultQoS()
	withLiveliness.LivelinessLease = time.Second
	for _, c := range []struct {
		name            string
		offered, wanted QoS
		policy, theirs  [2]string // as the publisher says it, as the subscriber does
	}{
		{"reliability", feeble, reliable, [2]string{"policy=reliability", "policy=reliability"},
			[2]string{"theirs=reliable", `theirs="best effort"`}},
		{"durability", reliable, LatchedQoS(), [2]string{"policy=durability", "policy=durability"},
			[2]string{`theirs="transient local"`, "theirs=volatile"}},
		{"deadline", reliable, punctual, [2]string{"policy=deadline", "policy=deadline"},
			[2]string{"theirs=1s", "theirs=none"}},
		{"liveliness", reliable, withLiveliness, [2]string{"policy=liveliness", "policy=liveliness"},
			[2]string{"theirs=1s", "theirs=none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onBench(t, func(b *bench) {
				talker, listener := b.node("talker"), b.node("listener")
				var said [2]journal
				talker.log, listener.log = slog.New(slog.NewTextHandler(&said[0], nil)),
					slog.New(slog.NewTextHandler(&said[1], nil))
				if _, err := NewPublisher[stdmsgs.String](talker, "/news", c.offered); err != nil {
					t.Fatal(err)
				}
				var got inbox
				if _, err := NewSubscription(listener, "/news", c.wanted, got.take); err != nil {
					t.Fatal(err)
				}
				b.start(talker)
				b.start(listener)
				for i := range said {
					words := []string{"incompatible QoS", "topic=/news", c.policy[i], c.theirs[i],
						"so_far=1"}
					b.until("a word of it", func() bool { return said[i].lines(words...) > 0 })
				}
				time.Sleep(10 * time.Second) // announcements go on: nothing is said again
				for i := range said {
					if n := said[i].lines("incompatible QoS"); n != 1 {
						t.Errorf("side %d says it %d times, want once", i, n)
					}
				}
			})
		})
	}
}

func TestEndpointsThatFitAreNotTalkedAbout(t *testing.T) {
	onBench(t, func(b *bench) {
		talker, listener := b.node("talker"), b.node("listener")
		var said journal
		talker.log = slog.New(slog.NewTextHandler(&said, nil))
		pub, err := NewPublisher[stdmsgs.String](talker, "/news", LatchedQoS())
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []QoS{LatchedQoS(), DefaultQoS(), SensorQoS(),
			{Reliability: rtps.BestEffort, Depth: 1}} {
			var got inbox
			if _, err := NewSubscription(listener, "/news", q, got.take); err != nil {
				t.Fatal(err)
			}
		}
		b.start(talker)
		b.start(listener)
		b.until("all subscribers", func() bool { return pub.Subscribers() == 4 })
		if n := said.lines("incompatible QoS"); n != 0 {
			t.Errorf("says it %d times", n)
		}
	})
}

func TestCommandsOfAnyReliabilityFitAndStricterOnesAreSaidOnce(t *testing.T) {
	onBench(t, func(b *bench) {
		talker, listener := b.node("talker"), b.node("listener")
		var said journal
		listener.log = slog.New(slog.NewTextHandler(&said, nil))
		var got inbox
		if _, err := NewCommandSubscription(listener, "/news", 1, got.take); err != nil {
			t.Fatal(err)
		}
		for _, q := range []QoS{SensorQoS(), DefaultQoS()} {
			pub, err := NewPublisher[stdmsgs.String](talker, "/news", q)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { b.until("a subscriber", func() bool { return pub.Subscribers() > 0 }) }()
		}
		b.start(talker)
		b.start(listener)
		time.Sleep(5 * time.Second)
		if n := said.lines("incompatible QoS"); n != 0 {
			t.Errorf("says %d times that commands do not fit, and they do", n)
		}
		apart := SensorQoS()
		apart.Partitions = []string{"apart"}
		if _, err := NewPublisher[stdmsgs.String](talker, "/news", apart); err != nil {
			t.Fatal(err)
		}
		b.until("a word of the partition",
			func() bool { return said.lines("policy=partition", "topic=/news") > 0 })
		time.Sleep(5 * time.Second)
		if n := said.lines("incompatible QoS"); n != 1 {
			t.Errorf("says it %d times, want once", n)
		}
	})
}
