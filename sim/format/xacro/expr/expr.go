// Package expr evaluates the Python expressions between ${ and } in xacro. It has numbers, strings, truth,
// lists and dictionaries, operators, conditional expressions, comprehensions, indexes and slices. It has the
// methods of strings, lists and dictionaries, and the functions of Python's builtins and math that xacro
// exposes. It is no Python: nothing can be assigned, imported or opened, and a Budget bounds an expression's
// work and its results.
package expr

import (
	"errors"
	"fmt"
)

// Value is nil (None), bool, int64, float64, string, *List, *Dict, Func, or anything with the method Attr.
type Value any

// List is a Python list, or a tuple.
type List struct {
	Items []Value
	Tuple bool
}

// Func is a function that expressions can call.
type Func struct {
	Name string
	Call func(e *Env, args []Value, named map[string]Value) (Value, error)
}

// Attributed is a value with names behind a dot.
type Attributed interface {
	// Attr is the value of a name; the error says that there is none.
	Attr(name string) (Value, error)
}

// ErrName is a name that nothing defines.
var ErrName = errors.New("is not defined")

// ErrBudget says that an expression works for too long or makes too much.
var ErrBudget = errors.New("the expressions of this file do more than is allowed")

// Budget bounds all expressions of one document together, in steps and bytes made.
type Budget struct{ Work int }

// NewBudget is enough for robots by orders of magnitude: about two million steps, or 20 MB of text.
func NewBudget() *Budget { return &Budget{20_000_000} }

// Spend takes n from the budget; the error wraps ErrBudget.
func (b *Budget) Spend(n int) error {
	if b.Work -= n; b.Work < 0 {
		b.Work = 0
		return ErrBudget
	}
	return nil
}

// Env is the environment of names in an expression.
type Env struct {
	Lookup func(name string) (Value, error) // an error that wraps ErrName: there is no such name
	Budget *Budget
	locals []local
}

// local is a variable of a comprehension.
type local struct {
	name  string
	value Value
}

// Costs of a step and of an item of a list, in units of one byte of text.
const stepCost, itemCost = 10, 24

func (e *Env) step() error { return e.Budget.Spend(stepCost) }

// next is the value of a node that one more step is about to use.
func (e *Env) next(of node) (Value, error) {
	v, err := of(e)
	if err != nil {
		return nil, err
	}
	return v, e.step()
}

// text charges for a string that was made.
func (e *Env) text(s string) (Value, error) { return s, e.Budget.Spend(len(s)) }

// list charges for a list that was made.
func (e *Env) list(items []Value) (Value, error) {
	return &List{Items: items}, e.Budget.Spend(itemCost * len(items))
}

func (e *Env) name(name string) (Value, error) {
	for i := len(e.locals) - 1; i >= 0; i-- {
		if e.locals[i].name == name {
			return e.locals[i].value, nil
		}
	}
	return e.Lookup(name)
}

// Eval evaluates an expression. Errors say what is wrong with it; they do not say where it stands.
func Eval(text string, e *Env) (Value, error) {
	p := &parser{}
	if err := p.read(text); err != nil {
		return nil, err
	}
	if err := e.Budget.Spend(len(text)); err != nil {
		return nil, err
	}
	run, err := p.whole()
	if err != nil {
		return nil, err
	}
	return run(e)
}

// kind is the name of a value's type in messages.
func kind(v Value) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "a bool"
	case int64:
		return "an int"
	case float64:
		return "a float"
	case string:
		return "a string"
	case *List:
		if v.Tuple {
			return "a tuple"
		}
		return "a list"
	case *Dict:
		return "a dictionary"
	case Func:
		return "the function " + v.Name
	}
	return "a namespace"
}

// clip cuts a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

func wrong(format string, args ...any) error { return fmt.Errorf(format, args...) }
