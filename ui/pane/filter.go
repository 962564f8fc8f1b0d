package pane

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"simdeck/sim/scene"
)

// Filter says which rows are shown. Its text is words that must all match. A word is a POSIX extended regular
// expression found anywhere in the name, as the service GetEntities takes it. kind:robot is the start of a
// category and tag:cup the start of a tag; a ! before a word negates it. Letters that no name matches as an
// expression are looked for in their order, with others between.
type Filter struct {
	text  string
	terms []term
	Fuzzy bool // names are matched by letters in order
}

type term struct {
	not   bool
	field string // "kind", "tag"; empty: name
	text  string
	name  *regexp.Regexp // nil: not an expression; match by letters
}

// Set takes a new text.
func (f *Filter) Set(text string) {
	f.text, f.terms, f.Fuzzy = text, nil, false
	for _, word := range strings.Fields(text) {
		var t term
		word, t.not = strings.CutPrefix(word, "!")
		if field, rest, ok := strings.Cut(word, ":"); ok && (field == "kind" || field == "tag") {
			t.field, word = field, rest
		}
		if t.text = word; word == "" {
			continue
		}
		if t.field == "" {
			t.name, _ = regexp.CompilePOSIX(word)
		}
		f.terms = append(f.terms, t)
	}
}

// Text returns the text of Set.
func (f *Filter) Text() string { return f.text }

// On reports that the filter hides something.
func (f *Filter) On() bool { return len(f.terms) > 0 }

// Rows lists which of n rows match, in order. Where no name matches the
// expressions, it looks for their letters.
func (f *Filter) Rows(n int, name func(int) string, info func(int) *scene.Info) []int32 {
	out := f.rows(n, name, info, false)
	f.Fuzzy = false
	if len(out) == 0 && f.On() {
		if out = f.rows(n, name, info, true); len(out) > 0 {
			f.Fuzzy = true
		}
	}
	return out
}

func (f *Filter) rows(n int, name func(int) string, info func(int) *scene.Info, fuzzy bool) []int32 {
	var out []int32
	for i := range n {
		if f.match(name(i), info(i), fuzzy) {
			out = append(out, int32(i))
		}
	}
	return out
}

func (f *Filter) match(name string, info *scene.Info, fuzzy bool) bool {
	for i := range f.terms {
		if f.terms[i].match(name, info, fuzzy) == f.terms[i].not {
			return false
		}
	}
	return true
}

func (t *term) match(name string, info *scene.Info, fuzzy bool) bool {
	begins := func(s string) bool { return strings.HasPrefix(strings.ToLower(s), strings.ToLower(t.text)) }
	switch {
	case t.field != "" && info == nil:
		return false
	case t.field == "kind":
		return begins(info.Category.String())
	case t.field == "tag":
		return slices.ContainsFunc(info.Tags, begins)
	case t.name != nil && !(fuzzy && !t.not):
		return t.name.MatchString(name)
	}
	return Letters(t.text, name)
}

// Letters reports that the letters of a word appear in a text in their order,
// whatever their case and whatever is between.
func Letters(word, text string) bool {
	rest := []rune(word)
	for _, r := range text {
		if len(rest) == 0 {
			break
		}
		if unicode.ToLower(r) == unicode.ToLower(rest[0]) {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
