package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim/record"
	"simdeck/sim/scene"
)

func (s *session) replayCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "replay RECORDING", Short: "Do a recording again and compare every step", Args: cobra.ExactArgs(1),
		Long: "replay loads the world of a recording (a folder that --record wrote, or the " + commandLog + " in it), does every\n" +
			"command again at its step, as fast as it can, and compares the state after every step with the recorded hash.\n" +
			"It fails (exit code 1) at the first step that differs, and names it.",
		Example: "  simdeck run lab.sdf --record monday --duration 60s\n  simdeck replay monday",
		RunE: func(cmd *cobra.Command, args []string) error {
			o, _, err := s.options(cmd.Flags(), "")
			if err != nil {
				return err
			}
			return s.replay(cmd.Context(), args[0], o.Path, cmd.OutOrStdout())
		},
	}
	declare(cmd.Flags(), lookup)
	return cmd
}

// replay does a recording again; folders of path are searched before those that it was recorded with.
func (s *session) replay(ctx context.Context, name string, path []string, out io.Writer) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, commandLog)
	}
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%w: %w", scene.ErrNotFound, err)
	}
	defer file.Close()
	from, err := record.NewReader(file)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", scene.ErrParse, name, err)
	}
	h := &from.Header
	lib, _, err := s.Library(Options{World: h.World, Path: append(slices.Clone(path), h.Path...)})
	if err != nil {
		return err
	}
	p, err := record.NewPlayer(from, lib)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", scene.ErrParse, name, err)
	}
	begin := time.Now()
	did, err := p.Run(ctx)
	if errors.Is(err, record.ErrFormat) {
		err = fmt.Errorf("%w: %w", scene.ErrParse, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; %d steps before were the same", name, err, did.Steps)
	}
	took := time.Since(begin)
	if did.Before > 0 {
		fmt.Fprintf(out, "%d steps came before the recording began, and were done without a look\n", did.Before)
	}
	fmt.Fprintf(out, "%s, recorded by simdeck %s: %d commands and %d steps (%v) are the same, in %v\n",
		h.World, h.Version, did.Commands, did.Steps, p.World.StepSize()*time.Duration(did.Steps), took.Round(time.Millisecond))
	if did.Cut {
		fmt.Fprintln(out, "the recording ends within a line: its process was ended before it could write the rest")
	}
	return nil
}
