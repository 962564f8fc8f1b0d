package template

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"simdeck/sim/asset/vrml"
)

// vec is a point or colour.
func vec(names string, values ...float64) *Object {
	o := &Object{}
	for i, v := range values {
		o.Set(names[i:i+1], v)
	}
	return o
}

// input has fields of several types.
func input() Input {
	field := func(v any) *Object { return new(Object).Set("value", v).Set("defaultValue", v) }
	physics := new(Object).Set("node_name", "Physics").Set("fields", new(Object).Set("mass", field(2.5)))
	return Input{
		Fields: new(Object).Set("n", field(3.0)).Set("size", field(vec("xyz", 1, 0.5, 0.25))).
			Set("text", field("a b")).Set("on", field(true)).Set("none", field(nil)).
			Set("list", field([]any{1.0, 2.0, 4.0})).Set("physics", field(physics)).
			Set("points", field([]any{vec("xy", 0, 0), vec("xy", 1, 0), vec("xy", 1, 1)})),
		Context: new(Object).Set("os", "linux").Set("id", 7.0).Set("proto", "/protos/A.proto"),
	}
}

func body(text string) *vrml.Template {
	return &vrml.Template{Pos: vrml.Pos{Line: 10, Column: 5}, Text: text, Open: "%<", Close: ">%",
		JavaScript: true}
}

// untimed is a clock that stands still, for whatever machine runs the test.
var untimed = Clock{Now: func() time.Time { return time.Time{} }, After: func(time.Duration, func()) {}}

func expand(text string) (*Result, error) {
	b := NewBudget(nil)
	b.clock = untimed
	return Run(body(text), input(), b)
}

func TestTemplatesMakeWhatTheManualOfWebotsSays(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`a %<= fields.n.value >% b`, "a 3 b"},
		{`%< for (let i = 0; i < 3; ++i) { >%<%<= i >%>%< } >%`, "<0><1><2>"},
		{"radius %< if (fields.on.value) >%\n 1 %< else >%\n 2", "radius \n 1 "},
		{`%< switch (fields.n.value) { >% %< case 3: >%three%< break; default: >%other%< } >%`, "three"},
		{`%<= fields.size.value.x >% %<= fields.size.value.y; >% %<= fields.text.value // a text >%`, "1 0.5 a b"},
		{`%<= fields.none.value === undefined >% %<= fields.list.value.map(x => x * 2).join(' ') >%`, "true 2 4 8"},
		{`%<= fields.physics.value.node_name >% %<= fields.physics.value.fields.mass.value >%`, "Physics 2.5"},
		{"# %<= 1 >%\n%<= 2 >%", "# %<= 1 >%\n2"},
		{"%<\n import * as wbvector2 from 'wbvector2.js';\n >%%<= wbvector2.norm({x: 3, y: 4}) >%", "5"},
		{`%< import {integer, seed as begin} from "wbrandom.js"; begin(1); >%%<= integer(0, 9) >% %<= integer(0, 9) >%`,
			"0 6"},
		{"%< const s = `a${1 + 1}b${'x'}`; let b = ''; b += s; b += 3; >%%<= b >%", "a2bx3"},
		{`%< const [a, ...rest] = [1, 2, 3], {x, ...others} = fields.size.value; >%%<= rest.length + Object.keys(others).join() >%`,
			"2y,z"},
		{`%< class A { constructor(x) { this.x = x; } get twice() { return this.x * 2; } } class B extends A { } >%%<= new B(4).twice >%`,
			"8"},
		{`%< function* g() { for (let i = 0; i < 3; ++i) yield i; } >%%<= [...g(), ...new Set([7, 7])] >%`, "0,1,2,7"},
		{`%<= JSON.stringify({a: [1, null, 'x"'], b: {}, c: undefined}) >%`, `{"a":[1,null,"x\""],"b":{}}`},
		{`%<= [1, [2, [3]]].flat() >% %<= Array.from({length: 3}, (x, i) => i) >% %<= 'ab'.padStart(4, '.').repeat(2) >%`,
			"1,2,3 0,1,2 ..ab..ab"},
		{`%<= 'x1y2'.replace(/\d/g, d => '<' + d + '>') >% %<= 'a-b'.split('-').reverse().join('+') >%`, "x<1>y<2> b+a"},
		{`%<= Date.now() >% %<= Math.random() === Math.random() >% %<= wbfile.fileExists('/etc/passwd') >%`, "0 false false"},
		{`%< label: for (const a of [1, 2]) { for (;;) continue label; } do { } while (false) >%%<= [3, 1, 2].sort((a, b) => a - b) >%`,
			"1,2,3"},
		{`%< let t; try { null.x } catch (e) { t = e instanceof TypeError } >%%<= t >% %<= a?.b ?? 'none' >%%< var a >%`,
			"true none"},
	} {
		r, err := expand(c.text)
		if err != nil || r.Text != c.want {
			t.Errorf("%s\n got %q, %v\nwant %q", c.text, made(r), err, c.want)
		}
	}
}

