package sensor

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// wall is an endless wall at x = its value.
type wall float64

func (w wall) CastFan(origin r3.Vec, dirs []r3.Vec, limit float64, out, intensities []float64) {
	for i, d := range dirs {
		if out[i] = (float64(w) - origin.X) / d.X; !(out[i] >= 0 && out[i] <= limit) {
			out[i] = math.Inf(1)
		}
	}
}

func scan(t *testing.T, s scene.LidarSpec, pose r3.Pose, c Caster, k Key) []float32 {
	t.Helper()
	l, err := NewLidar(&s)
	if err != nil {
		t.Fatal(err)
	}
	return l.Scan(pose, c, NewNoise(k))
}

func TestALidarMeasuresAWallByRingAndColumn(t *testing.T) {
	spec := scene.LidarSpec{Columns: 3, Rows: 2, MinAngle: -math.Pi / 4, MaxAngle: math.Pi / 4,
		MinElevation: 0, MaxElevation: math.Pi / 3, MinRange: 0.1, MaxRange: 10}
	got := scan(t, spec, r3.IdentityPose(), wall(2), Key{})
	want := []float64{2 * math.Sqrt2, 2, 2 * math.Sqrt2, 4 * math.Sqrt2, 4, 4 * math.Sqrt2}
	for i := range want {
		if math.Abs(float64(got[i])-want[i]) > 1e-6 {
			t.Errorf("ray %d: %v m, want %v", i, got[i], want[i])
		}
	}
}

// TestALidarsRingsNeedNotBeEvenlyApart looks at a wall with the elevations of eight of a VLP-32C's lasers,
// which are dense around the horizon.
func TestALidarsRingsNeedNotBeEvenlyApart(t *testing.T) {
	var list []float64
	for _, degrees := range []float64{-25, -15.639, -8.843, -5.333, -1.667, -0.333, 3.333, 15} {
		list = append(list, degrees*math.Pi/180)
	}
	spec := scene.LidarSpec{Columns: 1, Rows: len(list), Elevations: list, MinElevation: list[0],
		MaxElevation: list[7], MinRange: 0.1, MaxRange: 100}
	for i, got := range scan(t, spec, r3.IdentityPose(), wall(2), Key{}) {
		if want := 2 / math.Cos(list[i]); math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("ring %d: %v m, want %v", i, got, want)
		}
	}
	for _, wrong := range [][]float64{list[:7], append([]float64{0}, list[:7]...),
		append(list[:7:7], math.NaN()), append(list[:7:7], 2)} {
		spec.Elevations = wrong
		if _, err := NewLidar(&spec); err == nil {
			t.Errorf("a lidar of 8 rings with the elevations %v was made", wrong)
		}
	}
}

func TestALidarSeesFromItsOwnPose(t *testing.T) {
	spec := scene.LidarSpec{Columns: 1, Rows: 1, MaxRange: 10}
	if got := scan(t, spec, r3.PoseRPY(1, 5, 0, 0, 0, math.Pi/3), wall(2),
		Key{}); math.Abs(float64(got[0])-2) > 1e-6 {
		t.Errorf("got %v m, want 2", got[0])
	}
}

// directionCaster answers every ray with a number that follows from its direction, and
// counts.
type directionCaster struct{ rays int }

func (e *directionCaster) CastFan(origin r3.Vec, dirs []r3.Vec, limit float64, out, intensities []float64) {
	e.rays += len(dirs)
	for i, d := range dirs {
		out[i] = 3 + d.X + 0.5*d.Y + 0.25*d.Z
	}
}

func TestEveryRayOfAnyPatternIsCastOnceInAnyOrderOfParts(t *testing.T) {
	pose := r3.PoseRPY(1, 2, 3, 0.1, 0.2, 0.3)
	for _, size := range [][2]int{{1, 1}, {1, 360}, {2, 7}, {7, 13}, {8, 16}, {9, 17}, {64, 1024}, {1000, 1},
		{3, 5000}} {
		for _, span := range []float64{0.01, 2 * math.Pi} {
			spec := scene.LidarSpec{Rows: size[0], Columns: size[1], MinAngle: -span / 2, MaxAngle: span / 2,
				MinElevation: -0.4, MaxElevation: 0.3, MaxRange: 10, NoiseStd: 0.01}
			l, err := NewLidar(&spec)
			if err != nil {
				t.Fatal(err)
			}
			var e directionCaster
			truth := make([]float64, l.Rays())
			for part := l.Parts() - 1; part >= 0; part-- {
				l.Cast(part, pose, &e, truth, nil, &Tile{})
			}
			if e.rays != size[0]*size[1] || l.Rays() != e.rays {
				t.Errorf("%v: %d rays were cast", size, e.rays)
			}
			for i, d := range l.dirs {
				d = pose.Rot.Rotate(d)
				if want := 3 + d.X + 0.5*d.Y + 0.25*d.Z; truth[i] != want {
					t.Fatalf("%v: ray %d is %v, want %v", size, i, truth[i], want)
				}
			}
			got, want := l.Measure(truth, NewNoise(Key{Sample: 4}), nil),
				l.Scan(pose, &e, NewNoise(Key{Sample: 4}))
			if !slices.Equal(got, want) {
				t.Errorf("%v: in parts and at once differ", size)
			}
		}
	}
}

