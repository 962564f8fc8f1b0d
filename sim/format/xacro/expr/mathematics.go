package expr

import (
	"math"

	"simdeck/sim/r3"
)

// unary functions of Python's module math. Functions that package r3 has come from there, with the same bits
// on every machine.
var unary = map[string]func(float64) float64{
	"sin": r3.Sin, "cos": r3.Cos, "tan": r3.Tan, "asin": unit(r3.Asin), "acos": unit(r3.Acos),
	"atan": r3.Atan, "exp": r3.Exp,
	"sqrt": math.Sqrt, "fabs": math.Abs, "sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
	"asinh": math.Asinh,
	"acosh": math.Acosh, "atanh": math.Atanh, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
	"expm1": math.Expm1,
	"cbrt":  math.Cbrt, "erf": math.Erf, "gamma": math.Gamma,
	"radians": func(x float64) float64 { return x * (math.Pi / 180) },
	"degrees": func(x float64) float64 { return x * (180 / math.Pi) },
}

// unit keeps a function to the numbers from -1 to 1.
func unit(f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		if !(math.Abs(x) <= 1) {
			return math.NaN()
		}
		return f(x)
	}
}

var binary = map[string]func(x, y float64) float64{
	"atan2": r3.Atan2, "fmod": math.Mod, "copysign": math.Copysign, "remainder": math.Remainder,
}

var whole = map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc}

var tests = map[string]func(float64) bool{
	"isnan": math.IsNaN,
	"isinf": func(x float64) bool { return math.IsInf(x, 0) },
	"isfinite": func(x float64) bool {
		return !math.IsInf(x, 0) && !math.IsNaN(x)
	},
}

// Math is Python's module math.
func Math() Names {
	out := Names{"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi, "inf": math.Inf(1), "nan": math.NaN()}
	for name, f := range unary {
		out[name] = function(name, 1, 1, func(e *Env, a []Value) (Value, error) { return real1(a, f) })
	}
	for name, f := range binary {
		out[name] = function(name, 2, 2, func(e *Env, a []Value) (Value, error) {
			return real1(a, func(x float64) float64 { y, _ := number64(a[1]); return f(x, y) })
		})
	}
	for name, f := range whole {
		out[name] = function(name, 1, 1, func(e *Env, a []Value) (Value, error) {
			v, err := real1(a, f)
			if err != nil {
				return nil, err
			}
			return toInt(v)
		})
	}
	for name, f := range tests {
		out[name] = function(name, 1, 1, func(e *Env, a []Value) (Value, error) {
			x, ok := number64(a[0])
			if !ok {
				return nil, wrong("%s is no number", kind(a[0]))
			}
			return f(x), nil
		})
	}
	out["pow"] = function("pow", 2, 2, func(e *Env, a []Value) (Value, error) {
		return real1(a, func(x float64) float64 { y, _ := number64(a[1]); return math.Pow(x, y) })
	})
	out["log"] = function("log", 1, 2, func(e *Env, a []Value) (Value, error) {
		return real1(a, func(x float64) float64 {
			if len(a) == 2 {
				base, _ := number64(a[1])
				return r3.Log(x) / r3.Log(base)
			}
			return r3.Log(x)
		})
	})
	out["hypot"] = function("hypot", 1, 10, hypot)
	return out
}

// real1 applies a function to numbers; a result that is no real number is an error, as in Python.
func real1(a []Value, f func(float64) float64) (Value, error) {
	hasNaN := false
	for _, v := range a {
		x, ok := number64(v)
		if !ok {
			return nil, wrong("%s where a number is needed", kind(v))
		}
		hasNaN = hasNaN || math.IsNaN(x) || math.IsInf(x, 0)
	}
	x, _ := number64(a[0])
	y := f(x)
	if !hasNaN && (math.IsNaN(y) || math.IsInf(y, 0)) {
		return nil, wrong("%s is outside its domain", Float(x))
	}
	return y, nil
}

func hypot(e *Env, a []Value) (Value, error) {
	sum := 0.0
	for _, v := range a {
		x, ok := number64(v)
		if !ok {
			return nil, wrong("%s where a number is needed", kind(v))
		}
		sum = math.Hypot(sum, x)
	}
	return sum, nil
}
