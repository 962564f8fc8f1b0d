package webots_test

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/webots"
	"simdeck/webots/wire"
)

// found is a node as the protocol tells of it.
type found struct {
	id, kind, tag, parent int32
	proto                 bool
	model, def            string
}

// readFound reads a node, with its DEF or without.
func readFound(r *wire.Reader, internal, def bool) (n found) {
	n.id, n.kind, n.tag, n.parent = r.Int32(), r.Int32(), r.Int32(), r.Int32()
	n.proto = r.Uint8() == 1
	if internal {
		r.Uint8()
	}
	if n.model = r.Text(); def {
		n.def = r.Text()
	}
	return n
}

// fromID is a node by its number.
func (c *controller) fromID(id int32) found {
	c.t.Helper()
	return readFound(c.ask(wire.NodeFromID, id), true, true)
}

// children are the nodes of a field of a node, which is a list or holds one node.
func (c *controller) children(node int32, name string) (out []found) {
	c.t.Helper()
	at, kind, count := c.field(node, name)
	request := []any{node, int32(-1), at, uint8(0)}
	switch kind {
	case wire.FieldNode:
		count = 1
	case wire.FieldNode + wire.ManyValues:
		request = append(request, int32(0))
	default:
		c.t.Fatalf("field %q of node %d is of kind %d", name, node, kind)
	}
	for i := range count {
		if len(request) == 5 {
			request[4] = i
		}
		r := c.ask(wire.FieldGet, request...)
		r.Bytes(16)
		n := readFound(r, false, true)
		if r.Err() != nil || r.More() {
			c.t.Fatalf("node %d of %q: %v", i, name, r.Err())
		}
		out = append(out, n)
	}
	return out
}

// numbersOf are the numbers of a field by its name.
func (c *controller) numbersOf(node int32, name string, n int) []float64 {
	c.t.Helper()
	at, _, _ := c.field(node, name)
	return c.get(node, at, n)
}

// setNumbers sets a field by its name.
func (c *controller) setNumbers(node int32, name string, x ...float64) {
	c.t.Helper()
	at, kind, _ := c.field(node, name)
	c.tell(wire.FieldSet, node, at, kind, int32(-1), x)
}

// pendulum connects the robot of that world, whose own supervisor it is.
func pendulum(t *testing.T) (*stand, *controller) {
	s := run(t, sim.Resource{URI: "worlds/pendulum.wbt"}, webots.Config{Patience: time.Minute})
	return s, s.connect("cart")
}

func TestASupervisorFindsNodesByTheirDEFs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := pendulum(t)
		for def, model := range map[string]string{"TIP": "Solid", "ROBOT.HINGE.TIP": "Solid", "ROBOT.TIP": "Solid",
			"HINGE": "HingeJoint", "MOTOR": "RotationalMotor", "BODY": "Shape", "EYE": "GPS", "CAN": "Solid",
			"SHELF.CAN": "Solid", "FLAG": "Solid", "ROBOT.FLAG": "Solid",
			"TIP.POLE": "", "CAN.TIP": "", "ROBOT.": "", "": "", ".": "", "BLOCK": "", "HOLD": ""} {
			r := c.ask(wire.NodeFromDef, text(def), int32(-1))
			if n := readFound(r, false, false); n.model != model || (n.id == 0) != (model == "") || r.More() {
				t.Errorf("%q: %+v; want a %q", def, n, model)
			}
		}
		if c.node("TIP") != c.node("ROBOT.TIP") || c.fromID(c.node("TIP")).def != "TIP" {
			t.Error("TIP has two numbers, or its number another DEF")
		}
		ballast := c.fromID(c.node("FLAG")).parent
		if n := c.fromID(ballast); n.model != "Weight" || !n.proto {
			t.Errorf("around FLAG is %+v; want the PROTO that holds it", n)
		}
		block := readFound(c.ask(wire.NodeFromDef, text("BLOCK"), ballast), false, false)
		if block.model != "Shape" {
			t.Errorf("BLOCK inside of Weight is %+v", block)
		}
		if n := readFound(c.ask(wire.NodeFromDef, text("TIP"), ballast), false, false); n.id != 0 {
			t.Errorf("TIP inside of Weight is %+v", n)
		}
		r := c.ask(wire.NodeProto, ballast, int32(-1))
		if id, derived, count, name := r.Int32(), r.Uint8(), r.Int32(), r.Text(); id != 0 || derived != 0 || count != 5 || name != "Weight" {
			t.Errorf("PROTO %d %q with %d fields, derived %d", id, name, count, derived)
		}
	})
}

