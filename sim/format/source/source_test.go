package source

import (
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// oneMesh answers every address with a mesh of two named parts, and some with errors.
type oneMesh struct{}

func (oneMesh) Mesh(uri string, _ asset.Ref) (*mesh.Mesh, error) {
	switch uri {
	case "missing":
		return nil, asset.ErrNotFound
	case "broken":
		return nil, mesh.ErrCorrupt
	}
	return mesh.Decode("m.obj", []byte("o one\nv 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\no two\nv 0 0 4\nf 1 2 4\n"))
}

func (oneMesh) Exists(string, asset.Ref) error { return nil }

func (oneMesh) Model(string, *Doc) (*Doc, error) { return nil, asset.ErrNotFound }

func open(t *testing.T, text string) *Doc {
	t.Helper()
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return Open("f.xml", asset.Ref{}, tree, oneMesh{})
}

func TestNumbersAreThoseOfTheCLocale(t *testing.T) {
	for text, want := range map[string]float64{" 2.5 ": 2.5, "1e3": 1000, "+.5": 0.5, "-inf": math.Inf(-1),
		"1.79769e+309": math.Inf(1)} {
		if got, err := ParseFloat(text); err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "1,5", "0x10", "1_000", "2kg", "heavy", "1 2"} {
		if got, err := ParseFloat(text); err == nil {
			t.Errorf("%q is %v, want an error", text, got)
		}
	}
}

func TestWhatIsReadSaysWhereItIsWrong(t *testing.T) {
	d := open(t, "<a>\n <b>x</b><c>2</c><on>TRUE</on><odd>2</odd><gz:y/></a>")
	root := d.Tree.Root
	if _, err := d.Float(root, "b", 1); !errors.Is(err, scene.ErrParse) ||
		!strings.Contains(err.Error(), "f.xml:2:2: \"x\" in <b> is not a number") {
		t.Errorf("b: %v", err)
	}
	if f, err := d.Float(root, "none", 7); err != nil || f != 7 {
		t.Errorf("none: %v, %v", f, err)
	}
	if !d.Bool(root, "on", false) || d.Bool(root, "odd", false) || d.Loose(root, "b", 3) != 3 {
		t.Error("truths or loose numbers are wrong")
	}
	texts := []string{}
	for _, n := range *d.Notes {
		texts = append(texts, n.String())
	}
	want := `f.xml:2:31: suspicious: <odd> is "2"; 1, 0, true or false is meant` + "\n" +
		`f.xml:2:2: suspicious: <b> is "x", not a finite number; using 3`
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("notes:\n%s\nwant:\n%s", got, want)
	}
}

func TestNotesEndAtALimit(t *testing.T) {
	d := open(t, "<a/>")
	for i := range 3 * maxNotes {
		d.Note(scene.Missing, d.Tree.Root, "x %d", i)
	}
	if n := len(*d.Notes); n != maxNotes+1 {
		t.Errorf("%d notes, want %d", n, maxNotes+1)
	}
}

func TestTheSameAboutManyElementsIsOneNoteThatCounts(t *testing.T) {
	d := open(t, "<a>\n<b/>\n<b/>\n<c/></a>")
	for range 2 { // as an included model is read again and again
		for _, k := range d.Tree.Root.Kids {
			d.Note(scene.Unsupported, k, "<%s> is not run", k.Name)
		}
	}
	d.Note(scene.Missing, d.Tree.Root.Kids[0], "<b> is not run")
	texts := []string{}
	for _, n := range *d.Notes {
		texts = append(texts, n.String())
	}
	want := "f.xml:2:1: unsupported: <b> is not run (2 times)\nf.xml:4:1: unsupported: <c> is not run\n" +
		"f.xml:2:1: missing: <b> is not run"
	if got := strings.Join(texts, "\n"); got != want {
		t.Errorf("notes:\n%s\nwant:\n%s", got, want)
	}
	if !d.Noted(d.Tree.Root.Kids[1], "<b>") || d.Noted(d.Tree.Root.Kids[1], "<c>") {
		t.Error("what was noted at the second <b> is not known")
	}
}

func TestMeshesAreChosenMirroredOrNoted(t *testing.T) {
	d := open(t, "<a/>")
	n, one := d.Tree.Root, r3.V(1, 1, 1)
	var g scene.Geom
	if !d.Mesh(n, "m", one, Submesh{}, &g) || len(g.Mesh.Triangles) != 2 {
		t.Errorf("whole mesh: %+v", g)
	}
	if !d.Mesh(n, "m", one, Submesh{Name: "two", Centre: true}, &g) || len(g.Mesh.Triangles) != 1 ||
		g.Mesh.Vertices[g.Mesh.Triangles[0][0]] != r3.V(-1, 0, -2) {
		t.Errorf("part two in the middle: %+v", g)
	}
	if !d.Mesh(n, "m", r3.V(-1, 1, 1), Submesh{}, &g) || g.Mesh.Triangles[0] != [3]int32{0, 2, 1} {
		t.Errorf("mirrored: %+v", g.Mesh.Triangles)
	}
	if d.Mesh(n, "missing", one, Submesh{}, &g) || d.Mesh(n, "broken", one, Submesh{}, &g) ||
		!d.Notes.Has(scene.Missing) || !d.Notes.Has(scene.Unreadable) {
		t.Errorf("notes %v", *d.Notes)
	}
}

