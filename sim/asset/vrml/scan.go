package vrml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// kind of a token.
type kind uint8

const (
	end kind = iota
	word
	quoted
	open   // {
	closed // }
	openList
	closedList
)

type token struct {
	kind kind
	text string // of a word as written, of a string without quotes and escapes
	pos  Pos
}

// String is the name of a token in messages.
func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case quoted:
		return "a string"
	case open:
		return "{"
	case closed:
		return "}"
	case openList:
		return "["
	case closedList:
		return "]"
	}
	return fmt.Sprintf("%q", clip(t.text))
}

// clip cuts a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:57], "") + "..."
	}
	return s
}

// scanner takes a text apart into tokens. Commas are white space, # begins a comment.
type scanner struct {
	text     string
	at       int
	line     int
	begin    int // of the line
	counted  int // so far in the line are so many columns: a text may be one line
	columns  int
	template bool
	place    func(offset int) Pos // where a text that a template made comes from; nil: it is a file's
}

func (s *scanner) pos(at int) Pos {
	if s.place != nil {
		return s.place(at)
	}
	if s.counted < s.begin || at < s.counted {
		s.counted, s.columns = s.begin, 0
	}
	s.columns += utf8.RuneCountInString(s.text[s.counted:at])
	s.counted = at
	return Pos{s.line, 1 + s.columns}
}

func (s *scanner) next() (token, error) {
	s.skip()
	if s.at >= len(s.text) {
		return token{kind: end, pos: s.pos(len(s.text))}, nil
	}
	from, pos := s.at, s.pos(s.at)
	switch c := s.text[s.at]; c {
	case '{', '}', '[', ']':
		s.at++
		return token{kind: bracket(c), pos: pos}, nil
	case '"':
		return s.quoted(pos)
	case '%':
		if rest := s.text[s.at:]; s.place == nil && (strings.HasPrefix(rest, "%<") ||
			strings.HasPrefix(rest, "%{")) {
			return token{}, misplaced(pos, rest)
		}
	}
	for s.at < len(s.text) && !delimits(s.text[s.at]) {
		s.at++
	}
	return token{kind: word, text: s.text[from:s.at], pos: pos}, nil
}

// bracket is the kind of one.
func bracket(c byte) kind {
	switch c {
	case '{':
		return open
	case '}':
		return closed
	case '[':
		return openList
	}
	return closedList
}

// misplaced is the refusal of a template that is not in the body of a PROTO.
func misplaced(pos Pos, rest string) error {
	return &SyntaxError{Pos: pos, Text: fmt.Sprintf(
		"a template (%s) begins here; templates stand in the body of a PROTO alone", rest[:2])}
}

func delimits(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', '{', '}', '[', ']', '"', '#':
		return true
	}
	return false
}

// skip passes over white space and comments.
func (s *scanner) skip() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '\n':
			s.at++
			s.line, s.begin = s.line+1, s.at
		case ' ', '\t', '\r', ',':
			s.at++
		case '#':
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

// quoted reads a string, which may go over lines. A backslash keeps its place before anything but a quote and
// itself: paths of Windows stand in worlds.
func (s *scanner) quoted(pos Pos) (token, error) {
	s.at++
	from, plain := s.at, true
	var b strings.Builder
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			t := token{kind: quoted, text: s.text[from:s.at], pos: pos}
			if !plain {
				t.text = b.String()
			}
			s.at++
			return t, nil
		case c == '\\' && s.at+1 < len(s.text) && (s.text[s.at+1] == '"' || s.text[s.at+1] == '\\'):
			if plain {
				plain = false
				b.WriteString(s.text[from:s.at])
			}
			b.WriteByte(s.text[s.at+1])
			s.at += 2
			continue
		case c == '\n':
			s.line, s.begin = s.line+1, s.at+1
		case c == '%' && s.template:
			if rest := s.text[s.at:]; strings.HasPrefix(rest, "%<") || strings.HasPrefix(rest, "%{") {
				return token{}, misplaced(s.pos(s.at), rest)
			}
		}
		if !plain {
			b.WriteByte(s.text[s.at])
		}
		s.at++
	}
	return token{}, &SyntaxError{Pos: pos, Text: "this string never ends; a \" is missing"}
}
