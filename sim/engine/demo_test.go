package engine_test

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// seconds plays a world for so long in simulated time.
func seconds(t *testing.T, w *engine.World, s float64) {
	t.Helper()
	advance(t, w, int(math.Round(s/w.StepSize().Seconds())))
}

// selfMoving reports that an entity is meant to move by itself, as what floats, follows a script or patrols
// does: other models of worlds say so by a tag.
func selfMoving(e *sim.EntityModel) bool {
	return e.Spec.Actor != nil || e.Spec.Script != nil || len(e.Spec.Flow.Hulls) > 0 ||
		slices.Contains(e.Info.Tags, "moving") ||
		slices.ContainsFunc(e.Spec.Drives, func(d scene.Drive) bool { return d.Patrol != nil })
}

// TestEveryWorldStandsStill: in five seconds after settling, no entity moves by 1 mm or 2 mrad, and no joint
// by 1 mm or 1 mrad. Actors and models with the tag "moving" are left out.
func TestEveryWorldStandsStill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 7 s")
	}
	for _, name := range worldNames(t) {
		w := open(t, name)
		seconds(t, w, 2)
		before := w.Snapshot()
		seconds(t, w, 5)
		after := w.Snapshot()
		for i := range after.Model.Entities {
			e := &after.Model.Entities[i]
			if selfMoving(e) {
				continue
			}
			d := before.Entities[i].Pose.Relative(after.Entities[i].Pose)
			if moved, turned := d.Pos.Len(), d.Rot.Vector().Len(); moved > 1e-3 || turned > 2e-3 {
				t.Errorf("%s: %s moves by %.4f m and %.4f rad in five seconds at rest", name, e.Name, moved,
					turned)
			}
			old := before.JointsOf(i)
			for k, j := range after.JointsOf(i) {
				if moved := math.Abs(j.Position - old[k].Position); moved > 1e-3 {
					t.Errorf("%s: joint %s of %s moves by %.4f in five seconds at rest", name,
						e.Spec.Joints[k].Name, e.Name, moved)
				}
			}
		}
	}
}

// TestEveryRobotOfAWorldDrivesOff drives all robots of a world at once, and each comes as far as it is told.
func TestEveryRobotOfAWorldDrivesOff(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 4 s")
	}
	for _, name := range worldNames(t) {
		w := open(t, name)
		seconds(t, w, 1)
		before := w.Snapshot()
		for range 20 { // vehicles stop when nobody speaks to them for a while
			for i := range before.Model.Entities {
				for k := range before.Model.Entities[i].Spec.Drives {
					do(t, w, sim.DriveEntity{Name: before.Model.Entities[i].Name, Drive: k,
						Twist: r3.Twist{Linear: r3.V(0.4, 0, 0)}})
				}
			}
			seconds(t, w, 0.1)
		}
		after := w.Snapshot()
		for i := range after.Model.Entities {
			e := &after.Model.Entities[i]
			if len(e.Spec.Drives) == 0 {
				continue
			}
			most, ahead := 0.02, 0.81
			if len(e.Spec.Flow.Rotors) > 0 { // wind and waves take it along
				most = 0.15
			}
			if e.Spec.Drives[0].Kind == scene.FixedWing { // it takes off, at its least speed
				ahead = 20
			}
			if way := before.Entities[i].Pose.Relative(after.Entities[i].Pose).Pos; way.X < 0.55 ||
				way.X > ahead || math.Abs(way.Y) > most {
				t.Errorf("%s: %s drives %.3f m forward and %.3f m to the side in two seconds at 0.4 m/s",
					name, e.Name, way.X, way.Y)
			}
		}
	}
}

// TestThereIsRoomAtEveryNamedPose looks into the bounds of every named pose. Only the ground may reach into
// them, and one entity that stands at that very pose.
func TestThereIsRoomAtEveryNamedPose(t *testing.T) {
	for _, name := range worldNames(t) {
		w := open(t, name)
		seconds(t, w, 1)
		s := w.Snapshot()
		if len(s.Model.NamedPoses) < 3 && name != "empty" {
			t.Errorf("%s has %d named poses", name, len(s.Model.NamedPoses))
		}
		bounded := 0
		for _, p := range s.Model.NamedPoses {
			if p.Description == "" || len(p.Tags) == 0 {
				t.Errorf("%s: pose %s has no description or no tags", name, p.Name)
			}
			if p.Bounds.Kind == scene.NoBounds {
				continue
			}
			bounded++
			found, err := sim.Filter{Region: lifted(p)}.Match(s)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, p.Name, err)
			}
			at := 0
			for _, i := range found {
				switch e := &s.Model.Entities[i]; {
				case slices.Contains(e.Info.Tags, "floor") || slices.Contains(e.Info.Tags, "ground"):
				case s.Entities[i].Pose.Pos.Dist(p.Pose.Pos) < 0.02 && at == 0:
					at++
				default:
					t.Errorf("%s: %s reaches into %s", name, e.Name, p.Name)
				}
			}
		}
		if bounded == 0 && name != "empty" {
			t.Errorf("%s has no named pose with bounds", name)
		}
	}
}

// lifted is the region of a named pose in the world frame, 2 cm above the ground.
func lifted(p scene.NamedPose) *scene.Bounds {
	at := p.Pose
	at.Pos.Z += 0.02
	b := p.Bounds
	if b.Kind == scene.SphereBounds {
		return &scene.Bounds{Kind: b.Kind, Points: []r3.Vec{at.Apply(b.Points[0]), b.Points[1]}}
	}
	corners := b.Points
	if b.Kind == scene.BoxBounds {
		corners = nil
		for k := range 8 {
			c := b.Points[0]
			if k&1 != 0 {
				c.X = b.Points[1].X
			}
			if k&2 != 0 {
				c.Y = b.Points[1].Y
			}
			if k&4 != 0 {
				c.Z = b.Points[1].Z
			}
			corners = append(corners, c)
		}
	}
	out := &scene.Bounds{Kind: scene.HullBounds}
	for _, c := range corners {
		out.Points = append(out.Points, at.Apply(c))
	}
	return out
}
