package rosidl

import "strings"

// The shapes of names, as the ROS 2 interface definition article gives them.

// isFieldName: lower case, digits and single underscores, beginning with a letter, not ending in an
// underscore.
func isFieldName(s string) bool { return isWord(s, isLower) }

// isConstantName is isFieldName in upper case.
func isConstantName(s string) bool { return isWord(s, isUpper) }

// isTypeName: letters and digits, beginning with an upper case letter.
func isTypeName(s string) bool {
	if s == "" || !isUpper(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isUpper(s[i]) && !isLower(s[i]) && !isDigit(s[i]) {
			return false
		}
	}
	return true
}

func isWord(s string, letter func(byte) bool) bool {
	if s == "" || !letter(s[0]) || s[len(s)-1] == '_' || strings.Contains(s, "__") {
		return false
	}
	for i := range len(s) {
		if !letter(s[i]) && !isDigit(s[i]) && s[i] != '_' {
			return false
		}
	}
	return true
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
