package scenetest

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// At is a pose in metres without a rotation.
func At(x, y, z float64) r3.Pose { return r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()} }

// Solid is a model of one link with one shape, of a mass in kg.
func Solid(name string, mass float64, g scene.Geom) *scene.ModelSpec {
	g.Surface.Default = true
	l := scene.Link{Name: "body", Pose: r3.IdentityPose(), Collisions: []scene.Geom{g}}
	l.Inertial = scene.Inertial{Mass: mass, Pose: r3.IdentityPose(),
		Inertia: r3.Diag(r3.V(0.1, 0.1, 0.1).Scale(mass))}
	return &scene.ModelSpec{Name: name, Frame: r3.IdentityPose(), Links: []scene.Link{l}}
}

// Ball is a sphere of 1 kg and a radius of 0.5 m.
func Ball() *scene.ModelSpec {
	return Solid("ball", 1, scene.Geom{Name: "skin", Kind: scene.Sphere, Radius: 0.5})
}

// Box is a cube of 1 kg with edges of so many metres.
func Box(size float64) *scene.ModelSpec {
	return Solid("box", 1, scene.Geom{Name: "skin", Kind: scene.Box, Size: r3.V(size, size, size)})
}

// Ground is a static plane at z = 0.
func Ground() *scene.ModelSpec {
	m := Solid("ground", 0, scene.Geom{Name: "plane", Kind: scene.Plane, Normal: r3.V(0, 0, 1)})
	m.Static = true
	return m
}

// Wall is static, 0.2 × 4 × 1 m.
func Wall() *scene.ModelSpec {
	m := Solid("wall", 0, scene.Geom{Name: "bricks", Kind: scene.Box, Size: r3.V(0.2, 4, 1)})
	m.Static = true
	return m
}

// Rover has two wheels on continuous joints, a caster behind that slides, a mast
// on a fixed joint and a lidar on it. Its base_footprint weighs nothing.
func Rover() *scene.ModelSpec {
	wheel := func(name string, y float64) scene.Link {
		return scene.Link{Name: name, Pose: At(0, y, 0.1),
			Inertial: scene.Inertial{Mass: 0.5, Pose: r3.IdentityPose(),
				Inertia: r3.Diag(r3.V(0.002, 0.003, 0.002))},
			Collisions: []scene.Geom{{Name: "tyre", Kind: scene.Cylinder, Radius: 0.1, Length: 0.04,
				Pose: r3.PoseRPY(0, 0, 0, math.Pi/2, 0, 0), Surface: scene.Surface{Default: true}}}}
	}
	spin := func(name string, child int) scene.Joint {
		return scene.Joint{Name: name, Kind: scene.Continuous, Parent: 1, Child: child,
			Pose: r3.IdentityPose(), Axis: r3.V(0, 1, 0)}
	}
	return &scene.ModelSpec{
		Name: "rover", Format: "literal", Frame: r3.IdentityPose(), Canonical: 0,
		Links: []scene.Link{
			{Name: "base_footprint", Pose: r3.IdentityPose(),
				Inertial: scene.Inertial{Pose: r3.IdentityPose()}},
			{Name: "base_link", Pose: At(0, 0, 0.1),
				Inertial: scene.Inertial{Mass: 5, Pose: At(-0.03, 0, 0),
					Inertia: r3.Diag(r3.V(0.05, 0.08, 0.1))},
				Collisions: []scene.Geom{
					{Name: "hull", Kind: scene.Box, Size: r3.V(0.4, 0.3, 0.1), Pose: At(0, 0, 0.05),
						Surface: scene.Surface{Default: true}},
					{Name: "caster", Kind: scene.Sphere, Radius: 0.05, Pose: At(-0.15, 0, -0.05)},
				}},
			wheel("left_wheel", 0.2), wheel("right_wheel", -0.2),
			{Name: "mast", Pose: At(0, 0, 0.3),
				Inertial: scene.Inertial{Mass: 0.2, Pose: r3.IdentityPose(),
					Inertia: r3.Diag(r3.V(1e-4, 1e-4, 1e-4))},
				Sensors: []scene.Sensor{{Name: "eye", Kind: scene.Lidar, Pose: r3.IdentityPose(), Rate: 5,
					Lidar: scene.LidarSpec{Columns: 91, Rows: 1, MinAngle: -math.Pi / 4,
						MaxAngle: math.Pi / 4, MinRange: 0.12, MaxRange: 10, NoiseStd: 0.01}}}},
		},
		Joints: []scene.Joint{
			{Name: "foot", Kind: scene.Fixed, Parent: 0, Child: 1, Pose: r3.IdentityPose()},
			spin("left", 2), spin("right", 3),
			{Name: "pole", Kind: scene.Fixed, Parent: 1, Child: 4, Pose: r3.IdentityPose()},
		},
		Frames: []scene.Frame{{Name: "tip", Link: 4, Pose: At(0, 0, 0.2)},
			{Name: "nose", Link: -1, Pose: At(0.3, 0, 0)}},
		Drives: []scene.Drive{{Kind: scene.Differential, Left: []int{1}, Right: []int{2}, Separation: 0.4,
			Radius: 0.1, Odometry: scene.Odometry{Rate: 20}, MaxLinearAccel: 2, MaxAngularAccel: 4}},
		Info: scene.Info{Category: scene.Robot, Description: "a rover", Tags: []string{"mobile", "small"}},
	}
}

