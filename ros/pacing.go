package ros

import (
	"context"

	"simdeck/ros/node"
	"simdeck/sim"
)

// declarePacing makes the simulation's settings parameters of the node. It
// runs with the node: a value of the command line needs the engine.
func (b *Bridge) declarePacing(ctx context.Context) {
	for _, d := range []node.Declaration{
		{
			Name: "real_time_factor", Default: node.DoubleValue(b.deck.Snapshot().Pacing.Asked), Range: &[2]float64{0, 1000},
			Description: "simulated per real time that is asked for; 0 = as fast as possible",
			Get:         func() node.Value { return node.DoubleValue(b.deck.Snapshot().Pacing.Asked) },
			Set: func(ctx context.Context, v node.Value) error {
				_, err := b.deck.Do(sim.WithSender(ctx, "ros"), sim.SetPacing{RealTime: v.DoubleValue})
				return err
			},
		},
		{
			Name: "step_size", Default: node.DoubleValue(b.deck.Snapshot().StepSize.Seconds()), ReadOnly: true,
			Description: "seconds of a step",
			Get:         func() node.Value { return node.DoubleValue(b.deck.Snapshot().StepSize.Seconds()) },
		},
	} {
		if err := b.node.Parameters().Declare(ctx, d); err != nil && ctx.Err() == nil {
			b.node.Log().Error("a parameter is missing", "parameter", d.Name, "error", err)
		}
	}
}
