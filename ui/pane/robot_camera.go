package pane

import (
	"slices"

	"simdeck/sim"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// robotCamera is a camera of a robot in the world.
type robotCamera struct {
	entity, sensor string
	name           string // of both; empty: none
	link           int    // in Snapshot.Links
	at             *scene.Sensor
}

// robotCameras lists the cameras of a world, by entity.
func robotCameras(m *sim.Model) []robotCamera {
	var all []robotCamera
	for i := range m.Entities {
		e := &m.Entities[i]
		for k := range e.Sensors {
			if s := e.Sensors[k].Spec; s.Kind == scene.Camera || s.Kind == scene.DepthCamera ||
				s.Kind == scene.RGBDCamera {
				all = append(all, robotCamera{e.Name, s.Name, e.Name + "/" + s.Name,
					e.FirstLink + e.Sensors[k].Link, s})
			}
		}
	}
	return all
}

// find looks for the same camera in another model of the world.
func (e *robotCamera) find(m *sim.Model) bool {
	all := robotCameras(m)
	i := slices.IndexFunc(all, func(o robotCamera) bool {
		return o.entity == e.entity &&
			o.sensor == e.sensor
	})
	if i < 0 {
		return false
	}
	*e = all[i]
	return true
}

// camera is the robot's camera at the pane's resolution: its view, extended at the sides where the pane is
// wider or higher.
func (e *robotCamera) camera(w, h int, s *sim.Snapshot) (render.Camera, bool) {
	if e.name == "" || e.link >= len(s.Links) {
		return render.Camera{}, false
	}
	spec := &e.at.Camera
	scale := min(float64(w)/float64(spec.Width), float64(h)/float64(spec.Height))
	lens := render.Lens{Spherical: spec.Spherical, Width: w, Height: h, FX: spec.FX * scale,
		FY: spec.FY * scale}
	// the middle of a pixel is a whole number
	lens.CX = float64(w-1)/2 + (spec.CX-float64(spec.Width-1)/2)*scale
	lens.CY = float64(h-1)/2 + (spec.CY-float64(spec.Height-1)/2)*scale
	return render.Camera{Lens: lens, Pose: s.Links[e.link].Pose.Mul(e.at.Pose), Near: spec.Near,
		Far: spec.Far}, true
}

// Cameras reports whether the world has robots' cameras.
func (c *Camera) Cameras() bool { return c.model != nil && len(robotCameras(c.model)) > 0 }

// Next looks through the next camera of the world; after the last, and before
// the first, from the orbit.
func (c *Camera) Next() {
	all := robotCameras(c.model)
	i := slices.IndexFunc(all, func(o robotCamera) bool { return o.name == c.robotCamera.name })
	if i+1 >= len(all) {
		c.robotCamera = robotCamera{}
		return
	}
	c.robotCamera = all[i+1]
}
