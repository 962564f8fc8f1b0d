package mjcf

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// fakeFiles answers includes and models from memory, and nothing else.
type fakeFiles map[string]string

func (fakeFiles) Mesh(string, asset.Ref) (*mesh.Mesh, error) { return nil, asset.ErrNotFound }

func (fakeFiles) Exists(string, asset.Ref) error { return asset.ErrNotFound }

func (fakeFiles) Texture(string, asset.Ref) (*scene.Texture, error) { return nil, asset.ErrNotFound }

func (s fakeFiles) Model(name string, doc *source.Doc) (*source.Doc, error) {
	text, ok := s[name]
	if !ok {
		return nil, asset.ErrNotFound
	}
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		return nil, err
	}
	return doc.Included(name, asset.Ref{Path: name}, tree), nil
}

func open(t testing.TB, text string, files fakeFiles) *source.Doc {
	t.Helper()
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return source.Open("test.xml", asset.Ref{Path: "test.xml"}, tree, files)
}

func model(t testing.TB, text string, files fakeFiles) *scene.ModelSpec {
	t.Helper()
	m, err := Model(open(t, text, files))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// world is a document with that worldbody.
func world(inside string) string {
	return `<mujoco><worldbody>` + inside + `</worldbody></mujoco>`
}

const ball, crate = `<geom name="g" size="1"/>`, `<geom type="box" size="1 2 3"/>`

var refused = []struct{ text, want string }{
	{`<mujoco/>`, "neither a <body> nor a <geom>"},
	{world(`<geom type="torus" size="1"/>`), `1:20: type="torus"`},
	{world(`<geom size="0"/>`), "greater than zero"},
	{world(`<geom type="box" size="1 -1 1"/>`), "greater than zero"},
	{world(`<geom size="1 2 3 4"/>`), "has 4 numbers, needs 1 to 3"},
	{world(`<geom size="nan"/>`), "not a finite number"},
	{world(`<geom size="1" friction="-1"/>`), "no friction is negative"},
	{world(`<geom size="1" condim="2"/>`), "condim=2"},
	{world(`<geom size="1" contype="0.5"/>`), "no whole number"},
	{world(`<geom size="1" mass="-1"/>`), "neither is negative"},
	{world(`<geom type="mesh"/>`), "names no mesh"},
	{world(`<geom type="mesh" mesh="m"/>`), `no mesh "m"`},
	{world(`<geom type="hfield" hfield="h"/>`), `no hfield "h"`},
	{world(`<geom size="1" material="m"/>`), `no material "m"`},
	{world(`<geom size="1" class="c"/>`), `no default class "c"`},
	{world(`<geom type="capsule" size="1" fromto="1 1 1 1 1 1"/>`), "both ends are in one place"},
	{world(`<geom type="sphere" size="1" fromto="0 0 0 1 1 1"/>`), "have two ends"},
	{world(`<geom size="1" quat="0 0 0 0"/>`), "no direction"},
	{world(`<geom size="1" euler="0 0 0" zaxis="1 0 0"/>`), "want one orientation"},
	{world(`<geom size="1" xyaxes="1 0 0 2 0 0"/>`), "no direction"},
	{world(ball + ball), `a second geom "g"`},
	{world(`<joint/>` + ball), "cannot move"},
	{world(`<body name="b"><freejoint/></body>`), "moves and has no mass"},
	{world(`<body><freejoint/><joint/>` + ball + `</body>`), "beside others"},
	{world(`<body><joint/><freejoint/>` + ball + `</body>`), "beside others"},
	{world(`<body>` + ball + `<body><freejoint/><geom size="1"/></body></body>`), "hangs on body"},
	{world(`<body mocap="true"><joint/>` + ball + `</body>`), "mocap"},
	{world(`<body><body mocap="true">` + ball + `</body></body>`), "hangs on another"},
	{world(`<body><joint axis="0 0 0"/>` + ball + `</body>`), "no direction"},
	{world(`<body><joint range="2 1"/>` + ball + `</body>`), "greater than the first"},
	{world(`<body><joint type="bendy"/>` + ball + `</body>`), `type="bendy"`},
	{world(`<body childclass="c"/>`), `no default class "c"`},
	{world(`<body pos="1e308 0 0"><body pos="1e308 0 0">` + ball + `</body></body>`),
		"add up to {1e+50 0 0}"},
	{world(`<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 10"/></body>`),
		"exceeds the sum of the others"},
	{world(`<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="-1 1 1"/></body>`),
		"none is negative"},
	{world(`<body><freejoint/><inertial pos="0 0 0"/></body>`), "a mass is given"},
	{world(`<replicate count="1000000000">` + ball + `</replicate>`), "1000000000 copies"},
	{world(`<replicate count="2">` + ball + `</replicate>` + `<replicate count="2">` + ball + `</replicate>`),
		`a second geom "g0"`},
	{world(`<attach model="ghost" prefix="x"/>`), `<model name="ghost">`},
	{world(`<attach prefix="x"/>`), `without a model, and without a body or frame`},
	{world(`<frame name="f"><attach frame="f" prefix="x"/></frame>`), `deeper than`},
	{attaches(`<model file="hand.xml"/>`, `model="hand"`), `no <model name="hand">`},
	{attaches(`<model file="hand.xml"/><model name="left hand" file="hand.xml"/>`, `model="x"`), "a second model"},
	{attaches(`<model name="h" file="hand.xml"/>`, `model="h" frame="ghost"`), `has no frame "ghost"`},
	{attaches(`<model name="h" file="hand.xml"/>`, `model="h" body="x" frame="f"`), "want one of them"},
	{world(strings.Repeat(`<replicate count="100000">`, 3) + crate + strings.Repeat(`</replicate>`, 3)),
		"more than 80000 links, joints, frames"},
	{`<mujoco><compiler angle="grad"/></mujoco>`, `angle="grad"`},
	{`<mujoco><compiler eulerseq="xyw"/></mujoco>`, `eulerseq="xyw"`},
	{`<mujoco><compiler coordinate="global"/></mujoco>`, "before 2.3.4"},
	{`<mujoco><option timestep="0"/></mujoco>`, "greater than zero"},
	{`<mujoco><option timestep="nan"/></mujoco>`, "not a finite number"},
	{`<mujoco><default><default/></default></mujoco>`, "has no class"},
	{`<mujoco><default><default class="a"/><default class="b"><default class="a"/></default></default></mujoco>`,
		`a second class "a"`},
	{`<mujoco><asset><mesh/></asset></mujoco>`, "neither a name nor a file"},
	{`<mujoco><asset><mesh name="m" vertex="0 0 0 1 1 1"/></asset></mujoco>`, "at least four points"},
	{`<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 7"/></asset></mujoco>`,
		"names vertex 7 of 4"},
	{`<mujoco><asset><mesh name="m" file="a.stl" scale="1 0 1"/></asset></mujoco>`, "flat"},
	{`<mujoco><asset><hfield name="h" size="1 1 1 1" nrow="100000" ncol="100000"/></asset></mujoco>`,
		"in all are read"},
	{`<mujoco><asset><material name="m" texture="t"/></asset></mujoco>`, `no texture "t"`},
	{`<mujoco><include file="none.xml"/></mujoco>`, "1:9: <include"},
	{`<mujoco><include file="loop.xml"/></mujoco>`, "includes itself"},
	{`<mujoco><include file="robot.urdf"/></mujoco>`, "an included file begins with"},
	{refers(`<actuator><motor joint="ghost"/></actuator>`), `no joint "ghost"`},
	{refers(`<actuator><motor/></actuator>`), "moves nothing"},
	{refers(`<actuator><motor joint="j" ctrlrange="1 0" ctrllimited="true"/></actuator>`),
		"greater than the first"},
	{refers(`<sensor><gyro site="ghost"/></sensor>`), `no site "ghost"`},
	{refers(`<sensor><jointpos joint="ghost"/></sensor>`), `no joint "ghost"`},
	{refers(`<contact><exclude body1="b" body2="ghost"/></contact>`), `no body "ghost"`},
	{refers(`<equality><connect body1="b"/></equality>`), "no anchor"},
	{refers(`<equality><joint joint1="j" joint2="ghost"/></equality>`), `no joint "ghost"`},
	{refers(`<tendon><fixed name="t"><joint joint="ghost"/></fixed></tendon>`), `no joint "ghost"`},
	{refers(`<keyframe><key name="a"/><key name="a"/></keyframe>`), `a second keyframe "a"`},
}

func TestKeyframesOfAnotherLengthAreLeftOutWithANote(t *testing.T) {
	for text, want := range map[string]string{
		`<key name="home" qpos="1 2"/>`: "has 2 numbers; the joints have 1",
		`<key ctrl="1"/>`:               "there are 0 actuators",
		`<key qvel="1 2 3"/>`:           "qvel of <key> has 3 numbers; the joints have 1",
		`<key mpos="1 2 3"/>`:           "bodies with mocap have 0",
	} {
		d := open(t, refers(`<keyframe>`+text+`<key name="other" qpos="1"/></keyframe>`), loops)
		m, err := Model(d)
		if err != nil || len(m.Keyframes) != 1 || m.Keyframes[0] != "other" || m.Joints[0].Initial != 0 {
			t.Errorf("%s: %v, %+v", text, err, m)
			continue
		}
		if n := *d.Notes; len(n) != 1 || !strings.Contains(n[0].Text, want) {
			t.Errorf("%s: notes %v, want %q", text, n, want)
		}
	}
	d := open(t, refers(`<keyframe><key name="up" qpos="1 2"/></keyframe>`), loops)
	d.Keyframe = "up"
	if _, err := Model(d); !errors.Is(err, scene.ErrParse) {
		t.Errorf("a keyframe of another length that is asked for: %v", err)
	}
}

// refers is a document with a body on a hinge and what speaks of it.
func refers(text string) string {
	return `<mujoco><worldbody><body name="b"><joint name="j"/>` + ball +
		`<site name="s"/></body></worldbody>` + text + `</mujoco>`
}

// attaches is a document that attaches to a body, in a frame 10 m before it, what the attributes say.
func attaches(models, what string) string {
	return `<mujoco><asset>` + models + `</asset><worldbody><body name="base" pos="0 0 1"><freejoint/>` + ball +
		`<frame pos="10 0 0"><attach prefix="a_" ` + what + `/></frame></body></worldbody></mujoco>`
}

var loops = fakeFiles{"hand.xml": hand, "loop.xml": `<mujoco><include file="pool.xml"/></mujoco>`,
	"pool.xml": `<mujoco><include file="loop.xml"/></mujoco>`, "robot.urdf": `<robot/>`}

func TestMistakesAreRefusedWithTheirPlace(t *testing.T) {
	for _, c := range refused {
		m, err := Model(open(t, c.text, loops))
		if err == nil || !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), ":1:") {
			t.Errorf("%.200s\n%v, want %q with a place", c.text, err, c.want)
		}
		if m != nil {
			t.Errorf("%.100s: an error and a model", c.text)
		}
	}
}

