package node

import (
	"fmt"
	"strings"
	"sync"

	"simdeck/ros/rosidl"
)

// Sources are the definitions of the types that this program knows, in the form in which recordings carry
// them.
type Sources struct{ of descriptions }

// NewSources reads nothing before somebody asks.
func NewSources() *Sources { return &Sources{descriptions{parse: sync.OnceValues(libraries)}} }

// divider stands between the definitions, as rosbag2 writes it.
var divider = "\n" + strings.Repeat("=", 80) + "\nMSG: "

// Text is the definition of a type followed by those of all its member types, each after a line of = and one
// with its name. This is the encoding ros2msg of MCAP. The error says when the type is not known with that
// hash; "" is any.
func (s *Sources) Text(name, hash string) (string, error) {
	lib, err := s.of.find(name, hash)
	if err != nil {
		return "", err
	}
	d, err := lib.Description(name)
	if err != nil {
		return "", err
	}
	text := definitionOf(lib, name)
	for _, part := range d.Referenced {
		text += divider + short(part.TypeName) + "\n" + definitionOf(lib, part.TypeName)
	}
	return text, nil
}

// short is the name of a type without its kind: "geometry_msgs/Point".
func short(name string) string {
	pkg, rest, _ := strings.Cut(name, "/")
	_, last, _ := strings.Cut(rest, "/")
	return pkg + "/" + last
}

// definitionOf is the file of a type, or what a file of it would say where it is part of a service or action.
func definitionOf(lib *rosidl.Library, name string) string {
	if s := sourceOf(lib, name); s.Encoding == "msg" {
		return s.RawFileContents
	}
	t, ok := lib.Struct(name)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, f := range t.Fields {
		kind := f.Type
		if kind.Base == rosidl.Nested {
			kind.Name = short(kind.Name)
		}
		fmt.Fprintf(&b, "%s %s\n", kind, f.Name)
	}
	return b.String()
}
