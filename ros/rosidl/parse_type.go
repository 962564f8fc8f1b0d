package rosidl

import (
	"strconv"
	"strings"
)

// parseType parses text[start:end]: a base, perhaps a string bound, perhaps brackets.
func (l *line) parseType(start, end int) (Type, error) {
	var t Type
	word := l.text[start:end]
	base, brackets, many := strings.Cut(word, "[")
	if many {
		if err := l.parseBrackets(&t, start+len(base)+1, brackets); err != nil {
			return t, err
		}
	}
	base, bound, bounded := strings.Cut(base, "<=")
	if bounded {
		n, ok := parseSize(bound)
		if !ok || base != "string" && base != "wstring" {
			return t, l.fail(start, ErrType,
				"%q, only string<=N and wstring<=N with N from 1 to 2147483647 have a bound", word)
		}
		t.StringBound = n
	}
	if b, ok := primitive(base); ok {
		t.Base = b
		return t, nil
	}
	name, err := l.nestedName(start, base)
	t.Base, t.Name = Nested, name
	return t, err
}

func (l *line) parseBrackets(t *Type, at int, text string) error {
	inner, ok := strings.CutSuffix(text, "]")
	if !ok {
		return l.fail(at-1, ErrType, "%q, want [], [N] or [<=N]", "["+text)
	}
	size, bounded := strings.CutPrefix(inner, "<=")
	switch {
	case inner == "":
		t.Shape = Unbounded
		return nil
	case bounded:
		t.Shape = Bounded
	default:
		t.Shape = Array
	}
	if t.Size, ok = parseSize(size); !ok {
		return l.fail(at-1, ErrType, "%q, want [], [N] or [<=N] with N from 1 to 2147483647", "["+text)
	}
	return nil
}

// nestedName completes the name of a message as a definition writes it, Name or package/Name.
func (l *line) nestedName(at int, word string) (string, error) {
	pkg, name, other := strings.Cut(word, "/")
	if !other {
		pkg, name = l.pkg, word
	}
	if word == "time" || word == "duration" {
		return "", l.fail(at, ErrType, "%q is of ROS 1, want builtin_interfaces/%s", word,
			strings.ToUpper(word[:1])+word[1:])
	}
	if !isFieldName(pkg) || !isTypeName(name) {
		return "", l.fail(at, ErrType, "%q, want a primitive type, Name or package/Name", word)
	}
	return pkg + "/msg/" + name, nil
}

func parseSize(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil && n > 0
}
