package mjcf

import (
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// class is a default class: elements whose attributes count where others do not write them.
type class struct {
	name   string
	parent *class
	set    map[string][]elem // by element name, in order
}

// classes are the default classes of one file.
type classes struct {
	doc   *document
	main  *class // of elements that no other class is given to
	named map[string]*class
}

func newClasses(d *document) *classes {
	main := &class{name: "main", set: map[string][]elem{}}
	return &classes{doc: d, main: main, named: map[string]*class{"main": main}}
}

// actuators are the elements that share one set of defaults, and what else actuators are called.
var actuators = []string{"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder",
	"muscle", "adhesion", "plugin", "dcmotor"}

func isActuator(name string) bool {
	for _, a := range actuators {
		if a == name {
			return true
		}
	}
	return false
}

// slot is under which name the defaults of an element are kept.
func slot(name string) string {
	switch {
	case isActuator(name):
		return "general"
	case name == "freejoint":
		return "none"
	case name == "spatial" || name == "fixed":
		return "tendon"
	case name == "connect" || name == "weld":
		return "equality"
	}
	return name
}

// read reads a <default>; parent is nil for the outermost.
func (d *classes) read(e elem, parent *class) error {
	name, c := e.Get("class"), parent
	switch {
	case parent == nil:
		if c = d.main; name != "" {
			d.named[name] = c
		}
	case name == "":
		return e.errorf("a <default> inside another has no class")
	case d.named[name] != nil && d.named[name].parent != parent:
		return e.errorf("a second class %q", clip(name))
	case d.named[name] != nil:
		c = d.named[name]
	default:
		c = &class{name: name, parent: parent, set: map[string][]elem{}}
		d.named[name] = c
	}
	return d.doc.parts(e, func(k elem) error {
		if k.Name == "default" {
			return d.read(k, c)
		}
		c.set[slot(k.Name)] = append(c.set[slot(k.Name)], k)
		return nil
	})
}

// attrs are the attributes of an element with those of its class, else of the class that its body gives.
func (d *classes) attrs(e elem, given *class) (attrs, error) {
	c, err := d.classOf(e, "class", given)
	if err != nil {
		return nil, err
	}
	if c == nil {
		c = d.main
	}
	out := attrs{e}
	for ; c != nil; c = c.parent {
		own := c.set[slot(e.Name)]
		for i := len(own) - 1; i >= 0; i-- {
			out = append(out, own[i])
		}
	}
	return out, nil
}

// classOf is the class that an attribute names, or otherwise.
func (d *classes) classOf(e elem, attr string, otherwise *class) (*class, error) {
	name := e.Get(attr)
	if name == "" {
		return otherwise, nil
	}
	c := d.named[name]
	if c == nil {
		return nil, e.errorf("there is no default class %q%s", clip(name), source.NearKey(name, d.named))
	}
	return c, nil
}

// unknown notes an element that is none of the format's.
func unknown(e elem, where string) {
	e.note(scene.Unsupported, "<%s> in <%s> is not known%s", clip(e.Name), where,
		source.Near(e.Name, bodyParts))
}
