package keymap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// ErrInvalid is wrapped by every error of Parse and Override; its text has
// the file and line.
var ErrInvalid = errors.New("keymap")

// Parse reads a whole keymap. Every action appears once, with a comment.
// All that is wrong is reported at once, a line each.
func Parse(file string, data []byte) (*Map, error) {
	bindings, errs := read(file, data)
	m := &Map{bindings: bindings}
	for i, b := range bindings {
		if b.Comment == "" {
			errs = append(errs, fault(b, "action %s has no comment; say what it does", b.Action))
		}
		if j := m.index(b.Action); j < i {
			errs = append(errs, fault(b, "action %s is already at line %d", b.Action, bindings[j].Line))
		}
	}
	return m.finish(file, errs)
}

// Override is m with a user's keys in place of its own: an action named there has only those, none for an
// empty list.
func (m *Map) Override(file string, data []byte) (*Map, error) {
	bindings, errs := read(file, data)
	n := &Map{bindings: slices.Clone(m.bindings)}
	for i, b := range bindings {
		j := n.index(b.Action)
		switch {
		case j < 0:
			errs = append(errs, fault(b, "action %s is not known%s", b.Action, m.nearest(b.Action)))
		case n.bindings[j].Context != b.Context:
			errs = append(errs, fault(b, "action %s belongs under %s:, not %s:", b.Action,
				n.bindings[j].Context, b.Context))
		case slices.ContainsFunc(bindings[:i], func(o Binding) bool { return o.Action == b.Action }):
			errs = append(errs, fault(b, "action %s is given twice", b.Action))
		default:
			b.Comment = n.bindings[j].Comment
			n.bindings[j] = b
		}
	}
	return n.finish(file, errs)
}

// finish builds the index and reports keys that are taken twice: by the
// lines of file, which was read last.
func (m *Map) finish(file string, errs []error) (*Map, error) {
	m.byKey = map[Context]map[string]string{}
	for _, c := range Contexts() {
		m.byKey[c] = map[string]string{}
	}
	order := slices.Clone(m.bindings)
	slices.SortStableFunc(order, func(a, b Binding) int {
		switch mine := a.File == file; {
		case mine == (b.File == file):
			return 0
		case mine:
			return 1
		}
		return -1
	})
	for _, b := range order {
		for _, k := range b.Keys {
			if other := m.taken(b.Context, k); other != "" {
				o := m.bindings[m.index(other)]
				errs = append(errs, fault(b, "key %s of %s is already taken by %s (%s:%d)", k, b.Action,
					other, o.File, o.Line))
				continue
			}
			m.byKey[b.Context][k] = b.Action
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return m, nil
}

// taken is the action that has a key where context c would hear it.
func (m *Map) taken(c Context, key string) string {
	look := []Context{c}
	switch c {
	case Everywhere:
		look = append(look, InList, OnMap, OnCamera)
	case InList, OnMap, OnCamera:
		look = append(look, Everywhere)
	}
	for _, l := range look {
		if a := m.byKey[l][key]; a != "" {
			return a
		}
	}
	return ""
}

func fault(b Binding, format string, args ...any) error {
	return fmt.Errorf("%w %s:%d: %s", ErrInvalid, b.File, b.Line, fmt.Sprintf(format, args...))
}

// read takes a file apart without judging it as a whole.
func read(file string, data []byte) ([]Binding, []error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, []error{fmt.Errorf("%w %s: %w", ErrInvalid, file, err)}
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	at := func(n *yaml.Node) Binding { return Binding{File: file, Line: n.Line} }
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, []error{fault(at(root), "want sections %v, each with actions", Contexts())}
	}
	var out []Binding
	var errs []error
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, section := root.Content[i], root.Content[i+1]
		if !slices.Contains(Contexts(), Context(name.Value)) {
			errs = append(errs, fault(at(name), "section %q is not known; there are %v", name.Value,
				Contexts()))
			continue
		}
		if section.Kind != yaml.MappingNode {
			errs = append(errs, fault(at(section), "section %s wants lines like \"action.name: [key, key]\"",
				name.Value))
			continue
		}
		for j := 0; j+1 < len(section.Content); j += 2 {
			b, err := readBinding(at(section.Content[j]), section.Content[j], section.Content[j+1])
			b.Context = Context(name.Value)
			out = append(out, b)
			errs = append(errs, err...)
		}
	}
	return out, errs
}

func readBinding(b Binding, name, keys *yaml.Node) (Binding, []error) {
	b.Action = name.Value
	for _, c := range []string{keys.LineComment, name.LineComment, name.HeadComment} {
		if b.Comment == "" {
			b.Comment = strings.TrimSpace(strings.TrimLeft(c, "# "))
		}
	}
	if keys.Kind != yaml.SequenceNode {
		return b, []error{fault(b, "%s wants a list of keys like [n] or [up, k], not %q", b.Action,
			keys.Value)}
	}
	var errs []error
	for _, k := range keys.Content {
		if why := judge(k.Value); why != "" || k.Kind != yaml.ScalarNode {
			errs = append(errs, fault(b, "%q is not a key: %s", k.Value, why))
			continue
		}
		b.Keys = append(b.Keys, k.Value)
	}
	return b, errs
}

// judge says why a terminal cannot have a key of this name.
func judge(key string) string {
	rest := key
	for _, mod := range []string{"ctrl+", "alt+", "shift+"} { // the order in which they are reported
		rest = strings.TrimPrefix(rest, mod)
	}
	named := []string{"space", "enter", "esc", "tab", "backspace", "delete", "insert", "up", "down", "left",
		"right", "home", "end", "pgup", "pgdown"}
	for i := 1; i <= 20; i++ {
		named = append(named, fmt.Sprintf("f%d", i))
	}
	switch {
	case slices.Contains(named, rest):
		return ""
	case utf8.RuneCountInString(rest) != 1 || rest == " ":
		return "want one letter or sign, or one of " + strings.Join(named[:15], " ") +
			" f1…f20, after ctrl+ alt+ shift+ in this order"
	case strings.Contains(key, "shift+") && rest == key[len("shift+"):]:
		return "write the letter that shift makes, like G"
	}
	return ""
}
