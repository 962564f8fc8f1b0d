package template

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

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
	t := &vrml.Template{Pos: vrml.Pos{Line: 10, Column: 5}, Text: text, Open: "%{", Close: "}%"}
	if strings.Contains(text, "%<") {
		t.Open, t.Close, t.JavaScript = "%<", ">%", true
	}
	return t
}

func expand(text string) (*Result, error) { return Run(body(text), input(), NewBudget(nil)) }

func TestTemplatesMakeWhatTheManualOfWebotsSays(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// Lua
		{`a %{= fields.n.value }% b`, "a 3 b"},
		{`%{ for i = 1, 3 do }%(%{= i }%)%{ end }%`, "(1)(2)(3)"},
		{`%{ for i = 1, 3 do }% %{ if i == 2 then break }% %{ end }%x%{ end }%`, " x "},
		{`size %{= fields.size.value.x }% %{=fields.size.value.y}% %{= fields.size.defaultValue.z; }%`,
			"size 1 0.5 0.25"},
		{`%{ local t = fields.list.value }%%{= #t }% %{= t[1] + t[3] }%`, "3 5"},
		{`%{ if fields.none.value then }%yes%{ else }%no%{ end }%`, "no"},
		{`%{= fields.physics.value.node_name }% %{= fields.physics.value.fields.mass.value }%`, "Physics 2.5"},
		{`name "%{= fields.text.value }%"`, `name "a b"`},
		{"# %{= 1 }%\n%{= 2 }%", "# %{= 1 }%\n2"},
		{`%{= 1e15 }% %{= 0.1 + 0.2 }% %{= 1/3 }% %{= 2^53 }% %{= "x" .. 1.0 .. 2 }%`,
			"1e+15 0.3 0.33333333333333 9.007199254741e+15 x12"},
		{`%{ local a, b = {}, {} a[1], b[1], a.x = 1, 2, 3 a[1], b[1] = b[1], a[1] }%%{= a[1] .. b[1] .. a.x }%`,
			"213"},
		{`%{ local s = setmetatable({}, {__concat = function(a, b) return "joined" end}) }%%{= s .. "x" }%`, "joined"},
		{`%{= context.os .. context.id }%`, "linux7"},
		{`%{= string.format("%5.2f|%g|%d|%s|%%g", 1.234, 0.5, 7, "x") }%`, " 1.23|0.5|7|x|%g"},
		{`%{= ("a,b,c"):gsub(",", ";") }% %{= ("k=v"):match("(%w+)=(%w+)") }%`, "a;b;c k"},
		{`%{ for word in ("red player 2"):gmatch("%w+") do }%(%{= word }%)%{ end }%`, "(red)(player)(2)"},
		{`%{= table.concat({1, 2.5, "x"}, " ") }%`, "1 2.5 x"},
		{`%{ local r = require("wbrandom") r.seed(1) }%%{= r.integer(0, 9) }% %{= r.integer(0, 9) }%`, "0 6"},
		{`%{= require("wbvector3").norm({x = 2, y = 3, z = 6}) }%`, "7"},
		{`%{ local ok, why = pcall(function() error({code = 5}) end) }%%{= why.code }%`, "5"},
		{`%{= math.floor(require("wbmath").round(2.5)) .. require("wbstring").split("a, b", ", ")[2] }%`, "3b"},
		{`%{= os.time() + os.clock() }%%{= tostring(io.open("/etc/passwd")) }%`, "0nil"},
		// JavaScript
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
		{"a\n  %{= nothing.x }%", "11:6: Lua: attempt to index a non-table object(nil) with key 'x'"},
		{"%{ local x = 1\n   error('the size is negative') }%", "11:4: Lua: the size is negative"},
		{"%{ for i = 1 do }%", "10:18: Lua: syntax error near \"do\""},
		{"%{ if true then }%", "Lua: syntax error"},
		{"%{ require('gd') }%", "10:8: Lua: there is no module \"gd\"; there are wbcore"},
		{"%{ dofile('/etc/passwd') }%", "10:8: Lua: attempt to call a non-function object"},
		{"%{ loadstring('x = 1') }%", "Lua: attempt to call a non-function object"},
		{"%{= {} .. 'x' }%", "Lua: attempt to concatenate a table value"},
		{"%{= string.format('%999d', 1) }%", "Lua: invalid format"},
		{"%{= 1 ", "10:5: Lua: the statement that begins here with %{ is never closed"},
	} {
		_, err := expand(c.text)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrLimit) {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestATemplateTakesNoMoreThanItMay(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 30 s")
	}
	for _, text := range []string{
		`%{ while true do end }%`,
		`%{ while true do pcall(function() while true do end end) end }%`,
		`%{ string.rep("x", 1e9) }%`,
		`%{ local s = "x" while true do s = s .. s end }%`,
		`%{ local s = "x" for i = 1, 60 do s = s .. s .. s .. s end }%`,
		`%{ local t = {} t[6e7] = 1 }%`,
		`%{ local t = {} for i = 1, 1e9 do t[i] = {i} end }%`,
		`%{ local t = {} for i = 1, 1e9 do t[i] = {} t[i][5e5] = 1 end }%`,
		`%{ local t = {} while true do rawset(t, #t + 1, string.rep("x", 1e5)) end }%`,
		`%{ local t = {} while true do table.insert(t, 1, #t) end }%`,
		`%{ local t = {} table.insert(t, 6e7, 1) }%`,
		`%{ local s = string.rep("x", 1e5) s:gsub("x", s) }%`,
		`%{ local s = string.rep("x", 1e5) s:gsub("x", function() return s end) }%`,
		`%{ local s = string.rep("x", 1e5) s:gsub("x", {x = s}) }%`,
		`%{ local s = string.rep("x", 1e5) local t = {} for i = 1, 1000 do t[i] = s end table.concat(t) }%`,
		`%{ while true do }%x%{ end }%`,
		`%{ local function f() return f() end f() }%`,
		`%{ while true do for k in pairs({1, 2, 3}) do end end }%`,
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
	} {
		_, err := expand(text)
		if !errors.Is(err, ErrLimit) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !strings.Contains(err.Error(), "10:") {
			t.Errorf("%s: no place: %v", text, err)
		}
	}
	runtime.GC()
}

