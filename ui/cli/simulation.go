package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simdeck/sim"
)

// stateCommand makes play, pause or stop. Being there already is fine.
func (s *session) stateCommand(word string, want sim.State, short string) *cobra.Command {
	c := &cobra.Command{Use: word, Short: short, Args: cobra.NoArgs}
	return s.onRemote(c, "set_simulation_state", func(t *task) error {
		_, err := t.Do(t.ctx, sim.SetState{State: want})
		if errors.Is(err, sim.ErrAlreadyInState) {
			return t.say(done{Simulator: t.Title(), Did: "nothing"},
				fmt.Sprintf("%s is %v already", t.Title(), want))
		}
		if err != nil {
			return err
		}
		return t.say(done{Simulator: t.Title(), Did: word}, fmt.Sprintf("%s is %v", t.Title(), want))
	})
}

func (s *session) stepCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "step [N]", Short: "Run N steps of a paused simulation, 1 without N; answers when they are done",
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
			_, err := steps(args)
			return err
		}),
	}
	return s.onRemote(c, "step_simulation", func(t *task) error {
		n, err := steps(t.args)
		if err != nil {
			return err
		}
		r, err := t.Do(t.ctx, sim.StepWorld{N: n})
		if err != nil {
			return err
		}
		d, line := done{Simulator: t.Title(), Did: "step", Steps: n},
			fmt.Sprintf("%s did %d steps", t.Title(), n)
		if stepped, ok := r.(sim.Stepped); ok && stepped.Time > 0 {
			now := stepped.Time.Seconds()
			d.Time, line = &now, fmt.Sprintf("%s, now at %.3f s", line, now)
		}
		return t.say(d, strings.Replace(line, "did 1 steps", "did 1 step", 1))
	})
}

func steps(args []string) (uint64, error) {
	if len(args) == 0 {
		return 1, nil
	}
	n, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("steps %q: want a whole number from 0 on", args[0])
	}
	return n, nil
}

func (s *session) resetCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "reset [SCOPE …]", Short: "Reset time, state, spawned entities, or all without SCOPE",
		Long: "reset puts back what the scopes name: time (the clock), state (poses, velocities, joints), spawned (spawned\n" +
			"entities go). Without a scope, or with all, everything is as after loading the world.",
		ValidArgs: []string{"time", "state", "spawned", "all"},
		Args: func(_ *cobra.Command, args []string) error {
			_, err := scope(args)
			return err
		},
	}
	return s.onRemote(c, "reset_simulation", func(t *task) error {
		sc, err := scope(t.args)
		if err != nil {
			return err
		}
		if _, err := t.Do(t.ctx, sim.Reset{Scope: sc}); err != nil {
			return err
		}
		what := strings.Join(t.args, ", ")
		if sc == sim.ResetAll {
			what = "all"
		}
		return t.say(done{Simulator: t.Title(), Did: "reset", Names: strings.Split(what, ", ")},
			fmt.Sprintf("%s is reset: %s", t.Title(), what))
	})
}

// scope adds up the words for scopes.
func scope(words []string) (sim.ResetScope, error) {
	var all sim.ResetScope
	for _, w := range words {
		one, ok := map[string]sim.ResetScope{"time": sim.ResetTime, "state": sim.ResetState,
			"spawned": sim.ResetSpawned, "all": sim.ResetAll}[w]
		if !ok {
			return 0, fmt.Errorf("scope %q: want time, state, spawned or all", w)
		}
		all |= one
	}
	if len(words) == 0 {
		all = sim.ResetAll
	}
	return all, nil
}
