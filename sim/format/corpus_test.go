package format

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// corpus is the folder of real files; a test without it says so, or fails where it is required.
func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("SIMDECK_CORPUS")
	if dir == "" {
		dir = "../../../shared/corpus/dev"
	}
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("SIMDECK_CORPUS_REQUIRED") == "1" {
			t.Fatalf("the corpus is required and %s is not there", dir)
		}
		t.Skipf("no corpus at %s", dir)
	}
	return dir
}

func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	sort.Strings(lines)
	got := strings.Join(lines, "\n") + "\n"
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

// item is a library over one folder of the corpus, as a program would open it.
func item(t *testing.T, dir string) *Library {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return NewLibrary(Config{Roots: []asset.Root{{Name: "item", FS: root.FS()}}})
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// differences is the list of differences of two descriptions of a file.
type differences []string

func (d *differences) count(what string, got, want int) {
	if got != want {
		*d = append(*d, fmt.Sprintf("%s %d, recorded %d", what, got, want))
	}
}

func (d *differences) number(what string, got, want float64) {
	if math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
		*d = append(*d, fmt.Sprintf("%s %.9g, recorded %.9g", what, got, want))
	}
}

// pose compares a pose with x y z and a quaternion x y z w of six digits.
func (d *differences) pose(name string, got r3.Pose, want []float64) {
	q := r3.Quat{W: want[6], X: want[3], Y: want[4], Z: want[5]}
	at := r3.V(want[0], want[1], want[2])
	turn := math.Abs(q.W*got.Rot.W + q.X*got.Rot.X + q.Y*got.Rot.Y + q.Z*got.Rot.Z)
	if got.Pos.Dist(at) > 3e-6*math.Max(1, at.Len()) || turn < 1-3e-6 {
		*d = append(*d, fmt.Sprintf("link %s at %v, recorded %v", name, got, want))
	}
}

func (d differences) String() string {
	if len(d) > 3 {
		return strings.Join(d[:3], "; ") + fmt.Sprintf("; and %d more", len(d)-3)
	}
	return strings.Join(d, "; ")
}

type urdfFacts struct {
	File          string
	Links, Joints int
	JointTypes    map[string]int `json:"joint_types"`
	Collisions    int
	Visuals       int
	TotalMass     float64 `json:"total_mass"`
	LinkPose      map[string]struct {
		XYZ  []float64 `json:"xyz"`
		Quat []float64 `json:"quat_xyzw"`
	} `json:"link_pose_q0"`
	JointList []struct {
		Name, Type string
		Axis       []float64
	} `json:"joint_list"`
}

func compareURDF(spec *scene.ModelSpec, f urdfFacts) differences {
	var d differences
	joints := 0
	for i := range spec.Joints {
		if spec.Joints[i].Parent != scene.World {
			joints++
		}
	}
	d.count("links", len(spec.Links), f.Links)
	d.count("joints", joints, f.Joints)
	mass, collisions, visuals := 0.0, 0, 0
	for i := range spec.Links {
		l := &spec.Links[i]
		mass += l.Inertial.Mass
		collisions += len(l.Collisions)
		visuals += len(l.Visuals)
		if p, ok := f.LinkPose[l.Name]; ok {
			d.pose(l.Name, l.Pose, append(append([]float64{}, p.XYZ...), p.Quat...))
		}
	}
	d.number("mass", mass, f.TotalMass)
	missing := lost(spec.Notes)
	if collisions+visuals > f.Collisions+f.Visuals || collisions+visuals+missing < f.Collisions+f.Visuals {
		d.count("shapes", collisions+visuals, f.Collisions+f.Visuals)
	}
	byName := map[string]*scene.Joint{}
	for i := range spec.Joints {
		byName[spec.Joints[i].Name] = &spec.Joints[i]
	}
	for _, want := range f.JointList {
		j := byName[want.Name]
		if j == nil {
			d = append(d, "no joint "+want.Name)
			continue
		}
		if len(want.Axis) == 3 && want.Type != "fixed" && want.Type != "floating" {
			v, _ := r3.V(want.Axis[0], want.Axis[1], want.Axis[2]).Unit()
			if j.Axis.Dist(v) > 1e-5 {
				d = append(d, fmt.Sprintf("axis of %s is %v, recorded %v", want.Name, j.Axis, want.Axis))
			}
		}
	}
	return d
}

