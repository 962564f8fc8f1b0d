package template

import (
	"errors"
	"strings"
	"testing"
)

// FuzzTemplate evaluates any text as a template of both languages: it ends, and errors have a place in it.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{
		"%{ for i = 1, 3 do }% %{= i }% %{ end }% \"%{= fields.text.value }%\"",
		"%{ local t = {1, a = 2} t[#t + 1], t.b = t[1], -t[1] ^ 2 }%%{= t.a .. not t[1] }%",
		"%< for (let i of [1, ...fields.list.value]) { >% %<= `${i}` >% %< } >%",
		"%< import * as v from 'wbvector2.js'; const {x, ...r} = v.add({x: 1, y: 2}, {x: 3, y: 4}); >%%<= r.y + x >%",
		"# %< >%\n%<= /a+/g.exec('aa')[0].replace('a', '$&') >% %< switch (1) { >% %< case 1: >%a%< } >%",
		"%{ goto done }% %{ ::done:: return 1 }%",
		"%< class A { #x = 1; static { } get y() { return this.#x } } >%%<= new A().y ?? 0 >%",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, open := range []string{"%<", "%{"} {
			template := body(text)
			template.Open, template.Close, template.JavaScript = open, ">%", true
			if open == "%{" {
				template.Close, template.JavaScript = "}%", false
			}
			b := NewBudget(nil)
			b.steps = 50_000
			r, err := Run(template, input(), b)
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
		}
	})
}
