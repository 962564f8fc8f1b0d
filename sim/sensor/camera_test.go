package sensor

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/render"
	"simdeck/sim/scene"
)

func eye(kind scene.SensorKind, change func(*scene.CameraSpec)) (*Camera, error) {
	s := scene.CameraSpec{Width: 80, Height: 60, FX: 60, FY: 60, CX: 40, CY: 30, Near: 0.5, Far: 10}
	change(&s)
	return NewCamera(kind, &s)
}

func wallAt(x float64) *render.Stage {
	g := &scene.Geom{Kind: scene.Box, Size: r3.V(0.2, 40, 40),
		Material: scene.Material{Emissive: [4]float32{0.5, 0.5, 0.5, 1}, Colour: [4]float32{0, 0, 0, 1}}}
	return &render.Stage{Items: []render.Item{{Link: -1, Pose: r3.PoseRPY(x+0.1, 0, 0, 0, 0, 0),
		Shape: render.NewShape(g), Label: 1}}}
}

func TestDepthsOutOfReachAreInfinite(t *testing.T) {
	c, err := eye(scene.DepthCamera, func(*scene.CameraSpec) {})
	if err != nil {
		t.Fatal(err)
	}
	var r render.Renderer
	for x, want := range map[float64]float64{2: 2, 0.3: math.Inf(-1), 12: math.Inf(1)} {
		m := c.Take(r3.IdentityPose(), wallAt(x), nil, &r, NewNoise(Key{}))
		if got := float64(m.Depth[30*80+40]); got != want && !(math.Abs(got-want) < 1e-6) {
			t.Errorf("a wall at %v m is seen at %v, want %v (REP-118)", x, got, want)
		}
		if m.RGB != nil {
			t.Error("a depth camera sees colours")
		}
	}
}

func TestPixelsHaveTheNoiseOfTheirSensor(t *testing.T) {
	var r render.Renderer
	quiet, _ := eye(scene.Camera, func(*scene.CameraSpec) {})
	noisy, err := eye(scene.Camera, func(s *scene.CameraSpec) { s.NoiseStd = 0.02 })
	if err != nil {
		t.Fatal(err)
	}
	a := quiet.Take(r3.IdentityPose(), wallAt(2), nil, &r, NewNoise(Key{Seed: 1}))
	b := noisy.Take(r3.IdentityPose(), wallAt(2), nil, &r, NewNoise(Key{Seed: 1}))
	c := noisy.Take(r3.IdentityPose(), wallAt(2), nil, &r, NewNoise(Key{Seed: 1}))
	d := noisy.Take(r3.IdentityPose(), wallAt(2), nil, &r, NewNoise(Key{Seed: 1, Sample: 1}))
	var sum, square float64
	same := 0
	for i := range a.RGB {
		x := float64(b.RGB[i]) - float64(a.RGB[i])
		sum, square = sum+x, square+x*x
		if b.RGB[i] != c.RGB[i] {
			t.Fatal("one key, two pictures")
		}
		if b.RGB[i] == d.RGB[i] {
			same++
		}
	}
	n := float64(len(a.RGB))
	if mean, std := sum/n, math.Sqrt(square/n)/255; math.Abs(mean) > 0.2 || math.Abs(std-0.02) > 0.001 ||
		same > len(a.RGB)/5 {
		t.Errorf("mean %.3f of 255, deviation %.4f, %d of %.0f values equal in another sample; want 0, 0.02 and few",
			mean, std, same, n)
	}
}

func TestTheQuantilesAreThoseOfTheNormalDistribution(t *testing.T) {
	b := gaussianTable()
	var square, fourth float64
	for i, x := range b {
		if want := 0.5 * math.Erfc(-float64(x)/math.Sqrt2); math.Abs(want-(float64(i)+
			0.5)/gaussianTableSize) > 1e-6 {
			t.Fatalf("quantile %d is %v, below which lies %v", i, x, want)
		}
		square += float64(x) * float64(x) / gaussianTableSize
		fourth += float64(x) * float64(x) * float64(x) * float64(x) / gaussianTableSize
	}
	if math.Abs(square-1) > 0.005 || math.Abs(fourth-3) > 0.1 {
		t.Errorf("second and fourth moment %v and %v, want 1 and 3", square, fourth)
	}
}

func TestACameraThatCannotBeIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*scene.CameraSpec){
		"no pixels":  func(s *scene.CameraSpec) { s.Width = 0 },
		"too many":   func(s *scene.CameraSpec) { s.Width, s.Height = 1<<16, 1<<16 },
		"no focus":   func(s *scene.CameraSpec) { s.FX = 0 },
		"empty clip": func(s *scene.CameraSpec) { s.Far = 0.5 },
		"NaN":        func(s *scene.CameraSpec) { s.Distortion[0] = math.NaN() },
	} {
		if _, err := eye(scene.Camera, spoil); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := eye(scene.IMU, func(*scene.CameraSpec) {}); err == nil {
		t.Error("an IMU was taken for a camera")
	}
}
