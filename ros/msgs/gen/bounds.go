package main

import (
	"fmt"

	"simdeck/ros/rosidl"
)

// validate generates Validate, which looks only where something has a bound.
func (f *file) validate(s *rosidl.Struct, name string) {
	if !f.pkg.hasBounds(s) {
		f.p("\n// Validate is nil: nothing in the type is bounded.")
		f.p("func (*%s) Validate() error { return nil }", name)
		return
	}
	f.p("\n// Validate fails with cdr.ErrBound when a bounded string or sequence is too long.")
	f.p("func (m *%s) Validate() error {", name)
	for _, field := range s.Fields {
		f.validateField(s, field)
	}
	f.p("return nil\n}")
}

func (f *file) validateField(s *rosidl.Struct, field rosidl.Field) {
	from, t, label := "m."+fieldName(field.Name), field.Type, s.Name+"."+field.Name
	if t.Shape == rosidl.Bounded {
		f.check(label, "len("+from+")", t.Size)
	}
	element := from
	if t.Shape != rosidl.Single {
		element += "[i]"
	}
	nested := f.pkg.nestedIs(field, f.pkg.hasBounds)
	if !nested && t.StringBound == 0 {
		return
	}
	if t.Shape != rosidl.Single {
		f.p("for i := range %s {", from)
	}
	switch {
	case nested:
		f.p("if err := %s.Validate(); err != nil {\nreturn err\n}", element)
	case t.Base == rosidl.WString:
		f.check(label, "cdr.WStringLen("+element+")", t.StringBound)
	default:
		f.check(label, "len("+element+")", t.StringBound)
	}
	if t.Shape != rosidl.Single {
		f.p("}")
	}
}

func (f *file) check(label, length string, bound int) {
	f.p("if err := cdr.CheckBound(%s, %s, %d); err != nil {\nreturn err\n}", fmt.Sprintf("%q", label), length,
		bound)
}