func TestLargeTemplatesAreMade(t *testing.T) {
	for _, text := range []string{
		`%< const a = []; for (let i = 0; i < 100000; ++i) a.push(i + ' ' + (i + 1)); >%%<= a.join('\n') >%`,
		`%< let s = ''; for (let i = 0; i < 10000; ++i) s += i + ' ' + (i + 1) + ' 0.5,\n'; >%%<= s >%`,
		`%{ local t = {} for i = 1, 100000 do t[#t + 1] = i .. ' ' .. i + 1 end }%%{= table.concat(t, '\n') }%`,
		`%{ local t = {} for i = 1, 100000 do table.insert(t, {x = i, y = i * i}) end }%%{= #t }%`,
		`%{ for i = 1, 20000 do }% %{= i }% %{= i + 1 }%, %{ end }%`,
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
		"{a:", "`${", "a+", "a.", "a[", "not ", "a..", "a^", "function() ", "{{", "f(", "else if(x)"} {
		for _, open := range []string{"%<", "%{"} {
			closed := map[string]string{"%<": ">%", "%{": "}%"}[open]
			text := open + strings.Repeat(part, maxProgram/len(part)-10) + " " + closed
			if _, err := expand(text); err == nil {
				t.Errorf("%s %q: no error", open, part)
			}
		}
	}
	if _, err := expand("%<" + strings.Repeat(" ", maxProgram+1) + ">%"); err == nil {
		t.Error("a long program")
	}
}

func TestTemplatesOfADocumentShareItsBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 2 s")
	}
	b := NewBudget(nil)
	for i := range 30 {
		_, err := Run(body(`%{ for i = 1, 3e6 do end }%`), input(), b)
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
	for _, text := range []string{`%< for (;;); >%`, `%{ while true do end }%`} {
		_, err := Run(body(text), input(), NewBudget(func() error { return gone }))
		if !errors.Is(err, gone) {
			t.Errorf("%s: %v", text, err)
		}
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
		`%< console.log('a'); console.error('too', 'small'); >%`, `%{ print("a") io.stderr:write("too", " small") }%`,
		"%< import * as u from 'wbutility.js'; u.assert(true, 'no'); u.assert(false, 'too small'); >%",
	} {
		r, err := expand(text)
		if err != nil || fmt.Sprint(r.Said) != "[too small]" {
			t.Errorf("%s: %v %v", text, r, err)
		}
	}
}
