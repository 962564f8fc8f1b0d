// Package source has the common parts of package format's readers: a document with address and notes,
// positioned numbers, and common shapes.
package source

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Files is the file access of a document.
type Files interface {
	// Mesh reads a mesh that the document at from names. Errors are those of packages asset and mesh.
	Mesh(uri string, from asset.Ref) (*mesh.Mesh, error)
	// Model reads the model that doc includes by address. The error says why there is none.
	Model(uri string, doc *Doc) (*Doc, error)
	// Texture reads the image that the document at from names. Errors are those of packages asset and
	// picture.
	Texture(uri string, from asset.Ref) (*scene.Texture, error)
	// Exists reports that an address can be answered, without reading it.
	Exists(uri string, from asset.Ref) error
}

// ErrCircle is a document that includes itself by way of others.
var ErrCircle = errors.New("includes itself by way of others")

// Robots is an optional interface of Files: a reader of included robots and maps of other formats.
type Robots interface {
	// Robot reads the URDF that an included document holds, or the walls of the map that one with the root
	// <map> stands for.
	Robot(d *Doc) (*scene.ModelSpec, error)
}

// Interrupted is an optional interface of Files: the reason to end reading early, or nil.
type Interrupted interface{ Interrupted() error }

// Scripts is an optional interface of Files: texts that a document names.
type Scripts interface {
	// Script reads the file that an address names, or every file with that extension in the folder it names.
	Script(uri, extension string, from asset.Ref) ([]string, error)
}

// ParameterFiles is an optional interface of Files: ROS parameter files that a document names.
type ParameterFiles interface {
	// Parameters reads the file that an address names, and gives its name for messages.
	Parameters(uri string, from asset.Ref) (name, text string, err error)
}

// Doc is one document being read.
type Doc struct {
	Name     string // for messages
	Ref      asset.Ref
	Tree     *xmltree.Document
	Files    Files
	Notes    *scene.Notes // shared with the documents that include this one
	Parents  []asset.Ref  // documents that include this one, outermost first
	Budget   *Budget      // shared likewise
	Info     scene.Info   // from the sidecar of an included model
	Keyframe string       // name of the initial state that is asked for; empty: the file's own
	StandIn  string       // why this is not the document that was asked for; empty when it is
	noted    *noted       // shared with the notes
}

// Budget bounds what one document may grow to by including others.
type Budget struct {
	Includes, Links, Parts int
	Interrupted            func() error // why reading is to end early, or nil; nil: nothing interrupts it
}

// interrupted is the reason to end reading early; nil: there is none.
func (b *Budget) interrupted() error {
	if b.Interrupted == nil {
		return nil
	}
	return b.Interrupted()
}

// Bounds of a document with all that it includes.
const (
	maxIncludes = 5000
	MaxLinks    = 30_000
	MaxParts    = 80_000
	SensorParts = 10 // a sensor counts as so many: it is the largest of them
	PluginParts = 5  // and a plugin, which takes long to understand
)

// NewBudget suffices for the largest worlds in use: MaxLinks links, and MaxParts links, joints, frames,
// models, shapes, lights and sensors together. As many take about 200 MB.
func NewBudget() *Budget { return &Budget{Includes: maxIncludes, Links: MaxLinks, Parts: MaxParts} }

// Part counts one more part, written at n. The error says that there are too many.
func (d *Doc) Part(n *xmltree.Node) error { return d.Take(n, 1) }

// Take counts something, written at n, that is worth so many parts.
func (d *Doc) Take(n *xmltree.Node, parts int) error {
	if d.Budget.Parts -= parts; d.Budget.Parts < 0 {
		return d.Errorf(n, "more than %d links, joints, frames, models, shapes, lights, tenths of sensors and fifths of plugins in one document with all that it includes",
			MaxParts)
	}
	return d.Budget.interrupted()
}

// Link counts one more link, written at n.
func (d *Doc) Link(n *xmltree.Node) error {
	if d.Budget.Links--; d.Budget.Links < 0 {
		return d.Errorf(n, "more than %d links in one document with all that it includes", MaxLinks)
	}
	return d.Budget.interrupted()
}

// Open makes a Doc of a parsed text; the liberties that its XML takes become notes.
func Open(name string, ref asset.Ref, tree *xmltree.Document, files Files) *Doc {
	d := &Doc{Name: name, Ref: ref, Tree: tree, Files: files, Notes: &scene.Notes{}, Budget: NewBudget(),
		noted: newNoted()}
	if i, ok := files.(Interrupted); ok {
		d.Budget.Interrupted = i.Interrupted
	}
	d.noteWarnings()
	return d
}

// Included makes a Doc that a document includes.
func (d *Doc) Included(name string, ref asset.Ref, tree *xmltree.Document) *Doc {
	in := &Doc{Name: name, Ref: ref, Tree: tree, Files: d.Files, Notes: d.Notes, Budget: d.Budget,
		noted: d.noted}
	in.Parents = append(append(in.Parents, d.Parents...), d.Ref)
	in.noteWarnings()
	return in
}

