package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// table is a YAML file, or a JSON one, which is YAML.
type table struct {
	file string
	root *yaml.Node
}

func parse(file string, data []byte) (*table, error) {
	t := &table{file: file}
	if len(data) > maxYAML {
		return nil, t.fail(nil, "%d bytes; at most %d are read", len(data), maxYAML)
	}
	var doc yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, t.fail(nil, "the file is empty")
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, file, err)
	}
	if t.root = doc.Content[0]; t.root.Kind != yaml.MappingNode {
		return nil, t.fail(t.root, "the file holds no keys")
	}
	return t, nil
}

// Is reports that a text is the world.yaml of a bundle.
func Is(data []byte) bool {
	found := 0
	for _, key := range []string{"metadata:", "geometry:", "sensors:", "sim:"} {
		if bytes.HasPrefix(data, []byte(key)) || bytes.Contains(data, []byte("\n"+key)) {
			found++
		}
	}
	return found >= 2
}

// at is the position of a node, for messages.
func (t *table) at(n *yaml.Node) string {
	if n == nil {
		return t.file + ":1:1"
	}
	return fmt.Sprintf("%s:%d:%d", t.file, n.Line, n.Column)
}

func (t *table) fail(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", scene.ErrParse, t.at(n), fmt.Sprintf(format, args...))
}

func (b *bundle) note(t *table, n *yaml.Node, kind scene.NoteKind, format string, args ...any) {
	if len(b.spec.Notes) < 200 {
		note := scene.Note{Kind: kind, File: t.file, Line: 1, Column: 1, Text: fmt.Sprintf(format, args...)}
		if n != nil {
			note.Line, note.Column = n.Line, n.Column
		}
		b.spec.Notes = append(b.spec.Notes, note)
	}
}

// child is the value of a key; nil when there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// find follows keys.
func (t *table) find(keys ...string) *yaml.Node {
	n := t.root
	for _, k := range keys {
		n = child(n, k)
	}
	return n
}

func (t *table) text(key string) string {
	if n := t.find(key); n != nil {
		return n.Value
	}
	return ""
}

// leftover notes the keys that nothing has read.
func (t *table) leftover(b *bundle, known ...string) {
	for i := 0; i+1 < len(t.root.Content); i += 2 {
		if k := t.root.Content[i]; !slices.Contains(known, k.Value) {
			b.note(t, k, scene.Unsupported, "%q is not known", clip(k.Value))
		}
	}
}

// number reads a finite number within bounds; what is not given stays.
func (t *table) number(to *float64, least, most float64, keys ...string) error {
	return t.value(t.find(keys...), to, least, most, join(keys))
}

func (t *table) value(n *yaml.Node, to *float64, least, most float64, name string) error {
	if n == nil {
		return nil
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return t.fail(n, "%s is %q, not a finite number", name, clip(n.Value))
	}
	if f < least || f > most {
		return t.fail(n, "%s is %g; from %g to %g is possible", name, f, least, most)
	}
	*to = f
	return nil
}

// numbers reads exactly count numbers: a list, or keys with these names.
func (t *table) numbers(n *yaml.Node, names ...string) ([]float64, error) {
	out := make([]float64, len(names))
	if n.Kind == yaml.SequenceNode && len(n.Content) != len(names) {
		return nil, t.fail(n, "%d numbers, needs %d: %s", len(n.Content), len(names),
			strings.Join(names, ", "))
	}
	for i, name := range names {
		k := child(n, name)
		if n.Kind == yaml.SequenceNode {
			k = n.Content[i]
		}
		if k == nil {
			return nil, t.fail(n, "%s is not given", name)
		}
		if err := t.value(k, &out[i], -1e9, 1e9, name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (t *table) vec(n *yaml.Node) (r3.Vec, error) {
	f, err := t.numbers(n, "x", "y", "z")
	if err != nil {
		return r3.Vec{}, err
	}
	return r3.V(f[0], f[1], f[2]), nil
}

// pose reads a place and a direction from two keys below another; what is not given is zero. An all-zero
// quaternion counts as not given.
func (t *table) pose(key, place, turn string) (r3.Pose, error) {
	return t.poseIn(t.find(key), []string{place}, []string{turn})
}

func (t *table) poseIn(n *yaml.Node, places, turns []string) (r3.Pose, error) {
	p := r3.IdentityPose()
	for _, key := range places {
		if k := child(n, key); k != nil {
			v, err := t.vec(k)
			if err != nil {
				return p, err
			}
			p.Pos = v
		}
	}
	for _, key := range turns {
		k := child(n, key)
		if k == nil {
			continue
		}
		f, err := t.numbers(k, "x", "y", "z", "w")
		if err != nil {
			return p, err
		}
		q := r3.Quat{W: f[3], X: f[0], Y: f[1], Z: f[2]}
		if q == (r3.Quat{}) {
			continue
		}
		unit, ok := q.Unit()
		if !ok {
			return p, t.fail(k, "quaternion %v has no direction", f)
		}
		p.Rot = unit
	}
	return p, nil
}

// velocity is one number, forward, or three.
func (t *table) velocity(n *yaml.Node) (r3.Vec, error) {
	if n.Kind == yaml.ScalarNode {
		var v r3.Vec
		err := t.value(n, &v.X, -1000, 1000, "velocity")
		return v, err
	}
	return t.vec(n)
}

// extent is a size in metres: three numbers, or the corners min and max, or min_x to max_z.
func (t *table) extent(n *yaml.Node) (r3.Vec, error) {
	if child(n, "min_x") != nil {
		f, err := t.numbers(n, "min_x", "min_y", "min_z", "max_x", "max_y", "max_z")
		if err != nil {
			return r3.Vec{}, err
		}
		return r3.V(f[3]-f[0], f[4]-f[1], f[5]-f[2]), nil
	}
	lo, hi := child(n, "min"), child(n, "max")
	if lo == nil || hi == nil {
		return t.vec(n)
	}
	a, err := t.vec(lo)
	if err != nil {
		return a, err
	}
	b, err := t.vec(hi)
	return b.Sub(a), err
}

func join(keys []string) string { return strings.Join(keys, ".") }

func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// clean makes a name of a text.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-.", r) {
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), 100)]
}
