package mesh

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a PLY header.
const (
	maxHeader     = 64 << 10
	maxProperties = 256
)

// plyHead says what follows it: elements of one kind after the other.
type plyHead struct {
	format   string // "ascii", "binary_little_endian" or "binary_big_endian"
	elements []plyElement
	body     []byte
	line     int // of the first of the body, from 1
}

type plyElement struct {
	name       string
	count      int64
	properties []plyProperty
}

type plyProperty struct {
	name  string
	kind  byte // of a value: see plyKinds
	count byte // of the number of values of a list; 0: a single value
}

// plyKind is the kind of a number by either of its names. 'b' and 'B' are signed and unsigned with 8 bits,
// 'h' and 'H' 16, 'i' and 'I' 32; 'f' is a float32, 'd' a float64.
func plyKind(word string) byte {
	switch word {
	case "char", "int8":
		return 'b'
	case "uchar", "uint8":
		return 'B'
	case "short", "int16":
		return 'h'
	case "ushort", "uint16":
		return 'H'
	case "int", "int32":
		return 'i'
	case "uint", "uint32":
		return 'I'
	case "float", "float32":
		return 'f'
	case "double", "float64":
		return 'd'
	}
	return 0
}

func plyWide(kind byte) int {
	switch kind {
	case 'b', 'B':
		return 1
	case 'h', 'H':
		return 2
	case 'd':
		return 8
	}
	return 4
}

// plyHeader reads the header (Turk, "The PLY Polygon File Format", 1994).
func plyHeader(data []byte) (*plyHead, error) {
	if !bytes.HasPrefix(data, []byte("ply")) {
		return nil, fmt.Errorf("it does not begin with \"ply\"")
	}
	h := &plyHead{line: 1}
	rest := data[:min(len(data), maxHeader)]
	for {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return nil, fmt.Errorf("line %d: the header does not end within %d bytes", h.line,
				min(len(data), maxHeader))
		}
		line := strings.TrimRight(string(rest[:end]), "\r \t")
		rest = rest[end+1:]
		words := strings.Fields(line)
		if h.line == 1 && line != "ply" {
			return nil, fmt.Errorf("line 1: %.20q is not \"ply\"", line)
		}
		if len(words) > 0 && words[0] == "end_header" {
			break
		}
		if err := h.take(words); err != nil {
			return nil, fmt.Errorf("line %d: %w", h.line, err)
		}
		h.line++
	}
	h.line++
	if !slices.Contains([]string{"ascii", "binary_little_endian", "binary_big_endian"}, h.format) {
		return nil, fmt.Errorf("format %.40q; ascii, binary_little_endian and binary_big_endian are read",
			h.format)
	}
	h.body = data[min(len(data), maxHeader)-len(rest):]
	return h, nil
}

func (h *plyHead) take(words []string) error {
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "format":
		if len(words) < 2 {
			return fmt.Errorf("a format without a name")
		}
		h.format = words[1]
	case "element":
		if len(words) != 3 {
			return fmt.Errorf("an element has a name and a count")
		}
		n, err := strconv.ParseInt(words[2], 10, 62)
		if err != nil || n < 0 {
			return fmt.Errorf("%.40q elements of %.40q", words[2], words[1])
		}
		if len(h.elements) >= maxProperties {
			return fmt.Errorf("more than %d elements", maxProperties)
		}
		h.elements = append(h.elements, plyElement{name: words[1], count: n})
	case "property":
		return h.property(words[1:])
	}
	return nil
}

func (h *plyHead) property(words []string) error {
	if len(h.elements) == 0 {
		return fmt.Errorf("a property before any element")
	}
	e := &h.elements[len(h.elements)-1]
	if len(e.properties) >= maxProperties {
		return fmt.Errorf("more than %d properties", maxProperties)
	}
	p := plyProperty{}
	if len(words) == 4 && words[0] == "list" {
		p.count = plyKind(words[1])
		if p.count == 0 || p.count == 'f' || p.count == 'd' {
			return fmt.Errorf("%.40q counts no list", words[1])
		}
		words = words[2:]
	}
	if len(words) != 2 {
		return fmt.Errorf("a property has a kind and a name")
	}
	if p.kind, p.name = plyKind(words[0]), words[1]; p.kind == 0 {
		return fmt.Errorf("property kind %.40q is not known", words[0])
	}
	e.properties = append(e.properties, p)
	return nil
}

// find is the place of the first of the named properties that is a single value; -1: none.
func (e *plyElement) find(names ...string) int {
	for _, name := range names {
		for i, p := range e.properties {
			if p.name == name && p.count == 0 {
				return i
			}
		}
	}
	return -1
}

// list is the place of the first of the named properties that is a list; -1: none.
func (e *plyElement) list(names ...string) int {
	for _, name := range names {
		for i, p := range e.properties {
			if p.name == name && p.count != 0 {
				return i
			}
		}
	}
	return -1
}
