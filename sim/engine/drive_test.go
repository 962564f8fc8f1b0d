package engine

import (
	"errors"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

func twist(v, turn float64) r3.Twist {
	return r3.Twist{Linear: r3.V(v, 0, 0), Angular: r3.V(0, 0, turn)}
}

func odomOf(t *testing.T, w *World, name string) sim.Odometry {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find(name)
	if !ok {
		t.Fatal(name)
	}
	return s.OdomOf(i)[0]
}

func TestARobotDrivesAsItIsTold(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 100)
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.5, 0.5)})
	steps(t, w, 500)
	truth := where(t, w.Snapshot(), "rover")
	speed, turn := math.Hypot(truth.Twist.Linear.X, truth.Twist.Linear.Y), truth.Twist.Angular.Z
	if math.Abs(speed-0.5) > 0.005 || math.Abs(turn-0.5) > 0.01 {
		t.Errorf("drives at %.4f m/s and %.4f rad/s, want 0.5 and 0.5", speed, turn)
	}
	o := odomOf(t, w, "rover")
	if d := o.Pose.Pos.Dist(r3.V(truth.Pose.Pos.X, truth.Pose.Pos.Y, 0)); d > 0.02 ||
		truth.Pose.Pos.Len() < 0.7 {
		t.Errorf("believes to be at %v and is at %v: %.3f m off", o.Pose.Pos, truth.Pose.Pos, d)
	}
	if o.Target != twist(0.5, 0.5) || o.Seq != 48 {
		t.Errorf("target %+v, estimate %d after 2.4 s at 20 Hz", o.Target, o.Seq)
	}
	apply(t, w, sim.DriveEntity{Name: "rover"})
	steps(t, w, 500)
	if v := where(t, w.Snapshot(), "rover").Twist.Linear.Len(); v > 1e-3 {
		t.Errorf("told to stop it drives at %v m/s", v)
	}
}

func TestADriveSpeedsUpNoFasterThanItMay(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 50)
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(1, 0)}) // 2 m/s²
	steps(t, w, 63)
	if v := where(t, w.Snapshot(), "rover").Twist.Linear.X; math.Abs(v-0.5) > 0.03 {
		t.Errorf("%v m/s after a quarter of a second, want 0.5", v)
	}
}

func TestCommandsThatMeanNothingAreRefused(t *testing.T) {
	w := yard(t, sim.Paused)
	apply(t, w, sim.Spawn{Name: "arm", Resource: sim.Resource{URI: "arm"},
		Pose: sim.FramedPose{Pose: at(5, 5, 1)}})
	before := w.Hash()
	for name, c := range map[string]struct {
		c    sim.Command
		want error
	}{
		"NaN":      {sim.DriveEntity{Name: "rover", Twist: twist(nan(), 0)}, sim.ErrFailed},
		"Inf":      {sim.DriveEntity{Name: "rover", Twist: twist(0, math.Inf(1))}, sim.ErrFailed},
		"nobody":   {sim.DriveEntity{Name: "nobody"}, sim.ErrNotFound},
		"no drive": {sim.DriveEntity{Name: "crate"}, sim.ErrNotFound},
		"drive 1":  {sim.DriveEntity{Name: "rover", Drive: 1}, sim.ErrNotFound},
		"drive -1": {sim.DriveEntity{Name: "rover", Drive: -1}, sim.ErrNotFound},
		"no joint": {sim.SetJoint{Name: "rover", Joint: "middle", Mode: sim.JointVelocity},
			sim.ErrNotFound},
		"fixed joint": {sim.SetJoint{Name: "rover", Joint: "pole", Mode: sim.JointVelocity},
			sim.ErrUnsupported},
		"follower": {sim.SetJoint{Name: "arm", Joint: "slide", Mode: sim.JointPosition},
			sim.ErrUnsupported},
		"NaN target": {sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointVelocity, Target: nan()},
			sim.ErrFailed},
		"no mode":        {sim.SetJoint{Name: "rover", Joint: "left"}, sim.ErrUnsupported},
		"negative pace":  {sim.SetPacing{RealTime: -1}, sim.ErrFailed},
		"pace no number": {sim.SetPacing{RealTime: nan()}, sim.ErrFailed},
	} {
		if _, err := try(w, c.c); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if w.Hash() != before {
		t.Error("a refused command changed the world")
	}
}

