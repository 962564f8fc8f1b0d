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
	"simdeck/ui/escape"
	"simdeck/ui/readfile"
)

// replay is the options of a replay.
type replay struct {
	file        string
	path        []string      // folders that are searched before those that it was recorded with
	from, until time.Duration // simulated; 0: from the beginning, to the end
	list        bool          // the entities at the end
	console     bool          // show it in the console, and compare on the way
	json        bool
	reach       scene.Reach // which files may be read besides
	cmd         *cobra.Command
}

func (s *session) replayCommand() *cobra.Command {
	var r replay
	cmd := &cobra.Command{
		Use: "replay RECORDING", Short: "Do a recording again and compare every step",
		Args: cobra.ExactArgs(1),
		Long: "replay loads the world of a recording (a folder that --record wrote, or the " + commandLog +
			" in it), does every\n" +
			"command again at its step, as fast as it can, and compares the state after every step with the recorded hash.\n" +
			"It fails (exit code 1) at the first step that differs, and names it.\n" +
			"With --seek it compares from a simulated time on, and begins at the last state before it that the recording keeps (one every\n" +
			"ten simulated seconds): what lies between is done without a look, and what is before that is not done at all. With\n" +
			"--until it ends at one; --list shows the world as it was then.\n" +
			"With --console it opens the console on the recording: play it, pause it, and go to any moment on the strip of time.",
		Example: "  simdeck run lab.sdf --record monday --duration 60s\n  simdeck replay monday\n  simdeck replay monday --seek 30s --until 40s --list\n  simdeck replay monday --console",
		RunE: func(cmd *cobra.Command, args []string) error {
			o, _, err := s.options(cmd.Flags(), "")
			if err != nil {
				return err
			}
			if r.from < 0 || r.until < 0 || r.until > 0 && r.until < r.from {
				return fmt.Errorf("%w: --seek %v --until %v: want times of a recording, the later one last",
					ErrUsage, r.from, r.until)
			}
			r.file, r.path, r.reach = args[0], o.Path, o.SpawnFrom
			r.cmd = cmd
			if r.console {
				if r.from > 0 || r.until > 0 || r.list || r.json {
					return fmt.Errorf("%w: --console with --seek, --until, --list or --json: want one of them", ErrUsage)
				}
				return s.playback(cmd.Context(), r, o)
			}
			return s.replay(cmd.Context(), r, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.DurationVar(&r.from, "seek", 0, "simulated time from which to compare, like 30s")
	f.DurationVar(&r.until, "until", 0, "simulated time at which to end (default the recording's end)")
	f.BoolVar(&r.list, "list", false, "show the entities with their states at the end")
	f.BoolVar(&r.json, "json", false, "the entities as JSON, and nothing else")
	f.BoolVar(&r.console, "console", false, "open the console on it")
	declare(f, lookup|view)
	return cmd
}

// openRecording opens a folder with a recording, or the file in it. The file is the caller's to close.
func openRecording(name string) (*record.Reader, io.Closer, error) {
	name = commandsOf(name)
	file, err := readfile.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", scene.ErrNotFound, err)
	}
	from, err := record.NewReader(file)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, name, err)
	}
	return from, file, nil
}

// commandsOf is the file of commands of a recording.
func commandsOf(name string) string {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return filepath.Join(name, commandLog)
	}
	return name
}

// player opens a recording at its beginning. Its file is the caller's to close.
func (s *session) player(r replay) (*record.Player, *record.Header, io.Closer, error) {
	from, file, err := openRecording(r.file)
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := s.playerOf(r, from)
	if err != nil {
		file.Close()
		return nil, nil, nil, err
	}
	return p, &from.Header, file, nil
}

