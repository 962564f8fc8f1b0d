package engine

import (
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
)

func TestSnapshotsShareWhatDoesNotChange(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 1)
	a := w.Snapshot()
	steps(t, w, 1)
	b := w.Snapshot()
	if a.Model != b.Model {
		t.Error("the model was copied though nothing in it changed")
	}
	if &a.Links[0] == &b.Links[0] {
		t.Error("what moves is shared")
	}
	if &a.Samples[0] != &b.Samples[0] {
		t.Error("samples were copied though none was made")
	}
	steps(t, w, 1000) // everything rests
	c := w.Snapshot()
	steps(t, w, 1)
	d := w.Snapshot()
	if &c.Links[0] != &d.Links[0] || &c.Entities[0] != &d.Entities[0] {
		t.Error("what rests was copied")
	}
	apply(t, w, sim.Delete{Names: []string{"crate"}})
	e := w.Snapshot()
	if e.Model == d.Model || e.Model.Revision <= d.Model.Revision || len(e.Entities) != len(d.Entities)-1 {
		t.Error("a deletion does not show in the model")
	}
	if _, ok := e.Find("crate"); ok {
		t.Error("the crate is still found")
	}
}

func TestASnapshotIsNeverChanged(t *testing.T) {
	w := yard(t, sim.Playing)
	apply(t, w, sim.DriveEntity{Name: "rover", Twist: twist(0.5, 0)})
	steps(t, w, 60)
	s := w.Snapshot()
	links := append([]sim.LinkState{}, s.Links...)
	odom := append([]sim.Odometry{}, s.Odom...)
	events := append([]sim.Event{}, s.Events...)
	samples := append([]sim.Sample{}, s.Samples...)
	model := *s.Model
	steps(t, w, 60)
	w.Snapshot()
	apply(t, w, sim.Spawn{Name: "a", Resource: sim.Resource{URI: "ball"},
		Pose: sim.FramedPose{Pose: at(0, 5, 1)}})
	apply(t, w, sim.Reset{})
	w.Snapshot()
	same := len(s.Events) == len(events) && s.Model.Revision == model.Revision && len(s.Model.Entities) == 4
	for i := range links {
		same = same && s.Links[i] == links[i]
	}
	for i := range odom {
		same = same && s.Odom[i] == odom[i]
	}
	for i := range samples {
		same = same && s.Samples[i] == samples[i]
	}
	if !same {
		t.Error("a snapshot changed after it was made")
	}
}

func TestContactsNameTheirEntities(t *testing.T) {
	w := yard(t, sim.Playing)
	steps(t, w, 20)
	s := w.Snapshot()
	on := map[string]float64{}
	for _, c := range s.Contacts {
		a, b := s.Model.Entities[c.A].Name, s.Model.Entities[c.B].Name
		if a == b {
			t.Errorf("%s touches itself", a)
		}
		if a == "ground" || b == "ground" {
			up := c.Normal.Z
			if b == "ground" {
				up = -up
			}
			if up < 0.99 {
				t.Errorf("normal %v between %s and %s does not point from the one to the other", c.Normal, a,
					b)
			}
		}
		on[a+" "+b] += c.Force
	}
	if f := on["ground crate"] + on["crate ground"]; f < 9 || f > 11 {
		t.Errorf("the ground carries a crate of 1 kg with %v N; contacts: %v", f, on)
	}
}

func TestStatesOfAWorldWithoutEntities(t *testing.T) {
	w, err := NewWorld(Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := w.Snapshot()
	if s.Model == nil || s.State != sim.NoWorld || len(s.Entities) != 0 || s.Model.Gravity != (r3.Vec{}) {
		t.Errorf("%+v", s)
	}
	if _, ok := s.Find("x"); ok {
		t.Error("found something")
	}
}
