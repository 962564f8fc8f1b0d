package bag

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rtps"
)

// lone is a node as a Graph.
type lone struct {
	n *node.Node
}

func (l lone) Node() *node.Node { return l.n }
func (l lone) Close() error     { return nil }

func (l lone) Run(ctx context.Context, work func(context.Context) error) error {
	background, leave := context.WithCancel(context.WithoutCancel(ctx))
	left := make(chan error, 1)
	go func() { left <- l.n.Run(background) }()
	err := work(ctx)
	leave()
	if late := <-left; err == nil {
		err = late
	}
	return err
}

func on(t *testing.T, net rtps.Transport, name string) *node.Node {
	t.Helper()
	n, err := node.New(node.Config{Name: name, Transport: net})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// graphRecording records a talker that says "kept" before and "new" after seven seconds, and may tell the
// time, an hour per second from the fifth.
func graphRecording(t *testing.T, simulated, wall bool) (all Summary, words []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		net := netsim.New(1)
		talker := on(t, net.Host("talker"), "talker")
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- talker.Run(ctx) }()
		pub, err := node.NewPublisher[stdmsgs.String](talker, "/words", node.LatchedQoS())
		if err != nil {
			t.Fatal(err)
		}
		var clock *node.Publisher[rosgraphmsgs.Clock]
		if simulated {
			if clock, err = node.NewPublisher[rosgraphmsgs.Clock](talker, "/clock",
				node.DefaultQoS()); err != nil {
				t.Fatal(err)
			}
		}
		dir, done := t.TempDir(), make(chan error, 1)
		recording, finish := context.WithTimeout(context.Background(), 10*time.Second)
		defer finish()
		go func() {
			var err error
			all, err = FromGraph(recording, lone{on(t, net.Host("recorder"), "recorder")},
				Config{Dir: dir, Topics: []string{"/words", "/clock"}}, wall)
			done <- err
		}()
		err = pub.Publish(&stdmsgs.String{Data: "kept"})
		for i := 1; i < 10 && err == nil; i++ {
			time.Sleep(time.Second - time.Millisecond)
			if clock != nil && i >= 5 {
				err = clock.Publish(&rosgraphmsgs.Clock{Clock: node.SimTime(time.Duration(i) * time.Hour)})
			}
			time.Sleep(time.Millisecond) // the time comes first
			if i == 7 && err == nil {
				err = pub.Publish(&stdmsgs.String{Data: "new"})
			}
		}
		recorded := <-done
		stop()
		if err := errors.Join(err, recorded, <-ended); err != nil {
			t.Error(err)
		}
		words = lines(t, read(t, dir))
	})
	return all, words
}

func TestAGraphWithAClockIsRecordedInSimulatedTime(t *testing.T) {
	all, got := graphRecording(t, true, false)
	if want := []string{"/words 5h0m0s kept", "/words 7h0m0s new"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if all != (Summary{Messages: 6, Topics: 2}) { // the recording begins with the first time on /clock
		t.Errorf("%+v", all)
	}
}

func TestAGraphWithoutAClockOrOnRequestIsRecordedInTheTimeOfTheMachine(t *testing.T) {
	began := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano() // in a bubble
	said := fmt.Sprintf("/words %v", time.Duration(began)+7*time.Second)
	for _, c := range []struct{ simulated, wall bool }{{false, false}, {true, true}, {false, true}} {
		all, got := graphRecording(t, c.simulated, c.wall)
		if len(got) != 2 || !strings.HasPrefix(got[0], fmt.Sprintf("/words %v", time.Duration(began))[:12]) ||
			!strings.HasSuffix(got[0], " kept") ||
			!strings.HasPrefix(got[1], said[:len(said)-1]) || !strings.HasSuffix(got[1], " new") ||
			all.Lost != 0 {
			t.Errorf("%+v: %+v: %q, said at %q", c, all, got, said)
		}
	}
}
