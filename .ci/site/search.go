package main

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// indexFile is a script, since pages that are opened as files may not read other files but by script
// elements.
const indexFile = "search-index.js"

// Weights of a word by where it stands: one in a title says more than any number in the text.
const (
	textWeight    = 100
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
}

// passages are those of a page.
func (p *page) passages() (all []passage) {
	var b strings.Builder
	at := heading{level: 1, text: p.title}
	flush := func() {
		all = append(all, passage{at, strings.Join(strings.Fields(b.String()), " ")})
		b.Reset()
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if level := levels[n.DataAtom]; level > 0 {
			if level > 1 || at.id != "" || len(all) > 0 {
				flush()
			}
			at = heading{level: level, id: attribute(n, "id"), text: text(n)}
			return
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		switch n.DataAtom { // words of one cell or paragraph are not those of the next
		case atom.Td, atom.Th, atom.P, atom.Li, atom.Pre:
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

// Constants of BM25: how soon more of a word says no more, and how much a long text takes off.
const (
	saturation = 2.0
	lengthPart = 0.2
	usualWords = 150 // of a passage
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
