package tidy

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wording is a phrase that no string of the program or page of the manual uses, and what it says instead.
type wording struct {
	banned  *regexp.Regexp
	instead string
	literal bool // banned in strings of the program only: pages use the words in another sense
}

var wordings = []wording{
	{regexp.MustCompile(`(?i)\b(nobody|somebody|someone|no one|whoever)\b`),
		"the node, client, operator or participant that is meant", false},
	{regexp.MustCompile(`(?i)\b(tak(e|es|en|ing)|took) (it |that |them )?back\b`),
		"undo for edits, rewind for simulated time", true},
	{regexp.MustCompile(`(?i)\b(has gone|it is back)\b`), "connection lost, deleted, reconnected", true},
	{regexp.MustCompile(`(?i)as it is written|as the model is called`), "World loaded without warnings; model name", false},
	{regexp.MustCompile(`(?i)does it again|did it again`), "Replay: simdeck replay …", false},
	{regexp.MustCompile(`(?i)up and down choose`), "↑↓ choose", false},
	{regexp.MustCompile(`(?i)came before the recording`), "Skipped N steps before the recording", false},
	{regexp.MustCompile(`(?i)\bnone refused\b`), "0 rejected", false},
	{regexp.MustCompile(`(?i)viewers (change|save) nothing`), "Read-only: your key has the viewer role", false},
	{regexp.MustCompile(`(?i)is heard\b|was heard\b`), "multicast works; no other participants", true},
	{regexp.MustCompile(`(?i)^what is `), "a noun as the subject", true},
	{regexp.MustCompile(`(?i)\bpassed over\b|\bpulls along\b`), "ignored; not supported", true},
	{regexp.MustCompile(`(?i)\bcannot be taken up\b`), "restored", true},
	{regexp.MustCompile(`(?i)[;,:] .*\b(is|are) right( there)?$`), "want X", true},
	{regexp.MustCompile(`(?i)\b(is|are|was|were) taken( as| for|[;,.]|$)`), "using X; already in use", true},
	{regexp.MustCompile(`(?i)\b(brought|brings) .*to light\b`), "panic", false},
	{regexp.MustCompile(`(?i)\bties something\b`), "connects", false},
	{regexp.MustCompile(`(?i)\bnot taken as\b|\bnothing is taken\b`), "not accepted; not received", true},
	{regexp.MustCompile(`(?i)\bas many or none\b|\bnot reckoned\b`), "one per vertex, or none; out of range", false},
	{regexp.MustCompile(`; want .*[;,] want `), "one list of what is wanted", true},
	{regexp.MustCompile(`(?i)pairs near each other`), "broad-phase pairs", false},
	{regexp.MustCompile(`(?i)\b(more|less) than \d+(ms|s|min|h|kg|m|Hz|MB|KiB)\b`),
		"a blank between number and unit: 2 s", false},
}

// find returns what a text says that it should not, and what to say instead.
func (w *wording) find(text string, literal bool) (said, instead string) {
	if w.literal && !literal {
		return "", ""
	}
	return w.banned.FindString(text), w.instead
}

func TestStringsAndPagesUseTheWordsOfTheField(t *testing.T) {
	literals, pages := 0, 0
	check := func(where, text string, literal bool) {
		for i := range wordings {
			if said, instead := wordings[i].find(text, literal); said != "" {
				t.Errorf("%s: says %q; say %s", where, said, instead)
			}
		}
	}
	for _, s := range sources(t) {
		room, _, _ := strings.Cut(s.name, "/")
		if s.test || s.generated || !slices.Contains([]string{"ui", "ros", "sim", "main.go"}, room) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if l, is := n.(*ast.BasicLit); is && l.Kind == token.STRING {
				literals++
				text, err := strconv.Unquote(l.Value)
				if err != nil {
					t.Fatal(err)
				}
				check(s.name+":"+strconv.Itoa(s.line(l.Pos())), text, true)
			}
			return true
		})
	}
	repository(t, func(name string) {
		page := path.Ext(name) == ".md" && name != "CHANGELOG.md" && !strings.Contains(name, "testdata/")
		if !page && name != "keymap.yaml" {
			return
		}
		pages++
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			check(name+":"+strconv.Itoa(i+1), line, !page)
		}
	})
	if literals < 5000 || pages < 30 {
		t.Errorf("found %d strings and %d pages: the search is broken", literals, pages)
	}
}

func TestBannedWordingsAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"nobody else was heard in 3s": true, "there is nothing to take back": true, "it is back": true,
		"What is in the world now goes": true, "13 pairs near each other": true,
		"Drawing took more than 2s": true, "Drawing took more than 2 s": false, "--duration 30s": false,
		"a ROUTE is passed over": true, "it cannot be taken up paused": true,
		"<inertia> lacks ixz; 0 is taken": true, "it is taken out": false, "lacks ixz; using 0": false,
		"a fault was brought to light by": true, "3 normals; want as many or none": true,
		"size 2; want 4, want 8": true, "size 2; want 4 or 8": false, "joint ties something to a link": true,
		"stride of 2; 4 to 252 are right": true, "size 2; want 4": false, "the right wheel": false,
		"No other participants": false, "the one way back": false, "Reconnected": false,
	} {
		found := false
		for i := range wordings {
			said, _ := wordings[i].find(text, true)
			found = found || said != ""
		}
		if found != want {
			t.Errorf("%q is banned: %v, want %v", text, found, want)
		}
	}
}