func TestEveryFormOfOrientationTurnsAlike(t *testing.T) {
	quarter := r3.AxisAngle(r3.V(0, 0, 1), math.Pi/2)
	for form, want := range map[string]r3.Quat{
		`quat="2 0 0 2"`: quarter, `axisangle="0 0 3 90"`: quarter, `euler="0 0 90"`: quarter,
		`xyaxes="0 2 0 -1 5 0"`: quarter,
		`zaxis="0 3 0"`:         r3.AxisAngle(r3.V(1, 0, 0), -math.Pi/2),
		`zaxis="0 0 -1"`:        r3.AxisAngle(r3.V(1, 0, 0), math.Pi),
		`euler="90 0 90"`:       r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2).Mul(quarter), ``: r3.Identity(),
	} {
		m := model(t, world(`<body><freejoint/><geom size="1"/><body `+form+
			`><geom size="1"/></body></body>`), nil)
		got := m.Links[1].Pose.Rot
		if d := math.Abs(got.W*want.W + got.X*want.X + got.Y*want.Y + got.Z*want.Z); d < 1-1e-12 {
			t.Errorf("%s: %v, want %v", form, got, want)
		}
	}
	for sequence, want := range map[string]r3.Quat{
		"zyx": quarter.Mul(r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)),
		"XYZ": quarter.Mul(r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)),
	} {
		text := `<mujoco><compiler eulerseq="` + sequence +
			`"/><worldbody><body euler="90 0 90"><geom size="1"/></body></worldbody></mujoco>`
		got := model(t, text, nil).Links[0].Pose.Rot
		if d := math.Abs(got.W*want.W + got.X*want.X + got.Y*want.Y + got.Z*want.Z); d < 1-1e-12 {
			t.Errorf("%s: %v, want %v", sequence, got, want)
		}
	}
}

