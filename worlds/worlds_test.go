package worlds_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/worlds"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func library() *format.Library {
	return format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: worlds.FS()}}})
}

// describe is a world as lines of text.
func describe(w *scene.WorldSpec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "world %s, step %g s, gravity %v, tags %v\n", w.Name, w.StepSize, w.Gravity, w.Tags)
	for _, m := range w.Models {
		fmt.Fprintf(&b, "model %s of %s at %s, %v, tags %v", m.Name, m.Model.Name, place(m.Pose),
			m.Model.Info.Category, m.Model.Info.Tags)
		for _, mark := range []struct {
			is   bool
			word string
		}{{m.Static, "static"}, {m.Deletable, "deletable"}, {m.Namespace != "", "namespace " + m.Namespace}} {
			if mark.is {
				b.WriteString(", " + mark.word)
			}
		}
		b.WriteString("\n")
		model(&b, m.Model)
	}
	for _, p := range w.NamedPoses {
		fmt.Fprintf(&b, "pose %s at %s, tags %v, bounds %v: %s\n", p.Name, place(p.Pose), p.Tags, p.Bounds,
			p.Description)
	}
	return b.String()
}

func model(b *strings.Builder, m *scene.ModelSpec) {
	for _, l := range m.Links {
		fmt.Fprintf(b, "  link %s at %s, %g kg, %d collisions, %d visuals\n", l.Name, place(l.Pose),
			l.Inertial.Mass, len(l.Collisions), len(l.Visuals))
		for _, s := range l.Sensors {
			fmt.Fprintf(b, "    sensor %s %g Hz on %s: %d × %d rays\n", s.Name, s.Rate, s.Topic, s.Lidar.Rows,
				s.Lidar.Columns)
		}
	}
	for _, j := range m.Joints {
		parent := "the world"
		if j.Parent != scene.World {
			parent = m.Links[j.Parent].Name
		}
		fmt.Fprintf(b, "  joint %s kind %d from %s to %s\n", j.Name, j.Kind, parent, m.Links[j.Child].Name)
	}
	for _, d := range m.Drives {
		fmt.Fprintf(b, "  drive left %v right %v, separation %g m, radius %g m\n", d.Left, d.Right,
			d.Separation, d.Radius)
	}
}

func place(p r3.Pose) string {
	return fmt.Sprintf("%g %g %g yaw %.4g", p.Pos.X, p.Pos.Y, p.Pos.Z, p.Rot.Yaw())
}

func TestEveryEmbeddedWorldLoadsWithoutANoteAndIsAsRecorded(t *testing.T) {
	lib := library()
	list, complaints := lib.Worlds(nil)
	if len(list) < 2 || len(complaints) > 0 {
		t.Fatalf("worlds %v, complaints %v", list, complaints)
	}
	for _, info := range list {
		w, err := lib.World(scene.Resource{URI: info.URI})
		if err != nil {
			t.Fatal(err)
		}
		if byName, err := lib.World(scene.Resource{URI: info.Name}); err != nil || byName.Name != w.Name {
			t.Errorf("%s does not open by the name %s: %v", info.URI, info.Name, err)
		}
		if info.Description == "" || len(info.Tags) == 0 || info.Name != w.Name {
			t.Errorf("%s is described as %+v", info.URI, info)
		}
		for _, n := range w.Notes {
			if !n.Kind.Harmless() { // as check --strict has it
				t.Errorf("%s: %s", info.URI, n)
			}
		}
		golden(t, "testdata/"+w.Name+".txt", describe(w))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("differs from %s (-update rewrites it):\n%s", name, got)
	}
}

