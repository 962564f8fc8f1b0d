package urdf

import (
	"path"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// controlPlugin reads the plugin that has a simulator be the controller manager.
func (r *robot) controlPlugin(n *xmltree.Node) {
	words := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(n.Get("filename") + n.Get("name")))
	if !strings.Contains(words, "ros2control") {
		return
	}
	if r.control == nil {
		r.control = &scene.ROS2Control{}
		r.controlAt = n
	}
	c, ros := r.control, n.Child("ros")
	for _, k := range []struct {
		from *xmltree.Node
		name string
		into *string
	}{{ros, "namespace", &c.Namespace}, {n, "controller_manager_name", &c.Manager},
		{n, "controller_manager_node_name", &c.Manager}} {
		if v := k.from.ValueOf(k.name); v != "" {
			*k.into = v
		}
	}
	files, _ := r.doc.Files.(source.ParameterFiles)
	if n.Child("parameters") == nil {
		r.doc.Note(scene.Inferred, n,
			"the plugin names no <parameters> of controllers: the joints have simdeck's topics")
	}
	for _, p := range n.All("parameters") {
		f, err := scene.ParameterFile{Name: path.Base(p.Value())}, error(nil)
		if files != nil {
			f.Name, f.Text, err = files.Parameters(p.Value(), r.doc.Ref)
		}
		if err != nil {
			r.doc.Note(scene.Missing, p,
				"the parameters of the controllers: %v; the joints have simdeck's topics", err)
			r.lacking = true
			continue
		}
		c.Parameters = append(c.Parameters, f)
	}
}

// hardware reads which interfaces a <ros2_control> has. An interface that another one commands already is
// left to that one.
func (r *robot) hardware(n *xmltree.Node) {
	c := scene.HardwareComponent{Name: n.Get("name"), Type: n.Get("type"),
		Plugin: n.Child("hardware").ValueOf("plugin")}
	switch c.Type {
	case "system", "actuator", "sensor":
	default:
		r.doc.Note(scene.Suspicious, n, "<ros2_control> %q is of type %q; want system, actuator or sensor",
			c.Name, c.Type)
		return
	}
	if slices.ContainsFunc(r.components, func(o scene.HardwareComponent) bool { return o.Name == c.Name }) {
		r.doc.Note(scene.Suspicious, n, "two <ros2_control> are called %q; the first counts", c.Name)
		return
	}
	for _, part := range n.All("joint") {
		joint, ok := r.joints[part.Get("name")]
		if !ok {
			continue // which is noted
		}
		for _, face := range part.Kids {
			i := scene.HardwareInterface{Joint: part.Get("name"), Name: face.Get("name"), Index: joint}
			switch face.Name {
			case "command_interface":
				if r.commanded(i) || slices.Contains(c.Commands, i) {
					r.doc.Note(scene.Suspicious, face,
						"%s is commanded by two components; the first has it", i.FullName())
					continue
				}
				if c.Type == "sensor" {
					r.doc.Note(scene.Suspicious, face, "%q is of type sensor and cannot command %s", c.Name,
						i.FullName())
					continue
				}
				c.Commands = append(c.Commands, i)
			case "state_interface":
				if !slices.Contains(c.States, i) {
					c.States = append(c.States, i)
				}
			}
		}
	}
	r.components = append(r.components, c)
}

// commanded reports whether a component has a command interface.
func (r *robot) commanded(i scene.HardwareInterface) bool {
	return slices.ContainsFunc(r.components,
		func(c scene.HardwareComponent) bool { return slices.Contains(c.Commands, i) })
}

// finishControl puts plugin and hardware together. Without both, and the parameters of the controllers, there
// is no controller manager.
func (r *robot) finishControl(*xmltree.Node) error {
	if r.control == nil || r.lacking || len(r.control.Parameters) == 0 {
		return nil
	}
	if len(r.components) == 0 {
		r.doc.Note(scene.Suspicious, r.controlAt,
			"the plugin runs the hardware of <ros2_control>, of which the file has none")
		return nil
	}
	r.control.Components = r.components
	r.spec.ROS.Control = r.control
	return nil
}