func TestASupervisorWalksTheTree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := pendulum(t)
		var names []string
		for _, n := range c.children(0, "children") {
			names = append(names, n.model)
		}
		want := "WorldInfo Viewpoint Background DirectionalLight Solid Pose Robot"
		if got := strings.Join(names, " "); got != want {
			t.Fatalf("the root has %s; want %s", got, want)
		}
		all := c.children(0, "children")
		near(t, "basicTimeStep", c.numbersOf(all[0].id, "basicTimeStep", 1), 0, 16)
		near(t, "gravity, which the file does not give", c.numbersOf(all[0].id, "gravity", 3), 0, 0, 0, -9.81)
		near(t, "place of the Viewpoint", c.numbersOf(all[1].id, "position", 3), 0, 0, -3, 1)
		at, _, count := c.field(all[0].id, "info")
		r := c.ask(wire.FieldGet, all[0].id, int32(-1), at, uint8(0), int32(1))
		if r.Bytes(16); count != 2 || r.Text() != "two" {
			t.Errorf("info has %d texts", count)
		}
		sky, _, colours := c.field(all[2].id, "skyColor")
		r = c.ask(wire.FieldGet, all[2].id, int32(-1), sky, uint8(0), int32(0))
		if r.Bytes(16); colours != 1 || r.Float64() != 0.1 {
			t.Errorf("skyColor has %d colours", colours)
		}
		robot := all[6]
		if robot.id != c.node("ROBOT") || robot.parent != 0 || robot.def != "ROBOT" {
			t.Errorf("the robot is %+v", robot)
		}
		if inside := c.children(robot.id, "children"); len(inside) != 5 || inside[1].id != c.node("HINGE") ||
			inside[1].parent != robot.id || inside[2].model != "Weight" {
			t.Errorf("the robot holds %+v", inside)
		}
		end := c.children(c.node("HINGE"), "endPoint")
		if len(end) != 1 || end[0].def != "POLE" || c.fromID(c.node("TIP")).parent != end[0].id {
			t.Errorf("HINGE ends with %+v", end)
		}
		eye := c.fromID(c.node("EYE"))
		if n := readFound(c.ask(wire.NodeFromTag, eye.tag), true, true); eye.tag != 3 || n != eye {
			t.Errorf("device %d is %+v; want %+v", eye.tag, n, eye)
		}
		if n := readFound(c.ask(wire.NodeFromTag, int32(99)), true, true); n.id != 0 {
			t.Errorf("device 99 is %+v", n)
		}
		fields := c.ask(wire.FieldCount, eye.id, uint8(0)).Int32()
		for i := range fields {
			if r := c.ask(wire.FieldFromIndex, eye.id, int32(-1), i, uint8(0)); r.Int32() != i || r.Int32() == 0 {
				t.Errorf("field %d of %d is none", i, fields)
			}
		}
	})
}

