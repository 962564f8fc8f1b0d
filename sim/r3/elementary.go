package r3

import "math"

// The elementary functions below replace those of package math, whose pure-Go versions are fused on
// some architectures and assembly on others. Errors stay within about 2 units in the last place.

const (
	halfPi1 = 1.5707963267341256 // the first 33 bits of π/2: k·halfPi1 is exact for |k| < 2²⁰
	halfPi2 = 6.077100506303966e-11
	halfPi3 = 2.0222662487959506e-21
)

// quadrant reduces an angle to r in [-π/4, π/4] and the count of quarter turns taken off, modulo 4.
func quadrant(x float64) (r float64, n int) {
	if math.Abs(x) > 1e5 {
		x = math.Mod(x, 2*math.Pi)
	}
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r = x - float64(k*halfPi1)
	r -= float64(k * halfPi2)
	r -= float64(k * halfPi3)
	return r, int(k) & 3
}

// Sin is the sine; NaN for infinities and NaN.
func Sin(x float64) float64 {
	s, _ := SinCos(x)
	return s
}

// Cos is the cosine; NaN for infinities and NaN.
func Cos(x float64) float64 {
	_, c := SinCos(x)
	return c
}

// Tan is the tangent.
func Tan(x float64) float64 {
	s, c := SinCos(x)
	return s / c
}

// SinCos is both at once. Beyond 1e5 rad the argument is first taken modulo the double nearest 2π.
func SinCos(x float64) (sin, cos float64) {
	if !finite(x) {
		return math.NaN(), math.NaN()
	}
	r, n := quadrant(x)
	s, c := sinTaylor(r), cosTaylor(r)
	switch n {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

// sinTaylor is the series to x¹⁷, whose remainder at π/4 is below 1e-19.
func sinTaylor(x float64) float64 {
	z := float64(x * x)
	p := 1.0 / 355687428096000
	p = -1.0/1307674368000 + float64(z*p)
	p = 1.0/6227020800 + float64(z*p)
	p = -1.0/39916800 + float64(z*p)
	p = 1.0/362880 + float64(z*p)
	p = -1.0/5040 + float64(z*p)
	p = 1.0/120 + float64(z*p)
	p = -1.0/6 + float64(z*p)
	return x + float64(float64(x*z)*p)
}

// cosTaylor is the series to x¹⁸; 1 - x²/2 is summed with its rounding error kept.
func cosTaylor(x float64) float64 {
	z := float64(x * x)
	p := -1.0 / 6402373705728000
	p = 1.0/20922789888000 + float64(z*p)
	p = -1.0/87178291200 + float64(z*p)
	p = 1.0/479001600 + float64(z*p)
	p = -1.0/3628800 + float64(z*p)
	p = 1.0/40320 + float64(z*p)
	p = -1.0/720 + float64(z*p)
	p = 1.0/24 + float64(z*p)
	h := float64(0.5 * z)
	w := 1 - h
	return w + ((1 - w - h) + float64(float64(z*z)*p))
}

// atanEighth is atan(i/8).
func atanEighth(i int) float64 {
	return [9]float64{
		0, 0.1243549945467614350313548, 0.2449786631268641541720825,
		0.3587706702705722203959201, 0.4636476090008061162142562, 0.5585993153435624359715082,
		0.6435011087932843868028092, 0.7188299996216245054170142, math.Pi / 4,
	}[i]
}

// Atan is the arc tangent: the nearest eighth from a table, the rest by its series.
func Atan(x float64) float64 {
	if x != x {
		return x
	}
	a := math.Abs(x)
	if a > 1 {
		return math.Copysign(math.Pi/2-atanUnit(1/a), x)
	}
	return math.Copysign(atanUnit(a), x)
}

func atanUnit(a float64) float64 {
	i := int(float64(a*8) + 0.5)
	c := float64(float64(i) / 8)
	t := (a - c) / (1 + float64(a*c))
	z := float64(t * t)
	p := 1.0 / 13
	p = -1.0/11 + float64(z*p)
	p = 1.0/9 + float64(z*p)
	p = -1.0/7 + float64(z*p)
	p = 1.0/5 + float64(z*p)
	p = -1.0/3 + float64(z*p)
	return atanEighth(i) + (t + float64(float64(t*z)*p))
}

// Atan2 is the angle of the point (x, y), in (-π, π], with the signs of zeros as in package math.
func Atan2(y, x float64) float64 {
	switch {
	case y != y || x != x:
		return math.NaN()
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return atan2Infinite(y, x)
	case y == 0:
		if math.Signbit(x) {
			return math.Copysign(math.Pi, y)
		}
		return y
	case x == 0:
		return math.Copysign(math.Pi/2, y)
	}
	a := Atan(math.Abs(y / x))
	if x < 0 {
		a = math.Pi - a
	}
	return math.Copysign(a, y)
}

func atan2Infinite(y, x float64) float64 {
	a := 0.0
	switch {
	case math.IsInf(x, 0) && math.IsInf(y, 0):
		a = math.Pi / 4
	case math.IsInf(y, 0):
		a = math.Pi / 2
	}
	if x < 0 && math.IsInf(x, -1) {
		a = math.Pi - a
	}
	return math.Copysign(a, y)
}

// Asin is the arc sine; arguments a little outside [-1, 1] count as ±1, NaN stays NaN.
func Asin(x float64) float64 {
	x = max(-1, min(1, x))
	return Atan2(x, math.Sqrt(float64((1-x)*(1+x))))
}

// Acos is the arc cosine; arguments a little outside [-1, 1] count as ±1, NaN stays NaN.
func Acos(x float64) float64 {
	x = max(-1, min(1, x))
	return Atan2(math.Sqrt(float64((1-x)*(1+x))), x)
}

const (
	ln2Hi = 0.6931471804855391 // the first 33 bits of ln 2
	ln2Lo = 7.440617110012397e-11
)

// Exp is e to the x.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.78:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := x - float64(k*ln2Hi) - float64(k*ln2Lo)
	p := 1.0
	for i := 14; i > 0; i-- {
		p = 1 + float64(r*p)/float64(i)
	}
	return math.Ldexp(p, int(k))
}

// Log is the natural logarithm; NaN below zero, -Inf at zero.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = float64(m*2), e-1
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := 0.0
	for i := 25; i >= 3; i -= 2 {
		p = float64(z * (1/float64(i) + p))
	}
	k := float64(e)
	return float64(k*ln2Hi) + (float64(k*ln2Lo) + float64(2*s) + float64(float64(2*s)*p))
}
