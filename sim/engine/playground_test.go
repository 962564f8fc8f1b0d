package engine_test

import (
	"fmt"
	"math"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

// jointNamed is the state of a joint in a snapshot.
func jointNamed(t *testing.T, s *sim.Snapshot, entity, joint string) sim.JointState {
	t.Helper()
	i, ok := s.Find(entity)
	if !ok {
		t.Fatalf("there is no %s", entity)
	}
	for k, j := range s.Model.Entities[i].Spec.Joints {
		if j.Name == joint {
			return s.JointsOf(i)[k]
		}
	}
	t.Fatalf("%s has no joint %s", entity, joint)
	return sim.JointState{}
}

// linkNamed is the pose of a link in a snapshot.
func linkNamed(t *testing.T, s *sim.Snapshot, entity, link string) r3.Pose {
	t.Helper()
	i, _ := s.Find(entity)
	for k, l := range s.Model.Entities[i].Spec.Links {
		if l.Name == link {
			return s.LinksOf(i)[k].Pose
		}
	}
	t.Fatalf("%s has no link %s", entity, link)
	return r3.Pose{}
}

func TestTheMechanismsOfThePlaygroundKeepTheirLaws(t *testing.T) {
	w := open(t, "playground")
	seconds(t, w, 1)
	for range 40 {
		seconds(t, w, 0.1)
		s := w.Snapshot()
		at := func(entity, joint string) float64 { return jointNamed(t, s, entity, joint).Position }
		crank, piston := linkNamed(t, s, "engine", "crank"), linkNamed(t, s, "engine", "piston")
		pin := crank.Apply(r3.V(0.22, 0, 0)).Sub(r3.V(-2.3, -2.2, 0))
		coupler, rocker := linkNamed(t, s, "four_bar", "coupler").Apply(r3.V(0.9, 0, 0)),
			linkNamed(t, s, "four_bar", "rocker").Apply(r3.V(0.6, 0, 0))
		puck, nut := linkNamed(t, s, "puck", "puck").Pos, linkNamed(t, s, "spindle", "nut").Pos
		for _, law := range []struct {
			what            string
			got, want, slip float64
		}{
			{"the windmill turns as its motor does, rad/s", jointNamed(t, s, "windmill", "hub").Velocity, 1.5,
				1e-3},
			{"the second gear turns half as far, the other way, rad", at("gears", "second_axle"),
				-0.5 * at("gears", "first_axle"), 1e-6},
			{"the third gear turns as the first does, rad", at("gears", "third_axle"),
				at("gears", "first_axle"), 1e-6},
			{"the nut climbs by its pitch, m", nut.Z - 0.8, 0.25 * at("spindle", "thread") / (2 * math.Pi),
				1e-6},
			{"the piston is where crank and rod put it, m", piston.Pos.X - (-2.3),
				pin.X + math.Sqrt(0.7*0.7-(pin.Z-0.45)*(pin.Z-0.45)), 5e-4},
			{"the rocker pin holds coupler and rocker together, m", coupler.Sub(rocker).Len() - 0.05, 0,
				5e-4},
			{"the puck stays on its table, m", puck.Z, 0.566, 1e-4},
			{"a Cardan joint turns its output by the law, rad",
				math.Atan(math.Tan(at("coupling", "bearing"))), math.Atan(cardan(at("coupling", "motor"))),
				2e-3},
		} {
			if d := math.Abs(law.got - law.want); d > law.slip {
				t.Errorf("%.1f s: %s: %.5f, want %.5f", s.Time.Seconds(), law.what, law.got, law.want)
			}
		}
	}
}

// cardan is the tangent of a universal joint's output angle, with shafts inclined by 0.4 rad and a driving
// fork starting across their plane.
func cardan(in float64) float64 { return math.Tan(in) * math.Cos(0.4) }

func TestWhatSwingsOnThePlaygroundKeepsItsSwing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	w := open(t, "playground")
	swing, low, high := 0.0, math.Inf(1), math.Inf(-1)
	turned, before := 0.0, 0.0
	for k := range 2000 {
		advance(t, w, 5)
		s := w.Snapshot()
		if k > 1500 {
			swing = max(swing, math.Abs(jointNamed(t, s, "pendulum", "pivot").Position))
			z := linkNamed(t, s, "bouncer", "plate").Pos.Z
			low, high = min(low, z), max(high, z)
		}
		axle := linkNamed(t, s, "gyroscope", "axle").Rot
		yaw := axle.Rotate(r3.V(1, 0, 0))
		if d := r3.Atan2(yaw.Y, yaw.X) - before; k > 0 {
			turned += math.Remainder(d, 2*math.Pi)
		}
		before = r3.Atan2(yaw.Y, yaw.X)
		if math.Abs(yaw.Z) > 0.3 {
			t.Fatalf("the gyroscope tips over after %.1f s: its axle points to %v", s.Time.Seconds(), yaw)
		}
	}
	if math.Abs(swing-1) > 0.02 {
		t.Errorf("after 20 s the pendulum swings by %.4f rad, want 1", swing)
	}
	if h := high - low; math.Abs(h-2*0.35) > 0.02 {
		t.Errorf("after 20 s the plate goes up and down by %.4f m, want 0.7", h)
	}
	const torque, spin = 9.81 * (1.5*0.32 + 0.2*0.2), 0.5 * 1.5 * 0.18 * 0.18 * 150
	if rate := math.Abs(turned) / 20; math.Abs(rate/(torque/spin)-1) > 0.1 {
		t.Errorf("the gyroscope goes round at %.3f rad/s, want %.3f", rate, torque/spin)
	}
}

func TestTheDominoesFallAndTheArchStands(t *testing.T) {
	w := open(t, "playground")
	built := w.Snapshot()
	seconds(t, w, 6)
	s := w.Snapshot()
	for k := range 14 {
		i, _ := s.Find(fmt.Sprintf("domino_%02d", k+1))
		if up := s.Entities[i].Pose.Rot.Rotate(r3.V(0, 0, 1)).Z; up > 0.75 {
			t.Errorf("domino %d still stands: its top points to %.2f", k+1, up)
		}
	}
	i, _ := s.Find("stone_5")
	if z := s.Entities[i].Pose.Pos.Z - built.Entities[i].Pose.Pos.Z; math.Abs(z) > 5e-3 {
		t.Errorf("the keystone sank by %.4f m", -z)
	}
}