// TestStatesOfNestedNodesAreTrue holds positions and velocities against the geometry of the pole.
func TestStatesOfNestedNodesAreTrue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := pendulum(t)
		tip, pole := c.node("TIP"), c.node("POLE")
		params := c.children(c.node("HINGE"), "jointParameters")[0].id
		c.tell(wire.FieldSet, params, int32(0), int32(wire.FieldFloat), int32(-1), 0.4)
		for range 3 {
			c.step(16)
			snapshot := s.engine.Snapshot()
			i, _ := snapshot.Find("cart")
			angle := snapshot.JointsOf(i)[0].Position
			if angle < 0.35 {
				t.Fatalf("the pole is at %g; want it at 0.4 and falling", angle)
			}
			if rate := snapshot.JointsOf(i)[0].Velocity; rate < 0.01 {
				t.Fatalf("the pole turns at %g; want it to fall", rate)
			}
			near(t, "position of the joint", c.numbersOf(params, "position", 1), 0, angle)
			near(t, "position of HINGE", c.numbersOf(c.node("HINGE"), "position", 1), 0, angle)
			base := c.vector(wire.NodePosition, c.node("ROBOT"), 3)
			near(t, "the tip", c.vector(wire.NodePosition, tip, 3), 1e-3, base[0]+0.6*math.Sin(angle), 0, base[2]+0.05+0.6*math.Cos(angle))
			rate := snapshot.JointsOf(i)[0].Velocity
			v := c.vector(wire.NodeVelocity, tip, 6)
			near(t, "the tip's turning", v[3:], 0.02, 0, rate, 0)
			at := c.numbersOf(pole, "translation", 3)
			near(t, "the pole in the robot", at, 1e-3, 0.3*math.Sin(angle), 0, 0.05+0.3*math.Cos(angle))
			near(t, "the pole's turn", c.numbersOf(pole, "rotation", 4)[3:], 1e-3, angle)
			near(t, "the tip in the pole", c.numbersOf(tip, "translation", 3), 0, 0, 0, 0.3)
		}
		near(t, "the eye", c.vector(wire.NodePosition, c.node("EYE"), 3), 0.01, c.vector(wire.NodePosition, c.node("ROBOT"), 3)[0]+0.1, 0, 0.05)
		near(t, "the can", c.vector(wire.NodePosition, c.node("CAN"), 3), 0.01, 0, 2, 0.1)
		near(t, "the can on its shelf", c.numbersOf(c.node("CAN"), "translation", 3), 0.01, 0, 0, 0.1)
		near(t, "the shelf", c.vector(wire.NodePosition, c.node("SHELF"), 3), 0, 0, 2, 0)
		com := c.vector(wire.NodeCenterOfMass, pole, 3) // 0.2 kg in its middle, 0.1 kg at the tip
		middle, end := c.vector(wire.NodePosition, pole, 3), c.vector(wire.NodePosition, tip, 3)
		near(t, "center of mass of pole and tip", com, 1e-9, (2*middle[0]+end[0])/3, (2*middle[1]+end[1])/3, (2*middle[2]+end[2])/3)
		if p := c.vector(wire.NodePosition, c.node("BODY"), 3); !math.IsNaN(p[0]) {
			t.Errorf("a Shape is at %v; want no place", p)
		}
		r := c.ask(wire.NodeContactPoints, c.node("CAN"), uint8(0))
		r.Bytes(5)
		if n := r.Int32(); n == 0 {
			t.Error("the can touches nothing")
		}
		for node, touches := range map[int32]bool{c.node("ROBOT"): true, pole: false} {
			r := c.ask(wire.NodeContactPoints, node, uint8(1))
			r.Bytes(5)
			if n := r.Int32(); (n > 0) != touches {
				t.Errorf("node %d touches at %d points", node, n)
			}
		}
	})
}

func TestASupervisorSetsWhatItCanAndIsToldTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := pendulum(t)
		can, robot, hinge := c.node("CAN"), c.node("ROBOT"), c.node("HINGE")
		c.setNumbers(can, "translation", 1, 0, 0.1)
		near(t, "the can beside its shelf", c.vector(wire.NodePosition, can, 3), 0.01, 1, 2, 0.1)
		c.step(0, c.to("cart", uint8(wire.NodeSetJoint), hinge, -0.5, int32(1)))
		near(t, "the joint", c.numbersOf(hinge, "position", 1), 1e-9, -0.5)
		c.step(0, c.to("cart", uint8(wire.NodeSetJoint), hinge, 7.0, int32(1)))
		near(t, "the joint beyond its stop", c.numbersOf(hinge, "position", 1), 1e-9, 1.3)
		for _, refused := range []struct {
			node  int32
			field string
			x     []float64
			word  string
		}{
			{c.node("POLE"), "translation", []float64{0, 0, 1}, "its joint moves it"},
			{c.node("TIP"), "translation", []float64{0, 0, 1}, "fixed to what holds it"},
			{c.children(0, "children")[0].id, "gravity", []float64{0, 0, 0}, "only the state"},
			{c.children(hinge, "jointParameters")[0].id, "axis", []float64{1, 0, 0}, "positions of joints"},
		} {
			before := c.numbersOf(refused.node, refused.field, 3)
			c.setNumbers(refused.node, refused.field, refused.x...)
			if !strings.Contains(s.log.String(), refused.word) {
				t.Errorf("the log does not say that %s is refused: %q", refused.field, refused.word)
			}
			if refused.field != "translation" {
				near(t, refused.field, c.numbersOf(refused.node, refused.field, 3), 0, before...)
			}
		}
		c.ask(wire.NodeSaveState, robot, text("here"))
		place := c.vector(wire.NodePosition, robot, 3)
		angle := c.numbersOf(hinge, "position", 1)
		c.setNumbers(robot, "translation", 3, 3, 1)
		c.step(0, c.to("cart", uint8(wire.NodeSetJoint), hinge, 0.0, int32(1)))
		c.ask(wire.NodeLoadState, robot, text("here"))
		near(t, "the saved place", c.vector(wire.NodePosition, robot, 3), 1e-9, place...)
		near(t, "the saved joint", c.numbersOf(hinge, "position", 1), 1e-9, angle...)
		c.ask(wire.NodeLoadState, robot, text("__init__"))
		near(t, "the place of the file", c.vector(wire.NodePosition, robot, 3), 1e-9, 0, 0, 0.05)
		near(t, "the joint of the file", c.numbersOf(hinge, "position", 1), 1e-9, 0.1)
	})
}

