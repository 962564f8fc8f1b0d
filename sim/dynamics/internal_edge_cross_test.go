package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// The floor of TestNothingCatchesOnTwentyInternalEdges: tiles in a row along x, each 0.2 m long with its top
// at z = 0.
const (
	crossing = 0.2
	seams    = 20
)

// rowOf calls put for each tile of the row, or once for a tile as long as all of them.
func rowOf(long bool, put func(half r3.Vec, x float64)) {
	half := r3.V(crossing/2, 0.4, 0.1)
	if long {
		half.X *= seams + 1
		put(half, float64(half.X)-crossing/2)
		return
	}
	for i := range seams + 1 {
		put(half, crossing*float64(i))
	}
}

// tileKinds are floors of adjoining geoms of each kind; speed is that of a kinematic floor along x, m/s.
var tileKinds = []struct {
	name  string
	speed float64
	lay   func(s *scene, long bool) BodyID
}{
	{"boxes", 0, func(s *scene, long bool) (b BodyID) {
		rowOf(long, func(h r3.Vec, x float64) { b = s.fixed(shape.Box{Half: h}, at(x, 0, -h.Z)) })
		return
	}},
	{"meshes of boxes", 0, func(s *scene, long bool) (b BodyID) {
		rowOf(long, func(h r3.Vec, x float64) { b = s.fixed(boxMesh(s, h), at(x, 0, -h.Z)) })
		return
	}},
	{"one mesh of many boxes", 0, func(s *scene, long bool) BodyID {
		var half r3.Vec
		var parts []r3.Pose
		rowOf(long, func(h r3.Vec, x float64) { half, parts = h, append(parts, at(x, 0, -h.Z)) })
		return s.fixed(meshOfBoxes(s, half, parts), r3.IdentityPose())
	}},
	{"hulls of a kinematic body", -0.5, func(s *scene, long bool) BodyID {
		b := must[BodyID](s)(s.AddBody(BodyDef{Type: Kinematic, Twist: r3.Twist{Linear: r3.V(-0.5, 0, 0)}}))
		rowOf(long, func(h r3.Vec, x float64) {
			var v []r3.Vec
			for i := range 8 {
				v = append(v, boxCorner(h, i))
			}
			s.geom(b, must[*shape.Hull](s)(shape.ConvexHull(v, 0)), at(x, 0, -h.Z))
		})
		return b
	}},
	{"meshes of one body", 0, func(s *scene, long bool) BodyID {
		b := must[BodyID](s)(s.AddBody(BodyDef{}))
		rowOf(long, func(h r3.Vec, x float64) { s.geom(b, boxMesh(s, h), at(x, 0, -h.Z)) })
		return b
	}},
	{"boxes of one body", 0, func(s *scene, long bool) BodyID {
		b := must[BodyID](s)(s.AddBody(BodyDef{}))
		rowOf(long, func(h r3.Vec, x float64) { s.geom(b, shape.Box{Half: h}, at(x, 0, -h.Z)) })
		return b
	}},
	{"boxes of a kinematic body", -0.5, func(s *scene, long bool) BodyID {
		b := must[BodyID](s)(s.AddBody(BodyDef{Type: Kinematic, Twist: r3.Twist{Linear: r3.V(-0.5, 0, 0)}}))
		rowOf(long, func(h r3.Vec, x float64) { s.geom(b, shape.Box{Half: h}, at(x, 0, -h.Z)) })
		return b
	}},
	{"boxes of a pallet", 0, func(s *scene, long bool) BodyID {
		s.fixed(shape.Box{Half: r3.V(5, 1, 0.1)}, at(2, 0, -0.3))
		b := must[BodyID](s)(s.AddBody(BodyDef{Type: Dynamic, Mass: 2000, COM: r3.V(2, 0, -0.1),
			Inertia: r3.Diag(r3.V(2000, 4000, 4000))}))
		rowOf(long, func(h r3.Vec, x float64) { s.geom(b, shape.Box{Half: h}, at(x, 0, -h.Z)) })
		return b
	}},
}