func TestJointsGoWhereTheyAreTold(t *testing.T) {
	w := yard(t, sim.Playing)
	apply(t, w, sim.Spawn{Name: "arm", Resource: sim.Resource{URI: "arm"},
		Pose: sim.FramedPose{Pose: at(5, 5, 1)}})
	shoulder := func() (sim.JointState, sim.JointState) {
		s := w.Snapshot()
		i, _ := s.Find("arm")
		return s.JointsOf(i)[1], s.JointsOf(i)[2]
	}
	apply(t, w, sim.SetJoint{Name: "arm", Joint: "shoulder", Mode: sim.JointPosition, Target: -1})
	steps(t, w, 750)
	q, slide := shoulder()
	if math.Abs(q.Position+1) > 0.02 {
		t.Errorf("shoulder at %v rad, want -1", q.Position)
	}
	if math.Abs(slide.Position) > 0.01 { // -0.1 is beyond its stop at 0
		t.Errorf("the follower is at %v m, want at its stop", slide.Position)
	}
	apply(t, w, sim.SetJoint{Name: "arm", Joint: "shoulder", Mode: sim.JointPosition, Target: 99})
	steps(t, w, 1500)
	if q, slide = shoulder(); math.Abs(q.Position-3) > 0.02 || math.Abs(slide.Position-0.3) > 0.01 {
		t.Errorf("shoulder at %v rad, want its stop at 3; the follower at %v m, want 0.3", q.Position,
			slide.Position)
	}
	apply(t, w, sim.SetJoint{Name: "arm", Joint: "shoulder", Mode: sim.JointVelocity, Target: -0.5})
	steps(t, w, 250)
	if q, _ = shoulder(); math.Abs(q.Velocity+0.5) > 0.02 {
		t.Errorf("shoulder turns at %v rad/s, want -0.5", q.Velocity)
	}
}

func TestTheLastCommandHasTheWheel(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 50)
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.5, 0)})
	steps(t, w, 250)
	apply(t, w, sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointVelocity})
	apply(t, w, sim.SetJoint{Name: "rover", Joint: "right", Mode: sim.JointVelocity})
	steps(t, w, 250)
	if v := where(t, w.Snapshot(), "rover").Twist.Linear.Len(); v > 0.01 {
		t.Errorf("the drive goes on at %v m/s though its wheels were told to stop", v)
	}
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.5, 0)})
	steps(t, w, 250)
	if v := where(t, w.Snapshot(), "rover").Twist.Linear.X; math.Abs(v-0.5) > 0.01 {
		t.Errorf("the drive did not take its wheels back: %v m/s", v)
	}
}

func TestARobotWithoutWorkFallsAsleep(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 1000)
	if s := where(t, w.Snapshot(), "rover"); !s.Asleep || s.Twist != (r3.Twist{}) || s.Accel != (r3.Twist{}) {
		t.Errorf("after 4 s at rest it is %+v", s)
	}
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.3, 0)})
	steps(t, w, 50)
	if where(t, w.Snapshot(), "rover").Asleep {
		t.Error("a command did not wake it")
	}
}

func TestCommandsBeyondAllLimitsLoseNoBody(t *testing.T) {
	for _, huge := range []float64{1e300, -1e17, math.MaxFloat64} {
		for _, c := range []sim.Command{
			sim.DriveEntity{Name: "rover", Twist: twist(huge, 0)},
			sim.DriveEntity{Name: "rover", Twist: twist(huge, -huge)},
			sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointVelocity, Target: huge},
			sim.SetJoint{Name: "rover", Joint: "left", Mode: sim.JointPosition, Target: huge},
		} {
			w := yard(t, sim.Playing)
			steps(t, w, 10)
			apply(t, w, c)
			steps(t, w, 500)
			apply(t, w, sim.DriveEntity{Name: "rover"})
			steps(t, w, 250)
			s := w.Snapshot()
			for i := range s.Entities {
				if f := s.Entities[i].Fault; f != nil {
					t.Errorf("%s: %s is contained: %v", sim.Describe(c), s.Model.Entities[i].Name, f)
				}
			}
		}
	}
}
