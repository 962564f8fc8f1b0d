package rosidl

import (
	"fmt"
	"slices"
	"strings"
)

// line is one line of a definition on its way into a Struct.
type line struct {
	text string
	at   Position // of the line's first byte
	pkg  string   // the package the definition belongs to
}

func (l *line) fail(offset int, err error, format string, args ...any) error {
	at := l.at
	at.Column += offset
	return &Error{at, fmt.Sprintf(format, args...), err}
}

// next gives the end of the word that begins at from; a word ends before white space, '=' when alone, or a
// comment.
func (l *line) next(from int, stop string) int {
	if i := strings.IndexAny(l.text[from:], stop); i >= 0 {
		return from + i
	}
	return len(l.text)
}

// skip gives the first offset from which there is no white space.
func (l *line) skip(from int) int {
	for from < len(l.text) && strings.IndexByte(" \t", l.text[from]) >= 0 {
		from++
	}
	return from
}

// parse adds to s what the line declares, if anything.
func (l *line) parse(s *Struct) error {
	start := l.skip(0)
	end := l.next(start, " \t#")
	if start == end {
		return nil // blank or comment
	}
	t, err := l.parseType(start, end)
	if err != nil {
		return err
	}
	nameAt := l.skip(end)
	nameEnd := l.next(nameAt, " \t#=")
	name := l.text[nameAt:nameEnd]
	if name == "" {
		return l.fail(nameAt, ErrSyntax, "a name must follow the type %s", l.text[start:end])
	}
	if slices.ContainsFunc(s.Fields, func(f Field) bool { return f.Name == name }) ||
		slices.ContainsFunc(s.Constants, func(c Constant) bool { return c.Name == name }) {
		return l.fail(nameAt, ErrDuplicate, "%s is declared before in %s", name, s.Name)
	}
	at := l.at
	at.Column += nameAt
	rest := l.skip(nameEnd)
	if rest < len(l.text) && l.text[rest] == '=' {
		return l.parseConstant(s, Constant{Name: name, Type: t, Position: at}, nameAt, l.skip(rest+1))
	}
	return l.parseField(s, Field{Name: name, Type: t, Position: at}, nameAt, rest)
}

func (l *line) parseConstant(s *Struct, c Constant, nameAt, valueAt int) error {
	if !isConstantName(c.Name) {
		return l.fail(nameAt, ErrName, "constant %q, want upper case letters, digits and single underscores",
			c.Name)
	}
	if c.Type.Base == Nested || c.Type.Shape != Single || c.Type.StringBound > 0 {
		return l.fail(l.skip(0), ErrType, "constant %s has type %v, want a plain primitive type", c.Name,
			c.Type)
	}
	text, err := l.valueText(valueAt)
	if err != nil {
		return err
	}
	if text == "" {
		return l.fail(valueAt, ErrValue, "constant %s has no value", c.Name)
	}
	value, problem := parseValue(c.Type, text)
	if problem != "" {
		return l.fail(valueAt, ErrValue, "constant %s: %s", c.Name, problem)
	}
	c.Value = value
	s.Constants = append(s.Constants, c)
	return nil
}

func (l *line) parseField(s *Struct, f Field, nameAt, defaultAt int) error {
	if !isFieldName(f.Name) {
		return l.fail(nameAt, ErrName, "field %q, want lower case letters, digits and single underscores",
			f.Name)
	}
	text, err := l.valueText(defaultAt)
	if err != nil {
		return err
	}
	if text != "" {
		value, problem := parseDefault(f.Type, text)
		if problem != "" {
			return l.fail(defaultAt, ErrValue, "default of %s: %s", f.Name, problem)
		}
		f.Default, f.DefaultText = value, text
	}
	s.Fields = append(s.Fields, f)
	return nil
}

// valueText is the rest of the line without its comment; a # between quotes begins none.
func (l *line) valueText(from int) (string, error) {
	quote, end := byte(0), len(l.text)
	for i := from; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\'') && opensQuote(l.text[from:i]):
			quote = c
		case quote == 0 && c == '#':
			end, i = i, len(l.text)
		}
	}
	if quote != 0 {
		return "", l.fail(from, ErrValue, "%s has no closing %c", l.text[from:], quote)
	}
	return strings.TrimSpace(l.text[from:end]), nil
}

// opensQuote: a quote is one at the beginning of a value or of an element, an apostrophe elsewhere.
func opensQuote(before string) bool {
	before = strings.TrimRight(before, " \t")
	return before == "" || strings.HasPrefix(before, "[") &&
		strings.IndexByte("[,", before[len(before)-1]) >= 0
}
