package tidy

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// sentenceWords bounds the words of one sentence in a comment.
const sentenceWords = 25

// pronounClause matches the beginning of a sentence whose subject is a clause instead of a noun.
var pronounClause = regexp.MustCompile(`(?i)^(only |all |just )?(` +
	`what|whatever|who|whoever|whom|whomever|whose|whichever|` +
	`(that|those|these|he|they|the one|the ones|one) (which|who|whom|whose)|` +
	`those that|that (by|of|in|on|with|to) which|` +
	`where (nobody|somebody|no one|someone)|` +
	`how (much|many|far|long|often|fast|big|high|near|well|soon|little|few)|` +
	`(every|any|some|no)(body|one) (who|that|whose)|(every|any|some|no)thing (that|which))( |$)`)

// clausePredicate matches a predicate that is a clause instead of a noun.
var clausePredicate = regexp.MustCompile(`(?i)\b(is|are|was|were|be|being|been|means?|becomes?|remains?)` +
	`( only| all| just| exactly| also| not| then| thus| alone)? (` +
	`(what|who|whom|which|how|when|where|why)(ever)?|whose|` +
	`(the ones?|one|that|those|these|he|they|all|everything|anything|something|nothing|somebody|someone|nobody)` +
	` (that|which|who|whom|whose)|(that|those) (of|in|with|on|by|to|from) (what|which|whom))\b`)

// preformatted matches lines of a comment that are no running text: directives, code, tables.
var preformatted = regexp.MustCompile(`^(\t|  +|go:|\+build|#|\|)`)

func TestCommentsHaveShortSentencesWithANounAsSubject(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		if s.generated {
			continue
		}
		names := declared(s.file)
		for _, x := range sentences(s) {
			found++
			if n := x.words(); n > sentenceWords {
				t.Errorf("%s:%d: a sentence of %d words, at most %d: %s", s.name, x.line, n, sentenceWords, x.text)
			}
			first, _, _ := strings.Cut(x.text, " ")
			if pronounClause.MatchString(x.text) && !slices.Contains(names, first) {
				t.Errorf("%s:%d: a clause as the subject; lead with the standard term: %s", s.name, x.line, x.text)
			}
			if said := clausePredicate.FindString(x.text); said != "" {
				t.Errorf("%s:%d: %q: a clause as the predicate; say what it is with a noun: %s", s.name, x.line,
					said, x.text)
			}
		}
	}
	if found < 5000 {
		t.Errorf("found %d sentences: the search is broken", found)
	}
}

func TestSentencesOfCommentsAreFound(t *testing.T) {
	for text, want := range map[string][]string{
		"One. Two, e.g. here. third is a name.": {"One.", "Two, e.g. here.", "third is a name."},
		`It is 0.5 m. (See "A", ch. 4.) End`:    {"It is 0.5 m.", `(See "A", ch. 4.)`, "End"},
		"sim.Backend is one":                    {"sim.Backend is one"},
	} {
		if got := split(text); !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{
		"What falls is counted.": true, "who leaves": true, "How far it reaches": true, "Nothing that is asked": true,
		"The rest is counted.": false, "Whole numbers": false, "Those joints": false, "how": false,
	} {
		if pronounClause.MatchString(text) != want {
			t.Errorf("%q begins with a pronoun clause: want %v", text, want)
		}
	}
	for text, want := range map[string]bool{
		"x is what was read.": true, "size is how large a chunk grows.": true, "Those are the ones that": true,
		"at is where it stands": true, "last is one whose": true, "They are those that fit.": true,
		"It means exactly what it says.": true, "Both are that in which they are.": true, "It was all that came": true,
		"x is the text that was read.": false, "ok is whether it is.": false, "It is known what it costs.": false,
		"It stays where it was.": false, "They are those of the world.": false, "One is all zeros.": false,
	} {
		if clausePredicate.MatchString(text) != want {
			t.Errorf("%q has a clause as its predicate: want %v", text, want)
		}
	}
	if n := (sentence{text: "a + b = 3 → c"}).words(); n != 4 {
		t.Errorf("%d words, want 4: operators are none", n)
	}
}

// declared returns the names that a file declares, with which doc comments begin.
func declared(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

// sentence is a sentence of a comment and the line on which the comment begins.
type sentence struct {
	line int
	text string
}

// words counts the fields of a sentence that hold a letter or a digit: a lone operator is no word.
func (s sentence) words() (n int) {
	for _, field := range strings.Fields(s.text) {
		if strings.IndexFunc(field, unicode.IsLetter) >= 0 || strings.IndexFunc(field, unicode.IsDigit) >= 0 {
			n++
		}
	}
	return n
}

// sentenceEnd matches a mark that may end a sentence, the word before it and the character after it.
var sentenceEnd = regexp.MustCompile(`(\S+?)[.?!]["”’)]* +["“'(]?[\pL\d]`)

// abbreviation matches words whose full stop ends no sentence.
var abbreviation = regexp.MustCompile(`^\(?(ch|cf|vs|fig|eq|sec|no|vol|pp|e\.g|i\.e)$`)

// split returns the sentences of a text.
func split(text string) (all []string) {
	begin, from := 0, 0
	for {
		m := sentenceEnd.FindStringSubmatchIndex(text[from:])
		if m == nil {
			return append(all, text[begin:])
		}
		word, next := text[from+m[2]:from+m[3]], from+m[3]+strings.IndexByte(text[from+m[3]:], ' ')+1
		if from = next; !abbreviation.MatchString(word) {
			all = append(all, text[begin:next-1])
			begin = next
		}
	}
}

// sentences returns the sentences of all comments of a file. Blank lines, list marks and preformatted lines
// end a sentence too.
func sentences(s source) (all []sentence) {
	for _, group := range s.file.Comments {
		line := s.line(group.Pos())
		var paragraph []string
		inItem := false
		flush := func() {
			if len(paragraph) > 0 {
				for _, text := range split(strings.Join(paragraph, " ")) {
					all = append(all, sentence{line, strings.TrimSpace(text)})
				}
			}
			paragraph = nil
		}
		for _, c := range group.List {
			text := strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/")
			for _, row := range strings.Split(text, "\n") {
				row = strings.TrimPrefix(strings.TrimPrefix(row, "//"), " ")
				trimmed := strings.TrimSpace(row)
				item, isItem := strings.CutPrefix(trimmed, "- ")
				switch {
				case trimmed == "":
					flush()
					inItem = false
				case isItem:
					flush()
					inItem = true
					paragraph = append(paragraph, item)
				case preformatted.MatchString(row) && !(inItem && strings.HasPrefix(row, "  ")):
					flush()
				default:
					paragraph = append(paragraph, trimmed)
				}
			}
		}
		flush()
	}
	return all
}
