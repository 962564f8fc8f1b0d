package main

import (
	"fmt"
	"strings"

	"simdeck/ros/rosidl"
)

// appendCDR generates the encoder.
func (f *file) appendCDR(s *rosidl.Struct, name string) {
	f.p("\n// AppendCDR appends the message to a payload that begins with its encapsulation header.")
	f.imports["simdeck/ros/cdr"] = true
	f.p("func (m *%s) AppendCDR(b []byte) []byte {", name)
	if len(s.Fields) == 0 {
		f.p("return cdr.AppendUint8(b, 0) // IDL knows no empty struct\n}")
		return
	}
	for _, field := range s.Fields {
		from, t := "m."+fieldName(field.Name), field.Type
		if t.Shape == rosidl.Bounded || t.Shape == rosidl.Unbounded {
			f.p("b = cdr.AppendCount(b, len(%s))", from)
		}
		many := t.Shape != rosidl.Single
		switch {
		case t.Base == rosidl.Nested && many:
			f.p("for i := range %s {\nb = %s[i].AppendCDR(b)\n}", from, from)
		case t.Base == rosidl.Nested:
			f.p("b = %s.AppendCDR(b)", from)
		case t.Shape == rosidl.Array:
			f.p("b = cdr.Append%ss(b, %s[:])", verb(t), from)
		case many:
			f.p("b = cdr.Append%ss(b, %s)", verb(t), from)
		default:
			f.p("b = cdr.Append%s(b, %s)", verb(t), from)
		}
	}
	f.p("return b\n}")
}

// readCDR generates the decoder.
func (f *file) readCDR(s *rosidl.Struct, name string) {
	f.p("\n// ReadCDR overwrites the message with what r gives; r.Err tells whether it can be used.")
	f.p("func (m *%s) ReadCDR(r *cdr.Reader) {", name)
	if len(s.Fields) == 0 {
		f.p("r.Uint8() // IDL knows no empty struct")
	}
	for _, field := range s.Fields {
		f.readField(field)
	}
	f.p("}")
}

func (f *file) readField(field rosidl.Field) {
	to, t := "m."+fieldName(field.Name), field.Type
	text := t.Base == rosidl.String || t.Base == rosidl.WString
	bound := ""
	if text {
		bound = fmt.Sprintf(", %d", t.StringBound)
	}
	many := t.Shape != rosidl.Single
	if many && (text || t.Base == rosidl.Nested) {
		f.p("r.Delimiter()")
	}
	if many && t.Shape != rosidl.Array {
		f.p("%s = cdr.Resize(%s, r.Count(%d, %d))", to, to, f.pkg.minSize(t), t.Size)
	}
	switch {
	case t.Base == rosidl.Nested && many:
		f.p("for i := range %s {\n%s[i].ReadCDR(r)\n}", to, to)
	case t.Base == rosidl.Nested:
		f.p("%s.ReadCDR(r)", to)
	case t.Shape == rosidl.Array:
		f.p("r.%ss(%s[:]%s)", verb(t), to, bound)
	case many:
		f.p("r.%ss(%s%s)", verb(t), to, bound)
	case text:
		f.p("%s = r.%s(%s%s)", to, verb(t), to, bound)
	default:
		f.p("%s = r.%s()", to, verb(t))
	}
}

// verb is the word for the base in the names of package cdr.
func verb(t rosidl.Type) string {
	switch t.Base {
	case rosidl.Byte:
		return "Uint8"
	case rosidl.WString:
		return "WString"
	}
	word := t.Base.String()
	return strings.ToUpper(word[:1]) + word[1:]
}

// minSize is a lower bound of the bytes that one element takes on the wire; padding is not counted.
func (p *pkg) minSize(t rosidl.Type) int {
	switch t.Base {
	case rosidl.Nested:
		s, ok := p.lib.Struct(t.Name)
		if !ok || len(s.Fields) == 0 {
			return 1
		}
		n := 0
		for _, field := range s.Fields {
			n += p.minFieldSize(field.Type)
		}
		return n
	case rosidl.Int16, rosidl.Uint16:
		return 2
	case rosidl.Int32, rosidl.Uint32, rosidl.Float32, rosidl.String, rosidl.WString:
		return 4
	case rosidl.Int64, rosidl.Uint64, rosidl.Float64:
		return 8
	}
	return 1
}

func (p *pkg) minFieldSize(t rosidl.Type) int {
	switch t.Shape {
	case rosidl.Array:
		return t.Size * p.minSize(t)
	case rosidl.Bounded, rosidl.Unbounded:
		return 4
	}
	return p.minSize(t)
}
