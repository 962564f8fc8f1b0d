package cli

import (
	"bytes"
	"context"
	"io"
	"time"

	"simdeck/sim"
	"simdeck/ui/cli/store"
)

// TakeScreenshot simulates until the picture is due and writes it: what a camera of the world sees, or what
// draw draws.
func (s *Running) TakeScreenshot(ctx context.Context, shot Shot, draw func(io.Writer) error) error {
	var frame bytes.Buffer
	err := s.Run(ctx, func(ctx context.Context) error {
		// sensors run while somebody looks
		defer s.Engine.Subscribe(sim.Latest(100 * time.Millisecond)).Close()
		<-ctx.Done()
		if shot.Camera != "" {
			return Screenshot(s.Engine.Snapshot(), shot, &frame)
		}
		return draw(&frame)
	})
	if err != nil {
		return err
	}
	return store.Save(shot.File, frame.Bytes())
}
