package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/record"
	"simdeck/sim/scene"
	"simdeck/ui/escape"
)

// Parted is the first difference of two recordings, as bisect --json prints it.
type Parted struct {
	Same     bool     `json:"same"`
	Start    []string `json:"start,omitempty"` // differences of the start conditions
	Steps    uint64   `json:"steps"`           // before the difference
	Commands uint64   `json:"commands"`        // before it
	First    string   `json:"first,omitempty"` // there, of the first recording
	Second   string   `json:"second,omitempty"`
	// recordings whose replay differs from them, with the first difference
	NotReproduced []string `json:"not_reproduced,omitempty"`
	Apart         []Apart  `json:"apart,omitempty"` // entities that differ, the farthest apart first
}

// Apart is an entity that differs between two worlds.
type Apart struct {
	Name string  `json:"name"`
	Text string  `json:"text"`
	by   float64 // m
}

// bisectCommand finds the first difference of two recordings.
func (s *session) bisectCommand() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "bisect RECORDING RECORDING", Short: "Find the first command or step in which two recordings differ",
		Args: cobra.ExactArgs(2),
		Long: "bisect compares two recordings command by command and step by step, and prints the first that differs.\n" +
			"If the commands are the same and the worlds differ, it replays both up to there, and lists the entities that\n" +
			"differ, the farthest apart first, or the recording that this simdeck and this machine do not reproduce.\n" +
			"It fails (exit code 1) if the recordings differ.",
		Example: "  simdeck bisect monday tuesday",
		RunE: func(cmd *cobra.Command, args []string) error {
			o, _, err := s.options(cmd.Flags(), "")
			if err != nil {
				return err
			}
			found, err := s.bisect(cmd.Context(), args, o)
			switch {
			case found == nil:
				return err
			case *asJSON:
				return errors.Join(encode(cmd.OutOrStdout(), found), err)
			}
			printParted(cmd.OutOrStdout(), found, args)
			return err
		},
	}
	declare(cmd.Flags(), lookup)
	asJSON = withJSON(cmd.Flags())
	return cmd
}

// bisect finds the first difference of two recordings. The error wraps record.ErrDiverged if there is one; nil: they
// could not be compared.
func (s *session) bisect(ctx context.Context, files []string, o Options) (*Parted, error) {
	var from [2]*record.Reader
	for i, file := range files {
		r, opened, err := openRecording(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		from[i] = r
	}
	found := Parted{Start: startApart(&from[0].Header, &from[1].Header)}
	d, err := record.Compare(from[0], from[1])
	switch {
	case errors.Is(err, record.ErrFormat):
		return nil, fmt.Errorf("%w: %w", scene.ErrParse, err)
	case err != nil:
		return nil, err
	case d == nil:
		found.Same = true
		return &found, nil
	}
	found.Steps, found.Commands, found.First, found.Second = d.Steps, d.Commands, d.A, d.B
	parted := fmt.Errorf("%s and %s %w at step %d", files[0], files[1], record.ErrDiverged, d.Steps)
	if !d.Worlds {
		return &found, parted
	}
	var worlds [2]*sim.Snapshot
	for i, file := range files {
		worlds[i], err = s.replayTo(ctx, file, d.Lines[i], d.Steps, o)
		switch {
		case errors.Is(err, record.ErrDiverged):
			found.NotReproduced = append(found.NotReproduced, err.Error())
		case err != nil:
			return &found, errors.Join(parted, err)
		}
	}
	if len(found.NotReproduced) == 0 {
		found.Apart = worldsApart(worlds[0], worlds[1])
	}
	return &found, parted
}

// startApart are the differences of two start conditions.
func startApart(a, b *record.Header) (all []string) {
	for _, h := range []struct {
		name   string
		of, to any
	}{{"world", a.World, b.World}, {"seed", a.Seed, b.Seed}, {"step size", a.StepSize, b.StepSize},
		{"version of simdeck", a.Version, b.Version}} {
		if h.of != h.to {
			all = append(all, fmt.Sprintf("the %s differs: %v, %v", h.name, h.of, h.to))
		}
	}
	return all
}

// printParted prints the first difference of two recordings.
func printParted(out io.Writer, found *Parted, files []string) {
	for _, line := range found.Start {
		escape.Fprintln(out, line)
	}
	if found.Same {
		escape.Fprintln(out, "the recordings are the same")
		return
	}
	escape.Fprintf(out, "the first %d commands are the same, up to step %d\n%s: %s\n%s: %s\n", found.Commands,
		found.Steps, files[0], found.First, files[1], found.Second)
	for _, line := range found.NotReproduced {
		escape.Fprintf(out, "not reproduced here: %s\n", line)
	}
	for _, e := range found.Apart {
		escape.Fprintf(out, "  %s: %s\n", e.Name, e.Text)
	}
}

// replayTo is the world of a recording after a line, or after a step in that.
func (s *session) replayTo(ctx context.Context, file string, line int, step uint64, o Options) (*sim.Snapshot, error) {
	p, _, opened, err := s.player(replay{file: file, path: o.Path, reach: o.SpawnFrom})
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	p.UntilLine, p.UntilStep = line, step
	if _, err := p.Run(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p.World.Snapshot(), nil
}

// mostApart bounds the entities that are listed.
const mostApart = 20

// worldsApart are the entities that differ between two worlds, the farthest apart first.
func worldsApart(a, b *sim.Snapshot) (all []Apart) {
	for i := range a.Model.Entities {
		name := a.Model.Entities[i].Name
		k, ok := b.Find(name)
		if !ok {
			all = append(all, Apart{name, "is in the first alone", math.Inf(1)})
		} else if text, by := entitiesApart(a, i, b, k); text != "" {
			all = append(all, Apart{name, text, by})
		}
	}
	for i := range b.Model.Entities {
		name := b.Model.Entities[i].Name
		if _, ok := a.Find(name); !ok {
			all = append(all, Apart{name, "is in the second alone", math.Inf(1)})
		}
	}
	slices.SortStableFunc(all, func(x, y Apart) int { return cmp.Compare(y.by, x.by) })
	return all[:min(len(all), mostApart)]
}

// entitiesApart describes the difference of an entity in two worlds, with its distance in meters; empty: there is none.
func entitiesApart(a *sim.Snapshot, i int, b *sim.Snapshot, k int) (text string, by float64) {
	p, q := &a.Entities[i], &b.Entities[k]
	switch by = p.Pose.Pos.Sub(q.Pose.Pos).Len(); {
	case p.Pose.Pos != q.Pose.Pos:
		return fmt.Sprintf("%.3g m apart", by), by
	case p.Pose.Rot != q.Pose.Rot:
		return fmt.Sprintf("turned by %.3g rad", 2*p.Pose.Rot.Conj().Mul(q.Pose.Rot).Vector().Len()), 0
	case p.Twist != q.Twist:
		return fmt.Sprintf("velocities differ by %.3g m/s", p.Twist.Linear.Sub(q.Twist.Linear).Len()), 0
	}
	one, other := a.JointsOf(i), b.JointsOf(k)
	for j := range min(len(one), len(other)) {
		if one[j].Position != other[j].Position || one[j].Velocity != other[j].Velocity {
			return fmt.Sprintf("joint %s: %g, %g", a.Model.Entities[i].Spec.Joints[j].Name, one[j].Position,
				other[j].Position), 0
		}
	}
	return "", 0
}
