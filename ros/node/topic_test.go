package node

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/netsim"
	"simdeck/ros/rtps"
)

// inbox keeps what a subscription got.
type inbox struct {
	mu   sync.Mutex
	data []string
}

func (i *inbox) take(_ context.Context, m *stdmsgs.String, _ Origin) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.data = append(i.data, m.Data)
}

func (i *inbox) all() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.data)
}

func TestATopicCarriesMessagesInOrderAlsoOverALossyNetwork(t *testing.T) {
	onBench(t, func(b *bench) {
		b.net.SetFaults(netsim.Faults{Delay: 5 * time.Millisecond, Jitter: 5 * time.Millisecond, Loss: 0.2,
			Duplicate: 0.1, Reorder: 0.1})
		talker, listener := b.node("talker"), b.node("listener", "-r", "chatter:=/renamed")
		var got inbox
		if _, err := NewSubscription(listener, "chatter", DefaultQoS(), got.take); err != nil {
			t.Fatal(err)
		}
		pub, err := NewPublisher[stdmsgs.String](talker, "renamed", DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		b.start(talker)
		b.start(listener)
		b.until("a subscriber", func() bool { return pub.Subscribers() == 1 })
		var want []string
		for _, s := range []string{"a", "b", "", "ü", "e"} {
			want = append(want, s)
			if err := pub.Publish(&stdmsgs.String{Data: s}); err != nil {
				t.Fatal(err)
			}
		}
		b.until("all messages", func() bool { return len(got.all()) >= len(want) })
		if !slices.Equal(got.all(), want) {
			t.Errorf("got %q, want %q", got.all(), want)
		}
	})
}

func TestALateSubscriberGetsWhatIsLatched(t *testing.T) {
	onBench(t, func(b *bench) {
		talker := b.node("talker")
		pub, err := NewPublisher[stdmsgs.String](talker, "/map", LatchedQoS())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"old", "new"} {
			if err := pub.Publish(&stdmsgs.String{Data: s}); err != nil {
				t.Fatal(err)
			}
		}
		b.start(talker)
		time.Sleep(5 * time.Second)
		late := b.node("late")
		var got inbox
		if _, err := NewSubscription(late, "/map", LatchedQoS(), got.take); err != nil {
			t.Fatal(err)
		}
		b.start(late)
		b.until("the latched message", func() bool { return len(got.all()) > 0 })
		if !slices.Equal(got.all(), []string{"new"}) {
			t.Errorf("got %q, want only the newest", got.all())
		}
	})
}

func TestTwoTypesShareATopicName(t *testing.T) {
	onBench(t, func(b *bench) {
		robot, pilot := b.node("robot"), b.node("pilot")
		var mu sync.Mutex
		var speeds []float64
		add := func(v float64) {
			mu.Lock()
			defer mu.Unlock()
			speeds = append(speeds, v)
		}
		_, err1 := NewSubscription(robot, "cmd_vel", SensorQoS(),
			func(_ context.Context, m *geometrymsgs.Twist, _ Origin) { add(m.Linear.X) })
		_, err2 := NewSubscription(robot, "cmd_vel", SensorQoS(),
			func(_ context.Context, m *geometrymsgs.TwistStamped, _ Origin) { add(-m.Twist.Linear.X) })
		plain, err3 := NewPublisher[geometrymsgs.Twist](pilot, "cmd_vel", DefaultQoS())
		stamped, err4 := NewPublisher[geometrymsgs.TwistStamped](pilot, "cmd_vel", DefaultQoS())
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil {
				t.Fatal(err)
			}
		}
		b.start(robot)
		b.start(pilot)
		b.until("both readers", func() bool { return plain.Subscribers() == 1 && stamped.Subscribers() == 1 })
		p, s := geometrymsgs.Twist{}, geometrymsgs.TwistStamped{}
		p.Linear.X, s.Twist.Linear.X = 1, 2
		if err := plain.Publish(&p); err != nil {
			t.Fatal(err)
		}
		b.until("the plain one", func() bool { mu.Lock(); defer mu.Unlock(); return len(speeds) == 1 })
		if err := stamped.Publish(&s); err != nil {
			t.Fatal(err)
		}
		b.until("the stamped one", func() bool { mu.Lock(); defer mu.Unlock(); return len(speeds) == 2 })
		if speeds[0] != 1 || speeds[1] != -2 {
			t.Errorf("the readers got %v, want 1 as plain and 2 as stamped", speeds)
		}
	})
}

func TestAPanicInAHandlerEndsNothing(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		var got inbox
		if _, err := NewSubscription(n, "x", DefaultQoS(),
			func(ctx context.Context, m *stdmsgs.String, o Origin) {
				if m.Data == "boom" {
					panic("boom")
				}
				got.take(ctx, m, o)
			}); err != nil {
			t.Fatal(err)
		}
		pub, err := NewPublisher[stdmsgs.String](n, "x", DefaultQoS())
		if err != nil {
			t.Fatal(err)
		}
		b.start(n)
		b.until("its own subscription", func() bool { return pub.Subscribers() == 1 })
		for _, s := range []string{"boom", "after"} {
			if err := pub.Publish(&stdmsgs.String{Data: s}); err != nil {
				t.Fatal(err)
			}
		}
		b.until("the message after the panic",
			func() bool { return slices.Equal(got.all(), []string{"after"}) })
	})
}