// lost counts the shapes that notes say were left out.
func lost(notes scene.Notes) int {
	n := 0
	for _, note := range notes {
		if note.Kind == scene.Missing &&
			(strings.HasPrefix(note.Text, "mesh ") || strings.HasPrefix(note.Text, "heightmap")) ||
			note.Kind == scene.Unreadable || note.Kind == scene.Unsupported &&
			strings.HasPrefix(note.Text, "shape ") ||
			strings.HasSuffix(note.Text, "has no <geometry>") {
			n += max(1, note.Times)
		}
	}
	return n
}

func TestRealRobotsAreWhatIndependentToolsFound(t *testing.T) {
	dir := corpus(t)
	lists, err := filepath.Glob(filepath.Join(dir, "urdf", "*", "expected.json"))
	if err != nil || len(lists) < 20 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	lines := []string{}
	for _, list := range lists {
		var e struct{ Files []urdfFacts }
		readJSON(t, list, &e)
		folder := filepath.Dir(list)
		lib := item(t, folder)
		for _, f := range e.Files {
			name := path.Join("urdf", filepath.Base(folder), f.File)
			spec, err := lib.Model(scene.Resource{URI: f.File})
			if err != nil {
				lines = append(lines, fmt.Sprintf("%s: %v", name, err))
			} else if d := compareURDF(spec, f); len(d) > 0 {
				lines = append(lines, fmt.Sprintf("%s: %v", name, d))
			}
		}
	}
	golden(t, "testdata/corpus_urdf.txt", because(t, lines, urdfReasons))
	mustNotDiffer(t, lines, "urdf/turtlebot3_burger/")
}

// mustNotDiffer keeps files that have to be exact out of the list of known differences.
func mustNotDiffer(t *testing.T, lines []string, prefix string) {
	t.Helper()
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			t.Errorf("this file has to be exact: %s", l)
		}
	}
}

type sdfFacts struct {
	File string
	Lib  struct {
		Errors     int
		ErrorList  []string `json:"error_list"`
		Worlds     int
		Models     int
		Links      int
		Joints     int
		Collisions int
		Visuals    int
		Sensors    int
		TotalMass  float64              `json:"total_mass"`
		TopModels  []string             `json:"top_models"`
		LinkPose   map[string][]float64 `json:"link_world_pose"`
		Joint      []struct {
			Name, Type, Parent, Child string
			Axis                      []float64 `json:"axis0_in_model"`
		} `json:"joints_detail"`
	} `json:"libsdformat_12.3.0"`
}

// refused reports that the recorded tool found more wrong than models that it had no network for, or nothing
// at all.
func (f sdfFacts) refused() bool {
	for _, e := range f.Lib.ErrorList {
		if !strings.HasPrefix(e, "13:") {
			return true
		}
	}
	return f.Lib.Models == 0 && f.Lib.Worlds == 0
}

// placedModels returns the models that a file puts into the world; a single model is at its own pose.
func placedModels(lib *Library, f sdfFacts) ([]scene.Placed, scene.Notes, error) {
	if m, err := lib.Model(scene.Resource{URI: f.File}); err == nil {
		return []scene.Placed{{Name: m.Name, Model: m, Pose: m.Placement}}, m.Notes, nil
	} else if !strings.Contains(err.Error(), "a model is needed") {
		return nil, nil, err
	}
	w, err := lib.World(scene.Resource{URI: f.File})
	if err != nil {
		return nil, nil, err
	}
	models := w.Models[:0:0]
	for _, m := range w.Models {
		if !strings.HasPrefix(m.Model.Source, "http") && m.Model.Source != "model://ground_plane" &&
			!slices.Contains(m.Model.Info.Tags, scene.StandInTag) {
			models = append(models, m) // the recorded tool had no stand-ins
		}
	}
	return models, w.Notes, nil
}

