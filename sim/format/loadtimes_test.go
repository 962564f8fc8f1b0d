//go:build unix

package format

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// tools is the interpreter that peers/env.sh has made; make bench-load says so.
var tools = flag.String("tools", "", "a Python with other tools, to load with them too, at full size")

// loads is the files that are loaded: a mesh, a robot of 20 links and a world of models, for us and for
// others.
type loads struct {
	dir    string
	models int
}

// surfaceSTL is a binary STL of a grid of points that is closed both ways.
func surfaceSTL(n, m int, at func(i, k int) r3.Vec) []byte {
	data := make([]byte, 84)
	for i := range n {
		for k := range m {
			for _, t := range [2][3]r3.Vec{{at(i, k), at(i+1, k), at(i+1, k+1)},
				{at(i, k), at(i+1, k+1), at(i, k+1)}} {
				if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
					continue
				}
				data = append(data, make([]byte, 12)...)
				for _, p := range t {
					for _, f := range [3]float64{p.X, p.Y, p.Z} {
						data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(f)))
					}
				}
				data = append(data, 0, 0)
			}
		}
	}
	binary.LittleEndian.PutUint32(data[80:], uint32((len(data)-84)/50))
	return data
}

// turned is a profile around z.
func turned(n int, profile [][2]float64) []byte {
	return surfaceSTL(n, len(profile)-1, func(i, k int) r3.Vec {
		a := 2 * math.Pi * float64(i%n) / float64(n)
		return r3.V(profile[k][0]*math.Cos(a), profile[k][0]*math.Sin(a), profile[k][1])
	})
}

func circle(n int, major, minor float64) [][2]float64 {
	var out [][2]float64
	for k := 0; k <= n; k++ {
		b := 2 * math.Pi * float64(k%n) / float64(n)
		out = append(out, [2]float64{major + minor*math.Cos(b), minor * math.Sin(b)})
	}
	return out
}

// cuts are the solids that are cut into convex hulls.
func cuts() map[string][]byte {
	return map[string][]byte{
		"ring":  turned(64, circle(24, 1, 0.3)),
		"frame": turned(4, [][2]float64{{1, -0.2}, {1.4, -0.2}, {1.4, 0.2}, {1, 0.2}, {1, -0.2}}),
		"cup":   turned(48, [][2]float64{{0, 0}, {1, 0}, {1, 2}, {0.9, 2}, {0.9, 0.1}, {0, 0.1}}),
	}
}

