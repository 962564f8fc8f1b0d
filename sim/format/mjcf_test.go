package format

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// mjcfFacts is the result of MuJoCo 4.0.0 for a file; a text where it refused.
type mjcfFacts struct {
	File   string
	MuJoCo any `json:"mujoco"`
}

type mjcfModel struct {
	NBody, NJnt, NGeom, NCam int
	TotalMass                float64 `json:"total_mass"`
	Timestep                 float64
	Gravity                  []float64
	Colliding                int `json:"colliding_geoms"`
	Joints                   []struct {
		Name, Type, Body string
		Axis, Range      []float64
	}
	Mass map[string]float64   `json:"body_mass"`
	Pose map[string][]float64 `json:"body_world_pose_q0"`
	COM  []float64            `json:"com_q0"`
}

// linkName is a link of ours for a body of theirs: those without a name are called by their numbers.
func linkName(body string) string {
	if number, ok := strings.CutPrefix(body, "#"); ok {
		return "body_" + number
	}
	return body
}

// mjcfSums adds up what the models of a world have.
type mjcfSums struct {
	bodies, joints, shapes, cameras, collisions int
	mass                                        float64
	moment                                      r3.Vec
	links                                       map[string]*scene.Link
	joint                                       map[string]*scene.Joint
	order                                       []*scene.Joint
}

func sumMJCF(w *scene.WorldSpec) mjcfSums {
	s := mjcfSums{bodies: 1, links: map[string]*scene.Link{}, joint: map[string]*scene.Joint{}}
	for _, p := range w.Models {
		m := p.Model
		if p.Name == "ground_plane" {
			continue // not of the file: robots without a floor get one
		}
		hung := map[int]bool{}
		for i := range m.Joints {
			j := &m.Joints[i]
			hung[j.Child] = true
			if j.Kind != scene.Fixed {
				s.joints++
				s.joint[j.Name] = j
				s.order = append(s.order, j)
			}
		}
		for i := range m.Links {
			l := &m.Links[i]
			shapes := map[string]bool{}
			for _, g := range append(append([]scene.Geom{}, l.Collisions...), l.Visuals...) {
				shapes[g.Name] = true
			}
			for _, x := range l.Sensors {
				if x.Kind == scene.Camera {
					s.cameras++
				}
			}
			s.shapes += len(shapes)
			s.collisions += len(l.Collisions)
			s.links[l.Name] = l
			if l.Name != "world" && !l.Virtual {
				s.bodies++
			}
			if !hung[i] && !m.Static && !l.Kinematic {
				s.joints++ // a free body
			}
			s.mass += l.Inertial.Mass
			s.moment = s.moment.AddScaled(l.Inertial.Mass, l.Pose.Apply(l.Inertial.Pose.Pos))
		}
	}
	return s
}

func compareMJCF(w *scene.WorldSpec, f mjcfModel) differences {
	var d differences
	s := sumMJCF(w)
	d.count("bodies", s.bodies, f.NBody)
	d.count("joints", s.joints, f.NJnt)
	d.count("shapes", s.shapes, f.NGeom)
	d.count("shapes that touch", s.collisions, f.Colliding)
	d.count("cameras", s.cameras, f.NCam)
	d.number("mass", s.mass, f.TotalMass)
	d.number("time step", w.StepSize, f.Timestep)
	if g := r3.V(f.Gravity[0], f.Gravity[1], f.Gravity[2]); w.Gravity.Dist(g) > 1e-9 {
		d = append(d, fmt.Sprintf("gravity %v, recorded %v", w.Gravity, g))
	}
	for _, body := range slices.Sorted(maps.Keys(f.Mass)) {
		want := f.Mass[body]
		if body == "world" {
			continue
		}
		l := s.links[linkName(body)]
		if l == nil {
			d = append(d, "no link "+linkName(body))
			continue
		}
		d.number("mass of "+body, l.Inertial.Mass, want)
		p := f.Pose[body]
		d.pose(body, l.Pose, []float64{p[0], p[1], p[2], p[4], p[5], p[6], p[3]})
	}
	if s.mass > 0 && len(f.COM) == 3 {
		if c := s.moment.Scale(1 / s.mass); c.Dist(r3.V(f.COM[0], f.COM[1], f.COM[2])) > 2e-6*math.Max(1,
			c.Len()) {
			d = append(d, fmt.Sprintf("centre of mass %v, recorded %v", c, f.COM))
		}
	}
	return append(d, compareMJCFJoints(s, f)...)
}

