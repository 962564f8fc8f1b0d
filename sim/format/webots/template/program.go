package template

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"simdeck/sim/asset/vrml"
)

// part of a template: text as it is, or what is between the tokens of a statement.
type part struct {
	from, to   int
	literal    bool
	expression bool // its value is written
}

// program is a template as a text in JavaScript.
type program struct {
	text    string
	parts   []part
	origins []origin // in the order of the text
	lines   *lines
	b       strings.Builder
}

// origin says where in the template a part of the program comes from.
type origin struct {
	at, from int
	made     bool // it is written here: all of it comes from that place
}

// split makes a program of a template: writes of what stands between statements, in their order.
func split(t *vrml.Template, l *lines) (*program, error) {
	p := &program{lines: l}
	c := vrml.Chunks{Text: t.Text, Open: t.Open, Close: t.Close}
	from, size := 0, 0
	for c.At < len(t.Text) {
		at := c.At
		kind, err := c.Next()
		if err != nil {
			return nil, p.fault(at, nil, err.Error())
		}
		if kind != vrml.Statement {
			continue
		}
		if from < at {
			p.parts = append(p.parts, part{from: from, to: at, literal: true})
		}
		s := part{from: at + len(t.Open), to: c.At - len(t.Close)}
		if s.from < s.to && t.Text[s.from] == '=' {
			s.from++
			s.expression = true
		}
		p.parts = append(p.parts, s)
		from = c.At
		if size += s.to - s.from; size > maxProgram || len(p.parts) > maxProgram/8 {
			return nil, p.fault(at, nil, fmt.Sprintf("the statements have more than %d bytes, or are more than %d",
				maxProgram, maxProgram/16))
		}
	}
	if from < len(t.Text) {
		p.parts = append(p.parts, part{from: from, to: len(t.Text), literal: true})
	}
	for k, s := range p.parts {
		p.emit(t, k, s)
	}
	p.text = p.b.String()
	if at := nested(p.text); at >= 0 {
		return nil, p.fault(p.origin(at), nil, fmt.Sprintf("brackets or operators are nested deeper than %d",
			maxNested))
	}
	return p, nil
}

// emit appends the statement of a part.
func (p *program) emit(t *vrml.Template, k int, s part) {
	text := t.Text[s.from:s.to]
	switch {
	case s.literal && p.dropped(t, k, text):
	case s.literal:
		p.origins = append(p.origins, origin{p.b.Len(), s.from, true})
		fmt.Fprintf(&p.b, "\n__text(%d);", k)
	case s.expression:
		p.origins = append(p.origins, origin{p.b.Len(), s.from, true})
		fmt.Fprintf(&p.b, "\n__put(%d,(", k)
		p.copied(strings.TrimRight(text, "; \t\r\n"), s.from)
		p.b.WriteString("\n));")
	default:
		p.statement(text, s.from)
		p.b.WriteString("\n")
	}
}

// copied appends text of the template.
func (p *program) copied(text string, from int) {
	p.origins = append(p.origins, origin{p.b.Len(), from, false})
	p.b.WriteString(text)
}

var choice = regexp.MustCompile(`^\s*(case|default)\b`)

// dropped reports white space before the first case of a switch: no statement may be there.
func (p *program) dropped(t *vrml.Template, k int, text string) bool {
	if strings.TrimSpace(text) != "" || k == 0 {
		return false
	}
	return k+1 < len(p.parts) && !p.parts[k-1].expression &&
		choice.MatchString(t.Text[p.parts[k+1].from:p.parts[k+1].to])
}

// imports matches the forms in which a module is imported.
var imports = regexp.MustCompile(
	`(?m)(^|[;{}])([ \t]*)import\s+(?:\*\s*as\s+(\w+)|\{([^}]*)\}|(\w+))\s*from\s*(?:'([^'\n]*)'|"([^"\n]*)")`)

// statement appends JavaScript, whose imports become constants.
func (p *program) statement(text string, from int) {
	at := 0
	for _, m := range imports.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		p.copied(text[at:m[5]], from+at)
		name := group(3) + group(5)
		if m[8] >= 0 {
			name = "{" + regexp.MustCompile(`\s+as\s+`).ReplaceAllString(group(4), ": ") + "}"
		}
		p.origins = append(p.origins, origin{p.b.Len(), from + m[5], true})
		fmt.Fprintf(&p.b, "const %s = __import(%q)", name, group(6)+group(7))
		at = m[1]
	}
	p.copied(text[at:], from+at)
}

// origin is the place in the template from which an offset of the program comes.
func (p *program) origin(at int) int {
	i, found := slices.BinarySearchFunc(p.origins, at,
		func(o origin, at int) int { return cmp.Compare(o.at, at) })
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	from := p.origins[i].from
	if !p.origins[i].made {
		from += at - p.origins[i].at
	}
	return from
}

// offset is that of a line and column of the program, both from 1.
func (p *program) offset(line, column int) int {
	at := 0
	for ; line > 1; line-- {
		n := strings.IndexByte(p.text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return min(at+max(column-1, 0), len(p.text))
}

// maxNested bounds what parsers and compilers nest.
const maxNested = 200

// nested is the offset at which brackets, or operators without anything between them, are nested too deep;
// -1: nowhere. Brackets in strings count, too: an even text has as many closed ones.
func nested(text string) int {
	depth, row, arrows := 0, 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth, arrows = max(depth-1, 0), 0
		case ';', ',':
			arrows = 0
		case '>':
			if i > 0 && text[i-1] == '=' {
				arrows++
			}
		}
		switch text[i] {
		case '!', '~', '-', '+':
			row++
		case ' ', '\t', '\n', '\r':
		default:
			row = 0
		}
		if depth > maxNested || row > maxNested || arrows > maxNested {
			return i
		}
	}
	return -1
}
