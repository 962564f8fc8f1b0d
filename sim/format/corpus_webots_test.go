package format

import (
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

type wbtFacts struct {
	File      string
	Header    string
	WorldInfo struct {
		Title            string
		BasicTimeStep    float64
		CoordinateSystem string
	} `json:"world_info"`
	NonBase map[string]int `json:"non_base_nodes"`
	Solids  []struct {
		Type string
		Name any
		Def  any       `json:"DEF"`
		XYZ  []float64 `json:"world_xyz"`
	} `json:"solid_list"`
	Joints []struct {
		Type             string
		Axis             []float64
		MinStop, MaxStop *float64
		Devices          []string
		EndPoint         any
	} `json:"joint_list"`
	Bounding     map[string]int `json:"bounding_shapes"`
	ExplicitMass float64        `json:"explicit_mass_sum"`
	FromDensity  int            `json:"solids_mass_from_density"`
	Lights       int
	Devices      []struct{ Type, Name string } `json:"device_list"`
}

// seenLink is a link of a world, where it stands.
type seenLink struct {
	model *scene.ModelSpec
	link  *scene.Link
	at    r3.Vec
	taken bool
}

func compareWebots(models []scene.Placed, w *scene.WorldSpec, f wbtFacts) differences {
	var d differences
	// Positions are recorded in the file's axes.
	turn := func(v r3.Vec) r3.Vec { return v }
	switch {
	case f.WorldInfo.CoordinateSystem == "NUE":
		turn = func(v r3.Vec) r3.Vec { return r3.V(v.Z, v.X, v.Y) }
	case strings.HasSuffix(f.File, "FourWheelsRobot.proto"): // it has y up, and stands by itself
		turn = func(v r3.Vec) r3.Vec { return r3.V(-v.Z, -v.X, v.Y) }
	}
	var links []seenLink
	for _, m := range models {
		at := initial(m.Model)
		for i := range m.Model.Links {
			links = append(links, seenLink{m.Model, &m.Model.Links[i], m.Pose.Mul(at[i]).Pos, false})
		}
	}
	for _, s := range f.Solids {
		if len(s.XYZ) != 3 {
			continue
		}
		want, found := turn(r3.V(s.XYZ[0], s.XYZ[1], s.XYZ[2])), false
		for i := range links {
			if l := &links[i]; !l.taken && l.at.Dist(want) < 3e-6*math.Max(1, want.Len()) {
				l.taken, found = true, true
				break
			}
		}
		if !found {
			d = append(d, fmt.Sprintf("no link where %s %v stands, at %v", s.Type, s.Name, s.XYZ))
		}
	}
	d.joints(models, f)
	d.shapes(models, f)
	if w != nil {
		step := f.WorldInfo.BasicTimeStep
		if step == 0 {
			step = 32
		}
		d.number("step", w.StepSize*1000, step)
		if f.WorldInfo.Title != "" && w.Name != f.WorldInfo.Title {
			d = append(d, fmt.Sprintf("world %q, recorded %q", w.Name, f.WorldInfo.Title))
		}
		if len(w.Lights) < f.Lights {
			d.count("lights", len(w.Lights), f.Lights)
		}
	}
	return d
}

// initial is the poses of a model's links at the joint positions of the file.
func initial(m *scene.ModelSpec) []r3.Pose {
	out := make([]r3.Pose, len(m.Links))
	for i := range out {
		out[i] = m.Links[i].Pose
	}
	for k := range m.Joints { // a parent comes before what hangs on it
		j := &m.Joints[k]
		if j.Initial == 0 || j.Parent == scene.World {
			continue
		}
		joint := m.Links[j.Child].Pose.Mul(j.Pose)
		turn := r3.Pose{Rot: r3.AxisAngle(j.Axis, j.Initial)}
		if j.Kind == scene.Prismatic {
			turn = r3.Pose{Pos: j.Axis.Scale(j.Initial), Rot: r3.Identity()}
		}
		out[j.Child] = out[j.Parent].Mul(m.Links[j.Parent].Pose.Inverse()).Mul(joint).Mul(turn).
			Mul(j.Pose.Inverse())
	}
	return out
}

func (d *differences) joints(models []scene.Placed, f wbtFacts) {
	byName := map[string]*scene.Joint{}
	for _, m := range models {
		for i := range m.Model.Joints {
			byName[m.Model.Joints[i].Name] = &m.Model.Joints[i]
		}
	}
	for _, want := range f.Joints {
		if len(want.Devices) == 0 {
			continue
		}
		j := byName[want.Devices[0]]
		if j == nil {
			*d = append(*d, "no joint "+want.Devices[0])
			continue
		}
		axis := r3.V(1, 0, 0)
		if len(want.Axis) == 3 {
			axis, _ = r3.V(want.Axis[0], want.Axis[1], want.Axis[2]).Unit()
		}
		// robots had their front at −z
		if f.WorldInfo.CoordinateSystem == "NUE" || strings.HasSuffix(f.File, "FourWheelsRobot.proto") {
			axis = r3.V(-axis.Z, -axis.X, axis.Y)
		}
		if j.Axis.Dist(axis) > 1e-6 {
			*d = append(*d, fmt.Sprintf("axis of %s is %v, recorded %v", j.Name, j.Axis, want.Axis))
		}
		if want.MinStop != nil && want.MaxStop != nil && *want.MinStop < *want.MaxStop {
			d.number("lower stop of "+j.Name, j.Limit.Lower, *want.MinStop)
			d.number("upper stop of "+j.Name, j.Limit.Upper, *want.MaxStop)
		}
	}
}

// plainNodes make no solid of their own.
const plainNodes = " TexturedBackground TexturedBackgroundLight RedBricks Plaster Parquetry Roughcast SandyGround CarpetFibers "

// shapes compares collision shapes, masses and sensors, exactly where nothing but the file's own nodes has
// any.
func (d *differences) shapes(models []scene.Placed, f wbtFacts) {
	exact := true
	for name := range f.NonBase {
		exact = exact && strings.Contains(plainNodes, " "+name+" ")
	}
	got, mass, sensors := map[string]int{}, 0.0, map[string]bool{}
	for _, m := range models {
		for i := range m.Model.Links {
			l := &m.Model.Links[i]
			mass += l.Inertial.Mass
			got["Mesh"] += len(l.Lost)
			for k := range l.Collisions {
				got[kindOf(&l.Collisions[k])]++
			}
			for k := range l.Sensors {
				sensors[l.Sensors[k].Name] = true
			}
		}
	}
	for _, kind := range []string{"Box", "Sphere", "Cylinder", "Capsule", "Plane", "Mesh", "IndexedFaceSet",
		"ElevationGrid"} {
		if want := f.Bounding[kind]; exact && got[kind] != want || got[kind] < want {
			d.count("shapes "+kind, got[kind], want)
		}
	}
	if exact && f.FromDensity == 0 {
		d.number("mass", mass, f.ExplicitMass)
	}
	for _, s := range f.Devices {
		switch s.Type {
		case "DistanceSensor", "Lidar", "Camera", "GPS", "Compass":
			if s.Name != "" && !sensors[s.Name] {
				*d = append(*d, fmt.Sprintf("no %s %q", s.Type, s.Name))
			}
		}
	}
}

func kindOf(g *scene.Geom) string {
	switch g.Kind {
	case scene.Box:
		return "Box"
	case scene.Sphere:
		return "Sphere"
	case scene.Cylinder:
		return "Cylinder"
	case scene.Capsule:
		return "Capsule"
	case scene.Plane:
		return "Plane"
	case scene.Heightfield:
		return "ElevationGrid"
	}
	if g.Mesh != nil && (g.Mesh.URI == "IndexedFaceSet") {
		return g.Mesh.URI
	}
	return "Mesh"
}

func TestRealWebotsWorldsAreWhatAnIndependentToolFound(t *testing.T) {
	dir := corpus(t)
	lists, err := filepath.Glob(filepath.Join(dir, "webots", "*", "expected.json"))
	if err != nil || len(lists) < 5 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	lines := []string{}
	for _, list := range lists {
		var e struct{ Files []wbtFacts }
		readJSON(t, list, &e)
		folder := filepath.Dir(list)
		lib := item(t, folder)
		for _, f := range e.Files {
			name := path.Join("webots", filepath.Base(folder), f.File)
			var models []scene.Placed
			var notes scene.Notes
			var world *scene.WorldSpec
			var err error
			if strings.HasSuffix(f.File, ".proto") {
				var m *scene.ModelSpec
				if m, err = lib.Model(scene.Resource{URI: f.File}); err == nil {
					models, notes = []scene.Placed{{Name: m.Name, Model: m, Pose: r3.IdentityPose()}}, m.Notes
				}
			} else if world, err = lib.World(scene.Resource{URI: f.File}); err == nil {
				models, notes = world.Models, world.Notes
			}
			if err != nil {
				lines = append(lines, fmt.Sprintf("%s: %v", name, err))
				continue
			}
			line := fmt.Sprintf("%s: %d models, %s", name, len(models), leftOut(notes))
			if d := compareWebots(models, world, f); len(d) > 0 {
				line += "; DIFFERS: " + d.String()
				if why := explained[path.Base(f.File)]; why == "" {
					t.Errorf("%s: %s; no reason is known", name, d)
				} else {
					line += " (" + why + ")"
				}
			} else if explained[path.Base(f.File)] != "" {
				t.Logf("%s has a reason to differ, and does not", name)
			}
			lines = append(lines, line)
		}
	}
	golden(t, "testdata/corpus_webots.txt", lines)
}

// explained says why a world differs from what was recorded of it.
var explained = map[string]string{
	"robotino_example.wbt": "it stands in a slot of Robotino3, which is left out",
	"driver_test.wbt":      "they stand in a slot of Pioneer3at, which is left out",
	"default.wbt":          "it stands in a slot of TiagoLite, which is left out",
}

// leftOut lists the PROTOs that a world was read without, and how many times.
func leftOut(notes scene.Notes) string {
	var order []string
	times := map[string]int{}
	for _, n := range notes {
		if i := strings.Index(n.Text, " is left out: its PROTO cannot be had"); i > 0 &&
			n.Kind == scene.Missing {
			kind, _, _ := strings.Cut(n.Text[:i], " ")
			if times[kind] == 0 {
				order = append(order, kind)
			}
			times[kind] += max(1, n.Times)
		}
	}
	if len(order) == 0 {
		return "nothing left out"
	}
	for i, kind := range order {
		if times[kind] > 1 {
			order[i] = fmt.Sprintf("%d × %s", times[kind], kind)
		}
	}
	return "without " + strings.Join(order, ", ")
}

func TestMalformedWebotsWorldsFollowThePoliciesInTime(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	dir := filepath.Join(corpus(t), "malformed")
	var e struct {
		Files []struct{ File, Policy, Why string }
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &e)
	lines, seen := []string{}, 0
	lib := item(t, filepath.Join(dir, "wbt"))
	for _, f := range e.Files {
		if path.Dir(f.File) != "wbt" {
			continue
		}
		seen++
		start, got := time.Now(), "reject"
		w, err := lib.World(scene.Resource{URI: path.Base(f.File)})
		if err == nil {
			got = verdictOn(w.Notes)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v, at most 5 s are allowed", f.File, took)
		}
		if f.Policy != "survive" && f.Policy != got {
			lines = append(lines, fmt.Sprintf("%s: policy %s (%s), got %s %v", f.File, f.Policy, f.Why, got,
				err))
		}
	}
	if seen < 30 {
		t.Errorf("%d files, at least 30 are there", seen)
	}
	golden(t, "testdata/corpus_malformed_wbt.txt", lines)
}