func compareMJCFJoints(s mjcfSums, f mjcfModel) differences {
	var d differences
	at := 0
	for _, want := range f.Joints {
		if want.Type == "free" {
			continue
		}
		name, j := want.Name, s.joint[want.Name]
		if name == "" && at < len(s.order) { // without a name: by its place in the file
			j = s.order[at]
		}
		at++
		if j == nil {
			d = append(d, "no joint "+name)
			continue
		}
		kinds := map[scene.JointKind]string{scene.Revolute: "hinge", scene.Continuous: "hinge",
			scene.Prismatic: "slide", scene.Ball: "ball"}
		if kinds[j.Kind] != want.Type {
			d = append(d, fmt.Sprintf("joint %s is of kind %d, recorded %s", name, j.Kind, want.Type))
		}
		if a := want.Axis; want.Type != "ball" && j.Axis.Dist(r3.V(a[0], a[1], a[2])) > 2e-6 {
			d = append(d, fmt.Sprintf("axis of %s is %v, recorded %v", name, j.Axis, a))
		}
		if limited := len(want.Range) == 2; limited != j.Limit.Set {
			d = append(d, fmt.Sprintf("joint %s is limited: %v, recorded %v", name, j.Limit.Set, want.Range))
		} else if limited && math.Abs(j.Limit.Upper-j.Limit.Lower-want.Range[1]+want.Range[0]) > 2e-6 {
			d = append(d, fmt.Sprintf("joint %s from %g to %g, recorded %v", name, j.Limit.Lower,
				j.Limit.Upper, want.Range))
		}
	}
	return d
}

func TestMuJoCosModelsAreWhatItsCompilerFound(t *testing.T) {
	dir := corpus(t)
	lists, err := filepath.Glob(filepath.Join(dir, "mjcf", "*", "expected.json"))
	if err != nil || len(lists) < 8 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	lines, files := []string{}, 0
	for _, list := range lists {
		var e struct{ Files []mjcfFacts }
		readJSON(t, list, &e)
		folder := filepath.Dir(list)
		lib := item(t, folder)
		for _, f := range e.Files {
			files++
			name := path.Join("mjcf", filepath.Base(folder), f.File)
			w, err := lib.World(scene.Resource{URI: f.File})
			why, refused := f.MuJoCo.(string)
			switch {
			case err != nil && refused: // both refuse it
			case err != nil:
				lines = append(lines, fmt.Sprintf("%s: %v", name, err))
			case refused:
				lines = append(lines, fmt.Sprintf("%s: loads; recorded %.80q", name, why))
			default:
				if d := compareMJCF(w, factsOf(t, f)); len(d) > 0 {
					lines = append(lines, fmt.Sprintf("%s: %v", name, d))
				}
			}
		}
	}
	if files < 35 {
		t.Errorf("%d files", files)
	}
	golden(t, "testdata/corpus_mjcf.txt", lines)
	reasoned(t, lines)
	mustNotDiffer(t, lines, "mjcf/dm_control_suite/humanoid.xml")
}

func factsOf(t *testing.T, f mjcfFacts) mjcfModel {
	t.Helper()
	var m mjcfModel
	data, err := json.Marshal(f.MuJoCo)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		t.Fatalf("%s: %v", f.File, err)
	}
	return m
}

// mjcfReasons says why files differ from what MuJoCo compiled.
var mjcfReasons = map[string]string{
	"mjcf/dm_control_suite/acrobot.xml":              noContacts,
	"mjcf/dm_control_suite/cartpole.xml":             noContacts,
	"mjcf/dm_control_suite/lqr.xml":                  noContacts,
	"mjcf/dm_control_suite/pendulum.xml":             noContacts,
	"mjcf/dm_control_suite/reacher.xml":              noContacts,
	"mjcf/mjx_test_data/pendula.xml":                 noContacts,
	"mjcf/dm_control_suite/fish.xml":                 noContacts + "; " + noGravity + "; " + unseen,
	"mjcf/mjx_test_data/tendon/pulley_site.xml":      noContacts + "; " + noGravity,
	"mjcf/mjx_test_data/tendon/site_wrap.xml":        noContacts + "; " + noGravity,
	"mjcf/mjx_test_data_b/tendon/pulley_wrap.xml":    noContacts + "; " + noGravity,
	"mjcf/mujoco_models/cube/cube_3x3x3.xml":         unseen,
	"mjcf/mjx_test_data/quadratic_frictionloss.xml":  atHome,
	"mjcf/unitree_go1_primitives/go1_primitives.xml": atHome,
	"mjcf/mjx_test_data/sensor/model.xml":            aBall,
	"mjcf/mjx_test_data/sensor/sensor.xml":           aBall,
	"mjcf/unitree_go1/go1.xml":                       noMeshes,
	"mjcf/unitree_go1/scene.xml":                     noMeshes,
}

