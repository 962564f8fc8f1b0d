// Package vrml parses the text of Webots: worlds (.wbt) and PROTO files, a dialect of VRML97. It knows the
// syntax only, not what nodes and fields mean; every node and field keeps its place in the text. A USE is the
// very node that its DEF names, so that what is used a thousand times is held once.
package vrml

import (
	"fmt"
	"strings"
)

// Pos is a place in a text, counted from 1; columns count characters.
type Pos struct{ Line, Column int }

// String is "line:column".
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// SyntaxError says what is wrong with a text and where.
type SyntaxError struct {
	Pos  Pos
	Text string
}

// Error is "line:column: text".
func (e *SyntaxError) Error() string { return e.Pos.String() + ": " + e.Text }

// Warning is accepted text that is probably a mistake.
type Warning struct {
	Pos  Pos
	Text string
}

// Header is the first line of a file.
type Header struct {
	Written bool
	Version string // as written: "R2023b", "V8.5"; empty: none
	// Release orders the versions R2018a and later: ten times the year, and 1 for b, 2 for c. 0: older or not
	// written.
	Release int
}

// File is a parsed text.
type File struct {
	Header   Header
	Externs  []Extern
	Protos   []*Proto
	Nodes    []*Node
	Warnings []Warning
}

// Extern is an EXTERNPROTO: where a PROTO is found.
type Extern struct {
	Pos Pos
	URL string
}

// Name is that of the PROTO: its file's, without folder and extension.
func (e Extern) Name() string {
	name := e.URL[strings.LastIndexAny(e.URL, `/\`)+1:]
	return strings.TrimSuffix(name, ".proto")
}

// Proto is the definition of a node by others.
type Proto struct {
	Name   string
	Pos    Pos
	Fields []Field // its interface, with the default values
	Body   []*Node // the first is the base node of an instance
	// Template makes the body from the fields of an instance; nil: Body is as written.
	Template *Template
}

// Default is a field of the interface; nil: there is none of that name.
func (p *Proto) Default(name string) *Field { return find(p.Fields, name) }

// Node is a node as it is written.
type Node struct {
	Type   string
	Def    string // its name; empty: none
	Pos    Pos
	Fields []Field
}

// Field is the last field of that name, nil when the node has none.
func (n *Node) Field(name string) *Field { return find(n.Fields, name) }

func find(fields []Field, name string) *Field {
	for i := len(fields) - 1; i >= 0; i-- {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// Field is the value of a node's field, or a field of a PROTO's interface.
type Field struct {
	Name  string
	Kind  string // in an interface: "SFVec3f"; else empty
	Pos   Pos
	Value Value
}

// Value is the value of a field: one of its slices, or none. All are in the order of the text.
type Value struct {
	Pos     Pos
	List    bool   // it was written in brackets
	Is      string // the field of the PROTO's interface whose value it is
	Null    bool   // NULL
	Numbers []float64
	Strings []string
	Bools   []bool
	Nodes   []*Node
}

// Empty reports that a value holds nothing.
func (v *Value) Empty() bool {
	return v.Is == "" && len(v.Numbers)+len(v.Strings)+len(v.Bools)+len(v.Nodes) == 0
}

// describe names the value in messages.
func (v *Value) describe() string {
	switch {
	case v.Is != "":
		return "IS " + v.Is
	case len(v.Numbers) > 0:
		return "numbers"
	case len(v.Strings) > 0:
		return "strings"
	case len(v.Bools) > 0:
		return "TRUE or FALSE"
	case len(v.Nodes) > 0:
		return "nodes"
	}
	return "nothing"
}

// Describe describes a value's content for messages: "3 numbers", "2 strings", "NULL".
func (v *Value) Describe() string {
	switch n := len(v.Numbers) + len(v.Strings) + len(v.Bools) + len(v.Nodes); {
	case v.Null:
		return "NULL"
	case n == 0 || v.Is != "":
		return v.describe()
	case n == 1:
		return "one of " + v.describe()
	default:
		return fmt.Sprintf("%d %s", n, v.describe())
	}
}
