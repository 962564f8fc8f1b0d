package pane

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
	"simdeck/ui/theme"
)

// cube is a model of one coloured box; withCamera gives it a camera that looks along x.
func cube(name string, size float64, colour [4]float32, withCamera bool) sim.EntityModel {
	g := scene.Geom{Name: "skin", Kind: scene.Box, Size: r3.V(size, size, size), Pose: r3.IdentityPose()}
	g.Material.Colour, g.Material.Ambient = colour, colour
	spec := &scene.ModelSpec{Name: name, Frame: r3.IdentityPose(),
		Links: []scene.Link{{Name: "body", Pose: r3.IdentityPose(), Visuals: []scene.Geom{g}}}}
	e := sim.EntityModel{Name: name, Spec: spec,
		Bounds: r3.Box{Min: r3.V(-size/2, -size/2, -size/2), Max: r3.V(size/2, size/2, size/2)}}
	if withCamera {
		e.Sensors = []sim.SensorModel{{Spec: &scene.Sensor{Name: "front", Kind: scene.Camera,
			Pose: r3.PoseRPY(size, 0, 0, 0, 0, 0),
			Camera: scene.CameraSpec{Width: 320, Height: 240, FX: 300, FY: 300, CX: 160, CY: 120, Near: 0.05,
				Far: 100}}}}
	}
	return e
}

// gallery is a world with a red, a green and a blue box; the green one looks at the red one.
func gallery() *sim.Snapshot {
	s := &sim.Snapshot{Model: &sim.Model{Entities: []sim.EntityModel{
		cube("blue", 1, [4]float32{0, 0, 1, 1}, false), cube("green", 1, [4]float32{0, 1, 0, 1}, true),
		cube("red", 1, [4]float32{1, 0, 0, 1}, false),
	}}}
	for i, x := range []float64{-5, 0, 5} {
		p := r3.Pose{Pos: r3.V(x, 0, 0.5), Rot: r3.Identity()}
		s.Model.Entities[i].FirstLink = i
		s.Entities = append(s.Entities, sim.EntityState{Pose: p})
		s.Links = append(s.Links, sim.LinkState{Pose: p})
	}
	return s
}

func TestOnASlowLineAPictureComesRowByRow(t *testing.T) {
	s, c, g := gallery(), &Camera{}, canvas.NewCellBuffer(40, 12)
	c.Feed(s)
	rows := func(stripe int) (drawn [12]string) {
		g.Clear()
		c.Draw(g.All(), &View{Snap: s, Entity: -1, Stripe: stripe})
		for y := range drawn {
			for x := range 40 {
				drawn[y] += fmt.Sprint(g.At(x, y).Fg, g.At(x, y).Bg)
			}
		}
		return drawn
	}
	before := rows(0)
	c.Turn(1, 0)
	for k := range 3 {
		c.aim = atChosen
		now := rows(4)
		for y := range 12 {
			if renewed := now[y] != before[y]; renewed && (y < 4*k || y >= 4*k+4) {
				t.Errorf("draw %d changed row %d, not its own", k+1, y)
			}
		}
		before = now
	}
	if all := rows(0); all != before {
		t.Error("after as many draws as there are stripes the picture is not what is seen")
	}
}

// shares are the parts of a picture that are mainly red, green and blue, as a terminal shows it.
func shares(c *Camera, s *sim.Snapshot, w, h int) (out [3]float64) {
	img := shot(c, s, w, h, canvas.Octant)
	size := img.Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() {
			p := img.RGBAAt(x, y)
			for i, v := range [3]uint8{p.R, p.G, p.B} {
				others := [3]uint8{p.R, p.G, p.B}
				if int(v) > 2*max(int(others[(i+1)%3]), int(others[(i+2)%3]))+20 {
					out[i] += 1 / float64(size.Dx()*size.Dy())
				}
			}
		}
	}
	return out
}