// TestNodesKeepTheirNumbersOverAReset, as episodes of learning want them.
func TestNodesKeepTheirNumbersOverAReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := pendulum(t)
		tip, can := c.node("TIP"), c.node("CAN")
		start := c.vector(wire.NodePosition, tip, 3)
		for range 2 {
			c.step(800)
			if c.vector(wire.NodePosition, tip, 3)[2] > start[2]-0.05 {
				t.Fatal("the pole does not fall")
			}
			c.tell(wire.NodeRemove, can)
			if c.node("CAN") != 0 {
				t.Error("the can is still there")
			}
			if n := c.fromID(can); n.id != 0 {
				t.Errorf("the removed can is %+v", n)
			}
			c.ask(wire.SimulationReset)
			c.ask(wire.ResetPhysics)
			c.step(16)
			near(t, "the tip after a reset", c.vector(wire.NodePosition, tip, 3), 0.01, start...)
			if c.node("TIP") != tip || c.node("CAN") != can {
				t.Errorf("TIP is node %d, was %d; CAN %d, was %d", c.node("TIP"), tip, c.node("CAN"), can)
			}
		}
		if now := s.engine.Snapshot(); now.Time > time.Second {
			t.Errorf("after a reset it is %v", now.Time)
		}
	})
}

// TestANodeThatWasImportedHasATreeOfItsOwn until it is removed.
func TestANodeThatWasImportedHasATreeOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := pendulum(t)
		children, _, count := c.field(0, "children")
		const arm = `DEF ARM Robot { translation 0 -2 1 name "arm" children [
			DEF LIFT SliderJoint { jointParameters JointParameters { } device LinearMotor { name "lift" }
				endPoint DEF HAND Solid { translation 0 0 0.3 name "hand" boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } } ]
			boundingObject Box { size 0.2 0.2 0.2 } physics Physics { } }`
		var arms [2]int32
		for i := range arms {
			arms[i] = c.ask(wire.FieldInsert, int32(0), children, count, text(arm)).Int32()
			count++
		}
		if arms[0] <= 0 || arms[1] <= 0 || arms[0] == arms[1] {
			t.Fatalf("the arms are nodes %v", arms)
		}
		all := c.children(0, "children")
		if len(all) != int(count) || all[count-1].id != arms[1] || all[count-1].def != "ARM" || all[count-1].parent != 0 {
			t.Errorf("the root holds %+v", all)
		}
		hand := c.node("ARM.HAND")
		if up := c.fromID(c.fromID(hand).parent); up.def != "LIFT" || up.parent != arms[0] {
			t.Errorf("the first HAND hangs on %+v", up)
		}
		near(t, "the hand", c.vector(wire.NodePosition, hand, 3), 1e-6, 0, -2, 1.3)
		c.tell(wire.NodeRemove, arms[0])
		if other := c.node("HAND"); other == 0 || other == hand {
			t.Errorf("HAND is node %d; want that of the other arm", other)
		}
		if n := c.fromID(hand); n.id != 0 {
			t.Errorf("the hand that was removed is %+v", n)
		}
	})
}
