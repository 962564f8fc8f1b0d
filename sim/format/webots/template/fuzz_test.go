package template

import (
	"errors"
	"strings"
	"testing"
)

// FuzzTemplate evaluates any text as a template: it ends, and errors have a place in it.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{
		"%< for (let i of [1, ...fields.list.value]) { >% %<= `${i}` >% %< } >%",
		"%< import * as v from 'wbvector2.js'; const {x, ...r} = v.add({x: 1, y: 2}, {x: 3, y: 4}); >%%<= r.y + x >%",
		"# %< >%\n%<= /a+/g.exec('aa')[0].replace('a', '$&') >% %< switch (1) { >% %< case 1: >%a%< } >%",
		"%< class A { #x = 1; static { } get y() { return this.#x } } >%%<= new A().y ?? 0 >%",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := NewBudget(nil)
		b.steps = 50_000
		r, err := Run(body(text), input(), b)
		var e *Error
		switch {
		case err == nil:
			for at := range len(r.Text) {
				if p := r.Place(at); p.Line < 10 || p.Line > 10+strings.Count(text, "\n") {
					t.Fatalf("a place at %v", p)
				}
			}
		case !errors.As(err, &e) || e.Pos.Line < 10 || e.Pos.Line > 10+strings.Count(text, "\n"):
			t.Fatalf("an error without a place: %v", err)
		case strings.Contains(err.Error(), "gave up"):
			t.Fatalf("a panic: %v", err)
		}
	})
}
