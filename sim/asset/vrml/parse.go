package vrml

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of one text.
const (
	maxDepth   = 512     // nodes inside nodes
	maxParts   = 400_000 // nodes and fields
	maxNumbers = 3_000_000
)

// parser of one text.
type parser struct {
	scanner
	file    *File
	ahead   token
	defs    map[string]*Node
	depth   int
	parts   int
	numbers int
}

// Parse reads a text. Errors are *SyntaxError.
func Parse(data []byte) (*File, error) {
	p := &parser{file: &File{}, defs: map[string]*Node{}}
	p.text, p.line = strings.TrimPrefix(string(data), "\ufeff"), 1
	if !utf8.ValidString(p.text) {
		p.text = latin(p.text)
		p.warn(Pos{1, 1}, "the text is not UTF-8; it is read as ISO 8859-1")
	}
	if i := strings.IndexByte(p.text, 0); i >= 0 {
		lines := strings.Split(p.text[:i], "\n")
		at := Pos{len(lines), utf8.RuneCountInString(lines[len(lines)-1]) + 1}
		return nil, p.fail(at, "a NUL byte, which no text has: the file is damaged, or is no text")
	}
	p.header()
	if err := p.advance(); err != nil {
		return nil, err
	}
	for p.ahead.kind != end {
		if err := p.statement(); err != nil {
			return nil, err
		}
	}
	return p.file, nil
}

// latin reads bytes as ISO 8859-1.
func latin(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}

func (p *parser) warn(pos Pos, format string, args ...any) {
	const most = 100
	if len(p.file.Warnings) < most {
		p.file.Warnings = append(p.file.Warnings, Warning{pos, fmt.Sprintf(format, args...)})
	}
}

func (p *parser) fail(pos Pos, format string, args ...any) error {
	return &SyntaxError{Pos: pos, Text: fmt.Sprintf(format, args...)}
}

// header reads the first line, which for the syntax is a comment.
func (p *parser) header() {
	line, _, _ := strings.Cut(p.text, "\n")
	var words []string
	for word := range strings.FieldsSeq(line) { // the line may be the whole text
		if words = append(words, word); len(words) == 2 {
			break
		}
	}
	if len(words) < 2 || words[0] != "#VRML_SIM" && words[0] != "#VRML" {
		return
	}
	h := &p.file.Header
	h.Written, h.Version = true, words[1]
	if v := words[1]; len(v) == 6 && v[0] == 'R' && v[5] >= 'a' && v[5] <= 'z' {
		if year, err := strconv.Atoi(v[1:5]); err == nil && year > 2000 {
			h.Release = 10*year + int(v[5]-'a')
		}
	}
}

func (p *parser) advance() (err error) {
	p.ahead, err = p.next()
	return err
}

// take expects a token of a kind and goes past it.
func (p *parser) take(k kind, meant string) (token, error) {
	t := p.ahead
	if t.kind != k {
		return t, p.fail(t.pos, "%v, want %s", t, meant)
	}
	return t, p.advance()
}

// statement reads what stands at the top of a file.
func (p *parser) statement() error {
	t := p.ahead
	if t.kind != word {
		return p.fail(t.pos, "%v, want a node", t)
	}
	switch t.text {
	case "IMPORTABLE":
		if err := p.advance(); err != nil {
			return err
		}
		if p.ahead.kind != word || p.ahead.text != "EXTERNPROTO" {
			return p.fail(p.ahead.pos, "%v, want EXTERNPROTO", p.ahead)
		}
		return nil
	case "EXTERNPROTO":
		return p.extern()
	case "PROTO":
		return p.proto()
	case "ROUTE":
		p.warn(t.pos, "a ROUTE is ignored: worlds of Webots have none")
		for p.ahead.kind == word && p.ahead.pos.Line == t.pos.Line {
			if err := p.advance(); err != nil {
				return err
			}
		}
		return nil
	}
	n, err := p.node()
	if err == nil {
		p.file.Nodes = append(p.file.Nodes, n)
	}
	return err
}

func (p *parser) extern() error {
	pos := p.ahead.pos
	if err := p.advance(); err != nil {
		return err
	}
	if p.ahead.kind == word { // VRML97 names it, and lists its fields
		if err := p.advance(); err != nil {
			return err
		}
		if p.ahead.kind != openList {
			return p.fail(p.ahead.pos, "%v, want the address of a PROTO in quotes", p.ahead)
		}
		if err := p.balanced(openList, closedList); err != nil {
			return err
		}
	}
	t, err := p.take(quoted, "the address of a PROTO in quotes")
	if err == nil {
		p.file.Externs = append(p.file.Externs, Extern{pos, t.text})
	}
	return err
}

// balanced passes over all between a bracket and the one that closes it.
func (p *parser) balanced(a, b kind) error {
	from := p.ahead.pos
	for depth := 0; ; {
		switch p.ahead.kind {
		case a:
			depth++
		case b:
			depth--
		case end:
			return p.fail(from, "this bracket is never closed")
		}
		if err := p.advance(); err != nil || depth == 0 {
			return err
		}
	}
}

// part counts nodes and fields.
func (p *parser) part(pos Pos) error {
	if p.parts++; p.parts > maxParts {
		return p.fail(pos, "more than %d nodes and fields", maxParts)
	}
	return nil
}

// node reads a node, with DEF before it, or the one that a USE names.
func (p *parser) node() (*Node, error) {
	t, err := p.take(word, "a node")
	if err != nil {
		return nil, err
	}
	if err := p.part(t.pos); err != nil {
		return nil, err
	}
	switch t.text {
	case "USE":
		name, err := p.take(word, "the name of a node")
		if err != nil {
			return nil, err
		}
		n := p.defs[name.text]
		if n == nil {
			return nil, p.fail(name.pos, "USE %q, but no node before it has that name", clip(name.text))
		}
		return n, nil
	case "DEF":
		name, err := p.take(word, "a name")
		if err != nil {
			return nil, err
		}
		kind, err := p.take(word, "a node")
		if err != nil {
			return nil, err
		}
		n, err := p.body(kind)
		if err == nil {
			n.Def = name.text
			p.defs[name.text] = n // the last of that name holds
		}
		return n, err
	}
	return p.body(t)
}

// body reads the fields of a node whose type has been read.
func (p *parser) body(t token) (*Node, error) {
	if c := t.text[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		return nil, p.fail(t.pos, "%v, want a node", t)
	}
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(t.pos, "nodes inside nodes deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	begin, err := p.take(open, fmt.Sprintf("{ after %v", t))
	if err != nil {
		return nil, err
	}
	n := &Node{Type: t.text, Pos: t.pos}
	for p.ahead.kind != closed {
		if p.ahead.kind == end {
			return nil, p.fail(begin.pos, "the { of %s is never closed", n.Type)
		}
		f, err := p.field()
		if err != nil {
			return nil, err
		}
		if len(n.Fields) < 100 && n.Field(f.Name) != nil {
			p.warn(f.Pos, "field %q of %s is given twice; the last holds", clip(f.Name), n.Type)
		}
		n.Fields = append(n.Fields, f)
	}
	return n, p.advance()
}

func (p *parser) field() (Field, error) {
	name, err := p.take(word, "a field or }")
	if err == nil && name.text == "hidden" { // Webots saves the internals of a PROTO so
		name, err = p.take(word, "a field")
	}
	if err != nil {
		return Field{}, err
	}
	f := Field{Name: name.text, Pos: name.pos}
	if err := p.part(f.Pos); err != nil {
		return f, err
	}
	f.Value, err = p.value(&f)
	return f, err
}
