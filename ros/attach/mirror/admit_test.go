package mirror

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"simdeck/ros/attach"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// answers reads what a simulator could have said out of bytes.
type answers struct{ left []byte }

func (a *answers) byte() byte {
	if len(a.left) == 0 {
		return 0
	}
	b := a.left[0]
	a.left = a.left[1:]
	return b
}

// number is one of those that break things, or any.
func (a *answers) number() float64 {
	hard := []float64{0, 1, -1, 5e-324, 1.8e16, 1e17, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	if k := int(a.byte()); k < 2*len(hard) {
		return hard[k/2]
	}
	var b [8]byte
	for i := range b {
		b[i] = a.byte()
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b[:]))
}

func (a *answers) vec() r3.Vec { return r3.V(a.number(), a.number(), a.number()) }

func (a *answers) text() string {
	n := int(a.byte())
	s := string(a.left[:min(n&31, len(a.left))])
	a.left = a.left[len(s):]
	if n > 250 {
		return strings.Repeat(s+"x", 9000)
	}
	return s
}

func (a *answers) texts() (list []string) {
	for range a.byte() % 80 {
		list = append(list, a.text())
	}
	return list
}

func (a *answers) pose() r3.Pose {
	return r3.Pose{Pos: a.vec(), Rot: r3.Quat{W: a.number(), X: a.number(), Y: a.number(), Z: a.number()}}
}

func (a *answers) bounds() scene.Bounds {
	b := scene.Bounds{Kind: scene.BoundsKind(a.byte() % 6)}
	for range a.byte() % 5 {
		b.Points = append(b.Points, a.vec())
	}
	return b
}

// seen feeds a viewer with answers, as its looks do.
func (a *answers) seen() (*viewer, int) {
	e := &viewer{state: sim.State(a.byte()), things: map[string]*thing{}}
	e.world = admitWorld(scene.WorldInfo{Name: a.text(), URI: a.text(), Description: a.text(),
		Tags: a.texts()})
	var list []attach.Entity
	for range a.byte() % 20 {
		one := attach.Entity{Name: a.text()}
		if a.byte()&1 == 0 {
			one.State = &sim.EntityState{Pose: a.pose(), Twist: r3.Twist{Linear: a.vec(), Angular: a.vec()}}
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b attach.Entity) int { return strings.Compare(a.Name, b.Name) })
	list, odd := admitEntities(list)
	e.entities = slices.CompactFunc(list, func(a, b attach.Entity) bool { return a.Name == b.Name })
	e.keep(e.entities)
	for _, t := range e.things {
		t.info = admitInfo(scene.Info{Category: scene.Category(a.byte()), Description: a.text(),
			Tags: a.texts()})
		t.bounds = admitBounds(a.bounds())
	}
	var poses []scene.NamedPose
	for range a.byte() % 5 {
		poses = append(poses, scene.NamedPose{Name: a.text(), Description: a.text(), Tags: a.texts(),
			Pose: a.pose()})
	}
	e.poses = admitPlaces(poses)
	for i := range e.poses {
		e.poses[i].Bounds = admitBounds(a.bounds())
	}
	return e, odd
}

// sound fails the test unless a snapshot can be shown.
func sound(t *testing.T, s *sim.Snapshot) {
	t.Helper()
	m := s.Model
	if len(s.Entities) != len(m.Entities) || len(s.Links) != len(m.Entities) ||
		len(m.Entities) > mostEntities || len(m.NamedPoses) > mostPlaces {
		t.Fatalf("%d states and %d links of %d entities, %d places", len(s.Entities), len(s.Links),
			len(m.Entities), len(m.NamedPoses))
	}
	short := func(what, text string, most int) {
		if len(text) > most+len("…") {
			t.Errorf("%s has %d bytes, want at most %d", what, len(text), most)
		}
	}
	short("the world's name", m.World.Name, longestName)
	short("the world's description", m.World.Description, longestText)
	for i := range m.Entities {
		e, p := &m.Entities[i], s.Entities[i].Pose
		short("a name", e.Name, longestName)
		short("a description", e.Info.Description, longestText)
		if i > 0 && m.Entities[i-1].Name >= e.Name {
			t.Errorf("%q stands before %q", m.Entities[i-1].Name, e.Name)
		}
		if !reachable(p.Pos) && !(p.Pos.X != p.Pos.X && p.Pos.Y != p.Pos.Y && p.Pos.Z != p.Pos.Z) {
			t.Errorf("%q is at %v: want a place within %v m, or none", e.Name, p.Pos, furthest)
		}
		if !p.Rot.IsFinite() {
			t.Errorf("%q is turned by %v", e.Name, p.Rot)
		}
		if e.Spec == nil || len(e.Spec.Links) != 1 || e.FirstLink != i || !e.Bounds.IsEmpty() &&
			!(reachable(e.Bounds.Min) && reachable(e.Bounds.Max)) &&
			e.Info.Bounds.Kind != scene.SphereBounds {
			t.Errorf("%q has the bounds %v and its links at %d", e.Name, e.Bounds, e.FirstLink)
		}
	}
	for _, n := range m.NamedPoses {
		if !reachable(n.Pose.Pos) || !n.Pose.Rot.IsFinite() {
			t.Errorf("%q is at %v", n.Name, n.Pose)
		}
	}
}

// FuzzAnswers: whatever a simulator elsewhere answers, a snapshot of it can be shown.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte(strings.Repeat("\x02\x09\xff", 200)))
	f.Fuzz(func(t *testing.T, data []byte) {
		a := answers{data}
		e, _ := a.seen()
		s := &sim.Snapshot{Time: time.Duration(a.byte()), State: e.state, Model: e.newModel(true)}
		e.place(s)
		sound(t, s)
	})
}

func TestWhatHasNoPlaceIsToldOfOnceAndShownNowhere(t *testing.T) {
	at := func(x float64) *sim.EntityState { return &sim.EntityState{Pose: r3.PoseRPY(x, 0, 0, 0, 0, 0)} }
	zero := at(3)
	zero.Pose.Rot = r3.Quat{}
	list, odd := admitEntities([]attach.Entity{{Name: "a", State: at(1e17)},
		{Name: "b", State: at(math.Inf(1))}, {Name: "c", State: at(2)},
		{Name: "d", State: zero}, {Name: strings.Repeat("e", longestName+1)}})
	if len(list) != 4 || odd != 3 {
		t.Fatalf("%d entities and %d oddities, want 4 and 3", len(list), odd)
	}
	if p := list[2].State.Pose; p != r3.PoseRPY(2, 0, 0, 0, 0, 0) {
		t.Errorf("a place that can be shown became %v", p)
	}
	if q := list[3].State.Pose.Rot; q != r3.Identity() {
		t.Errorf("no rotation became %v", q)
	}
	if p := list[0].State.Pose.Pos; p.IsFinite() {
		t.Errorf("1e17 m became %v", p)
	}
	if got := cut("ab\u00e9\u00e9", 3); !utf8.ValidString(got) || got != "ab…" {
		t.Errorf("cut gives %q", got)
	}
}
