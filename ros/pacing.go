package ros

import (
	"context"
	"errors"

	"simdeck/ros/node"
	"simdeck/sim"
)

// declarePacing makes the simulation's settings parameters of the node.
func (b *Bridge) declarePacing() error {
	var err error
	for _, d := range []node.Declaration{
		{
			Name: "real_time_factor", Late: true,
			Default:     node.DoubleValue(b.backend.Snapshot().Pacing.Asked),
			Range:       &[2]float64{0, 1000},
			Description: "simulated per real time that is asked for; 0 = as fast as possible",
			Get:         func() node.Value { return node.DoubleValue(b.backend.Snapshot().Pacing.Asked) },
			Set: func(ctx context.Context, v node.Value) error {
				_, err := b.backend.Do(sim.WithSender(ctx, "ros"), sim.SetPacing{RealTime: v.DoubleValue})
				return err
			},
		},
		{
			Name: "on_fault", Late: true,
			Default:     node.StringValue(b.backend.Snapshot().Pacing.OnFault.String()),
			Description: "when an entity leaves the finite numbers: contain takes it out and goes on; pause pauses too",
			Get: func() node.Value {
				return node.StringValue(b.backend.Snapshot().Pacing.OnFault.String())
			},
			Set: func(ctx context.Context, v node.Value) error {
				p, err := sim.ParseFaultPolicy(v.StringValue)
				if err == nil {
					_, err = b.backend.Do(sim.WithSender(ctx, "ros"), sim.SetFaultPolicy{Policy: p})
				}
				return err
			},
		},
		{
			Name: "limits", Default: node.StringValue(b.backend.Snapshot().Pacing.Limits.String()),
			ReadOnly:    true,
			Description: "what the world may hold at most, 0: no limit",
			Get: func() node.Value {
				return node.StringValue(b.backend.Snapshot().Pacing.Limits.String())
			},
		},
		{
			Name: "step_size", Default: node.DoubleValue(b.backend.Snapshot().StepSize.Seconds()),
			ReadOnly:    true,
			Description: "seconds of a step",
			Get: func() node.Value {
				return node.DoubleValue(b.backend.Snapshot().
					StepSize.Seconds())
			},
		},
	} {
		err = errors.Join(err, b.node.Parameters().Declare(context.Background(), d))
	}
	return err
}
