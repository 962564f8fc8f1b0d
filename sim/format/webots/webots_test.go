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

// shelf answers addresses from memory: paths relative to the file that names them, and below its top.
type shelf map[string]string

func (s shelf) find(uri string, from asset.Ref) (string, error) {
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

func (s shelf) Exists(uri string, from asset.Ref) error {
	_, err := s.find(uri, from)
	return err
}

func (s shelf) Text(uri string, from asset.Ref) (string, asset.Ref, []byte, error) {
	name, err := s.find(uri, from)
	return name, asset.Ref{Path: name}, []byte(s[name]), err
}

func (s shelf) Mesh(uri string, from asset.Ref) (*mesh.Mesh, error) {
	name, err := s.find(uri, from)
	if err != nil {
		return nil, err
	}
	return mesh.Decode(name, []byte(s[name]))
}

func (s shelf) Model(string, *source.Doc) (*source.Doc, error) { return nil, asset.ErrNotFound }

func (s shelf) Texture(uri string, from asset.Ref) (*scene.Texture, error) {
	if _, err := s.find(uri, from); err != nil {
		return nil, err
	}
	return &scene.Texture{}, nil
}

const header = "#VRML_SIM R2023b utf8\n"

// world reads nodes behind a header of R2023b.
func world(t *testing.T, s shelf, text string) *scene.WorldSpec {
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
	if n := noted(w.Notes, `field "CFM"`); n == nil || n.Line != 2 || n.Kind != scene.Unsupported {
		t.Errorf("%v", w.Notes)
	}
	if w := world(t, nil, "Viewpoint {}"); w.Name != "w" || w.StepSize != 0.032 || w.Gravity.Z != -9.81 || len(w.Notes) != 0 {
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
	near(t, "sonar looks", sonar.Pose.Rot.Rotate(r3.V(1, 0, 0)), r3.V(1, 0, 0)) // x of the file, turned by 90° about up: −z
	near(t, "sonar's up", sonar.Pose.Rot.Rotate(r3.V(0, 0, 1)), r3.V(0, 0, 1))
	j := w.Models[0].Model.Joints[0]
	near(t, "wheel", w.Models[0].Model.Links[1].Pose.Pos, r3.V(0, -0.1, 0.05))
	near(t, "axis", j.Axis, r3.V(0, 1, 0))
	if j.Name != "m" || j.Kind != scene.Continuous || !j.Hold || j.Limit.Effort != 10 {
		t.Errorf("%+v", j)
	}
}

func TestJointsStandWhereTheFileShowsThem(t *testing.T) {
	w := world(t, nil, `Robot { children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0 0 position 1.5707963267948966 minStop -2 maxStop 2 dampingConstant 0.5 springConstant 3 staticFriction 0.1 }
    device [ PositionSensor { name "s" } RotationalMotor { name "arm" maxTorque 7 maxVelocity 2 } ]
    endPoint Solid { translation 1 0.5 0 rotation 0 0 1 1.5707963267948966 name "a" boundingObject Box { size 1 0.1 0.1 } physics Physics { density -1 mass 2 }
      children [ SliderJoint { jointParameters JointParameters { axis 1 0 0 position 0.2 } device LinearMotor { name "slide" minPosition 0 maxPosition 0.3 maxForce 5 }
        endPoint Solid { translation 0.7 0 0 name "b" boundingObject Sphere { radius 0.1 } physics Physics { } } } ] } } ] }`)
	m := w.Models[0].Model
	near(t, "arm at zero", m.Links[1].Pose.Pos, r3.V(1.5, 0, 0))
	near(t, "slide at zero", m.Links[2].Pose.Pos, r3.V(2, 0, 0))
	arm, slide := m.Joints[0], m.Joints[1]
	if arm.Name != "s" && arm.Name != "arm" || arm.Initial != math.Pi/2 || !arm.Limit.Set || arm.Limit.Upper != 2 || arm.Limit.Effort != 7 || arm.Limit.Velocity != 2 ||
		arm.Damping != 0.5 || arm.Stiffness != 3 || arm.Friction != 0.1 {
		t.Errorf("%+v", arm)
	}
	near(t, "anchor in the child", arm.Pose.Pos, r3.V(-0.5, 0, 0))
	if slide.Kind != scene.Prismatic || slide.Limit.Upper != 0.3 || slide.Initial != 0.2 || slide.Limit.Effort != 5 {
		t.Errorf("%+v", slide)
	}
	if last := m.Joints[len(m.Joints)-1]; m.Static || last.Parent != scene.World || last.Kind != scene.Fixed {
		t.Errorf("a robot whose base has no Physics is fixed to the world: %+v", last)
	}
}

func TestTwoAxesHaveAKnuckleBetween(t *testing.T) {
	w := world(t, nil, `Robot { boundingObject Box { size 2 1 0.5 } physics Physics { } children [
  Hinge2Joint { jointParameters HingeJointParameters { axis 0 0 1 anchor 1 0.5 0 minStop -0.5 maxStop 0.5 } jointParameters2 JointParameters { axis 0 1 0 }
    device RotationalMotor { name "steer" } device2 RotationalMotor { name "roll" }
    endPoint Solid { translation 1 0.6 0 boundingObject Sphere { radius 0.3 } physics Physics { } } }
  BallJoint { jointParameters BallJointParameters { anchor -1 0 0 } endPoint Solid { translation -1.5 0 0 boundingObject Sphere { radius 0.2 } physics Physics { } } } ] }`)
	m := w.Models[0].Model
	steer, roll, ball := m.Joints[0], m.Joints[1], m.Joints[2]
	if steer.Name != "steer" || roll.Name != "roll" || roll.Parent != steer.Child || steer.Kind != scene.Revolute || roll.Kind != scene.Continuous || ball.Kind != scene.Ball {
		t.Fatalf("%+v", m.Joints)
	}
	near(t, "knuckle", m.Links[steer.Child].Pose.Pos, r3.V(1, 0.5, 0))
	near(t, "wheel", m.Links[roll.Child].Pose.Pos, r3.V(1, 0.6, 0))
	near(t, "second anchor", roll.Pose.Pos, r3.V(0, -0.1, 0))
	near(t, "ball", ball.Pose.Pos, r3.V(0.5, 0, 0))
}

func TestMassesAreThoseOfBoundingObjectsOrAsWritten(t *testing.T) {
	const shape = `boundingObject Pose { translation 0 0 1 children [ Shape { geometry Box { size 1 1 2 } } ] }`
	for _, c := range []struct {
		physics, scale string
		mass           float64
		com, moments   r3.Vec
	}{
		{"", "", 2000, r3.V(0, 0, 1), r3.V(5, 5, 2).Scale(2000.0 / 12)},
		{"density 500", "", 1000, r3.V(0, 0, 1), r3.V(5, 5, 2).Scale(1000.0 / 12)},
		{"density -1 mass 6", "", 6, r3.V(0, 0, 1), r3.V(5, 5, 2).Scale(0.5)},
		{"density -1 mass 6 centerOfMass [ 1 0 0 ] inertiaMatrix [ 1 2 3, 0 0 0 ]", "", 6, r3.V(1, 0, 0), r3.V(1, 2, 3)},
		{"density 500", "scale 2 2 2", 8000, r3.V(0, 0, 2), r3.V(5, 5, 2).Scale(4 * 8000.0 / 12)},
	} {
		w := world(t, nil, fmt.Sprintf("Solid { %s %s physics Physics { %s } }", c.scale, shape, c.physics))
		in := w.Models[0].Model.Links[0].Inertial
		if math.Abs(in.Mass-c.mass) > 1e-9*c.mass {
			t.Errorf("%q %q: mass %g, want %g", c.physics, c.scale, in.Mass, c.mass)
		}
		near(t, c.physics, in.Pose.Pos, c.com)
		near(t, c.physics+" moments", r3.V(in.Inertia.XX, in.Inertia.YY, in.Inertia.ZZ), c.moments)
	}
}

func TestPROTOsAreReadWithFieldsDefaultsAndDerivation(t *testing.T) {
	s := shelf{
		"protos/Base.proto": header + `PROTO Base [ field SFVec3f translation 0 0 0 field SFString name "base" field SFVec3f size 1 1 1 field MFNode slot [ ] field SFNode look PBRAppearance { baseColor 1 0 0 } ]
{ Solid { translation IS translation name IS name children [ DEF S Shape { appearance IS look geometry Box { size IS size } } Group { children IS slot } ] boundingObject USE S } }`,
		"protos/Tall.proto": header + "EXTERNPROTO \"Base.proto\"\nPROTO Tall [ field SFVec3f translation 0 0 5 field SFFloat r 0.5 ]\n{ Base { translation IS translation size 1 1 9 slot Pose { translation 0 0 4 children [ Shape { geometry Sphere { radius IS r } } ] } } }",
		"protos/Loop.proto": header + "EXTERNPROTO \"Loop.proto\"\nPROTO Loop [ ] { Solid { children [ Loop { } ] } }",
		"protos/Lua.proto":  header + "PROTO Lua [ ]\n{ %{ x = 1 }% Solid { } }",
	}
	w := world(t, s, "EXTERNPROTO \"../protos/Base.proto\"\nEXTERNPROTO \"../protos/Tall.proto\"\nBase { name \"one\" translation 1 2 3 } Tall { r 0.25 } Tall { translation 7 0 0 }")
	if len(w.Models) != 3 || w.Models[0].Name != "one" || w.Models[1].Name != "base" || w.Models[2].Name != "base_1" || len(w.Notes) != 0 {
		t.Fatalf("%+v %v", w.Models, w.Notes)
	}
	near(t, "one", w.Models[0].Pose.Pos, r3.V(1, 2, 3))
	near(t, "its default", w.Models[1].Pose.Pos, r3.V(0, 0, 5))
	tall := w.Models[1].Model.Links[0]
	if len(tall.Visuals) != 2 || tall.Visuals[0].Size != r3.V(1, 1, 9) || tall.Visuals[1].Radius != 0.25 || w.Models[2].Model.Links[0].Visuals[1].Radius != 0.5 {
		t.Errorf("%+v", tall)
	}
	if c := tall.Visuals[0].Material.Colour; c != [4]float32{1, 0, 0, 1} {
		t.Errorf("colour %v", c)
	}
	_, err := World("worlds/w.wbt", asset.Ref{Path: "worlds/w.wbt"}, []byte(header+"EXTERNPROTO \"../protos/Loop.proto\"\nLoop { }"), s)
	if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), "protos/Loop.proto:3:") || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("a PROTO that contains itself: %v", err)
	}
	w = world(t, s, "EXTERNPROTO \"../protos/Lua.proto\"\nLua { }")
	if n := noted(w.Notes, "Lua (%{…}%)"); n == nil || !strings.Contains(n.Text, "protos/Lua.proto:3:3") || len(w.Models) != 0 {
		t.Errorf("%v", w.Notes)
	}
	if _, err = Model("protos/Lua.proto", asset.Ref{}, []byte(s["protos/Lua.proto"]), s); !errors.Is(err, scene.ErrUnsupportedFormat) {
		t.Errorf("a template as a model: %v", err)
	}
}

