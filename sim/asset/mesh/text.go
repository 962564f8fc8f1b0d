package mesh

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/sim/r3"
)

// lines walks a text line by line; lines that end with a backslash go on with the next.
type lines struct {
	rest, text string
	number     int // of the line that text starts at, from 1
	passed     int
}

func newLines(text string) *lines { return &lines{rest: text} }

func (l *lines) next() bool {
	if l.rest == "" {
		return false
	}
	l.number = l.passed + 1
	l.text = l.one()
	if !strings.HasSuffix(l.text, `\`) {
		return true
	}
	parts := []string{}
	for strings.HasSuffix(l.text, `\`) && l.rest != "" {
		parts = append(parts, strings.TrimSuffix(l.text, `\`))
		l.text = l.one()
	}
	l.text = strings.Join(append(parts, l.text), " ")
	return true
}

func (l *lines) one() string {
	l.passed++
	end := strings.IndexByte(l.rest, '\n')
	if end < 0 {
		line := l.rest
		l.rest = ""
		return strings.TrimRight(line, "\r \t")
	}
	line := l.rest[:end]
	l.rest = l.rest[end+1:]
	return strings.TrimRight(line, "\r \t")
}

// words walks the words of a text without allocating.
type words struct{ rest string }

func (w *words) next() string {
	start := 0
	for start < len(w.rest) && isSpace(w.rest[start]) {
		start++
	}
	end := start
	for end < len(w.rest) && !isSpace(w.rest[end]) {
		end++
	}
	word := w.rest[start:end]
	w.rest = w.rest[end:]
	return word
}

func isSpace(c byte) bool { return c == ' ' || (c >= '\t' && c <= '\r') }

// vec reads three numbers. "nan" and "inf" are numbers here: their triangles are left out later.
func (w *words) vec() (r3.Vec, error) {
	var v [3]float64
	for i := range v {
		word := w.next()
		f, err := number(word)
		if err != nil {
			return r3.Vec{}, fmt.Errorf("%q is not a number; a corner has three", word)
		}
		v[i] = f
	}
	return r3.V(v[0], v[1], v[2]), nil
}

// number reads a decimal number; Go's hexadecimal and underscored forms are none.
func number(word string) (float64, error) {
	if strings.ContainsAny(word, "xX_") {
		return 0, strconv.ErrSyntax
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil && math.IsInf(f, 0) {
		return f, nil // out of range: kept as infinite, left out later
	}
	return f, err
}