// Arm is fixed to the world and has a shoulder, which begins turned, and
// a slider that follows it.
func Arm() *scene.ModelSpec {
	link := func(name string, x float64) scene.Link {
		return scene.Link{Name: name, Pose: At(x, 0, 1),
			Inertial: scene.Inertial{Mass: 1, Pose: At(0.25, 0, 0), Inertia: r3.Diag(r3.V(0.01, 0.02, 0.02))}}
	}
	return &scene.ModelSpec{
		Name: "arm", Frame: At(0, 0, 1),
		Links: []scene.Link{link("base", 0), link("upper", 0.5), link("finger", 1)},
		Joints: []scene.Joint{
			{Name: "bolt", Kind: scene.Fixed, Parent: scene.World, Child: 0, Pose: r3.IdentityPose()},
			{Name: "shoulder", Kind: scene.Revolute, Parent: 0, Child: 1, Pose: r3.IdentityPose(),
				Axis: r3.V(0, 0, 1), Initial: math.Pi / 2,
				Limit: scene.Limit{Set: true, Lower: -3, Upper: 3, Effort: 100, Velocity: 5}},
			{Name: "slide", Kind: scene.Prismatic, Parent: 1, Child: 2, Pose: r3.IdentityPose(),
				Axis:  r3.V(1, 0, 0),
				Limit: scene.Limit{Set: true, Lower: 0, Upper: 1},
				Mimic: scene.Mimic{Set: true, Joint: 1, Multiplier: 0.1}},
		},
	}
}

// Slope is a terrain that rises by 0.1 m per metre along x, 20 m wide, on which (0, 0) is at 0.
func Slope() *scene.ModelSpec {
	h := &scene.Heights{Columns: 21, Rows: 21, X: 20, Y: 20, Z: make([]float32, 21*21)}
	for i := range h.Z {
		h.Z[i] = float32(0.1 * (float64(i%21) - 10))
	}
	m := Solid("slope", 0, scene.Geom{Name: "terrain", Kind: scene.Heightfield, Heights: h,
		Pose: r3.IdentityPose()})
	m.Static = true
	return m
}

// Frame is a square frame of bars as one mesh, 1 m wide with an opening of 0.6 m.
func Frame(parts int) *scene.ModelSpec {
	mesh := &scene.Mesh{}
	for _, b := range [][2]r3.Vec{
		{r3.V(-0.5, -0.5, -0.1), r3.V(0.5, -0.3, 0.1)}, {r3.V(-0.5, 0.3, -0.1), r3.V(0.5, 0.5, 0.1)},
		{r3.V(-0.5, -0.3, -0.1), r3.V(-0.3, 0.3, 0.1)}, {r3.V(0.3, -0.3, -0.1), r3.V(0.5, 0.3, 0.1)},
	} {
		first := int32(len(mesh.Vertices))
		for i := range 8 {
			p := b[0]
			for axis := range 3 {
				if i>>axis&1 == 1 {
					p = p.With(axis, b[1].At(axis))
				}
			}
			mesh.Vertices = append(mesh.Vertices, p)
		}
		for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2},
			{1, 3, 7, 5}} {
			mesh.Triangles = append(mesh.Triangles, [3]int32{first + q[0], first + q[1], first + q[2]},
				[3]int32{first + q[0], first + q[2], first + q[3]})
		}
	}
	m := Solid("frame", 1, scene.Geom{Name: "bars", Kind: scene.MeshGeom, Mesh: mesh,
		Pose: r3.IdentityPose()})
	m.Info.Convex.Parts = parts
	return m
}