func TestAPROTOIsAModel(t *testing.T) {
	m, err := Model("a/Bot.proto", asset.Ref{Path: "a/Bot.proto"}, []byte(header+`PROTO Part [ ] { Solid { } }
PROTO Bot [ field SFVec3f translation 0 0 0.5 ] { Robot { translation IS translation boundingObject Box { size 1 1 1 } physics Physics { } } }`), shelf{})
	if err != nil || m.Name != "Bot" || m.Placement.Pos != r3.V(0, 0, 0.5) || m.Info.Category != scene.Robot || m.Format != "webots" {
		t.Errorf("%+v %v", m, err)
	}
}

func TestWhatCannotBeIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Solid { }", "w.wbt:1:1: the file does not begin with #VRML_SIM"},
		{header + "WorldInfo { basicTimeStep 0 }", "w.wbt:2:27: basicTimeStep of 0 ms"},
		{header + "WorldInfo { coordinateSystem \"UP\" }", "w.wbt:2:30: coordinateSystem \"UP\""},
		{header + "Solid { translation \"a\" }", "w.wbt:2:21: field \"translation\" holds one of strings; 3 numbers is right"},
		{header + "Solid { translation 1 2 }", "holds 2 numbers"},
		{header + "Solid { name 1 }", "one string is right"},
		{header + "Solid { children [ 1 ] }", "a node is right"},
		{header + "Solid { locked 1 }", "TRUE or FALSE"},
		{header + "Solid { translation IS x }", "outside of a PROTO"},
		{header + "PROTO P [ ] { Solid { name IS x } }\nP { }", "has no field \"x\""},
		{header + "PROTO P [ ] { }\nP { }", "PROTO P is empty"},
		{header + "PROTO P [ ] { Solid { } }", "this is a PROTO, a model"},
		{header + "Solid { boundingObject Box { } physics Physics { centerOfMass [ 1 ] } }", "three numbers"},
	} {
		_, err := World("w.wbt", asset.Ref{Path: "w.wbt"}, []byte(c.text), shelf{})
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if _, err := Model("w.wbt", asset.Ref{}, []byte(header+"Solid { }"), shelf{}); err == nil || !strings.Contains(err.Error(), "this is a world") {
		t.Errorf("a world as a model: %v", err)
	}
}

func TestBombsEndSoon(t *testing.T) {
	var b strings.Builder
	b.WriteString(header + "DEF B0 Group { children [ Shape { geometry Box { } } ] }\n")
	for i := range 9 {
		fmt.Fprintf(&b, "DEF B%d Group { children [ %s ] }\n", i+1, strings.Repeat(fmt.Sprintf("USE B%d ", i), 10))
	}
	start := time.Now()
	_, err := World("w.wbt", asset.Ref{}, []byte(b.String()), shelf{})
	if !errors.Is(err, scene.ErrParse) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
