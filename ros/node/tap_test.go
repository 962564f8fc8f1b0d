package node

import (
	"context"
	"slices"
	"sync"
	"testing"

	"simdeck/ros/msgs"
	"simdeck/ros/msgs/stdmsgs"
)

// tapping keeps what a tap got, as "topic text".
type tapping struct {
	mu   sync.Mutex
	got  []string
	seen []Topic
}

func (k *tapping) tap(want ...string) Tap {
	return func(p Topic) func([]byte) {
		k.seen = append(k.seen, p)
		if !slices.Contains(want, p.Name) {
			return nil
		}
		return func(payload []byte) {
			var m stdmsgs.String
			if err := msgs.Decode(payload, &m); err != nil {
				m.Data = err.Error()
			}
			k.mu.Lock()
			defer k.mu.Unlock()
			k.got = append(k.got, p.Name+" "+m.Data)
		}
	}
}

func (k *tapping) all() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.got)
}

func talkers(t *testing.T, n *Node, names ...string) []*Publisher[stdmsgs.String] {
	t.Helper()
	var all []*Publisher[stdmsgs.String]
	for _, name := range names {
		q := DefaultQoS()
		if name == "/latched" {
			q = LatchedQoS()
		}
		p, err := NewPublisher[stdmsgs.String](n, name, q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestATapGetsWhatTheNodePublishesAndWhatItKept(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		b.start(n)
		pubs := talkers(t, n, "/a", "/b", "/latched")
		say := func(text string, to ...*Publisher[stdmsgs.String]) {
			for _, p := range to {
				if err := p.Publish(&stdmsgs.String{Data: text}); err != nil {
					t.Fatal(err)
				}
			}
		}
		say("before", pubs...)
		var k tapping
		n.Tap(k.tap("/b"))() // its node has left
		leave := n.Tap(k.tap("/b"))
		last := n.Tap(k.tap("/a", "/latched", "/late"))
		leave() // which had been replaced
		if pubs[0].Subscribers() != 1 || pubs[1].Subscribers() != 0 {
			t.Errorf("%d and %d subscribers", pubs[0].Subscribers(), pubs[1].Subscribers())
		}
		say("1", pubs...)
		late := talkers(t, n, "/late")
		say("2", late...)
		if err := late[0].Close(); err != nil {
			t.Fatal(err)
		}
		last()
		say("3", pubs...)
		if pubs[0].Subscribers() != 0 {
			t.Errorf("%d subscribers without a tap", pubs[0].Subscribers())
		}
		want := []string{"/latched before", "/a 1", "/latched 1", "/late 2"}
		if got := k.all(); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		i := slices.IndexFunc(k.seen, func(p Topic) bool { return p.Name == "/latched" })
		if p := k.seen[i]; p.Type != "std_msgs/msg/String" || p.Hash != (*stdmsgs.String)(nil).TypeHash() ||
			p.QoS[0].String() != LatchedQoS().String() {
			t.Errorf("%+v", p)
		}
	})
}

func TestARawSubscriptionGetsWhatReliableAndOtherPublishersWrote(t *testing.T) {
	onBench(t, func(b *bench) {
		talker, listener := b.node("talker"), b.node("listener")
		b.start(talker)
		b.start(listener)
		latched := talkers(t, talker, "/latched")[0]
		hasty, err := NewPublisher[stdmsgs.String](talker, "/hasty", SensorQoS())
		if err != nil {
			t.Fatal(err)
		}
		if err := latched.Publish(&stdmsgs.String{Data: "early"}); err != nil {
			t.Fatal(err)
		}
		var offered []Topic
		b.until("both topics", func() bool {
			offered = slices.DeleteFunc(listener.Offered(),
				func(o Topic) bool { return o.Type != "std_msgs/msg/String" })
			return len(offered) == 2
		})
		var k tapping
		for _, o := range offered {
			take := k.tap("/latched", "/hasty")(o)
			if _, err := NewRaw(listener, o, 100,
				func(payload []byte, _ Origin) { take(payload) }); err != nil {
				t.Fatal(err)
			}
		}
		b.until("a subscriber", func() bool { return hasty.Subscribers() == 1 })
		if err := hasty.Publish(&stdmsgs.String{Data: "now"}); err != nil {
			t.Fatal(err)
		}
		b.until("both messages", func() bool { return len(k.all()) == 2 })
		got := k.all()
		slices.Sort(got)
		if want := []string{"/hasty now", "/latched early"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestATapIsNotCalledAnyMoreWhenItHasEnded(t *testing.T) {
	onBench(t, func(b *bench) {
		n := b.node("n")
		b.start(n)
		p := talkers(t, n, "/a")[0]
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			for ctx.Err() == nil {
				_ = p.Publish(&stdmsgs.String{Data: "x"})
			}
		}()
		for range 200 {
			open := true // not guarded: the race detector sees who is late
			leave := n.Tap(func(Topic) func([]byte) {
				return func([]byte) {
					if !open {
						t.Error("a tap that had ended was called")
					}
				}
			})
			leave()
			open = false
		}
		stop()
		<-done
	})
}
