package main

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2/styles"
	"golang.org/x/net/html"
)

//go:embed files
var files embed.FS

var layout = template.Must(template.New("page.html").ParseFS(files, "files/page.html"))

// view is the data for the layout of a page.
type view struct {
	Title, Group, Root string
	Home               string
	Sections           []group
	Contents           []entry
	Body               template.HTML
	Previous, Next     *entry
}

// group is a section of the navigation in a view, open where the page stands in it.
type group struct {
	Title   string
	Open    bool
	Entries []entry
}

// entry is a link in a view.
type entry struct {
	Label, Link string
	Current     bool
	Deep        bool // of a heading of level 3
}

// compose makes the HTML of a page.
func (m *manual) compose(p *page) ([]byte, error) {
	var body bytes.Buffer
	if err := html.Render(&body, p.body); err != nil {
		return nil, fmt.Errorf("%s: %w", p.source, err)
	}
	root := strings.Repeat("../", strings.Count(p.out, "/"))
	v := view{Title: p.title + " · simdeck", Group: p.group, Root: root, Home: relative(p.out, "index.html"),
		Body: template.HTML(body.String())}
	if p.source == homePage {
		v.Title = "simdeck: a robot simulator in your terminal that speaks ROS 2"
	}
	for _, s := range m.sections {
		g := group{Title: s.title}
		for _, q := range s.pages {
			link := entry{Label: q.label, Link: relative(p.out, q.out), Current: q == p}
			g.Entries = append(g.Entries, link)
			g.Open = g.Open || q == p
		}
		v.Sections = append(v.Sections, g)
	}
	for _, h := range p.headings {
		if h.level == 2 || h.level == 3 {
			v.Contents = append(v.Contents, entry{Label: h.text, Link: "#" + h.id, Deep: h.level == 3})
		}
	}
	at := slices.Index(m.pages, p)
	if at > 0 {
		q := m.pages[at-1]
		v.Previous = &entry{Label: q.label, Link: relative(p.out, q.out)}
	}
	if at < len(m.pages)-1 {
		q := m.pages[at+1]
		v.Next = &entry{Label: q.label, Link: relative(p.out, q.out)}
	}
	var b bytes.Buffer
	if err := layout.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("%s: %w", p.source, err)
	}
	return b.Bytes(), nil
}

// assets are the style sheet, the scripts and the search index.
func (m *manual) assets() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, name := range []string{"site.css", "site.js"} {
		data, err := files.ReadFile("files/" + name)
		if err != nil {
			return nil, err
		}
		all[name] = data
	}
	var css bytes.Buffer
	for _, scheme := range []struct{ name, style string }{{"light", "github"}, {"dark", "github-dark"}} {
		fmt.Fprintf(&css, "@media (prefers-color-scheme: %s) {\n", scheme.name)
		if err := formatter.WriteCSS(&css, styles.Get(scheme.style)); err != nil {
			return nil, err
		}
		css.WriteString("}\n")
	}
	all["site.css"] = append(css.Bytes(), all["site.css"]...) // later rules win
	index, err := m.index()
	all[indexFile] = index
	return all, err
}
