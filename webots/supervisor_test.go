package webots_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/sim"
	"simdeck/webots"
	"simdeck/webots/wire"
)

// text is a string as the protocol has it.
func text(s string) []byte { return append([]byte(s), 0) }

// ask sends a command to the robot itself, and gives the answer to it, past its head.
func (c *controller) ask(command uint8, data ...any) *wire.Reader {
	c.t.Helper()
	r := c.step(0, c.to(c.devices[0], append([]any{command}, data...)...))
	if !r.More() {
		return r
	}
	if tag, got := r.Uint16(), r.Uint8(); tag != 0 || got != command {
		c.t.Fatalf("command %d was answered by %d to %d", command, got, tag)
	}
	return r
}

// tell sends a command to the robot itself with the next step.
func (c *controller) tell(command uint8, data ...any) {
	c.t.Helper()
	c.step(16, c.to(c.devices[0], append([]any{command}, data...)...))
}

// node is the id of a node by its DEF; 0: there is none.
func (c *controller) node(def string) int32 {
	c.t.Helper()
	return c.ask(wire.NodeFromDef, text(def), int32(-1)).Int32()
}

// vector is the answer to a command about a node, in numbers.
func (c *controller) vector(command uint8, node int32, n int) (out []float64) {
	c.t.Helper()
	r := c.ask(command, node)
	for range n {
		out = append(out, r.Float64())
	}
	if r.Err() != nil || r.More() {
		c.t.Errorf("command %d: %v", command, r.Err())
	}
	return out
}

// field finds a field of a node.
func (c *controller) field(node int32, name string) (at, kind, count int32) {
	c.t.Helper()
	r := c.ask(wire.FieldFromName, node, int32(-1), text(name), uint8(0))
	at, kind = r.Int32(), r.Int32()
	r.Uint8()
	count = r.Int32()
	if shown, place := r.Int32(), r.Int32(); at >= 0 && (shown != node || place != at) {
		c.t.Errorf("field %q of node %d is shown as %d of %d", name, node, place, shown)
	}
	if got := r.Text(); at >= 0 && got != name {
		c.t.Errorf("field %q is called %q", name, got)
	}
	return at, kind, count
}

// get reads the numbers of a field.
func (c *controller) get(node, at int32, n int) (out []float64) {
	c.t.Helper()
	r := c.ask(wire.FieldGet, node, int32(-1), at, uint8(0))
	r.Int32()
	if r.Int32() != node || r.Int32() != -1 || r.Int32() != at {
		c.t.Errorf("another field than %d of %d", at, node)
	}
	for range n {
		out = append(out, r.Float64())
	}
	return out
}

// post connects the supervisor of the world.
func post(t *testing.T) (*stand, *controller) {
	s := lab(t, webots.Config{Patience: time.Minute})
	return s, s.connect("post")
}

