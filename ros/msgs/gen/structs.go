package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simdeck/ros/rosidl"
)

// structs generates the given types: the struct, its constants, its constructor and its methods.
func (f *file) structs(all ...*rosidl.Struct) {
	for _, s := range all {
		name := f.declare(typeName(s.Name), s.Name)
		f.structType(s, name)
		f.constants(s, name)
		f.defaults(s, name)
		f.appendCDR(s, name)
		f.readCDR(s, name)
		f.validate(s, name)
		f.identity(s, name)
	}
}

func (f *file) structType(s *rosidl.Struct, name string) {
	f.p("\n// %s is %s.", name, s.Name)
	f.p("type %s struct {", name)
	taken := map[string]bool{}
	for _, field := range s.Fields {
		goName := fieldName(field.Name)
		if taken[goName] {
			f.fail(fmt.Errorf("two fields are called %s in Go", goName))
		}
		taken[goName] = true
		note := ""
		if field.Type.StringBound > 0 || field.Type.Shape == rosidl.Bounded ||
			field.Type.Base == rosidl.WString {
			note = " // " + field.Type.String()
		}
		f.p("%s %s `json:%q`%s", goName, f.fieldType(field.Type), field.Name, note)
	}
	f.p("}")
}

func (f *file) constants(s *rosidl.Struct, name string) {
	if len(s.Constants) == 0 {
		return
	}
	f.p("\n// Constants of %s.", name)
	f.p("const (")
	for _, c := range s.Constants {
		goName := f.declare(constantName(name, c.Name), s.Name+"."+c.Name)
		f.p("%s %s = %s // %s", goName, f.goType(c.Type), f.literal(c.Value), c.Name)
	}
	f.p(")")
}

// defaults generates the constructor and SetDefaults.
func (f *file) defaults(s *rosidl.Struct, name string) {
	f.declare("New"+name, "constructor of "+s.Name)
	f.p("\n// New%s is %s with the defaults of its definition.", name, name)
	if f.pkg.hasDefaults(s) {
		f.p("func New%s() *%s {\nm := new(%s)\nm.SetDefaults()\nreturn m\n}", name, name, name)
	} else {
		f.p("func New%s() *%s { return new(%s) }", name, name, name)
	}
	f.p("\n// SetDefaults gives every field its default, or zero.")
	f.p("func (m *%s) SetDefaults() {", name)
	f.p("*m = %s{}", name)
	for _, field := range s.Fields {
		to := "m." + fieldName(field.Name)
		switch {
		case matters(field.Default):
			f.p("%s = %s", to, f.defaultValue(field))
		case !f.pkg.nestedIs(field, f.pkg.hasDefaults):
		case field.Type.Shape == rosidl.Single:
			f.p("%s.SetDefaults()", to)
		case field.Type.Shape == rosidl.Array:
			f.p("for i := range %s {\n%s[i].SetDefaults()\n}", to, to)
		}
	}
	f.p("}")
}

func (f *file) defaultValue(field rosidl.Field) string {
	list, ok := field.Default.([]any)
	if !ok {
		return f.literal(field.Default)
	}
	var elements []string
	for _, v := range list {
		elements = append(elements, f.literal(v))
	}
	return f.fieldType(field.Type) + "{" + strings.Join(elements, ", ") + "}"
}

// matters reports a default that differs from Go's zero value.
func matters(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case int64:
		return v != 0
	case uint64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	}
	return false
}

// literal writes a value of a definition as Go does.
func (f *file) literal(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			f.fail(fmt.Errorf("%v cannot be a constant in Go", v))
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// identity generates the names and the hash.
func (f *file) identity(s *rosidl.Struct, name string) {
	hash, err := f.pkg.lib.Hash(s.Name)
	f.fail(err)
	f.p("\n// TypeName is the ROS name of the type.")
	f.p("func (*%s) TypeName() string { return %q }", name, s.Name)
	f.p("\n// DDSTypeName is the name of the type in DDS discovery.")
	f.p("func (*%s) DDSTypeName() string { return %q }", name, rosidl.DDSName(s.Name))
	f.p("\n// TypeHash is the RIHS01 hash of the type.")
	f.p("func (*%s) TypeHash() string {\nreturn %q\n}", name, hash)
}

// nestedIs tells whether the field is of a nested type for which the property holds.
func (p *pkg) nestedIs(field rosidl.Field, property func(*rosidl.Struct) bool) bool {
	if field.Type.Base != rosidl.Nested {
		return false
	}
	s, ok := p.lib.Struct(field.Type.Name)
	return ok && property(s)
}

// hasDefaults: a field has a default other than zero, here or in a nested type that is always present.
func (p *pkg) hasDefaults(s *rosidl.Struct) bool {
	for _, field := range s.Fields {
		always := field.Type.Shape == rosidl.Single || field.Type.Shape == rosidl.Array
		if matters(field.Default) || always && p.nestedIs(field, p.hasDefaults) {
			return true
		}
	}
	return false
}

// hasBounds: a string or sequence has a bound, here or in a nested type.
func (p *pkg) hasBounds(s *rosidl.Struct) bool {
	for _, field := range s.Fields {
		if field.Type.StringBound > 0 || field.Type.Shape == rosidl.Bounded ||
			p.nestedIs(field, p.hasBounds) {
			return true
		}
	}
	return false
}
