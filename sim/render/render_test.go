package render

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

var update = flag.Bool("update", false, "write the pictures in testdata anew")

func item(g scene.Geom, p r3.Pose) Item {
	return Item{Link: -1, Pose: p, Shape: NewShape(&g), Label: 1}
}

func paintedBox(x, y, z float64, c [4]float32) scene.Geom {
	return scene.Geom{Kind: scene.Box, Size: r3.V(x, y, z), Material: scene.Material{Colour: c}}
}

func at(x, y, z float64) r3.Pose { return r3.PoseRPY(x, y, z, 0, 0, 0) }

// looking is a camera of 64 × 48 pixels in the origin that looks along x.
func looking() Camera {
	return Camera{Lens: LensOf(64, 48, 1.2), Pose: r3.IdentityPose(), Near: 0.05, Far: 100}
}

func draw(s *Stage, c *Camera, want Want) *Image {
	var r Renderer
	var img Image
	r.Render(s, nil, c, want, &img)
	return &img
}

func (m *Image) depthAt(u, v int) float64 { return float64(m.Depth[v*m.Width+u]) }

func TestAPointIsSeenWhereAPinholeSeesIt(t *testing.T) {
	c := looking()
	c.Pose = r3.PoseRPY(1, 2, 3, 0.1, -0.2, 0.7)
	f := 32 / math.Tan(0.6)
	for _, p := range []r3.Vec{{X: 2}, {X: 5, Y: 1, Z: -0.5}, {X: 0.3, Y: -0.1, Z: 0.2}} {
		u, v, depth, ok := c.Project(c.Pose.Apply(p))
		if wu, wv := 32-f*p.Y/p.X, 24-f*p.Z/p.X; !ok ||
			math.Abs(u-wu)+math.Abs(v-wv)+math.Abs(depth-p.X) > 1e-9 {
			t.Errorf("%v is at (%v, %v), %v m deep; want (%v, %v), %v", p, u, v, depth, wu, wv, p.X)
		}
	}
	if _, _, _, ok := c.Project(c.Pose.Apply(r3.V(-1, 0, 0))); ok {
		t.Error("what is behind the camera was seen")
	}
}

func TestRaysGoThroughTheirPixelsThroughAnyLens(t *testing.T) {
	c := looking()
	c.Pose = r3.PoseRPY(1, 2, 3, 0.1, -0.2, 0.7)
	for _, k := range [][5]float64{{}, {-0.25, 0.12, -0.0003, 0.001, 0}, {0.1, -0.05, 0.002, -0.001, 0.01},
		{0.5, 0, 0, 0, 0},
		{2, 1, 0.01, 0.01, 0.5}, {-0.2, 0, 0, 0, 0}, {-0.3, 0.1, 0, 0, 0}, {0, 0, 0.05, -0.03, 0}} {
		c.K1, c.K2, c.P1, c.P2, c.K3 = k[0], k[1], k[2], k[3], k[4]
		for u := 0.0; u < 64; u += 7 {
			for v := 0.0; v < 48; v += 5 {
				ray, ok := c.Ray(u, v)
				gu, gv, depth, seen := c.Project(ray.At(3))
				if !ok || !seen || math.Abs(gu-u)+math.Abs(gv-v) > 1e-6 || math.Abs(depth-3) > 1e-9 {
					t.Fatalf("lens %v: the ray of (%v, %v) is seen at (%v, %v), %v m deep", k, u, v, gu, gv,
						depth)
				}
			}
		}
	}
}

func TestDepthIsAlongTheAxisAndEndlessWhereNothingIs(t *testing.T) {
	s := &Stage{Items: []Item{item(paintedBox(2, 1, 1, [4]float32{}), at(3, 0, 0))}}
	c := looking()
	m := draw(s, &c, Depths|Labels)
	if d := m.depthAt(32, 24); math.Abs(d-2) > 1e-6 {
		t.Errorf("the box in the middle is %v m deep, want 2", d)
	}
	if d := m.depthAt(0, 0); !math.IsInf(d, 1) {
		t.Errorf("the corner is %v m deep, want +Inf", d)
	}
	if m.Labels[24*64+32] != 1 || m.Labels[0] != 0 {
		t.Error("the labels are not those of the item and of nothing")
	}
	f := c.FX
	for v := range 48 {
		for u := range 64 {
			x, y := (float64(u)-32)/f*2, (float64(v)-24)/f*2
			if inside := math.Abs(x) < 0.499 && math.Abs(y) < 0.499; inside &&
				math.Abs(m.depthAt(u, v)-2) > 1e-6 {
				t.Fatalf("pixel (%d, %d) of the box's face is %v m deep, want 2", u, v, m.depthAt(u, v))
			}
		}
	}
}

