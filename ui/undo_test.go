package ui_test

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/uitest"
)

func TestADeletionAndAMoveAreTakenBackInTurn(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("entity.undo")
		d.Shows("nothing to undo")
		if _, err := d.Backend.Do(d.T.Context(),
			sim.Spawn{Name: "aaa", Resource: sim.Resource{URI: "model://crate"},
				Pose: sim.FramedPose{Pose: r3.PoseRPY(1, 2, 3, 0, 0, 1)}}); err != nil {
			d.T.Fatal(err)
		}
		d.Frame()
		before := d.Backend.Snapshot()
		names := len(before.Model.Entities)
		d.Press("list.top", "entity.move")
		d.Send(uitest.KeyPress("ctrl+u"))
		d.Type("1.5")
		d.Press("dialog.accept")
		moved, ok := last(d).(sim.SetEntityState)
		if !ok || moved.Pose == nil {
			d.T.Fatalf("sent %#v", last(d))
		}
		d.Press("entity.delete")
		d.Shows("restores its pose")
		d.Press("dialog.accept")
		sends(d, sim.Delete{Names: []string{moved.Name}})
		if n := len(d.Backend.Snapshot().Model.Entities); n != names-1 {
			d.T.Fatalf("%d entities", n)
		}
		d.Press("entity.undo")
		sends(d, sim.Spawn{Name: moved.Name, Resource: sim.Resource{URI: "model://crate"},
			Namespace: moved.Name, Pose: sim.FramedPose{Pose: *moved.Pose}})
		d.Shows(moved.Name + " restored")
		d.Press("entity.undo")
		first := before.Entities[0].Pose
		if back, ok := last(d).(sim.SetEntityState); !ok || back.Name != moved.Name || *back.Pose != first {
			d.T.Errorf("sent %#v, want the pose %v", last(d), first)
		}
		d.Shows("moved back")
		d.Press("entity.undo")
		d.Shows("nothing to undo")
	})
}

func TestWhatWasRefusedIsNotTakenBack(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		gone := sim.SetEntityState{Name: "nobody", Pose: &r3.Pose{}}
		if _, err := d.Backend.Do(d.T.Context(), gone); err == nil {
			d.T.Fatal("nobody was moved")
		}
		d.Press("list.top", "entity.delete", "dialog.cancel", "entity.undo")
		d.Shows("nothing to undo")
	})
}

func TestAWorldIsLoadedFromTheListOrByItsName(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("sim.load")
		d.Shows("Load a world", "attic", "under the roof", "cellar: locked")
		d.Type("att")
		d.Press("dialog.accept")
		sends(d, sim.LoadWorld{Resource: sim.Resource{URI: "world://attic"}, IgnoreMissingAssets: true})
		d.Shows("world://attic loaded", "■ STOPPED")
		d.Press("sim.load")
		d.Type("/tmp/my.sdf")
		d.Press("dialog.accept")
		d.Shows("Press Enter again to open this path")
		d.Press("dialog.accept")
		sends(d, sim.LoadWorld{Resource: sim.Resource{URI: "/tmp/my.sdf"}, IgnoreMissingAssets: true})
		d.Shows("not found: /tmp/my.sdf")
		d.Press("sim.load", "dialog.cancel")
		d.Shows("attic")
	})
}
