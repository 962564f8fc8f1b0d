package render

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// gaussians are random Gaussians in front of a camera in the origin that looks along x.
func gaussians(n, degree int, seed uint64) *scene.Splats {
	random := rand.New(rand.NewPCG(seed, 1))
	s := &scene.Splats{Degree: degree}
	for range n {
		depth := 0.5 + 20*random.Float64()
		g := scene.Gaussian{Opacity: float32(random.Float64())}
		for k, v := range [3]float64{depth, depth * (random.Float64() - 0.5),
			depth * (random.Float64() - 0.5)} {
			g.Pos[k] = float32(v)
		}
		q, _ := r3.Quat{W: random.NormFloat64(), X: random.NormFloat64(), Y: random.NormFloat64(),
			Z: random.NormFloat64()}.Unit()
		g.Rot = [4]float32{float32(q.W), float32(q.X), float32(q.Y), float32(q.Z)}
		for k := range 3 {
			g.Scale[k] = float32(math.Exp(-4 + 3*random.Float64()))
			g.Base[k] = float32(3 * (random.Float64() - 0.5))
		}
		s.Gaussians = append(s.Gaussians, g)
		for range 3 * ((degree+1)*(degree+1) - 1) {
			s.Harmonics = append(s.Harmonics, float32(0.3*random.NormFloat64()))
		}
	}
	return s
}

// brute computes a pixel from the definition: every Gaussian, by depth, with matrices multiplied out.
func brute(s *scene.Splats, c *Camera, u, v int, base [3]float64, front float64) [3]float64 {
	type drop struct {
		depth, alpha float64
		colour       [3]float64
	}
	var drops []drop
	w := c.view()
	for i := range s.Gaussians {
		g := &s.Gaussians[i]
		way := r3.V(float64(g.Pos[0]), float64(g.Pos[1]), float64(g.Pos[2])).Sub(c.Pose.Pos)
		p := w.Apply(way)
		if p.Z < nearest || p.Z >= front {
			continue
		}
		rot := r3.Quat{W: float64(g.Rot[0]), X: float64(g.Rot[1]), Y: float64(g.Rot[2]),
			Z: float64(g.Rot[3])}.Mat()
		size := r3.Mat{XX: float64(g.Scale[0]), YY: float64(g.Scale[1]), ZZ: float64(g.Scale[2])}
		root := w.Mul(rot).Mul(size)
		spread := root.Mul(root.T()) // in the optical frame
		clamp := func(x, f, size, c float64) float64 {
			mid := (size/2 - c) / f
			return math.Max(mid-widest*size/2/f, math.Min(mid+widest*size/2/f, x))
		}
		jx := r3.V(c.FX/p.Z, 0, -c.FX/p.Z*clamp(p.X/p.Z, c.FX, float64(c.Width), c.CX))
		jy := r3.V(0, c.FY/p.Z, -c.FY/p.Z*clamp(p.Y/p.Z, c.FY, float64(c.Height), c.CY))
		xx, xy, yy := jx.Dot(spread.Apply(jx))+softest, jx.Dot(spread.Apply(jy)),
			jy.Dot(spread.Apply(jy))+softest
		dx, dy := float64(u)-(c.FX*p.X/p.Z+c.CX), float64(v)-(c.FY*p.Y/p.Z+c.CY)
		form := (dx*dx*yy - 2*dx*dy*xy + dy*dy*xx) / (xx*yy - xy*xy)
		alpha := math.Min(densest, float64(g.Opacity)*math.Exp(-form/2))
		if float64(g.Opacity)*math.Exp(-form/2) < faintest {
			continue
		}
		var y [15]float64
		d, _ := way.Unit()
		harmonics(d, s.Degree, &y)
		n := (s.Degree+1)*(s.Degree+1) - 1
		one := drop{depth: p.Z, alpha: alpha}
		for k := range 3 {
			one.colour[k] = 0.5 + harmonic0*float64(g.Base[k])
			for j := range n {
				one.colour[k] += y[j] * float64(s.Harmonics[3*n*i+n*k+j])
			}
			one.colour[k] = math.Max(0, one.colour[k])
		}
		drops = append(drops, one)
	}
	slices.SortFunc(drops, func(a, b drop) int { return int(math.Copysign(1, a.depth-b.depth)) })
	out, left := [3]float64{}, 1.0
	for _, d := range drops {
		for k := range out {
			out[k] += left * d.alpha * d.colour[k]
		}
		left *= 1 - d.alpha
	}
	for k := range out {
		out[k] = math.Min(255, 255*out[k]+left*base[k])
	}
	return out
}

func TestACloudLooksAsItsDefinitionSays(t *testing.T) {
	for degree := range 4 {
		s := gaussians(300, degree, uint64(degree))
		c := looking()
		c.CX, c.CY = 28, 27
		if degree == 3 {
			c.Pose = r3.PoseRPY(0.3, -0.2, 0.1, 0.4, 0.1, -0.2)
		}
		bare := &Stage{Items: []Item{item(paintedBox(0.2, 1.5, 1.5, [4]float32{0.2, 0.9, 0.3, 1}),
			at(7, -0.8, 0))}}
		with := *bare
		with.Cloud = NewCloud(s)
		plain, got := draw(bare, &c, Colours|Depths), draw(&with, &c, Colours|Depths)
		if !slices.Equal(plain.Depth, got.Depth) {
			t.Error("a cloud changes depths: it is looks alone")
		}
		worst, where := 0.0, [2]int{}
		for v := range c.Height {
			for u := range c.Width {
				i := v*c.Width + u
				base := [3]float64{float64(plain.RGB[3*i]), float64(plain.RGB[3*i+1]),
					float64(plain.RGB[3*i+2])}
				want := brute(s, &c, u, v, base, float64(plain.Depth[i]))
				for k := range want {
					if d := math.Abs(want[k] - float64(got.RGB[3*i+k])); d > worst {
						worst, where = d, [2]int{u, v}
					}
				}
			}
		}
		if worst > 1.1 {
			t.Errorf("degree %d: at %v it is %.2f of 255 off", degree, where, worst)
		}
		if slices.Equal(plain.RGB, got.RGB) {
			t.Error("the cloud is not seen: the test proves nothing")
		}
	}
}

