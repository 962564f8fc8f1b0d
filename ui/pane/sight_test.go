package pane

import (
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/canvas"
)

// followed is a camera that follows the green box of the gallery.
func followed(s *sim.Snapshot) *Camera {
	c := &Camera{w: 60, h: 40, Follow: "green"}
	c.Feed(s)
	return c
}

func TestSightsLookAtTheFollowedEntityFromWhereTheySay(t *testing.T) {
	s := gallery()
	for _, yaw := range []float64{0, 1, -2.5} {
		s.Entities[1].Pose.Rot = r3.FromRPY(0, 0, yaw)
		ahead := s.Entities[1].Pose.Rot.Rotate(r3.V(1, 0, 0))
		for sight := range sightCount {
			c := followed(s)
			c.SetSight(sight)
			cam := c.eye(60, 40)
			from := cam.Pose.Pos.Sub(s.Entities[1].Pose.Pos)
			looks := cam.Pose.Rot.Rotate(r3.V(1, 0, 0))
			flat := r3.V(from.X, from.Y, 0)
			switch sight {
			case Chase:
				if flat.Dot(ahead) > -0.9*flat.Len() || from.Z <= 0 || looks.Dot(ahead) < 0.8 {
					t.Errorf("%v: chases from %v, looks to %v", yaw, from, looks)
				}
			case FirstPerson:
				if flat.Len() > 0.01 || from.Z < 0.5 || looks.Dot(ahead) < 0.999 {
					t.Errorf("%v: first person from %v, looks to %v", yaw, from, looks)
				}
			case Top:
				if flat.Len() > 0.1*from.Z || looks.Z > -0.99 {
					t.Errorf("%v: top from %v, looks to %v", yaw, from, looks)
				}
			case Orbit:
				if u, v, _, ok := cam.Project(s.Entities[1].Pose.Pos); !ok || math.Hypot(u-30, v-20) > 3 {
					t.Errorf("%v: the orbit shows it at %v, %v", yaw, u, v)
				}
			}
		}
	}
}

func TestACameraFollowsSmoothlyAndArrives(t *testing.T) {
	s := gallery()
	c := followed(s)
	c.SetSight(Chase)
	eye := c.eye(60, 40).Pose.Pos
	s.Entities[1].Pose = r3.PoseRPY(2, 1, 0.5, 0, 0, 1)
	most := 0.0
	for i := range 100 {
		s.Time = time.Duration(i+1) * 33 * time.Millisecond
		c.Feed(s)
		now := c.eye(60, 40).Pose.Pos
		most = max(most, now.Sub(eye).Len())
		eye = now
	}
	if most > 1 {
		t.Errorf("it jumped by %.2f m", most)
	}
	if c.follower.pos != s.Entities[1].Pose.Pos || c.follower.yaw != heading(s.Entities[1].Pose.Rot) {
		t.Errorf("it is at %v, %v", c.follower.pos, c.follower.yaw)
	}
	s.Entities[1].Pose.Pos.X = 9 // while time stands
	if c.Feed(s); c.follower.pos.X != 9 {
		t.Errorf("what was put elsewhere is looked for at %v", c.follower.pos)
	}
}

func TestAViewpointIsTakenUpAgain(t *testing.T) {
	s := gallery()
	c := followed(s)
	c.Turn(1, 0)
	before, eye := c.Viewpoint(), c.eye(60, 40)
	c.SetSight(FirstPerson)
	c.Turn(0.5, 0)
	if c.eye(60, 40) == eye {
		t.Error("the sight changed nothing")
	}
	c.SetViewpoint(before)
	if got := c.eye(60, 40); got != eye {
		t.Errorf("looks from %v, before from %v", got.Pose, eye.Pose)
	}
}

func TestWithoutSomeoneToFollowASightIsTheOrbit(t *testing.T) {
	s := gallery()
	c := followed(s)
	c.SetSight(Chase)
	c.Follow = ""
	if got := c.eye(60, 40); got != c.outside(60, 40) {
		t.Errorf("looks from %v", got.Pose)
	}
}