func TestRaysOfATileAreNearOneAnother(t *testing.T) {
	spec := scene.LidarSpec{Rows: 64, Columns: 1024, MinAngle: -math.Pi, MaxAngle: math.Pi,
		MinElevation: -0.4, MaxElevation: 0.3, MaxRange: 10}
	for _, spec.Rows = range []int{1, 4, 64} {
		l, err := NewLidar(&spec)
		if err != nil {
			t.Fatal(err)
		}
		if wide := float64(l.cols) * 2 * math.Pi / 1024; wide > tileSpan || l.rows*l.cols > tileRays ||
			l.rows*l.cols < tileRays/2 {
			t.Errorf("%d rings: tiles of %d × %d rays, %.2f rad wide", spec.Rows, l.rows, l.cols, wide)
		}
	}
}

func TestWhatIsOutOfRangeIsInfinite(t *testing.T) {
	spec := scene.LidarSpec{Columns: 1, Rows: 1, MinRange: 0.5, MaxRange: 10}
	for at, want := range map[wall]float64{0.2: math.Inf(-1), 11: math.Inf(1), -3: math.Inf(1), 0.5: 0.5,
		10: 10} {
		if got := scan(t, spec, r3.IdentityPose(), at, Key{}); float64(got[0]) != want {
			t.Errorf("wall at %v m: got %v, want %v (REP-117)", at, got[0], want)
		}
	}
}

func TestResolutionRoundsAndNoiseDependsOnItsKeyOnly(t *testing.T) {
	spec := scene.LidarSpec{Columns: 1, Rows: 1, MaxRange: 10, Resolution: 0.25}
	if got := scan(t, spec, r3.IdentityPose(), wall(2.3), Key{}); got[0] != 2.25 {
		t.Errorf("2.3 m at a resolution of 0.25 gave %v, want 2.25", got[0])
	}
	spec = scene.LidarSpec{Columns: 1000, Rows: 1, MaxRange: 10, NoiseStd: 0.05}
	a := scan(t, spec, r3.IdentityPose(), wall(2), Key{Sample: 1})
	b := scan(t, spec, r3.IdentityPose(), wall(2), Key{Sample: 1})
	c := scan(t, spec, r3.IdentityPose(), wall(2), Key{Sample: 2})
	var square float64
	same := 0
	for i := range a {
		square += float64(a[i]-2) * float64(a[i]-2)
		if a[i] != b[i] {
			t.Fatalf("ray %d: %v, then %v with the same key", i, a[i], b[i])
		}
		if a[i] == c[i] {
			same++
		}
	}
	if std := math.Sqrt(square / 1000); math.Abs(std-0.05) > 0.005 || same > 2 {
		t.Errorf("deviation %.4f m, want 0.05; %d rays equal in two samples", std, same)
	}
}

func TestAPatternThatCannotBeScannedIsRefused(t *testing.T) {
	good := scene.LidarSpec{Columns: 10, Rows: 1, MinRange: 0.1, MaxRange: 5}
	for name, spoil := range map[string]func(*scene.LidarSpec){
		"no columns":     func(s *scene.LidarSpec) { s.Columns = 0 },
		"too many rays":  func(s *scene.LidarSpec) { s.Columns, s.Rows = 1<<19, 1<<19 },
		"overflow":       func(s *scene.LidarSpec) { s.Columns, s.Rows = math.MaxInt, 2 },
		"NaN angle":      func(s *scene.LidarSpec) { s.MinAngle = math.NaN() },
		"empty range":    func(s *scene.LidarSpec) { s.MaxRange = 0.1 },
		"negative range": func(s *scene.LidarSpec) { s.MinRange = -1 },
	} {
		s := good
		spoil(&s)
		if _, err := NewLidar(&s); err == nil {
			t.Errorf("%s: %+v was accepted", name, s)
		}
	}
	if _, err := NewLidar(&good); err != nil {
		t.Error(err)
	}
}
