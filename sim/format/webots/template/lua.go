package template

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// counting is a context that the interpreter asks before every instruction.
type counting struct{ *meter }

// over is closed.
var over = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done counts an instruction.
func (c counting) Done() <-chan struct{} {
	if c.step(1) {
		return nil
	}
	return over
}

// Err is the bound that was exceeded.
func (c counting) Err() error { return c.err }

// Deadline is none: no clock is looked at.
func (c counting) Deadline() (deadline time.Time, ok bool) { return }

// Value is none.
func (c counting) Value(any) any { return nil }

var _ context.Context = counting{}

// lua evaluates the program.
func (p *program) lua(in Input, out *output) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = p.fault(0, out.meter, fmt.Sprintf("the interpreter gave up: %v", r))
		}
	}()
	code, err := p.translate()
	if err != nil {
		return err
	}
	l := lua.NewState(lua.Options{CallStackSize: 250, RegistrySize: 4096, RegistryMaxSize: 1 << 18,
		SkipOpenLibs: true, MinimizeStackMemory: true})
	defer l.Close()
	(&chunk{l, out, map[string]lua.LValue{}}).prepare()
	l.SetContext(counting{out.meter})
	l.SetGlobal("fields", table(l, in.Fields))
	l.SetGlobal("context", table(l, in.Context))
	l.Push(l.NewFunctionFromProto(code))
	if err := l.PCall(0, 0, nil); err != nil || out.meter.err != nil {
		return p.raised(err, out.meter)
	}
	return nil
}

// translate compiles the program, with what weighs its texts and tables in it.
func (p *program) translate() (*lua.FunctionProto, error) {
	tree, err := parse.Parse(strings.NewReader(p.text), named)
	var syntax *parse.Error
	if errors.As(err, &syntax) {
		at := len(p.text)
		if syntax.Pos.Line > 0 {
			at = p.offset(syntax.Pos.Line, syntax.Pos.Column+1-len(syntax.Token)) // it is that of the end
		}
		near := ""
		if syntax.Token != "" {
			near = fmt.Sprintf(" near %q", clip(syntax.Token))
		}
		return nil, p.fault(p.origin(at), nil, strings.TrimSpace(syntax.Message)+near)
	}
	if err != nil {
		return nil, p.fault(0, nil, err.Error())
	}
	weighed(tree)
	code, err := lua.Compile(tree, named)
	var wrong *lua.CompileError
	switch {
	case errors.As(err, &wrong):
		return nil, p.fault(p.line(wrong.Line), nil, wrong.Message)
	case err != nil:
		return nil, p.fault(0, nil, err.Error())
	}
	return code, nil
}

// line is the origin of a line of the program.
func (p *program) line(n int) int {
	at := p.offset(n, 1)
	for at < len(p.text) && strings.IndexByte(" \t\r;", p.text[at]) >= 0 {
		at++
	}
	return p.origin(at)
}

// where matches what the interpreter puts before messages.
var where = regexp.MustCompile(`^` + named + `:(\d+):\s*`)

// raised is the error that ended the program, with its place.
func (p *program) raised(err error, m *meter) error {
	text, from := "", 0
	if err != nil {
		text = err.Error()
	}
	var api *lua.ApiError
	if errors.As(err, &api) && api.Object != nil {
		text = api.Object.String()
		if at := regexp.MustCompile(named + `:(\d+):`).FindStringSubmatch(api.StackTrace); at != nil {
			n, _ := strconv.Atoi(at[1])
			from = p.line(n)
		}
	}
	if at := where.FindStringSubmatch(text); at != nil {
		n, _ := strconv.Atoi(at[1])
		from, text = p.line(n), text[len(at[0]):]
	}
	return p.fault(from, m, clip(text))
}

// table is a value of the input as one of Lua; lists begin with 1.
func table(l *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case string:
		return lua.LString(v)
	case []any:
		t := l.CreateTable(len(v), 0)
		for _, item := range v {
			t.Append(table(l, item))
		}
		return t
	case *Object:
		t := l.CreateTable(0, len(v.Names))
		for i, name := range v.Names {
			t.RawSetString(name, table(l, v.Values[i]))
		}
		return t
	}
	return lua.LNil
}

