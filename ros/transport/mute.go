package transport

import (
	"context"

	"simdeck/ros/rtps/wire"
)

// Mute is a transport without a network: a node on it is alone, for what it publishes to be recorded. It
// opens no socket.
type Mute struct{}

// Links are none.
func (Mute) Links() []wire.Link { return nil }

// Changed never gives a token.
func (Mute) Changed() <-chan struct{} { return nil }

// Send sends nothing.
func (Mute) Send([]byte, wire.Locator, int) error { return nil }

// Run waits for ctx to end.
func (Mute) Run(ctx context.Context, _ func(b []byte, from wire.Locator)) error {
	<-ctx.Done()
	return ctx.Err()
}
