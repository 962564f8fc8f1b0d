package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The compiler computes constant expressions exactly and rounds the result once. With variables each
// operation rounds, and 1-0.9 is no longer 0.1. A test of a hash would notice that before any constant is
// varied. So an expression keeps its constant value as long as all its variables have theirs.

// declared is the ending of the constant's name for which a variable stands.
const declared = "AsDeclared"

// foldedUse is a constant in an expression that the compiler computes.
type foldedUse struct {
	file     string
	from, to int // bytes of the expression
	at       int // end of the constant's name
}

// edit replaces the bytes of a file from from up to to.
type edit struct {
	from, to int
	names    []int // ends of the names of variables in an expression; none: a declaration is renamed
}

// editList is the edits of a file; they do not overlap.
type editList []edit

// edits returns the edits by file after which variables stand for constants.
func edits(all []constant) map[string]editList {
	found := map[string]editList{}
	for i := range all {
		c := &all[i]
		if c.variable == "" {
			continue
		}
		end := c.nameAt + len(c.name)
		found[c.file] = append(found[c.file], edit{from: end, to: end})
		for _, u := range c.folded {
			list := found[u.file]
			k := slices.IndexFunc(list, func(e edit) bool { return e.from == u.from && e.to == u.to })
			if k < 0 {
				k, list = len(list), append(list, edit{from: u.from, to: u.to})
			}
			list[k].names = append(list[k].names, u.at)
			found[u.file] = list
		}
	}
	return found
}

// apply is the text after the edits.
func (l editList) apply(text string) string {
	slices.SortFunc(l, func(x, y edit) int { return cmp.Compare(y.from, x.from) })
	for _, e := range l {
		text = text[:e.from] + e.replacement(text) + text[e.to:]
	}
	return text
}

// replacement is the text for that of an edit.
func (e edit) replacement(text string) string {
	if len(e.names) == 0 {
		return declared
	}
	slices.Sort(e.names)
	exact, from, same := "", e.from, []string{}
	for _, at := range e.names {
		exact += text[from:at] + declared
		name := text[nameStart(text, at):at]
		same, from = append(same, fmt.Sprintf("%s == %[1]s%s", name, declared)), at
	}
	exact += text[from:e.to]
	return fmt.Sprintf("func() float64 { if %s { return %s }; return %s }()", strings.Join(same, " && "), exact,
		text[e.from:e.to])
}

// nameStart is the start of a name, with that of its package, by its end.
func nameStart(text string, end int) int {
	return 1 + strings.LastIndexFunc(text[:end], func(r rune) bool {
		return !(r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	})
}
