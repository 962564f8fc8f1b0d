package template

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// chunk is a run of a template in Lua.
type chunk struct {
	*lua.LState
	out     *output
	modules map[string]lua.LValue
}

// prepare leaves what a template may use, weighed, and adds what Webots has.
func (c *chunk) prepare() {
	for name, open := range map[string]lua.LGFunction{"": lua.OpenBase, "table": lua.OpenTable,
		"string": lua.OpenString, "math": lua.OpenMath} {
		c.Push(c.NewFunction(open))
		c.Push(lua.LString(name))
		c.Call(1, 0)
	}
	for _, name := range strings.Fields(`_G _GOPHER_LUA_VERSION collectgarbage dofile load loadfile loadstring
		getfenv setfenv module newproxy require print _printregs`) {
		c.SetGlobal(name, lua.LNil)
	}
	for name, f := range map[string]lua.LGFunction{
		concatName: c.concat, setName: c.set, lenName: c.length, "rawset": c.set, "require": c.require,
		"print": func(*lua.LState) int { return 0 }, "tostring": c.tostring,
		"__text": func(l *lua.LState) int { c.out.literal(l.CheckInt(1)); return c.on(0) },
		"__put":  func(l *lua.LState) int { c.out.put(l.CheckInt(1), c.text(l.Get(2))); return c.on(0) },
	} {
		c.SetGlobal(name, c.NewFunction(f))
	}
	c.strings()
	c.tables()
	c.random()
	c.system()
}

// on gives the number of results back, unless a bound was exceeded.
func (c *chunk) on(results int) int {
	if err := c.out.meter.err; err != nil {
		c.RaiseError("%s", err.Error())
	}
	return results
}

// weigh counts a text or a table that is gone through.
func (c *chunk) weigh(v lua.LValue) {
	switch v := v.(type) {
	case lua.LString:
		c.out.meter.through(int64(len(v)))
	case *lua.LTable:
		c.out.meter.through(int64(v.Len()))
	}
	c.on(0)
}

// text is a value as a template writes it: numbers with 14 digits, as Lua does.
func (c *chunk) text(v lua.LValue) string {
	if n, ok := v.(lua.LNumber); ok {
		return luaNumber(float64(n))
	}
	if t, ok := v.(lua.LString); ok {
		return string(t)
	}
	return c.ToStringMeta(v).String()
}

// luaNumber is a number as printf writes it with %.14g.
func luaNumber(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	return strconv.FormatFloat(f, 'g', 14, 64)
}

func (c *chunk) tostring(l *lua.LState) int {
	if n, ok := l.CheckAny(1).(lua.LNumber); ok {
		l.Push(lua.LString(luaNumber(float64(n))))
		return 1
	}
	l.Push(l.ToStringMeta(l.Get(1)))
	return c.on(1)
}

// concat is the operator .. for any number of values.
func (c *chunk) concat(l *lua.LState) int {
	n, size := l.GetTop(), 0
	parts := make([]string, n)
	for i := range n {
		switch v := l.Get(i + 1).(type) {
		case lua.LString:
			parts[i] = string(v)
		case lua.LNumber:
			parts[i] = luaNumber(float64(v))
		default:
			return c.joinedBy(l, n)
		}
		if size += len(parts[i]); size > maxText {
			break
		}
	}
	c.out.meter.allocate(size)
	c.on(0)
	l.Push(lua.LString(strings.Join(parts, "")))
	return 1
}

// joinedBy concatenates from the right with the metamethods of what is no text.
func (c *chunk) joinedBy(l *lua.LState, n int) int {
	right := l.Get(n)
	for i := n - 1; i >= 1; i-- {
		left := l.Get(i)
		f := l.GetMetaField(left, "__concat")
		if f == lua.LNil {
			f = l.GetMetaField(right, "__concat")
		}
		switch {
		case f != lua.LNil:
			l.Push(f)
			l.Push(left)
			l.Push(right)
			l.Call(2, 1)
			right = l.Get(-1)
			l.Pop(1)
			continue
		case !joins(left) || !joins(right):
			wrong := left
			if joins(left) {
				wrong = right
			}
			l.RaiseError("attempt to concatenate a %s value", wrong.Type())
		}
		text := c.text(left) + c.text(right)
		c.out.meter.allocate(len(text))
		c.on(0)
		right = lua.LString(text)
	}
	l.Push(right)
	return 1
}

func joins(v lua.LValue) bool { return v.Type() == lua.LTString || v.Type() == lua.LTNumber }

// set assigns to a part of a table. One far behind the last would fill all between.
func (c *chunk) set(l *lua.LState) int {
	if t, ok := l.Get(1).(*lua.LTable); ok {
		if n, ok := l.Get(2).(lua.LNumber); ok && n > 0 && float64(n) < float64(lua.MaxArrayIndex) {
			if gap := int(n) - t.Len(); gap > 1 && t.RawGetInt(int(n)) == lua.LNil {
				c.fill(gap)
			}
		}
	}
	l.SetTable(l.Get(1), l.Get(2), l.Get(3))
	return c.on(0)
}

