package template

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
	"github.com/dop251/goja/unistring"
)

// Names of functions that measure. No program can write them: they hold a NUL.
const (
	stepName     = "\x00step"     // counts
	sumName      = "\x00sum"      // weighs what + made
	templateName = "\x00template" // joins the parts of a template literal
	eachName     = "\x00each"     // takes what is spread one by one
	keysName     = "\x00keys"     // weighs the parts of an object
	madeName     = "\x00made"     // weighs what new made
)

// measurer puts measures into a syntax tree of JavaScript.
type measurer struct {
	rests map[ast.Node]bool // patterns with a rest, of which nobody has weighed what they take apart
	at    file.Idx
	why   string // the reason for which the program is not run; empty: none

	pattern, patterns int64 // instructions of the longest pattern, and of all
}

// maxPatterns bounds the instructions of all patterns that a program is written with.
const maxPatterns = 50 * maxPattern

// measured rewrites a program so that steps are counted and texts and lists weighed as they grow. It returns
// the size of the longest pattern, what is not run, and where.
func measured(tree *ast.Program) (pattern int64, at file.Idx, why string) {
	m := &measurer{rests: map[ast.Node]bool{}}
	rewrite(reflect.ValueOf(tree), m.visit)
	for n := range m.rests {
		m.refuse(n.Idx0(), "a rest (...) inside another pattern, or of an argument or loop that is taken apart")
	}
	return m.pattern, m.at, m.why
}

// refuse keeps what stands first.
func (m *measurer) refuse(at file.Idx, what string) {
	if m.why == "" || at < m.at {
		m.at, m.why = at, what+" is not run in templates"
	}
}

func name(n string, at file.Idx) *ast.Identifier {
	return &ast.Identifier{Name: unistring.NewFromString(n), Idx: at}
}

func call(n string, at file.Idx, args ...ast.Expression) ast.Expression {
	return &ast.CallExpression{Callee: name(n, at), ArgumentList: args, LeftParenthesis: at,
		RightParenthesis: at}
}

func number(x int64) ast.Expression { return &ast.NumberLiteral{Literal: fmt.Sprint(x), Value: x} }

// counted is a statement that counts so many steps.
func counted(at file.Idx, size int64) ast.Statement {
	n := number(size)
	n.(*ast.NumberLiteral).Idx = at
	return &ast.ExpressionStatement{Expression: call(stepName, at, n)}
}

func (m *measurer) visit(node any, size int64) any {
	switch n := node.(type) {
	case *ast.ForStatement:
		n.Body = loop(n.Body, n.For, size)
	case *ast.ForInStatement:
		n.Source = call(keysName, n.Source.Idx0(), n.Source)
		n.Body = loop(n.Body, n.For, size)
	case *ast.ForOfStatement:
		n.Body = loop(n.Body, n.For, size)
	case *ast.WhileStatement:
		n.Body = loop(n.Body, n.While, size)
	case *ast.DoWhileStatement:
		n.Body = loop(n.Body, n.Do, size)
	case *ast.CatchStatement: // an error holds the calls in which it was thrown
		const caught = 1000
		n.Body.List = append([]ast.Statement{counted(n.Body.LeftBrace, caught)}, n.Body.List...)
	case *ast.FunctionLiteral:
		m.asynchronous(n.Async, n.Function)
		n.Body.List = append([]ast.Statement{counted(n.Body.LeftBrace, size)}, n.Body.List...)
	case *ast.ArrowFunctionLiteral:
		m.asynchronous(n.Async, n.Start)
		m.arrow(n, size)
	case *ast.AwaitExpression:
		m.asynchronous(true, n.Await)
	case *ast.NumberLiteral:
		if _, big := n.Value.(*big.Int); big {
			m.refuse(n.Idx, "a BigInt")
		}
	case *ast.RegExpLiteral:
		at := n.Idx
		size, why := patternSize(n.Pattern, n.Flags)
		if m.patterns += size; m.patterns > maxPatterns {
			why = "a program with that many long patterns"
		}
		if m.pattern = max(m.pattern, size); why != "" {
			m.refuse(at, why)
		}
	case ast.Expression:
		return m.expression(n)
	case *ast.Binding:
		n.Initializer = m.takenApart(n.Target, n.Initializer)
	}
	return node
}

func (m *measurer) asynchronous(is bool, at file.Idx) {
	if is {
		m.refuse(at, "async")
	}
}

// expression is the measured form of one.
func (m *measurer) expression(e ast.Expression) any {
	switch n := e.(type) {
	case *ast.Binding:
		n.Initializer = m.takenApart(n.Target, n.Initializer)
	case *ast.BinaryExpression:
		if n.Operator == token.PLUS {
			return call(sumName, n.Idx0(), n)
		}
	case *ast.AssignExpression:
		if n.Operator == token.PLUS {
			return call(sumName, n.Idx0(), n)
		}
		n.Right = m.takenApart(n.Left, n.Right)
	case *ast.TemplateLiteral:
		if n.Tag == nil && len(n.Expressions) > 0 {
			return joined(n)
		}
	case *ast.SpreadElement:
		n.Expression = call(eachName, n.Expression.Idx0(), n.Expression)
	case *ast.ObjectLiteral:
		for _, v := range n.Value {
			if s, spread := v.(*ast.SpreadElement); spread {
				s.Expression.(*ast.CallExpression).Callee = name(keysName, s.Idx0())
			}
		}
	case *ast.NewExpression:
		return call(madeName, n.New, n)
	case *ast.ArrayPattern:
		m.rests[n] = n.Rest != nil
	case *ast.ObjectPattern:
		m.rests[n] = n.Rest != nil
	}
	if !m.rests[e] {
		delete(m.rests, e)
	}
	return e
}

// takenApart weighs what a pattern with a rest takes apart.
func (m *measurer) takenApart(target, from ast.Expression) ast.Expression {
	if from == nil || !m.rests[target] {
		return from
	}
	delete(m.rests, target)
	if _, list := target.(*ast.ArrayPattern); list {
		return call(eachName, from.Idx0(), from)
	}
	return call(keysName, from.Idx0(), from)
}

func loop(body ast.Statement, at file.Idx, size int64) ast.Statement {
	return &ast.BlockStatement{LeftBrace: at, RightBrace: at, List: []ast.Statement{counted(at, size), body}}
}

func (m *measurer) arrow(n *ast.ArrowFunctionLiteral, size int64) {
	switch body := n.Body.(type) {
	case *ast.ExpressionBody:
		at := body.Expression.Idx0()
		count := counted(at, size).(*ast.ExpressionStatement).Expression
		body.Expression = &ast.SequenceExpression{Sequence: []ast.Expression{count, body.Expression}}
	case *ast.BlockStatement:
		body.List = append([]ast.Statement{counted(body.LeftBrace, size)}, body.List...)
	}
}

// joined is a template literal as a call that weighs its parts.
func joined(n *ast.TemplateLiteral) ast.Expression {
	var args []ast.Expression
	for i, e := range n.Elements {
		args = append(args, &ast.StringLiteral{Idx: e.Idx, Literal: e.Literal, Value: e.Parsed})
		if i < len(n.Expressions) {
			args = append(args, n.Expressions[i])
		}
	}
	return call(templateName, n.OpenQuote, args...)
}
