package xacro

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/format/xacro/expr"
)

// scope holds properties: those of the document, of a namespace, or of a macro while it is expanded.
type scope struct {
	parent *scope
	names  map[string]*entry
	space  bool // it is a namespace
}

// entry is a property. One that is lazy holds its text until somebody asks for its value.
type entry struct {
	value expr.Value
	lazy  bool
	busy  bool // its value is being made
}

// block is a piece of a document that is kept under a name with one or two stars in front.
type block struct{ node *xmltree.Node }

// find looks for a name here and outwards.
func (s *scope) find(name string) (*entry, *scope) {
	for ; s != nil; s = s.parent {
		if e := s.names[name]; e != nil {
			return e, s
		}
	}
	return nil, nil
}

// all are the names of all properties that can be asked for.
func (s *scope) all() []string {
	var out []string
	for ; s != nil; s = s.parent {
		out = append(out, slices.Sorted(maps.Keys(s.names))...)
	}
	return out
}

// top is the outermost scope.
func (s *scope) top() *scope {
	for s.parent != nil {
		s = s.parent
	}
	return s
}

// set keeps a value; a text that looks like a number or a truth becomes one.
func (s *scope) set(name string, v expr.Value, lazy bool) {
	v = literal(v)
	_, isText := v.(string)
	s.names[name] = &entry{value: v, lazy: lazy && isText}
}

// remove forgets a name here and in all scopes outwards.
func (s *scope) remove(name string) {
	for ; s != nil; s = s.parent {
		delete(s.names, name)
	}
}

// value is the present value of a property.
func (x *expander) value(s *scope, name string) (expr.Value, error) {
	e, at := s.find(name)
	if e == nil {
		if v, ok := globals[name]; ok {
			return v, nil
		}
		if name == "xacro" {
			return x.module(), nil
		}
		return nil, fmt.Errorf("name %q %w%s", clip(name), expr.ErrName, source.Near(name, s.all()))
	}
	if !e.lazy {
		return e.value, nil
	}
	if e.busy {
		return nil, fmt.Errorf("the property %q is made from itself; lazy_eval=\"false\" takes its value as it was",
			clip(name))
	}
	if x.nested++; x.nested > maxNested {
		return nil, fmt.Errorf("properties made from properties deeper than %d", maxNested)
	}
	e.busy = true
	v, err := x.text(e.value.(string), at)
	x.nested--
	e.busy = false
	if err != nil {
		return nil, fmt.Errorf("property %q: %w", clip(name), err)
	}
	e.value, e.lazy = literal(v), false
	return e.value, nil
}

// member is a scope as expressions see it.
type member struct {
	x *expander
	s *scope
}

// Attr is the property behind a dot.
func (m member) Attr(name string) (expr.Value, error) { return m.x.value(m.s, name) }

// literal makes a number or a truth of a text that is one; quotes around a text come off and keep it a text.
func literal(v expr.Value) expr.Value {
	s, ok := v.(string)
	if !ok {
		return v
	}
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || strings.ContainsAny(trimmed, "_xXpP") {
		return s
	}
	if i, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
		return i
	}
	if f, err := strconv.ParseFloat(trimmed, 64); err == nil {
		return f
	}
	switch s {
	case "true", "True":
		return true
	case "false", "False":
		return false
	}
	return s
}

// truth is the value of a condition.
func truth(v expr.Value) (bool, error) {
	s, ok := v.(string)
	if !ok {
		return expr.Truth(v), nil
	}
	switch s {
	case "true", "True":
		return true, nil
	case "false", "False":
		return false, nil
	}
	i, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false nor a whole number", clip(s))
	}
	return i != 0, nil
}