// fill counts what the interpreter fills between the last part of a table and one behind it.
func (c *chunk) fill(gap int) {
	const most = 1 << 16
	if c.out.meter.list(int64(gap)); gap > most {
		c.out.meter.exceed(fmt.Errorf("%w: it sets a part of a table %d behind the last one, at most %d are allowed",
			ErrLimit, gap, most))
	}
	c.on(0)
}

// length is the operator #.
func (c *chunk) length(l *lua.LState) int {
	l.Push(lua.LNumber(l.ObjLen(l.CheckAny(1))))
	return c.on(1)
}

// wrapped replaces a function of a library by one that weighs what it takes and gives.
func (c *chunk) wrapped(library *lua.LTable, name string, before func(*lua.LState)) {
	f, ok := library.RawGetString(name).(*lua.LFunction)
	if !ok || !f.IsG {
		return
	}
	library.RawSetString(name, c.NewFunction(func(l *lua.LState) int {
		for i := 1; i <= l.GetTop() && !strings.Contains(" byte sub len insert remove ", " "+name+" "); i++ {
			c.weigh(l.Get(i))
		}
		if before != nil {
			before(l)
		}
		c.on(0)
		top := l.GetTop()
		l.Insert(f, 1) // called as a function: it may have values of its own
		l.Call(top, lua.MultRet)
		n := l.GetTop()
		for i := 1; i <= n; i++ {
			if t, ok := l.Get(-i).(lua.LString); ok {
				c.out.meter.allocate(len(t))
			}
		}
		c.on(0)
		return n
	}))
}

// directive is one of string.format.
var directive = regexp.MustCompile(`%%|%([-+ #0]*)(\d*)(\.\d*)?([a-zA-Z])`)

func (c *chunk) strings() {
	library := c.GetGlobal("string").(*lua.LTable)
	library.RawSetString("dump", lua.LNil)
	for _, name := range strings.Fields("byte char len lower upper reverse sub") {
		c.wrapped(library, name, nil)
	}
	c.wrapped(library, "rep", func(l *lua.LState) {
		if n := l.CheckInt(2); n > 0 && len(l.CheckString(1)) > maxText/n {
			c.out.meter.allocate(maxText + 1)
		}
	})
	c.wrapped(library, "format", func(l *lua.LState) {
		format := directive.ReplaceAllStringFunc(l.CheckString(1), func(d string) string {
			m := directive.FindStringSubmatch(d)
			if len(m[2]) > 2 || len(m[3]) > 3 {
				l.RaiseError("invalid format %q: width or precision too long", clip(d))
			}
			if m[4] == "g" && m[3] == "" {
				return "%" + m[1] + m[2] + ".6g"
			}
			return d
		})
		l.Replace(1, lua.LString(format))
	})
	for _, name := range strings.Fields("find match gmatch gfind") {
		c.wrapped(library, name, c.checkPattern)
	}
	c.wrapped(library, "gsub", c.checkReplacement)
}

// checkPattern refuses a pattern that would go back too often: every repetition may try every length.
func (c *chunk) checkPattern(l *lua.LState) {
	text, pattern := l.CheckString(1), l.CheckString(2)
	const most = 2e8
	work := float64(len(text) + 1)
	for range min(strings.Count(pattern, "*")+strings.Count(pattern, "+")+strings.Count(pattern, "-"), 8) {
		work *= float64(len(text) + 1)
	}
	if work > most {
		l.RaiseError("the pattern %q has too many repetitions for a text of %d bytes", clip(pattern), len(text))
	}
	c.out.meter.step(int64(work / 100))
}

func (c *chunk) checkReplacement(l *lua.LState) {
	c.checkPattern(l)
	n := len(l.CheckString(1)) + 1
	switch with := l.Get(3).(type) {
	case lua.LString:
		if uses := strings.Count(string(with), "%") + len(with) + 1; uses > maxText/n {
			c.out.meter.allocate(maxText + 1)
		}
	case *lua.LFunction, *lua.LTable:
		l.Replace(3, l.NewFunction(func(l *lua.LState) int {
			var made lua.LValue
			if t, ok := with.(*lua.LTable); ok {
				made = l.GetTable(t, l.Get(1))
			} else {
				args := l.GetTop()
				l.Insert(with, 1)
				l.Call(args, 1)
				made = l.Get(-1)
			}
			c.weigh(made)
			l.Push(made)
			return 1
		}))
	}
}

