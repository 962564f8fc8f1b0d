package expr

import (
	"math"
	"math/bits"
	"strings"
)

// relate is a comparison.
func relate(e *Env, op string, a, b Value) (bool, error) {
	if err := e.step(); err != nil {
		return false, err
	}
	switch op {
	case "==", "is":
		return equal(a, b, 0), nil
	case "!=", "is not":
		return !equal(a, b, 0), nil
	case "in", "not in":
		found, err := contains(e, b, a)
		return found == (op == "in"), err
	}
	c, err := compare(a, b, 0)
	if err != nil || c == 2 {
		return false, err
	}
	switch op {
	case "<":
		return c < 0, nil
	case "<=":
		return c <= 0, nil
	case ">":
		return c > 0, nil
	}
	return c >= 0, nil
}

func contains(e *Env, in, v Value) (bool, error) {
	switch in := in.(type) {
	case string:
		s, ok := v.(string)
		if !ok {
			return false, wrong("%s cannot be in a string", kind(v))
		}
		return strings.Contains(in, s), e.Budget.Spend(len(in))
	case *Dict:
		_, ok := in.Get(v)
		return ok, nil
	case *List:
		for _, it := range in.Items {
			if equal(it, v, 0) {
				return true, nil
			}
		}
		return false, e.Budget.Spend(len(in.Items))
	}
	return false, wrong("%s has no items", kind(in))
}

// signed is a sign in front of a number.
func signed(op string, v Value) (Value, error) {
	i, isInt := integer(v)
	f, isFloat := v.(float64)
	switch {
	case isInt && op == "-":
		if i == math.MinInt64 {
			return nil, errLarge
		}
		return -i, nil
	case isInt && op == "~":
		return ^i, nil
	case isInt:
		return i, nil
	case isFloat && op == "-":
		return -f, nil
	case isFloat && op == "+":
		return f, nil
	}
	return nil, wrong("%s has no %q in front", kind(v), op)
}

// arithmetic is a binary operation.
func arithmetic(e *Env, op string, a, b Value) (Value, error) {
	i, intA := integer(a)
	k, intB := integer(b)
	if intA && intB {
		return integers(op, i, k)
	}
	x, okX := number64(a)
	y, okY := number64(b)
	if okX && okY {
		return floats(op, x, y)
	}
	switch {
	case op == "%" && isText(a):
		s, err := percent(a.(string), b)
		if err != nil {
			return nil, err
		}
		return e.text(s)
	case op == "+" && isText(a) && isText(b):
		return e.text(a.(string) + b.(string))
	case op == "+":
		l, okL := a.(*List)
		m, okM := b.(*List)
		if okL && okM && l.Tuple == m.Tuple {
			if err := e.Budget.Spend(itemCost * (len(l.Items) + len(m.Items))); err != nil {
				return nil, err
			}
			return &List{append(append([]Value{}, l.Items...), m.Items...), l.Tuple}, nil
		}
	case op == "*" && intB:
		return repeat(e, a, k)
	case op == "*" && intA:
		return repeat(e, b, i)
	}
	return nil, wrong("%s %s %s: %s and %s do not go together", clip(Repr(a)), op, clip(Repr(b)), kind(a),
		kind(b))
}

func isText(v Value) bool {
	_, ok := v.(string)
	return ok
}

// repeat is a string or list times an int.
func repeat(e *Env, v Value, times int64) (Value, error) {
	times = min(max(times, 0), 1<<31)
	switch v := v.(type) {
	case string:
		if err := e.Budget.Spend(int(times) * len(v)); err != nil {
			return nil, err
		}
		return strings.Repeat(v, int(times)), nil
	case *List:
		if err := e.Budget.Spend(int(times) * itemCost * len(v.Items)); err != nil {
			return nil, err
		}
		out := &List{Tuple: v.Tuple}
		for range int(times) * min(1, len(v.Items)) {
			out.Items = append(out.Items, v.Items...)
		}
		return out, nil
	}
	return nil, wrong("%s cannot be repeated", kind(v))
}

var errLarge = wrong("the result has more than 64 bits")

var errZero = wrong("division by zero")

func integers(op string, a, b int64) (Value, error) {
	switch op {
	case "+":
		if s := a + b; (s > a) == (b > 0) {
			return s, nil
		}
		return nil, errLarge
	case "-":
		if s := a - b; (s < a) == (b > 0) {
			return s, nil
		}
		return nil, errLarge
	case "*":
		return product(a, b)
	case "/":
		return floats(op, float64(a), float64(b))
	case "//", "%":
		if b == 0 {
			return nil, errZero
		}
		if b == -1 && a == math.MinInt64 {
			return nil, errLarge
		}
		q, r := a/b, a%b
		if r != 0 && (r < 0) != (b < 0) {
			q, r = q-1, r+b
		}
		if op == "//" {
			return q, nil
		}
		return r, nil
	case "**":
		return intPower(a, b)
	case "&":
		return a & b, nil
	case "|":
		return a | b, nil
	case "^":
		return a ^ b, nil
	}
	if b < 0 {
		return nil, wrong("a shift by %d", b)
	}
	if op == ">>" {
		return a >> min(b, 63), nil
	}
	if b > 62 || a > math.MaxInt64>>b || a < math.MinInt64>>b {
		return nil, errLarge
	}
	return a << b, nil
}

func product(a, b int64) (Value, error) {
	high, low := bits.Mul64(absolute(a), absolute(b))
	if high != 0 || low > math.MaxInt64 {
		return nil, errLarge
	}
	if (a < 0) != (b < 0) {
		return -int64(low), nil
	}
	return int64(low), nil
}

func absolute(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func intPower(a, b int64) (Value, error) {
	if b < 0 {
		return floats("**", float64(a), float64(b))
	}
	out := int64(1)
	for range min(b, 64) {
		v, err := product(out, a)
		if err != nil {
			return nil, err
		}
		out = v.(int64)
	}
	if b > 64 { // only 0, 1 and -1 are left
		if a == -1 && b%2 == 1 {
			return a, nil
		}
		return a * a, nil
	}
	return out, nil
}

func floats(op string, x, y float64) (Value, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	case "**":
		if x == 0 && y < 0 {
			return nil, wrong("zero to the power of %g", y)
		}
		p := math.Pow(x, y)
		if math.IsNaN(p) && !math.IsNaN(x) && !math.IsNaN(y) {
			return nil, wrong("%g to the power of %g is no real number", x, y)
		}
		return p, nil
	case "/", "//", "%":
		if y == 0 {
			return nil, errZero
		}
		if op == "/" {
			return x / y, nil
		}
		r := math.Mod(x, y)
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		if op == "%" {
			return r, nil
		}
		return math.Round((x - r) / y), nil
	}
	return nil, wrong("%s is for whole numbers, not for %s and %s", op, Float(x), Float(y))
}
