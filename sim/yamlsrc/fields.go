package yamlsrc

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/r3"
)

// Far bounds all numbers: 1e7 m is a quarter of the way around the earth.
const Far = 1e7

// Table is the keys of a map; one that is not among the known is an error.
func (r *Reader) Table(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	out := map[string]*yaml.Node{}
	if n == nil || n.Kind != yaml.MappingNode {
		r.Fail(n, "%s holds no keys; want %s", what, strings.Join(known, ", "))
		return out
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if !slices.Contains(known, k.Value) {
			r.Fail(k, "%q is unknown in %s; want %s", Clip(k.Value), what,
				strings.Join(known, ", "))
		}
		if out[k.Value] != nil {
			r.Fail(k, "%s has a second %q", what, Clip(k.Value))
		}
		out[k.Value] = n.Content[i+1]
	}
	return out
}

// Text is the text at a key; it is an error where it is needed and not there, or empty.
func (r *Reader) Text(at *yaml.Node, t map[string]*yaml.Node, key string, needed bool) string {
	n := t[key]
	if n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		if needed || n != nil {
			r.Fail(at, "%s is not given", key)
		}
		return ""
	}
	return n.Value
}

// Number is the number at a key, at least so much; 0 where it is not there and not needed.
func (r *Reader) Number(at *yaml.Node, t map[string]*yaml.Node, key string, least float64,
	needed bool) float64 {
	if t[key] == nil {
		if needed {
			r.Fail(at, "%s is not given", key)
		}
		return 0
	}
	return r.Float(t[key], key, least)
}

// Float is a finite number from a least one up to Far.
func (r *Reader) Float(n *yaml.Node, key string, least float64) float64 {
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || f < least || f > Far {
		r.Fail(n, "%s is %q; want a number from %g to %g", key, Clip(n.Value), least, Far)
		return 0
	}
	return f
}

// Place is two or three numbers.
func (r *Reader) Place(at *yaml.Node, t map[string]*yaml.Node, key string) r3.Vec {
	n := t[key]
	if n == nil || n.Kind != yaml.SequenceNode || len(n.Content) < 2 || len(n.Content) > 3 {
		if n == nil {
			n = at
		}
		r.Fail(n, "%s is no place; want [x, y] or [x, y, z]", key)
		return r3.Vec{}
	}
	var c [3]float64
	for i, k := range n.Content {
		c[i] = r.Float(k, key, -Far)
	}
	return r3.V(c[0], c[1], c[2])
}

// Flag is true or false at a key; false where it is not there.
func (r *Reader) Flag(t map[string]*yaml.Node, key string) bool {
	n := t[key]
	if n == nil {
		return false
	}
	if n.Kind != yaml.ScalarNode || n.Value != "true" && n.Value != "false" {
		r.Fail(n, "%s is %q; want true or false", key, Clip(n.Value))
	}
	return n.Value == "true"
}
