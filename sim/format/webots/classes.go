package webots

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"simdeck/sim/asset/vrml"
	"simdeck/sim/scene"
)

// fieldsText declares the fields of base nodes for supervisors, a node a line. Lines with a small first letter
// are fields that nodes share: before the others by ":", at a place by "+". A field has a letter for its type,
// a capital for lists, and its default value, with _ for spaces.
//
//go:embed fields.txt
var fieldsText string

// fieldLetters are the types of fields in fieldsText.
var fieldLetters = map[byte]scene.FieldKind{'b': scene.FieldBool, 'i': scene.FieldInt32, 'f': scene.FieldFloat,
	'2': scene.FieldVec2, 'v': scene.FieldVec3, 'r': scene.FieldRotation, 'c': scene.FieldColor,
	's': scene.FieldString, 'n': scene.FieldNode,
	'I': scene.FieldInt32 + scene.FieldList, 'F': scene.FieldFloat + scene.FieldList,
	'W': scene.FieldVec2 + scene.FieldList, 'V': scene.FieldVec3 + scene.FieldList,
	'C': scene.FieldColor + scene.FieldList, 'S': scene.FieldString + scene.FieldList,
	'N': scene.FieldNode + scene.FieldList}

// baseClasses are the classes of base nodes, by their types.
var baseClasses = sync.OnceValue(func() map[string]*scene.NodeClass {
	shared, out := map[string][]scene.NodeField{}, map[string]*scene.NodeClass{}
	for line := range strings.Lines(fieldsText) {
		words := strings.Fields(line)
		name, parent, _ := strings.Cut(words[0], ":")
		fields := append([]scene.NodeField(nil), shared[parent]...)
		for _, word := range words[1:] {
			if more, all := strings.CutSuffix(word, "+"); all {
				fields = append(fields, shared[more]...)
				continue
			}
			fields = append(fields, declaredField(word))
		}
		if c := name[0]; c >= 'a' && c <= 'z' {
			shared[name] = fields
			continue
		}
		c := &scene.NodeClass{Name: name, Fields: fields}
		if i := index(c)["name"]; len(fields) > 0 && fields[i].Name == "name" && fields[i].Default.Strings[0] == "" {
			fields[i].Default.Strings = []string{usualName(name)}
		}
		out[name] = c
	}
	return out
})

// index fills in the places of a class's fields.
func index(c *scene.NodeClass) map[string]int {
	c.Index = make(map[string]int, len(c.Fields))
	for i := range c.Fields {
		c.Index[c.Fields[i].Name] = i
		c.Fields[i].Default.Field = i
	}
	return c.Index
}

// declaredField is a field as fieldsText has it.
func declaredField(word string) scene.NodeField {
	word, value, given := strings.Cut(word, "=")
	name, letter, _ := strings.Cut(word, ":")
	f := scene.NodeField{Name: name, Kind: fieldLetters[letter[0]]}
	d := &f.Default
	switch f.Kind {
	case scene.FieldBool:
		d.Bools = []bool{value == "TRUE"}
	case scene.FieldString:
		d.Strings = []string{strings.ReplaceAll(value, "_", " ")}
	case scene.FieldNode, scene.FieldNode + scene.FieldList, scene.FieldString + scene.FieldList:
	default:
		if given {
			for x := range strings.SplitSeq(value, "_") {
				number, _ := strconv.ParseFloat(x, 64) // a test reads all
				d.Numbers = append(d.Numbers, number)
			}
		} else if f.Kind < scene.FieldList {
			d.Numbers = make([]float64, f.Kind.Numbers())
		}
	}
	return f
}

// usualName is the name of a node whose file gives it none.
func usualName(node string) string {
	switch node {
	case "RangeFinder": // by its fields; devices have the name of lower
		return "range-finder"
	case "Supervisor", "DifferentialWheels":
		return "robot"
	}
	return lower(ref{n: &vrml.Node{Type: node}})
}

// protoClass is the class of a PROTO's instances. Nodes among the default values are each instance's own.
func protoClass(p *vrml.Proto) *scene.NodeClass {
	c := &scene.NodeClass{Name: p.Name, Proto: true}
	for i := range p.Fields {
		f := &p.Fields[i]
		kind := kindOf(f.Kind)
		if kind == 0 {
			continue
		}
		c.Fields = append(c.Fields, scene.NodeField{Name: f.Name, Kind: kind, Default: plainValue(kind, &f.Value)})
	}
	index(c)
	return c
}

// kindOf is the type of a field as an interface writes it: "SFVec3f"; 0: there is none of that name.
func kindOf(text string) scene.FieldKind {
	kind := map[string]scene.FieldKind{"Bool": scene.FieldBool, "Int32": scene.FieldInt32,
		"Float": scene.FieldFloat, "Time": scene.FieldFloat, "Vec2f": scene.FieldVec2, "Vec3f": scene.FieldVec3,
		"Rotation": scene.FieldRotation, "Color": scene.FieldColor, "String": scene.FieldString,
		"Node": scene.FieldNode}[strings.TrimPrefix(strings.TrimPrefix(text, "SF"), "MF")]
	if kind != 0 && strings.HasPrefix(text, "MF") {
		kind += scene.FieldList
	}
	return kind
}

// plainValue is a value without its nodes. One that is no value of the kind is that of zeros, or an empty list.
func plainValue(kind scene.FieldKind, v *vrml.Value) scene.FieldValue {
	out := scene.FieldValue{}
	list, n := kind >= scene.FieldList, kind.Numbers()
	switch kind.Single() {
	case scene.FieldBool:
		if out.Bools = v.Bools; !list && len(v.Bools) != 1 {
			out.Bools = []bool{false}
		}
	case scene.FieldString:
		if out.Strings = v.Strings; !list && len(v.Strings) != 1 {
			out.Strings = []string{""}
		}
	case scene.FieldNode:
	default:
		out.Numbers = v.Numbers[:len(v.Numbers)/n*n]
		if !list && len(v.Numbers) != n {
			out.Numbers = make([]float64, n)
		}
	}
	return out
}
