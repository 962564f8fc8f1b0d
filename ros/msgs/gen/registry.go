package main

import (
	"bytes"
	"fmt"
	"go/format"

	"simdeck/ros/rosidl"
)

// registry generates, for the tests of package msgs, the constructors of all types by line and name.
func registry(pkgs []*pkg) ([]byte, error) {
	var imports, rows bytes.Buffer
	for _, p := range pkgs {
		fmt.Fprintf(&imports, "%q\n", "simdeck/ros/msgs/"+p.path)
		for _, s := range p.structs() {
			fmt.Fprintf(&rows, "%q: func() msgs.Message { return %s.New%s() },\n", p.line+" "+s.Name, p.name,
				typeName(s.Name))
		}
	}
	return format.Source(fmt.Appendf(nil, `%s. DO NOT EDIT.

package msgs_test

import (
"simdeck/ros/msgs"
%s)

// registry has a constructor for every generated type; the key is the line, empty for packages without, and the name.
var registry = map[string]func() msgs.Message{
%s}
`, marker, imports.Bytes(), rows.Bytes()))
}

// structs are all types of the package that get a Go struct.
func (p *pkg) structs() []*rosidl.Struct {
	all := p.own.Messages()
	for _, s := range p.own.Services() {
		all = append(all, s.Structs()...)
	}
	for _, a := range p.own.Actions() {
		all = append(all, a.Structs()...)
	}
	return all
}