func (d *Doc) noteWarnings() {
	for _, w := range d.Tree.Warnings {
		d.note(scene.Suspicious, w.Pos, w.Text)
	}
}

// Errorf is a parse error at n: "file:line:column: text". It wraps scene.ErrParse.
func (d *Doc) Errorf(n *xmltree.Node, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", scene.ErrParse, n.Where(d.Name), fmt.Sprintf(format, args...))
}

// UnknownKind is the kind of a note about a name that the format does not have: a typing error if another name
// is near, else what Gazebo and Webots ignore, too.
func UnknownKind(near string) scene.NoteKind {
	if near != "" {
		return scene.Suspicious
	}
	return scene.Ignored
}

// ParseFloat reads a decimal number as C's strtod in the "C" locale does, without hexadecimal forms.
func ParseFloat(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "xX_pP") {
		return 0, strconv.ErrSyntax
	}
	f, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(f, 0) {
		return f, nil // 1.79769e+309 and the like: infinite
	}
	return f, err
}

// MostNumber is the largest number that readers take: of larger ones products and powers, as masses and
// inertias are, would have no end. Files write 1e308 for what has none.
const MostNumber = 1e50

// MostDistance is the greatest distance, in metres, of an element from its model: a thousand kilometres.
const MostDistance = 1e6

// Reachable reports that a pose is of finite numbers and not beyond MostDistance.
func Reachable(p r3.Pose) bool { return p.IsFinite() && p.Pos.MaxAbs() <= MostDistance }

// Number reads a finite number, written at n. One beyond MostNumber is taken as that, and noted.
func (d *Doc) Number(n *xmltree.Node, text string) (float64, error) {
	f, err := ParseFloat(text)
	if err != nil {
		return 0, d.Errorf(n, "%q in <%s> is not a number%s", clip(text), n.Name, xacro(text))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, d.Errorf(n, "%q in <%s> is not a finite number", clip(text), n.Name)
	}
	if math.Abs(f) > MostNumber {
		d.Note(scene.Suspicious, n, "%q in <%s> is out of range; using %g",
			clip(text), n.Name, math.Copysign(MostNumber, f))
		f = math.Copysign(MostNumber, f)
	}
	return f, nil
}

// Numbers reads exactly count finite numbers, written at n.
func (d *Doc) Numbers(n *xmltree.Node, text string, count int) ([]float64, error) {
	words := strings.Fields(text)
	if len(words) != count {
		return nil, d.Errorf(n, "%q in <%s> has %d numbers, needs %d%s", clip(text), n.Name, len(words),
			count, xacro(text))
	}
	out := make([]float64, count)
	for i, w := range words {
		f, err := d.Number(n, w)
		if err != nil {
			return nil, err
		}
		out[i] = f
	}
	return out, nil
}

// Vec reads three numbers.
func (d *Doc) Vec(n *xmltree.Node, text string) (r3.Vec, error) {
	f, err := d.Numbers(n, text, 3)
	if err != nil {
		return r3.Vec{}, err
	}
	return r3.V(f[0], f[1], f[2]), nil
}

// Float is the number in the first child with that name, or otherwise when there is none or it is empty.
func (d *Doc) Float(n *xmltree.Node, name string, otherwise float64) (float64, error) {
	k := n.Child(name)
	if k.Value() == "" {
		return otherwise, nil
	}
	return d.Number(k, k.Text)
}

// Bool is the truth in the first child with that name: 1, 0, true, false in any case; anything else is noted.
func (d *Doc) Bool(n *xmltree.Node, name string, otherwise bool) bool {
	k := n.Child(name)
	switch strings.ToLower(k.Value()) {
	case "1", "true":
		return true
	case "0", "false":
		return false
	case "":
		return otherwise
	}
	d.Note(scene.Suspicious, k, "<%s> is %q; 1, 0, true or false is meant", name, clip(k.Value()))
	return otherwise
}

// Loose is the number in the first child with that name when it is finite; else it is noted and otherwise is
// taken.
func (d *Doc) Loose(n *xmltree.Node, name string, otherwise float64) float64 {
	f, err := d.Float(n, name, otherwise)
	if err != nil {
		k := n.Child(name)
		d.Note(scene.Suspicious, k, "<%s> is %q, not a finite number; using %g", name, clip(k.Value()),
			otherwise)
		return otherwise
	}
	return f
}

func xacro(text string) string {
	if strings.Contains(text, "${") || strings.Contains(text, "$(") {
		return "; this is xacro, which is expanded in files called .urdf.xacro"
	}
	return ""
}

// clip cuts a text for a message.
func clip(s string) string {
	if s = strings.TrimSpace(s); len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// Clamp is x, or the nearer of two bounds when it is beyond them.
func Clamp(x, lo, hi float64) float64 { return max(lo, min(hi, x)) }
