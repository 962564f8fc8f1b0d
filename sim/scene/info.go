package scene

import (
	"fmt"
	"math"
	"strings"

	"simdeck/sim/r3"
)

// Category of an entity, with the numbers of
// simulation_interfaces/msg/EntityCategory.
type Category uint8

// Categories.
const (
	Object        Category = 0
	Robot         Category = 1
	Human         Category = 2
	DynamicObject Category = 4
	StaticObject  Category = 5
)

// String is the category as the console and sidecars write it.
func (c Category) String() string {
	switch c {
	case Object:
		return "object"
	case Robot:
		return "robot"
	case Human:
		return "human"
	case DynamicObject:
		return "dynamic_object"
	case StaticObject:
		return "static_object"
	}
	return fmt.Sprintf("category(%d)", uint8(c))
}

// ParseCategory is the inverse of Category.String; false for a word that is no category.
func ParseCategory(word string) (Category, bool) {
	for _, c := range []Category{Object, Robot, Human, DynamicObject, StaticObject} {
		if c.String() == word {
			return c, true
		}
	}
	return Object, false
}

// Info is the content of a model's sidecar (seed documents 000 and 001).
type Info struct {
	Category    Category
	Description string
	Tags        []string
	Bounds      Bounds // in the canonical link's frame
	Convex      Convex // how its moving meshes become solids
}

// StandInTag is the tag of a box that stands in for a model of a world that is not there.
const StandInTag = "stand-in"

// Convex says how finely the meshes of links that move are followed by convex hulls. Zero fields take the
// defaults of shape.Cut.
type Convex struct {
	Parts int     // hulls of a mesh at most; 1: its convex hull
	Error float64 // volume that they may have too much, as a share of the mesh's
}

// BoundsKind is the kind of a region, with the numbers of
// simulation_interfaces/msg/Bounds.
type BoundsKind uint8

// Kinds of bounds.
const (
	NoBounds     BoundsKind = 0
	BoxBounds    BoundsKind = 1
	HullBounds   BoundsKind = 2
	SphereBounds BoundsKind = 3
)

// Bounds is a region about a pose. Points are, by kind: Box: two opposite
// corners, the greater first; Hull: its vertices; Sphere: centre, and the
// radius in x of the second.
type Bounds struct {
	Kind   BoundsKind
	Points []r3.Vec
}

// Box is the box that holds the region; empty when there is none, or none that anything could fill.
func (b Bounds) Box() r3.Box {
	box := r3.EmptyBox()
	switch b.Kind {
	case BoxBounds, HullBounds:
		for _, p := range b.Points {
			box = box.Extend(p)
		}
	case SphereBounds:
		if len(b.Points) == 2 {
			r := math.Abs(b.Points[1].X)
			box = r3.BoxAround(b.Points[0], r3.V(r, r, r))
		}
	}
	if !box.Min.IsFinite() || !box.Max.IsFinite() {
		return r3.EmptyBox()
	}
	return box
}

// NamedPose is a place that a world gives a name.
type NamedPose struct {
	Name        string
	Description string
	Tags        []string
	Pose        r3.Pose // in the world frame
	Bounds      Bounds  // in the frame of Pose
}

// NoteKind says what a Note is about.
type NoteKind uint8

// Kinds of notes.
const (
	Missing     NoteKind = iota + 1 // an asset that was not found
	Unreadable                      // an asset that was found and could not be used
	Unsupported                     // an element that the engine does not know
	Suspicious                      // a value that is legal and probably wrong
	Inferred                        // something the file leaves out, and what was taken instead
	Ignored                         // an element that is legal and has no effect here
)

// String is the note's kind as reports write it.
func (k NoteKind) String() string {
	return [...]string{"note", "missing", "unreadable", "unsupported", "suspicious",
		"inferred", "ignored"}[min(int(k), 6)]
}

// Harmless reports that what is noted makes no model another than its file asks for.
func (k NoteKind) Harmless() bool { return k == Inferred || k == Ignored }

// Note is one thing that a reader could not take as it is written.
type Note struct {
	Kind         NoteKind
	File         string
	Line, Column int // 1-based; 0: unknown
	Text         string
	Times        int // number of elements; 0: one
}

// Message is the text, and about how many elements it is.
func (n Note) Message() string {
	if n.Times > 1 {
		return fmt.Sprintf("%s (%d times)", n.Text, n.Times)
	}
	return n.Text
}

// String is "file:line:column: kind: text".
func (n Note) String() string {
	return fmt.Sprintf("%s%s: %s", Place(n.File, n.Line, n.Column), n.Kind, n.Message())
}

// Place is a position in a file as the prefix of a message: file:line:column, without unknown parts.
func Place(file string, line, column int) string {
	switch {
	case line > 0:
		return fmt.Sprintf("%s:%d:%d: ", file, line, column)
	case file != "":
		return file + ": "
	}
	return ""
}

// Notes is a list of them in the order of the file.
type Notes []Note

// maxAlike is the number of notes about different names and numbers that Brief leaves of one message.
const maxAlike = 20

// Brief is the list for people: of notes of a kind and file that differ in names and numbers alone, the first
// ones, the last of which says how many follow.
func (n Notes) Brief() Notes {
	type form struct {
		kind       NoteKind
		file, text string
	}
	out, counts, last := Notes{}, map[form]int{}, map[form]int{}
	for _, note := range n {
		f := form{note.Kind, note.File, formOf(note.Text)}
		if counts[f]++; counts[f] <= maxAlike {
			last[f] = len(out)
			out = append(out, note)
		}
	}
	for f, count := range counts {
		if more := count - maxAlike; more > 0 {
			out[last[f]].Text += fmt.Sprintf("; and %d more of the kind", more)
		}
	}
	return out
}

// formOf is a text without its digits and what is in quotes.
func formOf(text string) string {
	quoted := false
	return strings.Map(func(c rune) rune {
		if c == '"' {
			quoted = !quoted
		}
		if quoted || c == '.' || c == '-' || c == '+' || c == 'e' || c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, text)
}

// Has reports whether a note of that kind is in the list.
func (n Notes) Has(k NoteKind) bool {
	for i := range n {
		if n[i].Kind == k {
			return true
		}
	}
	return false
}
