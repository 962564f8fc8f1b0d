package format

import (
	"fmt"

	"simdeck/sim/scene"
)

// legalNames makes the topics and namespaces that a model names legal in ROS, and notes each that it changes.
// Every name that goes from a file to ROS passes here.
func legalNames(m *scene.ModelSpec, file string) {
	fix := func(name *string, of, called string) {
		legal := scene.LegalTopic(*name)
		if legal == *name {
			return
		}
		m.Notes = append(m.Notes, scene.Note{Kind: scene.Inferred, File: file,
			Text: fmt.Sprintf("%s %q: the name %q is %q in ROS, whose names have letters, digits and _, and no digit first",
				of, called, *name, legal)})
		*name = legal
	}
	for i := range m.Links {
		l := &m.Links[i]
		for k := range l.Sensors {
			s := &l.Sensors[k]
			switch s.Kind {
			case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
				if s.Topic == "" && scene.LegalTopic(s.Name) != s.Name {
					s.Topic = s.Name // a camera without a topic publishes below its name
				}
			}
			fix(&s.Topic, "sensor", s.Name)
			fix(&s.Camera.InfoTopic, "sensor", s.Name)
		}
		if l.Track != nil {
			fix(&l.Track.Topic, "link", l.Name)
		}
	}
	for i := range m.Joints {
		fix(&m.Joints[i].Listen.Topic, "joint", m.Joints[i].Name)
	}
	for i := range m.Drives {
		fix(&m.Drives[i].Topic, "model", m.Name)
		fix(&m.Drives[i].Odometry.Topic, "model", m.Name)
	}
	for i := range m.Flow.Rotors {
		fix(&m.Flow.Rotors[i].Topic, "model", m.Name)
	}
	for i := range m.Flow.Engines {
		fix(&m.Flow.Engines[i].Topic, "model", m.Name)
	}
	for i := range m.Batteries {
		for _, topics := range [...][]string{m.Batteries[i].Start, m.Batteries[i].Stop} {
			for k := range topics {
				fix(&topics[k], "battery", m.Batteries[i].Name)
			}
		}
	}
	for i := range m.Detachables {
		d := &m.Detachables[i]
		for _, topic := range [...]*string{&d.Attach, &d.Detach, &d.Output} {
			fix(topic, "model", m.Name)
		}
	}
	fix(&m.ROS.Truth.Topic, "model", m.Name)
	fix(&m.ROS.States.Topic, "model", m.Name)
	if m.ROS.Control != nil {
		fix(&m.ROS.Control.Namespace, "model", m.Name)
		fix(&m.ROS.Control.Manager, "model", m.Name)
	}
}
