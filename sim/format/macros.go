package format

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/mjcf"
	"simdeck/sim/format/xacro"
	"simdeck/sim/scene"
)

// keyframeArg is the argument that names the initial state of a model in MJCF.
const keyframeArg = "keyframe"

// withArgs takes the arguments off an address of a file with macros: robot.urdf.xacro?arm=left&sim=true. That
// of a model in MJCF may have the name of a keyframe: robot.xml?keyframe=squat.
func withArgs(uri string) (plain string, args map[string]string, err error) {
	plain, query, found := strings.Cut(uri, "?")
	if !found || extension(plain) != ".xacro" &&
		!(extension(plain) == ".xml" && strings.HasPrefix(query, keyframeArg+"=")) {
		return uri, nil, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return plain, nil, fmt.Errorf("%w: arguments %q of %s: %w; write ?name=value&name=value",
			scene.ErrParse, query, plain, err)
	}
	args = map[string]string{}
	for name, all := range values {
		args[name] = all[len(all)-1]
	}
	return plain, args, nil
}

// keyframeOf is the keyframe that is asked of a file in MJCF; an error for one of another format.
func keyframeOf(f file, root *xmltree.Node) (string, error) {
	name, asked := f.args[keyframeArg]
	if !asked || extension(f.name) == ".xacro" || root.Name == mjcf.Root {
		return name, nil
	}
	return "", fmt.Errorf("%w: %s: keyframe %q of a file whose root is <%.40s>; those of MuJoCo have some: <%s>",
		scene.ErrParse, f.name, name, root.Name, mjcf.Root)
}

// expanded is a document without macros. Files called .xacro are expanded, and robots that need it whatever
// they are called, which a note says. Others are read as written, as by all other readers of URDF,
// and names with ${} in them stay such.
func (ld *loader) expanded(f file, tree *xmltree.Document) (*xmltree.Document, scene.Notes, error) {
	ext := extension(f.name)
	if ext != ".xacro" && (tree.Root.Name != "robot" && ext != "" || !xacro.Is(tree.Root) || ext != "" && !needsXacro(tree.Root)) {
		return tree, optional(f.name, tree), nil
	}
	expanded, notes, err := xacro.Expand(f.name, f.ref, tree,
		xacro.Options{Args: f.args, Files: macroFiles{ld, f.args}, Interrupted: ld.Interrupted})
	if ext != ".xacro" && ext != "" {
		notes = append(notes, scene.Note{Kind: scene.Inferred, File: f.name, Line: tree.Root.Pos.Line,
			Column: tree.Root.Pos.Column, Text: "the file has elements of xacro: it is expanded, though it is not called .xacro"})
	}
	return expanded, notes, err
}

// needsXacro reports that a robot with elements of xacro means something else as it is written: it has macros,
// conditions or the like, or expressions elsewhere than in names, which readers of URDF read with their ${}.
func needsXacro(root *xmltree.Node) bool {
	for nodes := []*xmltree.Node{root}; len(nodes) > 0; {
		n := nodes[len(nodes)-1]
		nodes = append(nodes[:len(nodes)-1], n.Kids...)
		if n.Name == "xacro:property" || n.Name == "xacro:arg" {
			continue
		}
		if strings.HasPrefix(n.Name, "xacro:") || strings.Contains(n.Text, "${") {
			return true
		}
		for _, a := range n.Attrs {
			switch a.Name {
			case "name", "link", "joint", "reference":
			default:
				if strings.Contains(a.Value, "${") {
					return true
				}
			}
		}
	}
	return false
}

// macroFiles is the loader as package xacro asks it.
type macroFiles struct {
	ld   *loader
	args map[string]string
}

// Read is the file at an address.
func (m macroFiles) Read(uri string, from asset.Ref) (xacro.File, error) {
	ref, err := m.ld.resolve(uri, from)
	if err != nil {
		return xacro.File{}, err
	}
	data, err := m.ld.read(ref, 8<<20, macroKind)
	return xacro.File{Ref: ref, Name: m.ld.space.Name(ref), Data: data}, err
}

