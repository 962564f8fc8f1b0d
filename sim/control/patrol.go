package control

import (
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
)

// Constants of patrols.
const (
	patrolReach     = 0.25 // m: a waypoint is reached within this distance
	patrolLookahead = 0.5  // m, least: the distance of the point ahead that curvature aims at
	patrolTurn      = 1.0  // rad/s, on the spot
	patrolAligned   = 0.8  // cosine of the largest heading error, 37°, with which it drives ahead
)

// patrol is the progress of a drive along its waypoints. The zero value has none.
type patrol struct {
	spec    *scene.Patrol // nil: none
	next    uint64        // index of the waypoint that it heads for
	yielded bool          // somebody has commanded the drive
}

// steer is the velocity command that leads a base towards the next waypoint, in the base frame: pure pursuit
// of a point ahead on the line of sight, and turning on the spot while the heading is far off. A base that
// lies on its front or its back stands still.
func (k *patrol) steer(base r3.Pose) r3.Twist {
	points := k.spec.Points
	to := points[k.next%uint64(len(points))].Sub(base.Pos)
	if float64(to.X*to.X)+float64(to.Y*to.Y) < patrolReach*patrolReach {
		k.next = (k.next + 1) % uint64(len(points))
		to = points[k.next].Sub(base.Pos)
	}
	ahead := base.Rot.Rotate(r3.V(1, 0, 0))
	long := math.Sqrt(float64(ahead.X*ahead.X) + float64(ahead.Y*ahead.Y))
	distance := math.Sqrt(float64(to.X*to.X) + float64(to.Y*to.Y))
	if !(long > 0.1 && distance > 0) {
		return r3.Twist{}
	}
	scale := long * distance
	along := (float64(ahead.X*to.X) + float64(ahead.Y*to.Y)) / scale  // cosine of the heading error
	across := (float64(ahead.X*to.Y) - float64(ahead.Y*to.X)) / scale // its sine
	speed, turn := boundSpeed(k.spec.Speed), patrolTurn
	if along < patrolAligned {
		if speed = 0; across < 0 {
			turn = -turn
		}
	} else {
		turn = float64(2*speed*across) / max(patrolLookahead, speed)
	}
	return r3.Twist{Linear: r3.V(speed, 0, 0), Angular: r3.V(0, 0, turn)}
}

// hash takes in the progress of a patrol.
func (k *patrol) hash(d *statecodec.Digest) {
	if k.spec != nil {
		d.Word(k.next)
		d.Word(map[bool]uint64{true: 1}[k.yielded])
	}
}

// code visits the progress of a patrol.
func (k *patrol) code(v statecodec.Visitor) {
	if k.spec != nil {
		v(&k.next)
		v.Flag(&k.yielded)
	}
}

// Patrol is the progress of the drive that has waypoints; zero: there is none.
func (c *Controller) Patrol() sim.Patrol {
	for i := range c.drives {
		d := &c.drives[i]
		if k := &d.patrol; k.spec != nil {
			n := len(k.spec.Points)
			return sim.Patrol{Point: int(k.next%uint64(n)) + 1, Of: n, Yielded: k.yielded || d.idle}
		}
	}
	return sim.Patrol{}
}
