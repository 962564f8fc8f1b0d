package xmltree

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner walks a text and knows the line and column of where it is.
type scanner struct {
	src      string
	pos      int // bytes
	at       Pos
	warnings []Warning
}

func (s *scanner) done() bool { return s.pos >= len(s.src) }

// skip moves on by n bytes and counts lines and characters on the way.
func (s *scanner) skip(n int) {
	part := s.src[s.pos : s.pos+n]
	s.pos += n
	if lines := strings.Count(part, "\n"); lines > 0 {
		s.at.Line += lines
		s.at.Column = 1
		part = part[strings.LastIndexByte(part, '\n')+1:]
	}
	s.at.Column += utf8.RuneCountInString(part)
}

func (s *scanner) warn(p Pos, text string) {
	if len(s.warnings) < 100 {
		s.warnings = append(s.warnings, Warning{p, text})
	}
}

func (s *scanner) fail(p Pos, format string, args ...any) error {
	return &SyntaxError{p, fmt.Sprintf(format, args...)}
}

func (s *scanner) space() {
	n := 0
	for s.pos+n < len(s.src) && isSpace(s.src[s.pos+n]) {
		n++
	}
	s.skip(n)
}

func (s *scanner) comment() error {
	start := s.at
	end := strings.Index(s.src[s.pos+4:], "-->")
	if end < 0 {
		return s.fail(start, "comment is never closed")
	}
	if strings.Contains(s.src[s.pos+4:s.pos+4+end], "--") {
		s.warn(start, `"--" inside a comment`)
	}
	s.skip(4 + end + 3)
	return nil
}

// doctype skips a document type without internal subset; one with a subset may define entities and is
// refused.
func (s *scanner) doctype() error {
	start := s.at
	end := strings.IndexAny(s.src[s.pos+2:], "[>")
	if end < 0 {
		return s.fail(start, "declaration is never closed")
	}
	if s.src[s.pos+2+end] == '[' {
		return s.fail(start, "document type with an internal subset: entities are not expanded here")
	}
	s.warn(start, "document type ignored")
	s.skip(2 + end + 1)
	return nil
}

func (s *scanner) instruction() error {
	start := s.at
	end := strings.Index(s.src[s.pos:], "?>")
	if end < 0 {
		return s.fail(start, "processing instruction is never closed")
	}
	if strings.HasPrefix(s.src[s.pos:], "<?xml ") && strings.TrimSpace(s.src[:s.pos]) == "" && s.pos > 0 {
		s.warn(start, "white space before the XML declaration")
	}
	s.skip(end + 2)
	return nil
}

// tag reads a start tag; closed says that it ended with "/>".
func (s *scanner) tag() (n *Node, closed bool, err error) {
	n = &Node{Pos: s.at}
	s.skip(1)
	if n.Name = s.name(); n.Name == "" {
		return nil, false, s.fail(n.Pos, "a < that starts no tag; write &lt;")
	}
	if strings.Count(n.Name, ":") > 1 {
		s.warn(n.Pos, "tag name <"+short(n.Name)+"> with more than one colon")
	}
	for {
		s.space()
		switch {
		case s.done():
			return nil, false, s.fail(n.Pos, "<%s> is never closed", short(n.Name))
		case s.src[s.pos] == '>':
			s.skip(1)
			return n, false, nil
		case strings.HasPrefix(s.src[s.pos:], "/>"):
			s.skip(2)
			return n, true, nil
		}
		a, err := s.attr(n)
		if err != nil {
			return nil, false, err
		}
		n.Attrs = append(n.Attrs, a)
	}
}

// maxAttrs bounds the attributes of an element: finding a doubled one compares each with each.
const maxAttrs = 256

func (s *scanner) attr(n *Node) (Attr, error) {
	start := s.at
	name := s.name()
	if name == "" {
		return Attr{}, s.fail(start, "%q in <%s> is no attribute", s.src[s.pos:s.pos+1], short(n.Name))
	}
	if _, twice := n.Attr(name); twice {
		return Attr{}, s.fail(start, "attribute %s is written twice in <%s>", short(name), short(n.Name))
	}
	if len(n.Attrs) >= maxAttrs {
		return Attr{}, s.fail(start, "more than %d attributes in <%s>", maxAttrs, short(n.Name))
	}
	s.space()
	if s.done() || s.src[s.pos] != '=' {
		return Attr{}, s.fail(s.at, "attribute %s of <%s> has no value; write %s=\"…\"", short(name),
			short(n.Name), short(name))
	}
	s.skip(1)
	s.space()
	if s.done() || (s.src[s.pos] != '"' && s.src[s.pos] != '\'') {
		return Attr{}, s.fail(s.at, "the value of %s in <%s> is not in quotes", short(name), short(n.Name))
	}
	quote, at := s.src[s.pos], s.at
	end := strings.IndexByte(s.src[s.pos+1:], quote)
	if end < 0 {
		return Attr{}, s.fail(at, "the value of %s in <%s> is never closed", short(name), short(n.Name))
	}
	raw := s.src[s.pos+1 : s.pos+1+end]
	s.skip(end + 2)
	value, err := s.unescape(raw, at)
	return Attr{name, value}, err
}

// name reads a name and moves behind it; empty when there is none.
func (s *scanner) name() string {
	n := 0
	for s.pos+n < len(s.src) && isName(s.src[s.pos+n], n == 0) {
		n++
	}
	name := s.src[s.pos : s.pos+n]
	s.skip(n)
	return name
}

// unescape replaces character references and the five entities of XML.
func (s *scanner) unescape(raw string, at Pos) (string, error) {
	amp := strings.IndexByte(raw, '&')
	if amp < 0 {
		return raw, nil
	}
	var b strings.Builder
	for amp >= 0 {
		b.WriteString(raw[:amp])
		raw = raw[amp:]
		end := strings.IndexByte(raw[:min(len(raw), 16)], ';')
		if end < 0 {
			return "", s.fail(at, "a & that starts no entity; write &amp;")
		}
		r, err := entity(raw[1:end])
		if err != nil {
			return "", s.fail(at, "%v", err)
		}
		b.WriteRune(r)
		raw = raw[end+1:]
		amp = strings.IndexByte(raw, '&')
	}
	b.WriteString(raw)
	return b.String(), nil
}

func entity(name string) (rune, error) {
	switch name {
	case "lt":
		return '<', nil
	case "gt":
		return '>', nil
	case "amp":
		return '&', nil
	case "quot":
		return '"', nil
	case "apos":
		return '\'', nil
	}
	digits, isRef := strings.CutPrefix(name, "#")
	if !isRef {
		return 0, fmt.Errorf("undefined entity &%s;", name)
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !legal(rune(v)) {
		return 0, fmt.Errorf("character reference &%s; is no character of XML", name)
	}
	return rune(v), nil
}

// legal is the Char production of XML 1.0 (fifth edition, §2.2).
func legal(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || (r >= 0x20 && r <= 0xd7ff) ||
		(r >= 0xe000 && r <= 0xfffd) || (r >= 0x10000 && r <= 0x10ffff)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func blank(s string) bool {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return false
		}
	}
	return true
}

func isName(c byte, first bool) bool {
	if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || c >= 0x80 {
		return true
	}
	return !first && (c >= '0' && c <= '9' || c == '-' || c == '.')
}

// short cuts a name for a message.
func short(s string) string {
	if len(s) <= 64 {
		return s
	}
	return s[:61] + "..."
}
