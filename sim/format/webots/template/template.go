// Package template evaluates the templates of Webots' PROTO files, which make the body of a PROTO from the
// fields of an instance. Statements of JavaScript are between %< and >%. Those of Lua, between %{ and }%, are
// not run.
//
// A template sees its fields, its place, and the modules that Webots documents: no file, network, clock or
// variable of the environment. Its random numbers begin with the same seed. Its resources are bounded
// (budget.go): steps are counted, texts and tables weighed, and an evaluation ends after a second. The
// modules were written here from Webots' reference manual.
package template

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"simdeck/sim/asset/vrml"
)

// Input has all that a template sees.
type Input struct {
	Fields  *Object // by name: objects with value and defaultValue
	Context *Object // where it stands
}

// Result is the text of a template, evaluated.
type Result struct {
	Text  string
	Said  []string // the first few errors and warnings that it wrote
	marks []mark
	lines *lines
}

// Error says what is wrong in a template, and where in the file that it is part of.
type Error struct {
	Pos  vrml.Pos
	Text string
	Err  error // the bound that was exceeded, the reason to end early, or ErrLua; nil: another error
}

// Error is "line:column: text".
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Text }

// Unwrap is the bound that was exceeded.
func (e *Error) Unwrap() error { return e.Err }

// mark says where in the template a part of the result comes from.
type mark struct {
	out, from int
	literal   bool // it is as written there; else all of it comes from that place
}

// Place is the origin of an offset of the result.
func (r *Result) Place(offset int) vrml.Pos {
	i, found := slices.BinarySearchFunc(r.marks, offset,
		func(m mark, at int) int { return cmp.Compare(m.out, at) })
	if !found {
		i--
	}
	if i < 0 {
		return r.lines.begin
	}
	from := r.marks[i].from
	if r.marks[i].literal {
		from += offset - r.marks[i].out
	}
	return r.lines.place(from)
}

// maxProgram bounds the statements of one template, in bytes: interpreters take many times that.
const maxProgram = 128 << 10

// ErrLua is a template in Lua.
var ErrLua = errors.New(`templates in Lua (%{ … }%) are not run; write it in JavaScript (%< … >%, with ` +
	`"# template language: javascript"), as Webots has it since R2022a, or let Webots convert the node to base nodes`)

// Run evaluates a template within a budget. Errors are *Error.
func Run(t *vrml.Template, in Input, b *Budget) (*Result, error) {
	l := newLines(t)
	if !t.JavaScript {
		return nil, &Error{Pos: l.place(firstStatement(t)), Text: ErrLua.Error(), Err: ErrLua}
	}
	p, err := split(t, l)
	if err != nil {
		return nil, err
	}
	out := &output{source: t.Text, parts: p.parts, meter: b.meter()}
	stop := b.watch(out.meter)
	err = p.javaScript(in, out)
	stop()
	b.spend(out.meter)
	if err != nil {
		return nil, err
	}
	return &Result{Text: out.text.String(), Said: out.said, marks: out.marks, lines: l}, nil
}

// firstStatement is the offset of the first statement of a template.
func firstStatement(t *vrml.Template) int {
	for c := (vrml.Chunks{Text: t.Text, Open: t.Open, Close: t.Close}); c.At < len(t.Text); {
		at := c.At
		if kind, err := c.Next(); err != nil || kind == vrml.Statement {
			return at
		}
	}
	return 0
}

// output takes what a program writes.
type output struct {
	source string
	parts  []part
	text   strings.Builder
	marks  []mark
	said   []string
	meter  *meter
}

// maxOutput bounds the text that a template makes.
const maxOutput = 16 << 20

// literal writes a part of the template as it stands there.
func (o *output) literal(k int) {
	if k >= 0 && k < len(o.parts) {
		p := o.parts[k]
		o.write(o.source[p.from:p.to], p.from, true)
	}
}

// put writes what the statement of a part came to.
func (o *output) put(k int, text string) {
	if k >= 0 && k < len(o.parts) {
		o.write(text, o.parts[k].from, false)
	}
}

func (o *output) write(text string, from int, literal bool) {
	const weight = 32 // of a mark
	if text == "" || !o.meter.allocate(len(text)+weight) {
		return
	}
	if o.text.Len()+len(text) > maxOutput {
		o.meter.exceed(fmt.Errorf("%w: it makes more than %d bytes of text", ErrLimit, maxOutput))
		return
	}
	o.marks = append(o.marks, mark{o.text.Len(), from, literal})
	o.text.WriteString(text)
}

// say keeps a message of a program.
func (o *output) say(text string) {
	const most, longest = 20, 200
	if len(o.said) < most {
		if len(text) > longest {
			text = strings.ToValidUTF8(text[:longest], "") + "…"
		}
		o.said = append(o.said, text)
	}
}

// lines finds places in a template.
type lines struct {
	begin  vrml.Pos
	text   string
	starts []int
	// The place found last: a text may be one line.
	line, at, columns int
}

func newLines(t *vrml.Template) *lines {
	l := &lines{begin: t.Pos, text: t.Text, starts: []int{0}, line: -1}
	for i := range len(t.Text) {
		if t.Text[i] == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// place is the place in the file of an offset of the template.
func (l *lines) place(offset int) vrml.Pos {
	offset = max(0, min(offset, len(l.text)))
	i, found := slices.BinarySearch(l.starts, offset)
	if !found {
		i--
	}
	if i != l.line || offset < l.at {
		l.line, l.at, l.columns = i, l.starts[i], 0
	}
	l.columns += utf8.RuneCountInString(l.text[l.at:offset])
	l.at = offset
	if i == 0 {
		return vrml.Pos{Line: l.begin.Line, Column: l.begin.Column + l.columns}
	}
	return vrml.Pos{Line: l.begin.Line + i, Column: 1 + l.columns}
}

// language begins messages.
const language = "JavaScript: "

// fault is an error at an offset of the template; the bound that was exceeded comes before what followed.
func (p *program) fault(from int, m *meter, text string) error {
	e := &Error{Pos: p.lines.place(from), Text: language + text}
	if m != nil && m.err != nil {
		e.Text, e.Err = language+m.err.Error(), m.err
		if !errors.Is(m.err, ErrLimit) {
			e.Text = m.err.Error()
		}
	}
	return e
}
