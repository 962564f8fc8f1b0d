package occupancy

import (
	"fmt"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// pose is that of the grid in the world.
func (m *Map) pose() r3.Pose { return r3.PoseRPY(m.X, m.Y, 0, 0, 0, m.Yaw) }

// Model makes the walls a static model, whose frame is the lower left corner of the grid. The error wraps
// scene.ErrParse: there are too many walls.
func (m *Map) Model() (*scene.ModelSpec, error) {
	walls, ok := m.Walls(maxWalls)
	if !ok {
		return nil, fmt.Errorf("%w: the occupied cells of %s make more than %d walls; is the picture a photograph?",
			scene.ErrParse, m.Name, maxWalls)
	}
	spec := &scene.ModelSpec{Name: m.Name, Format: "map", Static: true, Frame: r3.IdentityPose(),
		Placement: m.pose(),
		Info: scene.Info{Category: scene.StaticObject,
			Description: fmt.Sprintf("%d × %d cells of %g m", m.Width, m.Height, m.Resolution)}}
	link := scene.Link{Name: "walls", Pose: r3.IdentityPose(),
		Inertial: scene.Inertial{Pose: r3.IdentityPose()}}
	for i, r := range walls {
		g := scene.Geom{Name: fmt.Sprintf("wall_%d", i), Kind: scene.Box,
			Surface: scene.Surface{Mu: 1, Mu2: 1, Default: true},
			Size:    r3.V(float64(r.W)*m.Resolution, float64(r.H)*m.Resolution, m.WallHeight),
			Pose:    r3.IdentityPose()}
		g.Pose.Pos = r3.V((float64(r.X)+float64(r.W)/2)*m.Resolution,
			(float64(r.Y)+float64(r.H)/2)*m.Resolution, m.WallHeight/2)
		link.Collisions = append(link.Collisions, g)
		g.Material.Colour = [4]float32{0.72, 0.74, 0.78, 1}
		link.Visuals = append(link.Visuals, g)
	}
	spec.Links = []scene.Link{link}
	return spec, nil
}

// Poses names two places: the corner of the grid, and the free cell with the most room around it.
func (m *Map) Poses() []scene.NamedPose {
	out := []scene.NamedPose{{Name: "map_corner", Description: "lower left corner of the map",
		Tags: []string{"map"}, Pose: m.pose()}}
	x, y, cells, ok := m.Clearest()
	if !ok {
		return out
	}
	p := m.pose()
	p.Pos = p.Apply(r3.V((float64(x)+0.5)*m.Resolution, (float64(y)+0.5)*m.Resolution, 0))
	return append(out, scene.NamedPose{Name: "clear", Tags: []string{"map", "start"}, Pose: p,
		Description: fmt.Sprintf("the free place with the most room: %.2f m to all sides",
			cells*m.Resolution)})
}
