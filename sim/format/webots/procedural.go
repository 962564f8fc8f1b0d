package webots

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"strings"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/format/webots/template"
	"simdeck/sim/scene"
)

// procedural has the results of the templates of a document.
type procedural struct {
	budget *template.Budget
	bodies map[[32]byte]*vrml.File // by template and what it saw; nil: it failed, which was noted
	ids    map[instanceKey]int
	size   int // of all texts that were made, in bytes
	read   []generated
}

// instanceKey tells instances of PROTOs apart: the node, and the instance that it is in.
type instanceKey struct {
	n  *vrml.Node
	in int
}

// generated are nodes that the template of a file made.
type generated struct {
	file  *file
	nodes []*vrml.Node
}

// maxMade bounds what all templates of a document make, in bytes.
const maxMade = 64 << 20

func newProcedural(interrupted func() error) procedural {
	return procedural{budget: template.NewBudget(interrupted), bodies: map[[32]byte]*vrml.File{},
		ids: map[instanceKey]int{}}
}

// id is the number of an instance, in the order in which they are met.
func (p *procedural) id(r ref) int {
	key := instanceKey{n: r.n}
	if r.in != nil {
		key.in = r.in.id
	}
	if p.ids[key] == 0 {
		p.ids[key] = len(p.ids) + 1
	}
	return p.ids[key]
}

// expansion is an instance of a PROTO whose body is asked for.
type expansion struct {
	rd *reader
	d  *definition
	in *instance
}

// body is the list of nodes of the PROTO. False: its template cannot be evaluated, which is noted, or, where
// nothing else is asked for, an error.
func (e expansion) body() ([]*vrml.Node, bool) {
	rd, t := e.rd, e.d.proto.Template
	if t == nil {
		return e.d.proto.Body, true
	}
	input, ok := e.input()
	if !ok {
		return nil, false
	}
	key := keyOf(t, input)
	made, known := rd.made.bodies[key]
	if !known {
		made = e.evaluate(input)
		rd.made.bodies[key] = made
	}
	if made == nil {
		return nil, false
	}
	return made.Nodes, rd.err == nil
}

// evaluate makes the body of a PROTO; nil: it cannot.
func (e expansion) evaluate(input template.Input) *vrml.File {
	rd, d, in := e.rd, e.d, e.in
	result, err := template.Run(d.proto.Template, input, rd.made.budget)
	var wrong *template.Error
	var syntax *vrml.SyntaxError
	var body *vrml.File
	if err == nil {
		rd.made.size += len(result.Text)
		body, err = vrml.ParseBody(result.Text, result.Place)
	}
	at, why, kind := d.proto.Template.Pos, "", scene.Unreadable
	switch {
	case err == nil && rd.made.size > maxMade:
		why = fmt.Sprintf("the templates of this document make more than %d bytes of text", maxMade)
	case err == nil:
	case errors.As(err, &wrong):
		at, why = wrong.Pos, wrong.Text
		switch {
		case errors.Is(wrong.Err, template.ErrLua):
			kind = scene.Unsupported
		case wrong.Err != nil && !errors.Is(wrong.Err, template.ErrLimit):
			rd.err = wrong.Err // reading is interrupted
			return nil
		}
	case errors.As(err, &syntax):
		at, why = syntax.Pos, "what the template makes is wrong: "+syntax.Text
	default:
		why = err.Error()
	}
	if why != "" {
		if rd.main == d.file && in.level == 1 && len(rd.main.text.Nodes) == 0 {
			rd.fail(d.file, at, "%s", why)
			return nil
		}
		rd.note(kind, d.file, at, "PROTO %s: %s", clip(d.proto.Name), why)
		return nil
	}
	for _, said := range result.Said {
		rd.noteAt(scene.Suspicious, in.of, "the template of PROTO %s says: %q", clip(d.proto.Name), said)
	}
	for _, w := range body.Warnings {
		rd.note(scene.Suspicious, d.file, w.Pos, "%s", w.Text)
	}
	d.file.text.Protos = append(d.file.text.Protos, body.Protos...)
	d.file.text.Externs = append(d.file.text.Externs, body.Externs...)
	rd.made.read = append(rd.made.read, generated{d.file, body.Nodes})
	return body
}

// input is the fields and the context of the instance, for its template. False: a field has a wrong value, an
// error.
func (e expansion) input() (template.Input, bool) {
	rd, d, in := e.rd, e.d, e.in
	v := values{rd: rd, left: maxNodes}
	fields := &template.Object{}
	for i := range d.proto.Fields {
		f := &d.proto.Fields[i]
		standard := v.of(f.Kind, field{f.Name, &f.Value, d.file, nil})
		value := standard
		if given := in.of.n.Field(f.Name); given != nil {
			if g, ok := rd.is(field{f.Name, &given.Value, in.of.file, in.of.in}); ok {
				value = v.of(f.Kind, g)
			}
		}
		fields.Set(f.Name, new(template.Object).Set("value", value).Set("defaultValue", standard))
	}
	return template.Input{Fields: fields, Context: e.context()}, rd.err == nil
}

// context tells a template where it stands. Paths begin at the search folder, so that what is made depends
// neither on the machine nor on where the folder lies.
func (e expansion) context() *template.Object {
	rd, d, in := e.rd, e.d, e.in
	within := func(f *file) string { return "/" + f.doc.Ref.Path }
	system := "ENU"
	if rd.axes.up {
		system = "NUE"
	}
	c := new(template.Object).Set("world", within(rd.main)).Set("proto", within(d.file)).
		Set("project_path", path.Dir(path.Dir(within(rd.main)))).
		Set("webots_version", new(template.Object).Set("major", d.file.text.Header.Version).
			Set("revision", "0")).
		Set("webots_home", "").Set("temporary_files_path", "").Set("os", "linux").
		Set("coordinate_system", system)
	if strings.Contains(d.proto.Template.Text, "context") {
		c.Set("id", float64(in.id))
	}
	return c
}

