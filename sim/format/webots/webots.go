// Package webots reads what Webots users have: worlds (.wbt) and models (.proto) into scene descriptions.
// Package vrml below knows the syntax; here nodes, PROTOs and fields get meaning: Solids, joints, motors,
// devices, bounding objects, physics and looks.
//
// Frames: worlds saved by R2022a and later have z up and their shapes and devices stand along x forward, y
// left, z up. Before, shapes and devices had y up, and so had most worlds; WorldInfo.coordinateSystem and
// gravity say which. Everything is turned to z up; a robot of a world with y up, whose front is −z, gets x
// forward (axes.go).
//
// PROTOs that nearly every world uses are built in, for search folders without them (builtin*.go). They have
// the fields of Webots' own and were written here from scratch. Others are left out with a note. Bodies of
// PROTOs that are templates are made by package template.
package webots

import (
	"errors"
	"fmt"

	"simdeck/sim/asset"
	"simdeck/sim/asset/vrml"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Files is the file access of a document.
type Files interface {
	source.Files
	// Text reads the file that the document at from names, and says how messages call it and where it lies.
	Text(uri string, from asset.Ref) (name string, ref asset.Ref, data []byte, err error)
	// WantBeside is told of a path that the document at from names and that is not there.
	WantBeside(rel string, from asset.Ref)
}

// Is reports whether a text is one of Webots: its first line says so.
func Is(data []byte) bool {
	text := string(data[:min(len(data), 16)])
	if len(text) >= 3 && text[:3] == "\ufeff" {
		text = text[3:]
	}
	return len(text) >= 5 && text[:5] == "#VRML"
}

// reader of one document with the PROTOs that it uses.
type reader struct {
	files    Files
	main     *file
	err      error // the first; once it is set, everything that is read is worthless
	visits   int   // nodes still to be looked at, each USE of one counted
	parts    int   // shapes so far
	axes     axes
	contacts []contact
	damping  scene.Drag // of what has none of its own
	spec     *scene.WorldSpec
	names    source.Names
	once     map[string]bool // notes that are made once
	opened   map[asset.Ref]*file
	read     []*file // all, in the order in which they were
	made     procedural
	named    []fluidName
	tree     tree
}

// maxVisits bounds what USE and PROTO may make of a short text.
const maxVisits = 500_000

// newestKnown is the newest release whose nodes are known here.
const newestKnown = 20251 // R2025b

func open(name string, ref asset.Ref, data []byte, files Files) (*reader, error) {
	rd := &reader{files: files, visits: maxVisits, names: source.Names{}, once: map[string]bool{},
		opened: map[asset.Ref]*file{}, tree: newTree()}
	tree := &xmltree.Document{Root: &xmltree.Node{Name: "Webots", Pos: xmltree.Pos{Line: 1, Column: 1}}}
	f, err := rd.parse(source.Open(name, ref, tree, files), data)
	if err != nil {
		return nil, err
	}
	rd.main = f
	rd.opened[ref] = f
	rd.made = newProcedural(f.doc.Budget.Interrupted)
	return rd, nil
}

// parse reads the text of a file, whose warnings become notes.
func (rd *reader) parse(d *source.Doc, data []byte) (*file, error) {
	text, err := vrml.Parse(data)
	var syntax *vrml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%w: %s:%v: %s", scene.ErrParse, d.Name, syntax.Pos, syntax.Text)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", scene.ErrParse, d.Name, err)
	}
	for _, w := range text.Warnings {
		d.Note(scene.Suspicious, at(w.Pos), "%s", w.Text)
	}
	f := &file{doc: d, text: text, known: map[string]*definition{}}
	rd.read = append(rd.read, f)
	return f, nil
}

