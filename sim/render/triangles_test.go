package render

import (
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestTrianglesAreThoseThatCamerasDraw(t *testing.T) {
	g := scene.Geom{Kind: scene.Box, Size: r3.V(1, 2, 3), Material: scene.Material{
		Colour: [4]float32{0.5, 0, 0, 0.5}, DoubleSided: true}}
	got := NewShape(&g).Triangles()
	if len(got.Faces) != 12 || len(got.Corners) != 12 || len(got.Runs) != 1 {
		t.Fatalf("%+v", got)
	}
	run := got.Runs[0]
	want := Paint{Diffuse: [3]float32{0.5, blackest, blackest}, Ambient: [3]float32{0.5, blackest, blackest},
		Alpha: 0.5, Gloss: 4, DoubleSided: true, Translucent: true}
	if run.First != 0 || run.End != 12 || run.Paint != want {
		t.Errorf("%+v, want all 12 faces with %+v", run, want)
	}
	for i, f := range got.Faces {
		a, b, c := got.Points[f[0]], got.Points[f[1]], got.Points[f[2]]
		if b.Sub(a).Cross(c.Sub(a)).Dot(a.Add(b).Add(c)) <= 0 {
			t.Errorf("face %d looks inwards", i)
		}
	}
}

func TestAStageWithoutLightHasTheSunOfCameras(t *testing.T) {
	s := Stage{}
	if got := s.Illumination(); len(got.Lights) != 1 || !got.Lights[0].Shadows ||
		got.Ambient != ambient.array() || got.Background != background.array() {
		t.Errorf("%+v", got)
	}
	s = Stage{Lights: []scene.Light{{Name: "a", Off: true}, {Name: "b", Shadows: true}},
		Ambience: scene.Ambience{NoShadows: true, Ambient: [4]float32{1, 0, 0, 1}, Sky: true}}
	got := s.Illumination()
	if len(got.Lights) != 1 || got.Lights[0].Name != "b" || got.Lights[0].Shadows || !got.Sky ||
		got.Ambient != [3]float32{1, 0, 0} {
		t.Errorf("%+v", got)
	}
}
