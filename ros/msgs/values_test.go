package msgs_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
)

// fill sets a message to recorded values; the json tags of its fields are the ROS names.
func fill(t testing.TB, to reflect.Value, values map[string]any) {
	t.Helper()
	if to.NumField() != len(values) {
		t.Fatalf("%s has %d fields, recorded are %d", to.Type(), to.NumField(), len(values))
	}
	for i := range to.NumField() {
		name := to.Type().Field(i).Tag.Get("json")
		v, ok := values[name]
		if !ok {
			t.Fatalf("%s.%s: nothing recorded for %q", to.Type(), to.Type().Field(i).Name, name)
		}
		set(t, to.Field(i), v)
	}
}

func set(t testing.TB, to reflect.Value, v any) {
	t.Helper()
	switch to.Kind() {
	case reflect.Struct:
		fill(t, to, v.(map[string]any))
	case reflect.Slice:
		to.Set(reflect.MakeSlice(to.Type(), len(v.([]any)), len(v.([]any))))
		setAll(t, to, v.([]any))
	case reflect.Array:
		setAll(t, to, v.([]any))
	case reflect.String:
		to.SetString(v.(string))
	case reflect.Bool:
		to.SetBool(v.(bool))
	case reflect.Float32, reflect.Float64:
		to.SetFloat(number(t, v))
	default:
		if _, err := fmt.Sscan(v.(json.Number).String(), to.Addr().Interface()); err != nil {
			t.Fatalf("%v into %s: %v", v, to.Type(), err)
		}
	}
}

func setAll(t testing.TB, to reflect.Value, list []any) {
	t.Helper()
	if to.Len() != len(list) {
		t.Fatalf("%s: %d elements recorded", to.Type(), len(list))
	}
	for i, v := range list {
		set(t, to.Index(i), v)
	}
}

// number reads a float as it is recorded: JSON has no words for what is not finite.
func number(t testing.TB, v any) float64 {
	t.Helper()
	switch v {
	case "nan":
		// Python's, to which a payload in Go's does not compare equal
		return math.Float64frombits(0x7ff8 << 48)
	case "inf":
		return math.Inf(1)
	case "-inf":
		return math.Inf(-1)
	}
	f, err := v.(json.Number).Float64()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// difference is the first place where two messages differ, "" when there is none. Floats are compared by
// their bits, and no elements are equal to no slice.
func difference(where string, a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if d := difference(where+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return fmt.Sprintf("%s has %d elements, want %d", where, a.Len(), b.Len())
		}
		for i := range a.Len() {
			if d := difference(fmt.Sprintf("%s[%d]", where, i), a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Float32, reflect.Float64:
		if math.Float64bits(a.Float()) == math.Float64bits(b.Float()) {
			return ""
		}
	default:
		if a.Equal(b) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, want %v", where, a, b)
}