func TestAMeshWeighsWhatItsShapeDoes(t *testing.T) {
	at := r3.PoseRPY(1, 2, 3, 0.1, 0.2, 0.3)
	cube := scene.Geom{Kind: scene.Box, Size: r3.V(1, 2, 3), Pose: at}
	want, ok := Solid(&cube, 500)
	if !ok || want.Mass != 3000 {
		t.Fatalf("box: %+v", want)
	}
	m := &scene.Mesh{}
	for i := range 8 {
		m.Vertices = append(m.Vertices, r3.V(float64(i&1)-0.5, float64(i>>1&1)-0.5, float64(i>>2)-0.5))
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2},
		{1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	got, ok := Solid(&scene.Geom{Kind: scene.MeshGeom, Mesh: m, Scale: r3.V(1, 2, 3), Pose: at}, 500)
	if !ok || math.Abs(got.Mass-want.Mass) > 1e-6 || got.Pose.Pos.Dist(want.Pose.Pos) > 1e-9 ||
		math.Abs(got.Inertia.XX-want.Inertia.XX) > 1e-6 || math.Abs(got.Inertia.YY-want.Inertia.YY) > 1e-6 ||
		math.Abs(got.Inertia.XY) > 1e-6 {
		t.Errorf("mesh %+v, box %+v", got, want)
	}
}

func TestShapesThatBecomeMeshesAreClosedAndOfTheRightSize(t *testing.T) {
	var ball, cone scene.Geom
	Ellipsoid(r3.V(1, 2, 3), &ball)
	Cone(2, 3, &cone)
	for name, c := range map[string]struct {
		g      *scene.Geom
		volume float64
	}{"ellipsoid": {&ball, 4.0 / 3 * math.Pi * 6}, "cone": {&cone, math.Pi * 4}} {
		c.g.Pose = r3.IdentityPose()
		in, ok := Solid(c.g, 1)
		if !ok || in.Mass > c.volume || in.Mass < 0.95*c.volume {
			t.Errorf("%s has a volume of %g, want a little below %g", name, in.Mass, c.volume)
		}
		edges := map[[2]int32]int{}
		for _, tri := range c.g.Mesh.Triangles {
			for k := range 3 {
				edges[[2]int32{tri[k], tri[(k+1)%3]}]++
			}
		}
		if name == "cone" { // the ellipsoid has its poles as rings of equal points
			for e := range edges {
				if edges[[2]int32{e[1], e[0]}] != 1 {
					t.Errorf("%s: edge %v has no other side", name, e)
				}
			}
		}
	}
}

func TestMassesAddUpAboutTheirCommonCentre(t *testing.T) {
	part := func(x float64) scene.Inertial {
		return scene.Inertial{Mass: 1, Pose: r3.PoseRPY(x, 0, 0, 0, 0, 0), Inertia: r3.Diag(r3.V(1, 1, 1))}
	}
	sum := Sum([]scene.Inertial{part(-2), part(4)})
	if sum.Mass != 2 || sum.Pose.Pos != r3.V(1, 0, 0) || sum.Inertia.XX != 2 || sum.Inertia.YY != 2+2*9 {
		t.Errorf("sum %+v", sum)
	}
}

func TestImpossibleInertiasAreDoubted(t *testing.T) {
	for _, c := range []struct {
		in   scene.Inertial
		want string
	}{
		{scene.Inertial{Mass: 1, Inertia: r3.Diag(r3.V(1, 1, 1))}, ""},
		{scene.Inertial{Inertia: r3.Diag(r3.V(1, 1, 1))}, "zero"},
		{scene.Inertial{Mass: 1, Inertia: r3.Diag(r3.V(1, 1, -1))}, "negative"},
		{scene.Inertial{Mass: 1, Inertia: r3.Diag(r3.V(1, 1, 3))}, "triangle"},
	} {
		if got := SuspiciousInertia(c.in); !strings.Contains(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%+v: %q, want %q", c.in, got, c.want)
		}
	}
}

func (oneMesh) Texture(string, asset.Ref) (*scene.Texture, error) {
	return nil, asset.ErrNotFound
}
