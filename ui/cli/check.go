package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/scene"
)

// check loads each file as a world or as a model and reports on it. The error
// is that of every file that could not be loaded.
func (s *session) check(cmd *cobra.Command, files []string) error {
	var errs []error
	for _, file := range withArguments(files) {
		o, _, err := s.options(cmd.Flags(), file)
		if err != nil {
			return err
		}
		lib, r, err := s.Library(o)
		if err == nil {
			err = checkOne(cmd.OutOrStdout(), lib, r, file)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func checkOne(out io.Writer, lib scene.Library, r scene.Resource, file string) error {
	world, worldErr := lib.World(r)
	if worldErr == nil {
		fmt.Fprintf(out, "%s: world %q, %d models, %d named poses\n", file, world.Name, len(world.Models), len(world.NamedPoses))
		notes := world.Notes
		seen := map[*scene.ModelSpec]bool{}
		for _, p := range world.Models {
			if p.Model != nil && !seen[p.Model] {
				seen[p.Model] = true
				reportJoints(out, p.Model)
				notes = append(notes, p.Model.Notes...)
			}
		}
		return report(out, notes)
	}
	model, modelErr := lib.Model(r)
	if modelErr != nil {
		if saysWorld(file) {
			return worldErr
		}
		return modelErr
	}
	fmt.Fprintf(out, "%s: model %q (%s), %d links, %d joints, %d drives\n",
		file, model.Name, model.Format, len(model.Links), len(model.Joints), len(model.Drives))
	reportJoints(out, model)
	return report(out, model.Notes)
}

// reportJoints says how the engine will compute the joints that move.
func reportJoints(out io.Writer, m *scene.ModelSpec) {
	reduced, maximal, err := sim.Coordinates(m)
	if err != nil {
		fmt.Fprintf(out, "  cannot be simulated: %v\n", err)
		return
	}
	if len(reduced) > 0 {
		fmt.Fprintf(out, "  %s: joints in reduced coordinates: %s\n", m.Name, strings.Join(reduced, ", "))
	}
	if len(maximal) > 0 {
		fmt.Fprintf(out, "  %s: joints between bodies: %s\n", m.Name, strings.Join(maximal, ", "))
	}
}

// saysWorld reports that a file means to be a world, which decides whose error
// its author wants to read.
func saysWorld(file string) bool {
	data, err := os.ReadFile(file)
	return err == nil && (bytes.Contains(data, []byte("<world")) || strings.HasSuffix(file, ".wbt"))
}

// report prints notes, each once, and how many there are of each kind.
func report(out io.Writer, notes scene.Notes) error {
	count, seen := map[scene.NoteKind]int{}, map[string]bool{}
	for _, n := range notes {
		if line := n.String(); !seen[line] {
			seen[line] = true
			count[n.Kind]++
			fmt.Fprintln(out, "  "+line)
		}
	}
	if len(seen) == 0 {
		_, err := fmt.Fprintln(out, "  taken as it is written")
		return err
	}
	text := " "
	for _, k := range []scene.NoteKind{scene.Missing, scene.Unreadable, scene.Unsupported, scene.Suspicious, scene.Inferred} {
		if count[k] > 0 {
			text += fmt.Sprintf(" %d %s", count[k], k)
		}
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
