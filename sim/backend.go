// Package sim is the vocabulary of the simulator: the commands that change a world, the snapshots that show
// it, and the errors that refuse. Backend is the seam at which the console, the ROS bridge, scenarios,
// recorders and tests use any simulator. It runs nothing: package engine does, in this process, and
// ros/attach stands for simulators elsewhere.
//
// Units are SI: metres, radians, kilograms, seconds. Frames follow REP 103.
package sim

import (
	"context"
	"fmt"
)

// Backend is the seam between a simulator and its users: console, ROS bridge, scenarios, recorder and tests
// know nothing else. engine.Engine satisfies it in the same process, ros/attach over the network.
type Backend interface {
	// Do carries out c at the next step boundary and answers when it is done.
	// It is safe from any goroutine. A command that was refused changed
	// nothing; the error is one of the sentinels of errors.go, wrapped.
	Do(ctx context.Context, c Command) (Reply, error)
	// Snapshot is the newest picture of the world; never nil, never changed.
	Snapshot() *Snapshot
	// Subscribe delivers snapshots until the Subscription is closed. A reader
	// that is too slow loses pictures, which is counted. It never slows the
	// simulation, unless it has a Hold that is on.
	Subscribe(d Delivery) *Subscription
	// Capabilities declares what the simulator offers beside.
	Capabilities() Capabilities
}

// Call does c on d and gives the reply its type.
func Call[R Reply](ctx context.Context, d Backend, c Command) (R, error) {
	var none R
	r, err := d.Do(ctx, c)
	if err != nil {
		return none, err
	}
	typed, ok := r.(R)
	if !ok {
		return none, fmt.Errorf("%w: %T answered with %T, want %T", ErrFailed, c, r, none)
	}
	return typed, nil
}

type senderKey struct{}

// WithSender names who sends the commands of this context, as the log shows
// it: "console", "ros", "ssh alice".
func WithSender(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, senderKey{}, who)
}

// Sender is the name that WithSender gave, or "go".
func Sender(ctx context.Context) string {
	if who, ok := ctx.Value(senderKey{}).(string); ok {
		return who
	}
	return "go"
}

// Starter is the sender of the commands that New carries out by itself.
const Starter = "start"
