package mjcf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// elem is an element with the document that it stands in: an included one has its own lines.
type elem struct {
	*xmltree.Node
	doc *source.Doc
}

func (e elem) errorf(format string, args ...any) error { return e.doc.Errorf(e.Node, format, args...) }

func (e elem) note(kind scene.NoteKind, format string, args ...any) {
	e.doc.Note(kind, e.Node, format, args...)
}

// document is one file with those that it includes; an attached model has its own.
type document struct {
	top      *source.Doc
	sections []elem // the children of its root
	included map[*xmltree.Node]elem
	within   map[*xmltree.Node]string // of the roots of included files: what their content stands in
	opened   *[]opened                // with those of attached models
}

// kids are the children of an element with those of the files that it includes in their place.
func (d *document) kids(e elem) ([]elem, error) {
	out := make([]elem, 0, len(e.Kids))
	for _, k := range e.Kids {
		if k.Name != "include" {
			out = append(out, elem{k, e.doc})
			continue
		}
		in, err := d.include(elem{k, e.doc}, d.place(e))
		if err != nil {
			return nil, err
		}
		more, err := d.kids(in)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// parts reads the children of an element one after the other, and counts them.
func (d *document) parts(e elem, read func(elem) error) error {
	kids, err := d.kids(e)
	if err != nil {
		return err
	}
	for _, k := range kids {
		if err := k.doc.Part(k.Node); err != nil {
			return err
		}
		if err := read(k); err != nil {
			return err
		}
	}
	return nil
}

// maxIncludes bounds includes inside includes.
const maxIncludes = 32

// include opens the file that an <include> names, once. Its address is meant from the folder of the outermost
// file, or else from that of the file that includes it.
func (d *document) include(e elem, within string) (elem, error) {
	if in, known := d.included[e.Node]; known {
		return in, nil
	}
	file := e.Get("file")
	if file == "" {
		return e, e.errorf("<include> names no file")
	}
	if e.doc.Budget.Includes--; e.doc.Budget.Includes < 0 {
		return e, e.errorf("more than 5000 includes in one document with all that it includes")
	}
	if len(e.doc.Parents) >= maxIncludes {
		return e, e.errorf("includes inside includes deeper than %d", maxIncludes)
	}
	from := *e.doc
	from.Ref = d.top.Ref
	in, err := e.doc.Files.Model(file, &from)
	if err != nil && e.doc.Ref != d.top.Ref && errors.Is(err, asset.ErrNotFound) {
		in, err = e.doc.Files.Model(file, e.doc)
	}
	if err != nil {
		return e, fmt.Errorf("%w: %s:%v: <include file=%q>: %w", scene.ErrParse, e.doc.Name, e.Pos,
			clip(file), err)
	}
	in.Parents = append(append([]asset.Ref{}, e.doc.Parents...), e.doc.Ref)
	for _, p := range in.Parents {
		if p == in.Ref {
			return e, e.errorf("%s includes itself", in.Name)
		}
	}
	root := elem{in.Tree.Root, in}
	if root.Name != Root && root.Name != "mujocoinclude" {
		return e, root.errorf("root element <%.40s>; an included file begins with <mujoco> or <mujocoinclude>",
			root.Name)
	}
	d.included[e.Node] = root
	d.within[root.Node] = within
	*d.opened = append(*d.opened, opened{root, within})
	return root, nil
}

// place is the name of the element whose content e has: that around its include, where e is a file's root.
func (d *document) place(e elem) string {
	if within, included := d.within[e.Node]; included {
		return within
	}
	return e.Name
}

// attrs are the attributes of an element and, behind them, those that its class gives: the first that is
// written counts.
type attrs []elem

func (a attrs) own() elem { return a[0] }

// find is an attribute as it is written, and where.
func (a attrs) find(name string) (text string, at elem, ok bool) {
	for _, e := range a {
		if text, ok := e.Attr(name); ok {
			return strings.TrimSpace(text), e, true
		}
	}
	return "", elem{}, false
}

func (a attrs) text(name string) string {
	text, _, _ := a.find(name)
	return text
}

func (a attrs) has(name string) bool {
	_, _, ok := a.find(name)
	return ok
}

// numbers are from least to most finite numbers of an attribute; nil when it is not written.
func (a attrs) numbers(name string, least, most int) ([]float64, error) {
	text, at, ok := a.find(name)
	if !ok {
		return nil, nil
	}
	words := strings.Fields(text)
	if len(words) < least || len(words) > most {
		want := strconv.Itoa(least)
		if most > least {
			want += " to " + strconv.Itoa(most)
		}
		return nil, at.errorf("%s=%q of <%s> has %d numbers, needs %s", name, clip(text), at.Name, len(words),
			want)
	}
	out := make([]float64, len(words))
	for i, w := range words {
		f, err := at.doc.Number(at.Node, w)
		if err != nil {
			return nil, err
		}
		out[i] = f
	}
	return out, nil
}

// vec is three numbers, or otherwise when they are not written.
func (a attrs) vec(name string, otherwise r3.Vec) (r3.Vec, error) {
	f, err := a.numbers(name, 3, 3)
	if err != nil || f == nil {
		return otherwise, err
	}
	return r3.V(f[0], f[1], f[2]), nil
}

// number is a single number, or otherwise when it is not written.
func (a attrs) number(name string, otherwise float64) (float64, error) {
	f, err := a.numbers(name, 1, 1)
	if err != nil || f == nil {
		return otherwise, err
	}
	return f[0], nil
}

// first is the first of up to most numbers: newer files write polynomials where a coefficient was.
func (a attrs) first(name string, most int, otherwise float64) (float64, error) {
	f, err := a.numbers(name, 1, most)
	if err != nil || f == nil {
		return otherwise, err
	}
	for _, more := range f[1:] {
		if more != 0 {
			_, at, _ := a.find(name)
			at.note(scene.Unsupported, "%s of <%s> is a polynomial; using its first coefficient", name,
				at.Name)
			break
		}
	}
	return f[0], nil
}

// whole is a whole number of contact bits.
func (a attrs) whole(name string, otherwise int) (int, error) {
	f, err := a.number(name, float64(otherwise))
	if err != nil {
		return 0, err
	}
	if f != float64(int64(f)) || f < -1<<31 || f >= 1<<32 {
		_, at, _ := a.find(name)
		return 0, at.errorf("%s=%q of <%s> is no whole number of 32 bits", name, clip(at.Get(name)), at.Name)
	}
	return int(int64(f)), nil
}

// truth is "true", "false" or, where it is not written or says "auto", otherwise.
func (a attrs) truth(name string, otherwise bool) (bool, error) {
	text, at, ok := a.find(name)
	switch {
	case !ok || text == "auto":
		return otherwise, nil
	case text == "true" || text == "enable" || text == "1":
		return true, nil
	case text == "false" || text == "disable" || text == "0":
		return false, nil
	}
	return false, at.errorf("%s=%q of <%s>; true or false is meant", name, clip(text), at.Name)
}

// word is one of several words, the first where it is not written.
func (a attrs) word(name string, words ...string) (string, error) {
	text, at, ok := a.find(name)
	if !ok {
		return words[0], nil
	}
	for _, w := range words {
		if w == text {
			return w, nil
		}
	}
	return "", at.errorf("%s=%q of <%s>; known are %s%s", name, clip(text), at.Name,
		strings.Join(words, ", "), source.Near(text, words))
}

// clip cuts a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// plain is a name with only what the names of entities may have: letters, digits and _ / - and the point.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("_/-.", c):
			return c
		}
		return '_'
	}, clipName(strings.TrimSpace(name)))
}

func clipName(name string) string {
	if len(name) > 200 {
		return name[:200]
	}
	return name
}
