package sdf

import (
	"fmt"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// standIn is the box in place of an included model that is not there.
type standIn struct {
	node     *xmltree.Node // the <include>
	pose     r3.Pose
	relative string
	model    *model
}

// lack notes that an included model is not there. In a world, a box stands in its place where it is one of a
// server or of the search folders. Files, models inside models and models to be merged are left out.
func (m *model) lack(n *xmltree.Node, uri string, p r3.Pose, relative string, why error) error {
	name := asset.ModelName(uri)
	reason := strings.TrimPrefix(why.Error(), uri+": ")
	file := !strings.Contains(uri, "://") || strings.HasPrefix(strings.ToLower(uri), "file:")
	if kindOf(why) != scene.Missing || !m.world || isTrue(n.Get("merge")) || file {
		m.doc.Note(kindOf(why), n, "model %q, include %s: %s; left out", name, uri, reason)
		return nil
	}
	said := &model{}
	said.extras(m.doc, n)
	box := source.StandInFor(name, said.info.Bounds)
	m.doc.Note(scene.Missing, n, "model %q, include %s: %s; %v", name, uri, reason, box)
	sub, err := m.boxModel(box)
	if err != nil {
		return err
	}
	if sub.name = n.ValueOf("name"); sub.name == "" {
		sub.name = strings.ReplaceAll(name, "::", "_")
	}
	sub.instance = said.instance
	sub.instance.source = uri
	if sub.info = said.info; sub.info.Description == "" {
		sub.info.Description = "stands in for " + uri
	}
	sub.info.Tags = append(append([]string(nil), sub.info.Tags...), scene.StandInTag)
	m.inWorld.standIns = append(m.inWorld.standIns, standIn{n, p, relative, sub})
	return nil
}

// boxModel is a static model of a box.
func (m *model) boxModel(box source.StandIn) (*model, error) {
	shape := fmt.Sprintf(`<pose>%g %g %g 0 0 0</pose><geometry><box><size>%g %g %g</size></box></geometry>`,
		box.Centre.X, box.Centre.Y, box.Centre.Z, box.Size.X, box.Size.Y, box.Size.Z)
	collision := ""
	if box.Solid {
		collision = `<collision name="collision">` + shape + `</collision>`
	}
	tree, err := xmltree.Parse([]byte(`<sdf version="1.9"><model name="stand_in"><static>1</static><link name="link">`+
		collision+`<visual name="visual">`+shape+
		`<material><diffuse>0.85 0.35 0.75 0.6</diffuse></material></visual></link></model></sdf>`), xmltree.Limits{})
	if err != nil {
		return nil, err
	}
	return included(m.doc.Included(m.doc.Name, m.doc.Ref, tree),
		func(n *xmltree.Node) (*xmltree.Node, error) { return n, nil })
}

// standIns puts the boxes into a world when the names of everything else in it are known.
func (m *model) standIns() error {
	for _, s := range m.inWorld.standIns {
		name := s.model.name
		for i := 1; m.names[s.model.name] != nil; i++ {
			s.model.name = fmt.Sprintf("%s_%d", name, i)
		}
		if err := m.addModel(s.node, s.model, s.pose, s.relative); err != nil {
			return err
		}
	}
	return nil
}
