package sdf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/texture"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// fakeFiles is the files of a test: models by address.
type fakeFiles map[string]*xmltree.Document

func (fakeFiles) Mesh(string, asset.Ref) (*mesh.Mesh, error) { return nil, asset.ErrNotFound }

func (fakeFiles) Exists(string, asset.Ref) error { return asset.ErrNotFound }

func (s fakeFiles) Model(uri string, doc *source.Doc) (*source.Doc, error) {
	if s[uri] == nil || len(doc.Parents) > 3 {
		return nil, asset.ErrNotFound
	}
	return doc.Included(uri, asset.Ref{Path: uri}, s[uri]), nil
}

// put makes fake files of addresses and texts.
func put(t testing.TB, texts ...string) fakeFiles {
	t.Helper()
	s := fakeFiles{}
	for i := 0; i < len(texts); i += 2 {
		tree, err := xmltree.Parse([]byte(texts[i+1]), xmltree.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		s[texts[i]] = tree
	}
	return s
}

func open(t testing.TB, text string, files fakeFiles) *source.Doc {
	t.Helper()
	tree, err := xmltree.Parse([]byte(text), xmltree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return source.Open("test.sdf", asset.Ref{}, tree, files)
}

const (
	mass    = `<inertial><mass>1</mass></inertial>`
	body    = `<link name="l">` + mass + `</link>`
	twoLink = `<link name="a">` + mass + `</link><link name="b"><pose>0 0 1 0 0 0</pose>` + mass + `</link>`
)

func inModel(inside string) string {
	return `<sdf version="1.9"><model name="m">` + inside + `</model></sdf>`
}

// frames places links by every way of SDFormat's pose frame semantics; want is the pose of link "l".
var frames = []struct {
	name, text string
	want       r3.Pose
}{
	{"plain", inModel(`<link name="l"><pose>1 2 3 0 0 0</pose></link>`), r3.PoseRPY(1, 2, 3, 0, 0, 0)},
	{"empty pose", inModel(`<link name="l"><pose/></link>`), r3.IdentityPose()},
	{"degrees", inModel(`<link name="l"><pose degrees="true">1 0 0 0 0 90</pose></link>`),
		r3.PoseRPY(1, 0, 0, 0, 0, 90*degree)},
	{"quaternion", inModel(`<link name="l"><pose rotation_format="quat_xyzw">1 0 0 0 0 2 2</pose></link>`),
		r3.PoseRPY(1, 0, 0, 0, 0, 90*degree)},
	{"relative to a link", inModel(`<link name="k"><pose degrees="1">1 0 0 0 0 90</pose></link><link name="l"><pose relative_to="k">1 0 0 0 0 0</pose></link>`),
		r3.PoseRPY(1, 1, 0, 0, 0, 90*degree)},
	{"relative to a later frame", inModel(`<link name="l"><pose relative_to="f">1 0 0 0 0 0</pose></link><frame name="f"><pose>0 5 0 0 0 0</pose></frame>`),
		r3.PoseRPY(1, 5, 0, 0, 0, 0)},
	{"relative to an attached frame",
		inModel(`<link name="k"><pose>0 0 7 0 0 0</pose></link><frame name="f" attached_to="k"><pose>0 5 0 0 0 0</pose></frame><link name="l"><pose relative_to="f"/></link>`),
		r3.PoseRPY(0, 5, 7, 0, 0, 0)},
	{"relative to a joint", inModel(`<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link><joint name="j" type="fixed"><parent>a</parent><child>b</child><pose>0 2 0 0 0 0</pose></joint><link name="l"><pose relative_to="j">3 0 0 0 0 0</pose></link>`),
		r3.PoseRPY(3, 2, 1, 0, 0, 0)},
	{"relative to a link of a nested model",
		inModel(`<model name="n"><pose>0 0 4 0 0 0</pose><link name="k"><pose>0 1 0 0 0 0</pose></link></model><link name="l"><pose relative_to="n::k">1 0 0 0 0 0</pose></link>`),
		r3.PoseRPY(1, 1, 4, 0, 0, 0)},
	{"frame attribute before 1.7",
		`<sdf version="1.6"><model name="m"><link name="k"><pose>1 0 0 0 0 0</pose></link><link name="l"><pose frame="k">1 0 0 0 0 0</pose></link></model></sdf>`,
		r3.PoseRPY(2, 0, 0, 0, 0, 0)},
}

func TestPosesFollowTheFramesTheyAreGivenIn(t *testing.T) {
	for _, c := range frames {
		t.Run(c.name, func(t *testing.T) {
			spec, err := Model(open(t, c.text, nil))
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range spec.Links {
				if l.Name == "l" {
					near(t, "link", l.Pose, c.want)
				}
			}
		})
	}
}

func near(t *testing.T, what string, got, want r3.Pose) {
	t.Helper()
	d := want.Relative(got)
	if d.Pos.Len() > 1e-9 || d.Rot.W*d.Rot.W < 1-1e-9 {
		t.Errorf("%s at %v, want %v", what, got, want)
	}
}

// refused are texts that are errors, with what the error says.
var refused = []struct{ text, want string }{
	{`<sdf version="x"><model name="m">` + body + `</model></sdf>`, `version "x"`},
	{`<sdf version="1.9"/>`, "holds no <model>"},
	{`<sdf version="1.9"><light name="l" type="point"/></sdf>`,
		"holds no <model>, only <light>, which a world can include"},
	{`<sdf version="1.9"><modle name="m"/></sdf>`, "holds no <model>, only <modle>"},
	{inModel(""), "has no link"},
	{`<sdf version="1.9"><model>` + body + `</model></sdf>`, "<model> has no name"},
	{inModel(body + body), `the name "l" of this <link> is already used in line 1`},
	{inModel(`<link name="a::b"/>`), `"::" is reserved`},
	{inModel(`<link name="l"><pose>1 2 3 0 0</pose></link>`), "1:51: \"1 2 3 0 0\" in <pose> has 5 numbers"},
	{inModel(`<link name="l"><pose>nan 0 0 0 0 0</pose></link>`), "not a finite number"},
	{inModel(`<link name="l"><pose>1,0 0 0 0 0 0</pose></link>`), "is not a number"},
	{inModel(`<link name="l"><pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose></link>`),
		"has no direction"},
	{inModel(`<link name="l"><pose relative_to="x">0 0 0 0 0 0</pose></link>`), `relative to "x"`},
	{inModel(`<link name="l"><pose relative_to="l">1 0 0 0 0 0</pose></link>`), "relative to itself"},
	{inModel(body + `<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>`),
		"relative to itself"},
	{`<sdf version="1.9"><model name="m" canonical_link="x">` + body + `</model></sdf>`,
		`canonical_link "x"`},
	{inModel(twoLink + `<joint name="j" type="revolute"><parent>a</parent><child>a</child></joint>`),
		"as parent and as child"},
	{inModel(twoLink + `<joint name="j" type="wobbly"><parent>a</parent><child>b</child></joint>`),
		`type "wobbly"`},
	{inModel(twoLink + `<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 0</xyz></axis></joint>`),
		"has no direction"},
	{inModel(`<link name="l"><inertial><mass>-1</mass></inertial></link>`), "mass of -1 kg"},
	{inModel(`<link name="l"><collision name="c"><geometry><box><size>-1 1 1</size></box></geometry></collision></link>`),
		"length of -1"},
	{inModel(`<link name="l"><collision name="c"><geometry><plane><normal>0 0 0</normal></plane></geometry></collision></link>`),
		"no direction"},
	{`<sdf version="1.9"><world name="w"><gravity>0 0</gravity></world></sdf>`, "has 2 numbers, needs 3"},
	{`<sdf version="1.9"><world name="w"><frame name="f"/><frame name="f"/></world></sdf>`,
		"is already used in line 1"},
}

func read(d *source.Doc) error {
	if Kind(d.Tree.Root) == "world" {
		_, err := World(d)
		return err
	}
	_, err := Model(d)
	return err
}

func TestWhatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range refused {
		err := read(open(t, c.text, nil))
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "test.sdf:1:") {
			t.Errorf("%s\n\t%v, want %q", c.text, err, c.want)
		}
	}
}

