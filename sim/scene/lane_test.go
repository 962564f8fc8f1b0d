package scene

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

// square is a closed lane of 40 m, counter-clockwise.
func square() *Lane {
	l := &Lane{Points: []r3.Vec{{}, r3.V(10, 0, 0), r3.V(10, 10, 0), r3.V(0, 10, 0)}, Closed: true}
	l.Measure()
	return l
}

// slope is an open lane that rises by three in four.
func slope() *Lane {
	l := &Lane{Points: []r3.Vec{{}, r3.V(4, 0, 3), r3.V(8, 0, 3)}}
	l.Measure()
	return l
}

func TestPlacesAlongALane(t *testing.T) {
	for _, c := range []struct {
		lane      *Lane
		s         float64
		at, ahead r3.Vec
	}{
		{square(), 0, r3.V(0, 0, 0), r3.V(1, 0, 0)},
		{square(), 15, r3.V(10, 5, 0), r3.V(0, 1, 0)},
		{square(), 35, r3.V(0, 5, 0), r3.V(0, -1, 0)},
		{square(), 45, r3.V(5, 0, 0), r3.V(1, 0, 0)},
		{square(), -5, r3.V(0, 5, 0), r3.V(0, -1, 0)},
		{square(), 40, r3.V(0, 0, 0), r3.V(1, 0, 0)},
		{slope(), 2.5, r3.V(2, 0, 1.5), r3.V(0.8, 0, 0.6)},
		{slope(), 7, r3.V(6, 0, 3), r3.V(1, 0, 0)},
		{slope(), -5, r3.V(-4, 0, -3), r3.V(0.8, 0, 0.6)},
		{slope(), 11, r3.V(10, 0, 3), r3.V(1, 0, 0)},
	} {
		if at, ahead := c.lane.Point(c.s); at.Dist(c.at) > 1e-12 || ahead.Dist(c.ahead) > 1e-12 {
			t.Errorf("at %g m: %v, to %v; want %v, to %v", c.s, at, ahead, c.at, c.ahead)
		}
	}
	if l := square().Length(); l != 40 {
		t.Errorf("the square is %g m long", l)
	}
	if s := square().Wrap(-1e-300); !(s >= 0 && s < 40) {
		t.Errorf("just before the beginning wraps to %g", s)
	}
}

// TestAVehicleTurnsRoundACornerWithoutAJump moves two axles around the square by 1 cm at a time.
func TestAVehicleTurnsRoundACornerWithoutAJump(t *testing.T) {
	l, before := square(), square().Pose(0, 2)
	for i := 1; i <= 4000; i++ {
		p := l.Pose(float64(i)/100, 2)
		turn := p.Rot.Mul(before.Rot.Conj()).Vector().Len()
		if p.Pos.Dist(before.Pos) > 0.0101 || turn > 0.012 {
			t.Fatalf("at %g m it jumps by %g m and %g rad", float64(i)/100, p.Pos.Dist(before.Pos), turn)
		}
		before = p
	}
	if p := slope().Pose(2.5, 1); p.Rot.Rotate(r3.V(1, 0, 0)).Dist(r3.V(0.8, 0, 0.6)) > 1e-12 ||
		math.Abs(p.Rot.Rotate(r3.V(0, 1, 0)).Z) > 1e-12 {
		t.Errorf("on a slope it looks to %v", p.Rot.Rotate(r3.V(1, 0, 0)))
	}
}

func TestPlacesAreFoundFromALane(t *testing.T) {
	for _, c := range []struct {
		lane          *Lane
		place         r3.Vec
		from, reach   float64
		along, across float64
		within        bool
	}{
		{square(), r3.V(5, 1, 0), 0, 30, 5, 1, true},
		{square(), r3.V(9, 6, 0), 0, 30, 16, 1, true},
		{square(), r3.V(12, 5, 0), 0, 30, 15, -2, true},
		{square(), r3.V(2, -1, 0), 35, 30, 7, -1, true}, // past the beginning
		{square(), r3.V(5, 1, 0), 6, 20, 0, 0, false},   // behind
		{square(), r3.V(0, 5, 0), 0, 30, 0, 0, false},   // beyond the reach
		{slope(), r3.V(6, 1, 3), 0, 30, 7, 1, true},
		{slope(), r3.V(20, 0, 3), 0, 30, 0, 0, false}, // beyond the end
	} {
		n, within := c.lane.Locate(c.place, c.from, c.reach)
		if within != c.within || within && (math.Abs(n.Along-c.along) > 1e-9 ||
			math.Abs(n.Across-c.across) > 1e-9) {
			t.Errorf("%v from %g m, up to %g further: %+v, %v; want %g along and %g across, %v", c.place, c.from,
				c.reach, n, within, c.along, c.across, c.within)
		}
	}
}

// TestTheCorridorOfALaneHoldsItAndNoMore compares with points every centimetre.
func TestTheCorridorOfALaneHoldsItAndNoMore(t *testing.T) {
	for _, lane := range []*Lane{square(), slope()} {
		for _, c := range [][2]float64{{0, 3}, {0, 100}, {5, 12}, {9.5, 1}, {3, 6}, {35, 12}, {39, 30},
			{12, 0}} {
			if !lane.Closed && c[0] > lane.Length() {
				continue
			}
			want, reach := r3.EmptyBox(), min(c[1], lane.Length())
			if !lane.Closed {
				reach = min(reach, lane.Length()-c[0])
			}
			for s := 0.0; s < reach; s += 0.01 {
				at, _ := lane.Point(c[0] + s)
				want = want.Extend(at)
			}
			at, _ := lane.Point(c[0] + reach)
			want = want.Extend(at)
			if got := lane.Corridor(c[0], c[1]); got.Min.Dist(want.Min) > 0.011 ||
				got.Max.Dist(want.Max) > 0.011 {
				t.Errorf("from %g m, up to %g further: %v, want %v", c[0], c[1], got, want)
			}
		}
	}
}