func TestDefaultsComeFromTheNearestClass(t *testing.T) {
	m := model(t, `<mujoco><default><geom size="1" density="500"/><joint damping="1"/>
		<default class="a"><geom size="2"/><default class="b"><geom type="box" size="3 3 3"/><joint damping="2"/></default></default></default>
		<worldbody><body name="root" childclass="a"><joint name="j"/><geom/>
			<body name="child"><joint name="k" class="b"/><geom class="b"/></body>
			<body name="other" childclass="b"><joint name="l" damping="3"/><geom class="main"/></body>
		</body></worldbody></mujoco>`, nil)
	if g := m.Links[0].Collisions[0]; g.Radius != 2 ||
		math.Abs(m.Links[0].Inertial.Mass-500*4.0/3*math.Pi*8) > 1e-6 {
		t.Errorf("childclass: %+v", g)
	}
	if g := m.Links[1].Collisions[0]; g.Kind != scene.Box || g.Size != r3.V(6, 6, 6) {
		t.Errorf("class of its own: %+v", g)
	}
	if g := m.Links[2].Collisions[0]; g.Kind != scene.Sphere || g.Radius != 1 {
		t.Errorf("class main: %+v", g)
	}
	for name, want := range map[string]float64{"j": 1, "k": 2, "l": 3} {
		if got := jointOf(t, m, name).Damping; got != want {
			t.Errorf("damping of %s: %v, want %v", name, got, want)
		}
	}
}

