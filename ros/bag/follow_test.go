package bag

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
)

func TestFollowingRecordsWhatOthersPublishAsItShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := netsim.New(1)
		ctx, stop := context.WithCancel(context.Background())
		on := func(name string) *node.Node {
			n, err := node.New(node.Config{Name: name, Transport: net.Host(name)})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		talker, listener := on("talker"), on("listener")
		ended := make(chan error, 4)
		for _, n := range []*node.Node{talker, listener} {
			go func() { ended <- n.Run(ctx) }()
		}
		r := began(t, Config{Topics: []string{"/a", "/b", "/late"}, Dir: t.TempDir()})
		began := time.Now()
		now := func() time.Duration { return time.Since(began).Truncate(time.Second) }
		go func() { ended <- r.Follow(ctx, listener, now) }()
		recording, finish := context.WithCancel(context.Background())
		written := make(chan error, 1)
		go func() { written <- r.Run(recording) }()
		publish := func(q node.QoS, name, data string, wait time.Duration) *node.Publisher[stdmsgs.String] {
			p, err := node.NewPublisher[stdmsgs.String](talker, name, q)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(wait)
			if err := p.Publish(&stdmsgs.String{Data: data}); err != nil {
				t.Fatal(err)
			}
			return p
		}
		a := publish(node.DefaultQoS(), "/a", "first", 5*time.Second)
		time.Sleep(6 * time.Second)
		if err := a.Publish(&stdmsgs.String{Data: "reliable"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		// which the subscription for the first does not take
		publish(node.SensorQoS(), "/a", "best effort", 5*time.Second)
		time.Sleep(time.Second) // topics of one instant are recorded in any order
		publish(node.LatchedQoS(), "/late", "kept", 0)
		publish(node.DefaultQoS(), "/other", "not wanted", 5*time.Second)
		stop()
		for range 3 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		finish()
		if err := <-written; err != nil {
			t.Error(err)
		}
		got := lines(t, read(t, r.config.Dir))
		if want := []string{"/a 5s first", "/a 11s reliable", "/a 17s best effort",
			"/late 18s kept"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if err := errors.Join(r.Err()); err != nil {
			t.Error(err)
		}
	})
}
