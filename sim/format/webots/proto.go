package webots

import (
	"errors"
	"fmt"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/vrml"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// definition is a PROTO and the file that its body is written in.
type definition struct {
	proto *vrml.Proto
	file  *file
	built *builtin // made here; nil: read from a file
}

// maxLevel bounds PROTOs inside PROTOs.
const maxLevel = 32

// nearby are the folders next to a file in which PROTOs are looked for.
var nearby = []string{"../protos/", "protos/", ""}

// declared is the release since which a file lists its PROTOs: R2022b.
const declared = 20221

// open finds the base node that a node is: itself, or what its PROTO makes of it. False when there is none,
// which is noted, or an error was met.
func (rd *reader) open(r ref) (ref, bool) {
	for rd.err == nil {
		if rd.visits--; rd.visits < 0 {
			rd.fail(r.file, r.n.Pos, "more than %d nodes, each USE and each use of a PROTO counted",
				maxVisits)
			break
		}
		if _, base := baseNodes[r.n.Type]; base && r.file.known[r.n.Type] == nil {
			return r, true
		}
		level := 0
		if r.in != nil {
			level = r.in.level
		}
		if level >= maxLevel {
			rd.fail(r.file, r.n.Pos, "PROTO %s contains itself, or PROTOs are nested deeper than %d",
				clip(r.n.Type), maxLevel)
			break
		}
		d := rd.define(r.file, r.n)
		if d == nil {
			rd.noteAt(scene.Missing, r, "%s%s is left out: its PROTO cannot be had%s", clip(r.n.Type),
				rd.called(r), source.NearKey(r.n.Type, baseNodes))
			break
		}
		inside, ok := rd.enter(r, d, level+1)
		if !ok {
			if rd.err == nil {
				rd.noteAt(scene.Missing, r, "%s%s is left out: its template cannot be evaluated",
					clip(r.n.Type), rd.called(r))
			}
			break
		}
		r = inside
	}
	return r, false
}

// called is the name that a node gives, for messages.
func (rd *reader) called(r ref) string {
	if v, ok := rd.get(r, "name"); ok && len(v.Strings) == 1 {
		return fmt.Sprintf(" %q", clip(v.Strings[0]))
	}
	return ""
}

// enter is the root of a PROTO's body in an instance of it. False: an error was met, or its template failed.
func (rd *reader) enter(r ref, d *definition, level int) (ref, bool) {
	in := &instance{proto: d.proto, file: d.file, of: r, level: level, id: rd.made.id(r)}
	for i := range r.n.Fields {
		// translation_5: of a hidden part
		if f := &r.n.Fields[i]; d.proto.Default(f.Name) == nil && !strings.Contains(f.Name, "_") {
			rd.note(scene.Unsupported, r.file, f.Pos, "%s has no field %q%s", clip(r.n.Type), clip(f.Name),
				d.whose())
		}
	}
	if d.built != nil {
		inside := rd.build(r, d, in)
		rd.tree.entered[keyOfNode(r)] = inside
		return inside, rd.err == nil
	}
	body, ok := expansion{rd, d, in}.body()
	if !ok {
		return r, false
	}
	if len(body) == 0 {
		at := d.proto.Pos
		if d.proto.Template != nil {
			at = d.proto.Template.Pos
		}
		rd.fail(d.file, at, "PROTO %s is empty", clip(d.proto.Name))
		return r, false
	}
	inside := ref{body[0], d.file, in}
	rd.tree.entered[keyOfNode(r)] = inside
	return inside, true
}

func (d *definition) whose() string {
	if d.built != nil {
		return " here: the built-in stands in"
	}
	return ""
}

// define finds the PROTO that a file calls by a name; nil when there is none.
func (rd *reader) define(f *file, n *vrml.Node) *definition {
	if d, known := f.known[n.Type]; known {
		return d
	}
	d := rd.search(f, n)
	f.known[n.Type] = d
	return d
}

func (rd *reader) search(f *file, n *vrml.Node) *definition {
	for i := len(f.text.Protos) - 1; i >= 0; i-- {
		if p := f.text.Protos[i]; p.Name == n.Type {
			return &definition{proto: p, file: f}
		}
	}
	for _, e := range f.text.Externs {
		if e.Name() == n.Type {
			return rd.extern(f, e.Pos, n.Type, e.URL)
		}
	}
	if strings.ContainsAny(n.Type, `/\`) {
		return nil
	}
	for _, near := range nearby {
		uri := near + n.Type + ".proto"
		if rd.files.Exists(uri, f.doc.Ref) == nil {
			if f.text.Header.Release >= declared {
				rd.note(scene.Inferred, f, n.Pos, "%s is not declared with EXTERNPROTO; using %s",
					clip(n.Type), clip(uri))
			}
			return rd.extern(f, n.Pos, n.Type, uri)
		}
	}
	if d := rd.builtin(n.Type); d != nil {
		if f.own {
			return d
		}
		rd.note(scene.Inferred, f, n.Pos,
			"PROTO %s is not in the search folders; the built-in of the same meaning stands in", clip(n.Type))
		return d
	}
	return nil
}

// extern reads the PROTO at an address, or takes the built-in of that name.
func (rd *reader) extern(f *file, pos vrml.Pos, name, url string) *definition {
	uri, err := rd.locate(f, url)
	if err != nil {
		return rd.builtin(name) // declare has noted it
	}
	path, ref, data, err := rd.files.Text(uri, f.doc.Ref)
	if err != nil {
		rd.note(scene.Unreadable, f, pos, "PROTO %s: %v", clip(name), err)
		return rd.builtin(name)
	}
	g := rd.opened[ref]
	if g == nil {
		tree := &xmltree.Document{Root: at(vrml.Pos{Line: 1, Column: 1})}
		if g, err = rd.parse(f.doc.Included(path, ref, tree), data); err != nil {
			rd.note(scene.Unreadable, f, pos, "PROTO %s: %v", clip(name), err)
			return rd.builtin(name)
		}
		g.yUp = f.yUp
		if h := g.text.Header; h.Release > 0 {
			g.yUp = h.Release < flu
		}
		rd.opened[ref] = g
		rd.declare(g)
	}
	for i := len(g.text.Protos) - 1; i >= 0; i-- {
		if p := g.text.Protos[i]; p.Name == name {
			return &definition{proto: p, file: g}
		}
	}
	rd.note(scene.Unreadable, f, pos, "%s holds no PROTO %s", path, clip(name))
	return rd.builtin(name)
}

// declare notes which of a file's EXTERNPROTOs are not there, and what stands in.
func (rd *reader) declare(f *file) {
	for _, e := range f.text.Externs {
		_, err := rd.locate(f, e.URL)
		switch {
		case err == nil || rd.once[e.URL]:
		case builtins[e.Name()] != nil:
			rd.note(scene.Inferred, f, e.Pos,
				"PROTO %s is not in the search folders; the built-in of the same meaning stands in",
				clip(e.Name()))
		default:
			rd.note(scene.Missing, f, e.Pos, "PROTO %s: %v%s", clip(e.Name()), err, remedy(err))
		}
		rd.once[e.URL] = rd.once[e.URL] || err != nil // once for all files that name it
	}
}

// library is the public address of Webots' own files.
const library = "https://raw.githubusercontent.com/cyberbotics/webots/"

// locate is the address of a file's reference in the search folders. A path stays as it is. webots://, and
// the same on Webots' server, is relative to the search folders and to those above the file. An address of a
// network is answered by a copy: one that was downloaded, or one of that name next to the file.
func (rd *reader) locate(f *file, url string) (string, error) {
	rest, own := strings.CutPrefix(url, "webots://")
	if !own {
		if _, after, ok := strings.Cut(strings.TrimPrefix(url, library), "/"); ok &&
			strings.HasPrefix(url, library) {
			rest, own = after, true // behind the branch or release
		}
	}
	if !own && !strings.Contains(url, "://") {
		err := rd.files.Exists(url, f.doc.Ref)
		if err != nil {
			rd.files.WantBeside(url, f.doc.Ref)
		}
		return url, err
	}
	if !own { // another server's: as it lies below projects/
		if _, after, ok := strings.Cut(url, "/projects/"); ok {
			rest, own = "projects/"+after, true
		}
	}
	up := ""
	for range 1 + strings.Count(f.doc.Ref.Path, "/") {
		if own && rd.files.Exists(up+rest, f.doc.Ref) == nil {
			return up + rest, nil
		}
		up += "../"
	}
	if beside, ok := rd.beside(f, url); ok {
		return beside, nil
	}
	if strings.HasPrefix(url, "webots://") && rd.files.Exists(url, f.doc.Ref) != nil {
		release := f.release()
		if release == "" {
			return url, fmt.Errorf("%s: %w: no %s in the search folders", clip(url), asset.ErrNotFound, clip(rest))
		}
		url = library + release + "/" + strings.TrimLeft(rest, "/")
	}
	return url, rd.files.Exists(url, f.doc.Ref) // it may have been downloaded
}

// release is the release of Webots whose files a file means by webots://: the file was downloaded from it, or
// else written by it. Empty: it is not told.
func (f *file) release() string {
	copied := strings.TrimPrefix(library, "https://")
	if _, rest, ok := strings.Cut("/"+f.doc.Ref.Path, "/"+copied); ok {
		release, _, _ := strings.Cut(rest, "/")
		return release
	}
	h := f.text.Header
	if h.Release == 0 {
		return ""
	}
	return fmt.Sprintf("R%d%c", h.Release/10, 'a'+rune(h.Release%10))
}

// beside is a PROTO of that name in the folders next to a file.
func (rd *reader) beside(f *file, url string) (string, bool) {
	for _, near := range nearby {
		uri := near + url[strings.LastIndexByte(url, '/')+1:]
		if rd.files.Exists(uri, f.doc.Ref) == nil {
			return uri, true
		}
	}
	return "", false
}

// remedy says what to do about a PROTO that is not there.
func remedy(err error) string {
	if errors.Is(err, asset.ErrNetwork) {
		return "; or put it into protos/ beside the world"
	}
	return ""
}
