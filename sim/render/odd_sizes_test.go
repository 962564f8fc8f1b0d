package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// oddities are numbers that no thing should have and some file will.
var oddities = []float64{0, 1, -1, 1e-300, 1e-12, 1e-3, 50, 1e9, 1e300, math.MaxFloat64, math.Inf(1),
	math.Inf(-1), math.NaN()}

// TestWhateverStandsWhereverThePictureIsDrawn only asks for no panic, and that
// depths are positive or endless.
func TestWhateverStandsWhereverThePictureIsDrawn(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	odd := func() float64 {
		if random.IntN(3) > 0 {
			return 4*random.Float64() - 2
		}
		return oddities[random.IntN(len(oddities))]
	}
	vec := func() r3.Vec { return r3.V(odd(), odd(), odd()) }
	pose := func() r3.Pose {
		return r3.Pose{Pos: vec(),
			Rot: r3.Quat{W: odd(), X: odd(), Y: odd(), Z: odd()}}
	}
	var r Renderer
	var m Image
	for range 300 {
		var s Stage
		for i := range 1 + random.IntN(4) {
			g := scene.Geom{Kind: scene.GeomKind(1 + random.IntN(6)), Size: vec(), Radius: odd(),
				Length: odd(), Normal: vec(), Scale: vec(),
				NoShadow: random.IntN(2) == 0,
				Mesh: &scene.Mesh{Vertices: []r3.Vec{vec(), vec(), vec(), vec()},
					Triangles: [][3]int32{{0, 1, 2}, {1, 2, 3}, {0, 0, 0}}}}
			g.Material = scene.Material{Colour: [4]float32{1, float32(odd()), 0, float32(random.Float64())},
				DoubleSided: random.IntN(2) == 0, Specular: [4]float32{1, 1, 1, 1}}
			if random.IntN(2) == 0 {
				g.Material.Image = checks()
			}
			s.Items = append(s.Items, Item{Link: random.IntN(3) - 1, Pose: pose(), Shape: NewShape(&g),
				Label: uint16(i)})
		}
		for _, kind := range []string{"directional", "point", "spot"} {
			s.Lights = append(s.Lights, scene.Light{Kind: kind, Pose: pose(), Direction: vec(),
				Colour: [4]float32{1, 1, 1, 1}, Specular: [4]float32{1, 1, 1, 1},
				Range: math.Abs(odd()), Constant: odd(), Linear: odd(), Quadratic: odd(), Inner: odd(),
				Outer: odd(), Falloff: odd(), Shadows: true})
		}
		s.Grid, s.Ambience.Sky = random.IntN(2) == 0, random.IntN(2) == 0
		c := looking()
		c.Width, c.Height = 16, 12
		if random.IntN(2) == 0 {
			c.Pose = pose()
		}
		if random.IntN(4) == 0 {
			c.K1 = 0.3 * random.Float64()
		}
		r.Render(&s, []r3.Pose{pose(), pose()}, &c, Colours|Depths|Labels, &m)
		for _, d := range m.Depth {
			if !(d > 0) {
				t.Fatalf("a depth of %v", d)
			}
		}
	}
}

// TestAPlaneWithoutASizeIsSeenWhereverItIsDrivenOn: things fall on it ten kilometres away from its middle,
// too.
func TestAPlaneWithoutASizeIsSeenWhereverItIsDrivenOn(t *testing.T) {
	s := &Stage{Items: []Item{item(scene.Geom{Kind: scene.Plane, Normal: r3.V(0, 0, 1)}, at(0, 0, 0))}}
	for _, x := range []float64{0, 150, 1e4} {
		c := looking()
		c.Pose = r3.PoseRPY(x, -x, 2, 0, math.Pi/2, 0) // straight down
		if d := draw(s, &c, Depths).depthAt(32, 24); math.Abs(d-2) > 1e-5 {
			t.Errorf("%v m east and south the ground is %v m below, want 2", x, d)
		}
	}
}