func jointOf(t testing.TB, m *scene.ModelSpec, name string) scene.Joint {
	t.Helper()
	for _, j := range m.Joints {
		if j.Name == name {
			return j
		}
	}
	t.Fatalf("no joint %q", name)
	return scene.Joint{}
}

func TestJointsOfOneBodyFollowEachOther(t *testing.T) {
	m := model(t, world(`<body name="b" pos="0 0 1"><joint name="x" type="slide" axis="2 0 0" range="-1 1"/><joint name="y" axis="0 1 0" pos="0 0 .1" range="-90 90" ref="30"/>
		<joint name="z" axis="0 0 1" armature=".1" frictionloss=".2" stiffness="3" springref="10"/><geom size=".1"/><body name="c"><joint name="w"/><geom size=".1"/></body></body>`), nil)
	if len(m.Links) != 4 || !m.Links[0].Virtual || !m.Links[1].Virtual || m.Links[2].Name != "b" ||
		m.Links[2].Virtual || m.Canonical != 2 {
		t.Fatalf("links %+v", m.Links)
	}
	for i, want := range []struct {
		name          string
		parent, child int
		kind          scene.JointKind
	}{{"x", scene.World, 0, scene.Prismatic}, {"y", 0, 1, scene.Revolute}, {"z", 1, 2, scene.Continuous},
		{"w", 2, 3, scene.Continuous}} {
		if j := m.Joints[i]; j.Name != want.name || j.Parent != want.parent || j.Child != want.child ||
			j.Kind != want.kind {
			t.Errorf("joint %d is %+v, want %+v", i, j, want)
		}
	}
	y, z := m.Joints[1], m.Joints[2]
	if math.Abs(y.Limit.Lower+math.Pi*2/3) > 1e-9 || math.Abs(y.Limit.Upper-math.Pi/3) > 1e-9 ||
		y.Pose.Pos != r3.V(0, 0, 0.1) {
		t.Errorf("range less ref: %+v", y)
	}
	if z.Armature != 0.1 || z.Friction != 0.2 || z.Stiffness != 3 ||
		math.Abs(z.SpringRest-math.Pi/18) > 1e-9 {
		t.Errorf("forces: %+v", z)
	}
	m = model(t, world(`<body name="a"><freejoint/><geom size="1"/><body name="b"><joint/><joint axis="1 0 0"/><geom size="1"/></body></body>`),
		nil)
	if len(m.Apart) != 1 || m.Apart[0] != [2]int{0, 2} {
		t.Errorf("a body and its parent behind two joints touch: %v", m.Apart)
	}
	if m = model(t, world(`<body><joint axis="1 0 0"/><joint axis="0 1 0"/><joint/><geom size="1"/></body>`),
		nil); len(m.Links) != 1 || m.Joints[0].Kind != scene.Ball {
		t.Errorf("three nameless hinges in one point: %+v", m.Joints)
	}
}

