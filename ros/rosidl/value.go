package rosidl

import (
	"fmt"
	"strconv"
	"strings"
)

// parseDefault parses the default value of a field: one value, or a list in brackets. A problem other than ""
// says what is wrong.
func parseDefault(t Type, text string) (value any, problem string) {
	if t.Base == Nested {
		return nil, fmt.Sprintf("%s given, but %v is not primitive and can have none", text, t)
	}
	if t.Shape == Single {
		return parseValue(t, text)
	}
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return nil, fmt.Sprintf("%s given, want a list in brackets", text)
	}
	list := []any{}
	for _, element := range splitList(text[1 : len(text)-1]) {
		v, problem := parseValue(t, element)
		if problem != "" {
			return nil, problem
		}
		list = append(list, v)
	}
	if t.Shape == Array && len(list) != t.Size || t.Shape == Bounded && len(list) > t.Size {
		return nil, fmt.Sprintf("%d elements given for %v", len(list), t)
	}
	return list, ""
}

// splitList splits at the commas outside quotes.
func splitList(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var list []string
	start, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\'') && strings.TrimSpace(text[start:i]) == "":
			quote = c
		case quote == 0 && c == ',':
			list = append(list, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(list, strings.TrimSpace(text[start:]))
}

// parseValue parses one primitive value.
func parseValue(t Type, text string) (value any, problem string) {
	switch t.Base {
	case Bool:
		return parseBool(text)
	case String, WString:
		return parseText(t, text)
	case Float32, Float64:
		return parseFloat(t, text)
	}
	return parseInteger(t, text)
}

func parseBool(text string) (any, string) {
	switch strings.ToLower(text) {
	case "true", "1":
		return true, ""
	case "false", "0":
		return false, ""
	}
	return nil, fmt.Sprintf("%s given, want true or false", text)
}

func parseFloat(t Type, text string) (any, string) {
	bits := 64
	if t.Base == Float32 {
		bits = 32
	}
	v, err := strconv.ParseFloat(text, bits)
	if err != nil {
		return nil, fmt.Sprintf("%s given, want a number of type %v", text, t.Base)
	}
	return v, ""
}

// parseInteger takes decimal numbers (leading zeros mean nothing), and 0x, 0o, 0b ones.
func parseInteger(t Type, text string) (any, string) {
	bits, signed := integer(t.Base)
	for _, base := range []int{10, 0} {
		if signed {
			if v, err := strconv.ParseInt(text, base, bits); err == nil {
				return v, ""
			}
			continue
		}
		if v, err := strconv.ParseUint(text, base, bits); err == nil {
			return v, ""
		}
	}
	return nil, fmt.Sprintf("%s given, want an integer of type %v", text, t.Base)
}

func integer(b Base) (bits int, signed bool) {
	switch b {
	case Int8:
		return 8, true
	case Int16:
		return 16, true
	case Uint16:
		return 16, false
	case Int32:
		return 32, true
	case Uint32:
		return 32, false
	case Int64:
		return 64, true
	case Uint64:
		return 64, false
	}
	return 8, false
}

// parseText takes text as it stands, or between quotes, where a backslash makes a quote an ordinary
// character.
func parseText(t Type, text string) (any, string) {
	if n := len(text); n > 0 && (text[0] == '"' || text[0] == '\'') {
		quote := text[:1]
		if n < 2 || text[n-1:] != quote || strings.HasSuffix(text, `\`+quote) &&
			!strings.HasSuffix(text, `\\`+quote) {
			return nil, fmt.Sprintf("%s given, want nothing after the closing %s", text, quote)
		}
		inner := strings.ReplaceAll(text[1:n-1], `\`+quote, "\x00")
		if strings.Contains(inner, quote) {
			return nil, fmt.Sprintf("%s given, want \\%s for a quote inside", text, quote)
		}
		text = strings.ReplaceAll(inner, "\x00", quote)
	}
	if t.StringBound > 0 && len(text) > t.StringBound {
		return nil, fmt.Sprintf("%d bytes given, at most %d allowed", len(text), t.StringBound)
	}
	return text, ""
}
