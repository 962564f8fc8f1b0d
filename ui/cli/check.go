package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
	"simdeck/ui/cli/worldfile"
	"simdeck/ui/escape"
	"simdeck/ui/readfile"
)

// checking is the options of check.
type checking struct {
	json, strict, info, overwrite bool
}

func (s *session) checkCommand() *cobra.Command {
	var c checking
	cmd := &cobra.Command{
		Use: "check FILE…", Short: "Load worlds or robots and report what is missing, unsupported or suspicious",
		Args: cobra.MinimumNArgs(1),
		Long: "check loads worlds or robots and prints what of them loads, what is ignored and why, with line and column,\n" +
			"and what is suspicious: masses and inertias that no body has, meshes that look as if they were in\n" +
			"millimetres, links that are in each other at rest. It exits with 0 when every file loads, with 3 when one\n" +
			"does not, or with --strict when anything of one is missing, unreadable, unsupported or suspicious.\n" +
			"--write-info puts a .simulationinfo beside each robot or object, with its category and its bounds.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.overwrite && !c.info {
				return fmt.Errorf("%w: --overwrite without --write-info: want both", ErrUsage)
			}
			return s.check(cmd, args, c)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&c.json, "json", false, "print JSON")
	f.BoolVar(&c.strict, "strict", false,
		"exit with 3 when there is anything to say besides what was inferred")
	f.BoolVar(&c.info, "write-info", false,
		"write FILE's .simulationinfo with computed bounds; one that is there stays")
	f.BoolVar(&c.overwrite, "overwrite", false,
		"with --write-info: put new bounds into the one that is there")
	declare(f, lookup|admission)
	return cmd
}

// check loads each file as a world or as a model and reports on it. The error
// is that of every file that could not be loaded.
func (s *session) check(cmd *cobra.Command, files []string, c checking) error {
	var errs []error
	reports := []*checked{}
	for _, file := range worldfile.WithArguments(files) {
		r, err := s.checkFile(cmd, file, c)
		if err != nil {
			r.Error = oneLine(err)
			errs = append(errs, err)
		}
		reports = append(reports, r)
		if !c.json && err == nil {
			r.print(cmd.OutOrStdout())
		}
	}
	if c.json {
		out := json.NewEncoder(cmd.OutOrStdout())
		out.SetIndent("", "  ")
		out.SetEscapeHTML(false)
		errs = append(errs, out.Encode(reports))
	}
	return errors.Join(errs...)
}

func (s *session) checkFile(cmd *cobra.Command, file string, c checking) (*checked, error) {
	r := &checked{File: file, Notes: []checkNote{}}
	o, _, err := s.options(cmd.Flags(), file)
	if err == nil {
		err = fetchFirst(s, cmd, &o)
	}
	if err != nil {
		return r, err
	}
	lib, resource, err := s.Library(o)
	if err != nil {
		return r, err
	}
	checking := progressOf(cmd).Begin("Checking " + file)
	defer checking.End()
	model, err := r.load(cmd.Context(), lib, resource, file, checking.Meshes)
	if late := scene.Interrupted(cmd.Context()); late != nil {
		return r, late
	}
	switch {
	case err != nil:
	case model != nil:
		err = engine.CheckModel(o.Limits, model)
	default:
		err = engine.CheckWorld(o.Limits, lib, resource)
	}
	if err == nil && c.info {
		err = r.writeInfo(model, file, c.overwrite)
	}
	n := len(r.Notes) - r.Counts[scene.Inferred.String()] - r.Counts[scene.Ignored.String()]
	if err == nil && c.strict && n > 0 {
		if checking.End(); !c.json {
			r.print(cmd.ErrOrStderr())
		}
		err = fmt.Errorf("%w: %s: %d notes with --strict", scene.ErrUnsupportedParts, file, n)
	}
	return r, err
}

// load reads a file as a world, else as a model, which it gives back.
func (r *checked) load(ctx context.Context, lib scene.Library, resource scene.Resource, file string,
	tell func(sim.Loading)) (*scene.ModelSpec, error) {
	world, worldErr := scene.WorldContext(ctx, lib, resource)
	if worldErr == nil && !holdsModel(file) {
		return nil, r.world(ctx, world, file, tell)
	}
	model, err := scene.ModelContext(ctx, lib, resource)
	switch {
	case err == nil:
		r.model(ctx, model, tell)
		return model, nil
	case worldErr == nil:
		return nil, r.world(ctx, world, file, tell)
	case saysWorld(file):
		return nil, worldErr
	}
	return nil, err
}

// mostModel bounds a world or model that the command line itself looks into, in bytes: what a library reads
// of one at most.
const mostModel = 64 << 20

// saysWorld reports that a file means to be a world, which decides whose error
// its author wants to read.
func saysWorld(file string) bool {
	data, err := readfile.All(file, mostModel)
	return err == nil && (bytes.Contains(data, []byte("<world")) ||
		slices.Contains([]string{".wbt", ".yaml", ".yml"}, filepath.Ext(file)))
}

// holdsModel reports that a file holds a robot or a model alone: a library
// makes a world of it too, with a ground.
func holdsModel(file string) bool {
	data, err := readfile.All(file, mostModel)
	return err == nil && !bytes.Contains(data, []byte("<world")) &&
		(bytes.Contains(data, []byte("<robot")) || bytes.Contains(data, []byte("<model")))
}

