package sdf

import (
	"path"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// paramsTag is the element of an <include> that changes what it includes.
const paramsTag = "experimental:params"

// tailor changes a model by the <experimental:params> of its <include> ("SDFormat proposal: parameter
// passing"). Elements are found by the names of those around them, and added, modified, replaced or removed.
// The model is read from a copy, of which only what changes and what is around it is new. Impossible changes
// are noted and left out.
type tailor struct {
	doc   *source.Doc // of the include
	fresh map[*xmltree.Node]bool
}

// tailored is the model of an included file as the include wants it.
func tailored(d *source.Doc, include, model *xmltree.Node) (*xmltree.Node, error) {
	if include.Child(paramsTag) == nil {
		return model, nil
	}
	t := &tailor{d, map[*xmltree.Node]bool{}}
	top := &xmltree.Node{Kids: []*xmltree.Node{model}}
	for _, params := range include.All(paramsTag) {
		for _, p := range params.Kids {
			if err := t.apply(top, p); err != nil {
				return nil, err
			}
		}
	}
	return top.Kids[0], nil
}

// own is a child as one that may be changed.
func (t *tailor) own(parent *xmltree.Node, i int) (*xmltree.Node, error) {
	k := parent.Kids[i]
	if t.fresh[k] {
		return k, nil
	}
	if err := t.doc.Take(k, 1+len(k.Kids)/8); err != nil {
		return nil, err
	}
	c := *k
	c.Kids, c.Attrs = slices.Clone(k.Kids), slices.Clone(k.Attrs)
	parent.Kids[i], t.fresh[&c] = &c, true
	return &c, nil
}

func (t *tailor) leave(p *xmltree.Node, format string, args ...any) {
	t.doc.Note(scene.Suspicious, p, "<%s> of %s: "+format+"; left out",
		append([]any{p.Name, paramsTag}, args...)...)
}

// apply does what one parameter says.
func (t *tailor) apply(top *xmltree.Node, p *xmltree.Node) error {
	id, ok := p.Attr("element_id")
	if !ok || len(id) > maxName {
		t.leave(p, "it has no element_id that says what it changes")
		return nil
	}
	parent, at := top, 0 // the model itself
	if id != "" {
		parts := strings.Split(id, "::")
		for i, part := range parts {
			around, err := t.own(parent, at)
			if err != nil {
				return err
			}
			last := i == len(parts)-1
			next := slices.IndexFunc(around.Kids, func(k *xmltree.Node) bool {
				return called(k) == part && (!last || p.Get("action") == "add" || k.Name == p.Name ||
					k.Name == "include" && p.Name == "model")
			})
			if next < 0 {
				t.leave(p, "%q has no %q", around.Get("name"), part)
				return nil
			}
			if around.Kids[next].Name == "include" && (!last || p.Get("action") == "add") {
				return t.passParameter(around, next, p, strings.Join(parts[i+1:], "::"))
			}
			parent, at = around, next
		}
	}
	switch action := p.Get("action"); {
	case parent == top && (action == "replace" || action == "remove" && len(p.Kids) == 0):
		t.leave(p, "the whole model cannot go")
		return nil
	case action != "":
		return t.change(parent, at, p)
	}
	into, err := t.own(parent, at)
	if err != nil {
		return err
	}
	for _, k := range p.Kids {
		if k.Get("action") == "add" {
			t.add(into, k)
			continue
		}
		i := like(into, k)
		if i < 0 {
			t.leave(k, "%q has none%s", into.Get("name"), named(k))
			continue
		}
		if err := t.change(into, i, k); err != nil {
			return err
		}
	}
	return nil
}

// called is the name of an element, as those who look for it say it.
func called(k *xmltree.Node) string {
	if k.Name != "include" {
		return k.Get("name")
	}
	if name := k.ValueOf("name"); name != "" {
		return name
	}
	return path.Base(k.ValueOf("uri"))
}

func named(k *xmltree.Node) string {
	if name := k.Get("name"); name != "" {
		return " called " + name
	}
	return ""
}

// passParameter gives a parameter to an include in the model, which knows what is in it.
func (t *tailor) passParameter(parent *xmltree.Node, i int, p *xmltree.Node, id string) error {
	include, err := t.own(parent, i)
	if err != nil {
		return err
	}
	c := t.copied(p)
	c.Attrs = append(c.Attrs, xmltree.Attr{Name: "element_id", Value: id},
		xmltree.Attr{Name: "action", Value: p.Get("action")})
	include.Kids = append(include.Kids,
		&xmltree.Node{Name: paramsTag, Pos: p.Pos, From: c.From, Kids: []*xmltree.Node{c}})
	return nil
}

// copied is an element of the include as one of the model's file.
func (t *tailor) copied(p *xmltree.Node) *xmltree.Node {
	c := *p
	c.Attrs = slices.DeleteFunc(slices.Clone(p.Attrs),
		func(a xmltree.Attr) bool { return a.Name == "element_id" || a.Name == "action" })
	if c.From == nil {
		c.From = &xmltree.Origin{File: t.doc.Name}
	}
	return &c
}

func (t *tailor) add(into, p *xmltree.Node) {
	switch {
	case byName[p.Name] && p.Get("name") == "":
		t.leave(p, "it has no name")
	case p.Name != "plugin" && like(into, p) >= 0:
		t.leave(p, "%q has one%s", into.Get("name"), named(p))
	default:
		into.Kids = append(into.Kids, t.copied(p))
	}
}

// change does with a child what p asks.
func (t *tailor) change(parent *xmltree.Node, i int, p *xmltree.Node) error {
	switch action := p.Get("action"); action {
	case "add":
		into, err := t.own(parent, i)
		if err == nil {
			t.add(into, p)
		}
		return err
	case "remove":
		if len(p.Kids) == 0 {
			parent.Kids = slices.Delete(parent.Kids, i, i+1)
			return nil
		}
		from, err := t.own(parent, i)
		if err != nil {
			return err
		}
		for _, k := range p.Kids {
			if i := like(from, k); i >= 0 {
				from.Kids = slices.Delete(from.Kids, i, i+1)
			} else {
				t.leave(k, "<%s> has none", from.Name)
			}
		}
	case "replace":
		c := t.copied(p)
		if name := parent.Kids[i].Get("name"); c.Get("name") == "" && name != "" {
			c.Attrs = append(c.Attrs, xmltree.Attr{Name: "name", Value: name})
		}
		parent.Kids[i] = c
	case "modify":
		return t.modify(parent, i, p)
	default:
		t.leave(p, "action %q; add, modify, remove and replace are known", action)
	}
	return nil
}

// modify takes attributes and values over; an element without a value has its default again.
func (t *tailor) modify(parent *xmltree.Node, i int, p *xmltree.Node) error {
	to, err := t.own(parent, i)
	if err != nil {
		return err
	}
	for _, a := range t.copied(p).Attrs {
		to.Attrs = append(slices.DeleteFunc(to.Attrs, func(b xmltree.Attr) bool { return b.Name == a.Name }),
			a)
	}
	if p.Value() != "" || len(p.Kids) == 0 && len(to.Kids) == 0 {
		to.Text = p.Text
	}
	for _, k := range p.Kids {
		i := like(to, k)
		switch {
		case i < 0:
			t.leave(k, "<%s> has none%s", to.Name, named(k))
		case len(k.Attrs) == 0 && len(k.Kids) == 0 && k.Value() == "":
			to.Kids = slices.Delete(to.Kids, i, i+1)
		default:
			if err := t.modify(to, i, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// byName are the elements of which there may be many, each with its name.
var byName = map[string]bool{"link": true, "joint": true, "model": true, "frame": true, "visual": true,
	"collision": true,
	"sensor":    true, "light": true, "plugin": true}

// like is the child that an element means; -1: none. One without a name means the first.
func like(parent, k *xmltree.Node) int {
	name := k.Get("name")
	return slices.IndexFunc(parent.Kids, func(o *xmltree.Node) bool {
		return o.Name == k.Name && (!byName[k.Name] || name == "" || o.Get("name") == name)
	})
}
