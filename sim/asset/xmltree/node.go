// Package xmltree reads XML as robot and world files write it: a tree in which every element knows its line
// and column.
//
// It accepts forms that real files have and encoding/xml rejects: "--" in comments, tag names with "::",
// white space before the declaration, byte order marks, UTF-16, Latin-1. It reports each as a Warning. It
// expands no entities beyond XML's five and character references, reads no document type, opens nothing, and
// limits size, depth and count.
package xmltree

import (
	"fmt"
	"strings"
)

// Pos is a place in a text, both counted from 1; columns count characters.
type Pos struct{ Line, Column int }

// String is "line:column".
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// Attr is one attribute of an element.
type Attr struct{ Name, Value string }

// Node is an element: its name as written (with prefix), attributes, children in order, and its character
// data.
type Node struct {
	Name  string
	Attrs []Attr
	Kids  []*Node
	Text  string // all character data directly inside, joined
	Pos   Pos    // of the "<"
	From  *Origin
}

// Origin says where an element was written that stands in a document because something was expanded. Elements
// of the document's own text have none.
type Origin struct {
	File  string // the file that the element's Pos is in; empty: that of the document
	Macro string // the macro that it is a part of
	Call  *Node  // the element that called the macro; nil: none did
}

// maxCalls bounds the calls that Where tells.
const maxCalls = 4

// Where is "file:line:column" of an element in the document called name, with the calls of macros that
// brought it there.
func (n *Node) Where(name string) string {
	at := n.From.file(name) + ":" + n.Pos.String()
	for range maxCalls {
		if n.From == nil || n.From.Call == nil {
			return at
		}
		macro := n.From.Macro
		n = n.From.Call
		at += fmt.Sprintf(" (macro %s, called at %s:%v)", short(macro), n.From.file(name), n.Pos)
	}
	return at
}

func (o *Origin) file(name string) string {
	if o == nil || o.File == "" {
		return name
	}
	return o.File
}

// File is the file of an element, in the document called name.
func (n *Node) File(name string) string { return n.From.file(name) }

// Warning is accepted text that a strict XML reader would refuse.
type Warning struct {
	Pos  Pos
	Text string
}

// Document is a parsed text.
type Document struct {
	Root     *Node
	Warnings []Warning
	Text     string // the whole text in UTF-8
}

// Child is the first child with that name, nil when there is none. A nil Node has no children.
func (n *Node) Child(name string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Find follows a chain of first children; nil when it breaks off.
func (n *Node) Find(names ...string) *Node {
	for _, name := range names {
		n = n.Child(name)
	}
	return n
}

// All lists the children with that name in order.
func (n *Node) All(name string) []*Node {
	if n == nil {
		return nil
	}
	var all []*Node
	for _, k := range n.Kids {
		if k.Name == name {
			all = append(all, k)
		}
	}
	return all
}

// Attr is the value of an attribute; false when it is not written. A nil Node has none.
func (n *Node) Attr(name string) (string, bool) {
	if n == nil {
		return "", false
	}
	for i := range n.Attrs {
		if n.Attrs[i].Name == name {
			return n.Attrs[i].Value, true
		}
	}
	return "", false
}

// Get is the trimmed value of an attribute, empty when it is not written.
func (n *Node) Get(name string) string {
	v, _ := n.Attr(name)
	return strings.TrimSpace(v)
}

// Value is the trimmed character data; empty for a nil Node.
func (n *Node) Value() string {
	if n == nil {
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// ValueOf is the trimmed character data of the first child with that name.
func (n *Node) ValueOf(name string) string { return n.Child(name).Value() }
