package xacro

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/xacro/expr"
	"simdeck/sim/scene"
)

// env is the environment in which an element is expanded.
type env struct {
	scope  *scope
	macros *macros
	owner  *xmltree.Node // the element of the result that attributes are set on
}

// pollEach is after how many elements it is asked whether reading is to end.
const pollEach = 256

// element expands one element; what it becomes is put behind the children of out.
func (x *expander) element(n, out *xmltree.Node, e env) error {
	if x.elements++; x.elements > maxElements {
		return x.fail(n, "more than %d elements once it is expanded", maxElements)
	}
	if x.interrupted != nil && x.elements%pollEach == 0 {
		if err := x.interrupted(); err != nil {
			return x.fail(n, "%w", err)
		}
	}
	if x.nested++; x.nested > maxNested {
		return x.fail(n, "expanded deeper than %d", maxNested)
	}
	defer func(at *xmltree.Node) { x.nested--; x.at = at }(x.at)
	x.at = n
	name, isMacro := strings.CutPrefix(n.Name, "xacro:")
	if !isMacro {
		return x.plain(n, out, e)
	}
	switch name {
	case "insert_block":
		return x.insert(n, out, e)
	case "include":
		return x.include(n, out, e)
	case "property":
		return x.property(n, e.scope)
	case "macro":
		return x.define(n, e.macros)
	case "arg":
		return x.declare(n, e.scope)
	case "element":
		return x.renamed(n, out, e)
	case "attribute":
		return x.attribute(n, e)
	case "if", "unless":
		return x.condition(n, name == "if", out, e)
	case "call":
		return x.dynamic(n, out, e)
	}
	return x.call(n, name, out, e)
}

// plain copies an element with its attributes and text evaluated and its children expanded.
func (x *expander) plain(n, out *xmltree.Node, e env) error {
	if x.level++; x.level > maxLevel {
		return x.fail(n, "elements nested deeper than %d", maxLevel)
	}
	defer func() { x.level-- }()
	k := &xmltree.Node{Name: n.Name, Pos: n.Pos, From: x.origin(n)}
	for _, a := range n.Attrs {
		if strings.HasPrefix(a.Name, "xacro:") || a.Name == "xmlns:xacro" {
			continue
		}
		v, err := x.string(n, a.Value, e.scope)
		if err != nil {
			return err
		}
		k.Attrs = append(k.Attrs, xmltree.Attr{Name: a.Name, Value: v})
	}
	out.Kids = append(out.Kids, k)
	e.owner = k
	return x.inside(n, k, e)
}

// inside expands the text and the children of n into out.
func (x *expander) inside(n, out *xmltree.Node, e env) error {
	if n.Text != "" {
		s, err := x.string(n, n.Text, e.scope)
		if err != nil {
			return err
		}
		if out.Text != "" {
			if err := x.budget.Spend(len(out.Text)); err != nil {
				return x.fail(n, "%w", err)
			}
		}
		out.Text += s
	}
	for _, k := range n.Kids {
		if err := x.element(k, out, e); err != nil {
			return err
		}
	}
	return nil
}

// string evaluates a text of n and makes a string of it. Files that $(find) was put in front of are not
// file:// ones.
func (x *expander) string(n *xmltree.Node, s string, in *scope) (string, error) {
	if !strings.Contains(s, "$") {
		return s, nil
	}
	v, err := x.text(s, in)
	if err != nil {
		return "", x.fail(n, "%w", err)
	}
	return strings.ReplaceAll(expr.Str(v), "file://package://", "package://"), nil
}

// attrs reads the attributes that an element of xacro must have, then those it may have. Others are noted.
func (x *expander) attrs(n *xmltree.Node, needed []string, known ...string) error {
	for _, name := range needed {
		if _, ok := n.Attr(name); !ok {
			return x.fail(n, "<%s> needs the attribute %s", n.Name, name)
		}
	}
	for _, a := range n.Attrs {
		found := strings.HasPrefix(a.Name, "xmlns:")
		for _, name := range append(known, needed...) {
			found = found || a.Name == name
		}
		if !found {
			x.note(scene.Suspicious, n, "<%s> has no attribute %s", n.Name, clip(a.Name))
		}
	}
	return nil
}