func TestJointsKeepTheirFramesAxesAndLimits(t *testing.T) {
	spec, err := Model(open(t, inModel(twoLink+`
		<joint name="hinge" type="revolute"><parent>a</parent><child>b</child><pose degrees="1">0 0 0 90 0 0</pose>
			<axis><xyz expressed_in="__model__">0 2 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>3</effort></limit><dynamics><damping>.5</damping></dynamics></axis></joint>
		<joint name="wheel" type="revolute"><parent>world</parent><child>b</child><axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>1e16</upper></limit></axis></joint>
		<joint name="shoulder" type="ball"><parent>a</parent><child>b</child></joint>
		<joint name="gears" type="gearbox"><parent>a</parent><child>b</child></joint>
		<joint name="slide" type="prismatic"><parent>a</parent><child>b</child><axis><limit><lower>2</lower><upper>1</upper></limit><mimic joint="hinge"><multiplier>2</multiplier><offset>1</offset><reference>3</reference></mimic></axis></joint>`), nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Joints) != 4 {
		t.Fatalf("%d joints, want 4: the gearbox is left out", len(spec.Joints))
	}
	hinge, wheel, ball, slide := spec.Joints[0], spec.Joints[1], spec.Joints[2], spec.Joints[3]
	if hinge.Kind != scene.Revolute || hinge.Axis.Dist(r3.V(0, 0, -1)) > 1e-9 ||
		hinge.Limit != (scene.Limit{Set: true, Lower: -1, Upper: 2, Effort: 3}) || hinge.Damping != .5 {
		t.Errorf("hinge %+v", hinge)
	}
	near(t, "hinge", hinge.Pose, r3.PoseRPY(0, 0, 0, 90*degree, 0, 0))
	if wheel.Kind != scene.Continuous || wheel.Parent != scene.World || wheel.Limit.Set {
		t.Errorf("wheel %+v", wheel)
	}
	if ball.Kind != scene.Ball || ball.Parent != 0 || ball.Child != 1 {
		t.Errorf("ball %+v", ball)
	}
	if slide.Limit.Lower != 1 || slide.Mimic != (scene.Mimic{Joint: 0, Multiplier: 2, Offset: -5,
		Set: true}) {
		t.Errorf("slide %+v", slide)
	}
	for _, want := range []string{"no revolute joint is between", "above the upper"} {
		if !said(spec.Notes, want) {
			t.Errorf("no note says %q: %v", want, spec.Notes)
		}
	}
}

func said(notes scene.Notes, text string) bool {
	for _, n := range notes {
		if strings.Contains(n.Text, text) {
			return true
		}
	}
	return false
}

func TestNestedAndMergedModelsAreFlattened(t *testing.T) {
	files := put(t, "model://arm",
		inModel(`<pose>9 9 9 0 0 0</pose><link name="l"><pose>1 0 0 0 0 0</pose>`+mass+
			`</link><link name="k">`+mass+
			`</link><frame name="f"><pose>0 0 2 0 0 0</pose></frame><joint name="j" type="fixed"><parent>__model__</parent><child>k</child></joint>`))
	spec, err := Model(open(t, inModel(`<link name="base">`+mass+`</link>
		<include><uri>model://arm</uri><name>left</name><pose>0 1 0 0 0 0</pose></include>
		<include><uri>model://arm</uri><name>own</name></include>
		<include><uri>model://arm</uri><name>placed</name><pose>0 0 5 0 0 0</pose><placement_frame>f</placement_frame></include>
		<include merge="true"><uri>model://arm</uri><pose>0 3 0 0 0 0</pose></include>
		<include><uri>model://ghost</uri></include>
		<joint name="hold" type="fixed"><parent>base</parent><child>left::k</child></joint>
		<joint name="lost" type="fixed"><parent>base</parent><child>ghost::k</child></joint>`), files))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]r3.Pose{
		"base": r3.IdentityPose(), "left::l": r3.PoseRPY(1, 1, 0, 0, 0, 0),
		"left::k": r3.PoseRPY(0, 1, 0, 0, 0, 0),
		"own::l":  r3.PoseRPY(10, 9, 9, 0, 0, 0), "own::k": r3.PoseRPY(9, 9, 9, 0, 0, 0),
		"placed::l": r3.PoseRPY(1, 0, 3, 0, 0, 0), "placed::k": r3.PoseRPY(0, 0, 3, 0, 0, 0),
		"l": r3.PoseRPY(1, 3, 0, 0, 0, 0), "k": r3.PoseRPY(0, 3, 0, 0, 0, 0),
	}
	if len(spec.Links) != len(want) {
		t.Errorf("%d links, want %d", len(spec.Links), len(want))
	}
	for _, l := range spec.Links {
		near(t, l.Name, l.Pose, want[l.Name])
	}
	names := []string{}
	for _, j := range spec.Joints {
		names = append(names, j.Name)
	}
	if got := strings.Join(names, " "); got != "j hold left::j own::j placed::j" {
		t.Errorf("joints %s", got)
	}
	if !spec.Notes.Has(scene.Missing) {
		t.Error("the missing model is not noted")
	}
}

