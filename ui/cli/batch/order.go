// Package batch does the runs of a sweep in processes of their own, several at once, and keeps their results
// in a journal. A sweep that was stopped continues there. A run that crashes, hangs or is killed is a result
// like another. It also writes a sweep as a Job for Kubernetes and puts together what its pods said.
package batch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simdeck/sim/scenario"
	"simdeck/sim/scene"
	"simdeck/sim/sweep"
	"simdeck/ui/readfile"
)

// Order is a sweep's file with what it names, as it was read once: all runs have the same, whatever becomes
// of the files.
type Order struct {
	File      string            // absolute
	Text      []byte            // of the file
	Scenarios map[string][]byte // by the name that the sweep has for them
	// absolute files, by the name that the sweep has for them; one that is no file is missing
	Worlds map[string]string
	Index  int // of the run that is meant, for a process that does one

	sweep *sweep.Sweep
}

// Read reads a sweep and what it names, and checks that all of it can be understood.
// Errors wrap scene.ErrNotFound or scene.ErrParse.
func Read(file string) (*Order, error) {
	text, err := readfile.All(file, sweep.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", scene.ErrNotFound, err)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	o := &Order{File: abs, Text: text, Scenarios: map[string][]byte{}, Worlds: map[string]string{}}
	if err := o.parse(file); err != nil {
		return nil, err
	}
	for i := range o.sweep.Runs {
		run := &o.sweep.Runs[i]
		if name, ok := o.beside(run.World); ok {
			o.Worlds[run.World] = name
		}
		if err := o.readScenario(run); err != nil {
			return nil, err
		}
		if _, err := o.world(run); err != nil {
			return nil, fmt.Errorf("run %d of %s: %w", run.Index, file, err)
		}
	}
	return o, nil
}

// parse reads Text.
func (o *Order) parse(name string) (err error) {
	if o.sweep, err = sweep.Parse(name, o.Text); err != nil {
		return fmt.Errorf("%w: %w", scene.ErrParse, err)
	}
	return nil
}

// beside is a file that is named from the sweep's folder.
func (o *Order) beside(name string) (string, bool) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(o.File), name)
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() { // a world bundle
		info, err = os.Stat(filepath.Join(name, "world.yaml"))
	}
	return name, err == nil && info.Mode().IsRegular()
}

// readScenario reads the scenario of a run and tries its variables.
func (o *Order) readScenario(run *sweep.Run) error {
	if run.Scenario == "" {
		return nil
	}
	if _, ok := o.Scenarios[run.Scenario]; !ok {
		name, ok := o.beside(run.Scenario)
		if !ok {
			return fmt.Errorf("%w: %s: there is no scenario %s", scene.ErrNotFound, o.File, name)
		}
		text, err := readfile.All(name, scenario.MaxSize)
		if err != nil {
			return fmt.Errorf("%w: %w", scene.ErrNotFound, err)
		}
		o.Scenarios[run.Scenario] = text
	}
	if _, err := o.scenario(run); err != nil {
		return fmt.Errorf("%w: run %d of %s: %w", scene.ErrParse, run.Index, o.File, err)
	}
	return nil
}

// scenario is that of a run; nil: it has none.
func (o *Order) scenario(run *sweep.Run) (*scenario.Scenario, error) {
	if run.Scenario == "" {
		return nil, nil
	}
	return scenario.ParseWith(run.Scenario, o.Scenarios[run.Scenario], run.Vars())
}

// Sweep is the sweep that the file describes.
func (o *Order) Sweep() *sweep.Sweep { return o.sweep }

// Digest tells a sweep from others: of its file, its scenarios, and those worlds that are files named from
// its folder. One that is named from the root may stand on another machine only, and is taken to stay as it
// is.
func (o *Order) Digest() (string, error) {
	h := sha256.New()
	part := func(name string, data []byte) {
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(data))
		h.Write(data)
	}
	part("", o.Text)
	for _, name := range sorted(o.Scenarios) {
		part(name, o.Scenarios[name])
	}
	for _, name := range sorted(o.Worlds) {
		if filepath.IsAbs(name) {
			continue
		}
		data, err := readWorld(o.Worlds[name])
		if err != nil {
			return "", err
		}
		part(name, data)
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// mostWorld bounds the file of a world, in bytes: what a library reads of one at most.
const mostWorld = 64 << 20

// readWorld reads the file of a world; of a bundle that which names the others.
func readWorld(file string) ([]byte, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, "world.yaml")
	}
	data, err := readfile.All(file, mostWorld)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", scene.ErrNotFound, err)
	}
	return data, nil
}

func sorted[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// world is the name of a run's world for a library: the file beside the sweep with the run's arguments, or
// the sweep's text.
func (o *Order) world(run *sweep.Run) (string, error) {
	name, ok := o.Worlds[run.World]
	if !ok {
		name = run.World
	}
	args := run.Args()
	for i, key := range sorted(args) {
		if !strings.HasSuffix(run.World, ".xacro") {
			return "", fmt.Errorf("%w: arg.%s is for a .xacro, and %s is none", scene.ErrParse, key,
				run.World)
		}
		name += map[bool]string{true: "?", false: "&"}[i == 0] + key + "=" + url.QueryEscape(args[key])
	}
	return name, nil
}