func TestEveryEmbeddedModelSpawnsWithASidecarAndWithoutANote(t *testing.T) {
	lib := library()
	list, complaints := lib.Spawnables(nil)
	if len(list) < 10 || len(complaints) > 0 {
		t.Fatalf("%d spawnables, complaints %v", len(list), complaints)
	}
	for _, s := range list {
		if s.Info.Description == "" || len(s.Info.Tags) == 0 || s.Info.Bounds.Kind == scene.NoBounds ||
			s.Info.Category == scene.Object {
			t.Errorf("%s is described as %+v", s.URI, s.Info)
		}
		for _, uri := range []string{s.URI, "model://" + s.Name} {
			m, err := lib.Model(scene.Resource{URI: uri})
			if err != nil {
				t.Errorf("%s: %v", uri, err)
				continue
			}
			for _, n := range m.Notes {
				t.Errorf("%s: %s", uri, n)
			}
		}
	}
}

func TestTheBoundsOfSidecarsHoldTheShapes(t *testing.T) {
	lib := library()
	list, _ := lib.Spawnables(nil)
	for _, s := range list {
		m, err := lib.Model(scene.Resource{URI: s.URI})
		if err != nil {
			t.Fatal(err)
		}
		if s.Info.Bounds.Kind != scene.BoxBounds {
			continue
		}
		written := r3.Box{Min: s.Info.Bounds.Points[1], Max: s.Info.Bounds.Points[0]}
		box := collisions(m)
		if !written.Grow(1e-6).Contains(box) {
			t.Errorf("%s: shapes reach from %v to %v, the sidecar says %v to %v", s.Name, box.Min, box.Max,
				written.Min, written.Max)
		}
	}
}

func TestEveryModelStandsOnTheFloorWhereItsFrameIs(t *testing.T) {
	lib := library()
	list, _ := lib.Spawnables(nil)
	for _, s := range list {
		m, err := lib.Model(scene.Resource{URI: s.URI})
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		if s.Name == "ball" { // rolls, so that its frame is its centre
			want = -0.11
		}
		if low := collisions(m).Min.Z; math.Abs(low-want) > 1e-6 {
			t.Errorf("%s reaches to %v m below its canonical link, want %v: it is spawned by that frame, at z = 0 on a floor",
				s.Name, low, want)
		}
		if m.Frame.Pos.Len() > 0 && s.Name != "ball" {
			t.Errorf("%s: the canonical link is at %v of the model frame; both on the floor put it where an <include> and a spawn alike say",
				s.Name, m.Frame.Pos)
		}
		if b := s.Info.Bounds; b.Kind == scene.BoxBounds && b.Points[1].Z != 0 {
			t.Errorf("%s: the sidecar's bounds begin at z = %v: the console would lift it by that", s.Name,
				b.Points[1].Z)
		}
	}
}

// collisions is the box around the collision shapes in the frame of the canonical link.
func collisions(m *scene.ModelSpec) r3.Box {
	box := r3.EmptyBox()
	for i := range m.Links {
		for _, g := range m.Links[i].Collisions {
			half := g.Size.Scale(0.5)
			switch g.Kind {
			case scene.Cylinder:
				half = r3.V(g.Radius, g.Radius, g.Length/2)
			case scene.Capsule:
				half = r3.V(g.Radius, g.Radius, g.Length/2+g.Radius)
			case scene.Sphere:
				half = r3.V(g.Radius, g.Radius, g.Radius)
			}
			at := m.Frame.Relative(m.Links[i].Pose.Mul(g.Pose))
			box = box.Union(r3.BoxAround(r3.Vec{}, half).Moved(at))
		}
	}
	return box
}

func TestThePointCloudOfTheScoutIsOneMebibyte(t *testing.T) {
	m, err := library().Model(scene.Resource{URI: "model://scout"})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, l := range m.Links {
		for _, s := range l.Sensors {
			found = found || s.Topic == "points"
			if s.Topic == "points" && (s.Lidar.Rows*s.Lidar.Columns*16 != 1<<20 || s.Rate != 5) {
				t.Errorf("points has %d × %d rays at %g Hz; 64 × 1024 of 16 bytes at 5 Hz are what tests of large samples count on",
					s.Lidar.Rows, s.Lidar.Columns, s.Rate)
			}
		}
	}
	if !found {
		t.Error("the scout has no sensor on points")
	}
}
