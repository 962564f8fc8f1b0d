package sim

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"simdeck/sim/scene"
)

const (
	maxName    = 255     // bytes of an entity's name
	WorldFrame = "world" // of the world frame
	restOfName = "entity"
)

// CheckName wraps ErrNameInvalid unless name may be an entity's. It must not
// read like a path or a flag: scripts make files and commands of names.
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: it is empty; give one, or allow renaming", ErrNameInvalid)
	case len(name) > maxName:
		return fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrNameInvalid, len(name), maxName)
	case name == WorldFrame:
		return fmt.Errorf("%w: %q is the name of the world frame", ErrNameInvalid, name)
	}
	for i := range len(name) {
		if !isNameByte(name[i]) {
			r, _ := utf8.DecodeRuneInString(name[i:])
			return fmt.Errorf("%w: %q has %q at byte %d; letters, digits and _ / - . are allowed",
				ErrNameInvalid, name, r, i)
		}
	}
	if name[0] == '-' {
		return fmt.Errorf("%w: %q begins like a flag of a command; want a letter, a digit, _ or .",
			ErrNameInvalid, name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("%w: %q reads like a path; want parts with single slashes between, as in ns/robot",
				ErrNameInvalid, name)
		}
	}
	return nil
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		c == '_' || c == '/' || c == '-' || c == '.'
}

// CheckNamespace wraps ErrNamespaceInvalid unless ns is empty or a namespace by the rules of ROS names. Such
// a name has tokens of letters, digits and single underscores, which begin with no digit, with single slashes
// between.
func CheckNamespace(ns string) error {
	if ns == "" || ns == "/" {
		return nil
	}
	if len(ns) > maxName {
		return fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrNamespaceInvalid, len(ns), maxName)
	}
	for _, token := range strings.Split(strings.TrimPrefix(ns, "/"), "/") {
		if why := invalidToken(token); why != "" {
			return fmt.Errorf("%w: %q: %s; want tokens of letters, digits and single underscores with slashes between",
				ErrNamespaceInvalid, ns, why)
		}
	}
	return nil
}

func invalidToken(token string) string {
	switch {
	case token == "":
		return "a slash stands at its end or beside another"
	case token[0] >= '0' && token[0] <= '9':
		return fmt.Sprintf("%q begins with a digit", token)
	case strings.Contains(token, "__"):
		return fmt.Sprintf("%q has two underscores in a row", token)
	}
	for i := range len(token) {
		if c := token[i]; !isNameByte(c) || c == '-' || c == '.' || c == '/' {
			return fmt.Sprintf("%q has a %q", token, rune(c))
		}
	}
	return ""
}

// NameFrom is a valid name made from one that need not be.
func NameFrom(s string) string {
	b := []byte(s)
	for i := range b {
		if !isNameByte(b[i]) {
			b[i] = '_'
		}
	}
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(string(b[:min(len(b), maxName-16)]), "_/"), "/") {
		if len(parts) == 0 { // it would read like a flag
			part = strings.TrimLeft(part, "-")
		}
		if part != "" && part != "." && part != ".." {
			parts = append(parts, part)
		}
	}
	if name := strings.Join(parts, "/"); name != "" && name != WorldFrame {
		return name
	}
	return restOfName
}

// FreeName is name, or name_1, name_2, … when it is taken.
func FreeName(name string, taken func(string) bool) string {
	free := name
	for i := 1; taken(free); i++ {
		suffix := fmt.Sprintf("_%d", i)
		free = name[:min(len(name), maxName-len(suffix))] + suffix
	}
	return free
}

// NamespaceOf is the namespace of an entity's ROS names: the one given, else
// its name as far as ROS allows that.
func NamespaceOf(given, name string) string {
	if ns := strings.Trim(given, "/"); ns != "" {
		return ns
	}
	if CheckNamespace(name) == nil {
		return strings.Trim(name, "/")
	}
	var tokens []string
	for _, token := range strings.Split(name, "/") {
		token = strings.NewReplacer("-", "_", ".", "_").Replace(token)
		for strings.Contains(token, "__") {
			token = strings.ReplaceAll(token, "__", "_")
		}
		if token == "" || token == "_" {
			continue
		}
		if token[0] >= '0' && token[0] <= '9' {
			token = "n" + token
		}
		tokens = append(tokens, token)
	}
	if len(tokens) == 0 {
		return restOfName
	}
	return strings.Join(tokens, "/")
}

// ResourceName is a name for what a resource describes.
func ResourceName(m *scene.ModelSpec, r Resource) string {
	if m != nil && m.Name != "" {
		return NameFrom(m.Name)
	}
	base := r.URI[strings.LastIndexByte(r.URI, '/')+1:]
	base, _, _ = strings.Cut(base, ".")
	return NameFrom(base)
}
