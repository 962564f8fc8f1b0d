package gazebo

import (
	"strings"

	"simdeck/sim/scene"
)

// detachable reads a joint to another model of the world that can be let go, Gazebo's DetachableJoint. Its
// topics are names of the whole graph, with or without a slash in front, as Gazebo's are.
func (f *flow) detachable() {
	link, ok := f.link("parent_link")
	if !ok {
		return
	}
	for _, name := range [...]string{"child_model", "child_link"} {
		if f.text(name) == "" {
			f.d.Note(scene.Suspicious, f.at(name), "plugin %s is left out: it has no <%s>", PluginName(f.n), name)
			return
		}
	}
	d := scene.Detachable{Link: link, Child: f.text("child_model"), ChildLink: f.text("child_link"),
		Attach: f.graphTopic("attach_topic"), Detach: f.graphTopic("detach_topic"),
		Output: f.graphTopic("output_topic"), Unannounced: f.d.Bool(f.n, "suppress_child_warning", false)}
	if d.Detach == "" { // its name before there was a topic to attach
		d.Detach = f.graphTopic("topic")
	}
	for i := range f.spec.Detachables {
		o := &f.spec.Detachables[i]
		if o.Link == d.Link && o.Child == d.Child && o.ChildLink == d.ChildLink {
			f.d.Note(scene.Suspicious, f.n, "plugin %s: link %q has a detachable joint to %s/%s already; left out",
				PluginName(f.n), f.spec.Links[link].Name, d.Child, d.ChildLink)
			return
		}
	}
	if d.Child == scene.OwnModel {
		own, ok := f.link("child_link")
		if !ok {
			return
		}
		d.ChildLink = f.spec.Links[own].Name
	}
	f.spec.Detachables = append(f.spec.Detachables, d)
	others(f.d, f.n, strings.Fields(`parent_link child_model child_link topic detach_topic attach_topic output_topic
		suppress_child_warning`)...)
}

// graphTopic is a topic that an element names, absolute; empty: it names none.
func (f *flow) graphTopic(name string) string {
	if topic := strings.Trim(f.text(name), "/"); topic != "" {
		return "/" + topic
	}
	return ""
}
