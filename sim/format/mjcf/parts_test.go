package mjcf

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func TestReplicasTurnMoveOnAndAreNumbered(t *testing.T) {
	m := model(t, world(`<replicate count="12" sep="-" offset="0 0 .5" euler="0 0 30"><body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body></replicate>`),
		nil)
	if len(m.Links) != 12 || m.Links[0].Name != "b-00" || m.Links[11].Name != "b-11" {
		t.Fatalf("%d links, first %q", len(m.Links), m.Links[0].Name)
	}
	for i, l := range m.Links {
		angle := float64(i) * math.Pi / 6
		if want := r3.V(math.Cos(angle), math.Sin(angle), 0.5*float64(i)); l.Pose.Pos.Dist(want) > 1e-9 {
			t.Errorf("copy %d at %v, want %v", i, l.Pose.Pos, want)
		}
	}
	// The offset turns along with the copies: twelve of them make a polygon.
	m = model(t, world(`<replicate count="12" offset="1 0 0" euler="0 0 30"><body><freejoint/><geom size=".1"/></body></replicate>`),
		nil)
	if a, b := m.Links[0].Pose.Pos, m.Links[11].Pose.Pos; math.Abs(a.Dist(b)-1) > 1e-9 {
		t.Errorf("the polygon does not close: %v, %v", a, b)
	}
}

var puppet = fakeFiles{"puppet.xml": `<mujoco model="puppet"><compiler angle="radian"/><default><default class="thin"><geom size=".1"/></default></default>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="hip" pos="5 5 5" childclass="thin"><joint name="h" range="-1 1"/><geom name="g"/><site name="s"/></body>
<body name="other"><joint name="o"/><geom size="1"/></body></worldbody>
<actuator><position name="p" joint="h" kp="7"/><motor joint="o"/></actuator><sensor><gyro site="s"/></sensor><keyframe><key qpos="0 0"/></keyframe></mujoco>`}

func TestAModelIsAttachedWithWhatSpeaksOfIt(t *testing.T) {
	m := model(t, `<mujoco><asset><model name="doll" file="puppet.xml"/></asset><worldbody>
		<body name="base"><freejoint/><geom size="1"/><frame pos="0 0 1"><attach model="doll" body="hip" prefix="l_"/><attach model="doll" body="hip" prefix="r_"/></frame></body></worldbody></mujoco>`, puppet)
	if len(m.Links) != 3 || m.Links[1].Name != "l_hip" || m.Links[2].Name != "r_hip" ||
		m.Links[1].Pose.Pos != r3.V(5, 5, 6) {
		t.Fatalf("links %+v", m.Links)
	}
	for _, name := range []string{"l_h", "r_h"} {
		if j := jointOf(t, m, name); j.Servo.Stiffness != 7 || j.Limit.Upper != 1 {
			t.Errorf("joint %s: %+v", name, j)
		}
	}
	if s := m.Links[1].Sensors; len(s) != 1 || s[0].Kind != scene.IMU {
		t.Errorf("sensors %+v", s)
	}
}

func TestAModelAttachesItsOwnPartsToItself(t *testing.T) {
	m := model(t, world(`<frame name="f"><body name="b"><joint name="j"/><geom size=".1"/></body></frame>
		<frame pos="1 0 0"><attach frame="f" prefix="x_"/></frame>`), nil)
	if len(m.Links) != 2 || m.Links[1].Name != "x_b" || m.Links[1].Pose.Pos != r3.V(1, 0, 0) ||
		len(m.Joints) != 2 || m.Joints[1].Name != "x_j" {
		t.Errorf("links %+v, joints %+v", m.Links, m.Joints)
	}
}

// hand has a frame in the world, and one in a body.
const hand = `<mujoco model="left hand"><worldbody>
<frame name="f" pos="0 0 5" euler="0 0 90"><body name="x" pos="1 0 0"><joint name="jx"/><geom size=".1"/></body></frame>
<body name="y" pos="2 0 0"><geom size=".1"/><frame name="deep" pos="0 1 0"><body name="z"><geom size=".1"/></body></frame></body>
</worldbody><actuator><position name="p" joint="jx" kp="7"/></actuator></mujoco>`

