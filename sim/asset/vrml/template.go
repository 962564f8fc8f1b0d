package vrml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Template is the body of a PROTO as a program makes it: text with statements of a language between tokens.
type Template struct {
	Pos         Pos    // of the first character
	Text        string // all between the braces of the body
	Open, Close string // tokens around a statement
	JavaScript  bool   // the language; else Lua
}

// made takes the body of a PROTO as a template when there is a statement in it; nil: there is none. The {
// of the body is ahead.
func (p *parser) made() (*Template, error) {
	t := &Template{Open: "%{", Close: "}%"}
	head := strings.ToLower(p.text[:p.at])
	t.JavaScript = strings.Contains(head, "template language: javascript")
	body, lua := strings.Index(p.text[p.at:], "%<"), strings.Index(p.text[p.at:], "%{")
	switch {
	case body < 0 && lua < 0:
		return nil, nil
	case body >= 0 && (t.JavaScript || lua < 0 || body < lua):
		t.Open, t.Close, t.JavaScript = "%<", ">%", true
	}
	to, found, err := p.bodyEnd(t)
	if err != nil || !found {
		return nil, err
	}
	t.Text, t.Pos = p.text[p.at:to], p.pos(p.at)
	for i := p.at; i < to; i++ {
		if p.text[i] == '\n' {
			p.line, p.begin = p.line+1, i+1
		}
	}
	p.at = to + 1
	return t, p.advance()
}

// bodyEnd is the offset of the brace that closes the body of a PROTO, and whether a statement is before it.
// Braces in statements do not count. Those of a text that is made conditionally may be uneven; then the body
// goes to the last brace of the file.
func (p *parser) bodyEnd(t *Template) (to int, found bool, err error) {
	depth, last := 1, -1
	for c := (Chunks{Text: p.text, Open: t.Open, Close: t.Close, At: p.at}); c.At < len(p.text); {
		at := c.At
		kind, err := c.Next()
		b := p.text[at]
		if kind != Statement && kind != Comment && b == '}' {
			last = at
		}
		switch {
		case err != nil:
			return 0, false, p.fail(After(p.pos(p.at), p.text[p.at:at]), "%v", err)
		case kind == Statement:
			found = true
		case kind == Character && b == '{':
			depth++
		case kind == Character && b == '}':
			if depth--; depth == 0 && (!found || p.ends(c.At)) {
				return at, found, nil
			}
		}
	}
	if found && last < 0 {
		return 0, false, p.fail(p.pos(p.at), "the body of the PROTO that begins here is never closed with }")
	}
	return max(last, 0), found, nil
}

// ends reports that nothing of a body follows.
func (p *parser) ends(at int) bool {
	rest := scanner{text: p.text, at: at, place: func(int) Pos { return Pos{} }}
	t, err := rest.next()
	return err == nil && (t.kind == end || t.kind == word && (t.text == "PROTO" || t.text == "EXTERNPROTO" ||
		t.text == "IMPORTABLE")) || p.depth > 1
}

// Kind of a chunk of a template.
type Kind uint8

// Kinds.
const (
	Character Kind = iota // outside of strings
	Quoted                // a part of a string, or its quotes
	Comment               // up to the end of the line: nothing in it is a statement
	Statement             // with its tokens
)

// Chunks takes a template apart.
type Chunks struct {
	Text        string
	Open, Close string // tokens around a statement
	At          int    // where the next one begins
	quoted      bool
}

// Next passes the next chunk, which ends where the one after it begins. The error says why a statement has no
// end.
func (c *Chunks) Next() (Kind, error) {
	rest, kind := c.Text[c.At:], Character
	if c.quoted {
		kind = Quoted
	}
	switch {
	case strings.HasPrefix(rest, c.Open):
		n := strings.Index(rest, c.Close)
		if n < 0 {
			return 0, fmt.Errorf("the statement that begins here with %s is never closed with %s", c.Open,
				c.Close)
		}
		c.At += n + len(c.Close)
		return Statement, nil
	case rest[0] == '"':
		kind, c.quoted = Quoted, !c.quoted
	case c.quoted && rest[0] == '\\' && len(rest) > 1:
		c.At++
	case !c.quoted && rest[0] == '#':
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		c.At += n
		return Comment, nil
	}
	c.At++
	return kind, nil
}

// ParseBody reads what a template made: the nodes of a PROTO's body, and PROTOs of its own. place gives
// the origin of an offset of the text. Errors are *SyntaxError.
func ParseBody(text string, place func(offset int) Pos) (*File, error) {
	p := &parser{file: &File{}, defs: map[string]*Node{}}
	p.text, p.line, p.place = text, 1, place
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

// After is the place at the end of a text that begins at a place.
func After(begin Pos, text string) Pos {
	if n := strings.Count(text, "\n"); n > 0 {
		text = text[strings.LastIndexByte(text, '\n')+1:]
		return Pos{begin.Line + n, 1 + utf8.RuneCountInString(text)}
	}
	return Pos{begin.Line, begin.Column + utf8.RuneCountInString(text)}
}