func (c *chunk) tables() {
	library := c.GetGlobal("table").(*lua.LTable)
	for _, name := range strings.Fields("sort maxn getn") {
		c.wrapped(library, name, nil)
	}
	c.wrapped(library, "remove", func(l *lua.LState) {
		if t := l.CheckTable(1); l.GetTop() > 1 {
			c.out.meter.through(int64(max(t.Len()-l.CheckInt(2), 0)))
		}
	})
	c.wrapped(library, "insert", func(l *lua.LState) {
		if l.GetTop() < 3 {
			return
		}
		t := l.CheckTable(1)
		if gap := l.CheckInt(2) - t.Len(); gap > 1 {
			c.fill(gap)
		} else {
			c.out.meter.through(int64(-gap)) // all behind it move
		}
	})
	library.RawSetString("unpack", c.GetGlobal("unpack"))
	library.RawSetString("concat", c.NewFunction(func(l *lua.LState) int {
		t, between := l.CheckTable(1), l.OptString(2, "")
		c.weigh(t)
		from, to := l.OptInt(3, 1), l.OptInt(4, t.Len())
		var b strings.Builder
		for i := from; i <= to && c.out.meter.step(1); i++ {
			v := l.GetTable(t, lua.LNumber(i))
			if !joins(v) {
				l.RaiseError("invalid value (%s) at index %d in table for 'concat'", v.Type(), i)
			}
			if i > from {
				b.WriteString(between)
			}
			b.WriteString(c.text(v))
			if b.Len() > maxText {
				break
			}
		}
		c.out.meter.allocate(b.Len())
		l.Push(lua.LString(b.String()))
		return c.on(1)
	}))
}

// random replaces the random numbers of the process by some with a seed.
func (c *chunk) random() {
	library, numbers := c.GetGlobal("math").(*lua.LTable), random()
	library.RawSetString("randomseed", c.NewFunction(func(l *lua.LState) int {
		numbers = rand.New(rand.NewPCG(uint64(int64(l.CheckNumber(1))), 0))
		return 0
	}))
	library.RawSetString("random", c.NewFunction(func(l *lua.LState) int {
		x, low, high := numbers.Float64(), 1.0, 0.0
		switch l.GetTop() {
		case 0:
			l.Push(lua.LNumber(x))
			return 1
		case 1:
			high = math.Floor(float64(l.CheckNumber(1)))
		default:
			low, high = math.Floor(float64(l.CheckNumber(1))), math.Floor(float64(l.CheckNumber(2)))
		}
		if !(low <= high) {
			l.RaiseError("bad argument to 'random' (interval is empty)")
		}
		l.Push(lua.LNumber(low + math.Floor(x*(high-low+1))))
		return 1
	}))
}

// system has what templates ask of the system: a clock that stands still, no files, and no variables.
func (c *chunk) system() {
	zero := func(l *lua.LState) int { l.Push(lua.LNumber(0)); return 1 }
	none := func(l *lua.LState) int {
		l.Push(lua.LNil)
		l.Push(lua.LString("templates open no files here"))
		return 2
	}
	quiet := func(*lua.LState) int { return 0 }
	c.SetGlobal("os", c.SetFuncs(c.NewTable(), map[string]lua.LGFunction{"clock": zero, "time": zero,
		"getenv": none, "tmpname": none,
		"date": func(l *lua.LState) int { l.Push(lua.LString("")); return 1 }}))
	io := c.SetFuncs(c.NewTable(), map[string]lua.LGFunction{"open": none, "write": quiet})
	io.RawSetString("stdout", c.SetFuncs(c.NewTable(), map[string]lua.LGFunction{"write": quiet}))
	io.RawSetString("stderr", c.SetFuncs(c.NewTable(), map[string]lua.LGFunction{
		"write": func(l *lua.LState) int {
			var b strings.Builder
			for i := 2; i <= l.GetTop() && b.Len() < 1000; i++ {
				b.WriteString(c.text(l.Get(i)))
			}
			c.out.say(strings.TrimSpace(b.String()))
			return c.on(0)
		}}))
	c.SetGlobal("io", io)
}

// luaModules are those in Lua, by name.
var luaModules = sync.OnceValue(func() map[string]*lua.FunctionProto {
	all := map[string]*lua.FunctionProto{}
	for _, name := range strings.Split(moduleNames("lua"), ", ") {
		text, _ := modules.ReadFile("modules/" + name + ".lua")
		tree, err := parse.Parse(strings.NewReader(string(text)), name)
		if err != nil {
			continue // a test compiles them all
		}
		weighed(tree)
		if code, err := lua.Compile(tree, name); err == nil {
			all[name] = code
		}
	}
	return all
})

// require is a library of the language or a module of Webots.
func (c *chunk) require(l *lua.LState) int {
	name := l.CheckString(1)
	if v, known := c.modules[name]; known {
		l.Push(v)
		return 1
	}
	switch name {
	case "string", "table", "math", "os", "io":
		l.Push(l.GetGlobal(name))
		return 1
	}
	code := luaModules()[name]
	if code == nil {
		l.RaiseError("there is no module %q; there are %s", clip(name), moduleNames("lua"))
	}
	l.Push(l.NewFunctionFromProto(code))
	l.Call(0, 1)
	c.modules[name] = l.Get(-1)
	return 1
}
