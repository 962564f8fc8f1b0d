package render

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func sameImage(a, b *Image) bool {
	return bytes.Equal(a.RGB, b.RGB) && slices.Equal(a.Depth, b.Depth) && slices.Equal(a.Labels, b.Labels)
}

func TestAPictureIsTheSameInAnyNumberOfBandsDrawnByAnybody(t *testing.T) {
	s, all := everything(), Colours|Depths|Labels
	bent, close := stillCamera(), stillCamera()
	bent.K1, bent.K2 = -0.3, 0.1
	close.Pose = r3.PoseRPY(2, 0.2, 0.3, 0.3, 0.1, 0.4) // through faces that are cut at the near plane
	for name, c := range map[string]Camera{"plain": stillCamera(), "bent": bent, "close": close} {
		want := draw(s, &c, all)
		var r Renderer
		for _, bands := range []int{1, 2, 3, 7, 120, 500} {
			var m Image
			parts := r.Begin(s, nil, &c, all, &m, bands)
			var crowd sync.WaitGroup
			for part := range parts {
				crowd.Go(func() { r.Draw(parts - 1 - part) })
			}
			crowd.Wait()
			r.Finish()
			if !sameImage(&m, want) {
				t.Errorf("%s: in %d bands it is another picture", name, bands)
			}
		}
	}
}

// parade is the still scene with things that begin and stop to move, by link.
func parade() *Stage {
	s := everything()
	for i := 1; i < len(s.Items); i++ {
		s.Items[i].Link = i - 1
	}
	return s
}

func TestShadowsOfWhatMovesAreThoseOfAFreshMap(t *testing.T) {
	s, c := parade(), stillCamera()
	random := rand.New(rand.NewPCG(1, 2))
	links := make([]r3.Pose, len(s.Items)-1)
	for i := range links {
		links[i] = r3.IdentityPose()
	}
	var used Renderer
	var got Image
	kept := 0
	for frame := range 40 {
		switch {
		case frame < 3: // all stand
		case frame < 12:
			links[1].Pos.X += 0.02
		case frame < 20:
			links[1].Pos.X += 0.02
			links[4] = r3.PoseRPY(0, 0.01*float64(frame), 0, 0, 0, 0)
		case frame == 24:
			links[0].Pos.X += 40 // the map grows
		case frame == 28:
			s = parade() // the same things, of another stage
		case frame > 30:
			links[random.IntN(len(links))].Pos.Y += random.NormFloat64()
		}
		placed := used.shadows[0].placed
		used.Render(s, links, &c, Colours, &got)
		if used.shadows[0].placed == placed {
			kept++
		}
		var r Renderer
		var want Image
		r.Render(s, links, &c, Colours, &want)
		if !bytes.Equal(got.RGB, want.RGB) {
			t.Fatalf("frame %d: maps that were kept show other shadows than fresh ones", frame)
		}
	}
	if kept < 20 {
		t.Errorf("the sun's map stayed in its place in %d frames of 40: this test shows nothing", kept)
	}
}

func TestLightThatGoesStraightBetweenPixelsIsThatOfEachPixel(t *testing.T) {
	s := everything()
	for i, c := range []Camera{stillCamera(),
		{Lens: LensOf(320, 240, 0.6), Pose: r3.PoseRPY(0, -0.5, 0.8, 0, 0.1, 0.1), Near: 0.05, Far: 100}} {
		var r Renderer
		var exact, m Image
		r.exact = true
		r.Render(s, nil, &c, Colours, &exact)
		r.exact = false
		r.Render(s, nil, &c, Colours, &m)
		off, most := 0, 0
		for k := range m.RGB {
			d := int(m.RGB[k]) - int(exact.RGB[k])
			if d = max(d, -d); d > 2 {
				off++
			}
			most = max(most, d)
		}
		if off*1000 > len(m.RGB) || most > 12 {
			t.Errorf("view %d: %d of %d bytes differ by more than 2, one by %d", i, off, len(m.RGB), most)
		}
	}
}

func TestTonesRiseAndAreThoseOfTheCurve(t *testing.T) {
	last := uint8(0)
	for f := float32(-1); f < 8; f += 0.0007 {
		b := toneOf(f)
		if d := int(b) - int(byteOf(f)); d < -1 || d > 1 || b < last {
			t.Fatalf("%v is %d, by the curve %d, and below it was %d", f, b, byteOf(f), last)
		}
		last = b
	}
	if toneOf(1e30) != 255 || toneOf(0) != 0 {
		t.Errorf("the ends are %d and %d", toneOf(0), toneOf(1e30))
	}
}

func BenchmarkShadows(b *testing.B) {
	s, c := parade(), stillCamera()
	mesh := &scene.Mesh{}
	for i := range int32(2000) {
		x := float64(i%50)/10 - 2
		mesh.Vertices = append(mesh.Vertices, r3.V(x, float64(i/50)/10, 0), r3.V(x+0.1, float64(i/50)/10, 0),
			r3.V(x, float64(i/50)/10+0.1, 0.1))
		mesh.Triangles = append(mesh.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	s.Items = append(s.Items, item(scene.Geom{Kind: scene.MeshGeom, Mesh: mesh}, at(3, 0, 0)))
	links := make([]r3.Pose, len(s.Items))
	for i := range links {
		links[i] = r3.IdentityPose()
	}
	for _, moving := range []bool{false, true} {
		b.Run(fmt.Sprintf("moving=%v", moving), func(b *testing.B) {
			var r Renderer
			var m Image
			for b.Loop() {
				if moving {
					links[2].Pos.X += 1e-6
				}
				r.Render(s, links, &c, Colours, &m)
			}
		})
	}
}
