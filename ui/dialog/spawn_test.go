package dialog

import (
	"errors"
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
	"simdeck/ui/canvas"
)

func cube(half float64) scene.Bounds {
	return scene.Bounds{Kind: scene.BoxBounds,
		Points: []r3.Vec{r3.V(half, half, half), r3.V(-half, -half, -half)}}
}

// world has a block of one metre at 3, 0 and a hollow room around everything.
func world() *sim.Snapshot {
	box := func(size r3.Vec, at r3.Pose) scene.Geom {
		return scene.Geom{Kind: scene.Box, Pose: at, Size: size}
	}
	block := &scene.ModelSpec{Links: []scene.Link{{Collisions: []scene.Geom{box(r3.V(1, 1, 1),
		r3.IdentityPose())}}}}
	room := &scene.ModelSpec{Links: []scene.Link{{Collisions: []scene.Geom{
		box(r3.V(20, 0.2, 2), r3.PoseRPY(0, 10, 1, 0, 0, 0)),
		box(r3.V(20, 0.2, 2), r3.PoseRPY(0, -10, 1, 0, 0, 0)),
	}}}}
	at := r3.PoseRPY(3, 0, 0.5, 0, 0, 0)
	return &sim.Snapshot{
		Model: &sim.Model{Entities: []sim.EntityModel{
			{Name: "block", Spec: block, Bounds: r3.Box{Min: r3.V(-0.5, -0.5, -0.5),
				Max: r3.V(0.5, 0.5, 0.5)}},
			{Name: "room", Spec: room, FirstLink: 1,
				Bounds: r3.Box{Min: r3.V(-10, -10.1, 0), Max: r3.V(10, 10.1, 2)}},
		}},
		Entities: []sim.EntityState{{Pose: at}, {Pose: r3.IdentityPose()}},
		Links:    []sim.LinkState{{Pose: at}, {Pose: r3.IdentityPose()}},
	}
}

func asked(places ...Place) *Spawn {
	s := NewSpawn(places, world)
	s.Fill(sim.Spawnables{List: []sim.Spawnable{
		{URI: "model://a", Name: "a", Info: scene.Info{Bounds: cube(0.25)}}, {URI: "model://b", Name: "b"},
	}})
	return s
}

func TestASpawnStandsOnItsPlaceWithAllTheDigitsOfThePose(t *testing.T) {
	tilted := r3.PoseRPY(1.23456789, 2, 3, 0.1, 0.2, 0.3)
	s := asked(Place{Name: "p", Pose: tilted, Lift: true}, Place{Name: "q", Pose: tilted})
	c, err := s.Command()
	if err != nil {
		t.Fatal(err)
	}
	want := tilted
	want.Pos.Z += 0.25 // the cube's origin is in its middle
	if c.Pose.Pose != want || c.Resource.URI != "model://a" || !c.AllowRenaming || c.Name != "" {
		t.Errorf("got %+v", c)
	}
	s.at(1)
	if c, _ = s.Command(); c.Pose.Pose != tilted {
		t.Errorf("without lift got %+v", c.Pose.Pose)
	}
}

func TestTypedNumbersTakeThePlacesPlace(t *testing.T) {
	s := asked(Place{Name: "p", Pose: r3.IdentityPose(), Lift: true})
	s.Key(Key{Action: Next}) // place
	s.Key(Key{Action: Next}) // x
	s.Key(Key{Name: "ctrl+u"})
	for _, r := range "1,5" {
		s.Key(Key{Text: string(r)})
	}
	s.Key(Key{Action: Next}) // y
	s.Key(Key{Action: Next}) // yaw
	s.Key(Key{Name: "ctrl+u"})
	s.Key(Key{Text: "90"})
	c, err := s.Command()
	if err != nil || c.Pose.Pose.Pos.X != 1.5 || math.Abs(c.Pose.Pose.Rot.Yaw()-math.Pi/2) > 1e-12 ||
		c.Pose.Pose.Pos.Z != 0.25 {
		t.Errorf("got %+v, %v", c.Pose.Pose, err)
	}
	s.Key(Key{Text: "x"})
	if _, err := s.Command(); err == nil || !strings.Contains(err.Error(), `yaw: "90x" is not a number`) {
		t.Errorf("got %v", err)
	}
	if o := s.Key(Key{Action: Accept}); o.Close || o.Do != nil {
		t.Error("a field that is no number was accepted")
	}
	for _, bad := range []string{"NaN", "inf", "1e999"} {
		s.fields[fieldYaw].line.Set(bad)
		if _, err := s.Command(); err == nil {
			t.Errorf("%s was taken for a number", bad)
		}
	}
}