// playerOf is a player with the libraries that a recording was made with.
func (s *session) playerOf(r replay, from *record.Reader) (*record.Player, error) {
	h := &from.Header
	o := Options{World: h.World, Path: append(slices.Clone(r.path), h.Path...), Vehicle: h.Vehicle,
		SpawnFrom: r.reach}
	lib, clients, err := libraries(s.Library, o)
	if err != nil {
		return nil, err
	}
	p, err := record.NewPlayer(from, lib)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, r.file, err)
	}
	p.Clients = clients
	p.Open = func(world string) (own, clients scene.Library, err error) {
		o := o
		o.World = world
		return libraries(s.Library, o)
	}
	return p, nil
}

// playback opens the console on a recording.
func (s *session) playback(ctx context.Context, r replay, o Options) error {
	b, err := record.NewPlayback(ctx, func(context.Context) (*record.Player, io.Closer, error) {
		p, _, file, err := s.player(r)
		return p, file, err
	})
	if errors.Is(err, record.ErrFormat) {
		err = fmt.Errorf("%w: %w", scene.ErrParse, err)
	}
	if err != nil {
		return err
	}
	return s.Replay(ctx, o, b)
}

// replay does a recording again.
func (s *session) replay(ctx context.Context, r replay, out io.Writer) error {
	name := commandsOf(r.file)
	p, h, file, err := s.player(r)
	if err != nil {
		return err
	}
	defer file.Close()
	p.From, p.Until = r.from, r.until
	begin := time.Now()
	played := progressOf(r.cmd).Begin("Replaying " + name)
	p.Progress = func(at time.Duration) { played.Report(fmt.Sprintf("%.1f s simulated", at.Seconds())) }
	did, err := p.Run(ctx)
	played.End()
	if errors.Is(err, record.ErrFormat) {
		err = fmt.Errorf("%w: %w", scene.ErrParse, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; the %d steps before match", name, err, did.Steps)
	}
	if at := p.World.Time(); did.Steps == 0 && r.from > at {
		return fmt.Errorf("%w: the recording ends at %v, before %v", ErrUsage, at, r.from)
	}
	if !r.json {
		tell(out, p, did, h, time.Since(begin))
	}
	if !r.list && !r.json {
		return nil
	}
	return listed(h.World, p.World.Snapshot(), r.json, out)
}

// libraries are the user's library for what options name, and the clients'.
func libraries(open func(Options) (scene.Library, scene.Resource, error), o Options) (own,
	clients scene.Library, err error) {
	if own, _, err = open(o); err != nil {
		return nil, nil, err
	}
	o.AsClients = true
	clients, _, err = open(o)
	return own, clients, err
}

// tell prints the result of a replay.
func tell(out io.Writer, p *record.Player, did record.Played, h *record.Header, took time.Duration) {
	if did.Before > 0 {
		escape.Fprintf(out, "Skipped %d steps before the recording\n",
			did.Before)
	}
	if did.Leapt > 0 {
		escape.Fprintf(out, "Started from the state saved at step %d\n", did.Leapt)
	}
	if did.Skipped > 0 {
		escape.Fprintf(out, "Skipped %d steps before %v\n", did.Skipped, p.From)
	}
	escape.Fprintf(out, "%s, recorded by simdeck %s: %d commands and %d steps (%v) match, checked in %v\n",
		h.World, h.Version, did.Commands, did.Steps, p.World.StepSize()*time.Duration(did.Steps),
		took.Round(time.Millisecond))
	for _, f := range did.Faults {
		escape.Fprintf(out, "fault in step %d, at %v: %s\n", f.Step, f.Time, f.Text)
	}
	if more := did.Faulty - len(did.Faults); more > 0 {
		escape.Fprintf(out, "%d more steps had faults\n", more)
	}
	if did.Cut {
		escape.Fprintln(out, "Recording truncated: its process ended while writing the last line")
	}
}

// listed shows the world of a recording as it was then.
func listed(world string, now *sim.Snapshot, asJSON bool, out io.Writer) error {
	var all []Entity
	for i := range now.Model.Entities {
		state := now.Entities[i]
		all = append(all, Entity{Name: now.Model.Entities[i].Name, State: &state})
	}
	if asJSON {
		return printEntitiesJSON(out, world, now.Time, all)
	}
	return printEntities(out, world, now.Time, all)
}
