// Package escape makes strings from outside harmless to a terminal. A terminal obeys control characters: a
// name from a simulator elsewhere could set the clipboard, overwrite text, or answer for the user.
//
// Writer is the one way from the commands to stdout and stderr. It passes graphic characters, line feeds and
// tabs, and writes all else as JSON does in a string, as \u001b. The output is right for text and for JSON
// alike. It knows no lines; a text that must stay in one goes through Line before it is put between others.
package escape

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line is a text as it is written within a line: every character that is not graphic is escaped, line feeds
// too.
func Line(s string) string { return escaped(s, true) }

// Text is a text of several lines: line feeds and tabs stay.
func Text(s string) string { return escaped(s, false) }

// escaped is s itself where it is harmless.
func escaped(s string, line bool) string {
	for i, r := range s {
		if harmless(r, line) && (r != utf8.RuneError || strings.HasPrefix(s[i:], "\uFFFD")) {
			continue
		}
		return string(appendEscaped(make([]byte, 0, len(s)+16), []byte(s), line))
	}
	return s
}

// harmless reports that a terminal draws a character and does nothing else: Unicode calls it graphic, or
// leaves it to fonts. That leaves out C0, DEL, C1 (ECMA-48), directional marks and overrides (UAX #9),
// joiners, zero-width characters, line and paragraph separators.
func harmless(r rune, line bool) bool {
	switch {
	case r >= ' ' && r < 0x7f:
		return true
	case r == '\n' || r == '\t':
		return !line
	}
	return r >= 0xa0 && (unicode.IsGraphic(r) || unicode.Is(unicode.Co, r))
}

// appendEscaped appends a text; a byte that is no UTF-8 becomes U+FFFD.
func appendEscaped(b, s []byte, line bool) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		switch {
		case harmless(r, line):
			b = utf8.AppendRune(b, r)
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendUnit(appendUnit(b, high), low)
		default:
			b = appendUnit(b, r)
		}
	}
	return b
}

// appendUnit appends a unit of UTF-16 as JSON has it (RFC 8259, 7).
func appendUnit(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
