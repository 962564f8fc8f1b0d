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

	"simdeck/sim"
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
	fmt.Fprintf(out, "%s, recorded by simdeck %s: %d commands and %d steps (%v) are the same, in %v\n",
		h.World, h.Version, did.Commands, did.Steps, p.World.StepSize()*time.Duration(did.Steps), took.Round(time.Millisecond))
	if did.Cut {
		fmt.Fprintln(out, "the recording ends within a line: its process was ended before it could write the rest")
	}
	return nil
}

// Recording is a folder that is being recorded into.
type Recording struct {
	*record.Writer
	file *os.File
}

// commandLog is the file of commands and hashes in the folder of a recording.
const commandLog = "commands.simlog"

// NewRecording begins the recording that the options ask for; nil when they ask for none. A folder that
// holds a recording already is left alone, with an error.
func NewRecording(o Options, version string) (*Recording, error) {
	if o.Record == "" {
		return nil, nil
	}
	if err := os.MkdirAll(o.Record, 0o755); err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(o.Record, commandLog), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%w: %s holds a recording already; name another folder", ErrUsage, o.Record)
	}
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	path, _ := o.SearchPaths()
	world := o.World
	if abs, err := filepath.Abs(world); err == nil {
		if _, err := os.Stat(abs); err == nil {
			world = abs
		}
	}
	w, err := record.NewWriter(file, record.Header{
		Version: version, World: world, Path: path, Seed: o.Seed, StepSize: o.Step, RealTime: o.Pace(), Rewind: o.View.Rewind,
		Started: time.Now().UTC().Format(time.RFC3339),
	})
	if err != nil {
		file.Close()
		return nil, err
	}
	return &Recording{w, file}, nil
}

// Hooks are what an engine calls; both nil without a recording.
func (r *Recording) Hooks() (command func(sim.LogEntry), step func(total, hash uint64)) {
	if r == nil {
		return nil, nil
	}
	return r.Command, r.Step
}

// Run writes until ctx ends, and then the rest. No recording writes nothing. One
// that breaks leaves the simulation running.
func (r *Recording) Run(ctx context.Context) error {
	if r == nil {
		return nil
	}
	return errors.Join(r.Writer.Run(ctx), r.file.Close())
}
