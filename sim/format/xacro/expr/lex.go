package expr

import (
	"strings"
	"unicode/utf8"
)

// token is a piece of an expression.
type token struct {
	kind byte // 'n' number, 's' string, 'i' name, 'o' operator, 'e' end
	text string
}

// operators, longest first.
var operators = []string{"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">",
	"(", ")", "[", "]",
	"{", "}", ",", ":", ".", "=", "&", "|", "^", "~"}

// maxTokens bounds an expression.
const maxTokens = 20_000

// lex cuts an expression into tokens.
func lex(s string) ([]token, error) {
	var out []token
	for {
		s = strings.TrimLeft(s, " \t\r\n")
		if s == "" {
			return append(out, token{'e', "the end"}), nil
		}
		t, n, err := next(s)
		if err != nil {
			return nil, err
		}
		if out = append(out, t); len(out) > maxTokens {
			return nil, wrong("an expression of more than %d pieces", maxTokens)
		}
		s = s[n:]
	}
}

func next(s string) (token, int, error) {
	c := s[0]
	switch {
	case digit(c) || c == '.' && len(s) > 1 && digit(s[1]):
		n := number(s)
		return token{'n', s[:n]}, n, nil
	case letter(c):
		n := 1
		for n < len(s) && (letter(s[n]) || digit(s[n])) {
			n++
		}
		return token{'i', s[:n]}, n, nil
	case c == '"' || c == '\'':
		return quoted(s)
	}
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return token{'o', op}, len(op), nil
		}
	}
	r, _ := utf8.DecodeRuneInString(s)
	return token{}, 0, wrong("%q is no part of an expression", r)
}

// number is the length of the number that s starts with.
func number(s string) int {
	n := 0
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXbBoO", s[1]) >= 0 {
		for n = 2; n < len(s) && (digit(s[n]) || letter(s[n])); n++ {
		}
		return n
	}
	for n < len(s) && (digit(s[n]) || s[n] == '.' || s[n] == '_') {
		n++
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if m < len(s) && digit(s[m]) {
			for n = m; n < len(s) && digit(s[n]); n++ {
			}
		}
	}
	return n
}

// quoted reads a string with its escapes.
func quoted(s string) (token, int, error) {
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; c {
		case quote:
			return token{'s', b.String()}, i + 1, nil
		case '\\':
			if i++; i == len(s) {
				continue
			}
			if at := strings.IndexByte(`ntr\'"0`, s[i]); at >= 0 {
				b.WriteByte("\n\t\r\\'\"\x00"[at])
			} else {
				b.WriteByte('\\')
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return token{}, 0, wrong("the string %s is never closed", clip(s))
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
