package expr

import (
	"strconv"
	"strings"
)

// percent is Python's "text" % values, with the verbs s, r, d, i, f, e, g and x.
func percent(format string, v Value) (string, error) {
	args := []Value{v}
	if l, ok := v.(*List); ok && l.Tuple {
		args = l.Items
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(format, '%')
		if at < 0 {
			b.WriteString(format)
			break
		}
		b.WriteString(format[:at])
		spec, rest, err := verb(format[at+1:])
		if err != nil {
			return "", err
		}
		format = rest
		if spec.verb == '%' {
			b.WriteByte('%')
			continue
		}
		if len(args) == 0 {
			return "", wrong("the format has more verbs than values")
		}
		s, err := spec.apply(args[0])
		if err != nil {
			return "", err
		}
		b.WriteString(s)
		args = args[1:]
	}
	if len(args) > 0 {
		if _, isDict := args[0].(*Dict); !isDict {
			return "", wrong("the format has fewer verbs than values")
		}
	}
	return b.String(), nil
}

// formatting is one verb of a format.
type formatting struct {
	flags string
	width int
	prec  int // -1: not given
	verb  byte
}

func verb(s string) (f formatting, rest string, err error) {
	n := 0
	count := func() int {
		v := 0
		for n < len(s) && digit(s[n]) {
			v = min(v*10+int(s[n]-'0'), 1000)
			n++
		}
		return v
	}
	for n < len(s) && strings.IndexByte("-+ 0#", s[n]) >= 0 {
		n++
	}
	f.flags, f.prec = s[:n], -1
	f.width = count()
	if n < len(s) && s[n] == '.' {
		n++
		f.prec = min(count(), 100)
	}
	if n == len(s) {
		return f, "", wrong("the format ends in the middle of a verb")
	}
	f.verb = s[n]
	return f, s[n+1:], nil
}

func (f formatting) apply(v Value) (string, error) {
	var s string
	switch f.verb {
	case 's', 'r':
		if s = Str(v); f.verb == 'r' {
			s = Repr(v)
		}
		if f.prec >= 0 {
			runes := []rune(s)
			s = string(runes[:min(f.prec, len(runes))])
		}
		return f.pad(s, false), nil
	case 'd', 'i', 'x':
		x, ok := number64(v)
		i, isInt := integer(v)
		if !ok || !isInt && !(x > -1e18 && x < 1e18) {
			return "", wrong("%%%c of %s", f.verb, kind(v))
		}
		if !isInt {
			i = int64(x)
		}
		base := 10
		if f.verb == 'x' {
			base = 16
		}
		s = strconv.FormatInt(i, base)
	case 'f', 'e', 'g':
		x, ok := number64(v)
		if !ok {
			return "", wrong("%%%c of %s", f.verb, kind(v))
		}
		s = fixed(x, f.verb, f.prec)
	default:
		return "", wrong("the verb %%%c is not understood", f.verb)
	}
	if strings.Contains(f.flags, "+") && s[0] != '-' {
		s = "+" + s
	}
	return f.pad(s, true), nil
}

// fixed writes a float as C's printf does.
func fixed(x float64, verb byte, prec int) string {
	if prec < 0 {
		prec = 6
	}
	if verb != 'g' {
		return strconv.FormatFloat(x, verb, prec, 64)
	}
	prec = max(prec, 1)
	s := strconv.FormatFloat(x, 'e', prec-1, 64)
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return s
	}
	exp, _ := strconv.Atoi(exponent)
	if exp >= -4 && exp < prec {
		mantissa, exponent = strconv.FormatFloat(x, 'f', prec-1-exp, 64), ""
	} else {
		exponent = "e" + exponent
	}
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + exponent
}

func (f formatting) pad(s string, number bool) string {
	missing := f.width - len([]rune(s))
	switch {
	case missing <= 0:
		return s
	case strings.Contains(f.flags, "-"):
		return s + strings.Repeat(" ", missing)
	case number && strings.Contains(f.flags, "0"):
		sign := ""
		if s[0] == '-' || s[0] == '+' {
			sign, s = s[:1], s[1:]
		}
		return sign + strings.Repeat("0", missing) + s
	}
	return strings.Repeat(" ", missing) + s
}
