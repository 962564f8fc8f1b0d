package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// indexFile is a script, since pages that are opened as files may not read other files but by script
// elements.
const indexFile = "search-index.js"

// Weights of a word by where it stands: one in a title says more than any number in the text. The first cell
// of a row that is code is the name of what the row describes, where elsewhere the name is only mentioned.
const (
	textWeight    = 100
	nameWeight    = 400
	headingWeight = 800
	titleWeight   = 2000
)

// forContributors says whether a page is about the project's own code: its words say half of what those of
// the users' pages say.
func (p *page) forContributors() bool {
	switch folder, _, below := strings.Cut(p.out, "/"); {
	case below:
		return strings.HasPrefix(p.out, "docs/decisions/")
	default:
		return folder != "index.html"
	}
}

// passage is the text below a heading of a page, up to the next heading.
type passage struct {
	heading heading
	text    string
	names   []string // that the rows of its tables are about
}

// passages are those of a page.
func (p *page) passages() (all []passage) {
	var b strings.Builder
	at := passage{heading: heading{level: 1, text: p.title}}
	flush := func() {
		at.text = strings.Join(strings.Fields(b.String()), " ")
		all = append(all, at)
		b.Reset()
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if level := levels[n.DataAtom]; level > 0 {
			if level > 1 || at.heading.id != "" || len(all) > 0 {
				flush()
			}
			at = passage{heading: heading{level: level, id: attribute(n, "id"), text: text(n)}}
			return
		}
		if n.DataAtom == atom.Td && previousElement(n) == nil {
			for _, name := range names(n) {
				if !slices.Contains(at.names, name) {
					at.names = append(at.names, name)
				}
			}
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		switch n.DataAtom { // words of one cell or paragraph are not those of the next
		case atom.Td, atom.Th:
			b.WriteString(" · ")
		case atom.P, atom.Li, atom.Pre:
			b.WriteString(" ")
		}
	}
	walk(p.body)
	flush()
	return all
}

// searchIndex is the data of the pages' search script: passages, and for each word pairs of a passage's
// number and its weight.
type searchIndex struct {
	Passages []indexed        `json:"passages"`
	Words    map[string][]int `json:"words"`
}

// indexed is a passage as the index has it.
type indexed struct {
	Title   string `json:"title"`
	Heading string `json:"heading,omitempty"`
	Link    string `json:"link"`
	Text    string `json:"text"`
}

// index writes the search index.
func (m *manual) index() ([]byte, error) {
	all := searchIndex{Words: map[string][]int{}}
	for _, p := range m.pages {
		for _, s := range p.texts {
			number := len(all.Passages)
			entry := indexed{Title: p.title, Link: p.out, Text: s.text}
			weights := map[string]int{}
			weighText(weights, s.text)
			if s.heading.level > 1 {
				entry.Heading, entry.Link = s.heading.text, p.out+"#"+s.heading.id
				weigh(weights, s.heading.text, headingWeight)
			} else {
				weigh(weights, p.title+" "+p.label, titleWeight)
			}
			weighNames(weights, s.names)
			all.Passages = append(all.Passages, entry)
			for word, weight := range weights {
				if p.forContributors() {
					weight = max(1, weight/2)
				}
				all.Words[word] = append(all.Words[word], number, weight)
			}
		}
	}
	data, err := json.Marshal(all)
	return slices.Concat([]byte("window.searchIndex = "), data, []byte(";\n")), err
}

// weigh gives every word of a heading a weight.
func weigh(weights map[string]int, heading string, weight int) {
	for _, word := range words(heading) {
		weights[word] = max(weights[word], weight) + textWeight
	}
}

// weighNames gives a weight to what the rows of a passage's tables name. In a long table, each row is less of
// what the passage is about.
func weighNames(weights map[string]int, names []string) {
	weight := nameWeight * usualRows / (usualRows + len(names))
	for _, name := range names {
		weights[name] += weight
	}
}

// Constants of BM25: how soon more of a word says no more, and how much a long text takes off.
const (
	saturation = 2.0
	lengthPart = 0.2
	usualWords = 150 // of a passage
	usualRows  = 50  // of its tables
)

// weighText weighs the words of a text by BM25: a word says less of a long text than of a short one.
func weighText(weights map[string]int, text string) {
	all := words(text)
	counts := map[string]float64{}
	for _, word := range all {
		counts[word]++
	}
	long := saturation * (1 - lengthPart + lengthPart*float64(len(all))/usualWords)
	for word, n := range counts {
		weights[word] = max(1, int(textWeight*n*(saturation+1)/(n+long)))
	}
}

// words are the words of a text in lower case. A name with underscores or hyphens is also the words that
// it has.
func words(text string) (all []string) {
	for _, name := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && r != '-'
	}) {
		name = strings.Trim(name, "-_")
		if name == "" {
			continue
		}
		all = append(all, name)
		parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' })
		if len(parts) > 1 {
			all = append(all, parts...)
		}
	}
	return all
}

// names are the single words that a cell sets as code: options, elements, and topics without their namespace
// (/clock, NAME/odom). A command line or a path is none.
func names(cell *html.Node) (all []string) {
	for d := range cell.Descendants() {
		if d.DataAtom != atom.Code {
			continue
		}
		name := placeholder.ReplaceAllString(strings.TrimPrefix(text(d), "/"), "")
		if found := words(name); len(found) > 0 && found[0] == strings.ToLower(strings.TrimLeft(name, "-")) {
			all = append(all, found[0])
		}
	}
	return all
}

// placeholder is the namespace of any robot before a topic.
var placeholder = regexp.MustCompile(`^[A-Z]+/`)

// previousElement is the element before a node below the same parent.
func previousElement(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}