// A floor runs under the camera to the horizon: it is cut at the near plane.
func TestAFloorIsCutAtTheNearPlaneAndKeepsItsDepth(t *testing.T) {
	s := &Stage{Items: []Item{item(scene.Geom{Kind: scene.Plane, Normal: r3.V(0, 0, 1),
		Size: r3.V(400, 400, 0)}, at(0, 0, 0))}}
	c := looking()
	c.Pose = r3.PoseRPY(0, 0, 0.3, 0, 0.2, 0.4)
	c.Far = 150
	m := draw(s, &c, Depths)
	for v := range 48 {
		for u := range 64 {
			ray, _ := c.Ray(float64(u), float64(v))
			want := -0.3 / ray.Dir.Z
			got := m.depthAt(u, v)
			switch {
			case ray.Dir.Z >= 0 || want > 150.1:
				if !math.IsInf(got, 1) {
					t.Fatalf("(%d, %d) above the horizon is %v m deep", u, v, got)
				}
			case want < 149.9 && math.Abs(got-want) > 1e-5*want:
				t.Fatalf("(%d, %d) is %v m deep, want %v", u, v, got, want)
			}
		}
	}
}

// Two triangles at an edge leave no pixel between them and share none.
func TestTrianglesMeetWithoutAGapOrASharedPixel(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		hub := [2]float64{8 + 16*random.Float64(), 8 + 16*random.Float64()}
		if random.IntN(2) == 0 {
			hub = [2]float64{math.Round(hub[0]), math.Round(hub[1])}
		}
		ring := [][2]float64{{0, 0}, {float64(random.IntN(32)), 0}, {32, 0}, {32, float64(random.IntN(32))},
			{32, 32}, {float64(random.IntN(32)), 32}, {0, 32}, {0, float64(random.IntN(32))}}
		var count [32 * 32]int
		for i := range ring {
			p := triangleSpans{corners: 3, outline: [4][2]float64{hub, ring[i], ring[(i+1)%len(ring)]}}
			p.each(&canvas{width: 32, below: 32}, func(y, from, to int) {
				for x := from; x < to; x++ {
					count[32*y+x]++
				}
			})
		}
		if i := slices.IndexFunc(count[:], func(n int) bool { return n != 1 }); i >= 0 {
			t.Fatalf("around %v pixel (%d, %d) was drawn %d times", hub, i%32, i/32, count[i])
		}
	}
}

func TestABackIsSeenOnlyWhereTheMaterialSaysSo(t *testing.T) {
	for _, double := range []bool{false, true} {
		g := scene.Geom{Kind: scene.Plane, Normal: r3.V(1, 0, 0), Size: r3.V(2, 2, 0),
			Material: scene.Material{DoubleSided: double}}
		c := looking()
		m := draw(&Stage{Items: []Item{item(g, at(2, 0, 0))}}, &c, Depths)
		if seen := !math.IsInf(m.depthAt(32, 24), 1); seen != double {
			t.Errorf("double sided %v: seen %v", double, seen)
		}
	}
}

// checks is a texture with a red, a green, a blue and a white quarter, from
// the upper left.
func checks() *scene.Texture {
	l := scene.TextureLevel{Width: 8, Height: 8, Pix: make([]uint8, 256)}
	for i := range 64 {
		c := [][4]uint8{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255},
			{255, 255, 255, 255}}[i/32*2+i%8/4]
		copy(l.Pix[4*i:], c[:])
	}
	return &scene.Texture{Levels: []scene.TextureLevel{l}}
}

