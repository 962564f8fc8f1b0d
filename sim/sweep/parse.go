package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/scenario"
	"simdeck/sim/scene"
	"simdeck/sim/yamlsrc"
)

// Bounds of a file.
const (
	MaxSize = 1 << 20 // bytes
	maxRuns = 100_000
	maxKeys = 64
	far     = 1e7
)

// Words at the top, in the matrix, and before the name of an entity.
var (
	fixed    = []string{"world", "seed", "scenario", "step", "duration", "gravity"}
	prefixes = []string{"var.", "arg.", "pose.", "jitter.", "friction."}
	// and prefixes
	top = append([]string{"name", "timeout", "matrix", "pass", "fail", "report"}, fixed...)
)

// reader reads one file.
type reader struct{ yamlsrc.Reader }

func newReader(file string) *reader {
	return &reader{yamlsrc.Reader{File: file, Format: ErrFormat}}
}

// Parse reads a sweep; file is its name in messages. Errors wrap ErrFormat.
func Parse(file string, data []byte) (*Sweep, error) {
	r := newReader(file)
	n, err := r.Read(data, MaxSize)
	if err != nil {
		return nil, err
	}
	s := r.sweep(n)
	if r.Err != nil {
		return nil, r.Err
	}
	return s, nil
}

// pair is a key with its value.
type pair struct {
	key   *yaml.Node
	value *yaml.Node
}

// table is the pairs of a map, each key once and one that is allowed.
func (r *reader) table(n *yaml.Node, what string, known []string, prefixes []string) []pair {
	if n.Kind != yaml.MappingNode {
		r.Fail(n, "%s holds no keys; want %s", what,
			strings.Join(append(slices.Clone(known), prefixes...), ", "))
		return nil
	}
	var out []pair
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if v.Kind == yaml.AliasNode {
			v = v.Alias
		}
		if !slices.Contains(known, k.Value) && !prefixed(k.Value, prefixes) {
			r.Fail(k, "%q is unknown in %s%s", yamlsrc.Clip(k.Value), what, meant(k.Value, known, prefixes))
		}
		if seen[k.Value] {
			r.Fail(k, "%s has a second %q", what, yamlsrc.Clip(k.Value))
		}
		seen[k.Value] = true
		out = append(out, pair{k, v})
	}
	return out
}

func prefixed(key string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes,
		func(p string) bool { return strings.HasPrefix(key, p) && len(key) > len(p) })
}

