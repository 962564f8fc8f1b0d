package webots

import (
	_ "embed"
	"strconv"
	"strings"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/format/schema"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

//go:embed elements.txt
var elementsText string

// Elements declares what the reader makes of every node of Webots R2025 and of its fields, as attributes.
// Types with a small first letter are the common fields of nodes.
var Elements = schema.OnFirstUse(elementsText, false)

// remarks notes elements of the file and its PROTOs that are unsupported, without effect or unknown, where
// the reader has not noted them.
func (rd *reader) remarks() {
	seen := map[*vrml.Node]bool{}
	for _, f := range rd.read {
		if f.own {
			continue
		}
		todo := append([]*vrml.Node{}, f.text.Nodes...)
		for _, p := range f.text.Protos {
			todo = append(todo, p.Body...)
		}
		for _, g := range rd.made.read {
			if g.file == f {
				todo = append(todo, g.nodes...)
			}
		}
		for len(todo) > 0 && len(seen) < maxVisits {
			n := todo[0]
			todo = todo[1:]
			if seen[n] {
				continue
			}
			seen[n] = true
			if !rd.remark(f, n) {
				continue
			}
			for i := range n.Fields {
				todo = append(todo, n.Fields[i].Value.Nodes...)
			}
		}
	}
}

// remark notes what is to be said of a node; false: its content is not looked at.
func (rd *reader) remark(f *file, n *vrml.Node) bool {
	e := Elements().Type(n.Type)
	if _, base := baseNodes[n.Type]; !base || e == nil || f.known[n.Type] != nil {
		return true // a PROTO, whose fields may hold nodes
	}
	switch {
	case e.Use == schema.Cosmetic:
		return false
	case e.Use == schema.NoEffect:
		rd.say(f, n.Pos, n.Type, scene.Ignored, "%s has no effect here", n.Type)
		return false
	case e.Use == schema.Unsupported:
		rd.say(f, n.Pos, n.Type, scene.Unsupported, "%s is not run", n.Type)
		return true // its shapes are
	}
	for i := range n.Fields {
		rd.remarkField(f, n, e, &n.Fields[i])
	}
	return true
}

// remarkField notes what is to be said of a field of a node.
func (rd *reader) remarkField(f *file, n *vrml.Node, e *schema.Element, v *vrml.Field) {
	a := Elements().Attr(e, v.Name)
	switch {
	case a == nil && Elements().IsOpen(e),
		a == nil && strings.Contains(v.Name, "_"): // translation_5: of a hidden part
	case a == nil:
		near := source.Near(v.Name, Elements().Attrs(e))
		rd.say(f, v.Pos, v.Name, source.UnknownKind(near), "field %q of %s is not known%s", clip(v.Name), n.Type, near)
	case a.Use == schema.Understood, a.Use == schema.Cosmetic, a.Asks(written(&v.Value)):
	case a.Use == schema.NoEffect:
		rd.say(f, v.Pos, v.Name, scene.Ignored, "field %q of %s has no effect here", v.Name, n.Type)
	default:
		rd.say(f, v.Pos, v.Name, scene.Unsupported, "field %q of %s is not run", v.Name, n.Type)
	}
}

// say makes a note, unless there is one at that place that names the same.
func (rd *reader) say(f *file, p vrml.Pos, name string, kind scene.NoteKind, format string, args ...any) {
	if !f.doc.Noted(at(p), name) {
		rd.note(kind, f, p, format, args...)
	}
}

// written is a value as a table writes it.
func written(v *vrml.Value) string {
	var words []string
	for _, x := range v.Numbers {
		words = append(words, strconv.FormatFloat(x, 'g', -1, 64))
	}
	for _, b := range v.Bools {
		words = append(words, strings.ToUpper(strconv.FormatBool(b)))
	}
	switch {
	case v.Null:
		return "NULL"
	case v.Empty() && v.List:
		return "[]"
	}
	return strings.Join(append(words, v.Strings...), " ")
}
