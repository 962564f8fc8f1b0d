// Package xacro expands the XML macros of robot files (xacro of ROS, versions 1 and 2). It has properties,
// expressions, macros with parameters and blocks, conditions, includes with namespaces, arguments, and YAML
// files. It follows xacro 2.1 to the letter where a test can tell the difference, with four exceptions. It
// reads no environment, finds files only in the search folders, answers $(find pkg) with package://pkg, and
// stops at bounds of depth, count and work. Every element of the result knows the file, line and column where
// it was written, and the macro calls between.
package xacro

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/xacro/expr"
	"simdeck/sim/scene"
)

// Files is the file access of a document.
type Files interface {
	// Read is the file that the document at from names.
	Read(uri string, from asset.Ref) (File, error)
	// Values is the file of values (YAML) that it names.
	Values(uri string, from asset.Ref) (File, error)
	// Match lists the addresses of the files that a pattern with *, ? and [] names, in order.
	Match(pattern string, from asset.Ref) ([]string, error)
	// Folder is the address of the folder that holds a file.
	Folder(of asset.Ref) string
}

// File is a file as Files finds it.
type File struct {
	Ref  asset.Ref
	Name string // for messages
	Data []byte
}

// Options of Expand.
type Options struct {
	Args  map[string]string // values of <xacro:arg>, over their defaults
	Files Files

	Interrupted func() error // why expanding is to end early, or nil; nil: nothing interrupts it
}

// Bounds of one document.
const (
	maxElements = 200_000 // looked at
	maxCalls    = 300     // macros inside macros
	maxNested   = 2000    // elements, conditions, calls inside each other
	maxLevel    = 250     // elements of the result inside each other
	maxIncludes = 1000
	maxInside   = 32 // includes inside includes
	maxNotes    = 200
)

// Is reports that a tree is written in xacro: that any of its elements has the prefix xacro.
func Is(root *xmltree.Node) bool {
	stack := []*xmltree.Node{root}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if strings.HasPrefix(n.Name, "xacro:") {
			return true
		}
		stack = append(stack, n.Kids...)
	}
	return false
}

// expander is a document on its way.
type expander struct {
	name     string // of the document
	files    Files
	args     map[string]string
	given    map[string]bool // arguments of Options that no <xacro:arg> has taken yet
	stack    []place         // files that include each other
	calls    []*call
	budget   *expr.Budget
	notes    scene.Notes
	elements int
	includes int
	nested   int
	level    int
	at       *xmltree.Node // the element that is being expanded

	interrupted func() error // Options.Interrupted
}

// place is a file that is being expanded.
type place struct {
	ref  asset.Ref
	name string
}

// call is a macro that is being expanded.
type call struct {
	macro string
	node  *xmltree.Node
	from  map[string]*xmltree.Origin // by file
}

// Expand makes the plain document that a xacro document means, and says in notes what is to be known of it.
// Errors wrap scene.ErrParse and say where.
func Expand(name string, ref asset.Ref, d *xmltree.Document, o Options) (*xmltree.Document, scene.Notes,
	error) {
	x := &expander{name: name, files: o.Files, args: map[string]string{}, given: map[string]bool{},
		budget: expr.NewBudget(),
		stack:  []place{{ref, name}}, interrupted: o.Interrupted}
	for k, v := range o.Args {
		x.args[k] = v
		x.given[k] = true
	}
	top := &scope{names: map[string]*entry{}}
	holder := &xmltree.Node{Name: "document"}
	if err := x.plain(d.Root, holder, env{top, newMacros(nil), holder}); err != nil {
		return nil, nil, err
	}
	root := holder.Kids[0]
	for _, k := range slices.Sorted(maps.Keys(x.given)) {
		x.note(scene.Suspicious, d.Root, "the argument %q is given, and no <xacro:arg> of the file takes it",
			clip(k))
	}
	text, err := write(root)
	if err != nil {
		return nil, nil, x.fail(d.Root, "%v", err)
	}
	return &xmltree.Document{Root: root, Warnings: d.Warnings, Text: text}, x.notes, nil
}

// fail is an error at n. One that already says where it happened is passed on.
func (x *expander) fail(n *xmltree.Node, format string, args ...any) error {
	for _, a := range args {
		if err, ok := a.(located); ok {
			return err
		}
	}
	return located{fmt.Errorf("%w: %s: %w", scene.ErrParse, x.placed(n).Where(x.name),
		fmt.Errorf(format, args...))}
}

// located is an error that says where it happened.
type located struct{ error }

// Unwrap gives errors.Is the causes.
func (l located) Unwrap() error { return l.error }

func (x *expander) note(kind scene.NoteKind, n *xmltree.Node, format string, args ...any) {
	if len(x.notes) < maxNotes {
		x.notes = append(x.notes, scene.Note{Kind: kind, File: n.File(x.name), Line: n.Pos.Line,
			Column: n.Pos.Column, Text: fmt.Sprintf(format, args...)})
	}
}

// placed is n with the macro calls that are going on, for messages.
func (x *expander) placed(n *xmltree.Node) *xmltree.Node {
	return &xmltree.Node{Name: n.Name, Pos: n.Pos, From: x.origin(n)}
}

// origin is the recorded origin of a copy of n.
func (x *expander) origin(n *xmltree.Node) *xmltree.Origin {
	if len(x.calls) == 0 || n.From != nil && n.From.Call != nil {
		return n.From
	}
	c := x.calls[len(x.calls)-1]
	file := n.File("")
	o := c.from[file]
	if o == nil {
		o = &xmltree.Origin{File: file, Macro: c.macro, Call: c.node}
		c.from[file] = o
	}
	return o
}

func clip(s string) string {
	if s = strings.TrimSpace(s); len(s) > 80 {
		return s[:77] + "..."
	}
	return s
}
