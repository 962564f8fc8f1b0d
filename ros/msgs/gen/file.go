package main

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"slices"

	"simdeck/ros/rosidl"
)

// file is one generated Go file in the making.
type file struct {
	pkg     *pkg
	source  string // full name of the definition
	name    string
	imports map[string]bool
	body    bytes.Buffer
	err     error // the first thing that could not be generated
}

func (p *pkg) newFile(source, kind string) *file {
	return &file{pkg: p, source: source, name: fileName(typeName(source), kind), imports: map[string]bool{}}
}

// p prints a line of code.
func (f *file) p(code string, args ...any) {
	fmt.Fprintf(&f.body, code+"\n", args...)
}

// fail keeps the first error.
func (f *file) fail(err error) {
	if f.err == nil && err != nil {
		f.err = fmt.Errorf("%s: %w", f.source, err)
	}
}

// declare takes a package-level name, which must be free.
func (f *file) declare(name, what string) string {
	if other, ok := f.pkg.used[name]; ok {
		f.fail(fmt.Errorf("Go name %s is both %s and %s", name, what, other))
	}
	f.pkg.used[name] = what
	return name
}

// text is the formatted file.
func (f *file) text() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s from %s. DO NOT EDIT.\n\npackage %s\n\nimport (\n", marker, f.source, f.pkg.name)
	for _, path := range slices.Sorted(maps.Keys(f.imports)) {
		fmt.Fprintf(&b, "%q\n", path)
	}
	b.WriteString(")\n")
	b.Write(f.body.Bytes())
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", f.source, err, b.Bytes())
	}
	return text, nil
}

// goType is the Go type of a field's element.
func (f *file) goType(t rosidl.Type) string {
	switch t.Base {
	case rosidl.Nested:
		path, alias := f.pkg.home(t.Name)
		if path == "" {
			return typeName(t.Name)
		}
		f.imports["simdeck/ros/msgs/"+path] = true
		return alias + "." + typeName(t.Name)
	case rosidl.Byte:
		return "uint8"
	case rosidl.WString:
		return "string"
	}
	return t.Base.String()
}

// fieldType is the Go type of a field.
func (f *file) fieldType(t rosidl.Type) string {
	switch t.Shape {
	case rosidl.Array:
		return fmt.Sprintf("[%d]%s", t.Size, f.goType(t))
	case rosidl.Bounded, rosidl.Unbounded:
		return "[]" + f.goType(t)
	}
	return f.goType(t)
}