// shot is the picture of the camera pane on a terminal, without the margin.
func shot(c *Camera, s *sim.Snapshot, w, h int, m canvas.Mosaic) *image.RGBA {
	g := canvas.NewCellBuffer(w, h)
	c.Feed(s)
	c.Draw(g.All(), &View{Snap: s, Entity: -1, Pictures: Pictures{Mosaic: m}})
	th, _ := theme.New("")
	var file bytes.Buffer
	if err := g.PNG(&file, th); err != nil {
		panic(err)
	}
	img, err := png.Decode(&file)
	if err != nil {
		panic(err)
	}
	inside := img.Bounds().Inset((img.Bounds().Dx() - 10*w) / 2)
	out := image.NewRGBA(image.Rectangle{Max: inside.Size()})
	draw.Draw(out, out.Bounds(), img, inside.Min, draw.Src)
	return out
}

// TestAFinerMosaicShowsMore compares what a terminal shows with the same view drawn in all its points.
func TestAFinerMosaicShowsMore(t *testing.T) {
	const w, h = 48, 16
	s, c := gallery(), &Camera{}
	c.Feed(s)
	c.fit(s)
	shot(c, s, w, h, canvas.Half) // finds its size
	fine := &Camera{aim: atChosen, orbit: c.orbit}
	fine.Feed(s)
	fine.stage = outdoors(sim.NewStage(s.Model, nil))
	cam := fine.outside(10*w, 20*h)
	var truth render.Image
	fine.renderer.Render(fine.stage, s.Poses(nil), &cam, render.Colours, &truth)
	off := func(m canvas.Mosaic) (sum float64) {
		img := shot(c, s, w, h, m)
		for y := range 20 * h {
			for x := range 10 * w {
				p, q := img.RGBAAt(x, y), truth.RGB[3*(y*10*w+x):]
				for i, v := range [3]uint8{p.R, p.G, p.B} {
					d := float64(v) - float64(q[i])
					sum += d * d
				}
			}
		}
		return sum / float64(w*h*200)
	}
	before := math.Inf(1)
	for m := range canvas.Octant + 1 {
		now := off(m)
		t.Logf("%s: off by %.1f, squared", m, now)
		if now > 0.95*before {
			t.Errorf("%s is off by %.1f, the coarser one by %.1f", m, now, before)
		}
		before = now
	}
}

func TestTheWholeWorldIsSeenAtFirstInAWindowOfAnyShape(t *testing.T) {
	for _, size := range []image.Point{{80, 20}, {40, 40}, {20, 30}, {200, 60}, {3, 2}} {
		c := &Camera{}
		got := shares(c, gallery(), size.X, size.Y)
		if size.X >= 10 && (got[0] < 0.001 || got[1] < 0.001 || got[2] < 0.001) {
			t.Errorf("%v: red, green and blue take %v of the picture", size, got)
		}
		if size.X < 10 {
			continue
		}
		cam := c.outside(size.X, 2*size.Y)
		for i := range 8 {
			corner := r3.V(-5.5+11*float64(i&1), -0.5+float64(i>>1&1), float64(i>>2))
			if u, v, _, ok := cam.Project(corner); !ok || u < -0.5 || v < -0.5 || u > float64(size.X) ||
				v > float64(2*size.Y) {
				t.Errorf("%v: %v is seen at %.1f, %.1f", size, corner, u, v)
			}
		}
	}
}