// World reads a world. Errors wrap scene.ErrParse.
func World(name string, ref asset.Ref, data []byte, files Files) (*scene.WorldSpec, error) {
	rd, err := open(name, ref, data, files)
	if err != nil {
		return nil, err
	}
	if len(rd.main.text.Nodes) == 0 && len(rd.main.text.Protos) > 0 {
		return nil, fmt.Errorf("%w: %s:1:1: this is a PROTO, a model; a world is needed", scene.ErrParse,
			name)
	}
	rd.spec = &scene.WorldSpec{Name: stem(name), Gravity: r3.V(0, 0, -standardGravity), StepSize: usualStep}
	rd.readHeader()
	rd.readWorld()
	rd.dusk()
	if rd.err != nil {
		return nil, rd.err
	}
	supervised := rd.supervised()
	if supervised {
		rd.permitDeletion()
	}
	checkFluidNames(rd)
	rd.remarks()
	if supervised {
		if rd.spec.File.Tree = rd.sceneTree(); rd.err != nil {
			return nil, rd.err
		}
	}
	rd.spec.Notes = *rd.main.doc.Notes
	return rd.spec, nil
}

// readHeader notes versions that mean more or less than what is known here.
func (rd *reader) readHeader() {
	h, top := &rd.main.text.Header, vrml.Pos{Line: 1, Column: 1}
	switch {
	case !h.Written:
		rd.fail(rd.main, top, "the file does not begin with #VRML_SIM and a version; a world of Webots does")
	case h.Release == 0:
		rd.note(scene.Inferred, rd.main, top,
			"version %s is older than R2018a; y is up unless gravity says otherwise", clip(h.Version))
	case h.Release > newestKnown:
		rd.note(scene.Suspicious, rd.main, top, "version %s is newer than R2025b, the newest known here",
			clip(h.Version))
	}
	if len(rd.main.text.Nodes) == 0 {
		rd.note(scene.Suspicious, rd.main, top, "the world holds no node")
	}
	rd.declare(rd.main)
}

// Model reads the PROTO in a file as a model, all its fields at their defaults. Errors wrap scene.ErrParse.
func Model(name string, ref asset.Ref, data []byte, files Files) (*scene.ModelSpec, error) {
	rd, err := open(name, ref, data, files)
	if err != nil {
		return nil, err
	}
	text, top := rd.main.text, vrml.Pos{Line: 1, Column: 1}
	if len(text.Protos) == 0 {
		if len(text.Nodes) > 0 {
			return nil, fmt.Errorf("%w: %s:%v: this is a world; a model is needed", scene.ErrParse, name,
				text.Nodes[0].Pos)
		}
		return nil, fmt.Errorf("%w: %s:1:1: the file holds no PROTO", scene.ErrParse, name)
	}
	p := text.Protos[len(text.Protos)-1] // those before it are for its own use
	if !text.Header.Written {
		rd.note(scene.Suspicious, rd.main, top,
			"the file does not begin with #VRML_SIM and a version; assuming one before R2022a, with y up")
	}
	rd.declare(rd.main)
	rd.main.yUp = text.Header.Release < flu
	rd.axes = axes{up: rd.main.yUp, world: r3.Identity()}
	if rd.axes.up {
		rd.axes.world = northUpEast
	}
	rd.spec = &scene.WorldSpec{}
	instance := ref2(p, rd.main)
	rd.place(instance, worldFrame)
	if rd.err != nil {
		return nil, rd.err
	}
	if len(rd.spec.Models) == 0 {
		return nil, fmt.Errorf("%w: %s:%v: PROTO %s holds nothing that can stand in a world", scene.ErrParse,
			name, p.Pos, clip(p.Name))
	}
	m := rd.spec.Models[0].Model
	rd.remarks()
	if m.Tree = rd.modelTree(instance); rd.err != nil {
		return nil, rd.err
	}
	m.Name, m.Placement = p.Name, rd.spec.Models[0].Pose
	m.Notes = *rd.main.doc.Notes
	return m, nil
}

// ref2 is a PROTO as a node that gives none of its fields.
func ref2(p *vrml.Proto, f *file) ref {
	f.known[p.Name] = &definition{proto: p, file: f}
	return ref{n: &vrml.Node{Type: p.Name, Pos: p.Pos}, file: f}
}
