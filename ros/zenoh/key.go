package zenoh

import "strings"

// Matches reports whether a key is among those of a key expression. The key has no wildcards. In the
// expression * stands for one part between slashes, ** for any number of them, and $* for any text within a
// part. Only literal parts meet those that begin with @.
func Matches(expression, key string) bool {
	for {
		part, rest, more := strings.Cut(expression, "/")
		if part == "**" {
			return matchesAny(rest, more, key)
		}
		first, left, deeper := strings.Cut(key, "/")
		if !matchesPart(part, first) || more != deeper && !(more && rest == "**") {
			return false
		}
		if !more {
			return true
		}
		if !deeper {
			return true // only ** is left of the expression
		}
		expression, key = rest, left
	}
}

// matchesAny is Matches of an expression behind **.
func matchesAny(rest string, more bool, key string) bool {
	for {
		if more && Matches(rest, key) ||
			!more && !strings.HasPrefix(key, "@") && !strings.Contains(key, "/@") {
			return true
		}
		first, left, deeper := strings.Cut(key, "/")
		if !deeper || strings.HasPrefix(first, "@") {
			return false
		}
		key = left
	}
}

// matchesPart is Matches of what stands between slashes.
func matchesPart(pattern, part string) bool {
	if pattern == "*" {
		return !strings.HasPrefix(part, "@")
	}
	head, tail, wild := strings.Cut(pattern, "$*")
	if !wild {
		return pattern == part
	}
	if !strings.HasPrefix(part, head) {
		return false
	}
	for i := len(head); i <= len(part); i++ {
		if matchesPart(tail, part[i:]) || tail == "" {
			return true
		}
	}
	return false
}