func (l *loads) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(l.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func newLoads(t *testing.T, around, models int) *loads {
	l := &loads{t.TempDir(), models}
	l.write(t, "ring.stl", string(wavyRing(around, around/5)))
	l.write(t, "ring.xml", `<mujoco><asset><mesh name="m" file="ring.stl"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`)
	for name, stl := range cuts() {
		l.write(t, "cut_"+name+".stl", string(stl))
	}
	inertial := `<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>`
	urdf := `<robot name="robot"><link name="l0">` + inertial + `</link>`
	for i := 1; i <= 20; i++ {
		l.write(t, fmt.Sprintf("part%d.stl", i), string(wavyRing(30+i, 12)))
		urdf += fmt.Sprintf(`<link name="l%d">%s<visual><geometry><mesh filename="part%d.stl"/></geometry></visual><collision><geometry><mesh filename="part%d.stl"/></geometry></collision></link>
<joint name="j%d" type="continuous"><parent link="l%d"/><child link="l%d"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>`, i, inertial, i, i, i, i-1, i)
	}
	l.write(t, "robot.urdf", urdf+"</robot>")
	sdf, mjcf := `<sdf version="1.9"><world name="w">`, `<mujoco><asset>`
	for k := range 10 {
		l.write(t, fmt.Sprintf("models/m%d/model.sdf", k), fmt.Sprintf(`<sdf version="1.9"><model name="m%d"><link name="l"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><mesh><uri>m.stl</uri></mesh></geometry></collision><visual name="v"><geometry><mesh><uri>m.stl</uri></mesh></geometry></visual></link></model></sdf>`, k))
		l.write(t, fmt.Sprintf("models/m%d/m.stl", k), string(wavyRing(40+k, 12)))
		mjcf += fmt.Sprintf(`<mesh name="m%d" file="models/m%d/m.stl"/>`, k, k)
	}
	mjcf += `</asset><worldbody>`
	for i := range models {
		sdf += fmt.Sprintf(`<include><uri>model://m%d</uri><name>n%d</name><pose>%d %d 1 0 0 0</pose></include>`,
			i%10, i, 4*(i%30), 4*(i/30))
		mjcf += fmt.Sprintf(`<body name="n%d" pos="%d %d 1"><freejoint/><geom type="mesh" mesh="m%d"/></body>`,
			i, 4*(i%30), 4*(i/30), i%10)
	}
	l.write(t, "world.sdf", sdf+`</world></sdf>`)
	l.write(t, "world.xml", mjcf+`</worldbody></mujoco>`)
	l.write(t, "ring.urdf", `<robot name="ring"><link name="a">`+inertial+
		`<collision><geometry><mesh filename="ring.stl"/></geometry></collision></link></robot>`)
	return l
}

func (l *loads) library(store Store) *Library {
	return NewLibrary(Config{Store: store,
		Roots: []asset.Root{{Name: "here", FS: os.DirFS(l.dir), Base: l.dir}}})
}

// timed is the shortest of three, in ms of the processor: the machine may be busy.
func timed(f func()) float64 {
	least := math.Inf(1)
	for range 3 {
		start := worked()
		f()
		least = min(least, 1000*(worked()-start).Seconds())
	}
	return least
}

// worked is the CPU time of this process.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// prepare makes the collision shapes of models: the hulls in which they move.
func prepare(t *testing.T, models ...*scene.ModelSpec) (hulls int) {
	t.Helper()
	for _, m := range models {
		for i := range m.Links {
			for _, g := range m.Links[i].Collisions {
				h, err := g.Mesh.Solids.Hulls(r3.V(1, 1, 1), shape.Cut{Parts: 1})
				if err != nil {
					t.Fatal(err)
				}
				hulls += len(h)
			}
		}
	}
	return hulls
}

// TestLoadTimesBesideOtherTools loads a mesh, a robot and a world, and decomposes solids into convex hulls.
// They are small unless -tools is given; then other tools do the same, and a table compares the times.
func TestLoadTimesBesideOtherTools(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	around, models := 40, 30
	if *tools != "" {
		around, models = 500, 1000 // a mesh of 100,000 triangles
	}
	l := newLoads(t, around, models)
	table := map[string][]string{}
	row := func(what, tool string, ms float64, more string) {
		table[what] = append(table[what], fmt.Sprintf("%-8s %-18s %9.1f ms %s", what, tool, ms, more))
	}
	for _, warm := range []bool{false, true} {
		kept := &fakeStore{}
		name := "simdeck"
		if warm {
			name = "simdeck, cached"
		}
		store := func() Store {
			if warm {
				return kept
			}
			return &fakeStore{}
		}
		run := func(what string, load func(*Library)) {
			load(l.library(store()))
			row(what, name, timed(func() { load(l.library(store())) }), "")
		}
		run("mesh", func(lib *Library) {
			m, err := lib.Model(scene.Resource{URI: "ring.urdf"})
			if err != nil {
				t.Fatal(err)
			}
			if n := prepare(t, m); n != 1 {
				t.Errorf("the ring has %d hulls as one", n)
			}
			if _, err := m.Links[0].Collisions[0].Mesh.Solids.Surface(r3.V(1, 1, 1)); err != nil {
				t.Fatal(err)
			}
		})
		run("robot", func(lib *Library) {
			m, err := lib.Model(scene.Resource{URI: "robot.urdf"})
			if err != nil {
				t.Fatal(err)
			}
			if n := prepare(t, m); n != 20 {
				t.Errorf("the robot has %d shapes, want 20", n)
			}
		})
		run("world", func(lib *Library) {
			w, err := lib.World(scene.Resource{URI: "world.sdf"})
			if err != nil || len(w.Models) != models {
				t.Fatalf("%v: %d models, want %d", err, len(w.Models), models)
			}
			for i := range w.Models {
				prepare(t, w.Models[i].Model)
			}
		})
	}
	for name, stl := range cuts() {
		m, err := mesh.Decode("x.stl", stl)
		if err != nil {
			t.Fatal(err)
		}
		var hulls []*shape.Hull
		ms := timed(func() { hulls, err = shape.Decompose(m.Vertices, m.Triangles, shape.Cut{}) })
		if err != nil || len(hulls) < 4 || len(hulls) > 12 {
			t.Errorf("%s: %d hulls, %v", name, len(hulls), err)
		}
		row(name, "simdeck", ms, wasted(m, hulls))
	}
	if *tools != "" {
		l.others(t, row)
	}
	for _, what := range []string{"mesh", "robot", "world", "ring", "frame", "cup"} {
		for _, line := range table[what] {
			t.Log(line)
		}
	}
}

func volumeOf(m *mesh.Mesh) float64 {
	v := 0.0
	for _, t := range m.Triangles {
		v += m.Vertices[t[0]].Dot(m.Vertices[t[1]].Cross(m.Vertices[t[2]])) / 6
	}
	return v
}

func wasted(m *mesh.Mesh, hulls []*shape.Hull) string {
	got := 0.0
	for _, h := range hulls {
		got += h.Mass(1).Mass
	}
	return fmt.Sprintf("%3d hulls, %+.1f %% of the volume", len(hulls), 100*(got/volumeOf(m)-1))
}

// others runs peers/load.py over the same files.
func (l *loads) others(t *testing.T, row func(what, tool string, ms float64, more string)) {
	t.Helper()
	script, err := filepath.Abs("peers/load.py")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(*tools, script, l.dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	for line := range strings.Lines(string(out)) {
		var what, tool string
		var ms, volume float64
		var hulls int
		if n, _ := fmt.Sscan(line, &what, &tool, &ms, &hulls, &volume); n != 5 {
			continue // output of the tool itself
		}
		more := ""
		if hulls > 0 {
			m, err := mesh.Decode("x.stl", cuts()[what])
			if err != nil {
				t.Fatal(err)
			}
			more = fmt.Sprintf("%3d hulls, %+.1f %% of the volume", hulls, 100*(volume/volumeOf(m)-1))
		}
		row(what, tool, ms, more)
	}
}
