package xacro

import (
	"errors"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/xacro/expr"
	"simdeck/sim/scene"
)

var (
	errNoValue    = errors.New("it has no default and the call does not give it")
	errNoProperty = errors.New("it forwards a property that is not there, and has no default")
)

// pythonWords cannot be names of properties.
const pythonWords = " and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield True False None "

func validName(s string) bool {
	for i, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r >= 0x80 || i > 0 && r >= '0' &&
			r <= '9') {
			return false
		}
	}
	return s != "" && !strings.HasPrefix(s, "__") && !strings.Contains(pythonWords, " "+s+" ")
}

// property keeps, or forgets, a property.
func (x *expander) property(n *xmltree.Node, in *scope) error {
	if err := x.attrs(n, []string{"name"}, "value", "default", "remove", "scope", "lazy_eval"); err != nil {
		return err
	}
	raw, _ := n.Attr("name")
	name, err := x.string(n, raw, in)
	if err != nil {
		return err
	}
	if !validName(name) {
		return x.fail(n, "%q is no name of a property; letters, digits and _ are", clip(name))
	}
	remove, err := x.flag(n, "remove", false, in)
	if err != nil {
		return err
	}
	lazy, err := x.flag(n, "lazy_eval", true, in)
	if err != nil {
		return err
	}
	text, hasValue := n.Attr("value")
	otherwise, hasDefault := n.Attr("default")
	switch {
	case hasValue && hasDefault || remove && (hasValue || hasDefault):
		return x.fail(n, "property %q: only one of value, default and remove", name)
	case remove:
		in.remove(name)
		return nil
	case hasDefault:
		if _, known := globals[name]; known || hasName(in, name) {
			return nil
		}
		text, hasValue = otherwise, true
	}
	if _, known := globals[name]; known {
		x.note(scene.Suspicious, n, "the property %q hides the name of the same spelling that expressions know",
			name)
	}
	return x.keep(n, name, text, hasValue, lazy, in)
}

// keep puts a property into the scope it names. One without a value keeps its children.
func (x *expander) keep(n *xmltree.Node, name, text string, hasValue, lazy bool, in *scope) error {
	target := in
	switch where := n.Get("scope"); where {
	case "global":
		target, lazy = in.top(), false
	case "parent":
		if in.parent == nil {
			x.note(scene.Suspicious, n, "property %q: there is no scope around the document", name)
			return nil
		}
		for target = in.parent; !in.space && target.space && target.parent != nil; {
			target = target.parent
		}
		lazy = false
	case "", "local":
	default:
		x.note(scene.Suspicious, n, "scope %q; global and parent are known", clip(where))
	}
	if !hasValue {
		target.names["**"+name] = &entry{value: block{n}}
		return nil
	}
	var v expr.Value = text
	if !lazy {
		var err error
		if v, err = x.text(text, in); err != nil {
			return x.fail(n, "property %q: %w", name, err)
		}
	}
	target.set(name, v, lazy)
	return nil
}

// flag is the truth of an attribute.
func (x *expander) flag(n *xmltree.Node, name string, otherwise bool, in *scope) (bool, error) {
	raw, ok := n.Attr(name)
	if !ok || raw == "" {
		return otherwise, nil
	}
	v, err := x.text(raw, in)
	if err != nil {
		return false, x.fail(n, "%s: %w", name, err)
	}
	out, err := truth(v)
	if err != nil {
		return false, x.fail(n, "%s: %w", name, err)
	}
	return out, nil
}
