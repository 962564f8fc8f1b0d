package dialog

import (
	"math"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/ui/canvas"
)

func TestPatternsLayPosesOutAboutAPlace(t *testing.T) {
	at := r3.PoseRPY(10, 20, 0.5, 0, 0, math.Pi/2)
	for _, c := range []struct {
		pattern Pattern
		n       int
		apart   float64
		want    map[int]r3.Vec // by index
	}{
		{InGrid, 1, 2, map[int]r3.Vec{0: at.Pos}},
		{InGrid, 4, 2, map[int]r3.Vec{0: r3.V(9, 19, 0.5), 1: r3.V(9, 21, 0.5), 2: r3.V(11, 19, 0.5),
			3: r3.V(11, 21, 0.5)}},
		{InGrid, 9, 1, map[int]r3.Vec{4: at.Pos}},
		{InGrid, 3, 1, map[int]r3.Vec{2: r3.V(10.5, 19.5, 0.5)}},
		{InLine, 3, 0.5, map[int]r3.Vec{0: at.Pos, 1: r3.V(10, 20.5, 0.5), 2: r3.V(10, 21, 0.5)}},
		{Scattered, 1, 1, nil},
	} {
		got := c.pattern.Lay(at, c.n, c.apart, 1)
		if len(got) != c.n {
			t.Fatalf("%v: %d poses, want %d", c.pattern, len(got), c.n)
		}
		for i, want := range c.want {
			if got[i].Pos.Sub(want).Len() > 1e-9 {
				t.Errorf("%v of %d: number %d at %v, want %v", c.pattern, c.n, i, got[i].Pos, want)
			}
		}
	}
}

func TestAScatterIsDecidedByItsSeedAndKeepsApart(t *testing.T) {
	at := r3.PoseRPY(1, 2, 3, 0, 0, 0.3)
	const n, apart = 100, 0.8
	a, b, other := Scattered.Lay(at, n, apart, 7), Scattered.Lay(at, n, apart, 7),
		Scattered.Lay(at, n, apart, 8)
	near, same := math.Inf(1), 0
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("pose %d differs with the same seed", i)
		}
		if a[i].Pos == other[i].Pos {
			same++
		}
		if d := a[i].Pos.Sub(at.Pos); math.Abs(d.Z) > 1e-12 || d.Len() > apart*10*math.Sqrt2/2+1e-9 {
			t.Errorf("pose %d is %v away, out of the square", i, d)
		}
		for k := range i {
			near = min(near, a[i].Pos.Sub(a[k].Pos).Len())
		}
	}
	if same > 0 {
		t.Errorf("%d places are the same with another seed", same)
	}
	if near < 0.35*apart { // at random, without choosing, the nearest would be about 0.05 of it
		t.Errorf("the nearest two are %.3f m apart, asked %.1f", near, apart)
	}
}

func TestSeveralOfAModelAreAskedForAtOnce(t *testing.T) {
	s := asked(Place{Name: "p", Pose: r3.IdentityPose(), Lift: true})
	s.fields[fieldCount].line.Set("5")
	s.fields[fieldApart].line.Set("0.5")
	s.focus = fieldPattern
	s.Key(Key{Name: "right"})
	o := s.Key(Key{Action: Accept})
	b, ok := o.Do.(sim.SpawnBatch)
	if !ok || len(b.Spawns) != 5 || !o.Close {
		t.Fatalf("got %#v", o)
	}
	for i, one := range b.Spawns {
		if want := r3.V(0.5*float64(i), 0, 0.25); one.Pose.Pose.Pos.Sub(want).Len() > 1e-12 ||
			!one.AllowRenaming || one.Resource.URI != "model://a" {
			t.Errorf("number %d: %+v, want it at %v", i, one, want)
		}
	}
	s.fields[fieldName].line.Set("cup")
	if b, _ = s.Key(Key{Action: Accept}).Do.(sim.SpawnBatch); b.Spawns[0].Name != "cup_1" ||
		b.Spawns[4].Name != "cup_5" || b.Spawns[4].AllowRenaming {
		t.Errorf("names %q … %q", b.Spawns[0].Name, b.Spawns[4].Name)
	}
	for field, bad := range map[int][]string{
		fieldCount: {"0", "-1", "2.5", "2001", "many", "1e9"}, fieldApart: {"0", "-1", "1001", "far"},
		fieldSeed: {"-1", "0.5", "x"},
	} {
		for _, text := range bad {
			before := s.fields[field].line.Text()
			s.fields[field].line.Set(text)
			if o := s.Key(Key{Action: Accept}); o.Do != nil || o.Close {
				t.Errorf("%s %q was taken", s.fields[field].label, text)
			}
			s.fields[field].line.Set(before)
		}
	}
}

func TestTheDialogSaysHowManyHaveRoom(t *testing.T) {
	s := asked(Place{Pose: r3.PoseRPY(1, 0, 0.01, 0, 0, 0), Lift: true})
	s.fields[fieldCount].line.Set("3") // in a line with the block at 3
	s.pattern = InLine
	g := canvas.NewCellBuffer(76, 18)
	if s.Draw(g.All()); !strings.Contains(g.Plain(), "free space for 2 of 3; blocked by block") {
		t.Errorf("got\n%s", g.Plain())
	}
	s.fields[fieldCount].line.Set("2")
	g.Clear()
	if s.Draw(g.All()); !strings.Contains(g.Plain(), "free space for all 2") {
		t.Errorf("got\n%s", g.Plain())
	}
}