func TestAFrameIsAttachedFromAModelByTheNameInItsFile(t *testing.T) {
	files := fakeFiles{"hand.xml": hand, "bare.xml": strings.Replace(hand, ` model="left hand"`, "", 1)}
	half := math.Sqrt(0.5)
	for _, c := range []struct {
		models, what, link string
		at                 r3.Pose // as MuJoCo 4.0 has it
	}{
		{`<model file="hand.xml"/>`, `model="left hand" frame="f"`, "a_x",
			r3.Pose{Pos: r3.V(10, 1, 6), Rot: r3.Quat{W: half, Z: half}}},
		{`<model file="bare.xml"/><model file="hand.xml"/>`, `model="left hand" frame="deep"`, "a_z",
			r3.Pose{Pos: r3.V(10, 1, 1), Rot: r3.Identity()}},
		{`<model file="bare.xml"/>`, `model="MuJoCo Model" body="x"`, "a_x",
			r3.Pose{Pos: r3.V(11, 0, 1), Rot: r3.Identity()}},
		{`<model name="own" file="hand.xml"/>`, `model="own" body="x"`, "a_x",
			r3.Pose{Pos: r3.V(11, 0, 1), Rot: r3.Identity()}},
	} {
		m := model(t, attaches(c.models, c.what), files)
		last := m.Links[len(m.Links)-1]
		if len(m.Links) != 2 || last.Name != c.link || last.Pose.Pos.Dist(c.at.Pos) > 1e-12 ||
			last.Pose.Rot.Mul(c.at.Rot.Conj()).Vector().Len() > 1e-12 {
			t.Errorf("%s: %d links, %s at %v, want %s at %v", c.what, len(m.Links), last.Name, last.Pose, c.link, c.at)
		}
		if c.link != "a_x" {
			continue
		}
		if j := jointOf(t, m, "a_jx"); j.Servo.Stiffness != 7 {
			t.Errorf("%s: the joint came without its servo: %+v", c.what, j)
		}
	}
}

func TestAnIncludeStandsWhereItIsWritten(t *testing.T) {
	files := fakeFiles{"arm.xml": `<mujoco><body name="arm"><joint name="j"/><geom size="1"/></body></mujoco>`,
		"d.xml": `<mujocoinclude><default><geom density="1"/></default></mujocoinclude>`}
	m := model(t, `<mujoco><include file="d.xml"/><worldbody><body name="base" pos="0 0 1"><geom size="1"/><include file="arm.xml"/></body></worldbody></mujoco>`,
		files)
	if len(m.Links) != 2 || m.Links[1].Name != "arm" ||
		math.Abs(m.Links[1].Inertial.Mass-4.0/3*math.Pi) > 1e-9 {
		t.Errorf("%+v", m.Links)
	}
}

// skinOf is the mass properties of a shape, and of a fine mesh of it.
func skinOf(t *testing.T, text string) (own, mesh scene.Inertial) {
	t.Helper()
	b, err := compile(open(t, world(`<body><freejoint/>`+text+`</body>`), nil))
	if err != nil {
		t.Fatal(err)
	}
	g := b.bodies[1].geoms[0]
	var points []r3.Vec
	const n = 96
	for i := range n + 1 {
		for k := range n {
			up, round := math.Pi*(float64(i)/n-0.5), 2*math.Pi*float64(k)/n
			d := r3.V(math.Cos(up)*math.Cos(round), math.Cos(up)*math.Sin(round), math.Sin(up))
			pole := 1.0
			if i == 0 || i == n { // the ends close
				pole = 0
			}
			switch g.Kind {
			case scene.Sphere:
				points = append(points, d.Scale(g.Radius))
			case scene.Capsule:
				points = append(points, d.Scale(g.Radius).Add(r3.V(0, 0, math.Copysign(g.Length/2, d.Z))))
			case scene.Cylinder:
				points = append(points, r3.V(math.Cos(round)*g.Radius*pole, math.Sin(round)*g.Radius*pole,
					math.Copysign(g.Length/2, d.Z)))
			case scene.Box:
				points = append(points, r3.V(math.Copysign(pole*g.Size.X/2, d.X),
					math.Copysign(pole*g.Size.Y/2, d.Y), math.Copysign(g.Size.Z/2, d.Z)))
			case scene.MeshGeom:
				points = append(points, d.Mul(g.size))
			}
		}
	}
	other := *g
	other.Kind, other.Mesh, other.Scale, other.ellipsoid = scene.MeshGeom, grid(points, n), r3.V(1, 1, 1),
		false
	own, _ = g.unit()
	mesh, _ = other.unit()
	return own, mesh
}

