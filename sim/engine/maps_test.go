package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// paper is a map as its picture shows it, read here by other means than the engine's.
type paper struct {
	width, height int
	pix           []byte
}

func readPaper(t *testing.T, file string) paper {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p paper
	lines := strings.SplitN(string(data[:min(200, len(data))]), "\n", 5)
	if lines[0] != "P5" || !strings.HasPrefix(lines[1], "#") {
		t.Fatalf("header %q", lines)
	}
	if _, err := fmt.Sscan(lines[2], &p.width, &p.height); err != nil {
		t.Fatal(err)
	}
	head := len(lines[0]) + len(lines[1]) + len(lines[2]) + len(lines[3]) + 4
	p.pix = bytes.Clone(data[head:])
	return p
}

// look walks from x, y in metres from the picture's lower left corner in steps of a millimetre until a black
// pixel.
func (p paper) look(x, y, angle, resolution, far float64) float64 {
	for d := 0.0; d < far; d += 0.001 {
		i, k := int(math.Floor((x+d*math.Cos(angle))/resolution)),
			int(math.Floor((y+d*math.Sin(angle))/resolution))
		if i < 0 || k < 0 || i >= p.width || k >= p.height {
			return math.Inf(1)
		}
		if p.pix[(p.height-1-k)*p.width+i] < 80 {
			return d
		}
	}
	return math.Inf(1)
}

// drawPaper draws a map of 20 m by 20 m: a room with pillars in the middle, and unknown cells beyond its
// walls.
func drawPaper(t *testing.T) string {
	t.Helper()
	const cells, unknown, occupied, free = 400, 205, 0, 254
	pix := bytes.Repeat([]byte{unknown}, cells*cells)
	fill := func(x0, y0, x1, y1 int, shade byte) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				pix[(cells-1-y)*cells+x] = shade
			}
		}
	}
	fill(150, 155, 250, 245, occupied)
	fill(152, 157, 248, 243, free)
	fill(175, 175, 180, 182, occupied)
	fill(222, 170, 226, 174, occupied)
	fill(215, 220, 223, 224, occupied)
	dir := t.TempDir()
	text := fmt.Sprintf("P5\n# drawn by a test\n%d %d\n255\n%s", cells, cells, pix)
	about := "image: map.pgm\nresolution: 0.05\norigin: [-10, -10, 0]\nnegate: 0\n" +
		"occupied_thresh: 0.65\nfree_thresh: 0.196\n"
	for name, content := range map[string]string{"map.pgm": text, "map.yaml": about} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestARobotDrivesInAMapAndSeesTheWallsThatItsPictureShows(t *testing.T) {
	t.Run("own", func(t *testing.T) {
		models, err := filepath.Abs("../../ros/interop/testdata/models")
		if err != nil {
			t.Fatal(err)
		}
		drivesInAMap(t, drawPaper(t), models, "model://two_wheeler")
	})
	t.Run("corpus", func(t *testing.T) {
		dir := corpus(t)
		drivesInAMap(t, dir+"/maps/turtlebot3_world", dir+"/sdf/turtlebot3_world",
			"model://turtlebot3_burger")
	})
}

// drivesInAMap puts a robot into the world of a map, drives it, and holds its lidar against the picture.
func drivesInAMap(t *testing.T, paper, models, robot string) {
	t.Helper()
	lib := mounted(t, paper, models)
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []sim.Command{
		sim.LoadWorld{Resource: scene.Resource{URI: paper + "/map.yaml"}},
		sim.SetState{State: sim.Playing},
		sim.Spawn{Name: "tb3", Resource: scene.Resource{URI: robot},
			Pose: sim.FramedPose{Frame: "clear", Pose: r3.PoseRPY(0, 0, 0.011, 0, 0, 0)}},
	} {
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			t.Fatalf("%s: %v", sim.Describe(c), err)
		}
	}
	second := int(1 / w.StepSize().Seconds())
	advance(t, w, second)
	start := stateOf(t, w).state.Pose
	do(t, w, sim.DriveEntity{Name: "tb3", Twist: r3.Twist{Linear: r3.V(0.1, 0, 0), Angular: r3.V(0, 0, 0.3)}})
	advance(t, w, 2*second)
	end := stateOf(t, w).state.Pose
	if d := start.Relative(end).Pos; d.X < 0.1 || d.X > 0.25 {
		t.Errorf("drove %v in 2 s at 0.1 m/s", d)
	}
	compareScan(t, w, readPaper(t, paper+"/map.pgm"))
}

// compareScan holds the last scan against the picture; a ray may miss a wall at its corner, few may.
func compareScan(t *testing.T, w *engine.World, p paper) {
	t.Helper()
	s := w.Snapshot()
	i, _ := s.Find("tb3")
	for _, sample := range s.SamplesOf(i) {
		scan, ok := sample.Data.(*sim.LidarScan)
		if !ok {
			continue
		}
		at := sample.Frame.Pos
		_, _, yaw := sample.Frame.Rot.RPY()
		seen, wrong := 0, 0
		for k, r := range scan.Ranges {
			angle := scan.Spec.MinAngle +
				float64(k)*(scan.Spec.MaxAngle-scan.Spec.MinAngle)/float64(scan.Spec.Columns-1)
			want := p.look(at.X+10, at.Y+10, yaw+angle, 0.05, scan.Spec.MaxRange)
			if !math.IsInf(want, 1) && want > scan.Spec.MinRange {
				if seen++; math.Abs(float64(r)-want) > 0.06 {
					wrong++
				}
			}
		}
		if seen < 100 || wrong > seen/20 {
			t.Errorf("%d rays meet a wall in the picture, %d of them see it elsewhere", seen, wrong)
		}
		return
	}
	t.Error("no scan")
}
