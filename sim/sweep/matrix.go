package sweep

import (
	"maps"
	"simdeck/sim/yamlsrc"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// combination is the values of a run by their keys, in the order of the file.
type combination struct {
	keys   []string
	values map[string]string
}

func (c *combination) set(key, value string) {
	if _, ok := c.values[key]; !ok {
		c.keys = append(c.keys, key)
	}
	c.values[key] = value
}

func (c combination) clone() combination {
	return combination{slices.Clone(c.keys), maps.Clone(c.values)}
}

// has reports that it has all values of another.
func (c combination) has(all combination) bool {
	for key, value := range all.values {
		if got, ok := c.values[key]; !ok || got != value {
			return false
		}
	}
	return true
}

// over is a combination with what it does not say taken from another.
func (c combination) over(under combination) combination {
	out := under.clone()
	for _, key := range c.keys {
		out.set(key, c.values[key])
	}
	return out
}

// axis is a key with all values that it takes.
type axis struct {
	key    string
	values []string
}

// matrix is all combinations in the order of the file, the last key changing first, without those that
// exclude names and with those of include.
func (r *reader) matrix(n *yaml.Node) []combination {
	var axes []axis
	var include, exclude []*yaml.Node
	for _, p := range r.table(n, "a matrix", append(slices.Clone(fixed), "include", "exclude"), prefixes) {
		switch p.key.Value {
		case "include":
			include = r.list(p.value, "include")
		case "exclude":
			exclude = r.list(p.value, "exclude")
		default:
			axes = append(axes, r.axis(p))
		}
	}
	if r.Err != nil || !r.fits(n, axes, len(include)) {
		return nil
	}
	all := product(axes)
	for _, e := range exclude {
		out := r.combination(e, "exclude")
		before := len(all)
		all = slices.DeleteFunc(all, func(c combination) bool { return c.has(out) })
		if r.Err == nil && len(all) == before {
			r.Fail(e, "exclude: no run has all of this")
		}
	}
	return r.included(n, all, include)
}

// fits reports that there are not too many runs.
func (r *reader) fits(n *yaml.Node, axes []axis, more int) bool {
	runs := 1
	for _, a := range axes {
		if runs *= len(a.values); runs > maxRuns {
			break
		}
	}
	if runs+more > maxRuns || len(axes) > maxKeys {
		r.Fail(n, "the matrix has more than %d runs or %d keys", maxRuns, maxKeys)
		return false
	}
	return true
}

// product is every value with every other; without axes there is none.
func product(axes []axis) []combination {
	if len(axes) == 0 {
		return nil
	}
	all := []combination{{values: map[string]string{}}}
	for _, a := range axes {
		var next []combination
		for _, c := range all {
			for _, v := range a.values {
				one := c.clone()
				one.set(a.key, v)
				next = append(next, one)
			}
		}
		all = next
	}
	return all
}

// included adds include as GitHub Actions does. An entry extends every combination in which it changes no
// value of the matrix; where it fits none, it is a combination of its own.
func (r *reader) included(n *yaml.Node, all []combination, include []*yaml.Node) []combination {
	original := make([]combination, len(all))
	for i := range all {
		original[i] = all[i].clone()
	}
	for _, e := range include {
		in := r.combination(e, "include")
		fits := false
		for i := range original {
			if !original[i].agrees(in) {
				continue
			}
			fits = true
			for _, key := range in.keys {
				all[i].set(key, in.values[key])
			}
		}
		if !fits {
			all = append(all, in)
		}
	}
	if r.Err == nil && len(all) == 0 {
		r.Fail(n, "the matrix has no run")
	}
	return all
}

// agrees reports that another would change none of its values.
func (c combination) agrees(in combination) bool {
	for key, value := range in.values {
		if got, ok := c.values[key]; ok && got != value {
			return false
		}
	}
	return true
}

// combination is a map of single values.
func (r *reader) combination(n *yaml.Node, what string) combination {
	c := combination{values: map[string]string{}}
	for _, p := range r.table(n, what, fixed, prefixes) {
		c.set(p.key.Value, r.value(p.value, p.key.Value))
	}
	if r.Err == nil && len(c.keys) == 0 {
		r.Fail(n, "%s has a run without a value", what)
	}
	return c
}

func (r *reader) list(n *yaml.Node, what string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		r.Fail(n, "%s is no list of runs; want - {world: bench, seed: 1}", what)
		return nil
	}
	return n.Content
}

// axis is the values of a key: a list of them, one, or of seeds a range.
func (r *reader) axis(p pair) axis {
	a := axis{key: p.key.Value}
	nodes := several(p.value)
	if isPose(a.key) && len(nodes) > 0 && nodes[0].Kind != yaml.SequenceNode {
		nodes = []*yaml.Node{p.value}
	}
	seen := map[string]bool{}
	for _, n := range nodes {
		for _, v := range r.spread(n, a.key) {
			if seen[v] {
				r.Fail(n, "%s has %q twice", a.key, yamlsrc.Clip(v))
			}
			seen[v] = true
			a.values = append(a.values, v)
		}
	}
	if r.Err == nil && len(a.values) == 0 {
		r.Fail(p.value, "%s has no value", a.key)
	}
	return a
}

// spread is the values that one element of an axis stands for.
func (r *reader) spread(n *yaml.Node, key string) []string {
	from, to, ok := strings.Cut(n.Value, "..")
	if key != "seed" || !ok {
		return []string{r.value(n, key)}
	}
	first, err := strconv.ParseUint(from, 10, 64)
	last, err2 := strconv.ParseUint(to, 10, 64)
	if err != nil || err2 != nil || last < first || last-first >= maxRuns {
		r.Fail(n, "seed is %q; want a range of at most %d like 1..20", yamlsrc.Clip(n.Value), maxRuns)
		return nil
	}
	var all []string
	for i := range last - first + 1 {
		all = append(all, strconv.FormatUint(first+i, 10))
	}
	return all
}
