package template

import (
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/dop251/goja"
)

// random begins with the same seed for every template.
func random() *rand.Rand { return rand.New(rand.NewPCG(0, 0)) }

// kept are the globals of JavaScript that a template may use.
const kept = ` Object Array String Number Boolean Math JSON Map Set Symbol Error TypeError RangeError
	SyntaxError ReferenceError EvalError URIError RegExp Function parseInt parseFloat isNaN isFinite NaN Infinity
	undefined globalThis `

// only takes away all that could run text as a program, wait, or take memory unmeasured.
func (s *script) only() {
	g := s.GlobalObject()
	for _, name := range g.GetOwnPropertyNames() {
		if !strings.Contains(kept, " "+name+" ") && !strings.Contains(kept, " "+name+"\n") {
			_ = g.Delete(name)
		}
	}
	for _, f := range []string{"(function(){})", "(function*(){})"} {
		if v, err := s.RunString(f); err == nil {
			_ = v.ToObject(s.Runtime).Prototype().DefineDataProperty("constructor", goja.Undefined(),
				goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
		}
	}
	for owner, names := range map[string]string{
		"String": "raw", "Array": "from fromAsync", "Map": "groupBy", "JSON": "stringify rawJSON",
		"Error": "captureStackTrace", "Object": "groupBy",
		"Array.prototype":    "flat flatMap toLocaleString with toSpliced toSorted toReversed copyWithin",
		"RegExp.prototype":   "compile",
		"Function.prototype": "bind",
	} {
		o := s.object(owner)
		for _, name := range strings.Fields(names) {
			_ = o.Delete(name)
		}
	}
	fn := s.object("Function")
	_ = fn.Delete("prototype")
	_ = g.Delete("Function")
}

// object is that of a path from the global one.
func (s *script) object(path string) *goja.Object {
	o := s.GlobalObject()
	for _, name := range strings.Split(path, ".") {
		o = o.Get(name).ToObject(s.Runtime)
	}
	return o
}

// measureFunctions weighs what functions of the language take and give, and what they would go through.
func (s *script) measureFunctions() {
	wrap := func(o *goja.Object, check func(string, *goja.FunctionCall)) {
		for _, name := range o.GetOwnPropertyNames() {
			if name == "constructor" || name == "caller" || name == "arguments" || name == "size" {
				continue
			}
			f, ok := goja.AssertFunction(o.Get(name))
			if !ok {
				continue
			}
			_ = o.DefineDataProperty(name, s.ToValue(s.measuredFunction(name, f, check)), goja.FLAG_TRUE,
				goja.FLAG_TRUE, goja.FLAG_FALSE)
		}
		for _, symbol := range o.Symbols() {
			if f, ok := goja.AssertFunction(o.GetSymbol(symbol)); ok {
				_ = o.DefineDataPropertySymbol(symbol, s.ToValue(s.measuredFunction("", f, check)),
					goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
			}
		}
	}
	for _, keyed := range []string{"Map", "Set"} { // a program may give one a size of its own
		get, err := s.RunString("Object.getOwnPropertyDescriptor(" + keyed + ".prototype, 'size').get")
		if err == nil {
			s.sizes[keyed], _ = goja.AssertFunction(get)
		}
	}
	wrap(s.object("Array.prototype"), s.checkList)
	wrap(s.object("String.prototype"), s.checkText)
	wrap(s.object("RegExp.prototype"), s.checkText)
	wrap(s.object("JSON"), s.checkJSON)
	wrap(s.object("Object"), s.checkKeys)
	for _, owner := range []string{"Object.prototype", "Number.prototype", "Error.prototype"} {
		wrap(s.object(owner), nil)
	}
	wrap(s.object("Map.prototype"), s.checkKeyed)
	wrap(s.object("Set.prototype"), s.checkKeyed)
	if v, err := s.RunString("(function(){})"); err == nil {
		wrap(v.ToObject(s.Runtime).Prototype(), s.checkCall)
	}
	_ = s.object("Array.prototype").DefineDataProperty("join", s.ToValue(s.join), goja.FLAG_TRUE,
		goja.FLAG_TRUE, goja.FLAG_FALSE)
	for _, name := range []string{"parseInt", "parseFloat", "isNaN", "isFinite"} {
		if f, ok := goja.AssertFunction(s.GlobalObject().Get(name)); ok {
			_ = s.GlobalObject().Set(name, s.measuredFunction(name, f, nil))
		}
	}
	construct := s.GlobalObject().Get("RegExp").ToObject(s.Runtime)
	_ = s.GlobalObject().Set("RegExp", s.ToValue(func(c goja.ConstructorCall) *goja.Object {
		s.checkPattern(c.Argument(0), c.Argument(1))
		made, err := s.New(construct, c.Arguments...)
		if err != nil {
			panic(err)
		}
		return made
	}))
	_ = construct.Get("prototype").ToObject(s.Runtime).DefineDataProperty("constructor",
		s.GlobalObject().Get("RegExp"), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
}

// measuredFunction is a function that weighs its arguments and its result.
func (s *script) measuredFunction(name string, f goja.Callable,
	check func(string, *goja.FunctionCall)) func(goja.FunctionCall) goja.Value {
	return func(c goja.FunctionCall) goja.Value {
		defer s.enter()()
		if !strings.Contains(quick, " "+name+" ") {
			s.weigh(c.This)
		}
		for _, a := range c.Arguments {
			s.weigh(a)
		}
		if check != nil {
			check(name, &c)
		}
		s.ended()
		v, err := f(c.This, c.Arguments...)
		if err != nil {
			panic(err)
		}
		s.made(v)
		return v
	}
}

// enter counts calls of built-in functions inside each other, which lie on the stack of the process. The
// result leaves.
func (s *script) enter() func() {
	if s.depth++; s.depth > maxCalls {
		s.out.meter.exceed(errDeep)
	}
	s.ended()
	return func() { s.depth-- }
}

// quick are functions that do not go through the text or list that they are of.
const quick = " push pop at charAt charCodeAt codePointAt substring substr slice startsWith endsWith keys values entries " +
	"toString valueOf call get set has add delete "

// made counts a text or list that a function made.
func (s *script) made(v goja.Value) {
	switch v := v.(type) {
	case goja.String:
		s.out.meter.allocate(v.Length())
	case *goja.Object:
		if v.ClassName() == "Array" {
			s.out.meter.list(v.Get("length").ToInteger())
			break
		}
		const object = 50 // steps, for what a new one takes
		s.out.meter.step(object)
		s.weigh(v)
	}
	s.ended()
}

// ended leaves a function of the language where a bound was exceeded: it would not look.
func (s *script) ended() {
	if m := s.out.meter; m.err != nil || !m.step(0) {
		panic(s.NewTypeError("stopped"))
	}
}

// weigh counts what goes through a list or text.
func (s *script) weigh(v goja.Value) {
	switch v := v.(type) {
	case goja.String:
		s.out.meter.through(int64(v.Length()))
	case *goja.Object:
		switch v.ClassName() {
		case "Array", "Arguments":
			s.out.meter.through(v.Get("length").ToInteger())
		case "Map", "Set":
			if n, err := s.sizes[v.ClassName()](v); err == nil { // else it is the prototype
				s.out.meter.through(n.ToInteger())
				s.out.meter.step(50 * n.ToInteger())
			}
		}
	}
	s.ended()
}

// weighKeys counts the parts of an object, hidden ones and those of its prototypes included.
func (s *script) weighKeys(v goja.Value) {
	s.weigh(v)
	switch v := v.(type) {
	case goja.String:
		s.parts(int64(v.Length()))
	case *goja.Object:
		if v.ClassName() == "String" { // its characters are parts
			s.out.meter.through(v.Get("length").ToInteger())
			s.ended()
		}
		for ; v != nil; v = v.Prototype() {
			s.parts(int64(len(v.GetOwnPropertyNames()) + len(v.Symbols())))
		}
	}
}

func (s *script) parts(n int64) {
	s.out.meter.list(n)
	s.out.meter.step(8*n + 1)
	s.ended()
}

// checkText bounds what functions of texts make.
func (s *script) checkText(name string, c *goja.FunctionCall) {
	size := length(c.This)
	s.weighText(name, size, c)
	switch name {
	case "repeat":
		s.bound(size, max(c.Argument(0).ToInteger(), 0))
	case "padStart", "padEnd":
		s.bound(max(c.Argument(0).ToInteger(), 0), 1)
	case "match", "matchAll", "search":
		s.checkPattern(c.Argument(0), goja.Undefined())
	case "replace", "replaceAll", "":
		if len(c.Arguments) < 2 {
			return
		}
		if f, ok := goja.AssertFunction(c.Arguments[1]); ok {
			c.Arguments[1] = s.ToValue(s.measuredFunction("", f, nil))
			return
		}
		if name == "" { // Symbol.replace of a pattern
			size = length(c.Arguments[0])
		}
		with := c.Arguments[1].String()
		s.bound(size+1, int64(len(with))+size*int64(strings.Count(with, "$")))
	}
}

// bound refuses a text of so many times a length.
func (s *script) bound(n, times int64) {
	const most = 64 << 20
	if n > 0 && times > most/n {
		s.out.meter.allocate(most)
	}
	s.ended()
}

// sum weighs what + made.
func (s *script) sum(c goja.FunctionCall) goja.Value {
	v := c.Argument(0)
	if t, ok := v.(goja.String); ok {
		s.out.meter.allocate(t.Length())
		s.ended()
	}
	return v
}

// concatenated joins the parts of a template literal.
func (s *script) concatenated(c goja.FunctionCall) goja.Value {
	return s.joined(c.Arguments, "")
}

func (s *script) joined(parts []goja.Value, between string) goja.Value {
	var b strings.Builder
	for i, v := range parts {
		text := ""
		if between == "" && !goja.IsUndefined(v) && !goja.IsNull(v) || v != nil && !goja.IsUndefined(v) &&
			!goja.IsNull(v) {
			text = v.ToString().String()
		} else if between == "" && v != nil {
			text = v.String()
		}
		if i > 0 {
			b.WriteString(between)
		}
		if !s.out.meter.allocate(b.Len() + len(text)) {
			s.ended()
		}
		s.out.meter.copied -= int64(b.Len()) // only the whole is made
		b.WriteString(text)
	}
	return s.ToValue(b.String())
}

// join is that of lists.
func (s *script) join(c goja.FunctionCall) goja.Value {
	defer s.enter()()
	s.checkList("join", &c)
	s.weigh(c.This)
	list := c.This.(*goja.Object)
	between := ","
	if !goja.IsUndefined(c.Argument(0)) {
		between = c.Argument(0).String()
	}
	n := int(list.Get("length").ToInteger())
	s.bound(int64(n), int64(len(between)))
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(between)
		}
		s.ended()
		if v := list.Get(itoa(i)); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
			text := v.ToString().String()
			if b.Len()+len(text) > maxText {
				s.out.meter.allocate(b.Len() + len(text))
			}
			s.ended()
			b.WriteString(text)
		}
	}
	s.out.meter.allocate(b.Len())
	s.ended()
	return s.ToValue(b.String())
}

// maxSpread bounds lists that are spread: arguments lie on the interpreter's stack.
const maxSpread = 1 << 17

// each is a list of what is spread.
func (s *script) each(c goja.FunctionCall) goja.Value {
	v := c.Argument(0)
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "Array" {
		n := o.Get("length").ToInteger()
		s.out.meter.list(n)
		s.out.meter.step(8 * n)
		if n > maxSpread {
			s.out.meter.through(maxLength + n)
		}
		s.ended()
		return v
	}
	var list []any
	s.ForOf(v, func(item goja.Value) bool {
		list = append(list, item)
		return len(list) <= maxSpread && s.out.meter.step(8)
	})
	s.out.meter.list(int64(len(list)))
	if len(list) > maxSpread {
		s.out.meter.through(maxLength + 1)
	}
	s.ended()
	return s.NewArray(list...)
}

// errNoModule is a module that Webots does not have.
var errNoModule = errors.New("no such module")
