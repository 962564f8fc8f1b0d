package shape

import (
	"math"
	"testing"

	"simdeck/sim/r3"
)

// A wheel rolls over a field of large triangles. The search meets three corners in a line, a micrometre
// apart, and one metres away: what rounding makes of that tetrahedron encloses nothing. It was counted as 4 m
// of overlap, and held a car in mid-road.
func TestANeedleOfATetrahedronEnclosesNothing(t *testing.T) {
	wheel := CoreOf(Cylinder{Radius: 0.33, Half: 0.11}, 0.055)
	ground := TriangleProxy(r3.V(25, 0, 0), r3.V(30, 5, 0), r3.V(25, 5, 0))
	at := r3.Pose{Pos: r3.V(19.98523049838417, -17.150523188828615, 0.800003040422169),
		Rot: r3.Quat{W: -0.24966942241835235, X: 0.249671546570008, Y: 0.6615651723218896,
			Z: -0.6615593859309498}}
	if c := Between(&wheel, &ground, at); math.Abs(c.Distance-0.24207) > 1e-4 {
		t.Errorf("they are %.5f m apart, want 0.24207", c.Distance)
	}
	// The same wheel at ten thousand places around: never nearer than a ball about it.
	for i := range 10000 {
		at.Pos.X += 1e-4 * math.Sin(float64(i))
		at.Rot = at.Rot.Turn(r3.V(0, 0, 1e-3))
		c := Between(&wheel, &ground, at)
		middle := at.Inverse().Pos
		ball := Proxy{kind: proxyPoint, Radius: math.Hypot(0.275, 0.055)}
		outside := Between(&ball, &ground, r3.Pose{Pos: middle, Rot: r3.Identity()}.Inverse()).Distance
		if c.Distance < outside-1e-9 || c.Distance > outside+2*ball.Radius {
			t.Fatalf("place %d: %.6f m apart; a ball about the wheel is %.6f m away", i, c.Distance, outside)
		}
	}
}
