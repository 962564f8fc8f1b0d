package template

import (
	"fmt"
	"math/bits"
	"regexp/syntax"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// This file counts the work of built-in functions before it is done: nothing interrupts them.

// errDeep is a program whose calls are nested too deep.
var errDeep = fmt.Errorf("%w: calls inside calls are deeper than %d", ErrLimit, maxCalls)

// length is the number of characters of a text; 0: it is none.
func length(v goja.Value) int64 {
	if t, ok := v.(goja.String); ok {
		return int64(t.Length())
	}
	return 0
}

// work counts steps of a function and ends the program when there are too few.
func (s *script) work(n int64) {
	s.out.meter.step(n)
	s.ended()
}

// weighText counts the work of functions of texts that look at characters more than once.
func (s *script) weighText(name string, size int64, c *goja.FunctionCall) {
	for _, a := range c.Arguments {
		size = max(size, length(a))
	}
	switch name {
	case "normalize", "localeCompare":
		s.work(16 * size)
	case "toUpperCase", "toLowerCase", "toLocaleUpperCase", "toLocaleLowerCase":
		s.work(2 * size)
	case "indexOf", "lastIndexOf", "includes", "split", "replace", "replaceAll":
		if n := length(c.Argument(0)); n > 32 {
			s.product(size, n, 6)
		}
	}
	switch name {
	case "exec", "test", "match", "matchAll", "search", "split", "replace", "replaceAll", "":
		s.match(size)
	}
}

// product counts a times b steps, divided by a power of two.
func (s *script) product(a, b int64, shift uint) {
	if high, low := bits.Mul64(uint64(a), uint64(b)); high > 0 || low > 1<<50 {
		s.work(1 << 50)
	} else {
		s.work(int64(low >> shift))
	}
}

// match counts a search for a pattern in a text of a size. It goes on with each of the pattern's instructions
// at each character.
func (s *script) match(size int64) {
	const most = 20_000_000 // in one search, a fraction of a second
	if size*s.pattern > most {
		s.out.meter.exceed(fmt.Errorf("%w: a pattern of %d instructions is searched in a text of %d characters",
			ErrLimit, s.pattern, size))
	}
	s.product(size, s.pattern, 6)
}

// checkList takes lists alone: an object can say that it is of any length.
func (s *script) checkList(name string, c *goja.FunctionCall) {
	c.This = s.argumentsAsList(c.This)
	if o, ok := c.This.(*goja.Object); !ok || o.ClassName() != "Array" {
		panic(s.NewTypeError("%s of lists is run on lists alone", name))
	}
	switch name {
	case "indexOf", "lastIndexOf", "includes":
		s.product(s.size(c.This), length(c.Argument(0)), 9)
	case "sort":
		s.weighSort(c)
	case "concat":
		for _, a := range c.Arguments {
			if o, ok := a.(*goja.Object); ok && o.ClassName() != "Array" &&
				o.GetSymbol(goja.SymIsConcatSpreadable) != nil {
				panic(s.NewTypeError("concat of objects that are no lists is not run in templates"))
			}
		}
	}
}

// size is the length of a list.
func (s *script) size(list goja.Value) int64 {
	return list.ToObject(s.Runtime).Get("length").ToInteger()
}

// argumentsAsList makes a list of the arguments of a function, whose length a program can set.
func (s *script) argumentsAsList(v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Arguments" {
		return v
	}
	n := s.size(v)
	if !s.out.meter.list(n) || n < 0 {
		s.ended()
	}
	list := make([]any, n)
	for i := range list {
		list[i] = o.Get(itoa(i))
	}
	return s.NewArray(list...)
}

// weighSort counts comparisons, each of which may go through two long texts.
func (s *script) weighSort(c *goja.FunctionCall) {
	list := c.This.(*goja.Object)
	n, longest := s.size(list), int64(0)
	for i := range n {
		s.work(1)
		if v := list.Get(itoa(int(i))); v != nil {
			longest = max(longest, length(v))
		}
	}
	s.product(n*int64(bits.Len64(uint64(n))), 1+longest>>9, 1)
}

// checkKeyed counts the hashing of long keys.
func (s *script) checkKeyed(_ string, c *goja.FunctionCall) {
	s.work(length(c.Argument(0)) >> 6)
}

// checkKeys counts the parts of objects that a function of Object goes through.
func (s *script) checkKeys(name string, c *goja.FunctionCall) {
	switch name {
	case "defineProperty", "getOwnPropertyDescriptor", "getPrototypeOf", "setPrototypeOf", "is", "hasOwn",
		"isExtensible":
		s.work(8)
	case "create":
		s.weighKeys(c.Argument(1))
	default:
		for _, a := range c.Arguments {
			s.weighKeys(a)
		}
	}
}

// checkCall takes arguments from lists alone.
func (s *script) checkCall(name string, c *goja.FunctionCall) {
	if name != "apply" || len(c.Arguments) < 2 {
		return
	}
	c.Arguments[1] = s.argumentsAsList(c.Arguments[1])
	a := c.Arguments[1]
	if o, ok := a.(*goja.Object); ok && o.ClassName() == "Array" {
		s.each(goja.FunctionCall{Arguments: []goja.Value{a}})
	} else if !goja.IsUndefined(a) && !goja.IsNull(a) {
		panic(s.NewTypeError("apply is run with lists alone"))
	}
}

// checkJSON counts characters, and bounds what they nest.
func (s *script) checkJSON(name string, c *goja.FunctionCall) {
	if name != "parse" {
		return
	}
	text := c.Argument(0).String()
	s.work(4 * int64(len(text)))
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case !quoted && (b == '[' || b == '{'):
			depth++
		case !quoted && (b == ']' || b == '}'):
			depth--
		}
		if depth > maxNested {
			panic(s.NewTypeError("JSON that is nested deeper than %d is not run in templates", maxNested))
		}
	}
}

// checkPattern refuses a pattern that may take for ever.
func (s *script) checkPattern(v, flags goja.Value) {
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "RegExp" {
		return
	}
	size, why := patternSize(v.String(), flags.String())
	if why != "" {
		panic(s.NewTypeError("%s is not run in templates", why))
	}
	s.work(16 * size)
	s.pattern = max(s.pattern, size)
}

// maxPattern bounds the instructions of a pattern.
const maxPattern = 1000

// patternSize is about the number of instructions of a pattern, and why it is not run; empty: it is.
// Backtracking may take for ever.
func patternSize(pattern, flags string) (size int64, why string) {
	const long = "a pattern with repetitions or characters that make it long"
	if len(pattern) > 4*maxPattern {
		return 0, long
	}
	text, err := parser.TransformRegExp(pattern, strings.Contains(flags, "s"),
		strings.ContainsAny(flags, "uv"))
	if _, backtracks := err.(parser.RegexpErrorIncompatible); backtracks {
		return 0, "a pattern with lookaheads or back references"
	}
	if err != nil {
		return 0, "" // the interpreter says what is wrong
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil { // the interpreter would try with backtracking
		return 0, long
	}
	if size = instructions(tree); size > maxPattern {
		return 0, long
	}
	return size, ""
}

// instructions is the number of instructions of a pattern, its repetitions multiplied.
func instructions(r *syntax.Regexp) int64 {
	n := int64(1 + len(r.Rune)/4)
	if r.Op == syntax.OpLiteral {
		n = int64(len(r.Rune))
	}
	for _, sub := range r.Sub {
		n += instructions(sub)
	}
	if r.Op == syntax.OpRepeat {
		n *= int64(max(r.Min, r.Max, 1))
	}
	return min(n, 1<<40)
}
