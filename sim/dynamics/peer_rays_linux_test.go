package dynamics

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// terrain is that of scenes F and G: cells by cells over 40 × 40 m.
func terrain(t testing.TB, cells int) *shape.Mesh {
	t.Helper()
	var v []r3.Vec
	var tri [][3]int32
	for j := range cells + 1 {
		for i := range cells + 1 {
			x, y := -20+40*float64(i)/float64(cells), -20+40*float64(j)/float64(cells)
			v = append(v, r3.V(x, y, 0.5*math.Sin(0.9*x)*math.Cos(0.7*y)+0.15*math.Sin(3.1*x+1.3*y)))
		}
	}
	w := int32(cells + 1)
	for j := range w - 1 {
		for i := range w - 1 {
			a := j*w + i
			tri = append(tri, [3]int32{a, a + 1, a + w + 1}, [3]int32{a, a + w + 1, a + w})
		}
	}
	return must[*shape.Mesh](t)(shape.NewMesh(v, tri))
}

// depthImage is the directions of scene G: 320 × 240, 60° wide, along +x.
func depthImage() []r3.Vec {
	var dirs []r3.Vec
	f := 160 / math.Tan(math.Pi/6)
	for y := range 240 {
		for x := range 320 {
			d, _ := r3.V(1, -(float64(x)+0.5-160)/f, -(float64(y)+0.5-120)/f).Unit()
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// raysText is a surface and rays as peers/scene.hpp reads them.
func raysText(m *pieces, origin r3.Vec, dirs []r3.Vec, passes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "world 0 %d 0\nmesh %d %d\n", passes, len(m.vertices), len(m.triangles))
	for _, v := range m.vertices {
		fmt.Fprintf(&b, "%.9g %.9g %.9g\n", v.X, v.Y, v.Z)
	}
	for _, t := range m.triangles {
		fmt.Fprintf(&b, "%d %d %d\n", t[0], t[1], t[2])
	}
	fmt.Fprintf(&b, "rays %d 100\n", len(dirs))
	for _, d := range dirs {
		fmt.Fprintf(&b, "%v %v %v %.9g %.9g %.9g\n", origin.X, origin.Y, origin.Z, d.X, d.Y, d.Z)
	}
	return b.String()
}

// shell is that of scene F: closed, around where the rays start, of 2·n² triangles.
func shell(t testing.TB, n int32) *shape.Mesh {
	t.Helper()
	var v []r3.Vec
	var tri [][3]int32
	for j := range n + 1 {
		for i := range n {
			th, ph := math.Pi*float64(j)/float64(n), 2*math.Pi*float64(i)/float64(n)
			r := 10 + 0.8*math.Sin(6*ph)*math.Sin(5*th) + 0.2*math.Sin(23*ph+11*th)
			if j == 0 || j == n {
				r = 10 // at 0 the pole would be a ring of points around a hole
			}
			sin := math.Sin(th)
			if j == n {
				sin = 0
			}
			v = append(v, r3.V(r*sin*math.Cos(ph), r*sin*math.Sin(ph), 1.5+r*math.Cos(th)))
			if a, b := j*n+i, j*n+(i+1)%n; j < n {
				tri = append(tri, [3]int32{a, a + n, b}, [3]int32{b, a + n, b + n})
			}
		}
	}
	return must[*shape.Mesh](t)(shape.NewMesh(v, tri))
}

// raysScene is a scene for ray casts, with its rays.
type raysScene struct {
	name   string
	world  func(t testing.TB) *scene
	origin r3.Vec
	dirs   []r3.Vec
	fan    int     // neighbours cast together
	hits   float64 // percent of the rays
	differ int     // hits by which round shapes and their triangles may differ
}

func raysScenes(cells int) []raysScene {
	mesh := func(make func(testing.TB, int) *shape.Mesh) func(testing.TB) *scene {
		return func(t testing.TB) *scene {
			s := newScene(t, 0.5, earth())
			s.fixed(make(t, cells), r3.Pose{})
			return s
		}
	}
	ball := func(t testing.TB, cells int) *shape.Mesh { return shell(t, int32(cells)) }
	return []raysScene{
		{"F shapes", prims, r3.V(0, 0, 1), lidar(), 50, 59.76, 300},
		{"F terrain", mesh(terrain), r3.V(0, 0, 1.5), lidar(), 50, 39.2, 30},
		{"F shell", mesh(ball), r3.V(0, 0, 1.5), lidar(), 50, 100, 110},
		{"G shapes", prims, r3.V(-12, 0, 1.5), depthImage(), 80, 50, 300},
		{"G terrain", mesh(terrain), r3.V(-12, 0, 2.5), depthImage(), 80, 41.9, 30},
	}
}

// cast casts the rays of a scene several times. It returns the median thread time, ms, the number of hits and
// their mean distance.
func (c *raysScene) cast(t testing.TB, view *QueryScene, passes int) (ms float64, hits int, mean float64) {
	out := make([]float64, len(c.dirs))
	times := make([]float64, passes)
	for i := range times {
		start := cpuTime()
		for k := 0; k < len(c.dirs); k += c.fan {
			view.CastPacket(c.origin, c.dirs[k:k+c.fan], 100, BodyID{}, out[k:k+c.fan])
		}
		times[i] = cpuTime() - start
	}
	slices.Sort(times)
	for _, d := range out {
		if !math.IsInf(d, 1) {
			hits, mean = hits+1, mean+d
		}
	}
	if percent := 100 * float64(hits) / float64(len(out)); math.Abs(percent-c.hits) > 2 {
		t.Errorf("%s: %.1f %% of the rays hit, want %v", c.name, percent, c.hits)
	}
	return times[passes/2], hits, mean / float64(hits)
}

// TestRaysOfTheComparisonHitTheExpectedNumber casts the rays of a lidar and of a depth image. With -engines
// Embree casts them too, and a table compares the times.
func TestRaysOfTheComparisonHitTheExpectedNumber(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	cells, passes := 40, 1
	if *engines != "" {
		cells, passes = 224, 15
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range raysScenes(cells) {
		s := c.world(t)
		ms, hits, mean := c.cast(t, s.QueryScene(), passes)
		if *engines == "" {
			continue
		}
		fmt.Printf("%-10s %-15s %9.3f ms         %d hits, mean %.4f m\n", c.name, "simdeck", ms, hits, mean)
		for _, mode := range []string{"single", "packets"} {
			program := filepath.Join(*engines, "embree")
			if _, err := exec.LookPath(program); err != nil {
				continue
			}
			cmd := exec.Command(program, mode)
			cmd.Stdin = strings.NewReader(raysText(s.flatPieces(), c.origin, c.dirs, passes))
			said, err := cmd.Output()
			var other, mean float64
			var n int
			if _, scan := fmt.Sscanf(string(said), "ms %g\nhits %d %g", &other, &n, &mean); err != nil ||
				scan != nil {
				t.Errorf("%s %s: %q, %v", program, mode, said, err)
				continue
			}
			fmt.Printf("%-10s %-15s %9.3f ms  ×%.2f  %d hits, mean %.4f m\n", c.name, "embree "+mode, other,
				ms/other, n, mean)
			if d := n - hits; d < -c.differ || d > c.differ {
				t.Errorf("%s: embree hits %d, we hit %d", c.name, n, hits)
			}
		}
	}
}
