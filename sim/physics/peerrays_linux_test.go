package physics

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

// raysText is a mesh and rays as peers/scene.hpp reads them.
func raysText(m *shape.Mesh, origin r3.Vec, dirs []r3.Vec, passes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "world 0 %d 0\nmesh %d %d\n", passes, len(m.Vertices()), len(m.Triangles()))
	for _, v := range m.Vertices() {
		fmt.Fprintf(&b, "%.9g %.9g %.9g\n", v.X, v.Y, v.Z)
	}
	for _, t := range m.Triangles() {
		fmt.Fprintf(&b, "%d %d %d\n", t[0], t[1], t[2])
	}
	fmt.Fprintf(&b, "rays %d 100\n", len(dirs))
	for _, d := range dirs {
		fmt.Fprintf(&b, "%v %v %v %.9g %.9g %.9g\n", origin.X, origin.Y, origin.Z, d.X, d.Y, d.Z)
	}
	return b.String()
}

// TestRaysOfTheComparisonHitTheTerrain casts a lidar's rays and those of a depth image; with -engines Embree
// casts them too, and a table says how long each takes.
func TestRaysOfTheComparisonHitTheTerrain(t *testing.T) {
	cells, passes := 40, 1
	if *engines != "" {
		cells, passes = 224, 15
	}
	m := terrain(t, cells)
	s := newScene(t, 0.5, earth())
	s.fixed(m, r3.Pose{})
	view := s.View()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, c := range []struct {
		name   string
		origin r3.Vec
		dirs   []r3.Vec
		fan    int // neighbours cast together
	}{
		{"F", r3.V(0, 0, 1.5), lidar(), 50}, {"G", r3.V(-12, 0, 2.5), depthImage(), 80},
	} {
		out := make([]float64, len(c.dirs))
		times := make([]float64, passes)
		for i := range times {
			start := cpuTime()
			for k := 0; k < len(c.dirs); k += c.fan {
				view.CastFan(c.origin, c.dirs[k:k+c.fan], 100, BodyID{}, out[k:k+c.fan])
			}
			times[i] = cpuTime() - start
		}
		slices.Sort(times)
		hits, sum := 0, 0.0
		for _, d := range out {
			if !math.IsInf(d, 1) {
				hits, sum = hits+1, sum+d
			}
		}
		if hits < len(out)/3 || hits > len(out)*9/10 {
			t.Errorf("%s: %d of %d rays hit", c.name, hits, len(out))
		}
		if *engines == "" {
			continue
		}
		ms := times[passes/2]
		fmt.Printf("%-5s %-15s %9.3f ms         %d hits, mean %.4f m\n", c.name, "simdeck", ms, hits, sum/float64(hits))
		for _, mode := range []string{"single", "packets"} {
			program := filepath.Join(*engines, "embree")
			if _, err := exec.LookPath(program); err != nil {
				continue
			}
			cmd := exec.Command(program, mode)
			cmd.Stdin = strings.NewReader(raysText(m, c.origin, c.dirs, passes))
			said, err := cmd.Output()
			var other, mean float64
			var n int
			if _, scan := fmt.Sscanf(string(said), "ms %g\nhits %d %g", &other, &n, &mean); err != nil || scan != nil {
				t.Errorf("%s %s: %q, %v", program, mode, said, err)
				continue
			}
			fmt.Printf("%-5s %-15s %9.3f ms  ×%.2f  %d hits, mean %.4f m\n", c.name, "embree "+mode, other, ms/other, n, mean)
			if d := n - hits; d < -30 || d > 30 {
				t.Errorf("%s: embree hits %d, we hit %d", c.name, n, hits)
			}
		}
	}
}