// grid is a mesh of rings of n points.
func grid(points []r3.Vec, n int32) *scene.Mesh {
	m := &scene.Mesh{Vertices: points}
	for i := int32(0); i+n < int32(len(points)); i++ {
		next := i + 1
		if next%n == 0 {
			next -= n
		}
		m.Triangles = append(m.Triangles, [3]int32{i, next, next + n}, [3]int32{i, next + n, i + n})
	}
	return m
}

func TestMassesOfShapesAndShellsAreThoseOfTheirMeshes(t *testing.T) {
	for _, shape := range []string{`type="sphere" size=".3"`, `type="capsule" size=".3 .5"`,
		`type="cylinder" size=".3 .5"`, `type="box" size=".2 .3 .5"`, `type="ellipsoid" size=".2 .3 .5"`} {
		for _, shell := range []string{"", ` shellinertia="true"`} {
			own, mesh := skinOf(t, `<geom `+shape+shell+`/>`)
			if math.Abs(own.Mass/mesh.Mass-1) > 3e-3 {
				t.Errorf("%s%s: mass %v, of the mesh %v", shape, shell, own.Mass, mesh.Mass)
			}
			a, b := own.Inertia, mesh.Inertia
			for _, d := range []float64{a.XX/b.XX - 1, a.YY/b.YY - 1, a.ZZ/b.ZZ - 1} {
				if math.Abs(d) > 6e-3 {
					t.Errorf("%s%s: inertia %v, of the mesh %v", shape, shell, a, b)
					break
				}
			}
		}
	}
}

func TestTheCompilerSectionMendsMasses(t *testing.T) {
	body := `<worldbody><body name="a"><freejoint/><geom size=".1" mass="1"/></body><body name="b"><freejoint/>
		<inertial pos="0 0 1" mass="3" diaginertia="1 1 10"/><geom size=".1" mass="2"/></body></worldbody></mujoco>`
	for setting, want := range map[string][2]float64{
		`balanceinertia="true"`: {1, 3}, `balanceinertia="true" settotalmass="8"`: {2, 6},
		`inertiafromgeom="true" balanceinertia="true"`: {1, 2},
		`boundmass="2" balanceinertia="true"`:          {2, 3},
	} {
		m := model(t, `<mujoco><compiler `+setting+`/>`+body, nil)
		if got := [2]float64{m.Links[0].Inertial.Mass, m.Links[1].Inertial.Mass}; got != want {
			t.Errorf("%s: masses %v, want %v", setting, got, want)
		}
	}
	m := model(t, `<mujoco><compiler balanceinertia="true" boundinertia="5"/>`+body, nil)
	if i := m.Links[0].Inertial.Inertia; i != r3.Diag(r3.V(5, 5, 5)) {
		t.Errorf("boundinertia: %v", i)
	}
}