// Names of functions that weigh. No program can write them: they hold a NUL.
const (
	concatName = "\x00concat"
	setName    = "\x00set"
	lenName    = "\x00len"
)

// weighed rewrites a syntax tree of Lua: texts are joined and tables filled by functions that weigh.
func weighed(tree []ast.Stmt) {
	rewrite(reflect.ValueOf(tree), func(node any, _ int64) any {
		switch n := node.(type) {
		case *ast.StringConcatOpExpr:
			args := []ast.Expr{n.Lhs}
			if right, ok := n.Rhs.(*ast.FuncCallExpr); ok && isCall(right, concatName) {
				args = append(args, right.Args...)
			} else {
				args = append(args, n.Rhs)
			}
			return invoke(n, concatName, args...)
		case *ast.UnaryLenOpExpr:
			return invoke(n, lenName, n.Expr)
		case *ast.AssignStmt:
			return assigned(n)
		}
		return node
	})
}

func isCall(c *ast.FuncCallExpr, name string) bool {
	f, ok := c.Func.(*ast.IdentExpr)
	return ok && f.Value == name
}

// invoke is a call in the place of a node.
func invoke(at ast.PositionHolder, name string, args ...ast.Expr) *ast.FuncCallExpr {
	f := &ast.IdentExpr{Value: name}
	c := &ast.FuncCallExpr{Func: f, Args: args, AdjustRet: true}
	for _, n := range []ast.PositionHolder{f, c} {
		n.SetLine(at.Line())
		n.SetLastLine(at.LastLine())
	}
	return c
}

// checked reports that an assignment is to a part of a table that a program computes.
func checked(e ast.Expr) (*ast.AttrGetExpr, bool) {
	a, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return nil, false
	}
	_, named := a.Key.(*ast.StringExpr)
	return a, !named
}

// assigned is an assignment whose computed parts of tables are set by a function that weighs. Several are
// evaluated before the first is set, as Lua does.
func assigned(n *ast.AssignStmt) ast.Stmt {
	if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
		if a, ok := checked(n.Lhs[0]); ok {
			return called(n, invoke(n, setName, a.Object, a.Key, n.Rhs[0]))
		}
		return n
	}
	some := false
	for _, e := range n.Lhs {
		_, ok := checked(e)
		some = some || ok
	}
	if !some {
		return n
	}
	first := &ast.LocalAssignStmt{}
	second := &ast.LocalAssignStmt{Exprs: n.Rhs}
	block := &ast.DoBlockStmt{Stmts: []ast.Stmt{first, second}}
	local := func(s *ast.LocalAssignStmt, kind string, i int) ast.Expr {
		name := fmt.Sprintf("\x00%s%d", kind, i)
		s.Names = append(s.Names, name)
		return placed(&ast.IdentExpr{Value: name}, n)
	}
	for i, e := range n.Lhs {
		value := local(second, "value", i)
		if a, ok := e.(*ast.AttrGetExpr); ok {
			object, key := local(first, "object", i), local(first, "key", i)
			first.Exprs = append(first.Exprs, a.Object, a.Key)
			block.Stmts = append(block.Stmts, called(n, invoke(n, setName, object, key, value)))
			continue
		}
		set := &ast.AssignStmt{Lhs: []ast.Expr{e}, Rhs: []ast.Expr{value}}
		placed(set, n)
		block.Stmts = append(block.Stmts, set)
	}
	for _, s := range []ast.PositionHolder{first, second, block} {
		placed(s, n)
	}
	return block
}

func called(at ast.PositionHolder, c *ast.FuncCallExpr) ast.Stmt {
	return placed(&ast.FuncCallStmt{Expr: c}, at)
}

// placed gives a node the place of another.
func placed[N ast.PositionHolder](n N, at ast.PositionHolder) N {
	n.SetLine(at.Line())
	n.SetLastLine(at.LastLine())
	return n
}
