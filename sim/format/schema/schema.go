// Package schema declares what readers make of every element and attribute of a format: understood, without
// effect here, or not run. A table is the one place that says so: readers take their notes from it, and the
// pages of the manual are written from it.
//
// A table is a text. A line without indentation is a type, a line with indentation an element inside:
//
//	link @name
//	  gravity
//	  enable_wind! =false
//	  pose:pose
//	  visual:visual @name
//
// "name:type" has the content of a type beside its own. A mark behind a name says what becomes of it: "~" has
// no effect here, "-" concerns another program's windows or editor only, "!" is not run; the content of them
// stays undeclared. "=" stands before the engine's own
// value, and "@" before an attribute. "*" alone allows any content.
package schema

import (
	"fmt"
	"strings"
	"sync"
)

// Use is a reader's treatment of an element or attribute.
type Use uint8

// Uses of an element or attribute.
const (
	Understood  Use = iota
	NoEffect        // it is legal and changes nothing here
	Unsupported     // it asks for what the engine does not do
	Cosmetic        // it concerns the windows, editor or bookkeeping of another program, and gets no note
)

// String is its name in tables of the manual.
func (u Use) String() string {
	return [...]string{"understood", "no effect", "not run", "no effect"}[u]
}

// Attribute is an attribute of an element, or a field of a node.
type Attribute struct {
	Name string
	Use  Use
	Idle []string // values that ask for what is done anyway
}

// Element is an element where it stands.
type Element struct {
	Attribute
	Type  string // its content; empty: its own alone
	Attrs []Attribute
	Kids  []*Element
	Open  bool // it may hold anything
}

// Table declares a format.
type Table struct {
	Types []*Element // in their order; the first is the document's
	// Refuses reports that the format's own programs refuse names that they do not know; others ignore them.
	Refuses bool
	named   map[string]*Element
}

// OnFirstUse returns a function that reads a table once, at its first call. A program that opens no file of a
// format does not pay for its table. A table is part of the program: one that cannot be read ends it.
func OnFirstUse(text string, refuses bool) func() *Table {
	return sync.OnceValue(func() *Table {
		t, err := Parse(text)
		if err != nil {
			panic(err)
		}
		t.Refuses = refuses
		return t
	})
}

// Parse reads a table.
func Parse(text string) (*Table, error) {
	t := &Table{named: map[string]*Element{}}
	var open []*Element
	line := 0
	for row := range strings.Lines(text) {
		line++
		words := strings.Fields(row)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		depth := (len(row) - len(strings.TrimLeft(row, " "))) / 2
		if depth > len(open) {
			return nil, fmt.Errorf("schema: line %d: %q is deeper than what it is in by more than one", line,
				words[0])
		}
		open = open[:depth]
		if words[0] == "*" {
			if depth == 0 {
				return nil, fmt.Errorf("schema: line %d: \"*\" must stand inside a type", line)
			}
			open[depth-1].Open = true
			continue
		}
		e, err := element(words)
		if err != nil {
			return nil, fmt.Errorf("schema: line %d: %w", line, err)
		}
		if depth == 0 {
			if t.named[e.Name] != nil {
				return nil, fmt.Errorf("schema: line %d: a second type %q", line, e.Name)
			}
			t.named[e.Name] = e
			t.Types = append(t.Types, e)
		} else {
			open[depth-1].Kids = append(open[depth-1].Kids, e)
		}
		open = append(open, e)
	}
	return t, t.complete()
}

// element reads a line: an element and its attributes.
func element(words []string) (*Element, error) {
	e := &Element{}
	name, use := marked(words[0])
	name, e.Type, _ = strings.Cut(name, ":")
	e.Attribute = Attribute{Name: name, Use: use}
	last := &e.Attribute
	for _, w := range words[1:] {
		switch {
		case strings.HasPrefix(w, "@"):
			name, use := marked(w[1:])
			e.Attrs = append(e.Attrs, Attribute{Name: name, Use: use})
			last = &e.Attrs[len(e.Attrs)-1]
		case strings.HasPrefix(w, "="):
			last.Idle = append(last.Idle, strings.ReplaceAll(w[1:], "_", " "))
		default:
			return nil, fmt.Errorf("%q is neither an attribute nor a value", w)
		}
	}
	return e, nil
}

// marked takes the mark off a name.
func marked(word string) (string, Use) {
	switch {
	case strings.HasSuffix(word, "!"):
		return word[:len(word)-1], Unsupported
	case strings.HasSuffix(word, "~"):
		return word[:len(word)-1], NoEffect
	case strings.HasSuffix(word, "-"):
		return word[:len(word)-1], Cosmetic
	}
	return word, Understood
}

// complete checks that the types which elements name are there.
func (t *Table) complete() error {
	var within func(e *Element) error
	within = func(e *Element) error {
		if e.Type != "" && t.named[e.Type] == nil {
			return fmt.Errorf("schema: <%s> has the content of %q, which is no type", e.Name, e.Type)
		}
		for _, k := range e.Kids {
			if err := within(k); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range t.Types {
		if err := within(e); err != nil {
			return err
		}
	}
	return t.acyclic()
}

// acyclic checks that no type has its own content, alone or by way of others: looking for an element in it
// would not end.
func (t *Table) acyclic() error {
	for _, e := range t.Types {
		path := e.Name
		for at, n := e, 0; at.Type != ""; n++ {
			at = t.named[at.Type]
			path += ":" + at.Name
			if at == e || n > len(t.Types) {
				return fmt.Errorf("schema: type %q has its own content: %s", e.Name, path)
			}
		}
	}
	return nil
}

// Type is a type by its name; nil: there is none.
func (t *Table) Type(name string) *Element { return t.named[name] }

// Kid is the element of that name inside e; nil: none is declared.
func (t *Table) Kid(e *Element, name string) *Element {
	for _, k := range e.Kids {
		if k.Name == name {
			return k
		}
	}
	if e.Type == "" {
		return nil
	}
	return t.Kid(t.named[e.Type], name)
}

// Attr is the attribute of that name of e; nil: none is declared.
func (t *Table) Attr(e *Element, name string) *Attribute {
	for i := range e.Attrs {
		if e.Attrs[i].Name == name {
			return &e.Attrs[i]
		}
	}
	if e.Type == "" {
		return nil
	}
	return t.Attr(t.named[e.Type], name)
}

// IsOpen reports that e may hold anything.
func (t *Table) IsOpen(e *Element) bool {
	return e.Open || e.Type != "" && t.IsOpen(t.named[e.Type])
}

// Attrs are the names of the attributes that e may have.
func (t *Table) Attrs(e *Element) []string { return t.names(e, true) }

// names are those of the elements or attributes that may stand in e.
func (t *Table) names(e *Element, attrs bool) (all []string) {
	for ; e != nil; e = t.named[e.Type] {
		for _, k := range e.Kids {
			if !attrs {
				all = append(all, k.Name)
			}
		}
		for _, a := range e.Attrs {
			if attrs {
				all = append(all, a.Name)
			}
		}
	}
	return all
}
