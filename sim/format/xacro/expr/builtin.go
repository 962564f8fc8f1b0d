package expr

import (
	"math"
	"strconv"
	"strings"
)

// Names is a fixed set of names, such as a module.
type Names map[string]Value

// Attr is the value of a name.
func (n Names) Attr(name string) (Value, error) {
	v, ok := n[name]
	if !ok {
		return nil, wrong("name %q %w", clip(name), ErrName)
	}
	return v, nil
}

// function makes a Func of one that takes its arguments by place, from least to most of them.
func function(name string, least, most int, run func(e *Env, args []Value) (Value, error)) Func {
	return Func{name, func(e *Env, args []Value, named map[string]Value) (Value, error) {
		if len(named) > 0 {
			return nil, wrong("takes no arguments by name")
		}
		if len(args) < least || len(args) > most {
			return nil, wrong("%d arguments", len(args))
		}
		return run(e, args)
	}}
}

// Python lists the builtins of Python that xacro knows.
func Python() Names {
	out := Names{
		"len": function("len", 1, 1, func(e *Env, a []Value) (Value, error) {
			n, ok := size(a[0])
			if !ok {
				return nil, wrong("%s has no length", kind(a[0]))
			}
			return int64(n), nil
		}),
		"str": function("str", 0, 1,
			func(e *Env, a []Value) (Value, error) { return e.text(Str(append(a, "")[0])) }),
		"repr": function("repr", 1, 1, func(e *Env, a []Value) (Value, error) { return e.text(Repr(a[0])) }),
		"bool": function("bool", 0, 1,
			func(e *Env, a []Value) (Value, error) { return Truth(append(a, false)[0]), nil }),
		"int": function("int", 0, 1,
			func(e *Env, a []Value) (Value, error) { return toInt(append(a, int64(0))[0]) }),
		"float": function("float", 0, 1,
			func(e *Env, a []Value) (Value, error) { return toFloat(append(a, 0.0)[0]) }),
		"abs":   function("abs", 1, 1, func(e *Env, a []Value) (Value, error) { return magnitude(a[0]) }),
		"round": function("round", 1, 2, func(e *Env, a []Value) (Value, error) { return round(a) }),
		"range": function("range", 1, 3, span),
		"dict":  Func{"dict", makeDict},
		"map":   function("map", 2, 2, apply),
		"ord": function("ord", 1, 1, func(e *Env, a []Value) (Value, error) {
			s, _ := a[0].(string)
			r := []rune(s)
			if len(r) != 1 {
				return nil, wrong("%s where one character is needed", kind(a[0]))
			}
			return int64(r[0]), nil
		}),
		"divmod": function("divmod", 2, 2, func(e *Env, a []Value) (Value, error) {
			q, err := arithmetic(e, "//", a[0], a[1])
			if err != nil {
				return nil, err
			}
			r, err := arithmetic(e, "%", a[0], a[1])
			return &List{[]Value{q, r}, true}, err
		}),
	}
	for name, f := range sequences() {
		out[name] = f
	}
	return out
}

func toInt(v Value) (Value, error) {
	switch v := v.(type) {
	case float64:
		if !(math.Abs(v) < 1<<63) {
			return nil, wrong("%s is no whole number of 64 bits", Float(v))
		}
		return int64(v), nil
	case string:
		i, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		if err != nil {
			return nil, wrong("%q is no whole number", clip(v))
		}
		return i, nil
	}
	if i, ok := integer(v); ok {
		return i, nil
	}
	return nil, wrong("%s is no number", kind(v))
}

func toFloat(v Value) (Value, error) {
	if s, ok := v.(string); ok {
		if strings.ContainsAny(s, "xXpP") {
			return nil, wrong("%q is no number", clip(s))
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, wrong("%q is no number", clip(s))
		}
		return f, nil
	}
	f, ok := number64(v)
	if !ok {
		return nil, wrong("%s is no number", kind(v))
	}
	return f, nil
}

func magnitude(v Value) (Value, error) {
	if f, ok := v.(float64); ok {
		return math.Abs(f), nil
	}
	i, ok := integer(v)
	if !ok || i == math.MinInt64 {
		return nil, wrong("%s has no magnitude", kind(v))
	}
	return max(i, -i), nil
}

// round is Python's: half to even, of the exact value.
func round(a []Value) (Value, error) {
	i, isInt := integer(a[0])
	f, isFloat := a[0].(float64)
	if !isInt && !isFloat {
		return nil, wrong("%s is no number", kind(a[0]))
	}
	if len(a) == 1 || a[1] == nil {
		if isInt {
			return i, nil
		}
		return toInt(math.RoundToEven(f))
	}
	digits, ok := integer(a[1])
	if !ok || isInt {
		return a[0], nil
	}
	if digits > 300 || math.IsNaN(f) || math.IsInf(f, 0) {
		return f, nil
	}
	if digits < 0 {
		scale := math.Pow(10, float64(min(-digits, 300)))
		return math.RoundToEven(f/scale) * scale, nil
	}
	out, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(digits), 64), 64)
	return out, nil
}

// span is range().
func span(e *Env, a []Value) (Value, error) {
	bounds := []int64{0, 0, 1}
	for i, v := range a {
		n, ok := integer(v)
		if !ok {
			return nil, wrong("%s is no whole number", kind(v))
		}
		if len(a) == 1 {
			i = 1
		}
		bounds[i] = n
	}
	from, to, step := bounds[0], bounds[1], bounds[2]
	if step == 0 {
		return nil, wrong("a step of zero")
	}
	var out []Value
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if err := e.Budget.Spend(itemCost); err != nil {
			return nil, err
		}
		out = append(out, i)
		if i > 0 && step > math.MaxInt64-i || i < 0 && step < math.MinInt64-i {
			break
		}
	}
	return &List{Items: out}, nil
}

// makeDict is dict(a=1), dict([(key, value), …]) or dict(other).
func makeDict(e *Env, args []Value, named map[string]Value) (Value, error) {
	d := &Dict{}
	if len(args) > 1 {
		return nil, wrong("%d arguments", len(args))
	}
	if len(args) == 1 {
		if from, ok := args[0].(*Dict); ok {
			args[0] = &List{}
			for _, k := range from.keys {
				_ = d.Set(k, from.values[k])
			}
		}
		items, err := iterate(e, args[0])
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			pair, ok := it.(*List)
			if !ok || len(pair.Items) != 2 {
				return nil, wrong("%s is no pair of key and value", clip(Repr(it)))
			}
			if err := d.Set(pair.Items[0], pair.Items[1]); err != nil {
				return nil, err
			}
		}
	}
	for _, k := range inOrder(named) {
		_ = d.Set(k, named[k])
	}
	return d, e.Budget.Spend(itemCost * len(d.keys))
}

// apply is map(): a function over every item.
func apply(e *Env, a []Value) (Value, error) {
	f, ok := a[0].(Func)
	if !ok {
		return nil, wrong("%s is no function", kind(a[0]))
	}
	items, err := iterate(e, a[1])
	if err != nil {
		return nil, err
	}
	var out []Value
	for _, it := range items {
		if err := e.step(); err != nil {
			return nil, err
		}
		v, err := f.Call(e, []Value{it}, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return e.list(out)
}
