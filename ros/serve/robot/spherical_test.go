package robot

import (
	"encoding/binary"
	"math"
	"testing"

	"simdeck/sim/render"
	"simdeck/sim/scene"
)

func TestTheCloudOfASphericalCameraStandsAllAroundIt(t *testing.T) {
	s := scene.CameraSpec{Spherical: true, Width: 9, Height: 5, FX: 8 / (2 * math.Pi), FY: 4 / math.Pi,
		CX: 4, CY: 2}
	m := &render.Image{Width: 9, Height: 5, Depth: make([]float32, 45)}
	for i := range m.Depth {
		m.Depth[i] = 2
	}
	cloud := newDepthCloud(&s, false).fill(0, "eye", m)
	point := func(u, v int) (p [3]float64) {
		for k := range p {
			at := (v*9+u)*int(cloud.PointStep) + 4*k
			p[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(cloud.Data[at:])))
		}
		return p
	}
	// in the optical frame: x right, y down, z forward
	for at, want := range map[[2]int][3]float64{{4, 2}: {0, 0, 2}, {6, 2}: {2, 0, 0}, {2, 2}: {-2, 0, 0},
		{0, 2}: {0, 0, -2}, {4, 0}: {0, -2, 0}, {4, 4}: {0, 2, 0}} {
		got := point(at[0], at[1])
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-5 {
				t.Errorf("pixel %v is at %v, want %v", at, got, want)
				break
			}
		}
	}
	if info := cameraInfo(&s); info.DistortionModel != "equirectangular" || len(info.D) != 0 {
		t.Errorf("%+v", info)
	}
}
