package rosidl

import "fmt"

// Base is the type of one element, numbered as in type_description_interfaces/msg/FieldType.
type Base uint8

// The bases a definition can name. A .msg char is a Uint8; a bounded string is still a String, with a
// StringBound.
const (
	Nested  Base = 1
	Int8    Base = 2
	Uint8   Base = 3
	Int16   Base = 4
	Uint16  Base = 5
	Int32   Base = 6
	Uint32  Base = 7
	Int64   Base = 8
	Uint64  Base = 9
	Float32 Base = 10
	Float64 Base = 11
	Bool    Base = 15
	Byte    Base = 16
	String  Base = 17
	WString Base = 18
)

// boundedText is added to String and WString when they have a bound.
const boundedText = 4

// Shape says how many elements a field has. Its value times shapeStep is added to the base in a type id.
type Shape uint8

// The shapes of a field.
const (
	Single    Shape = iota // one element
	Array                  // exactly Size elements
	Bounded                // at most Size elements
	Unbounded              // any number of elements
)

const shapeStep = 48

// Type is the type of a field.
type Type struct {
	Base        Base
	Name        string // full name of a Nested type: "geometry_msgs/msg/Point"
	StringBound int    // most bytes of a String, most UTF-16 units of a WString; 0: any number
	Shape       Shape
	Size        int // of an Array or Bounded
}

// ID is the type_id of the type in a type description.
func (t Type) ID() uint8 {
	id := uint8(t.Base) + shapeStep*uint8(t.Shape)
	if t.StringBound > 0 {
		id += boundedText
	}
	return id
}

// String writes the type as a definition does, nested types with their full name.
func (t Type) String() string {
	s := t.Name
	if t.Base != Nested {
		s = t.Base.String()
	}
	if t.StringBound > 0 {
		s += fmt.Sprintf("<=%d", t.StringBound)
	}
	switch t.Shape {
	case Array:
		s += fmt.Sprintf("[%d]", t.Size)
	case Bounded:
		s += fmt.Sprintf("[<=%d]", t.Size)
	case Unbounded:
		s += "[]"
	}
	return s
}

// String is the word that definitions use.
func (b Base) String() string {
	for _, w := range words() {
		if w.base == b {
			return w.name
		}
	}
	return "nested"
}

type word struct {
	name string
	base Base
}

// words are the primitive type names of a definition; the first of two with one base is written.
func words() []word {
	return []word{
		{"bool", Bool}, {"byte", Byte}, {"uint8", Uint8}, {"char", Uint8}, {"int8", Int8},
		{"uint16", Uint16}, {"int16", Int16}, {"uint32", Uint32}, {"int32", Int32},
		{"uint64", Uint64}, {"int64", Int64}, {"float32", Float32}, {"float64", Float64},
		{"string", String}, {"wstring", WString},
	}
}

// primitive finds the base that a definition's word stands for.
func primitive(name string) (Base, bool) {
	for _, w := range words() {
		if w.name == name {
			return w.base, true
		}
	}
	return 0, false
}