func compareSDF(models []scene.Placed, notes scene.Notes, f sdfFacts) differences {
	var d differences
	links, joints, shapes, sensors, mass := 0, 0, 0, 0, 0.0
	for _, m := range models {
		links += len(m.Model.Links)
		joints += len(m.Model.Joints)
		for i := range m.Model.Links {
			l := &m.Model.Links[i]
			shapes += len(l.Collisions) + len(l.Visuals)
			sensors += len(l.Sensors)
			mass += l.Inertial.Mass
			name := m.Name + "::" + l.Name
			if want, ok := f.Lib.LinkPose[name]; ok {
				d.pose(name, m.Pose.Mul(l.Pose), want)
			} else if len(f.Lib.LinkPose) >= f.Lib.Links {
				d = append(d, "link "+name+" is not recorded")
			}
		}
	}
	d.count("links", links, f.Lib.Links)
	d.count("joints", joints, f.Lib.Joints)
	d.count("sensors", sensors, f.Lib.Sensors)
	if want := f.Lib.Collisions + f.Lib.Visuals; shapes > want || shapes+lost(notes) < want {
		d.count("shapes", shapes, want)
	}
	d.number("mass", mass, f.Lib.TotalMass)
	return append(d, compareAxes(models, f)...)
}

func compareAxes(models []scene.Placed, f sdfFacts) differences {
	var d differences
	joints := map[string]r3.Vec{}
	for _, m := range models {
		for i := range m.Model.Joints {
			j := &m.Model.Joints[i]
			joints[m.Name+"::"+j.Name] = m.Model.Links[j.Child].Pose.Mul(j.Pose).Rot.Rotate(j.Axis)
		}
	}
	for _, want := range f.Lib.Joint {
		got, ok := joints[want.Name]
		if !ok { // renamed by the tool where a link has the same name
			got, ok = joints[strings.TrimSuffix(want.Name, "_joint")]
		}
		if len(want.Axis) != 3 || want.Type == "fixed" || want.Type == "ball" ||
			strings.Count(want.Name, "::") > 1 {
			continue // axes of nested models are recorded in their own frame
		}
		if v := r3.V(want.Axis[0], want.Axis[1], want.Axis[2]); !ok || got.Dist(v) > 1e-5 {
			d = append(d, fmt.Sprintf("axis of %s is %v, recorded %v", want.Name, got, want.Axis))
		}
	}
	return d
}

func TestRealWorldsAndModelsAreWhatIndependentToolsFound(t *testing.T) {
	dir := corpus(t)
	lists, err := filepath.Glob(filepath.Join(dir, "sdf", "*", "expected.json"))
	if err != nil || len(lists) < 10 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	lines := []string{}
	for _, list := range lists {
		var e struct{ Files []sdfFacts }
		readJSON(t, list, &e)
		folder := filepath.Dir(list)
		lib := item(t, folder)
		for _, f := range e.Files {
			name := path.Join("sdf", filepath.Base(folder), f.File)
			models, notes, err := placedModels(lib, f)
			switch {
			case err != nil && f.refused(): // both refuse it
			case err != nil:
				lines = append(lines, fmt.Sprintf("%s: %v (recorded errors %d %.200q)", name, err,
					f.Lib.Errors, f.Lib.ErrorList))
			default:
				if d := compareSDF(models, notes, f); len(d) > 0 {
					lines = append(lines, fmt.Sprintf("%s: %v (recorded errors %d %.200q)", name, d,
						f.Lib.Errors, f.Lib.ErrorList))
				}
			}
		}
	}
	golden(t, "testdata/corpus_sdf.txt", because(t, lines, sdfReasons))
	mustNotDiffer(t, lines, "sdf/turtlebot3_world/")
}

