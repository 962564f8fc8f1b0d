package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// read reads a Markdown file.
func (m *manual) read(name string) (*page, error) {
	source, err := fs.ReadFile(m.source, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	convert := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(
			// a style needs a weaker policy
			extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Linkify, extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		// The pages are our own: <img> and <kbd> in them are meant.
		goldmark.WithRendererOptions(gmhtml.WithUnsafe(),
			renderer.WithNodeRenderers(util.Prioritized(&fences{}, 100))),
	)
	err = convert.Convert(source, &b, parser.WithContext(parser.NewContext(parser.WithIDs(&anchors{}))))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	nodes, err := html.ParseFragment(&b, element(atom.Main))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	body := element(atom.Article)
	for _, n := range nodes {
		body.AppendChild(n)
	}
	p := &page{source: name, out: outName(name), body: body}
	p.outline()
	if p.title == "" {
		return nil, fmt.Errorf("%s: no heading of level 1", name)
	}
	p.texts = p.passages()
	p.dress()
	return p, nil
}

var levels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

// outline finds the headings of a page.
func (p *page) outline() {
	for n := range p.body.Descendants() {
		level := levels[n.DataAtom]
		if level == 0 {
			continue
		}
		h := heading{level: level, id: attribute(n, "id"), text: text(n)}
		if level == 1 && p.title == "" {
			p.title = h.text
		}
		p.headings = append(p.headings, h)
	}
}

// anchorClass is the class of links at headings.
const anchorClass = "anchor"

// dress adds what readers use and Markdown cannot say: links at headings, boxes in which wide tables
// scroll, and access by keyboard to what scrolls.
func (p *page) dress() {
	pictures := 0
	for _, n := range slices.Collect(p.body.Descendants()) {
		switch {
		case levels[n.DataAtom] > 1:
			link := element(atom.A, "class", anchorClass, "href", "#"+attribute(n, "id"), "aria-label",
				"Link to "+text(n))
			link.AppendChild(&html.Node{Type: html.TextNode, Data: "#"})
			n.AppendChild(link)
		case n.DataAtom == atom.Table:
			box := element(atom.Div, "class", "scroll", "tabindex", "0")
			n.Parent.InsertBefore(box, n)
			n.Parent.RemoveChild(n)
			box.AppendChild(n)
		case n.DataAtom == atom.Img:
			if pictures++; pictures > 1 {
				n.Attr = append(n.Attr, html.Attribute{Key: "loading", Val: "lazy"})
			}
		}
	}
}

// element makes an element with attributes: key, value, key, value.
func element(kind atom.Atom, attributes ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: kind.String(), DataAtom: kind}
	for i := 0; i < len(attributes); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: attributes[i], Val: attributes[i+1]})
	}
	return n
}

// anchors gives headings the anchors that code hosting pages give them, so that links in the source hold
// in both.
type anchors struct{ used map[string]int }

// Generate is the anchor of a heading's text.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	if a.used == nil {
		a.used = map[string]int{}
	}
	n := a.used[id]
	a.used[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put notes an anchor that the page gives by itself.
func (a *anchors) Put(value []byte) { a.used[string(value)]++ }

// fences renders blocks of code, with the name of the file where the page gives one.
type fences struct{}

// RegisterFuncs tells goldmark what is rendered here.
func (f *fences) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, f.render)
}

// formatter marks code by classes: a strict content security policy forbids styles within elements.
var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))

func (f *fences) render(w util.BufWriter, source []byte, node ast.Node,
	entering bool,
) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := node.(*ast.FencedCodeBlock)
	language, name := "", ""
	if block.Info != nil {
		words := strings.Fields(string(block.Info.Segment.Value(source)))
		language = words[0]
		if len(words) > 1 && strings.Contains(words[1], ".") {
			name = words[1]
		}
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		lexer = lexers.Fallback
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, string(block.Lines().Value(source)))
	if err != nil {
		return ast.WalkStop, err
	}
	fmt.Fprint(w, `<figure class="code">`)
	if name != "" {
		fmt.Fprintf(w, "<figcaption>%s</figcaption>", html.EscapeString(name))
	}
	fmt.Fprintf(w, `<pre class="chroma" tabindex="0" data-language="%s"><code>`, html.EscapeString(language))
	if err := formatter.Format(w, styles.Get("github"), tokens); err != nil {
		return ast.WalkStop, err
	}
	_, err = w.WriteString("</code></pre></figure>\n")
	return ast.WalkSkipChildren, err
}
