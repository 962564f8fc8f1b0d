package xmltree

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ToUTF8 returns a text file as UTF-8 without byte order mark, and a warning when it had to guess. UTF-16 is
// known by its mark or by its zero bytes, Latin-1 by a declaration or because the bytes are not UTF-8.
func ToUTF8(data []byte) (text, warning string) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return fromUTF16(data[2:], binary.LittleEndian), ""
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return fromUTF16(data[2:], binary.BigEndian), ""
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[2] != 0 && data[3] == 0:
		return fromUTF16(data, binary.LittleEndian), "UTF-16 without byte order mark"
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0 && data[3] != 0:
		return fromUTF16(data, binary.BigEndian), "UTF-16 without byte order mark"
	}
	if utf8.Valid(data) {
		return string(data), ""
	}
	if !declaresLatin(data) {
		warning = "text is not valid UTF-8 and declares no other encoding; read as ISO-8859-1"
	}
	return fromLatin1(data), warning
}

func fromUTF16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

func fromLatin1(data []byte) string {
	var b strings.Builder
	b.Grow(len(data) + len(data)/8)
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// declaresLatin looks at the XML declaration for an 8-bit encoding whose bytes are code points.
func declaresLatin(data []byte) bool {
	head := strings.ToLower(string(data[:min(len(data), 200)]))
	end := strings.Index(head, "?>")
	if end < 0 {
		return false
	}
	for _, name := range []string{"iso-8859-1", "latin1", "latin-1", "windows-1252", "cp1252"} {
		if strings.Contains(head[:end], name) {
			return true
		}
	}
	return false
}
