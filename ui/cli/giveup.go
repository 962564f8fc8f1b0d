package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// errInterrupted is a command that was asked to end and did not by itself in time.
var errInterrupted = errors.New("interrupted")

// Time that a command has after a signal before it is abandoned: a reader, and one with a simulation, a
// recording or processes to end.
const (
	readingMayTake = 500 * time.Millisecond
	endingMayTake  = 10 * time.Second
)

// ending are the commands that have something to bring to its end; the root opens the console.
var ending = []string{"simdeck", "tour", "run", "serve", "record", "sweep", "sweep-run", "attach"}

// giveUp makes every command end soon after its context, even one that is blocked. A file system may not
// answer, a mesh may be endless, a step may take minutes.
func giveUp(root *cobra.Command) {
	for _, c := range append(root.Commands(), root) {
		run := c.RunE
		if run == nil {
			continue
		}
		grace := readingMayTake
		if slices.Contains(ending, c.Name()) {
			grace = endingMayTake
		}
		c.RunE = func(cmd *cobra.Command, args []string) error {
			return within(cmd.Context(), grace, func() error { return run(cmd, args) })
		}
	}
}

// Loading reads a world, and leaves that behind soon after ctx has ended: nothing of it has to be brought to
// an end.
func Loading(ctx context.Context, read func() error) error { return within(ctx, readingMayTake, read) }

// within does something, and waits no longer than grace for it once ctx has ended: it is left behind then.
func within(ctx context.Context, grace time.Duration, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-done:
		return err
	case <-late.C:
		return errInterrupted
	}
}