func TestATextureStandsUprightOnABox(t *testing.T) {
	g := scene.Geom{Kind: scene.Box, Size: r3.V(1, 1, 1), Material: scene.Material{Image: checks()}}
	c := looking()
	m := draw(&Stage{Items: []Item{item(g, r3.PoseRPY(1.5, 0, 0, 0, 0, math.Pi))}}, &c, Colours)
	name := func(u, v int) string {
		p := m.RGB[3*(v*64+u):]
		switch r, g, b := p[0] > p[1]+40 && p[0] > p[2]+40, p[1] > p[0]+40, p[2] > p[0]+40; {
		case r:
			return "red"
		case g && !b:
			return "green"
		case b && !g:
			return "blue"
		}
		return "white"
	}
	if got := [4]string{name(20, 12), name(44, 12), name(20, 36), name(44, 36)}; got != [4]string{"red",
		"green", "blue", "white"} {
		t.Errorf("the quarters are %v, want red, green, blue, white", got)
	}
}

func TestGlassMixesWithWhatIsBehind(t *testing.T) {
	wall := item(paintedBox(0.1, 9, 9, [4]float32{1, 0, 0, 1}), at(4, 0, 0))
	pane := paintedBox(0.1, 1, 1, [4]float32{0, 0, 1, 0.5})
	c := looking()
	m := draw(&Stage{Items: []Item{item(pane, at(2, 0, 0)), wall}}, &c, Colours|Depths)
	p := m.RGB[3*(24*64+32):]
	if p[0] < 30 || p[2] < 30 {
		t.Errorf("through the glass is %v: want some of both", p[:3])
	}
	if d := m.depthAt(32, 24); math.Abs(d-3.95) > 1e-5 {
		t.Errorf("the depth through glass is %v, want that of the wall", d)
	}
}

func TestAThingThrowsAShadowAwayFromTheSun(t *testing.T) {
	s := &Stage{
		Items: []Item{
			item(scene.Geom{Kind: scene.Plane, Normal: r3.V(0, 0, 1), Size: r3.V(20, 20, 0)}, at(0, 0, 0)),
			item(paintedBox(1, 1, 1, [4]float32{}), at(0, 0, 2)),
		},
		Lights: []scene.Light{{Kind: "directional", Pose: r3.IdentityPose(), Direction: r3.V(1, 0, -1),
			Colour: [4]float32{1, 1, 1, 1}, Shadows: true}},
	}
	c := looking()
	c.Pose = r3.PoseRPY(1, 0, 9, 0, math.Pi/2, 0)
	m := draw(s, &c, Colours)
	bright := func(x, y float64) int {
		u, v, _, _ := c.Project(r3.V(x, y, 0))
		return int(m.RGB[3*(int(v+0.5)*64+int(u+0.5))])
	}
	if dark, lit := bright(2.2, 0), bright(2.2, 2.5); dark > lit*3/4 {
		t.Errorf("the shadow is %d, beside it %d", dark, lit)
	}
	s.Ambience.NoShadows = true
	m = draw(s, &c, Colours)
	if a, b := bright(2.2, 0), bright(2.2, 2.5); a != b {
		t.Errorf("without shadows the floor is %d and %d", a, b)
	}
}

func TestADistortedPictureShowsPointsWhereTheLensPutsThem(t *testing.T) {
	var s Stage
	var spheres []r3.Vec
	for y := -0.6; y <= 0.6; y += 0.3 {
		for z := -0.4; z <= 0.4; z += 0.2 {
			spheres = append(spheres, r3.V(1.5, y, z))
			s.Items = append(s.Items, Item{Link: -1, Pose: at(1.5, y, z),
				Shape: NewShape(&scene.Geom{Kind: scene.Sphere, Radius: 0.02}), Label: uint16(len(spheres))})
		}
	}
	c := Camera{Lens: LensOf(320, 240, 1.2), Pose: r3.IdentityPose(), Near: 0.05, Far: 100}
	c.K1, c.K2, c.P1, c.P2 = -0.25, 0.12, -0.0003, 0.001
	m := draw(&s, &c, Labels|Depths|Colours)
	for i, p := range spheres {
		u, v, _, _ := c.Project(p)
		if got := m.Labels[int(v+0.5)*320+int(u+0.5)]; int(got) != i+1 {
			t.Errorf("where dot %d should be (%.1f, %.1f) is %d", i+1, u, v, got)
		}
	}
}

