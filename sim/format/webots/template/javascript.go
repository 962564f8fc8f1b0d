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
}

// maxCalls bounds calls inside calls.
const maxCalls = 1000

// named is the name of the program where the interpreter gives places.
const named = "template"

// javaScript evaluates the program.
func (p *program) javaScript(in Input, out *output) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = p.fault(0, out.meter, fmt.Sprintf("the interpreter gave up: %v", r))
		}
	}()
	code, err := p.compile()
	if err != nil {
		return err
	}
	s := &script{Runtime: goja.New(), out: out, modules: map[string]goja.Value{}}
	out.meter.stop = func() { s.Interrupt(out.meter.err) }
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

// compile parses the program, with what counts its steps in it.
func (p *program) compile() (*goja.Program, error) {
	tree, err := parser.ParseFile(nil, named, p.text, 0, parser.WithDisableSourceMaps)
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		first := list[0]
		return nil, p.fault(p.origin(p.offset(first.Position.Line, first.Position.Column)), nil,
			"SyntaxError: "+first.Message)
	}
	if err != nil {
		return nil, p.fault(0, nil, err.Error())
	}
	if at, why := measured(tree); why != "" {
		return nil, p.fault(p.origin(int(at)-1), nil, why)
	}
	code, err := goja.CompileAST(tree, true)
	var syntax *goja.CompilerSyntaxError
	switch {
	case errors.As(err, &syntax) && syntax.File != nil:
		at := syntax.File.Position(syntax.Offset)
		return nil, p.fault(p.origin(p.offset(at.Line, at.Column)), nil, "SyntaxError: "+syntax.Message)
	case err != nil:
		return nil, p.fault(0, nil, err.Error())
	}
	return code, nil
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
		m.exceed(fmt.Errorf("%w: calls inside calls are deeper than %d", ErrLimit, maxCalls))
		stack = overflow.Stack()
	case errors.As(err, &interrupted):
		stack = interrupted.Stack()
	case errors.As(err, &thrown):
		stack = thrown.Stack()
		if v := thrown.Value(); v != nil {
			text = clip(v.String())
		}
	case err != nil:
		text = clip(err.Error())
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
		panic(s.NewTypeError("there is no module %s; there are those of Webots: %s", clip(name), moduleNames("js")))
	}
	code, err := module(name + ".js")
	if err != nil {
		panic(s.NewTypeError("there is no module %s; there are %s", clip(name), moduleNames("js")))
	}
	v, err := s.RunProgram(code)
	if err != nil {
		panic(err)
	}
	s.modules[name] = v
	return v
}
