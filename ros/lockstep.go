package ros

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"simdeck/ros/node"
	"simdeck/ros/serve/lockstep"
)

// Words for the end of a lockstep's patience.
const (
	latePauses = "pause"
	lateGoesOn = "go-on"
)

// Lockstep says for which topics of commands a world waits, by words of lockstep.Parse.
type Lockstep struct {
	Topics   []string
	Patience time.Duration // on the wall clock; 0: lockstep.DefaultPatience
	GoOn     bool          // when it is over the world goes on without them; else it pauses
}

func parseLate(late string) (goesOn bool, err error) {
	if late != latePauses && late != lateGoesOn {
		return false, fmt.Errorf("%q when lockstep waits in vain: want %s or %s", late, latePauses, lateGoesOn)
	}
	return late == lateGoesOn, nil
}

// declareLockstep has the world wait as the configuration says, before it does a step, and makes the settings
// parameters of the node.
func (b *Bridge) declareLockstep(config Config) error {
	if config.NoLockstep {
		return nil
	}
	c := config.Lockstep
	topics, err := lockstep.Parse(c.Topics)
	if err != nil {
		return err
	}
	l := lockstep.New(b.node, b.backend, b.robots)
	if len(topics) == 0 {
		topics = l.Settings().Topics // of the world's file
	}
	if err := l.Set(lockstep.Settings{Topics: topics, Patience: c.Patience, GoOn: c.GoOn}); err != nil {
		return err
	}
	set := func(change func(*lockstep.Settings) error) error {
		s := l.Settings()
		if err := change(&s); err != nil {
			return err
		}
		return l.Set(s)
	}
	for _, d := range []node.Declaration{{
		Name: "lockstep", Default: node.StringValue(""),
		Description: "topics of commands for which each step waits, TOPIC[@RATE|@OBSERVATION][:stamp],…; " +
			"empty: none",
		Get: func() node.Value {
			var all []string
			for _, t := range l.Settings().Topics {
				all = append(all, t.String())
			}
			return node.StringValue(strings.Join(all, ","))
		},
		Set: func(_ context.Context, v node.Value) error {
			return set(func(s *lockstep.Settings) (err error) {
				s.Topics = nil
				if v.StringValue != "" {
					s.Topics, err = lockstep.Parse(strings.Split(v.StringValue, ","))
				}
				return err
			})
		},
	}, {
		Name: "lockstep_timeout", Default: node.DoubleValue(lockstep.DefaultPatience.Seconds()),
		Range:       &[2]float64{0.001, 86400},
		Description: "seconds on the wall clock for which a step waits",
		Get:         func() node.Value { return node.DoubleValue(l.Settings().Patience.Seconds()) },
		Set: func(_ context.Context, v node.Value) error {
			return set(func(s *lockstep.Settings) error {
				s.Patience = time.Duration(math.Round(v.DoubleValue * float64(time.Second)))
				return nil
			})
		},
	}, {
		Name: "lockstep_late", Default: node.StringValue(latePauses),
		Description: "after that time the world pauses (pause), or goes on without the command and counts it (go-on)",
		Get: func() node.Value {
			if l.Settings().GoOn {
				return node.StringValue(lateGoesOn)
			}
			return node.StringValue(latePauses)
		},
		Set: func(_ context.Context, v node.Value) error {
			return set(func(s *lockstep.Settings) (err error) {
				s.GoOn, err = parseLate(v.StringValue)
				return err
			})
		},
	}} {
		err = errors.Join(err, b.node.Parameters().Declare(context.Background(), d))
	}
	return err
}
