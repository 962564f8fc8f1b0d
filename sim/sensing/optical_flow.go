package sensing

import (
	"time"

	"simdeck/sim"
	"simdeck/sim/model"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
)

// flowIntegral is the optical flow since a sensor's last sample. It is state: a sample depends on all steps
// of its period, whether somebody looked at them or not.
type flowIntegral struct {
	right, down float64       // rad, by which the middle of the picture has moved
	turn        r3.Vec        // rad, about the axes up, right and ahead of the picture
	seen, all   time.Duration // with something in view; of all steps
}

// add integrates over the step that has ended. A step moves bodies by their velocities after it, so that sums
// of these are the ways gone.
func (f *flowIntegral) add(w World, e *Sensors, s *model.Sensor, step time.Duration) {
	f.all += step
	own := e.bodies[e.model.Placements[s.Link].Body]
	frame := e.linkPose(w, s.Link).Mul(s.Spec.Pose.Upright())
	ray := r3.Ray{Origin: frame.Pos, Dir: frame.Rot.Rotate(r3.V(1, 0, 0))}
	hit, ok := w.Dynamics().Queries().CastRayExcept(ray, s.Spec.Flow.Far, 0, own)
	if !ok || hit.Distance < s.Spec.Flow.Near {
		return
	}
	f.seen += step
	dt, body := step.Seconds(), w.Dynamics().Body(own)
	turn := frame.Rot.RotateBack(body.Twist().Angular)
	past := w.Dynamics().Body(hit.Body).VelocityAt(hit.Point).Sub(body.VelocityAt(frame.Pos))
	past = frame.Rot.RotateBack(past).Scale(1 / hit.Distance)
	f.right += float64((turn.Z - past.Y) * dt)
	f.down -= float64((turn.Y + past.Z) * dt)
	f.turn = f.turn.AddScaled(dt, r3.V(turn.Z, -turn.Y, turn.X))
}

// hash takes in the integral.
func (f *flowIntegral) hash(d *statecodec.Digest) {
	d.Float(f.right)
	d.Float(f.down)
	d.Twist(r3.Twist{Angular: f.turn})
	d.Word(uint64(f.seen))
	d.Word(uint64(f.all))
}

// codeState visits the integral.
func (f *flowIntegral) codeState(v statecodec.Visitor) {
	v.Floats(&f.right, &f.down, &f.turn.X, &f.turn.Y, &f.turn.Z)
	v.Duration(&f.seen)
	v.Duration(&f.all)
}

// hasFlow reports that a sensor has a flowIntegral.
func (e *Sensors) hasFlow(i int) bool { return e.model.Sensors[i].Spec.Kind == scene.OpticalFlow }

// mostQuality is the quality of a flow with something in view all the time.
const mostQuality = 255

// opticalFlow is the flow over the period that has ended.
func opticalFlow(s *scene.Sensor, m *state) *sim.OpticalFlow {
	f := &m.flown
	out := sim.OpticalFlow{Spec: &s.Flow, Time: f.seen}
	if f.seen > 0 {
		out.X, out.Y = m.channels[0].Report(f.right, m.seq), m.channels[1].Report(f.down, m.seq)
		out.Turn, out.Quality = f.turn, uint8(mostQuality*f.seen/f.all)
	}
	return reading(m, out)
}
