package uitest

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Room is a walled room with obstacles, two robots, named poses, and a list
// of models to spawn. It plays.
func Room() *Backend {
	d := &Backend{world: sim.WorldInfo{Name: "room", URI: "world://room",
		Description: "A room of ten by eight metres"}, state: sim.Playing, asked: 1}
	robot, box, ball := burger(), crate(0.5), barrel()
	d.add("room_walls", walls(), r3.IdentityPose())
	d.add("table", table(), r3.PoseRPY(2.5, 1.5, 0, 0, 0, 0.3))
	d.add("burger_1", robot, r3.PoseRPY(-2, -1, 0, 0, 0, 0))
	d.add("burger_2", robot, r3.PoseRPY(1, -2, 0, 0, 0, math.Pi/2))
	for i := range 6 {
		d.add(fmt.Sprintf("crate_%d", i+1), box,
			r3.PoseRPY(-3.5+float64(i%3)*0.8, 2+float64(i/3)*0.9, 0.25, 0, 0, 0.2*float64(i)))
	}
	d.add("barrel", ball, r3.PoseRPY(3.5, -2.5, 0.4, 0, 0, 0))
	d.bodies[d.find("barrel")].model.Deletable = true
	d.poses = []scene.NamedPose{
		{Name: "dock", Description: "where robots charge", Tags: []string{"charging"},
			Pose: r3.PoseRPY(-4.3, -3.2, 0, 0, 0, 0),
			Bounds: scene.Bounds{Kind: scene.BoxBounds,
				Points: []r3.Vec{r3.V(0.5, 0.5, 1), r3.V(-0.5, -0.5, 0)}}},
		{Name: "entry", Tags: []string{"spawn"}, Pose: r3.PoseRPY(0, 3, 0, 0, 0, -math.Pi/2)},
		{Name: "shelf", Tags: []string{"pick", "place"}, Pose: r3.PoseRPY(4, 3, 0, 0, 0, math.Pi)},
	}
	d.notes = scene.Notes{
		{Kind: scene.Missing, File: "room.sdf", Line: 41, Column: 9,
			Text: "mesh model://room/meshes/lamp.dae was not found; the visual is left out"},
		{Kind: scene.Unsupported, File: "room.sdf", Line: 77, Column: 5,
			Text: "element <wind> is not simulated"},
	}
	d.specs = map[string]*scene.ModelSpec{"model://burger": robot, "model://crate": box,
		"model://barrel": ball}
	d.models = []sim.Spawnable{
		{URI: "model://barrel", Name: "barrel", Info: ball.Info},
		{URI: "model://burger", Name: "burger", Info: robot.Info},
		{URI: "model://crate", Name: "crate", Info: box.Info},
	}
	d.say(sim.Info, "engine", "world room is loaded")
	d.say(sim.Warn, "engine", "mesh model://room/meshes/lamp.dae was not found")
	d.publish()
	return d
}

// Poser is a world from a file of MuJoCo that may begin at one of two keyframes.
func Poser() *Backend {
	d := &Backend{world: sim.WorldInfo{Name: "poser", URI: "/r/poser.xml?keyframe=home"}}
	spec := crate(0.5)
	spec.Keyframes = []string{"home", "arms up"}
	d.add("poser", spec, r3.PoseRPY(0, 0, 0.25, 0, 0, 0))
	d.publish()
	return d
}

// Many is a world of n crates, of which a hundredth move. It plays.
func Many(n int) *Backend { return crates(n, 100) }

// Busy is a world of n crates that all move. It plays.
func Busy(n int) *Backend { return crates(n, 1) }

// crates makes n of them, of which every so many moves.
func crates(n, every int) *Backend {
	d := &Backend{world: sim.WorldInfo{Name: "many"}, state: sim.Playing, asked: 1}
	box := crate(0.4)
	side := int(math.Ceil(math.Sqrt(float64(n))))
	for i := range n {
		b := body{model: sim.EntityModel{
			Name: fmt.Sprintf("crate_%05d", i), ID: uint64(i + 1), Namespace: "crates", Spec: box,
			Info: box.Info, Deletable: true, Bounds: boundsOf(box),
		}}
		b.state.Pose = r3.PoseRPY(float64(i%side), float64(i/side), 0.2, 0, 0, float64(i))
		if b.state.Asleep = i%every != 0; !b.state.Asleep {
			b.state.Twist.Linear = r3.V(0.3, 0.1, 0)
			b.drive = r3.Twist{Linear: r3.V(0.3, 0.1, 0)}
		}
		b.start = b.state.Pose
		d.bodies = append(d.bodies, b)
	}
	d.publish()
	return d
}

func boundsOf(spec *scene.ModelSpec) r3.Box {
	out := r3.EmptyBox()
	for l := range spec.Links {
		for _, g := range spec.Links[l].Collisions {
			half := g.Size.Scale(0.5)
			if g.Kind == scene.Cylinder {
				half = r3.V(g.Radius, g.Radius, g.Length/2)
			}
			out = out.Union((r3.Box{Min: half.Neg(), Max: half}).Moved(spec.Links[l].Pose.Mul(g.Pose)))
		}
	}
	return out
}

func slab(x, y, z, sx, sy, sz float64) scene.Geom {
	return scene.Geom{Kind: scene.Box, Pose: r3.PoseRPY(x, y, z, 0, 0, 0), Size: r3.V(sx, sy, sz)}
}