func TestASupervisorReadsAndSetsTranslationsAndRotations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := post(t)
		box := c.node("BOX")
		if box == 0 || c.node("NOTHING") != 0 || c.node("CART") == box {
			t.Fatalf("BOX is node %d, NOTHING %d, CART %d", box, c.node("NOTHING"), c.node("CART"))
		}
		at, kind, _ := c.field(box, "translation")
		turn, turnKind, _ := c.field(box, "rotation")
		if kind != wire.FieldVec3 || turnKind != wire.FieldRotation {
			t.Fatalf("translation is of kind %d, rotation of %d", kind, turnKind)
		}
		near(t, "translation", c.get(box, at, 3), 0.01, -2, 1, 0.1)
		c.tell(wire.FieldSet, box, at, kind, int32(-1), 1.0, -3.0, 0.1)
		c.tell(wire.FieldSet, box, turn, turnKind, int32(-1), 0.0, 0.0, 2.0, math.Pi/2)
		near(t, "translation", c.get(box, at, 3), 0.01, 1, -3, 0.1)
		near(t, "rotation", c.get(box, turn, 4), 1e-3, 0, 0, 1, math.Pi/2)
		near(t, "position", c.vector(wire.NodePosition, box, 3), 0.01, 1, -3, 0.1)
		near(t, "orientation", c.vector(wire.NodeOrientation, box, 9), 1e-3, 0, -1, 0, 1, 0, 0, 0, 0, 1)
		near(t, "center of mass", c.vector(wire.NodeCenterOfMass, box, 3), 0.01, 1, -3, 0.1)
		r := c.ask(wire.NodePose, c.node("POST"), box)
		r.Int32()
		r.Int32()
		var pose []float64
		for range 16 {
			pose = append(pose, r.Float64())
		}
		near(t, "pose in the supervisor's frame", pose, 0.02, 0, -1, 0, 1, 1, 0, 0, -1.5, 0, 0, 1, -0.2, 0, 0, 0, 1)
		i, _ := s.engine.Snapshot().Find("crate")
		near(t, "the crate itself", []float64{s.engine.Snapshot().Entities[i].Pose.Pos.Y}, 0.01, -3)
		c.tell(wire.NodeSetVelocity, box, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
		near(t, "velocity after a step of gravity", c.vector(wire.NodeVelocity, box, 6), 1e-6, 0, 0, 1-9.81*0.016, 0, 0, 0)
		c.tell(wire.NodeAddForce, box, 0.0, 0.0, 19.81, uint8(0)) // on 1 kg
		near(t, "velocity after a force", c.vector(wire.NodeVelocity, box, 6), 1e-6, 0, 0, 1-9.81*0.016+0.16, 0, 0, 0)
	})
}

func TestASupervisorImportsAndRemovesNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := post(t)
		children, kind, count := c.field(0, "children")
		entities := len(s.engine.Snapshot().Model.Entities)
		if kind != wire.FieldNode+wire.ManyValues || count != 8 {
			t.Fatalf("the root has %d children of kind %d; want all 8 nodes of the file", count, kind)
		}
		r := c.ask(wire.FieldInsert, int32(0), children, count, text(
			`DEF SPHERE Solid { translation 0 2 1 name "my ball" children [ DEF S Shape { geometry Sphere { radius 0.1 } } ]
		boundingObject USE S physics Physics { density 1000 } }`))
		ball := r.Int32()
		if ball <= 0 || c.node("SPHERE") != ball {
			t.Fatalf("the ball is node %d, SPHERE %d", ball, c.node("SPHERE"))
		}
		near(t, "its place", c.vector(wire.NodePosition, ball, 3), 1e-9, 0, 2, 1)
		if _, ok := s.engine.Snapshot().Find("my_ball"); !ok {
			t.Error("no entity my_ball")
		}
		if r := c.ask(wire.FieldInsert, int32(0), children, count, text("Solid { nonsense")); r.Int32() != -1 {
			t.Error("nonsense was imported")
		}
		c.tell(wire.NodeRemove, ball)
		c.tell(wire.NodeRemove, c.node("BOX"))
		if c.node("SPHERE") != 0 || c.node("BOX") != 0 || len(s.engine.Snapshot().Model.Entities) != entities-1 {
			t.Errorf("SPHERE is node %d, BOX %d, of %d", c.node("SPHERE"), c.node("BOX"), entities)
		}
		c.tell(wire.NodeRemove, c.node("FRONT_BALL"))
		c.tell(wire.FieldRemove, int32(0), children, int32(0)) // WorldInfo
		if c.node("FRONT_BALL") == 0 || len(s.engine.Snapshot().Model.Entities) != entities-1 {
			t.Error("a part of a robot was removed, or WorldInfo")
		}
		if _, _, left := c.field(0, "children"); left != count-1 {
			t.Errorf("the root has %d children; want %d", left, count-1)
		}
	})
}

