package vrml

import (
	"math"
	"strconv"
	"strings"
)

// value reads what follows a field's name.
func (p *parser) value(f *Field) (Value, error) {
	v := Value{Pos: p.ahead.pos}
	if p.ahead.kind != openList {
		if err := p.single(f, &v); err != nil {
			return v, err
		}
		for len(v.Numbers) > 0 && p.ahead.kind == word && isNumber(p.ahead.text) {
			if err := p.item(f, &v); err != nil {
				return v, err
			}
		}
		return v, nil
	}
	v.List = true
	if err := p.advance(); err != nil {
		return v, err
	}
	for p.ahead.kind != closedList {
		if p.ahead.kind == end || p.ahead.kind == closed {
			return v, p.fail(p.ahead.pos, "%v, want ]: the list of %q at %v is not closed", p.ahead,
				clip(f.Name), v.Pos)
		}
		if err := p.item(f, &v); err != nil {
			return v, err
		}
	}
	return v, p.advance()
}

// single reads the first of a value without brackets, which may be IS or NULL.
func (p *parser) single(f *Field, v *Value) error {
	if p.ahead.kind == word {
		switch p.ahead.text {
		case "IS":
			if err := p.advance(); err != nil {
				return err
			}
			name, err := p.take(word, "the field of a PROTO")
			v.Is = name.text
			return err
		case "NULL":
			v.Null = true
			return p.advance()
		}
	}
	return p.item(f, v)
}

// item reads one number, string, truth or node.
func (p *parser) item(f *Field, v *Value) error {
	t, before := p.ahead, v.describe()
	switch {
	case t.kind == quoted:
		v.Strings = append(v.Strings, t.text)
	case t.kind != word:
		return p.fail(t.pos, "%v, want the value of field %q", t, clip(f.Name))
	case t.text == "TRUE" || t.text == "FALSE":
		v.Bools = append(v.Bools, t.text == "TRUE")
	case isNumber(t.text):
		x, err := number(t.text)
		if err != nil {
			return p.fail(t.pos, "%v of field %q is no number", t, clip(f.Name))
		}
		if !(math.Abs(x) <= mostNumber) {
			return p.fail(t.pos, "%.60v of field %q is no finite number of at most %g", t, clip(f.Name),
				mostNumber)
		}
		if p.numbers++; p.numbers > maxNumbers {
			return p.fail(t.pos, "more than %d numbers", maxNumbers)
		}
		v.Numbers = append(v.Numbers, x)
	default:
		n, err := p.node()
		if err != nil {
			return err
		}
		v.Nodes = append(v.Nodes, n)
		return p.mixed(f, v, t, before)
	}
	if err := p.mixed(f, v, t, before); err != nil {
		return err
	}
	return p.advance()
}

// mixed refuses a list of different things.
func (p *parser) mixed(f *Field, v *Value, t token, before string) error {
	kinds := 0
	for _, n := range [...]int{len(v.Numbers), len(v.Strings), len(v.Bools), len(v.Nodes)} {
		if n > 0 {
			kinds++
		}
	}
	if kinds > 1 {
		return p.fail(t.pos, "%v among the %s of field %q", t, before, clip(f.Name))
	}
	return nil
}

// isNumber reports that a word begins as a number does, or is one of those that are none.
func isNumber(text string) bool {
	c := text[0]
	if c == '+' || c == '-' || c == '.' {
		return true
	}
	if c >= '0' && c <= '9' {
		return true
	}
	switch strings.ToLower(text) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

// mostNumber is the largest number of a field: powers of larger ones would have no end.
const mostNumber = 1e50

// number reads decimal numbers, and whole ones in hexadecimal as VRML97 has them.
func number(text string) (float64, error) {
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		n, err := strconv.ParseUint(text[2:], 16, 32)
		return float64(n), err
	}
	if strings.ContainsAny(text, "_xXpP") {
		return 0, strconv.ErrSyntax
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil && math.IsInf(x, 0) {
		return x, nil
	}
	return x, err
}
