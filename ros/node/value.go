package node

import (
	"fmt"
	"slices"
	"strconv"

	"simdeck/ros/msgs/rclinterfaces"
)

// Value is a parameter's value: a rcl_interfaces/msg/ParameterValue, of which
// the field that Type names counts.
type Value = rclinterfaces.ParameterValue

// Types of a Value, with the numbers of rcl_interfaces/msg/ParameterType.
const (
	NotSet       uint8 = 0
	Bool         uint8 = 1
	Integer      uint8 = 2
	Double       uint8 = 3
	String       uint8 = 4
	ByteArray    uint8 = 5
	BoolArray    uint8 = 6
	IntegerArray uint8 = 7
	DoubleArray  uint8 = 8
	StringArray  uint8 = 9
)

var typeNames = [...]string{"not set", "bool", "integer", "double", "string",
	"byte array", "bool array", "integer array", "double array", "string array"}

// TypeName is a parameter type in words.
func TypeName(t uint8) string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type %d", t)
}

// BoolValue is a parameter value of type bool.
func BoolValue(v bool) Value { return Value{Type: Bool, BoolValue: v} }

// IntegerValue is a parameter value of type integer.
func IntegerValue(v int64) Value { return Value{Type: Integer, IntegerValue: v} }

// DoubleValue is a parameter value of type double.
func DoubleValue(v float64) Value { return Value{Type: Double, DoubleValue: v} }

// StringValue is a parameter value of type string.
func StringValue(v string) Value { return Value{Type: String, StringValue: v} }

// ParseValue is the value that a command line means by text, as YAML scalars
// are read: true, 3, 2.5; everything else is a string.
func ParseValue(text string) Value {
	switch text {
	case "true", "True", "TRUE":
		return BoolValue(true)
	case "false", "False", "FALSE":
		return BoolValue(false)
	}
	if i, err := strconv.ParseInt(text, 0, 64); err == nil {
		return IntegerValue(i)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return DoubleValue(f)
	}
	if n := len(text); n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		text = text[1 : n-1]
	}
	return StringValue(text)
}

// sameValue reports whether a and b are of one type and equal.
func sameValue(a, b Value) bool {
	return a.Type == b.Type && a.BoolValue == b.BoolValue && a.IntegerValue == b.IntegerValue &&
		a.DoubleValue == b.DoubleValue && a.StringValue == b.StringValue &&
		slices.Equal(a.ByteArrayValue, b.ByteArrayValue) && slices.Equal(a.BoolArrayValue, b.BoolArrayValue) &&
		slices.Equal(a.IntegerArrayValue, b.IntegerArrayValue) &&
		slices.Equal(a.DoubleArrayValue, b.DoubleArrayValue) && slices.Equal(a.StringArrayValue, b.StringArrayValue)
}

// Text is a value as people write it.
func Text(v Value) string {
	switch v.Type {
	case NotSet:
		return "not set"
	case Bool:
		return fmt.Sprint(v.BoolValue)
	case Integer:
		return fmt.Sprint(v.IntegerValue)
	case Double:
		return fmt.Sprint(v.DoubleValue)
	case String:
		return fmt.Sprintf("%q", v.StringValue)
	case ByteArray:
		return fmt.Sprint(v.ByteArrayValue)
	case BoolArray:
		return fmt.Sprint(v.BoolArrayValue)
	case IntegerArray:
		return fmt.Sprint(v.IntegerArrayValue)
	case DoubleArray:
		return fmt.Sprint(v.DoubleArrayValue)
	case StringArray:
		return fmt.Sprintf("%q", v.StringArrayValue)
	}
	return TypeName(v.Type)
}