// static is a stage with every kind of shape, light and material.
func everything() *Stage {
	red, blue := [4]float32{0.8, 0.1, 0.1, 1}, [4]float32{0.1, 0.2, 0.9, 1}
	shiny := scene.Material{Colour: blue, Specular: [4]float32{1, 1, 1, 1}, Shininess: 32}
	cone := &scene.Mesh{Vertices: []r3.Vec{{Z: 1}, {X: 0.4}, {Y: 0.4}, {X: -0.4}, {Y: -0.4}},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {1, 3, 2}, {1, 4, 3}},
		Looks: []scene.Look{{Material: scene.Material{Colour: [4]float32{0.9, 0.8, 0.1, 1}}},
			{First: 2, Material: scene.Material{Colour: [4]float32{0.1, 0.7, 0.2, 1}}}}}
	return &Stage{Grid: true, Ambience: scene.Ambience{Sky: true},
		Items: []Item{
			item(scene.Geom{Kind: scene.Plane, Normal: r3.V(0, 0, 1), Size: r3.V(30, 30, 0),
				Material: scene.Material{Colour: [4]float32{0.6, 0.6, 0.55, 1}}}, at(0, 0, 0)),
			item(paintedBox(0.8, 0.8, 0.8, red), r3.PoseRPY(3, 1, 0.4, 0, 0, 0.4)),
			item(scene.Geom{Kind: scene.Sphere, Radius: 0.5, Material: shiny}, at(3, -0.3, 0.5)),
			item(scene.Geom{Kind: scene.Cylinder, Radius: 0.3, Length: 1.2,
				Material: scene.Material{Image: checks()}}, at(4.5, 1.8, 0.6)),
			item(scene.Geom{Kind: scene.Capsule, Radius: 0.2, Length: 0.6}, at(4, -1.6, 0.5)),
			item(scene.Geom{Kind: scene.MeshGeom, Mesh: cone, Scale: r3.V(1, 1, 1.2)}, at(2.2, -1, 0)),
			item(paintedBox(0.05, 1, 0.7, [4]float32{0.5, 0.8, 1, 0.4}), at(2.2, 0.5, 0.5)),
		},
		Lights: []scene.Light{
			{Kind: "directional", Pose: r3.IdentityPose(), Direction: r3.V(0.5, 0.4, -0.9),
				Colour: [4]float32{0.7, 0.7, 0.65, 1}, Specular: [4]float32{1, 1, 1, 1}, Shadows: true},
			{Kind: "point", Pose: at(2, -2, 1), Colour: [4]float32{0.5, 0.3, 0.1, 1}, Range: 8, Constant: 0.5,
				Linear: 0.2},
			{Kind: "spot", Pose: at(4, 0, 4), Direction: r3.V(0, 0, -1), Colour: [4]float32{0.4, 0.4, 0.4, 1},
				Inner: 0.5, Outer: 0.9, Falloff: 1, Shadows: true},
		}}
}

func stillCamera() Camera {
	return Camera{Lens: LensOf(160, 120, 1.1), Pose: r3.PoseRPY(-0.5, 0, 1.5, 0, 0.3, 0), Near: 0.05,
		Far: 100}
}

