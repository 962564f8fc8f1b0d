package xmltree

import (
	"errors"
	"fmt"
	"strings"
)

// Limits bounds what Parse accepts. Zero fields take the defaults.
type Limits struct {
	Bytes    int // default 64 MiB
	Depth    int // default 256 elements inside each other
	Elements int // default 500,000

	Interrupted func() error // why reading is to end early, or nil; nil: nothing interrupts it
}

// Defaults of Limits: docs/worlds.md tells them.
const (
	defaultBytes    = 64 << 20
	defaultDepth    = 256
	defaultElements = 500_000
)

func (l Limits) filled() Limits {
	if l.Bytes == 0 {
		l.Bytes = defaultBytes
	}
	if l.Depth == 0 {
		l.Depth = defaultDepth
	}
	if l.Elements == 0 {
		l.Elements = defaultElements
	}
	return l
}

// ErrEmpty says that a text holds no element at all.
var ErrEmpty = errors.New("no XML element")

// SyntaxError is a text that is not XML, or XML that is refused.
type SyntaxError struct {
	Pos  Pos
	Text string
}

// Error is "line:column: text".
func (e *SyntaxError) Error() string { return e.Pos.String() + ": " + e.Text }

// Parse reads a whole document. Errors are a *SyntaxError, ErrEmpty or what Limits.Interrupted says.
func Parse(data []byte, l Limits) (*Document, error) {
	l = l.filled()
	if len(data) > l.Bytes {
		return nil, &SyntaxError{Pos{1, 1},
			fmt.Sprintf("text of %d bytes is longer than the limit of %d", len(data), l.Bytes)}
	}
	text, warning := ToUTF8(data)
	p := &parser{limits: l, scanner: scanner{src: text, at: Pos{1, 1}}}
	if i := strings.IndexByte(text, 0); i >= 0 {
		p.skip(i)
		return nil, p.fail(p.at, "a NUL byte, which no text has: the file is damaged, or is no text")
	}
	if warning != "" {
		p.warn(Pos{1, 1}, warning)
	}
	if err := p.run(); err != nil {
		return nil, err
	}
	if p.root == nil {
		return nil, ErrEmpty
	}
	return &Document{Root: p.root, Warnings: p.warnings, Text: text}, nil
}

// parser builds the tree with a stack of its own: depth costs no call frames.
type parser struct {
	scanner
	limits   Limits
	root     *Node
	open     []element
	elements int
}

// element is an open element and its character data so far.
type element struct {
	*Node
	pieces []string
}

// pollEach is after how many marks and texts it is asked whether reading is to end.
const pollEach = 4096

func (p *parser) run() error {
	for marks := 0; !p.done(); marks++ {
		if marks%pollEach == 0 && p.limits.Interrupted != nil {
			if err := p.limits.Interrupted(); err != nil {
				return err
			}
		}
		var err error
		if p.src[p.pos] == '<' {
			err = p.mark()
		} else {
			err = p.text()
		}
		if err != nil {
			return err
		}
	}
	if n := len(p.open); n > 0 {
		top := p.open[n-1]
		return p.fail(p.at, "the text ends inside <%s> of line %d", short(top.Name), top.Pos.Line)
	}
	return nil
}

// mark handles whatever starts with "<".
func (p *parser) mark() error {
	switch rest := p.src[p.pos:]; {
	case strings.HasPrefix(rest, "<!--"):
		return p.comment()
	case strings.HasPrefix(rest, "<![CDATA["):
		return p.cdata()
	case strings.HasPrefix(rest, "<!"):
		return p.doctype()
	case strings.HasPrefix(rest, "<?"):
		return p.instruction()
	case strings.HasPrefix(rest, "</"):
		return p.endTag()
	}
	return p.startTag()
}

func (p *parser) text() error {
	start, end := p.at, strings.IndexByte(p.src[p.pos:], '<')
	if end < 0 {
		end = len(p.src) - p.pos
	}
	raw := p.src[p.pos : p.pos+end]
	p.skip(end)
	if len(p.open) == 0 {
		if blank(raw) {
			return nil
		}
		if p.root == nil {
			return p.fail(start, "text %q before the first element", short(strings.TrimSpace(raw)))
		}
		return p.fail(start, "text %q after the root element <%s>", short(strings.TrimSpace(raw)),
			p.root.Name)
	}
	s, err := p.unescape(raw, start)
	if err != nil {
		return err
	}
	p.append(s)
	return nil
}

// append keeps a piece of character data; blank ones between elements are dropped.
func (p *parser) append(s string) {
	top := &p.open[len(p.open)-1]
	if !blank(s) {
		top.pieces = append(top.pieces, s)
	}
}

func (p *parser) cdata() error {
	start := p.at
	end := strings.Index(p.src[p.pos:], "]]>")
	if end < 0 {
		return p.fail(start, "CDATA section is never closed")
	}
	s := p.src[p.pos+len("<![CDATA[") : p.pos+end]
	p.skip(end + 3)
	if len(p.open) == 0 {
		return p.fail(start, "CDATA section outside the root element")
	}
	p.append(s)
	return nil
}

func (p *parser) startTag() error {
	n, closed, err := p.tag()
	if err != nil {
		return err
	}
	if p.elements++; p.elements > p.limits.Elements {
		return p.fail(n.Pos, "more than %d elements", p.limits.Elements)
	}
	if len(p.open) >= p.limits.Depth {
		return p.fail(n.Pos, "elements nested deeper than %d", p.limits.Depth)
	}
	switch {
	case len(p.open) > 0:
		top := p.open[len(p.open)-1]
		top.Kids = append(top.Kids, n)
	case p.root == nil:
		p.root = n
	default:
		return p.fail(n.Pos, "a second root element <%s>", short(n.Name))
	}
	if !closed {
		p.open = append(p.open, element{Node: n})
	}
	return nil
}

func (p *parser) endTag() error {
	start := p.at
	end := strings.IndexByte(p.src[p.pos:], '>')
	if end < 0 {
		return p.fail(start, "end tag is never closed")
	}
	name := strings.TrimSpace(p.src[p.pos+2 : p.pos+end])
	p.skip(end + 1)
	if len(p.open) == 0 {
		if p.root != nil && name == p.root.Name {
			p.warn(start, "a second </"+name+">; ignored")
			return nil
		}
		return p.fail(start, "</%s> closes nothing", short(name))
	}
	top := p.open[len(p.open)-1]
	if top.Name != name {
		return p.fail(start, "</%s> found where </%s> should close line %d", short(name), short(top.Name),
			top.Pos.Line)
	}
	top.Text = strings.Join(top.pieces, "")
	p.open = p.open[:len(p.open)-1]
	return nil
}
