package vehicle

import (
	"context"
	"errors"
	"math"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/ackermannmsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/gssimmsgs"
	"simdeck/ros/node"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
	"simdeck/sim/vehicle"
)

// controlTopic takes three types at once: the publisher's decides.
const controlTopic = "/vehicle/control_cmd"

// subscribeCommands takes commands for the ego vehicle.
func (p *Profile) subscribeCommands() error {
	return errors.Join(
		listen(p, func(name string, m *ackermannmsgs.AckermannDriveStamped) sim.Command {
			return sim.DriveCar{Name: name, Control: robot.Steering(&m.Drive)}
		}),
		listen(p, func(name string, m *gssimmsgs.VehicleControlCmd) sim.Command {
			return sim.DriveCar{Name: name, Control: control(m)}
		}),
		listen(p, func(name string, m *geometrymsgs.TwistStamped) sim.Command {
			return sim.DriveEntity{Name: name, Twist: geometry.TwistOf(m.Twist)}
		}))
}

// listen takes the commands of one type.
func listen[T any, PT msgs.Of[T]](p *Profile, meant func(ego string, m *T) sim.Command) error {
	kind := PT(nil).TypeName()
	_, err := node.NewCommandSubscription[T, PT](p.node, controlTopic, 1,
		func(ctx context.Context, m *T, _ node.Origin) {
			name, err := p.ego()
			if err == nil {
				_, err = p.backend.Do(sim.WithSender(ctx, "ros"), meant(name, m))
			}
			if ctx.Err() == nil && !errors.Is(err, sim.ErrClosed) {
				p.report.refuse(kind, err)
			}
		})
	return err
}

// refuse keeps why the last command of a type was refused; nil: it was not.
func (r *report) refuse(kind string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refused == nil {
		r.refused = map[string]string{}
	}
	if delete(r.refused, kind); err != nil {
		r.refused[kind] = err.Error()
	}
}

// control converts a command by gear and pedals, by a speed, or by an acceleration in the direction of the
// gear. In reverse a speed counts whichever sign it has.
func control(m *gssimmsgs.VehicleControlCmd) vehicle.Control {
	c := vehicle.Control{Gear: vehicle.Gear(m.Gear), Longitudinal: vehicle.LongitudinalControl(m.ControlMode),
		Steer:     float64(m.SteeringAngle),
		SteerRate: float64(m.SteeringAngleRate), Throttle: float64(m.Throttle), Brake: float64(m.Brake)}
	switch c.Longitudinal {
	case vehicle.ToSpeed:
		if c.Speed = float64(m.TargetVelocity); c.Gear == vehicle.Reverse {
			c.Speed = math.Abs(c.Speed)
		}
	case vehicle.ByAccel:
		c.Accel = float64(m.TargetAcceleration)
	}
	return c
}
