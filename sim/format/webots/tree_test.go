package webots

import (
	"slices"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// TestEveryBaseNodeHasFieldsOfTypes: the tables of the reader and of supervisors name the same nodes and fields.
func TestEveryBaseNodeHasFieldsOfTypes(t *testing.T) {
	classes := baseClasses()
	for name := range baseNodes {
		c, e := classes[name], Elements().Type(name)
		if c == nil {
			t.Errorf("fields.txt has no %s", name)
			continue
		}
		for _, attr := range Elements().Attrs(e) {
			if _, known := c.Index[attr]; !known && !slices.Contains(deprecated, attr) {
				t.Errorf("%s has no field %s", name, attr)
			}
		}
		if len(c.Index) != len(c.Fields) {
			t.Errorf("%s has a field twice", name)
		}
		for _, f := range c.Fields {
			n, d := f.Kind.Numbers(), &f.Default
			if f.Kind == 0 || n > 0 && len(d.Numbers)%n != 0 || f.Kind < scene.FieldList &&
				f.Kind != scene.FieldNode && d.Len(f.Kind) != 1 {
				t.Errorf("%s.%s: kind %d, default %v %q", name, f.Name, f.Kind, d.Numbers, d.Strings)
			}
		}
	}
	if d := classes["InertialUnit"]; d.Fields[d.Index["name"]].Default.Strings[0] != "inertial unit" {
		t.Error("an InertialUnit has another usual name")
	}
}

// deprecated are fields of older releases, which supervisors do not see.
var deprecated = strings.Fields(`color solid castLensFlares fast2d dragForceScale dragTorqueScale cubemap showWindow
	windowPosition pixelSize type colorNoise environmentMap zDimension zSpacing colorPerVertex`)

const arm = `Robot { name "arm" supervisor TRUE physics Physics { } boundingObject Box { } children [
	DEF ELBOW HingeJoint { jointParameters HingeJointParameters { position 0.5 } device RotationalMotor { name "m" }
		endPoint DEF FORE Solid { name "fore" physics Physics { } boundingObject Box { } children [
			DEF TIP Solid { translation 0 0 1 children [ DEF MARK Shape { } USE MARK ] } ] } } ] }`

func TestTheTreeHasTheNodesOfTheFileAndTheirStates(t *testing.T) {
	w := world(t, nil, `WorldInfo { title "t" } DEF G Pose { translation 1 0 0 children [ DEF B Solid { name "b" } ] } `+arm)
	tree := w.File.Tree
	var top []string
	for _, n := range tree.Root.Value(0).Nodes {
		top = append(top, n.Class.Name)
	}
	if want := []string{"WorldInfo", "Pose", "Robot"}; !slices.Equal(top, want) {
		t.Fatalf("at the top are %q; want %q", top, want)
	}
	tip, elbow := tree.Defs["TIP"][0], tree.Defs["ELBOW"][0]
	if tip.Parent.Def != "FORE" || tip.Parent.Parent != elbow || tree.Models["arm"] != elbow.Parent {
		t.Error("TIP is not in FORE, or that not at ELBOW of the robot")
	}
	if s := tip.State; s == nil || s.Model != "arm" || s.Link != 2 || s.End != 3 || s.Moves {
		t.Errorf("TIP: %+v; want link 2 of arm", s)
	}
	if s := tip.Parent.State; s.Link != 1 || s.End != 3 || !s.Moves || s.FrameLink != 0 {
		t.Errorf("FORE: %+v; want link 1 of arm, with TIP's, moving in link 0", s)
	}
	params := elbow.Value(elbow.Class.Index["jointParameters"]).Nodes[0]
	if params.State.Joints[0] != 1 || elbow.State.Joints[0] != 1 {
		t.Errorf("ELBOW is about joint %v, its parameters about %v; want 1", elbow.State.Joints, params.State.Joints)
	}
	if marks := tip.Value(tip.Class.Index["children"]).Nodes; len(marks) != 2 || marks[0] == marks[1] || marks[1].Def != "" ||
		len(tree.Defs["MARK"]) != 1 {
		t.Error("USE MARK is not a node of its own without a DEF")
	}
	if s := tree.Defs["B"][0].State; s.Frame.Pos.X != 1 || !s.Top || tree.Defs["G"][0].State.Pose.Pos.X != 1 {
		t.Errorf("B: %+v; want the top of a model, in a frame at 1", s)
	}
	if w = world(t, nil, `Robot { }`); w.File.Tree != nil {
		t.Error("a world without a supervisor has a tree")
	}
}

const carrier = `#VRML_SIM R2023b utf8
PROTO Carrier [ field SFVec3f translation 0 0 0 field SFString name "c" field MFNode load [ DEF USUAL Shape { } ] field SFFloat height 2 field SFNode paint NULL ]
{ Solid { translation IS translation name IS name children [ DEF DECK Pose { translation 0 0 1 children IS load } ] } }`

func TestNodesOfAPROTOAreItsFieldsAndItsBodyIsInside(t *testing.T) {
	w := world(t, map[string]string{"protos/Carrier.proto": carrier}, `EXTERNPROTO "protos/Carrier.proto"
		DEF ONE Carrier { name "one" load [ DEF OWN Solid { name "own" } ] } DEF TWO Carrier { name "two" } DEF THREE Carrier { name "three" paint DEF BRICKS RedBricks { nonsense 1 } } `+arm)
	for _, n := range w.Notes {
		if strings.Contains(n.Text, "nonsense") {
			t.Errorf("a note about what only supervisors see: %s", n.Text)
		}
	}
	tree := w.File.Tree
	one := tree.Defs["ONE"][0]
	if one.Class.Name != "Carrier" || one.Base != "Solid" || !one.Class.Proto || tree.Models["one"] != one {
		t.Errorf("ONE is a %s of base %s", one.Class.Name, one.Base)
	}
	if h := one.Value(one.Class.Index["height"]); h.Numbers[0] != 2 {
		t.Errorf("its height is %v; want 2, as usual", h.Numbers)
	}
	own := tree.Defs["OWN"][0]
	if own.Parent != one || own.Hidden || own.State == nil || own.State.Model != "one" {
		t.Errorf("OWN: %+v", own)
	}
	if len(tree.Defs["DECK"]) != 0 {
		t.Error("what is inside of a PROTO has a DEF for the world")
	}
	deck := one.Body.Value(one.Body.Class.Index["children"]).Nodes[0]
	if deck.Def != "DECK" || !deck.Hidden || deck.State.Pose.Pos.Z != 1 || one.Body.State != one.State {
		t.Errorf("DECK: %+v", deck)
	}
	if held := deck.Value(deck.Class.Index["children"]).Nodes; len(held) != 1 || held[0] != own {
		t.Error("DECK does not hold OWN")
	}
	if bricks := tree.Defs["BRICKS"]; len(bricks) != 1 || bricks[0].Base != "PBRAppearance" {
		t.Errorf("BRICKS, of a PROTO that nothing reads: %+v", bricks)
	}
	if usual := tree.Defs["USUAL"]; len(usual) != 2 || usual[0].Parent != tree.Defs["TWO"][0] {
		t.Errorf("%d nodes USUAL; want one in each of TWO and THREE", len(usual))
	}
}

func TestATreeIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`DEF A0 Group { children [ Group { } ] } `)
	for i := range 20 { // each holds the one before it twice: 2^20 nodes
		inner := "A" + itoa(i)
		b.WriteString("DEF A" + itoa(i+1) + " Group { children [ USE " + inner + " USE " + inner + " ] } ")
	}
	rd, err := open("w.wbt", asset.Ref{Path: "w.wbt"}, []byte(header+b.String()), fakeFiles{})
	if err != nil {
		t.Fatal(err)
	}
	m := newTreeMaker(rd)
	root := &scene.TreeNode{Class: baseClasses()["Group"]}
	for _, n := range m.rd.main.text.Nodes {
		m.node(place{ref: ref{n: n, file: m.rd.main}}, root)
	}
	if m.finish(); m.left >= 0 {
		t.Errorf("%d more nodes may be made", m.left)
	}
	if notes := *m.rd.main.doc.Notes; len(notes) != 1 {
		t.Errorf("notes: %v; want one about the bound", notes)
	}
}