func TestContactBitsAreMuJoCos(t *testing.T) {
	touch := func(a, b scene.Geom) bool { return a.Category&b.Mask != 0 && b.Category&a.Mask != 0 }
	for i := range 256 {
		c1, a1, c2, a2 := i&3, i>>2&3, i>>4&3, i>>6&3
		w, err := World(open(t, world(fmt.Sprintf(`<geom size="1" contype="%d" conaffinity="%d"/><geom size="1" contype="%d" conaffinity="%d"/>`,
			c1, a1, c2, a2)), nil))
		if err != nil {
			t.Fatal(err)
		}
		g := w.Models[0].Model.Links[0].Collisions
		want := c1&a2 != 0 || c2&a1 != 0
		if got := len(g) == 2 && touch(g[0], g[1]); got != want {
			t.Errorf("contype %d, conaffinity %d against %d and %d: %v, want %v", c1, a1, c2, a2, got, want)
		}
		all := scene.Geom{Category: math.MaxUint32, Mask: math.MaxUint32}
		for _, x := range g {
			if !touch(x, all) {
				t.Errorf("a shape with contype or conaffinity does not touch those of other formats: %+v", x)
			}
		}
	}
}

func TestARangefinderSaysWhichShapesItDoesNotSee(t *testing.T) {
	for geom, want := range map[string]bool{"": false, ` contype="0" conaffinity="0"`: true,
		` contype="0" conaffinity="0" rgba="1 1 1 0"`: false} {
		d := open(t, `<mujoco><worldbody><body name="b"><joint/>`+ball+`<geom size=".1" contype="0" conaffinity="0"/><site name="s"/></body><body pos="2 0 0"><geom size="1"`+
			geom+`/></body></worldbody><sensor><rangefinder site="s"/></sensor></mujoco>`, loops)
		if _, err := World(d); err != nil {
			t.Fatal(err)
		}
		noted := false
		for _, n := range *d.Notes {
			noted = noted || strings.Contains(n.Text, "<rangefinder> does not see")
		}
		if noted != want {
			t.Errorf("%q: notes %v", geom, *d.Notes)
		}
	}
}