// Frames is a chain of links, each with the mesh of Frame in two sizes, one of them twice.
func Frames(links int) *scene.ModelSpec {
	m := Frame(0)
	frame := m.Links[0].Collisions[0]
	for i := range links {
		l := m.Links[0]
		l.Name = fmt.Sprintf("l%d", i)
		l.Collisions = nil
		for _, size := range []float64{1, 2 + float64(i), 1} {
			g := frame
			g.Scale = r3.V(size, size, size)
			l.Collisions = append(l.Collisions, g)
		}
		if i > 0 {
			m.Links = append(m.Links, l)
			m.Joints = append(m.Joints, scene.Joint{Name: l.Name, Kind: scene.Continuous, Parent: i - 1,
				Child: i, Axis: r3.V(0, 0, 1), Pose: r3.IdentityPose()})
		} else {
			m.Links[0] = l
		}
	}
	return m
}

// Linked is a model of links of 1 kg along x. Joints without a kind are revolute with limits of ±1 rad.
func Linked(n int, joints ...scene.Joint) *scene.ModelSpec {
	m := &scene.ModelSpec{Name: "linked", Frame: r3.IdentityPose()}
	for i := range n {
		m.Links = append(m.Links, scene.Link{Name: string(rune('a' + i)), Pose: At(0.5*float64(i), 0, 1),
			Inertial: scene.Inertial{Mass: 1, Pose: At(0, 0, 0), Inertia: r3.Diag(r3.V(0.01, 0.01, 0.01))}})
	}
	for i := range joints {
		joints[i].Name, joints[i].Pose = string(rune('0'+i)), r3.IdentityPose()
		if joints[i].Kind == 0 {
			joints[i].Kind = scene.Revolute
			joints[i].Limit = scene.Limit{Set: true, Lower: -1, Upper: 1}
		}
		if joints[i].Axis == (r3.Vec{}) {
			joints[i].Axis = r3.V(0, 1, 0)
		}
	}
	m.Joints = joints
	return m
}

// Chain is n links in a row, 0.2 m apart, or a ring of them; every other link weighs ratio kg.
func Chain(n int, kind scene.JointKind, ring bool, ratio float64) *scene.ModelSpec {
	m := &scene.ModelSpec{Name: "chain", Frame: r3.IdentityPose()}
	axis := r3.V(0, 1, 0)
	if kind == scene.Prismatic {
		axis = r3.V(1, 0, 0)
	}
	for i := range n {
		mass := 1.0
		if i%2 == 1 {
			mass = ratio
		}
		m.Links = append(m.Links, scene.Link{Name: fmt.Sprint("l", i), Pose: At(0.2*float64(i), 0, 5),
			Inertial: scene.Inertial{Mass: mass, Pose: r3.IdentityPose(),
				Inertia: r3.Diag(r3.V(0.01, 0.01, 0.01))},
			Collisions: []scene.Geom{{Name: "c", Kind: scene.Box, Size: r3.V(0.15, 0.1, 0.1),
				Pose: r3.IdentityPose(), Surface: scene.Surface{Default: true}}}})
		if i > 0 {
			m.Joints = append(m.Joints, scene.Joint{Name: fmt.Sprint("j", i), Kind: kind, Parent: i - 1,
				Child: i, Pose: At(-0.1, 0, 0), Axis: axis})
		}
	}
	if ring {
		m.Joints = append(m.Joints, scene.Joint{Name: "last", Kind: kind, Parent: n - 1, Child: 0,
			Pose: r3.IdentityPose(), Axis: axis})
	}
	return m
}

// Yard has a ground, a wall, a crate that may be deleted, a robot and two
// named poses.
func Yard() *scene.WorldSpec {
	return &scene.WorldSpec{
		Name: "yard", Gravity: r3.V(0, 0, -9.81), StepSize: 0.004, RealTime: 1,
		Models: []scene.Placed{
			{Name: "ground", Model: Ground(), Pose: r3.IdentityPose()},
			{Name: "wall", Model: Wall(), Pose: At(3, 0, 0.5)},
			{Name: "crate", Model: Box(0.5), Pose: At(0, 2, 0.25), Deletable: true},
			{Name: "rover", Model: Rover(), Pose: At(0, 0, 0)},
		},
		NamedPoses: []scene.NamedPose{
			{Name: "dock", Pose: r3.PoseRPY(1, -1, 0, 0, 0, math.Pi/2), Tags: []string{"start", "indoor"}},
			{Name: "gate", Pose: At(-4, 0, 0), Tags: []string{"indoor"},
				Bounds: scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{{}, r3.V(1, 0, 0)}}},
		},
	}
}