// furnished is a world with included models and a light, a named pose, and an actor who walks.
func furnished(t *testing.T) *scene.WorldSpec {
	t.Helper()
	files := put(t, "model://box", inModel(body), "model://sun",
		`<sdf version="1.9"><light name="sun" type="directional"><direction>0 0 -2</direction></light></sdf>`)
	w, err := World(open(t, `<sdf version="1.9"><world name="w"><simdeck:tags>a b</simdeck:tags>
		<simdeck:lockstep> a@10	b:stamp </simdeck:lockstep>
		<physics type="ode"><max_step_size>0.002</max_step_size><real_time_factor>0</real_time_factor></physics><gravity>0 0 -1</gravity>
		<include><uri>model://sun</uri></include>
		<include><uri>model://box</uri><name>one</name><pose>1 0 0 0 0 0</pose><static>true</static></include>
		<include><uri>model://box</uri><name>two</name><pose relative_to="one">1 0 0 0 0 0</pose></include>
		<include><uri>model://box</uri><name>three</name><simdeck:deletable>true</simdeck:deletable><simdeck:namespace>n</simdeck:namespace></include>
		<include><uri>model://box</uri><name>four</name></include>
		<frame name="dock" attached_to="one"><pose>0 1 0 0 0 0</pose><simdeck:tags>x y</simdeck:tags><simdeck:bounds><sphere><radius>2</radius></sphere></simdeck:bounds></frame>
		<actor name="walker"><pose>0 0 1 0 0 0</pose><animation name="walk"/><script><loop>0</loop><delay_start>2</delay_start>
			<trajectory id="0" type="walk" tension="0.5"><waypoint><time>0</time><pose>0 0 0 0 0 0</pose></waypoint><waypoint><time>2</time><pose>4 0 0 0 0 0</pose></waypoint></trajectory>
			<trajectory id="1" type="walk"><waypoint><time>0</time><pose>4 0 0 0 0 0</pose></waypoint><waypoint><time>1</time><pose>4 0 0 0 0 1.5</pose></waypoint><waypoint><time>0.5</time><pose>0 0 0 0 0 0</pose></waypoint></trajectory>
		</script></actor></world></sdf>`, files))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAWorldKeepsItsModelsPosesLightsAndPhysics(t *testing.T) {
	w := furnished(t)
	if len(w.Models) != 5 || w.StepSize != .002 || !w.Unpaced || w.Gravity != r3.V(0, 0, -1) ||
		len(w.Lights) != 1 || len(w.Tags) != 2 || !slices.Equal(w.Lockstep, []string{"a@10", "b:stamp"}) {
		t.Fatalf("world %+v", w)
	}
	near(t, "two", w.Models[1].Pose, r3.PoseRPY(2, 0, 0, 0, 0, 0))
	if !w.Models[0].Static || w.Models[1].Static || w.Models[1].Model != w.Models[3].Model ||
		w.Models[0].Model == w.Models[1].Model {
		t.Error("models are shared where they differ, or not where they are alike")
	}
	if m := w.Models[2]; !m.Deletable || m.Namespace != "n" || m.Name != "three" || m.Model.Name != "m" {
		t.Errorf("three is %+v", m)
	}
	dock := w.NamedPoses[0]
	near(t, "dock", dock.Pose, r3.PoseRPY(1, 1, 0, 0, 0, 0))
	if dock.Name != "dock" || len(dock.Tags) != 2 || dock.Bounds.Kind != scene.SphereBounds ||
		dock.Bounds.Points[1].X != 2 {
		t.Errorf("dock is %+v", dock)
	}
}

func TestAnActorIsAKinematicModelThatFollowsItsScript(t *testing.T) {
	w := furnished(t)
	walker := w.Models[4]
	s := walker.Model.Script
	if walker.Name != "walker" || walker.Pose.Pos.Z != 1 || walker.Model.Info.Category != scene.Human ||
		!walker.Model.Links[0].Kinematic || s == nil {
		t.Fatalf("walker is %+v", walker)
	}
	if s.Loop || s.Delay != 2 || s.Tension != 0.5 || len(s.Waypoints) != 3 || s.Waypoints[2].Time != 3 ||
		s.Waypoints[1].Pose.Pos.X != 4 {
		t.Errorf("its script is %+v", s)
	}
	if !said(w.Notes, "a waypoint at 2.5 s after one at 3 s") {
		t.Errorf("a waypoint out of order is not noted: %v", w.Notes)
	}
}

func TestAGearboxMakesOneJointFollowAnother(t *testing.T) {
	spec, err := Model(open(t, inModel(twoLink+`<link name="c"/>
		<joint name="first" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
		<joint name="second" type="revolute"><parent>a</parent><child>c</child><axis><xyz>0 0 -1</xyz></axis></joint>
		<joint name="gears" type="gearbox"><parent>b</parent><child>c</child><gearbox_ratio>3</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body>
			<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 1</xyz></axis2></joint>`), nil))
	if err != nil {
		t.Fatal(err)
	}
	if len(spec.Joints) != 2 || spec.Joints[1].Mimic != (scene.Mimic{Set: true, Joint: 0, Multiplier: 3}) {
		t.Errorf("joints %+v, notes %v", spec.Joints, spec.Notes)
	}
}

func TestAnAutomaticInertiaIsThatOfTheShapes(t *testing.T) {
	spec, err := Model(open(t, inModel(`<link name="l"><inertial auto="true"/><collision name="c"><density>500</density><pose>0 0 1 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision></link>`),
		nil))
	if err != nil {
		t.Fatal(err)
	}
	in := spec.Links[0].Inertial
	if in.Mass != 3000 || in.Pose.Pos != r3.V(0, 0, 1) || in.Inertia.XX != 3000*13/12.0 ||
		in.Inertia.ZZ != 3000*5/12.0 {
		t.Errorf("inertial %+v", in)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range frames {
		f.Add(c.text)
	}
	for _, c := range refused {
		f.Add(c.text)
	}
	for _, c := range params {
		f.Add(`<sdf version="1.9"><world name="w"><include><uri>model://m</uri><experimental:params>` +
			c.text + `</experimental:params></include></world></sdf>`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := xmltree.Parse([]byte(text), xmltree.Limits{Elements: 2000})
		if err != nil {
			return
		}
		files := put(t, "model://a", inModel(body), "model://b",
			inModel(`<include><uri>model://a</uri></include><include><uri>model://b</uri></include>`),
			"model://m", inModel(tailoredModel), "model://inner", inModel(innerModel))
		d := source.Open("f", asset.Ref{}, tree, files)
		if tree.Root.Name == "sdf" {
			_ = read(d)
		}
	})
}

func TestLongChainsOfFramesResolve(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	b.WriteString(`<link name="l">` + mass + `</link>`)
	for i := n; i > 0; i-- { // each before the one that it stands on
		on := "l"
		if i > 1 {
			on = "f" + strconv.Itoa(i-1)
		}
		b.WriteString(`<frame name="f` + strconv.Itoa(i) + `" attached_to="` + on +
			`"><pose>0.5 0 0 0 0 0</pose></frame>`)
	}
	spec, err := Model(open(t, inModel(b.String()), nil))
	if err != nil {
		t.Fatal(err)
	}
	if f := spec.Frames[0]; f.Name != "f20000" || f.Link != 0 || f.Pose.Pos != r3.V(n/2, 0, 0) {
		t.Errorf("the last frame is %+v", f)
	}
}

func TestIncludesCannotGrowWithoutBounds(t *testing.T) {
	many := strings.Repeat(`<include><uri>model://next</uri></include>`, 10)
	files := put(t, "model://next", inModel(`<link name="x"/>`))
	var names strings.Builder
	for i := range 600 {
		names.WriteString(`<include><uri>model://next</uri><name>n` + strconv.Itoa(i) + `</name></include>`)
	}
	d := open(t, `<sdf version="1.9"><world name="w">`+names.String()+`</world></sdf>`, files)
	d.Budget.Includes = 500
	if _, err := World(d); err == nil || !strings.Contains(err.Error(), "includes in one world") {
		t.Errorf("600 includes with a budget of 500: %v", err)
	}
	d = open(t, `<sdf version="1.9"><world name="w">`+names.String()+`</world></sdf>`, files)
	d.Budget.Parts = 500
	if _, err := World(d); err == nil || !strings.Contains(err.Error(), "80000 parts") {
		t.Errorf("too many parts: %v", err)
	}
	if _, err := World(open(t, `<sdf version="1.9"><world name="w">`+many+`</world></sdf>`,
		files)); err == nil {
		t.Error("ten models of one name are one too many")
	}
}

func (fakeFiles) Relief(uri string, _ asset.Ref) (*texture.Relief, error) {
	switch uri {
	case "slope.pgm":
		return texture.DecodeRelief(uri, []byte("P2 3 2 255  0 51 102  102 102 102"))
	case "dot.pgm":
		return texture.DecodeRelief(uri, []byte("P2 1 1 255 7"))
	case "bad.png":
		return texture.DecodeRelief(uri, []byte("\x89PNG nothing"))
	}
	return nil, asset.ErrNotFound
}

func (fakeFiles) Texture(string, asset.Ref) (*scene.Texture, error) {
	return nil, asset.ErrNotFound
}

func TestSemanticsOfGazeboAreTheModelsAndSimdecksOverrideThem(t *testing.T) {
	spec, err := World(open(t, `<sdf version="1.9"><world name="w">
		<plugin filename="gz-sim-entity-semantics-system" name="gz::sim::systems::EntitySemantics"/>
		<model name="rover"><simdeck:category>dynamic_object</simdeck:category><gz:semantics><category>ROBOT</category><tag>mobile</tag></gz:semantics>`+body+`</model>
		</world></sdf>`, nil))
	if err != nil {
		t.Fatal(err)
	}
	i := spec.Models[0].Model.Info
	if i.Category != scene.DynamicObject || !slices.Equal(i.Tags, []string{"mobile"}) {
		t.Errorf("%+v", i)
	}
	if spec.Notes.Has(scene.Unsupported) {
		t.Errorf("notes %v", spec.Notes)
	}
}

func TestOneBadPartCostsThatPartAndANote(t *testing.T) {
	const box = `<geometry><box><size>1 1 1</size></box></geometry>`
	m, err := Model(open(t, inModel(`<link name="l"><collision name="c"><geometry><box><size>0 1 1</size></box></geometry></collision>
<collision name="c">`+box+`</collision><collision name="c">`+box+`</collision>
<sensor name="s" type="imu"/><sensor name="s" type="imu"/></link><link name="k"/>
<joint name="down" type="fixed"><parent>l</parent><child>ghost</child></joint>
<joint name="up" type="revolute"><parent>away::l</parent><child>k</child></joint>
<joint name="held" type="fixed"><parent>world</parent><child>l</child></joint>
<joint name="j" type="fixed"><parent>l</parent><child>k</child></joint>`), nil))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, g := range m.Links[0].Collisions {
		names = append(names, g.Name)
	}
	for _, s := range m.Links[0].Sensors {
		names = append(names, s.Name)
	}
	for _, j := range m.Joints {
		names = append(names, j.Name)
	}
	if got, want := strings.Join(names, " "), "c_1 c_2 s s_1 held j"; got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
	all := fmt.Sprint(m.Notes)
	for _, want := range []string{`the shape of <collision> "c" has a length of 0; left out`, `a second collision "c" in link "l"; it is called "c_1"`,
		`a second sensor "s" in link "l"; it is called "s_1"`, `joint "down": there is no link or frame "ghost" in "m"`,
		`joint "up": there is no link or frame "away::l" in "m"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no note says %q: %s", want, all)
		}
	}
}