func TestObstaclesAreToldByTheSideTheyAreOn(t *testing.T) {
	spec := &scene.LidarSpec{Columns: 8, Rows: 1, MinAngle: 0, MaxAngle: 7 * math.Pi / 4, MaxRange: 10}
	scan := &sim.LidarScan{Spec: spec, Ranges: []float32{4, 9, 1, 9, 2, 9, 3, float32(math.Inf(1))}}
	if got := sectors(scan, 0); got != [4]float64{4, 1, 2, 3} {
		t.Errorf("ahead, left, behind, right: %v", got)
	}
	if got := sectors(scan, math.Pi); got != [4]float64{2, 3, 4, 1} {
		t.Errorf("mounted the other way round: %v", got)
	}
	spec.Rows, spec.Elevations = 2, []float64{-0.5, 0} // the lower ring sees the ground
	scan.Ranges = append([]float32{0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, scan.Ranges...)
	if got := sectors(scan, 0); got != [4]float64{4, 1, 2, 3} {
		t.Errorf("with a ring on the ground: %v", got)
	}
}

// lookWith draws the pane with an entity selected; -1: none.
func lookWith(c *Camera, s *sim.Snapshot, selected int) {
	g := canvas.NewCellBuffer(60, 20)
	c.Draw(g.All(), &View{Snap: s, Entity: selected})
}

func TestWhatMayMoveIsSeenFromBehindWhenItIsSelected(t *testing.T) {
	s, c := gallery(), &Camera{}
	s.Model.Entities[2].Static = true
	c.Feed(s)
	whole := func() bool { return c.Sight() == Orbit && c.Title() != "" && !c.following() }
	lookWith(c, s, -1)
	if !whole() {
		t.Errorf("with nothing selected it shows %q", c.Title())
	}
	all := c.eye(60, 40)
	lookWith(c, s, 1)
	if c.Sight() != Chase || c.Title() != "behind green · 3.2 m" {
		t.Errorf("a selected entity is shown as %q", c.Title())
	}
	c.Turn(1, 0)
	c.Zoom(2)
	if c.Sight() != Chase || c.Title() != "behind green · 1.6 m" {
		t.Errorf("turned and nearer: %q", c.Title())
	}
	other := *s.Model // as after every spawn, reset and rewind
	s.Model = &other
	c.Feed(s)
	lookWith(c, s, 1)
	if c.Title() != "behind green · 1.6 m" {
		t.Errorf("in another model of the world: %q", c.Title())
	}
	lookWith(c, s, 0)
	if c.Title() != "behind blue · 3.2 m" {
		t.Errorf("another one is shown as %q", c.Title())
	}
	lookWith(c, s, 2)
	if got := c.eye(60, 40); !whole() || got != all {
		t.Errorf("what never moves is shown as %q, from %v, want the whole world", c.Title(), got.Pose)
	}
	lookWith(c, s, 1)
	c.Fit()
	c.Feed(s)
	lookWith(c, s, 1)
	if got := c.eye(60, 40); !whole() || got != all {
		t.Errorf("asked for the whole world it shows %q", c.Title())
	}
	c.Fit()
	c.Feed(s)
	lookWith(c, s, 1)
	if c.Title() != "behind green · 3.2 m" {
		t.Errorf("asked again it shows %q", c.Title())
	}
	c.Pan(1, 0)
	here := c.eye(60, 40)
	lookWith(c, s, 0)
	if got := c.eye(60, 40); got != here {
		t.Error("a view that was chosen changed with the selection")
	}
}

func TestAWallBehindARobotDoesNotHideIt(t *testing.T) {
	s, c := gallery(), &Camera{}
	c.Feed(s)
	lookWith(c, s, 1)
	free := c.eye(60, 40).Pose.Pos
	wall := s.Model.Entities[0].Spec.Links[0].Visuals
	wall[0].Size = r3.V(0.2, 20, 20)
	walled := *s.Model
	s.Model = &walled
	s.Entities[0].Pose.Pos, s.Links[0].Pose.Pos = r3.V(-2, 0, 0.5), r3.V(-2, 0, 0.5)
	c = &Camera{}
	c.Feed(s)
	lookWith(c, s, 1)
	if got := c.eye(60, 40).Pose.Pos; free.X > -2.5 || got.X < -1.9 || got.X > -1 {
		t.Errorf("the eye is at x = %.2f, without a wall at %.2f; the wall's face is at −1.9", got.X, free.X)
	}
	s.Links[0].Pose.Pos.X = -9
	lookWith(c, s, 1)
	if got := c.eye(60, 40).Pose.Pos; got != free {
		t.Errorf("with the wall gone the eye is at %v, want %v", got, free)
	}
}