func TestASupervisorResetsPausesAndEndsTheSimulation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := post(t)
		box := c.node("BOX")
		at, kind, _ := c.field(box, "translation")
		c.tell(wire.FieldSet, box, at, kind, int32(-1), 3.0, 3.0, 1.0)
		c.step(1600)
		c.ask(wire.SimulationReset)
		if told := c.told(c.step(16)); told["time"][0] > 0.1 {
			t.Errorf("after a reset it is %v", told["time"])
		}
		near(t, "where the box was", c.vector(wire.NodePosition, c.node("BOX"), 3), 0.01, -2, 1, 0.1)
		c.ask(wire.ChangeMode, int32(0))
		if got := s.engine.Snapshot().State; got != sim.Paused {
			t.Errorf("in mode pause the state is %s", got)
		}
		c.ask(wire.ChangeMode, int32(1))
		if now := s.engine.Snapshot(); now.State != sim.Playing || now.Pacing.Asked != 1 {
			t.Errorf("in mode real-time it is %s at %g", now.State, now.Pacing.Asked)
		}
		c.send(0, c.to("post", uint8(wire.SimulationQuit), int32(0)))
		s.until("it quits", func() bool { return s.engine.Snapshot().State == sim.Quitting })
	})
}

func TestCustomDataGoesFromASupervisorToItsRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c := post(t)
		cart := c.node("CART")
		at, kind, _ := c.field(cart, "customData")
		read := func() string {
			r := c.ask(wire.FieldGet, cart, int32(-1), at, uint8(0))
			r.Bytes(16)
			return r.Text()
		}
		if got := read(); got != "first" {
			t.Errorf("customData is %q", got)
		}
		c.tell(wire.FieldSet, cart, at, kind, int32(-1), text("second"))
		if got := read(); got != "second" {
			t.Errorf("customData is %q", got)
		}
	})
}

// TestAnAnswerIsNoLongerThanARequestMayBe: a request of a byte a command asks for 75 bytes each.
func TestAnAnswerIsNoLongerThanARequestMayBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := post(t)
		c.send(0, c.to("post", bytes.Repeat([]byte{100}, 1_000_000)))
		if _, err := c.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the controller is answered: %v", err)
		}
		s.until("the log says why it was cut off", func() bool {
			return strings.Contains(s.log.String(), wire.ErrAnswer.Error())
		})
	})
}

// TestACommandThatIsNotServedIsToldInTheLog, and what follows it in the same message is read.
func TestACommandThatIsNotServedIsToldInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := post(t)
		label := append(number(uint8(wire.SetLabel), uint16(0), 0.1, 0.1, 0.2, uint32(0)), "text\x00font\x00"...)
		box := c.node("BOX")
		r := c.step(0, c.to("post", label, uint8(wire.NodePosition), box))
		if r.Uint16() != 0 || r.Uint8() != wire.NodePosition {
			t.Error("the position after a label was not told")
		}
		if !strings.Contains(s.log.String(), "command 53 of a supervisor is not served") {
			t.Error("nothing in the log of the label")
		}
		if at, _, _ := c.field(box, "density"); at != -1 || !strings.Contains(s.log.String(), "no field") {
			t.Errorf("field density is %d", at)
		}
	})
}

// TestARobotThatIsNoSupervisorChangesNothingOfTheWorld although its controller sends what supervisors send.
func TestARobotThatIsNoSupervisorChangesNothingOfTheWorld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := lab(t, webots.Config{Patience: time.Minute})
		c := s.connect("my cart")
		c.tell(wire.NodeRemove, int32(1))
		c.tell(wire.SimulationQuit, int32(0))
		c.tell(wire.ChangeMode, int32(0))
		if now := s.engine.Snapshot(); now.State != sim.Playing || len(now.Model.Entities) != 5 {
			t.Errorf("%s, %d entities", now.State, len(now.Model.Entities))
		}
		if !strings.Contains(s.log.String(), "no supervisor") {
			t.Error("nothing in the log")
		}
	})
}