const (
	noContacts = "MuJoCo keeps the contact bits beside the flag that switches contacts off; here the shapes themselves touch nothing"
	noGravity  = "MuJoCo keeps gravity beside the flag that switches it off; here gravity is zero"
	unseen     = "a shape in a hidden group that touches nothing is neither seen nor felt: it gives mass only, and is no shape here"
	atHome     = "the keyframe \"home\" puts the free body elsewhere than the pose of rest, which is what was recorded"
	aBall      = "three hinges of a body without names cross in one point and stop nowhere: here they are one ball joint, which never jams"
	noMeshes   = "MuJoCo refuses missing meshes; here they are for the eye only, and noted"
)

// reasoned holds that every difference has its reason.
func reasoned(t *testing.T, lines []string) {
	t.Helper()
	reasons := mjcfReasons
	used := map[string]bool{}
	for _, l := range lines {
		file, _, _ := strings.Cut(l, ": ")
		if reasons[file] == "" {
			t.Errorf("nobody says why: %s", l)
		}
		used[file] = true
	}
	for file := range reasons {
		if !used[file] {
			t.Logf("%s does not differ any more", file)
		}
	}
}

func TestMuJoCosFilesAreFoundAsRobotsAndWorlds(t *testing.T) {
	body := `<body name="b"><freejoint/><geom size=".1"/></body>`
	files := fstest.MapFS{
		"robot.xml": {Data: []byte(`<mujoco model="r"><worldbody>` + body + `</worldbody></mujoco>`)},
		"both.xml": {Data: []byte(`<mujoco model="both"><worldbody><geom type="plane" size="1 1 1"/>` +
			body + `</worldbody></mujoco>`)},
		"world.xml":   {Data: []byte(`<mujoco><include file="robot.xml"/><worldbody><geom type="plane" size="1 1 1"/></worldbody></mujoco>`)},
		"piece.xml":   {Data: []byte(`<mujoco><actuator/></mujoco>`)},
		"package.xml": {Data: []byte(`<package><name>mujoco</name></package>`)},
	}
	lib := NewLibrary(Config{Roots: []asset.Root{{Name: "f", FS: files}}})
	var robots, worlds []string
	models, complaints := lib.Spawnables(nil)
	for _, s := range models {
		robots = append(robots, s.URI)
		if m, err := lib.Model(scene.Resource{URI: s.URI}); err != nil || m.Format != "mjcf" ||
			s.Info.Category != scene.Robot {
			t.Errorf("%s: %v, category %v", s.URI, err, s.Info.Category)
		}
	}
	listed, more := lib.Worlds(nil)
	for _, w := range listed {
		worlds = append(worlds, w.URI)
		if _, err := lib.World(scene.Resource{URI: w.URI}); err != nil {
			t.Errorf("%s: %v", w.URI, err)
		}
	}
	if len(complaints)+len(more) > 0 ||
		!slices.Equal(robots, []string{"spawnable://f/both.spawnable", "spawnable://f/robot.spawnable"}) ||
		!slices.Equal(worlds, []string{"world://f/both.xml", "world://f/world.xml"}) {
		t.Errorf("robots %q, worlds %q, complaints %q %q", robots, worlds, complaints, more)
	}
	w, err := lib.World(scene.Resource{URI: "world://f/robot.xml"})
	if err != nil || len(w.Models) != 2 || w.Models[1].Name != "ground_plane" ||
		!w.Notes.Has(scene.Inferred) {
		t.Errorf("a robot alone stands on nothing: %+v, %v", w, err)
	}
}
