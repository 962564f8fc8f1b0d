package dynamics

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// TestAnArmThatStartsInTheGroundComesOutSlowly: its first link starts in the ground around its hinge. Some
// contacts have almost no lever there, and some act the other way. Without regularization one step turned the
// link by 1000 rad.
func TestAnArmThatStartsInTheGroundComesOutSlowly(t *testing.T) {
	along := r3.PoseRPY(0.15, 0, 0, 0, math.Pi/2, 0)
	for _, h := range []float64{-0.02, -0.005, 0, 1e-6, 0.003, 0.02, 0.06} {
		for _, dt := range []float64{0.001, 0.004, 1.0 / 60} {
			s := newScene(t, 0.6, earth())
			s.ground()
			upper := must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Pose: at(0, 0, h),
				COM: r3.V(0.15, 0, 0), Mass: 1, Inertia: r3.Diag(r3.V(0.001, 0.01, 0.01))}))
			s.geom(upper, shape.Capsule{Radius: 0.03, Half: 0.15}, along)
			lower := must[BodyID](t)(s.AddBody(BodyDef{Type: Dynamic, Pose: at(0.3, 0, h),
				COM: r3.V(0.1, 0.05, 0), Mass: 2, Inertia: r3.Diag(r3.V(0.001, 0.007, 0.007))}))
			s.geom(lower, shape.Box{Half: r3.V(0.1, 0.02, 0.03)}, at(0.1, 0.05, 0))
			shoulder := must[JointID](t)(s.AddJoint(JointDef{Type: Revolute, Child: upper,
				ParentFrame: at(0, 0, h), Axis: r3.V(0, 1, 0)}))
			elbow := must[JointID](t)(s.AddJoint(JointDef{Type: Revolute, Parent: upper, Child: lower,
				ParentFrame: at(0.3, 0, 0), Axis: r3.V(0, 0, 1)}))
			s.check(s.Articulate([]JointID{shoulder, elbow}))
			last, fastest := 0.0, 0.0
			for range int(2 / dt) {
				s.stepChecked(dt, 1)
				p := s.Joint(shoulder).State().Position
				fastest, last = max(fastest, math.Abs(p-last)/dt), p
			}
			// At the end it lies on the ground, except around the hinge.
			low := s.Body(lower).Pose().Apply(r3.V(0.1, 0.05, -0.03)).Z
			if fastest > 10 || math.Abs(s.Joint(elbow).State().Position) > 0.5 || low < -0.005 || low > 0.06 {
				t.Errorf(
					"%v m above the ground, %v s: it turned at up to %.3g rad/s, the elbow stands at %.3g rad and its box %.3g m up",
					h, dt, fastest, s.Joint(elbow).State().Position, low)
			}
		}
	}
}
