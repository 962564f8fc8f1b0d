package expr

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Dict is a Python dictionary; its keys are strings, numbers or truths, in the order in which they came.
type Dict struct {
	keys   []Value
	values map[Value]Value
}

// Set gives a key its value. The error says that such a key is not known.
func (d *Dict) Set(key, v Value) error {
	k, err := hashable(key)
	if err != nil {
		return err
	}
	if d.values == nil {
		d.values = map[Value]Value{}
	}
	if _, known := d.values[k]; !known {
		d.keys = append(d.keys, k)
	}
	d.values[k] = v
	return nil
}

// Get is the value of a key; false when there is none.
func (d *Dict) Get(key Value) (Value, bool) {
	k, err := hashable(key)
	if err != nil {
		return nil, false
	}
	v, ok := d.values[k]
	return v, ok
}

// Keys in the order in which they came; not to be changed.
func (d *Dict) Keys() []Value { return d.keys }

// names lists the keys for a message.
func (d *Dict) names() string {
	var names []string
	for _, k := range d.keys[:min(len(d.keys), 10)] {
		names = append(names, clip(Repr(k)))
	}
	if len(d.keys) > 10 {
		names = append(names, "…")
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func hashable(k Value) (Value, error) {
	switch k := k.(type) {
	case string, int64, nil:
		return k, nil
	case bool:
		if k {
			return int64(1), nil
		}
		return int64(0), nil
	case float64:
		if i := int64(k); float64(i) == k {
			return i, nil
		}
		return k, nil
	}
	return nil, wrong("%s cannot be the key of a dictionary", kind(k))
}

// Truth is a value's truth in a condition of Python.
func Truth(v Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	}
	if n, ok := size(v); ok {
		return n > 0
	}
	return true
}

// size is the number of items or characters.
func size(v Value) (int, bool) {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v), true
	case *List:
		return len(v.Items), true
	case *Dict:
		return len(v.keys), true
	}
	return 0, false
}

// integer is the value of an int or a bool.
func integer(v Value) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// number64 is the value of any number as a float.
func number64(v Value) (float64, bool) {
	if f, ok := v.(float64); ok {
		return f, true
	}
	i, ok := integer(v)
	return float64(i), ok
}

// iterate lists what a for or a function goes through.
func iterate(e *Env, v Value) ([]Value, error) {
	switch v := v.(type) {
	case *List:
		return v.Items, e.Budget.Spend(len(v.Items))
	case *Dict:
		return v.keys, e.Budget.Spend(len(v.keys))
	case string:
		var out []Value
		for _, r := range v {
			out = append(out, string(r))
		}
		return out, e.Budget.Spend(itemCost * len(out))
	}
	return nil, wrong("%s has no items", kind(v))
}

// maxShown bounds how deep lists are written and compared.
const maxShown = 50

// Str is a value as Python's str() writes it.
func Str(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	return Repr(v)
}

// Repr is a value as Python's repr() writes it.
func Repr(v Value) string {
	var b strings.Builder
	write(&b, v, 0)
	return b.String()
}

func write(b *strings.Builder, v Value, depth int) {
	if depth > maxShown || b.Len() > 1<<20 {
		b.WriteString("...")
		return
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case float64:
		b.WriteString(Float(v))
	case string:
		quote(b, v)
	case *List:
		open, end := "[", "]"
		if v.Tuple {
			open, end = "(", ")"
		}
		b.WriteString(open)
		for i, it := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, it, depth+1)
		}
		if v.Tuple && len(v.Items) == 1 {
			b.WriteByte(',')
		}
		b.WriteString(end)
	case *Dict:
		b.WriteByte('{')
		for i, k := range v.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, k, depth+1)
			b.WriteString(": ")
			write(b, v.values[k], depth+1)
		}
		b.WriteByte('}')
	default:
		b.WriteString("<" + kind(v) + ">")
	}
}

func quote(b *strings.Builder, s string) {
	q := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = `"`
	}
	s = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s)
	if q == "'" {
		s = strings.ReplaceAll(s, "'", `\'`)
	}
	b.WriteString(q + s + q)
}

// Float is a float as Python writes it: the shortest text that reads back the same, with a point or an
// exponent.
func Float(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	exp, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	if exp < -4 || exp >= 16 {
		return s
	}
	if s = strconv.FormatFloat(f, 'f', -1, 64); !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// equal is Python's ==.
func equal(a, b Value, depth int) bool {
	x, okX := number64(a)
	y, okY := number64(b)
	if okX || okY {
		i, intA := integer(a)
		k, intB := integer(b)
		return okX && okY && (x == y && !(intA && intB) || intA && intB && i == k)
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case string:
		s, ok := b.(string)
		return ok && a == s
	case *List:
		l, ok := b.(*List)
		return ok && depth < maxShown && a.Tuple == l.Tuple &&
			slices.EqualFunc(a.Items, l.Items, func(x, y Value) bool { return equal(x, y, depth+1) })
	case *Dict:
		d, ok := b.(*Dict)
		if !ok || len(a.keys) != len(d.keys) || depth >= maxShown {
			return false
		}
		for _, k := range a.keys {
			other, known := d.values[k]
			if !known || !equal(a.values[k], other, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// compare orders two numbers, texts or lists: -1, 0, 1; 2 where one of them is no number.
func compare(a, b Value, depth int) (int, error) {
	x, okX := number64(a)
	y, okY := number64(b)
	if okX && okY {
		switch {
		case x < y:
			return -1, nil
		case x > y:
			return 1, nil
		case x == y:
			return 0, nil
		}
		return 2, nil
	}
	if s, ok := a.(string); ok {
		if t, ok := b.(string); ok {
			return strings.Compare(s, t), nil
		}
	}
	l, okL := a.(*List)
	m, okM := b.(*List)
	if !okL || !okM || l.Tuple != m.Tuple || depth >= maxShown {
		return 0, wrong("%s cannot be compared with %s", kind(a), kind(b))
	}
	for i := range min(len(l.Items), len(m.Items)) {
		if !equal(l.Items[i], m.Items[i], depth) {
			return compare(l.Items[i], m.Items[i], depth+1)
		}
	}
	return min(max(len(l.Items)-len(m.Items), -1), 1), nil
}

// sorted is a copy in order; the sort is stable.
func sorted(items []Value) ([]Value, error) {
	out := slices.Clone(items)
	var failed error
	sort.SliceStable(out, func(i, k int) bool {
		c, err := compare(out[i], out[k], 0)
		if err != nil {
			failed = err
		}
		return c == -1
	})
	return out, failed
}
