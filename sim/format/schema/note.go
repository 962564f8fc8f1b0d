package schema

import (
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// maxUnknown bounds the unknown names of a document that are looked for among known ones.
const maxUnknown = 1000

// walk is a document on its way through a table.
type walk struct {
	*Table
	doc  *source.Doc
	left int // unknown names that are still compared with known ones
}

// Note notes whatever of a document is not run, has no effect, or is not declared, where no note of a reader
// names it already. Cosmetic ones and those of other namespaces are passed over.
func (t *Table) Note(d *source.Doc, root *xmltree.Node) {
	if len(t.Types) == 0 || root == nil {
		return
	}
	t.NoteIn(d, root, t.Types[0])
}

// NoteIn is Note for an element that is declared as e.
func (t *Table) NoteIn(d *source.Doc, root *xmltree.Node, e *Element) {
	w := walk{Table: t, doc: d, left: maxUnknown}
	type place struct {
		n *xmltree.Node
		e *Element
	}
	for todo := []place{{root, e}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		w.attributes(at.n, at.e)
		for _, k := range slices.Backward(at.n.Kids) {
			if e := w.kid(at.n, at.e, k); e != nil {
				todo = append(todo, place{k, e})
			}
		}
	}
}

// foreign reports that a name is of another namespace.
func foreign(name string) bool {
	return strings.HasPrefix(name, "xmlns") || strings.Contains(name, ":") && !strings.Contains(name, "::")
}

// kid notes what is to be said of k in n, and gives its declaration when its content is to be looked at.
func (w *walk) kid(n *xmltree.Node, in *Element, k *xmltree.Node) *Element {
	e := w.Kid(in, k.Name)
	switch {
	case e == nil && (w.IsOpen(in) || foreign(k.Name)):
		return nil
	case e == nil:
		near := w.near(k.Name, in, false)
		w.say(k, k.Name, w.unknown(near), "<%s> in <%s> is not known%s", k.Name, n.Name, near)
		return nil
	case e.Use == Understood:
		return e
	case e.Use == Cosmetic, e.Asks(content(k)):
	case e.Use == NoEffect:
		w.say(k, k.Name, scene.Ignored, "<%s> in <%s> has no effect here", k.Name, n.Name)
	default:
		w.say(k, k.Name, scene.Unsupported, "<%s> in <%s> is not run", k.Name, n.Name)
	}
	return nil
}

// attributes notes what is to be said of the attributes of n.
func (w *walk) attributes(n *xmltree.Node, e *Element) {
	for i := range n.Attrs {
		written := &n.Attrs[i]
		a := w.Attr(e, written.Name)
		switch {
		case a == nil && (w.IsOpen(e) || foreign(written.Name)):
		case a == nil:
			near := w.near(written.Name, e, true)
			w.say(n, written.Name, w.unknown(near), "attribute %q of <%s> is not known%s", written.Name, n.Name, near)
		case a.Use == Understood, a.Use == Cosmetic, a.Asks(written.Value):
		case a.Use == NoEffect:
			w.say(n, written.Name, scene.Ignored, "attribute %q of <%s> has no effect here", written.Name,
				n.Name)
		default:
			w.say(n, written.Name, scene.Unsupported, "attribute %q of <%s> is not run", written.Name, n.Name)
		}
	}
}

// Asks reports that a value asks for what is done anyway.
func (a *Attribute) Asks(value string) bool {
	value = strings.Join(strings.Fields(value), " ")
	for _, v := range a.Idle {
		if strings.EqualFold(v, value) {
			return true
		}
	}
	return false
}

// unknown is the kind of a note about a name that is not known, with the name that may be meant.
func (w *walk) unknown(near string) scene.NoteKind {
	if w.Refuses && near == "" {
		return scene.Unsupported
	}
	return source.UnknownKind(near)
}

// near asks for the name that was meant.
func (w *walk) near(name string, in *Element, attrs bool) string {
	if w.left--; w.left < 0 {
		return ""
	}
	return source.Near(name, w.names(in, attrs))
}

// say makes a note, unless there is one at that place that names the same.
func (w *walk) say(n *xmltree.Node, name string, kind scene.NoteKind, format string, args ...any) {
	if !w.doc.Noted(n, name) {
		w.doc.Note(kind, n, format, args...)
	}
}

// content is the text of an element and of those inside it.
func content(n *xmltree.Node) string {
	text := n.Value()
	for _, k := range n.Kids {
		text += " " + content(k)
	}
	return strings.TrimSpace(text)
}
