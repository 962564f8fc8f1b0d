package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
)

// shown is a backend that shows one picture.
type shown struct {
	sim.Backend
	sim.Feed
}

func (s *shown) Snapshot() *sim.Snapshot                            { return s.Latest() }
func (s *shown) Subscribe(d sim.Delivery) *sim.Subscription         { return s.Feed.Subscribe(d) }
func (s *shown) Do(context.Context, sim.Command) (sim.Reply, error) { return sim.Done{}, nil }

func TestADurationThatCannotComeEndsWithTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		picture sim.Snapshot
		waiting Waiting
		want    error
		words   string
	}{
		"over": {sim.Snapshot{State: sim.Playing, Time: 2 * time.Second},
			Waiting{Unattended: true, Alone: true}, nil, ""},
		"quitting": {sim.Snapshot{State: sim.Quitting},
			Waiting{Unattended: true, Alone: true}, nil, ""},
		"paused for a fault": {sim.Snapshot{State: sim.Paused, Time: time.Second,
			Halted: `"rover" is contained`}, Waiting{Unattended: true}, ErrLost, `1s of 2s: "rover"`},
		"paused for a controller": {sim.Snapshot{State: sim.Paused, Time: time.Second,
			Halted: sim.LockstepHalt + "/a"}, Waiting{Unattended: true}, errAlone, "1s of 2s: lockstep: nothing in time from /a"},
		"paused and nobody can play": {sim.Snapshot{State: sim.Paused},
			Waiting{Unattended: true, Alone: true}, ErrUsage, "paused at 0s"},
		"stopped and nobody can play": {sim.Snapshot{State: sim.Stopped},
			Waiting{Unattended: true, Alone: true}, ErrUsage, "stopped"},
		"no world, and nobody": {sim.Snapshot{State: sim.NoWorld},
			Waiting{Unattended: true, Alone: true}, ErrUsage, "no world"},
	} {
		var d shown
		d.Publish(&c.picture, time.Now(), true)
		err := Await(t.Context(), &d, 2*time.Second, c.waiting)
		if !errors.Is(err, c.want) || c.want == nil && err != nil || err != nil &&
			!strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %v with %q", name, err, c.want, c.words)
		}
	}
}

func TestADurationIsWaitedForWhileSomebodyMayPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("waits on the real clock")
	}
	for name, picture := range map[string]sim.Snapshot{"a fault before an operator": {State: sim.Paused,
		Halted: "x"}, "paused, with ROS": {State: sim.Paused}} {
		var d shown
		d.Publish(&picture, time.Now(), true)
		ended := make(chan error, 1)
		go func() { ended <- Await(t.Context(), &d, time.Second, Waiting{}) }()
		over := picture
		over.Seq, over.Time, over.State, over.Halted = 1, time.Second, sim.Playing, ""
		for {
			select {
			case err := <-ended:
				if d.Latest().Time == 0 || err != nil {
					t.Errorf("%s: ended at %v with %v", name, d.Latest().Time, err)
				}
			case <-time.After(20 * time.Millisecond):
				d.Publish(&over, time.Now(), true)
				continue
			}
			break
		}
	}
}
