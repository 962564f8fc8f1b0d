package canvas

import "strings"

// Wrap breaks a text into lines of at most w columns, at spaces where it can.
func Wrap(s string, w int) []string {
	w = max(w, 1)
	var out []string
	for _, para := range strings.Split(s, "\n") {
		line, n := "", 0
		for _, word := range strings.Fields(Clean(para)) {
			for k := TextWidth(word); ; k = TextWidth(word) {
				if n > 0 && n+1+k > w {
					out = append(out, line)
					line, n = "", 0
				}
				if k <= w {
					break
				}
				var head string
				head, word = split(word, w)
				out = append(out, head)
			}
			if n > 0 {
				line, n = line+" ", n+1
			}
			line, n = line+word, n+TextWidth(word)
		}
		out = append(out, line)
	}
	return out
}

// split cuts a word after at most w columns, and after at least one rune.
func split(word string, w int) (head, rest string) {
	n := 0
	for i, r := range word {
		if n += Width(r); n > w && i > 0 {
			return word[:i], word[i:]
		}
	}
	return word, ""
}