func made(r *Result) string {
	if r == nil {
		return ""
	}
	return r.Text
}

func TestErrorsInTemplatesHaveTheirPlaceInTheFile(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\n  %<= nothing.x >%", "11:7: JavaScript: ReferenceError: nothing is not defined"},
		{"%< let x = 1;\n   x.y.z(); >%", "11:6: JavaScript: TypeError: Cannot read property 'z' of undefined"},
		{"text %< for (let i = 0 i < 3; >%", "10:28: JavaScript: SyntaxError: "},
		{"é %< let x = 1; let x = 2; >%", "10:25: JavaScript: SyntaxError: Identifier 'x' has already been declared"},
		{"\n\n%<\n import * as a from 'nothing.js';\n>%", "13:2: JavaScript: TypeError: there is no module nothing"},
		{"%< throw new Error('the size is negative'); >%", "JavaScript: Error: the size is negative"},
		{"%<= 5n >%", "10:9: JavaScript: a BigInt is not run in templates"},
		{"%< let a = /(?=x)y/; >%", "10:16: JavaScript: a pattern with lookaheads"},
		{"%< async function f() { } >%", "10:8: JavaScript: async is not run"},
		{"%< eval('1') >%", "eval is not defined"},
		{"%< (() => 1).constructor('return 1')() >%", "JavaScript: TypeError"},
		{"%< 'a'.match('(?=x)') >%", "lookaheads"},
		{"%< wbfile.readTextFile('/etc/passwd') >%", "templates read no files here"},
	} {
		_, err := expand(c.text)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrLimit) {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Every program ends by its steps, texts or memory, not by its time: so it does the same on every machine.
func TestATemplateTakesNoMoreThanItMay(t *testing.T) {
	for _, text := range []string{
		`%< while (true); >%`,
		`%< for (;;) { try { while (true) { } } catch (e) { } } >%`,
		`%< (function f() { try { f() } finally { f() } })() >%`,
		`%< 'x'.repeat(1e9) >%`,
		`%< let s = 'x'; for (;;) s += s; >%`,
		"%< let s = 'x'; for (;;) s = `${s}${s}`; >%",
		`%< let s = 'xx'; for (;;) s = [s, s].join(s); >%`,
		`%< let s = 'xx'; for (;;) s = s.concat(s, s); >%`,
		`%< let s = 'x'.repeat(1e5); s.replace(/x/g, s) >%`,
		`%< let s = 'x'.repeat(1e5); s.replace(/x/g, '$&$&$&') + s.replace(/x/g, "$'") >%`,
		`%< let s = 'x'.repeat(1e5); s.replace(/x/g, () => s) >%`,
		`%< let s = 'x'.repeat(1e5); /x/g[Symbol.replace](s, s) >%`,
		`%< 'x'.padEnd(1e9) >%`,
		`%< new Array(1e9).fill(0) >%`,
		`%< const a = []; a.length = 4e9; a.indexOf(1) >%`,
		`%< const a = []; a[4e9] = 1; a.join() >%`,
		`%< let a = [1]; for (;;) a = [...a, ...a]; >%`,
		`%< let a = [1]; for (;;) a.push(...a); >%`,
		`%< let a = [1]; for (;;) a = a.concat(a); >%`,
		`%< let a = [1]; for (let i = 0; i < 60; ++i) a = [a, a]; a.flat(Infinity) >%`,
		`%< let a = [1]; for (let i = 0; i < 60; ++i) a = [a, a]; '' + a >%`,
		`%< let a = [1]; for (let i = 0; i < 60; ++i) a = {a, b: a}; JSON.stringify(a) >%`,
		`%< const a = []; for (;;) a.push(new Map([[1, 2]])); >%`,
		`%< const a = [], b = Array.from({length: 1e4}); for (;;) { const [...c] = b; a.push(c); } >%`,
		`%< const a = [], o = {}; for (let i = 0; i < 1e4; ++i) o[i] = i; for (;;) a.push({...o}); >%`,
		`%< const a = [], b = Array.from({length: 1e4}); for (;;) a.push(new Set(b)); >%`,
		`%< Array.from({length: 1e12}) >%`,
		`%< Array.from({[Symbol.iterator]: () => ({next: () => ({done: false})})}) >%`,
		`%< new Set({[Symbol.iterator]: () => ({next: () => ({done: false})})}) >%`,
		`%< function* g() { for (;;) yield 1; } Math.max(...g()) >%`,
		`%< for (;;) { >%x%< } >%`,
		`%< Array.apply(null, new Array(2e6)) >%`,
		`%< const s = 'x'.repeat(1e6), t = s + s + s + s; let u = t + '1', v = t + '2'; for (;;) u === v; >%`,
		`%< const a = []; for (;;) a.push(() => a); >%`,
		`%< 'x'.repeat(1e6).split('').map(x => 'x'.repeat(1e6).split('')) >%`,
		// One function does much at once.
		`%< const o = {}; for (let i = 0; i < 1e9; i++) Object.defineProperty(o, "k" + i, {value: i}) >%`,
		`%< const o = {}; for (let i = 0; i < 1e5; i++) Object.defineProperty(o, "k" + i, {value: i}); for (;;) Object.keys(o) >%`,
		`%< const o = {}; for (let i = 0; i < 1e5; i++) Object.defineProperty(o, "k" + i, {value: i}); for (;;) for (const k in o); >%`,
		`%< const o = {}; for (let i = 0; i < 1e5; i++) o[Symbol()] = i; for (;;) ({...o}) >%`,
		`%< let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) for (const k in o); >%`,
		`%< for (;;) "\ufdfa".repeat(400000).normalize("NFKD") >%`,
		`%< for (;;) "\ufdfa".repeat(400000).localeCompare("\ufdfb".repeat(400000)) >%`,
		`%< const s = "\u00e9".repeat(4e5), t = "\u00e9".repeat(2e5) + "x"; for (;;) s.indexOf(t) >%`,
		`%< const s = "\u00e9".repeat(4e5), t = "\u00e9".repeat(2e5) + "x"; for (;;) s.split(t) >%`,
		`%< const s = "\u00e9".repeat(4e5), t = "\u00e9".repeat(2e5) + "x"; for (;;) s.replaceAll(t, '') >%`,
		`%< const s = 'x'.repeat(5e5), a = []; for (let i = 0; i < 1000; i++) a.push(s + i); for (;;) a.sort() >%`,
		`%< const s = 'x'.repeat(5e5), a = Array.from({length: 1e4}, () => s + 1); for (;;) a.indexOf(s + 2) >%`,
		`%< const s = 'x'.repeat(5e5), m = new Map(); for (;;) m.get(s + 1) >%`,
		`%< const s = 'x'.repeat(5e5); for (;;) /(?:x{20}){20}y/.test(s) >%`,
		`%< const s = 'x'.repeat(5e5), r = new RegExp('x*'.repeat(400) + 'y'); for (;;) r.test(s) >%`,
		`%< for (;;) JSON.parse('[' + '1,'.repeat(2e5) + '1]') >%`,
		`%< let a = []; for (let i = 0; i < 1e5; ++i) a = [a]; '' + a >%`,
		`%< let a = []; for (let i = 0; i < 1e5; ++i) a = [a]; a.toString() == 1 >%`,
		`%< let f = () => 1; for (let i = 0; i < 1e5; ++i) f = f.bind(null); f() >%`,
		`%< class A { }; let c = A; for (let i = 0; i < 1e9; ++i) c = class extends c { }; new c() >%`,
		`%< let g = function* () { yield 1; }; for (let i = 0; i < 1e5; ++i) { const h = g; g = function* () { yield* h(); }; } [...g()] >%`,
		`%< const a = []; function f(n) { if (n) { try { null.x } catch (e) { a.push(e) } f(n - 1) } } for (;;) f(900) >%`,
		`%< const a = []; for (;;) a.push(new Error('x')) >%`,
		`%< (function () { arguments.length = 1e12; [].slice.call(arguments) })() >%`,
		`%< for (;;) Array(4e7).length >%`,
		`%< for (;;) Object.keys(new String('x'.repeat(8e6))) >%`,
		`%< for (const s = '9'.repeat(5e5);;) parseInt(s) >%`,
	} {
		b := NewBudget(nil)
		b.most /= 20
		b.clock = untimed
		_, err := Run(body(text), input(), b)
		if !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !strings.Contains(err.Error(), "10:") {
			t.Errorf("%s: no place: %v", text, err)
		}
	}
}

// One call of a built-in function counts as much as it does: nothing interrupts it.
func TestTheWorkOfBuiltInFunctionsCounts(t *testing.T) {
	const texts = `const s = "\u00e9".repeat(2e5), u = "\u00e9".repeat(1e5) + "x"; `
	for _, call := range []string{`s.normalize("NFKD")`, `s.localeCompare(u)`, `s.indexOf(u)`, `s.split(u)`, `s.replaceAll(u, '')`,
		`/(?:\u00e9{20}){20}y/.test(s)`} {
		for _, text := range []string{"", call} {
			b := NewBudget(nil)
			b.most = 300_000
			b.clock = untimed
			_, err := Run(body("%< "+texts+text+" >%"), input(), b)
			if text == "" && err != nil || text != "" && !errors.Is(err, ErrLimit) {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}

func TestAnEvaluationEndsAtItsTime(t *testing.T) {
	for _, text := range []string{`%< for (;;); >%`,
		`%< for (;;) { try { for (;;); } finally { for (;;); } } >%`,
		`%< const a = Array.from({length: 1e3}, () => ({toString: () => 'x'})); for (;;) a.join() >%`} {
		now := time.Unix(0, 0)
		b := NewBudget(nil)
		b.most, b.steps = 1<<60, 1<<60
		b.clock = Clock{Now: func() time.Time { return now }, After: func(d time.Duration, f func()) {
			now = now.Add(d)
			f()
		}}
		_, err := Run(body(text), input(), b)
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "longer than 1s") {
			t.Errorf("%s: %v", text, err)
		}
		if b.time != maxTotalTime-maxTime {
			t.Errorf("%v are left of the document's time", b.time)
		}
	}
}

func TestFunctionsThatCannotBeCountedAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`%< [].concat({length: 1e12, [Symbol.isConcatSpreadable]: true}) >%`: "concat of objects that are no lists",
		`%< Math.max.apply(null, {length: 1e12}) >%`:                         "apply is run with lists alone",
		`%< /x/.compile('(?=x)y') >%`:                                        "Object has no member 'compile'",
		`%< /(?:x{900}){900}/ >%`:                                            "make it long",
		`%< new RegExp('x'.repeat(2000)) >%`:                                 "make it long",
		`%< throw {toString() { throw this; }} >%`:                           "",
		`%< const e = {toString() { for (;;); }}; throw e >%`:                "more than",
		`%< JSON.parse('['.repeat(1e5)) >%`:                                  "nested deeper than 200",
	} {
		if _, err := expand(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTemplatesInLuaAreNotRun(t *testing.T) {
	l := &vrml.Template{Pos: vrml.Pos{Line: 10, Column: 5}, Text: "Solid {\n  %{ x = 1 }% }", Open: "%{", Close: "}%"}
	_, err := Run(l, input(), NewBudget(nil))
	if !errors.Is(err, ErrLua) || !strings.HasPrefix(err.Error(), "11:3: templates in Lua") {
		t.Error(err)
	}
}

func TestLargeTemplatesAreMade(t *testing.T) {
	for _, text := range []string{
		`%< const a = []; for (let i = 0; i < 100000; ++i) a.push(i + ' ' + (i + 1)); >%%<= a.join('\n') >%`,
		`%< let s = ''; for (let i = 0; i < 10000; ++i) s += i + ' ' + (i + 1) + ' 0.5,\n'; >%%<= s >%`,
		`%< for (let i = 0; i < 20000; ++i) { >% %<= i >% %<= i + 1 >%, %< } >%`,
	} {
		if r, err := expand(text); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if len(r.Text) < 6 {
			t.Errorf("%s: %q", text, r.Text)
		}
	}
}

func TestFunctionsOfListsAreForListsAlone(t *testing.T) {
	for _, text := range []string{
		`%< Array.prototype.fill.call({length: 1e12}, 0) >%`,
		`%< let n = 0; Array.prototype.fill.call({get length() { return n++ ? 1e12 : 1 }}, 0) >%`,
	} {
		if _, err := expand(text); err == nil || !strings.Contains(err.Error(), "run on lists alone") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestProgramsThatNestTooDeepAreRefused(t *testing.T) {
	for _, part := range []string{"(", "[", "{", "!", "- ", "a=>", "if(x)", "a?", "x=", "typeof ", "new ",
		"{a:", "`${", "a+", "a.", "a[", "{{", "f(", "else if(x)"} {
		if _, err := expand("%<" + strings.Repeat(part, maxProgram/len(part)-10) + " >%"); err == nil {
			t.Errorf("%q: no error", part)
		}
	}
	if _, err := expand("%<" + strings.Repeat(" ", maxProgram+1) + ">%"); err == nil {
		t.Error("a long program")
	}
}

func TestTemplatesOfADocumentShareItsBudget(t *testing.T) {
	b := NewBudget(nil)
	b.clock, b.steps = untimed, b.steps/10
	for i := range 30 {
		_, err := Run(body(`%< for (let i = 0; i < 1e5; ++i); >%`), input(), b)
		if i == 0 && err != nil {
			t.Fatal(err)
		}
		if errors.Is(err, ErrLimit) {
			return
		}
	}
	t.Error("thirty templates of three million steps each are allowed")
}

func TestReadingThatIsInterruptedEndsATemplate(t *testing.T) {
	gone := errors.New("gone")
	_, err := Run(body(`%< for (;;); >%`), input(), NewBudget(func() error { return gone }))
	if !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestWhatWasMadeKnowsWhereItComesFrom(t *testing.T) {
	r, err := expand("Solid {\n  %< for (let i = 0; i < 2; ++i) { >%name \"é%<= 'abc' >%\" x%< } >%\n}")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   string
		last bool
		want string
	}{{"Solid", false, "10:5"}, {"name", false, "11:38"}, {"name", true, "11:38"}, {"abc", true, "11:48"},
		{"x", true, "11:59"}, {"}", true, "12:1"}} {
		at := strings.Index(r.Text, c.at)
		if c.last {
			at = strings.LastIndex(r.Text, c.at)
		}
		if got := r.Place(at).String(); got != c.want {
			t.Errorf("%s of %q: %s, want %s", c.at, r.Text, got, c.want)
		}
	}
}

func TestWhatTemplatesWriteAsErrorsIsKept(t *testing.T) {
	for _, text := range []string{
		`%< console.log('a'); console.error('too', 'small'); >%`,
		"%< import * as u from 'wbutility.js'; u.assert(true, 'no'); u.assert(false, 'too small'); >%",
	} {
		r, err := expand(text)
		if err != nil || fmt.Sprint(r.Said) != "[too small]" {
			t.Errorf("%s: %v %v", text, r, err)
		}
	}
}