func TestActuatorsAreServosDampersAndLimits(t *testing.T) {
	m := model(t, `<mujoco><default><position ctrlrange="-1 1"/></default><worldbody><body><joint name="p"/><joint name="v" axis="1 0 0" damping="1"/><joint name="m" axis="0 1 0" actuatorfrcrange="-9 8"/><geom size="1"/>
		<body pos="2 0 0"><joint name="q" armature="2"/><joint name="c" type="slide"/><geom size="1" mass="0"/><inertial pos="1 0 0" mass="3" diaginertia="1 1 1"/></body></body></worldbody>
		<actuator><position joint="p" kp="10" kv="2" gear="3" forcerange="-5 4"/><velocity joint="v" kv="4"/><motor joint="m" gear="10" ctrlrange="-2 2"/>
		<position joint="q" kp="4" dampratio="1" ctrlrange=".5 1"/><general joint="c" gainprm="6" biastype="affine" biasprm="3 -6 -1"/><dcmotor joint="c"/></actuator></mujoco>`, nil)
	if j := jointOf(t, m, "p"); j.Servo != (scene.Servo{Stiffness: 90, Damping: 18}) || j.Limit.Effort != 15 {
		t.Errorf("position: %+v, effort %v", j.Servo, j.Limit.Effort)
	}
	if j := jointOf(t, m, "v"); j.Servo != (scene.Servo{Damping: 4}) || j.Damping != 1 {
		t.Errorf("velocity: %+v", j)
	}
	if j := jointOf(t, m, "m"); j.Servo != (scene.Servo{}) || j.Limit.Effort != 9 {
		t.Errorf("motor: effort %v", j.Limit.Effort)
	}
	// It feels 2 + 3·1² + 1 kg·m², so that the ratio of 1 is a damper of 2·√(4·6).
	if j := jointOf(t, m, "q"); math.Abs(j.Servo.Damping-2*math.Sqrt(24)) > 1e-9 || j.Servo.Target != 0.5 {
		t.Errorf("dampratio: %+v", j.Servo)
	}
	if j := jointOf(t, m, "c"); j.Servo.Stiffness != 6 || j.Servo.Damping != 1 || j.Servo.Target != 0.5 {
		t.Errorf("general: %+v", j.Servo)
	}
	if n := m.Notes; len(n) != 3 || !strings.Contains(n[0].Text, `actuatorfrcrange="-9 8"`) ||
		!strings.Contains(n[1].Text, "<dcmotor>") || !strings.Contains(n[2].Text, `forcerange="-5 4"`) {
		t.Errorf("notes %v", n)
	}
}

func TestEqualitiesAreTiesAndGears(t *testing.T) {
	m := model(t, `<mujoco><worldbody><body name="a"><freejoint/><geom size="1"/></body><body name="b" pos="3 0 0"><joint name="x"/><joint name="y" axis="1 0 0"/><geom size="1"/>
		<body name="c"><joint name="z"/><geom size="1"/></body></body></worldbody><tendon><fixed name="t"><joint joint="x" coef="2"/><joint joint="z" coef="1"/></fixed></tendon>
		<equality><connect name="k" body1="a" body2="c" anchor="1 0 0"/><weld body1="a"/><joint joint1="y" joint2="z" polycoef="1 2"/><tendon tendon1="t"/></equality>
		<contact><exclude body1="a" body2="b"/></contact></mujoco>`, nil)
	k := jointOf(t, m, "k")
	if k.Kind != scene.Ball || m.Links[k.Parent].Name != "c" || m.Links[k.Child].Name != "a" ||
		k.Pose.Pos != r3.V(1, 0, 0) {
		t.Errorf("connect: %+v", k)
	}
	if w := jointOf(t, m, "tie"); w.Kind != scene.Fixed || w.Parent != scene.World {
		t.Errorf("weld: %+v", w)
	}
	x, y, z := jointOf(t, m, "x"), jointOf(t, m, "y"),
		slices.IndexFunc(m.Joints, func(j scene.Joint) bool { return j.Name == "z" })
	if y.Mimic != (scene.Mimic{Set: true, Joint: z, Multiplier: 2, Offset: 1}) ||
		x.Mimic != (scene.Mimic{Set: true, Joint: z, Multiplier: -0.5}) {
		t.Errorf("gears %+v and %+v", y.Mimic, x.Mimic)
	}
	if !slices.ContainsFunc(m.Apart,
		func(p [2]int) bool { return m.Links[p[0]].Name == "a" && m.Links[p[1]].Name == "b" }) {
		t.Errorf("apart %v", m.Apart)
	}
}

