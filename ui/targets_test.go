package ui_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"simdeck/sim"
	"simdeck/ui"
	"simdeck/ui/pane"
	"simdeck/ui/uitest"
)

// crates spawns so many crates by the dialog, laid out as the pattern that is
// so many steps to the right.
func crates(d *uitest.Driver, n, pattern int, seed string) {
	d.T.Helper()
	d.Press("entity.spawn")
	d.Type("crate")
	for range 7 { // place, x, y, yaw, z, name, count
		d.Press("dialog.next")
	}
	d.Type(fmt.Sprint(n))
	d.Press("dialog.next")
	for range pattern {
		d.Send(uitest.KeyPress("right"))
	}
	d.Press("dialog.next", "dialog.next")
	d.Type(seed)
	d.Shows(fmt.Sprintf("count %d", n))
	d.Press("dialog.accept")
}

func entities(d *uitest.Driver) []string {
	var names []string
	for _, e := range d.Backend.Snapshot().Model.Entities {
		names = append(names, e.Name)
	}
	return names
}

func TestACrowdIsSpawnedMarkedDeletedAndBroughtBack(t *testing.T) {
	for pattern, word := range []string{"grid", "line", "scatter"} {
		open(t, func(d *uitest.Driver) {
			before := entities(d)
			crates(d, 12, pattern, "5")
			d.Shows("12 entities spawned and marked", "12 marked")
			b, ok := last(d).(sim.SpawnBatch)
			if !ok || len(b.Spawns) != 12 {
				d.T.Fatalf("%s: sent %#v", word, last(d))
			}
			with := d.Backend.Snapshot()
			d.Press("entity.delete")
			d.Shows("Delete 12 entities?", "restores them at their poses")
			d.Press("dialog.accept")
			d.Shows("12 entities deleted")
			if got := entities(d); !slices.Equal(got, before) {
				d.T.Fatalf("%s: left are %v", word, got)
			}
			d.Press("entity.undo")
			d.Shows("12 entities restored")
			after := d.Backend.Snapshot()
			for i := range with.Model.Entities {
				if a, b := with.Model.Entities[i].Name, after.Model.Entities[i].Name; a != b ||
					with.Entities[i].Pose != after.Entities[i].Pose {
					d.T.Errorf("%s: %s came back as %s at %v", word, a, b, after.Entities[i].Pose)
				}
			}
		})
	}
}

func TestTheSeedDecidesAScatter(t *testing.T) {
	spawned := func(seed string) (b sim.SpawnBatch) {
		open(t, func(d *uitest.Driver) {
			crates(d, 6, 2, seed)
			b, _ = last(d).(sim.SpawnBatch)
		})
		return b
	}
	if a, b := spawned("3"), spawned("3"); !reflect.DeepEqual(a, b) || len(a.Spawns) != 6 {
		t.Error("the same seed laid them out differently")
	}
	if reflect.DeepEqual(spawned("3"), spawned("4")) {
		t.Error("another seed laid them out the same")
	}
}

func TestMarkedEntitiesAreMovedAndTaggedTogetherAndTakenBack(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("list.filter")
		d.Type("crate_[1-3]")
		d.Press("dialog.accept", "list.mark_all", "app.back")
		d.Shows("3 marked")
		before := d.Backend.Snapshot()
		d.Press("entity.move")
		d.Shows("Move 3 entities by")
		d.Type("1.5")
		d.Press("dialog.accept")
		d.Shows("3 entities moved")
		check := func(by float64) {
			d.T.Helper()
			now := d.Backend.Snapshot()
			for i := range now.Model.Entities {
				want := before.Entities[i].Pose.Pos
				if strings.HasPrefix(now.Model.Entities[i].Name, "crate_") &&
					now.Model.Entities[i].Name <= "crate_3" {
					want.X += by
				}
				if now.Entities[i].Pose.Pos.Sub(want).Len() > 1e-9 {
					d.T.Errorf("%s is at %v, want %v", now.Model.Entities[i].Name, now.Entities[i].Pose.Pos,
						want)
				}
			}
		}
		check(1.5)
		d.Press("entity.tags")
		d.Shows("Tags that 3 entities have in common")
		d.Type(" fragile")
		d.Press("dialog.accept")
		d.Shows("Tags of 3 entities changed")
		d.Press("list.filter")
		d.Type("tag:fragile")
		d.Press("dialog.accept")
		d.Shows("3 of 11")
		d.Press("app.back", "entity.undo")
		d.Shows("tags restored")
		d.Press("entity.undo")
		d.Shows("3 entities moved back")
		check(0)
		d.Press("app.back")
		d.Hides("marked")
	})
}

func TestWhatBelongsToTheWorldStaysWhenTheRestIsDeleted(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("list.mark_all", "entity.delete")
		d.Shows("Delete barrel?", "10 are part of the world file and stay")
		d.Press("dialog.accept")
		sends(d, sim.Delete{Names: []string{"barrel"}})
		d.Press("entity.delete")
		d.Shows("all 10 are part of the world file")
	})
}

func TestElsewhereARefusalInTheMiddleOfManyKeepsWhatCanBeTakenBack(t *testing.T) {
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), elsewhere, func(d *uitest.Driver) {
		d.Press("list.filter")
		d.Type("crate_[1-3]")
		d.Press("dialog.accept", "list.mark_all", "app.back", "view.freeze", "entity.tags")
		if _, err := d.Backend.Do(d.T.Context(), sim.SetState{State: sim.Paused}); err != nil {
			d.T.Fatal(err)
		}
		d.Backend.Lose("crate_2")
		d.Type(" x")
		d.Press("dialog.accept")
		d.Shows("1 of 3 done")
		d.Press("entity.undo")
		d.Shows("crate_1: tags restored")
		d.Press("entity.undo")
		d.Shows("nothing to undo")
	})
}

