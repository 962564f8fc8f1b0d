package sensor

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

// room is six walls about the origin, each of a colour of its own, from lo to hi.
func room(lo, hi r3.Vec) *render.Stage {
	s := &render.Stage{}
	wall := func(at, size r3.Vec) {
		label := len(s.Items) + 1
		glow := func(bit int) float32 { return float32(label>>bit&1) * 0.8 }
		g := &scene.Geom{Kind: scene.Box, Size: size, Material: scene.Material{Colour: [4]float32{0, 0, 0, 1},
			Emissive: [4]float32{glow(0), glow(1), glow(2), 1}}}
		s.Items = append(s.Items, render.Item{Link: -1, Pose: r3.Pose{Pos: at, Rot: r3.Identity()},
			Shape: render.NewShape(g), Label: uint16(label)})
	}
	wall(r3.V(hi.X+0.5, 0, 0), r3.V(1, 40, 40))
	wall(r3.V(lo.X-0.5, 0, 0), r3.V(1, 40, 40))
	wall(r3.V(0, hi.Y+0.5, 0), r3.V(40, 1, 40))
	wall(r3.V(0, lo.Y-0.5, 0), r3.V(40, 1, 40))
	wall(r3.V(0, 0, hi.Z+0.5), r3.V(40, 40, 1))
	wall(r3.V(0, 0, lo.Z-0.5), r3.V(40, 40, 1))
	return s
}

// TestASphericalCameraSeesAllAround holds every pixel of pictures of a room against the wall that its
// direction meets first.
func TestASphericalCameraSeesAllAround(t *testing.T) {
	lo, hi := r3.V(-3, -1.5, -1), r3.V(2, 2.5, 1.2)
	stage := room(lo, hi)
	var r render.Renderer
	for _, c := range []struct {
		view          float64
		width, height int
		pose          r3.Pose
	}{
		{1, 41, 31, r3.IdentityPose()}, {math.Pi, 91, 45, r3.IdentityPose()},
		{math.Pi, 90, 1, r3.PoseRPY(0.5, 0.2, 0.1, 0, 0, 1)},
		{2 * math.Pi, 181, 91, r3.PoseRPY(-1, 0.5, 0, 0.3, -0.4, 2)},
		{2 * math.Pi, 61, 61, r3.IdentityPose()}, // above and below the poles it sees nothing
	} {
		s := scene.CameraSpec{Spherical: true, Width: c.width, Height: c.height, Near: 0.1, Far: 2.8,
			FX: float64(c.width-1) / c.view, FY: float64(c.width-1) / c.view,
			CX: float64(c.width-1) / 2, CY: float64(c.height-1) / 2}
		eye, err := NewCamera(scene.RGBDCamera, &s)
		if err != nil {
			t.Fatal(err)
		}
		m := eye.Take(c.pose, stage, nil, &r, NewNoise(Key{}))
		off, seen := 0, 0
		for i := range c.width * c.height {
			across := (float64(i%c.width) - s.CX) / s.FX
			down := (float64(i/c.width) - s.CY) / s.FY
			if math.Abs(down) > math.Pi/2+1e-9 {
				if !math.IsInf(float64(m.Depth[i]), 1) || m.RGB[3*i] != 0 {
					t.Fatalf("%g rad: beyond the pole there is something", c.view)
				}
				continue
			}
			dir := c.pose.Rot.Rotate(r3.V(math.Cos(down)*math.Cos(across), -math.Cos(down)*math.Sin(across),
				-math.Sin(down)))
			want, label := meets(c.pose.Pos, dir, lo, hi)
			got := float64(m.Depth[i])
			seen++
			if want > s.Far*1.05 && math.IsInf(got, 1) {
				continue
			}
			red := float64(label&1) * 255
			if math.Abs(got-want) > 0.06*want || math.Abs(float64(m.RGB[3*i])-red) > 140 {
				off++ // a pixel at an edge, or at the end of its reach
			}
		}
		if off*20 > seen {
			t.Errorf("%g rad, %d × %d: %d of %d pixels are off", c.view, c.width, c.height, off, seen)
		}
	}
}

// meets is the distance of the wall that a ray meets first, and its label.
func meets(from, dir, lo, hi r3.Vec) (float64, int) {
	best, label := math.Inf(1), 0
	for i, w := range [][3]float64{{dir.X, hi.X - from.X}, {dir.X, lo.X - from.X}, {dir.Y, hi.Y - from.Y},
		{dir.Y, lo.Y - from.Y}, {dir.Z, hi.Z - from.Z}, {dir.Z, lo.Z - from.Z}} {
		if d := w[1] / w[0]; d > 0 && d < best {
			best, label = d, i+1
		}
	}
	return best, label
}

// TestAPanoramaIsTheSameInAnyNumberOfBands draws it with one and with three goroutines' parts.
func TestAPanoramaIsTheSameInAnyNumberOfBands(t *testing.T) {
	s := scene.CameraSpec{Spherical: true, Width: 512, Height: 256, Near: 0.1, Far: 20,
		FX: 511 / (2 * math.Pi), FY: 511 / (2 * math.Pi), CX: 255.5, CY: 127.5}
	round, err := NewCamera(scene.RGBDCamera, &s)
	if err != nil {
		t.Fatal(err)
	}
	stage := room(r3.V(-3, -1.5, -1), r3.V(2, 2.5, 1.2))
	var r, several render.Renderer
	one := round.Take(r3.IdentityPose(), stage, nil, &r, NewNoise(Key{}))
	parts := &render.Image{}
	round.Begin(r3.IdentityPose(), stage, nil, &several, 3, parts)
	n := round.Parts(3)
	if n < 4 {
		t.Fatalf("%d parts", n)
	}
	for part := range n {
		several.Draw(n - 1 - part)
	}
	round.Finish(parts, &several, NewNoise(Key{}))
	for i := range one.Depth {
		if one.Depth[i] != parts.Depth[i] || one.RGB[3*i] != parts.RGB[3*i] {
			t.Fatalf("pixel %d differs", i)
		}
	}
	flat, err := eye(scene.DepthCamera, func(*scene.CameraSpec) {})
	if err != nil {
		t.Fatal(err)
	}
	m := flat.Take(r3.IdentityPose(), wallAt(2), nil, &r, NewNoise(Key{}))
	if d := float64(m.Depth[30*80+70]); math.Abs(d-2) > 1e-6 { // the renderer draws pinholes as before
		t.Errorf("a wall at 2 m is seen at %g", d)
	}
}