// Values is the file of values at an address. Its content becomes part of the document, so that text from a
// client has none: the client would get the values back.
func (m macroFiles) Values(uri string, from asset.Ref) (xacro.File, error) {
	ref, err := m.ld.resolve(uri, from)
	if err != nil {
		return xacro.File{}, err
	}
	if m.ld.text {
		return xacro.File{}, fmt.Errorf("%w: %s: a model that is sent as text reads no files of values; put it into a search folder",
			errKind, uri)
	}
	if m.ld.client && slices.ContainsFunc(slices.Collect(maps.Values(m.args)),
		func(v string) bool { return v != "" && strings.Contains(uri, v) }) {
		m.ld.named = m.ld.space.Name(ref)
	}
	data, err := m.ld.read(ref, 8<<20, valuesKind)
	return xacro.File{Ref: ref, Name: m.ld.space.Name(ref), Data: data}, err
}

// Match lists files whose names fit a pattern; the folder is named without one.
func (m macroFiles) Match(pattern string, from asset.Ref) ([]string, error) {
	folder, last := path.Split(pattern)
	if strings.ContainsAny(folder, "*[?") {
		return nil, fmt.Errorf("%s: *, ? and [] stand only in the last part of an address", pattern)
	}
	dir := from.Dir()
	if folder != "" {
		var err error
		if dir, err = m.ld.resolve(strings.TrimSuffix(folder, "/"), from); err != nil {
			return nil, err
		}
	}
	entries, err := m.ld.space.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if ok, err := path.Match(last, e.Name()); err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		} else if ok && !e.IsDir() {
			out = append(out, folder+e.Name())
		}
	}
	slices.Sort(out)
	return out, nil
}

// Folder is the address of the folder of a file.
func (m macroFiles) Folder(of asset.Ref) string {
	root, dir := m.ld.space.Roots()[of.Root], of.Dir().Path
	if root.Base != "" {
		return (&url.URL{Scheme: "file", Path: path.Join(root.Base, dir)}).String()
	}
	return "spawnable://" + root.Name + "/" + strings.TrimPrefix(dir, ".")
}

// definitions are the elements that make nothing by themselves.
var definitions = []string{"xacro:property", "xacro:macro", "xacro:arg", "xacro:include", "material"}

// robotic reports that a file describes a robot with parts. One of macros that has no name, or only
// definitions, is there for others to include.
func robotic(name string, root *xmltree.Node) bool {
	if extension(name) != ".xacro" {
		return root.Child("link") != nil
	}
	return root.Get("name") != "" && slices.ContainsFunc(root.Kids, func(k *xmltree.Node) bool {
		return k.Name == "link" || strings.HasPrefix(k.Name, "xacro:") &&
			!slices.Contains(definitions, k.Name)
	})
}

// optenv matches $(optenv NAME DEFAULT…), which xacro evaluates.
var optenv = regexp.MustCompile(`\$\(optenv[ \t]+[^\s()$]+([^()$]*)\)`)

// optional evaluates $(optenv NAME DEFAULT) in a robot in plain URDF, as files have it that were made to be
// expanded. The environment is not read, so that it is always the default. Each is noted.
func optional(name string, tree *xmltree.Document) (notes scene.Notes) {
	if tree.Root.Name != "robot" || !strings.Contains(tree.Text, "$(optenv") {
		return nil
	}
	evaluate := func(n *xmltree.Node, text string) string {
		return optenv.ReplaceAllStringFunc(text, func(call string) string {
			value := strings.TrimSpace(optenv.FindStringSubmatch(call)[1])
			notes = append(notes, scene.Note{Kind: scene.Inferred, File: name, Line: n.Pos.Line,
				Column: n.Pos.Column,
				Text:   fmt.Sprintf("%s is %q: the environment is not read, and the file is no .xacro", call, value)})
			return value
		})
	}
	for nodes := []*xmltree.Node{tree.Root}; len(nodes) > 0; {
		n := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		for _, k := range slices.Backward(n.Kids) {
			nodes = append(nodes, k)
		}
		for i := range n.Attrs {
			n.Attrs[i].Value = evaluate(n, n.Attrs[i].Value)
		}
		n.Text = evaluate(n, n.Text)
	}
	tree.Text = optenv.ReplaceAllStringFunc(tree.Text, func(call string) string {
		return strings.TrimSpace(optenv.FindStringSubmatch(call)[1])
	})
	return notes
}
