package xacro

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/format/xacro/expr"
)

// macros holds the macros of a document, of a namespace, or of a macro while it is expanded.
type macros struct {
	parent *macros
	known  map[string]*macro
	spaces map[string]*macros
}

func newMacros(parent *macros) *macros {
	return &macros{parent, map[string]*macro{}, map[string]*macros{}}
}

func (m *macros) find(name string) *macro {
	for ; m != nil; m = m.parent {
		if found := m.known[name]; found != nil {
			return found
		}
	}
	return nil
}

// names are those of all macros that can be called, in order.
func (m *macros) names() []string {
	var out []string
	for ; m != nil; m = m.parent {
		out = append(out, slices.Sorted(maps.Keys(m.known))...)
	}
	return out
}

func (m *macros) space(name string) *macros {
	for ; m != nil; m = m.parent {
		if found := m.spaces[name]; found != nil {
			return found
		}
	}
	return nil
}

// macro is a definition.
type macro struct {
	name   string
	body   *xmltree.Node
	params []param
}

// param is a parameter of a macro. Names of blocks start with one or two stars.
type param struct {
	name       string
	otherwise  string // the default, as written
	hasDefault bool
	forward    bool // the property of the same name around the call counts more than the default
}

// withDefault is a parameter with a default: name:=value or name=value, with ^ or ^| in front of the value.
var withDefault = regexp.MustCompile(`^\s*([^\s:=]+?)\s*:?=\s*(\^\|?)?(\$\{.*?\}|\$\(.*?\)|(?:'.*?'|".*?"|[^\s'"]+)+|)(?:\s+|$)(.*)`)

// parameters reads the attribute params of a macro.
func parameters(text string) []param {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	var out []param
	for strings.TrimSpace(text) != "" {
		if m := withDefault.FindStringSubmatch(text); m != nil {
			out = append(out, param{m[1], m[3], m[3] != "", m[2] != ""})
			text = m[4]
			continue
		}
		word := strings.Fields(text)[0]
		out = append(out, param{name: word})
		text = strings.TrimLeft(text, " \t")[len(word):]
	}
	return out
}

// define keeps a macro.
func (x *expander) define(n *xmltree.Node, in *macros) error {
	if err := x.attrs(n, []string{"name"}, "params"); err != nil {
		return err
	}
	name := strings.TrimPrefix(n.Get("name"), "xacro:")
	switch {
	case name == "" || name == "call":
		return x.fail(n, "a macro cannot be called %q", name)
	case strings.Contains(name, "."):
		return x.fail(n, "the name %q of a macro has a dot; dots stand for namespaces", clip(name))
	}
	params, _ := n.Attr("params")
	if len(params) > 1<<16 {
		return x.fail(n, "parameters of %d bytes", len(params))
	}
	in.known[name] = &macro{name, n, parameters(params)}
	return nil
}

// dynamic expands <xacro:call macro="…">.
func (x *expander) dynamic(n, out *xmltree.Node, e env) error {
	raw, ok := n.Attr("macro")
	if !ok {
		return x.fail(n, "<xacro:call> needs the attribute macro")
	}
	name, err := x.string(n, raw, e.scope)
	if err != nil {
		return err
	}
	c := *n
	c.Attrs = slices.DeleteFunc(slices.Clone(n.Attrs), func(a xmltree.Attr) bool { return a.Name == "macro" })
	return x.call(&c, name, out, e)
}

// resolve finds a macro by its name, behind namespaces with dots, with the properties and macros that it
// sees.
func (e env) resolve(full string) (*macro, env) {
	if m := e.macros.find(full); m != nil {
		return m, e
	}
	parts := strings.Split(full, ".")
	if len(parts) > 20 {
		return nil, e
	}
	for _, ns := range parts[:len(parts)-1] {
		found, _ := e.scope.find(ns)
		space := e.macros.space(ns)
		if found == nil || space == nil {
			return nil, e
		}
		inner, ok := found.value.(member)
		if !ok {
			return nil, e
		}
		e.scope, e.macros = inner.s, space
	}
	return e.macros.find(parts[len(parts)-1]), e
}

