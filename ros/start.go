package ros

import (
	"context"
	"errors"
	"fmt"

	"simdeck/ros/node"
	"simdeck/sim"
)

// startStates are the states that a simulator can begin in.
var startStates = map[string]sim.State{"stopped": sim.Stopped, "paused": sim.Paused, "playing": sim.Playing}

// declareStart makes what the simulation began with parameters of the node.
// The state can be given as one: it is set when the simulator runs.
func (b *Bridge) declareStart(seed uint64) error {
	p := b.node.Parameters()
	return errors.Join(
		p.Declare(context.Background(), node.Declaration{
			Name: "seed", Default: node.IntegerValue(int64(seed)), ReadOnly: true,
			Description: "of the noise of sensors",
			Get:         func() node.Value { return node.IntegerValue(int64(seed)) },
		}),
		p.Declare(context.Background(), node.Declaration{
			Name: "start_state", Default: node.StringValue(b.backend.Snapshot().State.String()),
			ReadOnly:    true,
			Description: "the state that the simulation began in: stopped, paused or playing",
			Set: func(_ context.Context, v node.Value) error {
				to, ok := startStates[v.StringValue]
				if !ok {
					return fmt.Errorf("%q is no state to begin in: want stopped, paused or playing",
						v.StringValue)
				}
				b.node.Go(func(ctx context.Context) { b.begin(ctx, to) })
				return nil
			},
		}))
}

// begin goes to the state that was asked for.
func (b *Bridge) begin(ctx context.Context, to sim.State) {
	_, err := b.backend.Do(sim.WithSender(ctx, "ros"), sim.SetState{State: to})
	if err != nil && !errors.Is(err, sim.ErrAlreadyInState) && ctx.Err() == nil {
		b.node.Log().Error("the simulation does not begin in the state that was given", "start_state",
			to.String(), "error", err)
	}
}
