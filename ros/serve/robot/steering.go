package robot

import (
	"context"
	"math"

	"simdeck/ros/msgs/ackermannmsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/vehicle"
)

// steerer hands a steering angle and a speed to the simulation.
type steerer struct {
	deck   sim.Deck
	entity string
	drive  int
	refusals
}

// steer takes an AckermannDrive as its definition says: the speed is below zero backwards; a limit of zero is none, and a jerk is not looked at.
func (c *steerer) steer(ctx context.Context, m *ackermannmsgs.AckermannDrive) {
	k := vehicle.Control{Gear: vehicle.Forward, Pedal: vehicle.ToSpeed, Steer: float64(m.SteeringAngle), SteerRate: math.Abs(float64(m.SteeringAngleVelocity)),
		Speed: math.Abs(float64(m.Speed)), Accel: math.Abs(float64(m.Acceleration))}
	if m.Speed < 0 {
		k.Gear = vehicle.Reverse
	}
	_, err := c.deck.Do(sim.WithSender(ctx, "ros"), sim.DriveCar{Name: c.entity, Drive: c.drive, Control: k})
	c.tell(ctx, err)
}

// obeySteering takes commands of both types, under one name.
func (f *Fleet) obeySteering(r *robot, drive int) error {
	topic := f.claims.take(r.id, r.prefix, "ackermann_cmd")
	c := &steerer{deck: f.deck, entity: r.name, drive: drive, refusals: refusals{node: f.node, topic: topic}}
	stamped, err := node.NewCommandSubscription(f.node, topic, 1,
		func(ctx context.Context, m *ackermannmsgs.AckermannDriveStamped, _ node.Origin) {
			c.steer(ctx, &m.Drive)
		})
	if err != nil {
		return err
	}
	r.ends = append(r.ends, stamped)
	plain, err := node.NewCommandSubscription(f.node, topic, 1,
		func(ctx context.Context, m *ackermannmsgs.AckermannDrive, _ node.Origin) { c.steer(ctx, m) })
	if err != nil {
		return err
	}
	r.ends = append(r.ends, plain)
	return nil
}
