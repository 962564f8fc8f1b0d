package source

import (
	"fmt"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// maxNotes bounds the notes of one document with all that it includes.
const maxNotes = 1000

// maxPlaces bounds the places of which it is known what was noted there.
const maxPlaces = 100_000

// noted is the index of a document's notes, which merges the same text about many elements.
type noted struct {
	places map[scene.Note][]string // by file, line and column: the texts of the notes there
	same   map[scene.Note]int      // by kind, file and text: the first of the notes
}

func newNoted() *noted {
	return &noted{places: map[scene.Note][]string{}, same: map[scene.Note]int{}}
}

// Note records what could not be taken as it is written at n. The same text about several elements of a file
// is one note at the first of them, which counts them.
func (d *Doc) Note(kind scene.NoteKind, n *xmltree.Node, format string, args ...any) {
	d.noteIn(n.File(d.Name), kind, n.Pos, fmt.Sprintf(format, args...))
}

// Noted reports that a note about the element n, or something of it, holds a name.
func (d *Doc) Noted(n *xmltree.Node, name string) bool {
	if d.noted == nil {
		return false
	}
	for _, text := range d.noted.places[scene.Note{File: n.File(d.Name), Line: n.Pos.Line,
		Column: n.Pos.Column}] {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

func (d *Doc) note(kind scene.NoteKind, at xmltree.Pos, text string) {
	d.noteIn(d.Name, kind, at, text)
}

func (d *Doc) noteIn(file string, kind scene.NoteKind, at xmltree.Pos, text string) {
	if d.noted != nil && d.noted.again(d.Notes, scene.Note{Kind: kind, File: file, Line: at.Line,
		Column: at.Column, Text: text}) {
		return
	}
	switch n := len(*d.Notes); {
	case n < maxNotes:
		*d.Notes = append(*d.Notes, scene.Note{Kind: kind, File: file, Line: at.Line, Column: at.Column,
			Text: text})
	case n == maxNotes:
		*d.Notes = append(*d.Notes, scene.Note{Kind: scene.Suspicious, File: d.Name,
			Text: "further notes are left out"})
	}
}

// again reports that there is a note of that text already, and counts this one. At the same place it is the
// same: a model that is included twice is read twice.
func (k *noted) again(notes *scene.Notes, n scene.Note) bool {
	text := scene.Note{Kind: n.Kind, File: n.File, Text: n.Text}
	place := scene.Note{File: n.File, Line: n.Line, Column: n.Column}
	first, known := k.same[text]
	if known && slices.Contains(k.places[place], n.Text) {
		return true
	}
	if len(k.places) < maxPlaces {
		k.places[place] = append(k.places[place], n.Text)
	}
	if !known {
		if len(*notes) < maxNotes {
			k.same[text] = len(*notes)
		}
		return false
	}
	(*notes)[first].Times = max(1, (*notes)[first].Times) + 1
	return true
}
