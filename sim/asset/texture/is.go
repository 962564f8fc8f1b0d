package texture

import (
	"bytes"
	"strings"
)

// Is reports whether a file begins as one of the formats that Decode reads, so that it is a picture, good or
// bad.
func Is(data []byte) bool {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG")), bytes.HasPrefix(data, []byte("\xff\xd8")):
		return true
	case bytes.HasPrefix(data, []byte("BM")): // four bytes of no meaning, which are zero
		return len(data) >= 10 && bytes.Equal(data[6:10], []byte{0, 0, 0, 0})
	case bytes.HasPrefix(data, []byte("P2")), bytes.HasPrefix(data, []byte("P5")):
		return len(data) > 2 && strings.IndexByte(" \t\r\n#", data[2]) >= 0
	}
	return false
}