// call expands a macro where it is called.
func (x *expander) call(n *xmltree.Node, name string, out *xmltree.Node, e env) error {
	m, around := e.resolve(name)
	if m == nil {
		return x.fail(n, "there is no macro %q%s", clip(name), source.Near(name, e.macros.names()))
	}
	if len(x.calls) >= maxCalls {
		return x.fail(n, "macros inside macros deeper than %d", maxCalls)
	}
	inner := env{&scope{parent: around.scope, names: map[string]*entry{}}, newMacros(around.macros), e.owner}
	if err := x.bind(n, m, inner.scope, e); err != nil {
		return err
	}
	x.calls = append(x.calls, &call{m.name, x.placed(n), map[string]*xmltree.Origin{}})
	err := x.inside(m.body, out, inner)
	x.calls = x.calls[:len(x.calls)-1]
	if err == nil {
		lift(m.body, e.owner)
	}
	return err
}

// lift puts the namespaces that an element declares on another one.
func lift(from, to *xmltree.Node) {
	for _, a := range from.Attrs {
		if strings.HasPrefix(a.Name, "xmlns:") && a.Name != "xmlns:xacro" {
			if _, known := to.Attr(a.Name); !known {
				setAttr(to, a.Name, a.Value)
			}
		}
	}
}

// bind gives the parameters of a macro their values: attributes of the call, its children as blocks,
// defaults.
func (x *expander) bind(n *xmltree.Node, m *macro, into *scope, e env) error {
	left := slices.Clone(m.params)
	for _, a := range n.Attrs {
		at := slices.IndexFunc(left, func(p param) bool { return p.name == a.Name })
		if at < 0 {
			return x.fail(n, "the macro %s has no parameter %q; it has %s", m.name, clip(a.Name), m.list())
		}
		v, err := x.text(a.Value, e.scope)
		if err != nil {
			return x.fail(n, "%s: %w", a.Name, err)
		}
		into.set(a.Name, v, false)
		left = slices.Delete(left, at, at+1)
	}
	left, err := x.blocks(n, m, left, into, e)
	if err != nil {
		return err
	}
	for _, p := range left {
		v, err := x.standard(p, e.scope)
		if err != nil {
			return x.fail(n, "parameter %q of macro %s: %w", clip(p.name), m.name, err)
		}
		into.set(p.name, v, false)
	}
	return nil
}

// blocks takes the children of a call for the parameters with stars, in order.
func (x *expander) blocks(n *xmltree.Node, m *macro, left []param, into *scope, e env) ([]param, error) {
	holder := &xmltree.Node{Name: n.Name, Pos: n.Pos}
	for _, k := range n.Kids {
		if err := x.element(k, holder, env{e.scope, e.macros, holder}); err != nil {
			return nil, err
		}
	}
	var rest []param
	kids := holder.Kids
	for _, p := range left {
		if p.name[0] != '*' {
			rest = append(rest, p)
			continue
		}
		if len(kids) == 0 {
			return nil, x.fail(n, "the macro %s needs a block for %q", m.name, clip(p.name))
		}
		into.names[p.name] = &entry{value: block{kids[0]}}
		kids = kids[1:]
	}
	if len(kids) > 0 {
		return nil, x.fail(n, "the macro %s has no parameter for the block <%s>; it has %s", m.name,
			clip(kids[0].Name), m.list())
	}
	return rest, nil
}

// standard is the value of a parameter that the call does not give.
func (x *expander) standard(p param, around *scope) (expr.Value, error) {
	if p.forward {
		if _, known := globals[p.name]; known || hasName(around, p.name) {
			return x.value(around, p.name)
		}
	}
	if !p.hasDefault {
		if p.forward {
			return nil, errNoProperty
		}
		return nil, errNoValue
	}
	return x.text(p.otherwise, around)
}

func hasName(s *scope, name string) bool {
	e, _ := s.find(name)
	return e != nil
}

// list names the parameters for a message.
func (m *macro) list() string {
	var names []string
	for _, p := range m.params {
		names = append(names, p.name)
	}
	if len(names) == 0 {
		return "none"
	}
	return clip(strings.Join(names, ", "))
}