func TestTheTurtleBotsLoadUnmodifiedAndReportWhatIsMissing(t *testing.T) {
	dir := corpus(t)
	for _, c := range []struct {
		item, uri     string
		links, joints int
		inferred      bool
		missing       []string
	}{
		{"sdf/turtlebot3_world", "model://turtlebot3_burger", 7, 6, false,
			[]string{"burger_base.stl", "left_tire.stl", "right_tire.stl"}},
		{"urdf/turtlebot3_burger", "pkgs/turtlebot3_description/urdf/turtlebot3_burger.urdf", 7, 6, true,
			[]string{"burger_base.stl"}},
	} {
		m, err := item(t, filepath.Join(dir, c.item)).Model(scene.Resource{URI: c.uri})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Links) != c.links || len(m.Joints) != c.joints || len(m.Drives) != 1 ||
			m.Drives[0].Inferred != c.inferred {
			t.Errorf("%s: %d links, %d joints, drives %+v", c.uri, len(m.Links), len(m.Joints), m.Drives)
		}
		if d := m.Drives[0]; math.Abs(d.Separation-0.16) > 1e-9 || d.Radius != 0.033 {
			t.Errorf("%s: separation %g, radius %g; the maker says 0.16 and 0.033", c.uri, d.Separation,
				d.Radius)
		}
		var missing []string
		for _, n := range m.Notes {
			if n.Kind == scene.Missing {
				missing = append(missing, n.Text)
			}
		}
		for i, want := range c.missing {
			if len(missing) != len(c.missing) || !strings.Contains(missing[i], want) {
				t.Errorf("%s: missing %q, want %q", c.uri, missing, c.missing)
				break
			}
		}
	}
	w, err := item(t, filepath.Join(dir,
		"sdf/turtlebot3_world")).World(scene.Resource{URI: "worlds/turtlebot3_world.world"})
	if err != nil || len(w.Models) != 2 || w.Models[0].Name != "ground_plane" ||
		len(w.Models[1].Model.Links[0].Collisions) != 15 || len(w.Lights) != 1 {
		t.Fatalf("%v: %+v", err, w)
	}
	for _, n := range w.Notes {
		if !n.Kind.Harmless() {
			t.Errorf("%s", n)
		}
	}
}

func TestMalformedFilesFollowThePoliciesInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	dir := filepath.Join(corpus(t), "malformed")
	var e struct {
		Files []struct{ File, Policy, Why string }
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &e)
	lines := []string{}
	for _, f := range e.Files {
		group := path.Dir(f.File)
		if group != "urdf" && group != "sdf" && group != "mjcf" {
			continue
		}
		start := time.Now()
		got, err := verdict(item(t, filepath.Join(dir, group)), path.Base(f.File))
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v, at most 5 s are allowed", f.File, took)
		}
		if f.Policy != "survive" && f.Policy != got {
			lines = append(lines, fmt.Sprintf("%s: policy %s (%s), got %s %v", f.File, f.Policy, f.Why, got,
				err))
		}
	}
	golden(t, "testdata/corpus_malformed.txt", because(t, lines, malformedReasons))
}

// verdict loads a file as a world or model and says ok, warn or reject.
func verdict(lib *Library, name string) (string, error) {
	spec, err := lib.Model(scene.Resource{URI: name})
	if err == nil {
		return verdictOn(spec.Notes), nil
	}
	if !strings.HasSuffix(name, ".sdf") || !strings.Contains(err.Error(), "a model is needed") {
		return "reject", err
	}
	w, err := lib.World(scene.Resource{URI: name})
	if err != nil {
		return "reject", err
	}
	return verdictOn(w.Notes), nil
}

// verdictOn is the verdict on a file that loads with notes.
func verdictOn(notes scene.Notes) string {
	for _, n := range notes {
		if n.Kind != scene.Ignored {
			return "warn"
		}
	}
	return "ok"
}
