package xacro

import (
	"fmt"
	"strings"

	"simdeck/sim/format/xacro/expr"
)

// text evaluates the ${expressions} and $(substitutions) of a text. One that is nothing but an expression
// keeps the type of its value; everything else becomes a string.
func (x *expander) text(s string, in *scope) (expr.Value, error) {
	if !strings.Contains(s, "$") {
		return s, nil
	}
	var parts []expr.Value
	for rest := s; rest != ""; {
		v, n, err := x.piece(rest, in)
		if err != nil {
			return nil, err
		}
		parts = append(parts, v)
		rest = rest[n:]
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	var b strings.Builder
	for _, p := range parts {
		part := expr.Str(p)
		if err := x.budget.Spend(len(part)); err != nil {
			return nil, err
		}
		b.WriteString(part)
	}
	return b.String(), nil
}

// piece evaluates what a text starts with, and says how long it is.
func (x *expander) piece(s string, in *scope) (expr.Value, int, error) {
	dollars := len(s) - len(strings.TrimLeft(s, "$"))
	rest := s[dollars:]
	opens := rest != "" && (rest[0] == '{' || rest[0] == '(')
	switch {
	case dollars == 0:
		n := strings.IndexByte(s, '$')
		if n < 0 {
			n = len(s)
		}
		return s[:n], n, nil
	case dollars > 1 && opens: // an escaped expression loses one dollar
		return s[1 : dollars+1], dollars + 1, nil
	case dollars > 1:
		return nil, 0, fmt.Errorf("%q: dollars in a row stand only in front of { or (", clip(s))
	case !opens:
		n := strings.IndexByte(s[1:], '$') + 1
		if n == 0 {
			n = len(s)
		}
		return s[:n], n, nil
	case rest[0] == '(':
		return x.substitution(s, in)
	}
	end := strings.IndexByte(s, '}')
	if end < 0 {
		return nil, 0, fmt.Errorf("the expression %q is never closed with }", clip(s))
	}
	v, err := x.expression(s[2:end], in)
	return v, end + 1, err
}

// expression evaluates what stands in ${}; substitutions inside it come first.
func (x *expander) expression(s string, in *scope) (expr.Value, error) {
	if x.nested++; x.nested > maxNested {
		return nil, fmt.Errorf("expressions made from expressions deeper than %d", maxNested)
	}
	defer func() { x.nested-- }()
	inner, err := x.text(s, in)
	if err != nil {
		return nil, err
	}
	e := &expr.Env{Lookup: func(name string) (expr.Value, error) { return x.value(in, name) },
		Budget: x.budget}
	v, err := expr.Eval(expr.Str(inner), e)
	if err != nil {
		return nil, fmt.Errorf("${%s}: %w", clip(s), err)
	}
	return v, nil
}

// close finds the bracket that ends $(…). Only $(eval …) may have brackets inside.
func closing(s string) int {
	if !strings.HasPrefix(s, "$(eval ") {
		return strings.IndexByte(s, ')')
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// substitution evaluates $(find …), $(arg …) and their like.
func (x *expander) substitution(s string, in *scope) (expr.Value, int, error) {
	end := closing(s)
	if end < 0 {
		return nil, 0, fmt.Errorf("%q is never closed with )", clip(s))
	}
	inner, err := x.text(s[2:end], in)
	if err != nil {
		return nil, 0, err
	}
	body := expr.Str(inner)
	v, err := x.command(body)
	if err != nil {
		return nil, 0, fmt.Errorf("$(%s): %w", clip(body), err)
	}
	return v, end + 1, nil
}

func (x *expander) command(body string) (expr.Value, error) {
	if code, ok := strings.CutPrefix(body, "eval "); ok {
		return x.eval(code)
	}
	words := strings.Fields(body)
	if len(words) == 0 {
		return nil, fmt.Errorf("nothing is named; find, arg, eval, optenv and dirname are known")
	}
	args := words[1:]
	need := func(n int) error {
		if len(args) != n {
			return fmt.Errorf("%d words behind %s, needs %d", len(args), words[0], n)
		}
		return nil
	}
	switch words[0] {
	case "find":
		return "package://" + strings.Join(args, " "), need(1)
	case "arg":
		if err := need(1); err != nil {
			return nil, err
		}
		return x.arg(args[0])
	case "dirname", "cwd":
		return x.files.Folder(x.here().ref), need(0)
	case "env":
		return nil, fmt.Errorf("the environment is not read; make it an <xacro:arg>, or write $(optenv NAME default)")
	case "optenv":
		if len(args) == 0 {
			return nil, need(1)
		}
		return strings.Join(args[1:], " "), nil
	}
	return nil, fmt.Errorf("%q is not known; find, arg, eval, optenv and dirname are", clip(words[0]))
}

func (x *expander) here() place { return x.stack[len(x.stack)-1] }

func (x *expander) arg(name string) (expr.Value, error) {
	v, ok := x.args[name]
	if !ok {
		return nil, fmt.Errorf("the argument %q has no value: no <xacro:arg> above gives a default, and none was given as %s:=…",
			clip(name), clip(name))
	}
	return v, nil
}

// eval is $(eval …) of roslaunch: arguments are names, and numbers and truths among them are such.
func (x *expander) eval(code string) (expr.Value, error) {
	if strings.Contains(code, "__") {
		return nil, fmt.Errorf("two underscores are refused")
	}
	typed := func(name string) (expr.Value, error) {
		v, err := x.arg(name)
		if s, ok := v.(string); ok {
			if l := literal(s); l != nil && strings.TrimSpace(s) == s && (s == "" || s[0] != '\'') {
				return l, err
			}
		}
		return v, err
	}
	lookup := func(name string) (expr.Value, error) {
		switch name {
		case "true", "false":
			return name == "true", nil
		case "arg", "find", "dirname", "env", "optenv":
			return expr.Func{Name: name, Call: func(e *expr.Env, a []expr.Value,
				_ map[string]expr.Value) (expr.Value, error) {
				if name == "arg" && len(a) == 1 {
					return typed(expr.Str(a[0]))
				}
				words := name
				for _, v := range a {
					words += " " + expr.Str(v)
				}
				return x.command(words)
			}}, nil
		}
		if v, ok := mathNames[name]; ok {
			return v, nil
		}
		if v, ok := pythonNames[name]; ok {
			return v, nil
		}
		return typed(name)
	}
	v, err := expr.Eval(code, &expr.Env{Lookup: lookup, Budget: x.budget})
	if err != nil {
		return nil, err
	}
	return expr.Str(v), nil
}
