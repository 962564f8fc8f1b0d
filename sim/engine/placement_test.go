package engine

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
)

// footprint is that of a description.
func footprint(spec *scene.ModelSpec) (*sim.Footprint, error) {
	m, err := model.Compile(spec, false)
	if err != nil {
		return nil, err
	}
	return footprintOf(m)
}

// The yard: a wall 0.2 × 4 × 1 m at x = 3, a crate of 0.5 m at (0, 2), the rover at the origin.
func TestAFootprintFitsWhereNothingStands(t *testing.T) {
	s := yard(t, sim.Stopped).Snapshot()
	box, err := footprint(scenetest.Box(0.5))
	if err != nil {
		t.Fatal(err)
	}
	rover, err := footprint(scenetest.Rover())
	if err != nil {
		t.Fatal(err)
	}
	turned := func(x, y, yaw float64) r3.Pose { return r3.PoseRPY(x, y, 0.25, 0, 0, yaw) }
	for name, c := range map[string]struct {
		f      *sim.Footprint
		at     r3.Pose
		except string
		want   string
	}{
		"free":                   {box, turned(-3, -3, 0), "", ""},
		"in the crate":           {box, turned(0.1, 2.1, 0), "", "crate"},
		"the crate itself":       {box, turned(0.1, 2.1, 0), "crate", ""},
		"beside the wall":        {box, turned(2.64, 0, 0), "", ""},
		"beside, but turned":     {box, turned(2.64, 0, math.Pi/4), "", "wall"},
		"into the wall":          {box, turned(2.67, 0, 0), "", "wall"},
		"under nothing":          {box, r3.PoseRPY(0, 0, 5, 0, 0, 0), "", ""},
		"rover between":          {rover, r3.PoseRPY(0, 1.5, 0, 0, 0, 0), "", ""},
		"rover's wheel in crate": {rover, r3.PoseRPY(0, 1.56, 0, 0, 0, 0), "", "crate"},
		"rover on the ground":    {rover, r3.PoseRPY(-2, -2, 0, 0, 0, 1), "", ""},
	} {
		if got := c.f.FirstOverlap(s, c.at, c.except); got != c.want {
			t.Errorf("%s: blocked by %q, want %q", name, got, c.want)
		}
	}
	if b := box.Box(); math.Abs(b.Size().X-0.5) > 1e-9 {
		t.Errorf("box %v", b)
	}
	if _, err := footprint(scenetest.Ground()); !errors.Is(err, sim.ErrFailed) {
		t.Errorf("a plane's footprint: %v", err)
	}
}

func TestTheNextFreePoseIsNearAndFree(t *testing.T) {
	s := yard(t, sim.Stopped).Snapshot()
	f, err := footprint(scenetest.Box(0.5))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []r3.Pose{r3.PoseRPY(0, 2, 0.25, 0, 0, 0.3), r3.PoseRPY(3, 0, 0.25, 0, 0, 0),
		r3.PoseRPY(-3, -3, 0.25, 0, 0, 0)} {
		at, ok := f.NearestFree(s, want, 0.1, 3, "")
		if !ok || f.FirstOverlap(s, at, "") != "" || at.Rot != want.Rot || at.Pos.Z != want.Pos.Z {
			t.Fatalf("near %v: %v, %v", want, at, ok)
		}
		// Nothing on the rings within is free.
		way := at.Pos.Dist(want.Pos)
		for angle := 0.0; angle < 6.2; angle += 0.1 {
			p := want
			p.Pos = p.Pos.Add(r3.V((way-0.15)*math.Cos(angle), (way-0.15)*math.Sin(angle), 0))
			if way > 0.15 && f.FirstOverlap(s, p, "") == "" {
				t.Errorf("near %v: %v is free, nearer than %v", want, p, at)
			}
		}
	}
	if at, ok := f.NearestFree(s, r3.PoseRPY(3, 0, 0.25, 0, 0, 0), 0.1, 0.2, ""); ok {
		t.Errorf("within 0.2 m of the wall's middle: %v", at)
	}
	for _, step := range []float64{0, -1, math.NaN()} {
		if _, ok := f.NearestFree(s, r3.PoseRPY(3, 0, 0.25, 0, 0, 0), step, 1, ""); ok {
			t.Errorf("steps of %v m", step)
		}
	}
}