func TestGoingRoundNearerAndElsewhereChangesWhatIsSeen(t *testing.T) {
	s := gallery()
	c := &Camera{}
	start := shares(c, s, 60, 30)
	c.Look(s.Entities[2].Pose.Pos)
	for range 7 {
		c.Zoom(1.25)
	}
	if got := shares(c, s, 60, 30); got[0] < 5*start[0] || got[2] > 0 {
		t.Errorf("near the red box: %v, at first %v", got, start)
	}
	c.Turn(math.Pi, 0)
	if c.Turn(0, 10); c.orbit.pitch > steepest {
		t.Errorf("pitch %v", c.orbit.pitch)
	}
	if got := shares(c, s, 60, 30); got[0] < 5*start[0] {
		t.Errorf("from above: %v", got)
	}
	c.Pan(3, 0)
	if got := shares(c, s, 60, 30); got[0] > 0 {
		t.Errorf("aside: %v", got)
	}
	for range 200 {
		c.Zoom(1.25)
	}
	if c.orbit.distance < leastOrbit {
		t.Errorf("%v m", c.orbit.distance)
	}
	c.Fit()
	if got := shares(c, s, 60, 30); got != start {
		t.Errorf("the whole world again: %v, at first %v", got, start)
	}
}

func TestARobotsCameraShowsWhatIsInFrontOfIt(t *testing.T) {
	s := gallery()
	c := &Camera{}
	c.Feed(s)
	c.Next()
	if c.Title() != "green/front" {
		t.Errorf("looks through %q", c.Title())
	}
	// The red box is 1 m wide, its face 3.5 m away: 300 px × 1 / 3.5 of 320 × 240 px, of a square pane.
	want := 300 / 3.5 / 320 * (300 / 3.5 / 240)
	if got := shares(c, s, 64, 24); math.Abs(got[0]-want) > 0.15*want || got[1]+got[2] > 0 {
		t.Errorf("sees %v, the red box should be %.3f of it", got, want)
	}
	s.Links[1].Pose.Rot = r3.FromRPY(0, 0, math.Pi)
	if got := shares(c, s, 64, 24); got[2] < 0.9*want || got[0] > 0 {
		t.Errorf("turned round it sees %v", got)
	}
	c.Next()
	if c.Title() == "green/front" {
		t.Error("after the last camera comes the view from outside")
	}
	c.Next()
	gone := gallery()
	gone.Model.Entities[1].Sensors = nil
	if c.Feed(gone); c.Title() == "green/front" || c.Cameras() {
		t.Errorf("looks through %q, which is gone", c.Title())
	}
}

func TestWithoutColoursThePictureIsOfLetters(t *testing.T) {
	c, s, g := &Camera{}, gallery(), canvas.NewCellBuffer(60, 20)
	c.Feed(s)
	c.Draw(g.All(), &View{Snap: s, Entity: -1, Plain: true})
	letters := map[rune]bool{}
	for _, r := range strings.ReplaceAll(g.Plain(), "\n", "") {
		letters[r] = true
		if r >= 128 {
			t.Fatalf("%q is no ASCII", r)
		}
	}
	if len(letters) < 3 {
		t.Errorf("only %v", letters)
	}
}

func TestAPictureKeepsItsColoursOnTheWayToTheTerminal(t *testing.T) {
	g := canvas.NewCellBuffer(3, 1)
	g.All().PutTile(0, 0, canvas.Tile{Rune: '▀', Fg: canvas.RGB{1, 2, 3}, Bg: canvas.RGB{4, 5, 6}})
	g.All().PutTile(1, 0, canvas.Tile{Rune: '▀', Fg: canvas.RGB{1, 2, 3}, Bg: canvas.RGB{4, 5, 6}})
	g.All().Put(2, 0, 'x', theme.Plain)
	th, err := theme.New("ansi")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Styled(th), "\x1b[0;38;2;1;2;3;48;2;4;5;6m▀▀"+th.SGR(theme.Plain)+"x"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func BenchmarkCamera(b *testing.B) {
	for _, size := range []image.Point{{60, 18}, {140, 40}} {
		for m := range canvas.Octant + 1 {
			b.Run(fmt.Sprint(size, m), func(b *testing.B) {
				c, s, g := &Camera{}, gallery(), canvas.NewCellBuffer(size.X, size.Y)
				c.Feed(s)
				b.ReportAllocs()
				for range b.N {
					c.Draw(g.All(), &View{Snap: s, Entity: -1, Pictures: Pictures{Mosaic: m}})
				}
			})
		}
	}
}
