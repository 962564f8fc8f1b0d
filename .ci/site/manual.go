package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Where reading begins, and the pages whose lists are the navigation.
const (
	homePage      = "README.md"
	contentsPage  = "docs/README.md"
	decisionsPage = "docs/decisions/README.md"
)

// section is a group of the navigation.
type section struct {
	title string
	pages []*page
}

// manual is the whole of the pages.
type manual struct {
	source   fs.FS
	pages    []*page          // in the order of reading
	bySource map[string]*page // by the slash-separated name of the Markdown file
	sections []section
	files    map[string][]byte // pictures and other files that pages show or link to
}

// page is a Markdown file and what became of it.
type page struct {
	source, out string // slash-separated, from the roots of the source and of the site
	title       string // its first heading
	label       string // its name in the navigation
	group       string // the section of the navigation
	body        *html.Node
	headings    []heading
	texts       []passage
	links       []*page // pages that it links to, in their order
}

// heading is a heading of a page with its anchor.
type heading struct {
	level    int
	id, text string
}

// errLink says that a page links to something that is not there.
var errLink = errors.New("broken link")

// readManual reads the home page and every page that can be reached from it.
func readManual(source fs.FS) (*manual, error) {
	m := &manual{source: source, bySource: map[string]*page{}, files: map[string][]byte{}}
	found := []*page{}
	queue := []string{homePage, contentsPage, decisionsPage}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if m.bySource[name] != nil {
			continue
		}
		p, err := m.read(name)
		if err != nil {
			return nil, err
		}
		m.bySource[name] = p
		found = append(found, p)
		for _, a := range p.references() {
			if target, _, ok := resolve(name, a.Val); ok && path.Ext(target) == ".md" {
				queue = append(queue, target)
			}
		}
	}
	for _, p := range found {
		if err := m.rewrite(p); err != nil {
			return nil, err
		}
	}
	m.navigate(found)
	return m, nil
}

// outName is the file of the site that a Markdown file becomes. Hosts do not serve folders that begin with
// a dot.
func outName(name string) string {
	dir, base := path.Split(strings.TrimPrefix(name, "."))
	if base == "README.md" {
		return dir + "index.html"
	}
	return dir + strings.ToLower(strings.TrimSuffix(base, ".md")) + ".html"
}

// resolve is the file, from the root of the source, and the fragment that a reference of a page means. It
// is false for addresses outside the project.
func resolve(from, reference string) (target, fragment string, ok bool) {
	u, err := url.Parse(reference)
	if err != nil || u.Scheme != "" || u.Host != "" {
		return "", "", false
	}
	if u.Path == "" {
		return from, u.Fragment, true
	}
	return path.Join(path.Dir(from), u.Path), u.Fragment, true
}

// relative is the reference from one file of the site to another, which holds under any prefix.
func relative(from, to string) string {
	here, there := strings.Split(path.Dir(from), "/"), strings.Split(to, "/")
	if here[0] == "." {
		here = nil
	}
	for len(here) > 0 && len(there) > 1 && here[0] == there[0] {
		here, there = here[1:], there[1:]
	}
	return strings.Repeat("../", len(here)) + strings.Join(there, "/")
}

// references are the attributes of a page that name other files.
func (p *page) references() (all []*html.Attribute) {
	for n := range p.body.Descendants() {
		for i, a := range n.Attr {
			if n.DataAtom == atom.A && a.Key == "href" || n.DataAtom == atom.Img && a.Key == "src" {
				all = append(all, &n.Attr[i])
			}
		}
	}
	return all
}

// rewrite makes references of the source references of the site, and keeps the files that they name.
func (m *manual) rewrite(p *page) error {
	for _, a := range p.references() {
		target, fragment, ok := resolve(p.source, a.Val)
		if !ok {
			continue
		}
		out := target
		if to := m.bySource[target]; to != nil {
			out = to.out
			p.links = append(p.links, to)
		} else if err := m.keep(target); err != nil {
			return fmt.Errorf("%s: %w: %q: %w", p.source, errLink, a.Val, err)
		}
		a.Val = relative(p.out, out)
		if target == p.source {
			a.Val = ""
		}
		if fragment != "" {
			a.Val += "#" + fragment
		}
	}
	return nil
}

// keep has a file of the source copied into the site.
func (m *manual) keep(name string) error {
	if m.files[name] != nil {
		return nil
	}
	data, err := fs.ReadFile(m.source, name)
	m.files[name] = data
	return err
}

// navigate puts the pages into the sections of the contents page, decisions into one of their own, and
// what no list names into the last.
func (m *manual) navigate(found []*page) {
	placed := map[*page]bool{}
	add := func(title, label string, p *page) {
		if placed[p] {
			return
		}
		placed[p] = true
		p.group, p.label = title, cmp.Or(label, p.title)
		if n := len(m.sections); n == 0 || m.sections[n-1].title != title {
			m.sections = append(m.sections, section{title: title})
		}
		last := &m.sections[len(m.sections)-1]
		last.pages = append(last.pages, p)
		m.pages = append(m.pages, p)
	}
	home, contents, decisions := m.bySource[homePage], m.bySource[contentsPage], m.bySource[decisionsPage]
	add("", "Overview", home)
	add("", "Contents", contents)
	title := ""
	for n := range contents.body.Descendants() {
		switch n.DataAtom {
		case atom.H2:
			title = text(n)
		case atom.Li:
			a := first(n, atom.A)
			if a == nil {
				continue
			}
			target := m.byReference(contents, attribute(a, "href"))
			if target != nil && target != decisions {
				add(title, text(a), target)
			}
		}
	}
	add("Decisions", "All decisions", decisions)
	for _, p := range decisions.links {
		if path.Dir(p.source) == path.Dir(decisionsPage) {
			add("Decisions", "", p)
		}
	}
	for _, p := range found {
		add("Project", "", p)
	}
}

// byReference is the page that a rewritten reference of a page leads to.
func (m *manual) byReference(from *page, reference string) *page {
	name, _, _ := strings.Cut(reference, "#")
	for _, p := range m.bySource {
		if relative(from.out, p.out) == name {
			return p
		}
	}
	return nil
}

// first is the first element of a kind within a node.
func first(n *html.Node, kind atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.DataAtom == kind {
			return d
		}
	}
	return nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// text is the visible text of a node, with one blank where there is room, and without links at headings.
func text(n *html.Node) string {
	var b bytes.Buffer
	for d := range n.Descendants() {
		if d.Type == html.TextNode && attribute(d.Parent, "class") != anchorClass {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