func walls() *scene.ModelSpec {
	return &scene.ModelSpec{Name: "walls", Static: true, Info: scene.Info{Category: scene.StaticObject},
		Links: []scene.Link{{
			Name: "link", Pose: r3.IdentityPose(), Collisions: []scene.Geom{
				slab(0, 4.05, 0.5, 10.2, 0.1, 1), slab(0, -4.05, 0.5, 10.2, 0.1, 1),
				slab(5.05, 0, 0.5, 0.1, 8, 1), slab(-5.05, 0, 0.5, 0.1, 8, 1),
				slab(0, 0, -0.05, 10, 8, 0.1),
			},
		}}}
}

func table() *scene.ModelSpec {
	return &scene.ModelSpec{
		Name: "table", Static: true, Info: scene.Info{Category: scene.StaticObject,
			Tags: []string{"furniture"}},
		Links: []scene.Link{{Name: "top", Pose: r3.IdentityPose(),
			Collisions: []scene.Geom{slab(0, 0, 0.7, 1.6, 0.8, 0.05)}}},
	}
}

func crate(size float64) *scene.ModelSpec {
	h := size / 2
	return &scene.ModelSpec{
		Name: "crate", Source: "model://crate",
		Info: scene.Info{
			Category: scene.DynamicObject, Tags: []string{"wood", "crate"}, Description: "A wooden crate",
			Bounds: scene.Bounds{Kind: scene.BoxBounds, Points: []r3.Vec{r3.V(h, h, h), r3.V(-h, -h, -h)}},
		},
		Links: []scene.Link{{Name: "link", Pose: r3.IdentityPose(),
			Collisions: []scene.Geom{slab(0, 0, 0, size, size, size)}}},
	}
}

func barrel() *scene.ModelSpec {
	return &scene.ModelSpec{
		Name: "barrel", Source: "model://barrel",
		Info: scene.Info{Category: scene.DynamicObject, Tags: []string{"steel"}},
		Links: []scene.Link{{Name: "link", Pose: r3.IdentityPose(),
			Collisions: []scene.Geom{{Kind: scene.Cylinder, Pose: r3.IdentityPose(), Radius: 0.3,
				Length: 0.8}}}},
	}
}

func burger() *scene.ModelSpec {
	wheel := func(name string, y float64) scene.Link {
		return scene.Link{Name: name, Pose: r3.PoseRPY(-0.03, y, 0.033, -math.Pi/2, 0, 0),
			Collisions: []scene.Geom{{Kind: scene.Cylinder, Pose: r3.IdentityPose(), Radius: 0.033,
				Length: 0.018}}}
	}
	return &scene.ModelSpec{
		Name: "burger", Source: "model://burger",
		Info: scene.Info{
			Category: scene.Robot, Tags: []string{"mobile"}, Description: "A small differential robot",
			Bounds: scene.Bounds{Kind: scene.BoxBounds,
				Points: []r3.Vec{r3.V(0.04, 0.09, 0.19), r3.V(-0.1, -0.09, 0)}},
		},
		Links: []scene.Link{
			{Name: "base_link", Pose: r3.IdentityPose(),
				Collisions: []scene.Geom{slab(-0.032, 0, 0.08, 0.14, 0.14, 0.14)}},
			wheel("wheel_left", 0.08), wheel("wheel_right", -0.08),
			{Name: "base_scan", Pose: r3.PoseRPY(-0.032, 0, 0.172, 0, 0, 0), Sensors: []scene.Sensor{{
				Name: "scan", Kind: scene.Lidar, Rate: 5, Topic: "scan",
				Lidar: scene.LidarSpec{Columns: 120, Rows: 1, MaxAngle: 2 * math.Pi, MinRange: 0.12,
					MaxRange: 3.5},
			}}},
		},
		Joints: []scene.Joint{
			{Name: "wheel_left_joint", Kind: scene.Continuous, Child: 1},
			{Name: "wheel_right_joint", Kind: scene.Continuous, Child: 2},
			{Name: "scan_joint", Kind: scene.Fixed, Child: 3},
		},
		Drives: []scene.Drive{{
			Kind: scene.Differential, Left: []int{0}, Right: []int{1}, Separation: 0.16, Radius: 0.033,
			MaxLinearSpeed: 0.22, MaxAngularSpeed: 2.84, Timeout: 0.5, Inferred: true,
		}},
	}
}

// Hell is a room whose entities have names that no terminal should be given,
// and poses that no robot should have.
func Hell() *Backend {
	d := Room()
	for i, name := range []string{
		"", "\x1b]0;title\x07\x1b[2J", "tab\tand\rreturn", "字字字字字字字字字字字字字字字字字字字字字字字字字字字字字字",
		"\u202eright to left",
		"👩‍🚀⚠️🇩🇪", "e\u0301\u0301\u0301\u0301", "हिन्दी", "한국어", "\xff\xfe",
		"a very long name that goes on and on and on and on and on and on and on and on",
	} {
		pose := r3.PoseRPY(float64(i)*1e6, -1e9, 0, 0, 0, 0)
		if i%3 == 1 {
			pose.Pos.X = math.NaN()
		}
		if i%3 == 2 {
			pose.Pos.Y = math.Inf(1)
		}
		d.add(name, burger(), pose)
		d.bodies[max(d.find(name), 0)].model.Deletable = true
	}
	d.publish()
	return d
}