func TestAPublisherWithAnotherDefinitionIsIgnored(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		var got inbox
		if _, err := NewSubscription(n, "x", DefaultQoS(), got.take); err != nil {
			t.Fatal(err)
		}
		b.start(n)
		p := b.participant("stranger")
		kind := &stdmsgs.String{}
		other, err1 := p.NewWriter(rtps.WriterConfig{Topic: "rt/x", Type: kind.DDSTypeName(),
			QoS:      DefaultQoS(),
			UserData: []byte("typehash=RIHS01_0000;")})
		silent, err2 := p.NewWriter(rtps.WriterConfig{Topic: "rt/x", Type: kind.DDSTypeName(),
			QoS: DefaultQoS()})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		b.until("both matches", func() bool {
			return len(other.Matches()) == 1 &&
				len(silent.Matches()) == 1
		})
		for w, text := range map[*rtps.Writer]string{other: "\x06\x00\x00\x00wrong\x00",
			silent: "\x06\x00\x00\x00right\x00"} {
			if _, err := w.Write([]byte("\x00\x01\x00\x00"+text), rtps.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		b.until("the one without a hash, as Humble sends it", func() bool { return len(got.all()) > 0 })
		time.Sleep(time.Second)
		if !slices.Equal(got.all(), []string{"right"}) {
			t.Errorf("got %q, want only what has our definition or claims none", got.all())
		}
	})
}

func TestACommandArrivesOnceFromEveryKindOfPublisher(t *testing.T) {
	onBench(t, func(b *bench) {
		robot, pilot := b.node("robot"), b.node("pilot")
		var got inbox
		sub, err := NewCommandSubscription(robot, "cmd", 1, got.take)
		if err != nil {
			t.Fatal(err)
		}
		b.start(robot)
		b.start(pilot)
		time.Sleep(time.Second)
		for _, c := range []struct {
			text string
			q    QoS
		}{{"reliable", DefaultQoS()}, {"best effort", SensorQoS()}} {
			for _, n := range []*Node{pilot, robot} {
				pub, err := NewPublisher[stdmsgs.String](n, "cmd", c.q)
				if err != nil {
					t.Fatal(err)
				}
				text := c.text + " of " + n.Name()
				if c.q.Reliability == rtps.Reliable && n == pilot {
					// At once, as ros2 topic pub --once does: the robot has not heard of the publisher yet.
					b.until("a reader", func() bool { return pub.Subscribers() > 0 })
				} else {
					b.until("the match", func() bool { return pub.Subscribers() > 0 && sub.Publishers() > 0 })
					time.Sleep(time.Second)
				}
				got.mu.Lock()
				got.data = nil
				got.mu.Unlock()
				if err := pub.Publish(&stdmsgs.String{Data: text}); err != nil {
					t.Fatal(err)
				}
				b.until(text, func() bool { return len(got.all()) > 0 })
				time.Sleep(5 * time.Second)
				if !slices.Equal(got.all(), []string{text}) {
					t.Errorf("got %q, want %q once", got.all(), text)
				}
				if err := pub.Close(); err != nil {
					t.Error(err)
				}
			}
		}
		if sub.Topic() != "/cmd" || sub.Dropped() != 0 {
			t.Errorf("%s dropped %d", sub.Topic(), sub.Dropped())
		}
	})
}

// A latching publisher that publishes while a reader joins reaches the volatile reader of a pair first.
func TestALatchedSubscriptionHearsAllMessagesOfAPublisherOnceAndInOrder(t *testing.T) {
	const each = 40
	for _, c := range []struct {
		about string
		q     QoS
		all   bool // also those before the subscription
	}{
		{"transient local", QoS{Reliability: rtps.Reliable, Durability: rtps.TransientLocal, Depth: each}, true},
		{"volatile", QoS{Reliability: rtps.Reliable, Depth: each}, false},
	} {
		for _, local := range []bool{false, true} {
			onBench(t, func(b *bench) {
				b.net.SetFaults(netsim.Faults{Delay: 5 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.1})
				talker, listener := b.node("talker"), b.node("listener")
				if local {
					talker = listener
				} else {
					b.start(talker)
				}
				b.start(listener)
				p, err := NewPublisher[stdmsgs.String](talker, "chatter", c.q)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(3 * time.Second)
				var got inbox
				var s *Subscription[stdmsgs.String]
				for i := range each {
					if i == each/2 {
						if s, err = NewLatchedSubscription(listener, "chatter", each, got.take); err != nil {
							t.Fatal(err)
						}
					}
					if err := p.Publish(&stdmsgs.String{Data: strconv.Itoa(i)}); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Millisecond)
				}
				b.until("the match", func() bool { return s.Publishers() == 1 })
				time.Sleep(time.Second)
				if err := p.Publish(&stdmsgs.String{Data: strconv.Itoa(each)}); err != nil {
					t.Fatal(err)
				}
				last := strconv.Itoa(each)
				b.until("the last one", func() bool { return slices.Contains(got.all(), last) })
				time.Sleep(5 * time.Second)
				data := got.all()
				first := each + 1 - len(data)
				for i, text := range data {
					if text != strconv.Itoa(first+i) {
						t.Fatalf("%s, local %v: got %q: want consecutive numbers, each once", c.about, local, data)
					}
				}
				if c.all && len(data) < each { // the last one displaced the first
					t.Errorf("%s, local %v: got %d of %d messages: %q", c.about, local, len(data), each+1, data)
				}
			})
		}
	}
}