func TestManyMoveWithOneCommandOrNotAtAll(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("list.filter")
		d.Type("crate_[1-3]")
		d.Press("dialog.accept", "list.mark_all", "app.back", "entity.move")
		d.Type("1")
		d.Press("dialog.accept")
		if c, ok := last(d).(sim.MoveEntities); !ok || len(c.Moves) != 3 {
			d.T.Fatalf("sent %#v", last(d))
		}
		d.Press("entity.undo")
		d.Shows("3 entities moved back")
		if c, ok := last(d).(sim.MoveEntities); !ok || len(c.Moves) != 3 {
			d.T.Fatalf("undone by %#v", last(d))
		}
		d.Press("view.freeze", "entity.move")
		before := d.Backend.Snapshot()
		d.Backend.Lose("crate_2")
		d.Type("1")
		d.Press("dialog.accept")
		d.Shows("crate_2")
		for i, e := range before.Model.Entities {
			if now, ok := pane.Find(d.Backend.Snapshot().Model, e.Name); ok &&
				d.Backend.Snapshot().Entities[now].Pose != before.Entities[i].Pose {
				d.T.Errorf("%s moved though another could not", e.Name)
			}
		}
		d.Press("entity.undo")
		d.Shows("nothing to undo")
	})
}

func TestManyAreTaggedWithOneCommandOrNotAtAll(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		d.Press("list.filter")
		d.Type("crate_[1-3]")
		d.Press("dialog.accept", "list.mark_all", "app.back", "entity.tags")
		d.Type(" x")
		d.Press("dialog.accept")
		if c, ok := last(d).(sim.SetEntityInfos); !ok || len(c.Infos) != 3 {
			d.T.Fatalf("sent %#v", last(d))
		}
		d.Press("entity.undo")
		d.Shows("3 entities: tags restored")
		if c, ok := last(d).(sim.SetEntityInfos); !ok || len(c.Infos) != 3 {
			d.T.Fatalf("undone by %#v", last(d))
		}
		d.Press("view.freeze", "entity.tags")
		d.Backend.Lose("crate_2")
		d.Type(" y")
		d.Press("dialog.accept")
		d.Shows("crate_2")
		for _, e := range d.Backend.Snapshot().Model.Entities {
			if slices.Contains(e.Info.Tags, "y") {
				d.T.Errorf("%s is tagged though another could not be", e.Name)
			}
		}
	})
}

// singly is a backend that has no command for several entities, as a simulator that is reached over ROS.
type singly struct{ sim.Backend }

// Do does a command for several as one for each.
func (o singly) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	return sim.OneByOne(ctx, c, o.Backend.Do)
}

// elsewhere is a console on a simulator that is reached over ROS.
func elsewhere(c *ui.Config) {
	c.Backend = singly{c.Backend}
	c.Capabilities.Connection = func() sim.Connection {
		return sim.Connection{On: true, Name: "/other",
			Far: "2.x"}
	}
}

func TestElsewhereManyMoveOneByOneAndWhatHasMovedIsTakenBackAtOnce(t *testing.T) {
	uitest.Open(t, uitest.Room(), 120, 40, shipped(t), elsewhere, func(d *uitest.Driver) {
		d.Press("list.filter")
		d.Type("crate_[1-4]")
		d.Press("dialog.accept", "list.mark_all", "app.back", "view.freeze", "entity.move")
		before := d.Backend.Snapshot()
		d.Backend.Lose("crate_3")
		d.Type("1")
		d.Press("dialog.accept")
		d.Shows("2 of 4 done", "crate_3")
		moved := func() (names []string) {
			for i, e := range before.Model.Entities {
				if now, ok := pane.Find(d.Backend.Snapshot().Model, e.Name); ok &&
					d.Backend.Snapshot().Entities[now].Pose != before.Entities[i].Pose {
					names = append(names, e.Name)
				}
			}
			return names
		}
		if got := strings.Join(moved(), " "); got != "crate_1 crate_2" {
			d.T.Errorf("moved: %s", got)
		}
		d.Press("entity.undo")
		d.Shows("2 entities moved back")
		if got := moved(); len(got) > 0 {
			d.T.Errorf("after the undo %v are elsewhere", got)
		}
	})
}

func TestControlAndTheMouseMark(t *testing.T) {
	open(t, func(d *uitest.Driver) {
		for _, name := range []string{"crate_2", "table"} {
			x, y := d.Find(name)
			d.Send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft, Mod: tea.ModCtrl})
			d.Frame()
		}
		d.Shows("2 marked")
	})
}

func TestASpawnBeginsAtTheFirstFreePlaceWithAMobileModel(t *testing.T) {
	backend := uitest.Room()
	s := backend.Snapshot()
	robot, _ := s.Find("burger_1")
	s.Entities[robot].Pose.Pos = s.Model.NamedPoses[0].Pose.Pos
	uitest.Open(t, backend, 120, 40, shipped(t), nil, func(d *uitest.Driver) {
		d.Press("entity.spawn")
		d.Shows("< "+s.Model.NamedPoses[1].Name+" >", "> burger ")
	})
}
