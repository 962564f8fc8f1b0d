package control

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
	"simdeck/sim/vehicle"
)

// Actor is the state of an actor: see scene.Actor.
type Actor struct {
	spec   *scene.Actor
	name   string  // of the entity, for errors
	at     float64 // m along its lane, or s of its trajectory
	speed  float64 // m/s along its lane
	wanted float64 // m/s, while it moves
	moving bool
}

// newActor is an actor that begins.
func newActor(name string, a *scene.Actor) Actor {
	if a == nil {
		return Actor{}
	}
	k := Actor{spec: a, name: name, at: a.Start, wanted: a.Speed, moving: !a.Held}
	if a.Follow != nil {
		k.wanted = a.Follow.V0
	}
	if k.moving && a.Lane != nil {
		k.speed = a.Speed
	}
	return k
}

// Actor is the actor that it moves; nil: it moves none.
func (c *Controller) Actor() *Actor {
	if c.actor.spec == nil {
		return nil
	}
	return &c.actor
}

// Spec is the description of the actor.
func (k *Actor) Spec() *scene.Actor { return k.spec }

// Restarts reports whether the actor may be at the beginning of its lane again within a time: where it cannot
// brake before its end.
func (k *Actor) Restarts(dt float64) bool {
	a := k.spec
	return a.Lane != nil && !a.Lane.Closed && a.AtEnd == scene.RestartAtEnd &&
		k.at+float64(k.speed*(dt+k.speed/(2*a.Brake))) >= a.Lane.Length()
}

// Place is the place of the actor along its lane, m, and its speed there, m/s.
func (k *Actor) Place() (at, speed float64) { return k.at, k.speed }

// Set tells the actor to go or to stand, and how fast.
func (k *Actor) Set(o sim.SetActor) error {
	switch {
	case o.Speed == nil:
	case k.spec.Lane == nil:
		return fmt.Errorf("%w: %s keeps the times of its trajectory: it has no speed to be set",
			sim.ErrUnsupported, k.name)
	case !(*o.Speed >= 0 && *o.Speed <= MaxActorSpeed):
		return fmt.Errorf("%w: a speed of %v m/s for %s; 0 to %v is possible", sim.ErrFailed, *o.Speed, k.name,
			MaxActorSpeed)
	}
	if o.Speed != nil {
		k.wanted = *o.Speed
	}
	if o.Moving != nil {
		k.moving = *o.Moving
	}
	return nil
}

// MaxActorSpeed bounds the speed of an actor, m/s.
const MaxActorSpeed = 200.0

// Road is the road of an actor, as it is before a step.
type Road struct {
	Ahead vehicle.Lead
	Full  bool // the beginning of its lane is taken: it cannot restart there
}

// PlayActor moves the actor for the step to come. Where the entity stands elsewhere than its file has it, its
// lane or trajectory lies there with it.
func (c *Controller) PlayActor(p Dynamics, start r3.Pose, road Road, clock Clock) {
	to := c.actor.next(road, clock.dt())
	if place := c.model.Spec.Placement; start != place {
		to = start.Mul(place.Inverse()).Mul(to)
	}
	c.carry(p, to, maxTrackingJump+float64(c.actor.speed*clock.dt()), clock.dt())
}

// next moves the actor on by a time, and returns its pose then.
func (k *Actor) next(road Road, dt float64) r3.Pose {
	a := k.spec
	if a.Lane == nil {
		if k.moving {
			k.at += dt
		}
		return a.Trajectory.At(k.at)
	}
	k.drive(road, dt)
	return a.Lane.Pose(k.at, a.Base)
}

// drive takes the actor along its lane for a time.
func (k *Actor) drive(road Road, dt float64) {
	a, wanted := k.spec, k.wanted
	if !k.moving {
		wanted = 0
	}
	left := math.Inf(1) // until it has to stand
	if !a.Lane.Closed && (a.AtEnd == scene.StopAtEnd || road.Full) {
		left = max(0, a.Lane.Length()-k.at)
		wanted = min(wanted, math.Sqrt(float64(2*a.Brake*left)))
	}
	accel := max(-a.Brake, min(a.Accel, (wanted-k.speed)/dt))
	if a.Follow != nil {
		driver := *a.Follow
		if driver.V0 = k.wanted; !k.moving {
			driver.V0 = 0
		}
		limit := accel // of what is not the driver's: the end of the lane
		if accel = vehicle.FollowAccel(&driver, k.speed, road.Ahead); k.speed > wanted {
			accel = min(accel, limit)
		}
	}
	var way float64
	way, k.speed = vehicle.Advance(k.speed, accel, dt)
	if k.at += min(way, left); way >= left {
		k.speed = 0
	}
	length := a.Lane.Length()
	switch {
	case a.Lane.Closed:
		k.at = a.Lane.Wrap(k.at)
	case k.at >= length && a.AtEnd == scene.RestartAtEnd && !road.Full:
		k.at = math.Mod(k.at, length)
	}
}

// State is the state of the actor for a snapshot; nil: it is none.
func (k *Actor) State() *sim.ActorState {
	if k == nil {
		return nil
	}
	s := &sim.ActorState{Moving: k.moving, At: k.at, Speed: k.speed, Wanted: k.wanted,
		Follows: k.spec.Follow != nil}
	if k.spec.Lane != nil {
		s.Lane = k.spec.Lane.Name
	}
	return s
}

// CodeState visits all that the actor remembers.
func (k *Actor) CodeState(v statecodec.Visitor) {
	if k != nil {
		v.Floats(&k.at, &k.speed, &k.wanted)
		v.Flag(&k.moving)
	}
}
