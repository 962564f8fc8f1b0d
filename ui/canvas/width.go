package canvas

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// Width is the number of columns that a rune takes: 0 for undrawn ones, 1 or 2. It gives a width only to
// runes on which terminals agree. Combining marks, joiners, variation selectors, direction marks, flags and
// emoji have none, because terminals count them by rune or by cluster.
func Width(r rune) int {
	switch {
	case r < ' ':
		return 0
	case r < 0x7f:
		return 1
	case r >= 0x2500 && r < 0x2600, r >= 0x2800 && r < 0x2900: // lines, blocks, braille
		return 1
	case r < 0xa0, r >= 0x1100 && r < 0x1200, r >= 0x1f000, r >= 0xd7b0 && r < 0xf900:
		return 0
	case unicode.In(r, unicode.M, unicode.C):
		return 0
	}
	narrow := runewidth.Condition{StrictEmojiNeutral: true}
	return narrow.RuneWidth(r)
}

// TextWidth is the number of columns that a text takes when it is drawn.
func TextWidth(s string) int {
	n := 0
	for _, r := range s {
		n += Width(r)
	}
	return n
}

// Clean is the printable part of a text: always UTF-8, since a terminal of eight bits takes 0x80 to 0x9f as
// commands.
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	for _, r := range s {
		if Width(r) == 0 {
			return strings.Map(func(r rune) rune {
				if Width(r) == 0 {
					return -1
				}
				return r
			}, s)
		}
	}
	return s
}
