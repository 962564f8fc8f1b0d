package template

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// script is a run of a template in JavaScript.
type script struct {
	*goja.Runtime
	out     *output
	modules map[string]goja.Value
	depth   int                      // of calls of built-in functions
	pattern int64                    // instructions of the longest pattern so far
	sizes   map[string]goja.Callable // of Map and Set
}

// maxCalls bounds calls inside calls.
const maxCalls = 1000

// named is the name of the program where the interpreter gives places.
const named = "template"

// javaScript evaluates the program.
func (p *program) javaScript(in Input, out *output) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = p.fault(0, out.meter, "the interpreter gave up: "+described(func() string { return fmt.Sprint(r) }, r))
		}
	}()
	code, pattern, err := p.compile()
	if err != nil {
		return err
	}
	s := &script{Runtime: goja.New(), out: out, modules: map[string]goja.Value{}, pattern: pattern,
		sizes: map[string]goja.Callable{}}
	stop := func(err error) { s.Interrupt(err) }
	out.meter.stop.Store(&stop)
	if err := s.prepare(); err != nil {
		return p.fault(0, out.meter, err.Error())
	}
	for name, value := range map[string]any{"fields": in.Fields, "context": in.Context} {
		if err := s.GlobalObject().Set(name, s.value(value)); err != nil {
			return p.fault(0, out.meter, err.Error())
		}
	}
	if _, err := s.RunProgram(code); err != nil || out.meter.err != nil {
		return p.thrown(err, out.meter)
	}
	return nil
}

// compile parses the program and adds what counts its steps. pattern is the size of its longest pattern.
func (p *program) compile() (code *goja.Program, pattern int64, err error) {
	tree, err := parser.ParseFile(nil, named, p.text, 0, parser.WithDisableSourceMaps)
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		first := list[0]
		return nil, 0, p.fault(p.origin(p.offset(first.Position.Line, first.Position.Column)), nil,
			"SyntaxError: "+first.Message)
	}
	if err != nil {
		return nil, 0, p.fault(0, nil, err.Error())
	}
	pattern, at, why := measured(tree)
	if why != "" {
		return nil, 0, p.fault(p.origin(int(at)-1), nil, why)
	}
	code, err = goja.CompileAST(tree, true)
	var syntax *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.File != nil:
		at := syntax.File.Position(syntax.Offset)
		return nil, 0, p.fault(p.origin(p.offset(at.Line, at.Column)), nil, "SyntaxError: "+syntax.Message)
	case err != nil:
		return nil, 0, p.fault(0, nil, err.Error())
	}
	return code, pattern, nil
}

// thrown is the error that ended the program, with its place.
func (p *program) thrown(err error, m *meter) error {
	text, from := "", 0
	var stack []goja.StackFrame
	var thrown *goja.Exception
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	switch {
	case errors.As(err, &overflow):
		m.exceed(errDeep)
		stack = overflow.Stack()
	case errors.As(err, &interrupted):
		stack = interrupted.Stack()
		if m.late.Load() {
			m.exceed(m.tooLong())
		}
	case errors.As(err, &thrown):
		stack = thrown.Stack()
		if v := thrown.Value(); v != nil {
			text = described(v.String, thrown)
		}
	case err != nil:
		text = described(err.Error, err)
	}
	for _, f := range stack {
		if f.SrcName() == named {
			at := f.Position()
			from = p.origin(p.offset(at.Line, at.Column))
			break
		}
	}
	return p.fault(from, m, text)
}

// described is a text for a message. A thrown value may have a toString of its own, which throws again.
func described(text func() string, otherwise any) (clipped string) {
	defer func() {
		if recover() != nil {
			clipped = fmt.Sprintf("%T", otherwise)
		}
	}()
	if _, of := otherwise.(goja.Value); of {
		return "an error of the program"
	}
	return clip(text())
}

// clip cuts a text for a message.
func clip(s string) string {
	const longest = 200
	if s = strings.ToValidUTF8(s, "?"); len(s) > longest {
		return strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// value is a value of the input as one of JavaScript.
func (s *script) value(v any) goja.Value {
	switch v := v.(type) {
	case nil:
		return goja.Undefined()
	case *Object:
		o := s.NewObject()
		for i, name := range v.Names {
			_ = o.Set(name, s.value(v.Values[i]))
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = s.value(v[i])
		}
		return s.NewArray(list...)
	}
	return s.ToValue(v)
}

// prepare leaves what a template may use, measured, and adds what Webots has.
func (s *script) prepare() error {
	s.SetMaxCallStackSize(maxCalls)
	s.SetTimeSource(func() time.Time { return time.Unix(0, 0).UTC() })
	s.SetRandSource(random().Float64)
	s.only()
	s.measureFunctions()
	hidden := func(name string, f func(goja.FunctionCall) goja.Value) {
		_ = s.GlobalObject().DefineDataProperty(name, s.ToValue(f), goja.FLAG_FALSE, goja.FLAG_FALSE,
			goja.FLAG_FALSE)
	}
	hidden(stepName, func(c goja.FunctionCall) goja.Value {
		s.out.meter.step(c.Argument(0).ToInteger())
		return goja.Undefined()
	})
	hidden(sumName, s.sum)
	hidden(templateName, s.concatenated)
	hidden(eachName, s.each)
	hidden(keysName, func(c goja.FunctionCall) goja.Value {
		s.weighKeys(c.Argument(0))
		return c.Argument(0)
	})
	hidden(madeName, func(c goja.FunctionCall) goja.Value {
		s.made(c.Argument(0))
		return c.Argument(0)
	})
	hidden("__text", func(c goja.FunctionCall) goja.Value {
		s.out.literal(int(c.Argument(0).ToInteger()))
		return goja.Undefined()
	})
	hidden("__put", func(c goja.FunctionCall) goja.Value {
		s.out.put(int(c.Argument(0).ToInteger()), c.Argument(1).String())
		return goja.Undefined()
	})
	hidden("__say", func(c goja.FunctionCall) goja.Value {
		s.out.say(c.Argument(0).String())
		return goja.Undefined()
	})
	hidden("__import", s.imported)
	code, err := module("prelude.js")
	if err == nil {
		_, err = s.RunProgram(code)
	}
	return err
}

// imported gives the exports of a module.
func (s *script) imported(c goja.FunctionCall) goja.Value {
	name := c.Argument(0).String()
	name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".js")
	if v, known := s.modules[name]; known {
		return v
	}
	if !strings.HasPrefix(name, "wb") {
		panic(s.NewTypeError("there is no module %s; there are those of Webots: %s", clip(name), moduleNames()))
	}
	code, err := module(name + ".js")
	if err != nil {
		panic(s.NewTypeError("there is no module %s; there are %s", clip(name), moduleNames()))
	}
	v, err := s.RunProgram(code)
	if err != nil {
		panic(err)
	}
	s.modules[name] = v
	return v
}
