package xacro

import (
	"errors"
	"slices"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// include expands the files that <xacro:include> names, in place.
func (x *expander) include(n, out *xmltree.Node, e env) error {
	if err := x.attrs(n, []string{"filename"}, "ns", "optional"); err != nil {
		return err
	}
	raw, _ := n.Attr("filename")
	uri, err := x.string(n, raw, e.scope)
	if err != nil {
		return err
	}
	inner := e
	if ns, ok := n.Attr("ns"); ok && ns != "" {
		if ns, err = x.string(n, ns, e.scope); err != nil {
			return err
		}
		inner.scope = &scope{parent: e.scope, names: map[string]*entry{}, space: true}
		inner.macros = newMacros(nil)
		e.scope.names[ns] = &entry{value: member{x, inner.scope}}
		e.macros.spaces[ns] = inner.macros
	}
	optional, err := x.flag(n, "optional", false, e.scope)
	if err != nil {
		return err
	}
	uris := []string{uri}
	if strings.ContainsAny(uri, "*[?") {
		if uris, err = x.files.Match(uri, x.here().ref); err != nil {
			return x.fail(n, "%w", err)
		}
		if len(uris) == 0 {
			x.note(scene.Missing, n, "no file is called %s", clip(uri))
		}
	}
	for _, uri := range uris {
		if err := x.read(n, uri, optional, out, inner); err != nil {
			return err
		}
	}
	return nil
}

// read expands one file.
func (x *expander) read(n *xmltree.Node, uri string, optional bool, out *xmltree.Node, e env) error {
	f, err := x.files.Read(uri, x.here().ref)
	if err != nil {
		if optional && errors.Is(err, asset.ErrNotFound) {
			return nil
		}
		return x.fail(n, "include: %w", err)
	}
	if x.includes++; x.includes > maxIncludes {
		return x.fail(n, "more than %d includes", maxIncludes)
	}
	if len(x.stack) >= maxInside {
		return x.fail(n, "includes inside includes deeper than %d", maxInside)
	}
	tree, err := xmltree.Parse(f.Data, xmltree.Limits{Bytes: 8 << 20, Elements: maxElements, Depth: maxLevel})
	var syntax *xmltree.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return x.fail(&xmltree.Node{Pos: syntax.Pos, From: &xmltree.Origin{File: f.Name}}, "%s", syntax.Text)
	case err != nil:
		return x.fail(n, "include: %s: %w", f.Name, err)
	}
	stamp(tree.Root, &xmltree.Origin{File: f.Name})
	for _, w := range tree.Warnings {
		x.note(scene.Suspicious, &xmltree.Node{Pos: w.Pos, From: tree.Root.From}, "%s", w.Text)
	}
	x.stack = append(x.stack, place{f.Ref, f.Name})
	err = x.inside(tree.Root, out, e)
	x.stack = x.stack[:len(x.stack)-1]
	if err == nil {
		lift(tree.Root, e.owner)
	}
	return err
}

// stamp writes the file into every element of its tree.
func stamp(root *xmltree.Node, from *xmltree.Origin) {
	stack := []*xmltree.Node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = slices.Delete(stack, len(stack)-1, len(stack))
		n.From = from
		stack = append(stack, n.Kids...)
	}
}
