package articulation

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

// TestALoopIsHitFromHalfAMetreASecondOn: its ends part at that speed. Loops that close more slowly are closed
// wholly.
func TestALoopIsHitFromHalfAMetreASecondOn(t *testing.T) {
	for speed, hit := range map[float64]bool{0.1: false, 0.4: false, 0.6: true, 2: true} {
		const h = 0.001
		art := new(Articulation)
		about := r3.Between(r3.V(0, 0, 1), r3.V(0, 1, 0))
		rod := Body{Mass: 1, Inertia: r3.Diag(r3.V(0.014, 0.014, 0.001))}
		art.AddLink(-1, Joint{Type: Revolute, RotA: about, RotB: about, AnchorB: r3.V(0, 0, 0.2)}, rod)
		art.Refresh(still())
		end := pinned{art: art, link: 0, anchor: r3.V(0, 0, -0.2)}
		end.at = end.end()
		art.BeginStep(false)
		art.AddLoop(-1, 0, [2]float64{1, 1})
		art.dofs[0].v = speed / 0.4
		BeginDirect(art, h, still(), end, WithoutBias)
		if got := art.loops[0].hit; got != hit || art.loops[0].open {
			t.Errorf("ends that part at %v m/s: hit %v, want %v; open %v", speed, got, hit, art.loops[0].open)
		}
	}
}

// TestRowsOfALoopShareAMillionthOfWhatTheyYield, and a ten-billionth of what free bodies would.
func TestRowsOfALoopShareAMillionthOfWhatTheyYield(t *testing.T) {
	for _, c := range []struct{ first, second, free, want float64 }{
		{1, 2, 0, 3e-6}, {0, 5, 0, 5e-6}, {0, 0, 2, 2e-10}, {1, 0, 5000, 1.5e-6},
	} {
		rows := []Row{{regularization: c.first}, {regularization: c.second}}
		Direct{}.weighLoopRows(rows, c.free)
		for i := range rows {
			if got := rows[i].Compliance; math.Abs(got-c.want) > 1e-3*c.want {
				t.Errorf("rows that yield %v and %v, and %v of free bodies: "+
					"row %d has a compliance of %v, want %v",
					c.first, c.second, c.free, i, got, c.want)
			}
		}
	}
}
