package expr

import (
	"maps"
	"slices"
)

// inOrder lists names in the order of the alphabet.
func inOrder(m map[string]Value) []string { return slices.Sorted(maps.Keys(m)) }

// over makes a function of one list.
func over(name string, run func(e *Env, items []Value) (Value, error)) Func {
	return function(name, 1, 1, func(e *Env, a []Value) (Value, error) {
		items, err := iterate(e, a[0])
		if err != nil {
			return nil, err
		}
		return run(e, items)
	})
}

// sequences lists the functions over lists.
func sequences() Names {
	return Names{
		"min": extreme("min", -1),
		"max": extreme("max", 1),
		"list": function("list", 0, 1, func(e *Env, a []Value) (Value, error) {
			items, err := iterate(e, append(a, &List{})[0])
			if err != nil {
				return nil, err
			}
			return e.list(slices.Clone(items))
		}),
		"tuple": over("tuple", func(e *Env, items []Value) (Value, error) { return &List{items, true}, nil }),
		"set": over("set", func(e *Env, items []Value) (Value, error) {
			d := &Dict{}
			for _, it := range items {
				if err := d.Set(it, nil); err != nil {
					return nil, err
				}
			}
			return e.list(d.keys)
		}),
		"sorted": over("sorted", func(e *Env, items []Value) (Value, error) {
			if err := e.Budget.Spend(stepCost * len(items)); err != nil {
				return nil, err
			}
			out, err := sorted(items)
			return &List{Items: out}, err
		}),
		"reversed": over("reversed", func(e *Env, items []Value) (Value, error) {
			out := slices.Clone(items)
			slices.Reverse(out)
			return e.list(out)
		}),
		"any": over("any", func(e *Env, items []Value) (Value,
			error) {
			return slices.ContainsFunc(items, Truth), nil
		}),
		"all": over("all", func(e *Env, items []Value) (Value, error) {
			return !slices.ContainsFunc(items, func(v Value) bool { return !Truth(v) }), nil
		}),
		"sum": over("sum", func(e *Env, items []Value) (Value, error) {
			var total Value = int64(0)
			for _, it := range items {
				var err error
				if total, err = arithmetic(e, "+", total, it); err != nil {
					return nil, err
				}
			}
			return total, nil
		}),
		"enumerate": over("enumerate", func(e *Env, items []Value) (Value, error) {
			var out []Value
			for i, it := range items {
				out = append(out, &List{[]Value{int64(i), it}, true})
			}
			return e.list(out)
		}),
		"zip": function("zip", 2, 2, func(e *Env, a []Value) (Value, error) {
			x, err := iterate(e, a[0])
			if err != nil {
				return nil, err
			}
			y, err := iterate(e, a[1])
			if err != nil {
				return nil, err
			}
			var out []Value
			for i := range min(len(x), len(y)) {
				out = append(out, &List{[]Value{x[i], y[i]}, true})
			}
			return e.list(out)
		}),
	}
}

// extreme is min or max, of its arguments or of one list.
func extreme(name string, sign int) Func {
	return function(name, 1, maxTokens, func(e *Env, a []Value) (Value, error) {
		if len(a) == 1 {
			items, err := iterate(e, a[0])
			if err != nil {
				return nil, err
			}
			a = items
		}
		if len(a) == 0 {
			return nil, wrong("of nothing")
		}
		best := a[0]
		for _, v := range a[1:] {
			c, err := compare(v, best, 0)
			if err != nil {
				return nil, err
			}
			if c == sign {
				best = v
			}
		}
		return best, nil
	})
}