// checked is the report on a file.
type checked struct {
	File    string         `json:"file"`
	Kind    string         `json:"kind,omitempty"` // "world" or "model"
	Name    string         `json:"name,omitempty"`
	Format  string         `json:"format,omitempty"`
	Models  int            `json:"models,omitempty"`
	Poses   int            `json:"named_poses,omitempty"`
	Links   int            `json:"links,omitempty"`
	Joints  int            `json:"joints,omitempty"`
	Drives  int            `json:"drives,omitempty"`
	Sensors int            `json:"sensors,omitempty"`
	Engine  []checkModel   `json:"engine,omitempty"`
	Notes   []checkNote    `json:"notes"`
	Counts  map[string]int `json:"counts,omitempty"`
	Info    string         `json:"info_written,omitempty"`
	Error   string         `json:"error,omitempty"`

	brief scene.Notes // Notes, for print
	seen  map[checkNote]bool
}

// checkModel is the engine's report on a model.
type checkModel struct {
	Model   string   `json:"model"`
	Reduced []string `json:"reduced,omitempty"` // joints
	Maximal []string `json:"maximal,omitempty"`
	Error   string   `json:"error,omitempty"`
}

type checkNote struct {
	Kind   string `json:"kind"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

// world reports on a world. Its error is the one that loading the world has.
func (r *checked) world(ctx context.Context, w *scene.WorldSpec, file string, tell func(sim.Loading)) error {
	r.Kind, r.Name, r.Models, r.Poses = "world", w.Name, len(w.Models), len(w.NamedPoses)
	r.note(w.Notes)
	seen := map[*scene.ModelSpec]bool{}
	var models []*scene.ModelSpec
	for _, p := range w.Models {
		if p.Model != nil && !seen[p.Model] {
			seen[p.Model] = true
			models = append(models, p.Model)
		}
	}
	engine.Prepare(ctx, models, tell)
	for _, m := range models {
		if ctx.Err() != nil {
			return nil
		}
		r.compute(m)
		r.note(m.Notes)
		r.note(engine.Lint(m))
	}
	notes, err := engine.CheckNames(w, file)
	r.note(notes)
	return err
}

func (r *checked) model(ctx context.Context, m *scene.ModelSpec, tell func(sim.Loading)) {
	r.Kind, r.Name, r.Format, r.Links, r.Joints, r.Drives = "model", m.Name, m.Format, len(m.Links),
		len(m.Joints), len(m.Drives)
	for i := range m.Links {
		r.Sensors += len(m.Links[i].Sensors)
	}
	engine.Prepare(ctx, []*scene.ModelSpec{m}, tell)
	r.compute(m)
	r.note(m.Notes)
	r.note(engine.Lint(m))
}

// compute lists the moving joints in reduced and in maximal coordinates.
func (r *checked) compute(m *scene.ModelSpec) {
	reduced, maximal, err := engine.Coordinates(m)
	c := checkModel{Model: m.Name, Reduced: reduced, Maximal: maximal}
	if err != nil {
		c.Error = err.Error()
	}
	if len(reduced)+len(maximal) > 0 || err != nil {
		r.Engine = append(r.Engine, c)
	}
}

// note takes notes, each once.
func (r *checked) note(notes scene.Notes) {
	if r.seen == nil {
		r.seen, r.Counts = map[checkNote]bool{}, map[string]int{}
	}
	for _, n := range notes {
		line := checkNote{n.Kind.String(), n.File, n.Line, n.Column, n.Message()}
		if !r.seen[line] {
			r.seen[line] = true
			r.Counts[line.Kind]++
			r.Notes, r.brief = append(r.Notes, line), append(r.brief, n)
		}
	}
}

// print writes a report for people.
func (r *checked) print(out io.Writer) {
	if r.Kind == "world" {
		escape.Fprintf(out, "%s: world %q, %d models, %d named poses\n", r.File, r.Name, r.Models, r.Poses)
	} else {
		escape.Fprintf(out, "%s: model %q (%s), %d links, %d joints, %d drives, %d sensors\n", r.File, r.Name,
			r.Format, r.Links, r.Joints, r.Drives, r.Sensors)
	}
	alike := map[string]int{} // models by their joints
	joints := func(m *checkModel) string { return fmt.Sprintf("%q %q %q", m.Error, m.Reduced, m.Maximal) }
	for i := range r.Engine {
		alike[joints(&r.Engine[i])]++
	}
	for i := range r.Engine {
		m := &r.Engine[i]
		n := alike[joints(m)]
		if alike[joints(m)] = 0; n == 0 {
			continue
		}
		name := m.Model
		if n > 1 {
			name = fmt.Sprintf("%s and %d more like it", name, n-1)
		}
		if m.Error != "" {
			escape.Fprintf(out, "  cannot be simulated: %s\n", m.Error)
		}
		if len(m.Reduced) > 0 {
			escape.Fprintf(out, "  %s: joints in reduced coordinates: %s\n", name, strings.Join(m.Reduced, ", "))
		}
		if len(m.Maximal) > 0 {
			escape.Fprintf(out, "  %s: joints between bodies: %s\n", name, strings.Join(m.Maximal, ", "))
		}
	}
	for _, n := range r.brief.Brief() {
		escape.Fprintf(out, "  %s\n", n.String())
	}
	if len(r.Notes) == 0 {
		escape.Fprintln(out, "  loaded without warnings")
	} else {
		text := " "
		for _, k := range []scene.NoteKind{scene.Missing, scene.Unreadable, scene.Unsupported,
			scene.Suspicious, scene.Inferred, scene.Ignored} {
			if n := r.Counts[k.String()]; n > 0 {
				text += fmt.Sprintf(" %d %s", n, k)
			}
		}
		escape.Fprintln(out, text)
	}
	if r.Info != "" {
		escape.Fprintf(out, "  wrote %s\n", r.Info)
	}
}