// crossers are the bodies that cross the internal edges.
func crossers() map[string]struct {
	sh    shape.Convex
	rot   r3.Quat
	rolls bool
} {
	lying := r3.AxisAngle(r3.V(1, 0, 0), math.Pi/2)
	return map[string]struct {
		sh    shape.Convex
		rot   r3.Quat
		rolls bool
	}{
		"ball":  {shape.Sphere{Radius: 0.06}, r3.Identity(), true},
		"wheel": {shape.Cylinder{Radius: 0.06, Half: 0.02}, lying, true},
		"box":   {shape.Box{Half: r3.V(0.06, 0.05, 0.04)}, r3.Identity(), false},
	}
}

// cross moves a body over the row. It returns the largest deviation in height, m, and the largest loss of
// speed, m/s.
func cross(t *testing.T, lay func(s *scene, long bool) BodyID, floor float64, long bool, sh shape.Convex,
	rot r3.Quat, rolls bool, yaw float64) (bump, loss float64) {
	const speed, dt = 1.0, 0.0025
	mu := 0.0
	if rolls {
		mu = 0.8
	}
	s := newScene(t, mu, earth())
	under := lay(s, long)
	turn := r3.AxisAngle(r3.V(0, 0, 1), yaw)
	p := r3.Pose{Pos: r3.V(0, -0.2*math.Copysign(1, yaw), 0), Rot: turn.Mul(rot)}
	if yaw == 0 {
		p.Pos.Y = 0.01
	}
	p.Pos.Z = -sh.Bounds(p).Min.Z
	b := s.body(sh, 1, p, 0)
	tw := r3.Twist{Linear: turn.Rotate(r3.V(speed, 0, 0)).Add(r3.V(floor, 0, 0))}
	if rolls {
		tw.Angular = turn.Rotate(r3.V(0, speed/p.Pos.Z, 0))
	}
	s.check(s.Body(b).SetTwist(tw))
	slowest := speed
	for range int(crossing * (seams + 0.25) / (speed * math.Cos(yaw) * dt)) {
		s.stepChecked(dt, 1)
		v := s.Body(b).Twist().Linear.Sub(s.Body(under).Twist().Linear)
		slowest = min(slowest, v.Dot(turn.Rotate(r3.V(1, 0, 0))))
		bump = max(bump, math.Abs(s.Body(b).Pose().Pos.Z-p.Pos.Z))
	}
	return bump, speed - slowest
}

// TestNothingCatchesOnTwentyInternalEdges: a ball, a wheel and a sliding box cross twenty internal edges.
// They deviate by at most 50 µm and 3 mm/s more than on one long tile.
func TestNothingCatchesOnTwentyInternalEdges(t *testing.T) {
	for _, k := range tileKinds {
		for name, c := range crossers() {
			for _, yaw := range []float64{0, 0.1} {
				flat, slow := cross(t, k.lay, k.speed, true, c.sh, c.rot, c.rolls, yaw)
				bump, loss := cross(t, k.lay, k.speed, false, c.sh, c.rot, c.rolls, yaw)
				t.Logf("%-26s %-6s yaw %-4v bump %.4f mm (one tile %.4f), loses %.3f mm/s (one tile %.3f)",
					k.name, name, yaw, 1e3*bump, 1e3*flat, 1e3*loss, 1e3*slow)
				if bump > flat+5e-5 || loss > slow+3e-3 || flat > 1e-4 || slow > 2e-3 {
					t.Errorf(
						"a %s on %s at a yaw of %v: bumps of %.3f mm, loses %.4f m/s; on one tile %.3f mm, %.4f m/s",
						name, k.name, yaw, 1e3*bump, loss, 1e3*flat, slow)
				}
			}
		}
	}
}