func TestTheDialogSaysWhatWouldBeInTheWay(t *testing.T) {
	for at, want := range map[float64]string{3: "blocked: the bounding box overlaps block", 0: "free space",
		3.8: "free space", 3.7: "blocked: the bounding box overlaps block"} {
		s := asked(Place{Pose: r3.PoseRPY(at, 0, 0.01, 0, 0, 0), Lift: true})
		g := canvas.NewCellBuffer(76, 17)
		s.Draw(g.All())
		if !strings.Contains(g.Plain(), want) {
			t.Errorf("at x %v the dialog does not say %q:\n%s", at, want, g.Plain())
		}
	}
	s := asked(Place{Pose: r3.PoseRPY(0, 9.9, 0, 0, 0, 0), Lift: true})
	g := canvas.NewCellBuffer(76, 17)
	if s.Draw(g.All()); !strings.Contains(g.Plain(), "blocked: the bounding box overlaps room") {
		t.Errorf("in the wall:\n%s", g.Plain())
	}
}

func TestWhatIsMeasuredDecidesAndNotTheBoxAroundIt(t *testing.T) {
	f, err := sim.NewFootprint("ball",
		[]sim.PlacedShape{{Shape: shape.Sphere{Radius: 0.25}, Pose: r3.IdentityPose()}})
	if err != nil {
		t.Fatal(err)
	}
	at := r3.PoseRPY(3.7, 0.7, 0, 0, 0, 0) // the corner of the ball's box is in the block, the ball is not
	show := func(s *Spawn) string {
		g := canvas.NewCellBuffer(76, 20)
		s.Draw(g.All())
		return g.Plain()
	}
	s := asked(Place{Pose: at, Lift: true})
	if frame := show(s); !strings.Contains(frame, "blocked: the bounding box overlaps block") {
		t.Errorf("before it is measured:\n%s", frame)
	}
	c, wanted := s.Wants()
	if !wanted || c.Resource.URI != "model://a" {
		t.Fatalf("it wants %+v, %v", c, wanted)
	}
	if _, twice := s.Wants(); twice {
		t.Error("it asks again before it is answered")
	}
	s.Measured(c, f, nil)
	if frame := show(s); !strings.Contains(frame, "free space") || !strings.ContainsAny(frame, "⠤⡠⢄⠒⡇⢸⠉") {
		t.Errorf("the ball beside the block, and its picture:\n%s", frame)
	}
	if _, more := s.Wants(); more {
		t.Error("it asks for what it knows")
	}
	s.Key(Key{Action: Down}) // model b, of which nothing is known
	c, wanted = s.Wants()
	if frame := show(s); !wanted || !strings.Contains(frame, "Measuring") {
		t.Errorf("%v\n%s", wanted, frame)
	}
	s.Measured(c, nil, errors.New("no such mesh"))
	if frame := show(s); !strings.Contains(frame, "no such mesh") {
		t.Errorf("what cannot be measured:\n%s", frame)
	}
}

func TestACrowdIsInItsOwnWay(t *testing.T) {
	s := asked(Place{Pose: r3.PoseRPY(0, 0, 0, 0, 0, 0), Lift: true})
	for i, text := range map[int]string{fieldCount: "4", fieldApart: "0.4"} {
		s.fields[i].line.Set(text)
	}
	g := canvas.NewCellBuffer(76, 20)
	if s.Draw(g.All()); !strings.Contains(g.Plain(), "free space for 1 of 4; blocked by each other") {
		t.Errorf("cubes of half a metre, 0.4 m apart:\n%s", g.Plain())
	}
	s.fields[fieldApart].line.Set("0.6")
	if s.Draw(g.All()); !strings.Contains(g.Plain(), "free space for all 4") {
		t.Errorf("0.6 m apart:\n%s", g.Plain())
	}
}

func TestAListThatCannotBeHadSaysWhy(t *testing.T) {
	s := NewSpawn(nil, world)
	s.Fail(errors.New("the folder is gone"))
	g := canvas.NewCellBuffer(76, 17)
	s.Draw(g.All())
	if !strings.Contains(g.Plain(), "the folder is gone") ||
		!strings.Contains(g.Plain(), "no model selected") {
		t.Errorf("got\n%s", g.Plain())
	}
	if o := s.Key(Key{Action: Accept}); o.Do != nil {
		t.Error("nothing was spawned from nothing")
	}
}

func TestEveryFieldIsInSightInTheSmallestWindow(t *testing.T) {
	s := asked(Place{Name: "p", Pose: r3.PoseRPY(1, 2, 3, 0, 0, 1)})
	g := canvas.NewCellBuffer(38, 10) // within the frame of 40 by 12
	s.Draw(g.All())
	for _, want := range []string{"model", "place", "x 1 ", "y 2 ", "yaw 57.296", "z 3 ", "name",
		"[ Spawn ]"} {
		if !strings.Contains(g.Plain(), want) {
			t.Errorf("%q is not shown:\n%s", want, g.Plain())
		}
	}
}
