package webots

import (
	"errors"
	"fmt"
	"math"
	"path"
	"strings"
	"testing"
	"time"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// fakeFiles answers addresses from memory: paths relative to the file that names them, and below its top.
type fakeFiles map[string]string

func (s fakeFiles) find(uri string, from asset.Ref) (string, error) {
	if strings.HasPrefix(uri, "http") {
		return "", fmt.Errorf("%s: %w", uri, asset.ErrNetwork)
	}
	for _, name := range []string{path.Join(path.Dir("/"+from.Path), uri)[1:], path.Clean(uri)} {
		if _, ok := s[name]; ok {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: %w", uri, asset.ErrNotFound)
}

func (s fakeFiles) Exists(uri string, from asset.Ref) error {
	_, err := s.find(uri, from)
	return err
}

func (s fakeFiles) WantBeside(string, asset.Ref) {}

func (s fakeFiles) Text(uri string, from asset.Ref) (string, asset.Ref, []byte, error) {
	name, err := s.find(uri, from)
	return name, asset.Ref{Path: name}, []byte(s[name]), err
}

func (s fakeFiles) Mesh(uri string, from asset.Ref) (*mesh.Mesh, error) {
	name, err := s.find(uri, from)
	if err != nil {
		return nil, err
	}
	return mesh.Decode(name, []byte(s[name]))
}

func (s fakeFiles) Model(string, *source.Doc) (*source.Doc, error) { return nil, asset.ErrNotFound }

func (s fakeFiles) Texture(uri string, from asset.Ref) (*scene.Texture, error) {
	if _, err := s.find(uri, from); err != nil {
		return nil, err
	}
	return &scene.Texture{}, nil
}

const header = "#VRML_SIM R2023b utf8\n"

// world reads nodes behind a header of R2023b.
func world(t *testing.T, s fakeFiles, text string) *scene.WorldSpec {
	t.Helper()
	if !strings.HasPrefix(text, "#") {
		text = header + text
	}
	w, err := World("worlds/w.wbt", asset.Ref{Path: "worlds/w.wbt"}, []byte(text), s)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return w
}

func near(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if got.Dist(want) > 1e-6 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// noted is the first note with a text, nil when there is none.
func noted(notes scene.Notes, text string) *scene.Note {
	for i := range notes {
		if strings.Contains(notes[i].Text, text) {
			return &notes[i]
		}
	}
	return nil
}

func TestAWorldSaysHowItIsRun(t *testing.T) {
	w := world(t, nil, `Solid { } WorldInfo { title "T" info [ "a" "b" ] basicTimeStep 8 gravity 3.7 gpsCoordinateSystem "WGS84" gpsReference 47 8 400 CFM 1 }`)
	if w.Name != "T" || w.Description != "a b" || w.StepSize != 0.008 || w.Gravity != r3.V(0, 0, -3.7) {
		t.Errorf("%+v", w)
	}
	if !w.Earth.Set || math.Abs(w.Earth.Latitude-47*math.Pi/180) > 1e-12 || w.Earth.Elevation != 400 {
		t.Errorf("%+v", w.Earth)
	}
	if n := noted(w.Notes, `field "CFM"`); n == nil || n.Line != 2 || n.Kind != scene.Ignored {
		t.Errorf("%v", w.Notes)
	}
	if w := world(t, nil, "Viewpoint {}"); w.Name != "w" || w.StepSize != 0.032 || w.Gravity.Z != -9.81 ||
		len(w.Notes) != 0 {
		t.Errorf("%+v", w)
	}
}

// tower is a cylinder that stands 1 m up, 2 m to the north of the origin, in the axes of a file.
func TestWhateverTheAxesOfTheFileTheWorldStandsUpright(t *testing.T) {
	const tower = `Solid { translation %s boundingObject Cylinder { radius 0.1 height 0.5 } physics Physics { } }`
	for _, c := range []struct{ head, at string }{
		{"#VRML_SIM R2023b utf8\n", "0 2 1"},
		{"#VRML_SIM R2019a utf8\n", "2 1 0"},
		{"#VRML_SIM V8.5 utf8\n", "2 1 0"},
		{"#VRML_SIM R2021b utf8\nWorldInfo { coordinateSystem \"NUE\" }\n", "2 1 0"},
		{"#VRML_SIM R2021b utf8\nWorldInfo { coordinateSystem \"EUN\" }\n", "0 1 -2"},
		{"#VRML_SIM R2019a utf8\nWorldInfo { gravity 0 -9.81 0 }\n", "2 1 0"},
	} {
		w := world(t, nil, c.head+fmt.Sprintf(tower, c.at))
		p := w.Models[0]
		g := p.Model.Links[0].Collisions[0]
		near(t, c.head+"place", p.Pose.Pos, r3.V(0, 2, 1))
		near(t, c.head+"axis", absolute(p.Pose.Mul(g.Pose).Rot.Rotate(r3.V(0, 0, 1))), r3.V(0, 0, 1))
		near(t, c.head+"up", p.Pose.Rot.Rotate(r3.V(0, 0, 1)), r3.V(0, 0, 1))
		near(t, c.head+"gravity", w.Gravity, r3.V(0, 0, -9.81))
		if m := p.Model.Links[0].Inertial.Mass; math.Abs(m-1000*math.Pi*0.01*0.5) > 1e-9 {
			t.Errorf("%smass %g", c.head, m)
		}
	}
	// R2020b and later have z up, but until R2022a cylinders along y.
	w := world(t, nil, "#VRML_SIM R2021b utf8\n"+fmt.Sprintf(tower, "0 2 1"))
	g := w.Models[0].Model.Links[0].Collisions[0]
	near(t, "axis", absolute(w.Models[0].Pose.Mul(g.Pose).Rot.Rotate(r3.V(0, 0, 1))), r3.V(0, 1, 0))
}

func TestARobotOfAWorldWithYUpLooksAlongX(t *testing.T) {
	w := world(t, nil, `#VRML_SIM R2019a utf8
Robot { name "r" children [
  Lidar { translation 0 0.2 -0.1 }
  DistanceSensor { rotation 0 1 0 1.5707963267948966 }
  HingeJoint { jointParameters HingeJointParameters { axis -1 0 0 anchor 0.1 0.05 0 } device RotationalMotor { name "m" }
    endPoint Solid { translation 0.1 0.05 0 boundingObject Sphere { radius 0.05 } physics Physics { } } } ]
  boundingObject Box { size 0.2 0.1 0.3 } physics Physics { } }`)
	l := w.Models[0].Model.Links[0]
	lidar, sonar := l.Sensors[0], l.Sensors[1]
	near(t, "lidar", lidar.Pose.Pos, r3.V(0.1, 0, 0.2))
	near(t, "it looks", lidar.Pose.Rot.Rotate(r3.V(1, 0, 0)), r3.V(1, 0, 0))
	near(t, "its up", lidar.Pose.Rot.Rotate(r3.V(0, 0, 1)), r3.V(0, 0, 1))
	// x of the file, turned by 90° about up: −z
	near(t, "sonar looks", sonar.Pose.Rot.Rotate(r3.V(1, 0, 0)), r3.V(1, 0, 0))
	near(t, "sonar's up", sonar.Pose.Rot.Rotate(r3.V(0, 0, 1)), r3.V(0, 0, 1))
	j := w.Models[0].Model.Joints[0]
	near(t, "wheel", w.Models[0].Model.Links[1].Pose.Pos, r3.V(0, -0.1, 0.05))
	near(t, "axis", j.Axis, r3.V(0, 1, 0))
	if j.Name != "m" || j.Kind != scene.Continuous || !j.Hold || j.Limit.Effort != 10 {
		t.Errorf("%+v", j)
	}
}

func TestWhatCannotBeIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Solid { }", "w.wbt:1:1: the file does not begin with #VRML_SIM"},
		{header + "WorldInfo { basicTimeStep 0 }", "w.wbt:2:27: basicTimeStep of 0 ms"},
		{header + "WorldInfo { coordinateSystem \"UP\" }", "w.wbt:2:30: coordinateSystem \"UP\""},
		{header + "Solid { translation \"a\" }",
			"w.wbt:2:21: field \"translation\" holds one of strings; want 3 numbers"},
		{header + "Solid { translation 1 2 }", "holds 2 numbers"},
		{header + "Solid { name 1 }", "want one string"},
		{header + "Solid { children [ 1 ] }", "want a node"},
		{header + "Solid { locked 1 }", "TRUE or FALSE"},
		{header + "Solid { translation IS x }", "outside of a PROTO"},
		{header + "PROTO P [ ] { Solid { name IS x } }\nP { }", "has no field \"x\""},
		{header + "PROTO P [ ] { }\nP { }", "PROTO P is empty"},
		{header + "PROTO P [ ] { Solid { } }", "this is a PROTO, a model"},
		{header + "Solid { boundingObject Box { } physics Physics { centerOfMass [ 1 ] } }", "three numbers"},
	} {
		_, err := World("w.wbt", asset.Ref{Path: "w.wbt"}, []byte(c.text), fakeFiles{})
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Model("w.wbt", asset.Ref{}, []byte(header+"Solid { }"), fakeFiles{}); err == nil ||
		!strings.Contains(err.Error(), "this is a world") {
		t.Errorf("a world as a model: %v", err)
	}
}

func TestBombsEndSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	var b strings.Builder
	b.WriteString(header + "DEF B0 Group { children [ Shape { geometry Box { } } ] }\n")
	for i := range 9 {
		fmt.Fprintf(&b, "DEF B%d Group { children [ %s ] }\n", i+1,
			strings.Repeat(fmt.Sprintf("USE B%d ", i), 10))
	}
	start := time.Now()
	_, err := World("w.wbt", asset.Ref{}, []byte(b.String()), fakeFiles{})
	if !errors.Is(err, scene.ErrParse) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