func TestTendonsOfSeveralFreedomsAreTransmissions(t *testing.T) {
	arm := `<mujoco><worldbody><body><joint name="x"/><geom size="1"/><body pos="3 0 0"><joint name="y"/><geom size="1"/></body></body></worldbody>
		<tendon><fixed name="t" range="-1 1"><joint joint="x"/><joint joint="y" coef="2"/></fixed></tendon>
		<equality>EQUALITY</equality><actuator><position tendon="t" kp="3" kv="1"/></actuator></mujoco>`
	m := model(t, strings.Replace(arm, "EQUALITY", "", 1), nil)
	if len(m.Notes) > 0 || len(m.Transmissions) != 2 {
		t.Fatalf("%d transmissions, notes %v", len(m.Transmissions), m.Notes)
	}
	own, pulled := m.Transmissions[0], m.Transmissions[1]
	if own.Name != "t" || own.Actuator != nil || own.Passive.Range != [2]float64{-1, 1} ||
		len(own.Joints) != 2 || own.Joints[1] != (scene.JointTerm{Joint: 1, Coefficient: 2}) {
		t.Errorf("the tendon: %+v", own)
	}
	if a := pulled.Actuator; a == nil || a.Gain != [3]float64{3} || a.Bias != [3]float64{0, -3, -1} ||
		pulled.Passive.Limited {
		t.Errorf("the actuator: %+v", pulled)
	}
	m = model(t, strings.Replace(arm, "EQUALITY", `<joint joint1="y" joint2="x" polycoef="0.25 -1"/>`, 1), nil)
	x := jointOf(t, m, "x") // the length is x + 2·(0.25 − x) = 0.5 − x
	if len(m.Notes) > 0 || x.Servo != (scene.Servo{Stiffness: 3, Damping: 1, Target: 0.5}) ||
		x.Limit.Lower != -0.5 || x.Limit.Upper != 1.5 {
		t.Errorf("%+v, %+v, notes %v", x.Servo, x.Limit, m.Notes)
	}
}

