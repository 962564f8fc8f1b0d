package webots

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
)

// maxRuntimeINI bounds a runtime.ini, in bytes.
const maxRuntimeINI = 64 << 10

// errRuntimeINI is wrapped by errors about a runtime.ini.
var errRuntimeINI = errors.New("runtime.ini cannot be read")

// iniEntry is a line KEY = VALUE of a runtime.ini, in its section.
type iniEntry struct {
	section, key, value string
}

// parseRuntimeINI reads the file that stands beside a controller, as Webots' user guide describes it. It has
// sections in brackets, KEY = VALUE, comments after ; or #, values perhaps in quotes. Sections come in lower
// case. Errors wrap errRuntimeINI and have the line.
func parseRuntimeINI(text []byte) (all []iniEntry, err error) {
	if len(text) > maxRuntimeINI {
		return nil, fmt.Errorf("%w: %d bytes; at most %d are read", errRuntimeINI, len(text), maxRuntimeINI)
	}
	section := ""
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	lines.Buffer(nil, maxRuntimeINI+1)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == ';' || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			end := strings.IndexByte(line, ']')
			if end < 0 {
				return nil, fmt.Errorf("%w: line %d: %.60q; want [SECTION]", errRuntimeINI, n, line)
			}
			section = strings.ToLower(strings.TrimSpace(line[1:end]))
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" || section == "" || strings.ContainsRune(line, 0) {
			return nil, fmt.Errorf("%w: line %d: %.60q; want KEY = VALUE in a section", errRuntimeINI, n, line)
		}
		all = append(all, iniEntry{section, key, iniValue(value)})
	}
	return all, lines.Err()
}

// iniValue cuts a comment off a value, or its quotes.
func iniValue(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : 1+end]
		}
	}
	if at := strings.Index(text, " ;"); at >= 0 {
		text = strings.TrimSpace(text[:at])
	}
	return text
}
