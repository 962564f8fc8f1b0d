package engine

import (
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/scenetest"
	"simdeck/sim/sensing"
)

func scanOf(t *testing.T, w *World) sim.Sample {
	t.Helper()
	s := w.Snapshot()
	i, _ := s.Find("rover")
	return s.SamplesOf(i)[0]
}

func TestALidarSeesTheWallAndNotItsOwnRobot(t *testing.T) {
	w := yard(t, sim.Playing)
	if got := scanOf(t, w); got.Data != nil || got.Seq != 0 {
		t.Errorf("a sample before the first: %+v", got)
	}
	steps(t, w, 50)
	got := scanOf(t, w)
	scan, ok := got.Data.(*sim.LidarScan)
	if !ok || got.Seq != 1 || got.Time != 200*time.Millisecond || len(scan.Ranges) != 91 ||
		math.Abs(got.Frame.Pos.Z-0.3) > 0.01 {
		t.Fatalf("sample %+v", got)
	}
	for i, r := range scan.Ranges {
		angle := -math.Pi/4 + float64(i)*math.Pi/2/90
		want := 2.9 / math.Cos(angle) // the wall's face is 2.9 m ahead and 4 m wide
		if math.Abs(2.9*math.Tan(angle)) > 2 {
			want = math.Inf(1)
		}
		if math.Abs(math.Abs(2.9*math.Tan(angle))-2) < 0.1 {
			continue // at the wall's edge
		}
		if math.IsInf(want, 1) != math.IsInf(float64(r), 1) || !math.IsInf(want, 1) &&
			math.Abs(float64(r)-want) > 0.05 {
			t.Errorf("ray %d sees %v m, want %v", i, r, want)
		}
	}
}

func TestSamplesComeAtTheirRate(t *testing.T) {
	w := yard(t, sim.Playing)
	for n := range 2500 {
		steps(t, w, 1)
		if got, want := scanOf(t, w).Seq, uint64((n+1)*4/200); got != want {
			t.Fatalf("%d samples at %v, want %d", got, w.Time(), want)
		}
	}
	if got := scanOf(t, w).Seq; got != 50 {
		t.Errorf("%d samples in 10 s at 5 Hz, want exactly 50", got)
	}
}

func TestNobodyLookingChangesNothing(t *testing.T) {
	a, b := yard(t, sim.Playing), yard(t, sim.Playing)
	b.sensing.Wanted = sensing.Never
	for range 200 {
		steps(t, a, 1)
		steps(t, b, 1)
		if a.Hash() != b.Hash() {
			t.Fatalf("looking at sensors changed the world at %v", a.Time())
		}
	}
	if got := scanOf(t, b); got.Data != nil {
		t.Error("computed for nobody")
	}
	b.sensing.Wanted = sensing.Always
	steps(t, a, 50)
	steps(t, b, 50)
	x, y := scanOf(t, a), scanOf(t, b)
	if x.Seq != 5 || y.Seq != 5 {
		t.Fatalf("samples %d and %d, want 5", x.Seq, y.Seq)
	}
	for i := range x.Data.(*sim.LidarScan).Ranges {
		if x.Data.(*sim.LidarScan).Ranges[i] != y.Data.(*sim.LidarScan).Ranges[i] {
			t.Fatal("a sample depends on whether those before it were computed")
		}
	}
}

func TestAResetBringsTheSameNoiseBack(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 100)
	first := scanOf(t, w).Data.(*sim.LidarScan)
	apply(t, w, sim.Reset{})
	if got := scanOf(t, w); got.Data != nil {
		t.Error("a sample survived the reset")
	}
	steps(t, w, 100)
	second := scanOf(t, w).Data.(*sim.LidarScan)
	noisy := false
	for i := range first.Ranges {
		if first.Ranges[i] != second.Ranges[i] {
			t.Fatalf("ray %d: %v, after the reset %v", i, first.Ranges[i], second.Ranges[i])
		}
		noisy = noisy || i > 0 && math.Abs(float64(first.Ranges[i]-first.Ranges[i-1])) > 1e-3
	}
	if !noisy {
		t.Error("there is no noise")
	}
}

func TestALidarHearsHowStronglyMaterialsAnswer(t *testing.T) {
	wall := scenetest.Wall()
	wall.Links[0].Collisions[0].Retro = 42
	w := played(t, earthward(), scene.Placed{Name: "ground", Model: scenetest.Ground(),
		Pose: r3.IdentityPose()},
		scene.Placed{Name: "wall", Model: wall, Pose: at(3, 0, 0.5)},
		scene.Placed{Name: "rover", Model: scenetest.Rover(), Pose: at(0, 0, 0)})
	steps(t, w, 50)
	scan := sampleOf[sim.LidarScan](t, w, "rover", 0)
	for i, r := range scan.Ranges {
		want := float32(42)
		if math.IsInf(float64(r), 0) {
			want = 0
		}
		if scan.Intensities[i] != want {
			t.Fatalf("ray %d of %v m has the intensity %v, want %v", i, r, scan.Intensities[i], want)
		}
	}
}
