package robot

import (
	"context"
	"errors"
	"math"
	"sync"

	"simdeck/ros/geometry"
	"simdeck/ros/msgs"
	"simdeck/ros/msgs/ackermannmsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/vehicle"
)

// listen takes commands from a topic that is a robot's.
func listen[T any, PT msgs.Of[T]](f *RobotPublisher, r *robot, topic string,
	meant func(*T) (sim.Command, error)) error {
	s, err := kindOf[T, PT](f, topic, meant).open()
	if err == nil {
		r.ends = append(r.ends, s)
	}
	return err
}

// carryOut hands what the messages of a topic mean to the simulation.
func carryOut[T any](f *RobotPublisher, topic string,
	meant func(*T) (sim.Command, error)) func(context.Context, *T, node.Origin) {
	told := &refusals{node: f.node, topic: topic}
	return func(ctx context.Context, m *T, _ node.Origin) {
		c, err := meant(m)
		if err == nil {
			_, err = f.backend.Do(sim.WithSender(ctx, "ros"), c)
		}
		told.tell(ctx, err)
	}
}

// subscribeCommands takes velocity commands for a drive, of either type.
func (f *RobotPublisher) subscribeCommands(r *robot, drive int, topic string) error {
	meant := func(t *geometrymsgs.Twist) (sim.Command, error) {
		return sim.DriveEntity{Name: r.name, Drive: drive, Twist: geometry.TwistOf(*t)}, nil
	}
	return f.subscribeEither(r, topic, [2]commandKind{kindOf(f, topic, meant),
		kindOf(f, topic, func(m *geometrymsgs.TwistStamped) (sim.Command, error) { return meant(&m.Twist) })})
}

// subscribeSteering takes speeds and steering angles for a drive, of either type.
func (f *RobotPublisher) subscribeSteering(r *robot, drive int, topic string) error {
	meant := func(a *ackermannmsgs.AckermannDrive) (sim.Command, error) {
		return sim.DriveCar{Name: r.name, Drive: drive, Control: Steering(a)}, nil
	}
	return f.subscribeEither(r, topic, [2]commandKind{kindOf(f, topic, meant),
		kindOf(f, topic, func(m *ackermannmsgs.AckermannDriveStamped) (sim.Command, error) {
			return meant(&m.Drive)
		})})
}

// Steering is the control of an AckermannDrive, as its definition says. The speed is below zero in reverse, a
// limit of zero is none, and the jerk is ignored.
func Steering(m *ackermannmsgs.AckermannDrive) vehicle.Control {
	c := vehicle.Driving(float64(m.Speed), float64(m.SteeringAngle))
	c.SteerRate, c.Accel = math.Abs(float64(m.SteeringAngleVelocity)), math.Abs(float64(m.Acceleration))
	return c
}

// refusals logs the errors of a topic's messages, each one once.
type refusals struct {
	node  *node.Node
	topic string

	mu   sync.Mutex
	last string
}

func (r *refusals) tell(ctx context.Context, err error) {
	if ctx.Err() != nil || errors.Is(err, sim.ErrClosed) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	said := ""
	if err != nil {
		said = err.Error()
	}
	if said != "" && said != r.last {
		r.node.Log().Warn("a command was refused", "topic", r.topic, "error", err)
	}
	r.last = said
}