// insert puts a block where <xacro:insert_block> stands.
func (x *expander) insert(n, out *xmltree.Node, e env) error {
	if err := x.attrs(n, []string{"name"}); err != nil {
		return err
	}
	name := n.Get("name")
	for _, stars := range []string{"**", "*"} {
		found, _ := e.scope.find(stars + name)
		if found == nil {
			continue
		}
		b, ok := found.value.(block)
		if !ok {
			break
		}
		if stars == "*" {
			return x.plain(b.node, out, e)
		}
		return x.inside(b.node, out, e)
	}
	return x.fail(n, "there is no block %q", clip(name))
}

// renamed expands <xacro:element xacro:name="…">.
func (x *expander) renamed(n, out *xmltree.Node, e env) error {
	if err := x.attrs(n, []string{"xacro:name"}, attrNames(n)...); err != nil {
		return err
	}
	text, _ := n.Attr("xacro:name")
	name, err := x.string(n, text, e.scope)
	if err != nil {
		return err
	}
	if !validTag(name) || name == "xacro:element" {
		return x.fail(n, "%q is no name of an element", clip(name))
	}
	c := *n
	c.Name, c.Attrs = name, nil
	for _, a := range n.Attrs {
		if a.Name != "xacro:name" {
			c.Attrs = append(c.Attrs, a)
		}
	}
	return x.element(&c, out, e)
}

func attrNames(n *xmltree.Node) []string {
	var names []string
	for _, a := range n.Attrs {
		names = append(names, a.Name)
	}
	return names
}

// attribute sets an attribute on the element around <xacro:attribute>.
func (x *expander) attribute(n *xmltree.Node, e env) error {
	if err := x.attrs(n, []string{"name", "value"}); err != nil {
		return err
	}
	var text [2]string
	for i, which := range []string{"name", "value"} {
		raw, _ := n.Attr(which)
		var err error
		if text[i], err = x.string(n, raw, e.scope); err != nil {
			return err
		}
	}
	if !validTag(text[0]) {
		return x.fail(n, "%q is no name of an attribute", clip(text[0]))
	}
	setAttr(e.owner, text[0], text[1])
	return nil
}

func setAttr(n *xmltree.Node, name, value string) {
	for i := range n.Attrs {
		if n.Attrs[i].Name == name {
			n.Attrs[i].Value = value
			return
		}
	}
	n.Attrs = append(n.Attrs, xmltree.Attr{Name: name, Value: value})
}

// validTag reports that a text can be the name of an element or attribute.
func validTag(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == ':' || r >= 0x80
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '-' || r == '.')) {
			return false
		}
	}
	return s != "" && len(s) <= 256
}

// condition expands what stands in <xacro:if> or <xacro:unless>, or leaves it out.
func (x *expander) condition(n *xmltree.Node, keep bool, out *xmltree.Node, e env) error {
	if err := x.attrs(n, []string{"value"}); err != nil {
		return err
	}
	raw, _ := n.Attr("value")
	v, err := x.text(raw, e.scope)
	if err != nil {
		return x.fail(n, "%w", err)
	}
	holds, err := truth(v)
	if err != nil {
		return x.fail(n, "the condition %q: %w", clip(raw), err)
	}
	if holds != keep {
		return nil
	}
	return x.inside(n, out, e)
}

// declare takes the default of an argument that was not given.
func (x *expander) declare(n *xmltree.Node, in *scope) error {
	if err := x.attrs(n, []string{"name"}, "default"); err != nil {
		return err
	}
	name := n.Get("name")
	delete(x.given, name)
	if _, known := x.args[name]; known {
		return nil
	}
	raw, ok := n.Attr("default")
	if !ok {
		return x.fail(n, "the argument %q has no default and was not given; write %s:=… behind the file",
			clip(name), clip(name))
	}
	v, err := x.string(n, raw, in)
	if err != nil {
		return err
	}
	x.args[name] = v
	return nil
}
