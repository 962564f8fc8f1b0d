package canvas

import (
	"strings"
	"testing"
)

func TestTextsAreWrappedAtWordsAndNothingIsLost(t *testing.T) {
	texts := []string{"", "one", "a few words that wrap", "averyveryverylongwordwithoutaspace",
		"字字字 字字字字字字字字", "two\nparagraphs here", "tail-" + strings.Repeat("x", 50)}
	for _, text := range texts {
		for w := 1; w < 30; w++ {
			lines := Wrap(text, w)
			joined := ""
			for _, l := range lines {
				if n := TextWidth(l); n > max(w, 2) {
					t.Errorf("%q in %d columns has a line of %d: %q", text, w, n, l)
				}
				joined += l
			}
			strip := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
			if strip(joined) != strip(text) {
				t.Errorf("%q in %d columns became %q", text, w, lines)
			}
		}
	}
}
