package attach

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"simdeck/ros/msgs"
)

// appendJSON writes a message with the names of its definition, in their order. Numbers without a JSON form
// are "NaN", "Infinity" or "-Infinity".
func appendJSON(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Struct:
		b = append(b, '{')
		for i := range v.NumField() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(b, v.Type().Field(i).Tag.Get("json"))
			b = append(b, ':')
			b = appendJSON(b, v.Field(i))
		}
		return append(b, '}')
	case reflect.Slice, reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.String:
		return appendText(b, v.String())
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return appendText(b, number(f, v.Type().Bits()))
		}
		return append(b, number(v.Float(), v.Type().Bits())...)
	}
	return append(b, fmt.Sprint(v.Interface())...)
}

func appendText(b []byte, s string) []byte {
	text, _ := json.Marshal(strings.ToValidUTF8(s, "\uFFFD")) // a string never fails
	return append(b, text...)
}

// number is a float as JSON and people read it.
func number(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// appendLines writes a message for people: a line per value, indented under
// its message, constants by name; skip is left out at the top.
func appendLines(b []byte, m msgs.Message, known constants, skip string) []byte {
	return linesOf(b, reflect.ValueOf(m).Elem(), "", known, skip)
}

func linesOf(b []byte, v reflect.Value, indent string, known constants, skip string) []byte {
	for i := range v.NumField() {
		name, f := v.Type().Field(i).Tag.Get("json"), v.Field(i)
		if name == skip {
			continue
		}
		b = append(b, indent+name+":"...)
		names := known.of(v, name)
		switch {
		case f.Kind() == reflect.Struct:
			b = linesOf(append(b, '\n'), f, indent+"  ", known, "")
		case listed(f):
			b = append(b, '\n')
			for k := range f.Len() {
				item := linesOf(nil, f.Index(k), indent+"  ", known, "")
				item[len(indent)] = '-'
				b = append(b, item...)
			}
		default:
			b = append(append(append(b, ' '), scalar(f, names)...), '\n')
		}
	}
	return b
}

// listed reports whether a field is a list of messages that has any.
func listed(f reflect.Value) bool {
	return f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Struct && f.Len() > 0
}

// scalar is a value, or a list of them, in one line.
func scalar(v reflect.Value, names map[string]int64) string {
	switch {
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		var items []string
		for i := range v.Len() {
			items = append(items, scalar(v.Index(i), names))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case v.Kind() == reflect.String:
		if s := v.String(); s == "" || strings.ContainsAny(s, "\n\r\t\"") {
			return string(appendText(nil, s))
		}
		return v.String()
	case v.CanFloat():
		return number(v.Float(), v.Type().Bits())
	case v.CanUint() && len(names) > 0:
		for name, value := range names {
			if uint64(value) == v.Uint() {
				return strings.ToLower(name)
			}
		}
	}
	return fmt.Sprint(v.Interface())
}