// keyOf is the same for a template that sees the same.
func keyOf(t *vrml.Template, in template.Input) [32]byte {
	h := sha256.New()
	fmt.Fprintf(h, "%p", t)
	var write func(v any)
	write = func(v any) {
		switch v := v.(type) {
		case *template.Object:
			fmt.Fprintf(h, "{%d", len(v.Names))
			for i, name := range v.Names {
				fmt.Fprintf(h, "%q", name)
				write(v.Values[i])
			}
		case []any:
			fmt.Fprintf(h, "[%d", len(v))
			for _, item := range v {
				write(item)
			}
		case string:
			fmt.Fprintf(h, "%q", v)
		default:
			fmt.Fprintf(h, "%v,", v)
		}
	}
	write(in.Fields)
	write(in.Context)
	return [32]byte(h.Sum(nil))
}

// maxNodes bounds nodes in the fields that a template sees, each USE counted.
const maxNodes = 20_000

// values makes values of templates.
type values struct {
	rd   *reader
	left int
}

// parts are the names of the parts of a value of a kind.
var parts = map[string]string{"Vec2f": "xy", "Vec3f": "xyz", "Rotation": "xyza", "Color": "rgb"}

// of is the value of a field of an interface: "SFVec3f" and the like.
func (v *values) of(kind string, f field) any {
	list := strings.HasPrefix(kind, "MF")
	all := v.all(strings.TrimPrefix(strings.TrimPrefix(kind, "SF"), "MF"), f)
	switch {
	case v.rd.err != nil:
		return nil
	case list:
		return all
	case len(all) == 0 && strings.HasSuffix(kind, "Node"):
		return nil
	case len(all) != 1:
		v.rd.wrong(f, "a value of "+clip(kind))
		return nil
	}
	return all[0]
}

// all are the values of a field, of a kind without SF or MF.
func (v *values) all(kind string, f field) []any {
	out := []any{}
	switch kind {
	case "Bool":
		for _, b := range f.Bools {
			out = append(out, b)
		}
	case "String":
		for _, s := range f.Strings {
			out = append(out, s)
		}
	case "Node":
		for _, n := range f.Nodes {
			out = append(out, v.node(ref{n, f.file, f.in}))
		}
	case "Int32", "Float", "Time":
		for _, x := range f.Numbers {
			out = append(out, x)
		}
	default:
		names := parts[kind]
		if names == "" || len(f.Numbers)%len(names) != 0 {
			v.rd.wrong(f, "values of type "+clip(kind))
			return nil
		}
		for x := f.Numbers; len(x) > 0; x = x[len(names):] {
			o := &template.Object{}
			for i := range names {
				o.Set(names[i:i+1], x[i])
			}
			out = append(out, o)
		}
	}
	return out
}

// node is a node as a template sees it: its name and the fields that it gives; a PROTO's has all of them.
func (v *values) node(r ref) any {
	if v.left--; v.left < 0 {
		v.rd.fail(r.file, r.n.Pos, "a template sees more than %d nodes in its fields", maxNodes)
		return nil
	}
	fields := &template.Object{}
	var d *definition
	if _, base := baseNodes[r.n.Type]; !base || r.file.known[r.n.Type] != nil {
		d = v.rd.define(r.file, r.n)
	}
	if d != nil && d.built == nil {
		for i := range d.proto.Fields {
			f := &d.proto.Fields[i]
			if r.n.Field(f.Name) == nil && len(f.Value.Nodes) == 0 {
				standard := v.of(f.Kind, field{f.Name, &f.Value, d.file, nil})
				fields.Set(f.Name, new(template.Object).Set("value", standard).Set("defaultValue", standard))
			}
		}
	}
	for i := range r.n.Fields {
		f := &r.n.Fields[i]
		g, ok := v.rd.is(field{f.Name, &f.Value, r.file, r.in})
		if !ok {
			continue
		}
		kind := guess(g)
		if d != nil && d.proto.Default(f.Name) != nil && d.built == nil {
			kind = d.proto.Default(f.Name).Kind
		}
		value := v.of(kind, g)
		fields.Set(f.Name, new(template.Object).Set("value", value).Set("defaultValue", value))
	}
	return new(template.Object).Set("node_name", r.n.Type).Set("fields", fields)
}

// guess is the type of a field of a base node, by its name and what it holds.
func guess(f field) string {
	single, several := "SF", len(f.Strings)+len(f.Bools)+len(f.Nodes) > 1
	if f.List || several {
		single = "MF"
	}
	colour := strings.HasSuffix(strings.ToLower(f.name), "color")
	switch n := len(f.Numbers); {
	case len(f.Strings) > 0:
		return single + "String"
	case len(f.Bools) > 0:
		return single + "Bool"
	case len(f.Nodes) > 0 || n == 0:
		return single + "Node"
	case f.List && f.name == "point" && n%3 == 0:
		return "MFVec3f"
	case f.List && colour && n%3 == 0:
		return "MFColor"
	case f.List:
		return "MFFloat"
	case n == 2:
		return "SFVec2f"
	case n == 3 && colour:
		return "SFColor"
	case n == 3:
		return "SFVec3f"
	case n == 4:
		return "SFRotation"
	case n == 1:
		return "SFFloat"
	}
	return "MFFloat"
}
