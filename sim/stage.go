package sim

import (
	"slices"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// NewStage is what a world looks like, for package render: Snapshot.Poses of
// any snapshot with this Model says where it stands. Labels are the places of
// the entities in Model.Entities, counted from 1. A link without visuals is
// seen by its collision shapes.
func NewStage(m *Model) *render.Stage {
	s := &render.Stage{Lights: m.Lights, Ambience: m.Ambience, Cloud: m.cloud}
	for i := range m.Entities {
		e := &m.Entities[i]
		looks := e.plan.collectVisuals(e.Spec)
		for _, l := range looks {
			s.Items = append(s.Items, render.Item{Link: e.FirstLink + l.link, Pose: l.pose, Shape: l.shape, Label: uint16(min(i+1, 1<<16-1)),
				Backdrop: e.Spec.Backdrop && m.cloud != nil})
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
			return render.Camera{Lens: lens, Pose: pose, Near: of.Spec.Camera.Near, Far: of.Spec.Camera.Far}, true
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

// visualShape is a shape of a link for the eye.
type visualShape struct {
	link  int
	pose  r3.Pose
	shape *render.Shape
}

// collectVisuals are the shapes of a model, which all its entities share; made anew for
// a model that has no plan.
func (p *compiledModel) collectVisuals(spec *scene.ModelSpec) []visualShape {
	if p != nil {
		return p.visuals
	}
	return visualsOf(spec)
}

func visualsOf(spec *scene.ModelSpec) []visualShape {
	var out []visualShape
	for i := range spec.Links {
		l := &spec.Links[i]
		geoms := l.Visuals
		if len(geoms) == 0 {
			geoms = slices.Clone(l.Collisions)
			for k := range geoms {
				if geoms[k].Kind == scene.Plane {
					geoms[k].Size = r3.Vec{} // things fall on it wherever they are
				}
			}
		}
		for k := range geoms {
			if shape := render.NewShape(&geoms[k]); shape != nil {
				out = append(out, visualShape{i, geoms[k].Pose.Upright(), shape})
			}
		}
	}
	return out
}