func TestTheKeyframeHomeIsTheStart(t *testing.T) {
	w, err := World(open(t, `<mujoco><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size="1"/><body name="b" pos="2 0 0"><joint name="j" ref="90"/><geom size="1"/></body></body></worldbody>
		<actuator><position joint="j" kp="2"/></actuator><keyframe><key name="home" qpos="1 2 3 1 0 0 1 2" ctrl="2.5"/><key name="squat"/></keyframe></mujoco>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	m := w.Models[0].Model
	if p := m.Links[0].Pose; p.Pos != r3.V(1, 2, 3) || math.Abs(p.Rot.Yaw()-math.Pi/2) > 1e-9 ||
		m.Links[1].Pose.Pos.Dist(r3.V(1, 4, 3)) > 1e-9 {
		t.Errorf("the free body stands at %v, what hangs on it at %v", p, m.Links[1].Pose)
	}
	if j := jointOf(t, m, "j"); math.Abs(j.Initial-(2-math.Pi/2)) > 1e-9 ||
		math.Abs(j.Servo.Target-(2.5-math.Pi/2)) > 1e-9 {
		t.Errorf("joint at %v, its servo pulls to %v", j.Initial, j.Servo.Target)
	}
}

func TestEveryKeyframeMayBeTheStart(t *testing.T) {
	text := refers(`<keyframe><key name="home" qpos="1"/><key qpos="2"/><key name="squat" qpos="3"/></keyframe>`)
	for name, want := range map[string]float64{"": 1, "home": 1, "1": 2, "squat": 3} {
		d := open(t, text, nil)
		d.Keyframe = name
		w, err := World(d)
		if err != nil {
			t.Fatal(err)
		}
		m := w.Models[0].Model
		q, names := jointOf(t, m, "j").Initial, m.Keyframes
		if q != want || !slices.Equal(names, []string{"home", "1", "squat"}) {
			t.Errorf("from keyframe %q the joint is at %g, want %g; the keyframes are %q", name, q, want, names)
		}
	}
	for text, want := range map[string]string{
		text:       `there is no keyframe "sqat"; the file has home, 1, squat; did you mean "squat"?`,
		refers(""): `there is no keyframe "sqat": the file has none`,
	} {
		d := open(t, text, nil)
		d.Keyframe = "sqat"
		if _, err := World(d); !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestSensorsInOnePlaceAreOneDevice(t *testing.T) {
	m := model(t, `<mujoco><worldbody><body name="a"><joint name="j"/><geom size="1"/><site name="s" pos="0 0 1" euler="0 90 0"/><camera name="eye" fovy="90" resolution="64 48"/></body></worldbody>
		<sensor><gyro name="imu" site="s" noise=".1"/><accelerometer site="s"/><force site="s"/><torque site="s"/><touch site="s"/><rangefinder site="s"/><magnetometer site="s"/>
		<velocimeter site="s"/><jointpos joint="j"/><subtreecom body="a"/></sensor></mujoco>`, nil)
	var kinds []scene.SensorKind
	for _, s := range m.Links[0].Sensors {
		kinds = append(kinds, s.Kind)
		switch s.Kind {
		case scene.IMU:
			if s.Name != "imu" || s.IMU.Turn[2].Std != 0.1 || s.IMU.Force[2].Std != 0 {
				t.Errorf("imu %+v", s)
			}
		case scene.Lidar: // along z of the site, which is x of the body
			if d := s.Pose.Rot.Rotate(r3.V(1, 0, 0)); d.Dist(r3.V(1, 0, 0)) > 1e-9 {
				t.Errorf("the range finder looks along %v", d)
			}
		case scene.Camera:
			if d := s.Pose.Rot.Rotate(r3.V(1, 0, 0)); d.Dist(r3.V(0, 0, -1)) > 1e-9 ||
				math.Abs(s.Camera.FY-24) > 1e-9 || s.Camera.Width != 64 {
				t.Errorf("camera along %v: %+v", d, s.Camera)
			}
		}
	}
	if want := []scene.SensorKind{scene.Camera, scene.IMU, scene.ForceTorque, scene.Contact, scene.Lidar,
		scene.Magnetometer}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
	if len(m.Notes) != 2 || !strings.Contains(m.Notes[0].Text, "<touch>") || !strings.Contains(m.Notes[1].Text, "subtreecom") {
		t.Errorf("notes %v", m.Notes)
	}
}

func TestAWorldIsItsOwnShapesAndAModelForEachBody(t *testing.T) {
	text := `<mujoco model="yard"><option timestep=".003" gravity="0 0 -1"/><worldbody><light name="sun" directional="true" dir="0 1 -1"/><geom type="plane" size="0 0 1"/>
		<body name="cart"><freejoint/><geom size="1" contype="0" conaffinity="0"/><geom group="3" size="1"/></body><body name="post"><geom size="1"/></body>
		<body name="hand" mocap="true"><geom size="1"/></body></worldbody></mujoco>`
	w, err := World(open(t, text, nil))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, p := range w.Models {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"ground", "cart", "post", "hand"}) || w.StepSize != 0.003 ||
		w.Gravity != r3.V(0, 0, -1) || len(w.Lights) != 1 {
		t.Fatalf("%v, %+v", names, w)
	}
	cart, post, hand := w.Models[1].Model, w.Models[2].Model, w.Models[3].Model
	if len(cart.Links[0].Visuals) != 1 || len(cart.Links[0].Collisions) != 1 || cart.Static || !post.Static ||
		!hand.Links[0].Kinematic || hand.Static {
		t.Errorf("cart %+v, post %+v, hand %+v", cart, post, hand)
	}
	if m, world := Kinds(open(t, text, nil).Tree.Root); m || !world {
		t.Errorf("good for a model %v, a world %v", m, world)
	}
	m := model(t, text, nil)
	if len(m.Links) != 3 || !m.Notes.Has(scene.Inferred) {
		t.Errorf("as a model: %d links, notes %v", len(m.Links), m.Notes)
	}
}

func TestHeightFieldsAreTerrainsAndFlatOnesBoxes(t *testing.T) {
	w, err := World(open(t, `<mujoco><asset><hfield name="h" size="2 1 3 .1" nrow="2" ncol="3" elevation="0 0 0  1 2 4"/><hfield name="flat" size="2 1 3 .1" nrow="9" ncol="9"/></asset>
		<worldbody><geom type="hfield" hfield="h"/><geom type="hfield" hfield="flat"/></worldbody></mujoco>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	g := w.Models[0].Model.Links[0].Collisions
	if h := g[0].Heights; g[0].Kind != scene.Heightfield || h.Columns != 3 || h.Rows != 2 ||
		h.At(2, 0) != r3.V(2, -1, 3) || h.At(0, 1) != r3.V(-2, 1, 0) {
		t.Errorf("terrain %+v", h)
	}
	if g[1].Kind != scene.Box || g[1].Size != r3.V(4, 2, 0.1) || g[1].Pose.Pos.Z != -0.05 {
		t.Errorf("flat: %+v", g[1])
	}
}

func TestATextureRepeatsOnAPlane(t *testing.T) {
	w, err := World(open(t, `<mujoco><asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0"/><material name="m" texture="t" texrepeat="3 5" texuniform="true"/><material name="n" texture="t" texrepeat="3 5"/></asset>
		<worldbody><geom type="plane" size="2 4 1" material="m"/><geom type="plane" size="0 0 1" material="n"/><geom size="1" material="n"/></worldbody></mujoco>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	l := w.Models[0].Model.Links[0]
	for i, want := range [][2]float32{{12, 40}, {3, 5}} {
		v := l.Visuals[i]
		if l.Collisions[i].Kind != scene.Plane || v.Mesh == nil || v.Mesh.Corners[0][2].UV != want ||
			v.Material.Image.Levels[0].Width != 64 {
			t.Errorf("plane %d: %+v", i, v)
		}
	}
	if c := l.Visuals[2].Material.Colour; math.Abs(float64(c[0])-0.75) > 1e-6 ||
		math.Abs(float64(c[1])-0.25) > 1e-6 {
		t.Errorf("a ball of that material is %v, want the mean of both colours", c)
	}
}

// FuzzModel reads anything as a model and as a world: what comes of it has finite poses and joints with both
// ends.
func FuzzModel(f *testing.F) {
	for _, r := range refused {
		f.Add(r.text)
	}
	f.Add(puppet["puppet.xml"])
	f.Add(refers(`<keyframe><key name="home" qvel="3"/></keyframe>`))
	f.Add(refers(`<tendon><fixed name="t" range="-1 1" stiffness="1" damping="1" frictionloss="1" springlength=".1"><joint joint="j" coef="2"/></fixed></tendon><actuator><position tendon="t" dampratio="1"/></actuator>`))
	f.Add(refers(`<actuator><intvelocity joint="j" inheritrange="1"/><cylinder joint="j" diameter="1" bias="0 -1 0"/><damper joint="j" ctrlrange="0 1"/><general joint="j" dyntype="filter" dynprm=".1" actearly="true" actrange="-1 1"/></actuator><keyframe><key name="home" act="1 1 1" ctrl="1 1 1 1"/></keyframe>`))
	f.Add(refers(`<actuator><position joint="j" kp="1" dampratio="1"/></actuator><sensor><gyro site="s"/></sensor><keyframe><key name="home" qpos="1"/></keyframe>`))
	f.Add(`<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><texture name="t" builtin="checker" type="2d"/><material name="c" texture="t" texrepeat="3 3"/></asset><worldbody><geom type="plane" material="c" size="1 1 1"/><body><freejoint/><geom type="box" mesh="m"/></body></worldbody></mujoco>`)
	f.Add(strungWith(`<spatial name="t" stiffness="3" range="0 2"><site site="u"/><geom geom="c" sidesite="s"/><site site="s"/><pulley divisor="2"/><site site="u"/><site site="s"/></spatial><fixed><joint joint="j"/><joint joint="k" coef="-2"/></fixed>`,
		`<position tendon="t" kp="4"/><motor site="s" refsite="u" gear="0 0 1 0 2 0"/><motor cranksite="s" slidersite="u" cranklength="5"/><muscle tendon="t" lengthrange="0.1 0.2"/><general joint="j" dyntype="muscle" gaintype="muscle" biastype="muscle" gainprm="0.7 1.1 30"/>`))
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := xmltree.Parse([]byte(text), xmltree.Limits{Elements: 2000})
		if err != nil {
			return
		}
		files := fakeFiles{"puppet.xml": puppet["puppet.xml"], "self.xml": text}
		look := func(m *scene.ModelSpec) {
			for i, l := range m.Links {
				if !l.Pose.IsFinite() {
					t.Fatalf("link %d stands at %v", i, l.Pose)
				}
			}
			for _, k := range m.Transmissions {
				if err := k.Path.Check(len(m.Links)); err != nil {
					t.Fatalf("transmission %+v: %v", k, err)
				}
				for _, term := range k.Joints {
					if term.Joint < 0 || term.Joint >= len(m.Joints) {
						t.Fatalf("transmission %+v of %d joints", k, len(m.Joints))
					}
				}
			}
			for _, j := range m.Joints {
				if j.Parent < scene.World || j.Parent >= len(m.Links) || j.Child < 0 ||
					j.Child >= len(m.Links) || j.Mimic.Set &&
					(j.Mimic.Joint < 0 || j.Mimic.Joint >= len(m.Joints)) {
					t.Fatalf("joint %+v of %d links", j, len(m.Links))
				}
			}
		}
		d := source.Open("f", asset.Ref{Path: "f"}, tree, files)
		d.Budget = &source.Budget{Includes: 20, Links: 2000, Parts: 5000}
		if m, err := Model(d); err == nil {
			look(m)
		}
		d = source.Open("f", asset.Ref{Path: "f"}, tree, files)
		d.Budget = &source.Budget{Includes: 20, Links: 2000, Parts: 5000}
		if w, err := World(d); err == nil {
			for _, p := range w.Models {
				look(p.Model)
			}
		}
	})
}

func TestANoisySensorOfAJointIsItsEncoder(t *testing.T) {
	m := model(t, `<mujoco><worldbody><body name="a"><joint name="j"/><joint name="k" axis="1 0 0"/><geom size="1"/></body></worldbody>
		<sensor><jointpos joint="j" noise="0.01"/><jointvel joint="j"/><jointpos joint="k"/></sensor></mujoco>`, nil)
	want := scene.Encoder{Set: true, Tacho: true, Position: scene.Noise{Std: 0.01}}
	if j := jointOf(t, m, "j"); j.Encoder != want {
		t.Errorf("encoder %+v, want %+v", j.Encoder, want)
	}
	if j := jointOf(t, m, "k"); j.Encoder.Set {
		t.Errorf("a sensor without noise is an encoder: %+v", j.Encoder)
	}
}

// The force at a site is that between its body and the parent, also where no joint is between them.
func TestAForceIsThatBetweenABodyAndItsParent(t *testing.T) {
	m := model(t, `<mujoco><worldbody><body name="a"><joint name="j"/><geom size="1"/><site name="s"/>
		<body name="b"><geom size="1"/><site name="t"/></body></body><body name="c"><freejoint/><geom size="1"/><site name="u"/></body></worldbody>
		<sensor><force site="s"/><torque site="t"/><force site="u"/></sensor></mujoco>`, nil)
	var joints []string
	for _, l := range m.Links {
		for _, s := range l.Sensors {
			joints = append(joints, m.Joints[s.Force.Joint].Name)
		}
	}
	if !slices.Equal(joints, []string{"j", "b_fixed"}) {
		t.Errorf("sensors in joints %q", joints)
	}
	if len(m.Notes) != 1 || m.Notes[0].Line != 3 || !strings.Contains(m.Notes[0].Text, "is free") {
		t.Errorf("notes %v", m.Notes)
	}
}

func TestAMarginComesBeforeTheEndsOfARange(t *testing.T) {
	m := model(t, world(`<body><joint name="a" type="slide" range="-1 2" margin=".25" actuatorfrcrange="-4 4"/>
		<joint name="b" type="slide" range="-1 2" margin="9" actuatorfrclimited="false" actuatorfrcrange="-4 4"/><geom size="1"/></body>`), nil)
	a, b := jointOf(t, m, "a").Limit, jointOf(t, m, "b").Limit
	if a.Lower != -0.75 || a.Upper != 1.75 || a.Effort != 4 || b.Lower != 0.5 || b.Upper != 0.5 ||
		b.Effort != 0 {
		t.Errorf("limits %+v, %+v", a, b)
	}
}
