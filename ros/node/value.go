package node

import (
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

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

// ParseValue is the value that a command line means by text: as YAML reads it
// (true, 3, 2.5, [1, 2]); everything else is a string.
func ParseValue(text string) Value {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err == nil && len(doc.Content) == 1 {
		if v, err := valueOf(doc.Content[0]); err == nil {
			return v
		}
	}
	return StringValue(text)
}

// valueOf is a YAML scalar, or a list of scalars of one type; whole numbers
// among others are doubles as well.
func valueOf(n *yaml.Node) (Value, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.SequenceNode {
		return listOf(n)
	}
	var err error
	v := Value{Type: String}
	switch tag := n.ShortTag(); {
	case n.Kind != yaml.ScalarNode:
		return v, errors.New("want a value or a list of values")
	case tag == "!!bool":
		v.Type, err = Bool, n.Decode(&v.BoolValue)
	case tag == "!!int":
		v.Type, err = Integer, n.Decode(&v.IntegerValue)
	case tag == "!!float":
		v.Type, err = Double, n.Decode(&v.DoubleValue)
	case tag == "!!null":
		return v, errors.New("there is no value")
	default:
		v.StringValue = n.Value
	}
	return v, err
}

func listOf(n *yaml.Node) (Value, error) {
	var list Value
	for _, one := range n.Content {
		if one.Kind != yaml.ScalarNode { // nor an alias: it can be of the list itself
			return list, errors.New("a list holds values and no lists")
		}
		v, err := valueOf(one)
		if err != nil {
			return list, err
		}
		if list.Type == DoubleArray && v.Type == Integer {
			v = DoubleValue(float64(v.IntegerValue))
		}
		if list.Type == IntegerArray && v.Type == Double {
			for _, i := range list.IntegerArrayValue {
				list.DoubleArrayValue = append(list.DoubleArrayValue, float64(i))
			}
			list.Type, list.IntegerArrayValue = DoubleArray, nil
		}
		of := arrayOf(v.Type)
		if list.Type != NotSet && list.Type != of {
			return list, fmt.Errorf("a list of one type is wanted, not of %s and %s", TypeName(list.Type),
				TypeName(of))
		}
		list.Type = of
		switch v.Type {
		case Bool:
			list.BoolArrayValue = append(list.BoolArrayValue, v.BoolValue)
		case Integer:
			list.IntegerArrayValue = append(list.IntegerArrayValue, v.IntegerValue)
		case Double:
			list.DoubleArrayValue = append(list.DoubleArrayValue, v.DoubleValue)
		case String:
			list.StringArrayValue = append(list.StringArrayValue, v.StringValue)
		}
	}
	if list.Type == NotSet {
		return list, errors.New("an empty list has no type")
	}
	return list, nil
}

// arrayOf is the type of a list of values of a type.
func arrayOf(t uint8) uint8 { return t - Bool + BoolArray }

// sameValue reports whether a and b are of one type and equal.
func sameValue(a, b Value) bool {
	return a.Type == b.Type && a.BoolValue == b.BoolValue && a.IntegerValue == b.IntegerValue &&
		a.DoubleValue == b.DoubleValue && a.StringValue == b.StringValue &&
		slices.Equal(a.ByteArrayValue, b.ByteArrayValue) &&
		slices.Equal(a.BoolArrayValue, b.BoolArrayValue) &&
		slices.Equal(a.IntegerArrayValue, b.IntegerArrayValue) &&
		slices.Equal(a.DoubleArrayValue, b.DoubleArrayValue) &&
		slices.Equal(a.StringArrayValue, b.StringArrayValue)
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