// TestAStepOfAMillimetreIsFelt: every second tile is raised by 1 mm, which is a real edge and must stop a
// box.
//
// A ball or wheel keeps (k + cos α)/(k + 1) of its speed at the edge; cos α = 1 - step/radius, k = 0.4 or
// 0.5: 0.988. It hops, and loses more where it lands and at the next edge.
func TestAStepOfAMillimetreIsFelt(t *testing.T) {
	const step = 1e-3
	kinds := map[string]func(s *scene){
		"boxes": func(s *scene) {
			rowOf(false, func(h r3.Vec, x float64) {
				s.fixed(shape.Box{Half: h},
					at(x, 0, raised(x, step)-h.Z))
			})
		},
		"meshes": func(s *scene) {
			rowOf(false, func(h r3.Vec, x float64) { s.fixed(boxMesh(s, h), at(x, 0, raised(x, step)-h.Z)) })
		},
		"one mesh": func(s *scene) {
			var parts []r3.Pose
			rowOf(false, func(h r3.Vec, x float64) { parts = append(parts, at(x, 0, raised(x, step)-h.Z)) })
			s.fixed(meshOfBoxes(s, r3.V(crossing/2, 0.4, 0.1), parts), r3.IdentityPose())
		},
		"a kinematic body": func(s *scene) {
			b := must[BodyID](s)(s.AddBody(BodyDef{Type: Kinematic}))
			rowOf(false, func(h r3.Vec, x float64) {
				s.geom(b, shape.Box{Half: h},
					at(x, 0, raised(x, step)-h.Z))
			})
		},
	}
	for kind, lay := range kinds {
		for name, c := range crossers() {
			mu := 0.0
			if c.rolls {
				mu = 0.8
			}
			s := newScene(t, mu, earth())
			lay(s)
			p := r3.Pose{Pos: r3.V(0, 0.01, 0), Rot: c.rot}
			p.Pos.Z = -c.sh.Bounds(p).Min.Z
			b := s.body(c.sh, 1, p, 0)
			tw := r3.Twist{Linear: r3.V(1, 0, 0)}
			if c.rolls {
				tw.Angular = r3.V(0, 1/p.Pos.Z, 0)
			}
			s.check(s.Body(b).SetTwist(tw))
			high, far := 0.0, 0.0
			for range 140 {
				s.stepChecked(0.0025, 1)
				q := s.Body(b).Pose().Pos
				high, far = max(high, q.Z-p.Pos.Z), max(far, q.X)
			}
			v := s.Body(b).Twist().Linear.X
			t.Logf("%-18s %-6s goes up by %.3f mm and far %.3f m, keeps %.3f m/s", kind, name, 1e3*high, far,
				v)
			switch {
			case !c.rolls && (far > crossing/2 || v > 0.1):
				t.Errorf("a %s on %s comes to %.3f m at %.3f m/s over a step of %v m", name, kind, far, v,
					step)
			case c.rolls && (high < 0.9*step || high > 3*step || v > 0.98 || v < 0.94):
				t.Errorf("a %s on %s goes up by %.2g m over a step of %v m, and keeps %.3f m/s", name, kind,
					high, step, v)
			}
		}
	}
}

// raised is the height of the tile at x: step for every second tile, else 0.
func raised(x, step float64) float64 {
	if int(math.Round(x/crossing))&1 == 1 {
		return step
	}
	return 0
}

// meshOfBoxes is one mesh of many boxes that share no vertices, as exporters write it.
func meshOfBoxes(s *scene, h r3.Vec, at []r3.Pose) *shape.Mesh {
	var v []r3.Vec
	var tri [][3]int32
	m := boxMesh(s, h)
	for _, p := range at {
		n := int32(len(v))
		for _, x := range m.Vertices() {
			v = append(v, p.Apply(x))
		}
		for _, q := range m.Triangles() {
			tri = append(tri, [3]int32{q[0] + n, q[1] + n, q[2] + n})
		}
	}
	return must[*shape.Mesh](s)(shape.NewMesh(v, tri))
}

// TestABoxSlidesOffATableOfMesh: a box slides over the edge of a closed mesh without losing speed. The
// triangles of the mesh's sides, which face away from it, must not stop it.
func TestABoxSlidesOffATableOfMesh(t *testing.T) {
	for _, speed := range []float64{0.3, 1, 3} {
		s := newScene(t, 0, earth())
		h := r3.V(0.3, 0.4, 0.1)
		s.fixed(boxMesh(s, h), at(0, 0, -h.Z))
		b := s.body(shape.Box{Half: r3.V(0.06, 0.05, 0.04)}, 1, at(0, 0.01, 0.04), 0)
		s.check(s.Body(b).SetTwist(r3.Twist{Linear: r3.V(speed, 0, 0)}))
		slowest := speed
		for s.Steps() < 1000 && s.Body(b).Pose().Pos.Z > -0.1 {
			s.stepChecked(0.0025, 1)
			slowest = min(slowest, s.Body(b).Twist().Linear.X)
		}
		if x := s.Body(b).Pose().Pos.X; x < h.X || slowest < (1-1e-9)*speed {
			t.Errorf("at %v m/s: slowed down to %v m/s, came to x = %.3f m", speed, slowest, x)
		}
	}
}
