package webots

import (
	"fmt"
	"path"
	"strings"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// file is one text and what it calls its PROTOs.
type file struct {
	doc   *source.Doc
	text  *vrml.File
	known map[string]*definition // by name; nil: there is none, which was noted
	yUp   bool                   // shapes and devices are as before R2022a
	own   bool                   // it is built in
}

// instance is a PROTO in use: what IS means in its body.
type instance struct {
	proto *vrml.Proto
	file  *file // of the PROTO
	of    ref   // the node that gives the fields
	level int   // PROTOs around it
	id    int   // in the order in which instances are met
}

// ref is a node where it stands: in which file, and inside which instance of a PROTO.
type ref struct {
	n    *vrml.Node
	file *file
	in   *instance // nil: none
}

// field is the value of a field with what its own IS and nodes mean.
type field struct {
	name string
	*vrml.Value
	file *file
	in   *instance
}

func at(p vrml.Pos) *xmltree.Node {
	return &xmltree.Node{Name: "Webots", Pos: xmltree.Pos{Line: p.Line, Column: p.Column}}
}

func (rd *reader) note(kind scene.NoteKind, f *file, p vrml.Pos, format string, args ...any) {
	f.doc.Note(kind, at(p), format, args...)
}

// noteAt notes something of a node.
func (rd *reader) noteAt(kind scene.NoteKind, r ref, format string, args ...any) {
	for r.file.own && r.in != nil { // notes about a built-in are located where it is used
		r = r.in.of
	}
	rd.note(kind, r.file, r.n.Pos, format, args...)
}

// noteField notes something of a field of a node, or of the node where it does not give it.
func noteField(rd *reader, kind scene.NoteKind, r ref, name, format string, args ...any) {
	v, ok := rd.get(r, name)
	if !ok || v.file.own {
		rd.noteAt(kind, r, format, args...)
		return
	}
	rd.note(kind, v.file, v.Pos, format, args...)
}

// noteOnce is noteAt for what would be said of hundreds of nodes.
func (rd *reader) noteOnce(kind scene.NoteKind, r ref, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !rd.once[text] {
		rd.once[text] = true
		rd.noteAt(kind, r, "%s", text)
	}
}

// fail keeps the first error.
func (rd *reader) fail(f *file, p vrml.Pos, format string, args ...any) {
	if rd.err == nil {
		rd.err = f.doc.Errorf(at(p), format, args...)
	}
}

// get is a field's value; false when the node does not give it, or gives nothing.
func (rd *reader) get(r ref, name string) (field, bool) {
	f := r.n.Field(name)
	if f == nil {
		return field{}, false
	}
	v, ok := rd.is(field{name, &f.Value, r.file, r.in})
	return v, ok && !v.Null && (!v.Empty() || v.List)
}

// is follows IS to the value that it means. False: there is none, which is an error.
func (rd *reader) is(v field) (field, bool) {
	for v.Is != "" {
		if v.in == nil {
			rd.fail(v.file, v.Pos, "IS %s outside of a PROTO", clip(v.Is))
			return field{}, false
		}
		if given := v.in.of.n.Field(v.Is); given != nil {
			v = field{v.name, &given.Value, v.in.of.file, v.in.of.in}
			continue
		}
		d := v.in.proto.Default(v.Is)
		if d == nil {
			rd.fail(v.file, v.Pos, "PROTO %s has no field %q", clip(v.in.proto.Name), clip(v.Is))
			return field{}, false
		}
		v = field{v.name, &d.Value, v.in.file, nil}
	}
	return v, true
}

func (rd *reader) wrong(v field, meant string) {
	rd.fail(v.file, v.Pos, "field %q holds %s; want %s", v.name, v.Describe(), meant)
}

// nums is a field of exactly count numbers.
func (rd *reader) nums(r ref, name string, otherwise ...float64) []float64 {
	v, ok := rd.get(r, name)
	if !ok {
		return otherwise
	}
	if len(v.Numbers) != len(otherwise) {
		rd.wrong(v, fmt.Sprintf("%d numbers", len(otherwise)))
		return otherwise
	}
	return v.Numbers
}

func (rd *reader) num(r ref, name string, otherwise float64) float64 {
	return one(rd, r, name, "one number", func(v field) []float64 { return v.Numbers }, otherwise)
}

func (rd *reader) vec(r ref, name string, otherwise r3.Vec) r3.Vec {
	v := rd.nums(r, name, otherwise.X, otherwise.Y, otherwise.Z)
	return r3.V(v[0], v[1], v[2])
}

// many is a list of numbers.
func (rd *reader) many(r ref, name string) []float64 {
	v, ok := rd.get(r, name)
	if !ok {
		return nil
	}
	if len(v.Numbers) == 0 && !v.Empty() {
		rd.wrong(v, "a list of numbers")
	}
	return v.Numbers
}

func (rd *reader) text(r ref, name, otherwise string) string {
	return one(rd, r, name, "one string", func(v field) []string { return v.Strings }, otherwise)
}

// texts is a list of strings.
func texts(rd *reader, r ref, name string) []string {
	v, ok := rd.get(r, name)
	if !ok {
		return nil
	}
	if len(v.Strings) == 0 && !v.Empty() {
		rd.wrong(v, "a list of strings")
	}
	return v.Strings
}

func (rd *reader) flag(r ref, name string, otherwise bool) bool {
	return one(rd, r, name, "TRUE or FALSE", func(v field) []bool { return v.Bools }, otherwise)
}

// one is the only value of a field; otherwise when it is not given, or, noted, when it has none or several.
func one[T any](rd *reader, r ref, name, want string, values func(field) []T, otherwise T) T {
	v, ok := rd.get(r, name)
	if !ok {
		return otherwise
	}
	list := values(v)
	if len(list) != 1 {
		rd.wrong(v, want)
		return otherwise
	}
	return list[0]
}

// first is the first string of a list, and the field that gives it.
func (rd *reader) first(r ref, name string) (string, field) {
	v, ok := rd.get(r, name)
	if !ok || v.Empty() {
		return "", v
	}
	if len(v.Strings) == 0 {
		rd.wrong(v, "a list of strings")
		return "", v
	}
	return v.Strings[0], v
}

// turn is an axis and an angle.
func (rd *reader) turn(r ref, name string) r3.Quat {
	v := rd.nums(r, name, 0, 0, 1, 0)
	axis, ok := r3.V(v[0], v[1], v[2]).Unit()
	if !ok {
		if v[3] != 0 {
			f, _ := rd.get(r, name)
			rd.note(scene.Suspicious, f.file, f.Pos, "the axis of %q has no direction; nothing is turned",
				name)
		}
		return r3.Identity()
	}
	return r3.AxisAngle(axis, v[3])
}

// nodes are the nodes of a field; NULL among them is left out.
func (rd *reader) nodes(r ref, name string) []ref {
	v, ok := rd.get(r, name)
	if !ok || v.Empty() {
		return nil
	}
	if len(v.Nodes) == 0 {
		rd.wrong(v, "a node")
		return nil
	}
	out := make([]ref, 0, len(v.Nodes))
	for _, n := range v.Nodes {
		out = append(out, ref{n, v.file, v.in})
	}
	return out
}

// node is the opened node of a field that holds one; false when it holds none that is known.
func (rd *reader) node(r ref, name string) (ref, bool) {
	all := rd.nodes(r, name)
	if len(all) == 0 || rd.err != nil {
		return ref{}, false
	}
	return rd.open(all[0])
}

// clip cuts a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}

// stem is a file's name without folder and extension.
func stem(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.TrimSuffix(name, path.Ext(name))
}