func TestWhatStandsBeforeACloudHidesItAndABackdropDoesNot(t *testing.T) {
	s := &scene.Splats{Gaussians: []scene.Gaussian{{Pos: [3]float32{10, 0, 0}, Scale: [3]float32{1, 1, 1},
		Rot: [4]float32{1, 0, 0, 0}, Opacity: 1, Base: [3]float32{5, -5, -5}}}}
	c, red := looking(), func(m *Image) bool {
		p := m.RGB[3*(24*64+32):]
		return p[0] > 240 && p[1] < 20 &&
			p[2] < 20
	}
	box := paintedBox(0.5, 4, 4, [4]float32{0, 0, 1, 1})
	for _, step := range []struct {
		name  string
		items []Item
		want  bool
	}{
		{"nothing", nil, true},
		{"a box before it", []Item{item(box, at(5, 0, 0))}, false},
		{"a box behind it", []Item{item(box, at(15, 0, 0))}, true},
		{"a backdrop before it", []Item{{Link: -1, Pose: at(5, 0, 0), Shape: NewShape(&box), Backdrop: true}},
			true},
	} {
		if got := red(draw(&Stage{Items: step.items, Cloud: NewCloud(s)}, &c, Colours)); got != step.want {
			t.Errorf("with %s it is seen: %v", step.name, got)
		}
	}
}

func TestHarmonicsAreOrthonormal(t *testing.T) {
	const n = 200 // rings, midpoint rule
	var sum [15][15]float64
	for i := range n {
		z := -1 + (2*float64(i)+1)/n
		for j := range n {
			phi := 2 * math.Pi * (float64(j) + 0.5) / n
			var y [15]float64
			harmonics(r3.V(math.Sqrt(1-z*z)*math.Cos(phi), math.Sqrt(1-z*z)*math.Sin(phi), z), 3, &y)
			for a := range y {
				for b := range y {
					sum[a][b] += y[a] * y[b] * 4 * math.Pi / (n * n)
				}
			}
		}
	}
	for a := range sum {
		for b, got := range sum[a] {
			want := 0.0
			if a == b {
				want = 1
			}
			if math.Abs(got-want) > 1e-3 {
				t.Errorf("harmonics %d and %d have the product %.5f, want %g", a+1, b+1, got, want)
			}
		}
	}
}

func TestACloudIsTheSameInAnyNumberOfBandsAndAllocatesNothingAgain(t *testing.T) {
	s := everything()
	s.Cloud = NewCloud(gaussians(3000, 2, 9))
	c := stillCamera()
	want := draw(s, &c, Colours)
	var r Renderer
	for _, bands := range []int{1, 2, 5, 100} {
		var m Image
		parts := r.Begin(s, nil, &c, Colours, &m, bands)
		var crowd sync.WaitGroup
		for part := range parts {
			crowd.Go(func() { r.Draw(part) })
		}
		crowd.Wait()
		r.Finish()
		if !slices.Equal(m.RGB, want.RGB) {
			t.Errorf("in %d bands it is another picture", bands)
		}
	}
	var m Image
	r = Renderer{}
	for range 2 {
		r.Render(s, nil, &c, Colours, &m)
	}
	if n := testing.AllocsPerRun(3, func() { r.Render(s, nil, &c, Colours, &m) }); n != 0 {
		t.Errorf("a frame costs %v allocations", n)
	}
}

func TestNoGaussianOfACloudIsLostInItsBlocks(t *testing.T) {
	s := gaussians(5000, 0, 3)
	for i := range s.Gaussians {
		s.Gaussians[i].Opacity = max(s.Gaussians[i].Opacity, 0.01)
	}
	cloud := NewCloud(s)
	seen := make([]bool, len(s.Gaussians))
	for _, k := range cloud.blocks {
		for _, b := range cloud.gaussians[k.first:k.end] {
			if seen[b.index] {
				t.Fatalf("Gaussian %d stands twice", b.index)
			}
			seen[b.index] = true
			if b.pos.Sub(k.middle).Len() > k.radius {
				t.Fatalf("Gaussian %d is outside its block", b.index)
			}
		}
	}
	if slices.Contains(seen, false) {
		t.Error("one is missing")
	}
	if NewCloud(nil) != nil {
		t.Error("no Gaussians make a cloud")
	}
}

// BenchmarkCloud draws 200,000 Gaussians of which a third is seen, as a camera of 640 × 480 sees a street.
func BenchmarkCloud(b *testing.B) {
	s := gaussians(200_000, 3, 1)
	for i := range s.Gaussians {
		g := &s.Gaussians[i]
		for k := range 3 {
			g.Scale[k] *= 0.2
		}
		if i%3 > 0 {
			g.Pos[0] = -g.Pos[0]
		}
	}
	stage := &Stage{Cloud: NewCloud(s)}
	c := Camera{Lens: LensOf(640, 480, 1.2), Pose: r3.IdentityPose(), Near: 0.05, Far: 100}
	var r Renderer
	var m Image
	b.ReportAllocs()
	for b.Loop() {
		r.Render(stage, nil, &c, Colours, &m)
	}
}