func TestPicturesLookAsTheyDid(t *testing.T) {
	bent := stillCamera()
	bent.K1, bent.K2 = -0.3, 0.1
	for name, c := range map[string]Camera{"still": stillCamera(), "bent": bent} {
		m := draw(everything(), &c, Colours)
		file := filepath.Join("testdata", name+".png")
		if *update {
			if err := os.WriteFile(file, encoded(t, m), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i := range m.Width * m.Height {
			r, g, b, _ := want.At(i%m.Width, i/m.Width).RGBA()
			if [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)} != [3]uint8(m.RGB[3*i:]) {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%d pixels differ from %s; after a wanted change run go test ./sim/render -update and look at it",
				wrong, file)
		}
	}
}

func encoded(t *testing.T, m *Image) []byte {
	img := image.NewRGBA(image.Rect(0, 0, m.Width, m.Height))
	for i := range m.Width * m.Height {
		img.Set(i%m.Width, i/m.Width, color.RGBA{m.RGB[3*i], m.RGB[3*i+1], m.RGB[3*i+2], 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestARendererRemembersNothingOfOtherPictures(t *testing.T) {
	c, other := stillCamera(), looking()
	other.K1 = -0.2
	fresh := draw(everything(), &c, Colours|Depths|Labels)
	var r Renderer
	var m Image
	for range 2 {
		r.Render(&Stage{Items: everything().Items[:2]}, nil, &other, Colours|Labels, &m)
		r.Render(everything(), nil, &c, Colours|Depths|Labels, &m)
		if !bytes.Equal(m.RGB, fresh.RGB) || !slices.Equal(m.Depth, fresh.Depth) ||
			!slices.Equal(m.Labels, fresh.Labels) {
			t.Fatal("a used renderer draws another picture than a fresh one")
		}
	}
}

func TestAFrameAllocatesNothing(t *testing.T) {
	s, c := everything(), stillCamera()
	var r Renderer
	var m Image
	r.Render(s, nil, &c, Colours|Depths|Labels, &m)
	if n := testing.AllocsPerRun(5, func() { r.Render(s, nil, &c, Colours|Depths|Labels, &m) }); n != 0 {
		t.Errorf("a frame costs %v allocations", n)
	}
}

func TestALensThatCannotBeIsRefused(t *testing.T) {
	good := LensOf(64, 48, 1)
	for name, spoil := range map[string]func(*Lens){
		"no width":     func(l *Lens) { l.Width = 0 },
		"too large":    func(l *Lens) { l.Width, l.Height = 1<<20, 1<<20 },
		"NaN":          func(l *Lens) { l.CX = math.NaN() },
		"flat":         func(l *Lens) { l.FX = 0 },
		"far too bent": func(l *Lens) { l.K1 = math.Inf(1) },
	} {
		l := good
		spoil(&l)
		if l.Check() == nil {
			t.Errorf("%s: %+v was accepted", name, l)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}

func BenchmarkStill(b *testing.B) {
	for _, want := range []Want{Depths, Colours} {
		b.Run(fmt.Sprint(want), func(b *testing.B) {
			s, c := everything(), stillCamera()
			c.Lens = LensOf(640, 480, 1.1)
			var r Renderer
			var m Image
			for b.Loop() {
				r.Render(s, nil, &c, want, &m)
			}
		})
	}
}

// BenchmarkTerrain draws the depths of a terrain of 100,000 triangles, as
// large a picture as scene G of design/physics.md has.
func BenchmarkTerrain(b *testing.B) {
	const n = 224
	m := &scene.Mesh{}
	for y := range n + 1 {
		for x := range n + 1 {
			u, v := float64(x)/n, float64(y)/n
			m.Vertices = append(m.Vertices,
				r3.V(100*u-50, 100*v-50, 2*math.Sin(9*u)*math.Cos(7*v)+0.3*math.Sin(60*u*v)))
		}
	}
	for y := range int32(n) {
		for x := range int32(n) {
			a := y*(n+1) + x
			m.Triangles = append(m.Triangles, [3]int32{a, a + 1, a + n + 2},
				[3]int32{a, a + n + 2, a + n + 1})
		}
	}
	s := &Stage{Items: []Item{item(scene.Geom{Kind: scene.MeshGeom, Mesh: m}, at(0, 0, 0))}}
	c := Camera{Lens: LensOf(320, 240, 1.2), Pose: r3.PoseRPY(-45, 0, 12, 0, 0.3, 0), Near: 0.05, Far: 200}
	for name, want := range map[string]Want{"depth": Depths, "rgb": Colours} {
		b.Run(name, func(b *testing.B) {
			var r Renderer
			var img Image
			for b.Loop() {
				r.Render(s, nil, &c, want, &img)
			}
		})
	}
}
