package sim

import (
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// NewStage builds the appearance of a world for package render: Snapshot.Poses of any snapshot with this
// Model says where it stands. Labels are the places of the entities in Model.Entities, counted from 1. A link
// without visuals is seen by its collision shapes. Lamps have the light of Snapshot.Lamps; without those all
// are off.
func NewStage(m *Model, lamps []scene.Glow) *render.Stage {
	s := &render.Stage{Lights: m.Lights, Ambience: m.Ambience, Cloud: m.Cloud}
	for i := range m.Entities {
		e := &m.Entities[i]
		visuals := visualsOf(e)
		for _, l := range visuals {
			shape, lamp := l.Shape, 0
			if l.Lamp > 0 {
				lamp = e.FirstLamp + l.Lamp
			}
			if lamp > 0 && lamp <= len(lamps) {
				shape = shape.Glowing(lamps[lamp-1])
			}
			s.Items = append(s.Items, render.Item{Link: e.FirstLink + l.Link, Pose: l.Pose, Shape: shape,
				Lamp:     lamp,
				Label:    uint16(min(i+1, 1<<16-1)),
				Backdrop: e.Spec.Backdrop && m.Cloud != nil})
		}
	}
	return s
}

// CameraOf is the camera that a sensor is, where it stands in a snapshot; false
// when the sensor is none.
func CameraOf(s *Snapshot, entity, index int) (render.Camera, bool) {
	e := &s.Model.Entities[entity]
	of, links := e.Sensors[index], s.LinksOf(entity)
	lens := sensor.LensOf(&of.Spec.Camera)
	switch of.Spec.Kind {
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		if lens.Check() == nil && of.Link < len(links) {
			pose := links[of.Link].Pose.Mul(of.Spec.Pose.Upright())
			return render.Camera{Lens: lens, Pose: pose, Near: of.Spec.Camera.Near, Far: of.Spec.Camera.Far},
				true
		}
	}
	return render.Camera{}, false
}

// Poses are the poses of all links in one slice, appended to dst.
func (s *Snapshot) Poses(dst []r3.Pose) []r3.Pose {
	for i := range s.Links {
		dst = append(dst, s.Links[i].Pose)
	}
	return dst
}

// visualsOf are the shapes of an entity for rendering, which all entities of a compiled model share.
func visualsOf(e *EntityModel) []render.Visual {
	if e.Compiled != nil {
		return e.Compiled.Visuals()
	}
	return render.Visuals(e.Spec)
}