// meant says which key was meant, or which there are.
func meant(key string, known, prefixes []string) string {
	if head, rest, ok := strings.Cut(key, "."); ok && len(prefixes) > 0 {
		if near := scene.Suggest(head+".", prefixes); near != "" {
			return fmt.Sprintf("; did you mean %q?", near+rest)
		}
	}
	if near := scene.Suggest(key, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	all := slices.Clone(known)
	for _, p := range prefixes {
		all = append(all, p+"NAME")
	}
	return "; there are " + strings.Join(all, ", ")
}

func (r *reader) sweep(n *yaml.Node) *Sweep {
	s := &Sweep{Timeout: DefaultTimeout}
	given := combination{values: map[string]string{}}
	var matrix *yaml.Node
	for _, p := range r.table(n, "a sweep", top, prefixes) {
		switch key := p.key.Value; key {
		case "name":
			s.Name = r.text(p.value, key)
		case "timeout":
			s.Timeout = r.duration(p.value, key)
		case "matrix":
			matrix = p.value
		case "pass":
			s.Pass = r.conditions(p.value)
		case "fail":
			s.Fail = r.conditions(p.value)
		case "report":
			s.Report = r.names(p.value, key)
		default:
			given.set(key, r.value(p.value, key))
		}
	}
	if r.Err != nil {
		return s
	}
	all := []combination{{}}
	if matrix != nil {
		all = r.matrix(matrix)
	}
	s.Keys = slices.Clone(given.keys)
	for i := range all {
		for _, key := range all[i].keys {
			if !slices.Contains(s.Keys, key) {
				s.Keys = append(s.Keys, key)
			}
		}
	}
	for i := range all {
		s.Runs = append(s.Runs, r.run(n, i, all[i].over(given)))
	}
	for _, key := range s.Keys {
		if slices.ContainsFunc(s.Runs, func(o Run) bool { return o.Value(key) != s.Runs[0].Value(key) }) {
			s.Differs = append(s.Differs, key)
		}
	}
	return s
}

// run makes a combination one that can be done.
func (r *reader) run(n *yaml.Node, index int, c combination) Run {
	run := Run{Index: index, World: c.values["world"], Scenario: c.values["scenario"], Values: c.values}
	if run.Scenario == "none" {
		run.Scenario = ""
	}
	run.Seed, _ = strconv.ParseUint(c.values["seed"], 10, 64)
	run.Step, _ = time.ParseDuration(c.values["step"])
	run.Duration, _ = time.ParseDuration(c.values["duration"])
	switch {
	case run.World == "":
		r.Fail(n, "run %d has no world; give one at the top or in the matrix", index)
	case run.Duration == 0:
		r.Fail(n, "run %d has no duration; give one at the top, like duration: 30s", index)
	case run.Scenario == "" && len(run.Vars()) > 0 && c.values["scenario"] == "":
		r.Fail(n, "run %d has variables and no scenario; scenario: FILE is missing, or none where it is meant",
			index)
	}
	return run
}

func (r *reader) text(n *yaml.Node, key string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || n.Tag == "!!null" {
		r.Fail(n, "%s is not given", key)
	}
	return n.Value
}

func (r *reader) duration(n *yaml.Node, key string) time.Duration {
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		r.Fail(n, "%s is %q; want a time with its unit, like 30s or 4ms", key, yamlsrc.Clip(n.Value))
	}
	return d
}

// names is one name or a list of them.
func (r *reader) names(n *yaml.Node, key string) (all []string) {
	for _, one := range several(n) {
		all = append(all, r.text(one, key))
	}
	return all
}

// several are the elements of a list, or what is none as the only one.
func several(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

func (r *reader) conditions(n *yaml.Node) (all []*scenario.Condition) {
	for _, one := range several(n) {
		c, err := scenario.ParseCondition(r.File, one)
		if err != nil && r.Err == nil {
			r.Err = fmt.Errorf("%w: %w", ErrFormat, err)
		}
		all = append(all, c)
	}
	return all
}

// value is one value of a key, as the results show it.
func (r *reader) value(n *yaml.Node, key string) string {
	switch {
	case isPose(key):
		if n.Kind != yaml.SequenceNode || len(n.Content) < 2 || len(n.Content) > 4 {
			r.Fail(n, "%s is no pose; want [x, y], [x, y, z] or [x, y, z, yaw]", key)
			return ""
		}
		words := make([]string, len(n.Content))
		for i, c := range n.Content {
			words[i] = r.number(c, key, map[bool]float64{true: 0,
				false: -far}[strings.HasPrefix(key, "jitter.")])
		}
		return strings.Join(words, " ")
	case strings.HasPrefix(key, "friction."):
		return r.number(n, key, 0)
	case key == "gravity":
		return r.number(n, key, -1000)
	case key == "step" || key == "duration":
		return r.duration(n, key).String()
	case key == "seed":
		if _, err := strconv.ParseUint(n.Value, 10, 64); err != nil || n.Kind != yaml.ScalarNode {
			r.Fail(n, "seed is %q; want a whole number from 0, or 1..20", yamlsrc.Clip(n.Value))
		}
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" && key == "scenario" {
		return "none"
	}
	return r.text(n, key)
}

// isPose reports that a value of a key is two to four numbers.
func isPose(key string) bool { return prefixed(key, []string{"pose.", "jitter."}) }

// number is a number in its shortest form.
func (r *reader) number(n *yaml.Node, key string, least float64) string {
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || f < least || f > far {
		r.Fail(n, "%s is %q; want a number from %g to %g", key, yamlsrc.Clip(n.Value), least, far)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
