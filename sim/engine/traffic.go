package engine

import (
	"fmt"
	"math"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/vehicle"
)

// Of what followers look at.
const (
	corridorMargin = 0.2 // m on each side of a follower: what is nearer to its way is in it
	lookahead      = 50  // m that a follower looks at least
	reaction       = 6   // s of its way that it looks besides
)

// setActor tells an actor what to do.
func (s *entitySet) setActor(c sim.SetActor) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	if a := e.control.Actor(); a != nil {
		return a.Set(c)
	}
	return fmt.Errorf("%w: %s is no actor: nothing of traffic moves it", sim.ErrUnsupported, c.Name)
}

// setSignal switches a signal.
func (s *entitySet) setSignal(c sim.SetSignal) error {
	e, err := s.find(c.Name)
	if err != nil {
		return err
	}
	if k := e.control.Signal(); k != nil {
		return k.Set(c)
	}
	return fmt.Errorf("%w: %s is no traffic signal", sim.ErrUnsupported, c.Name)
}

// playTraffic moves actors and switches signals for the step to come, and reports whether a signal shows
// something else then. All followers look before any of them moves, so that their order decides nothing.
func (s *entitySet) playTraffic(p *dynamics.World, clock control.Clock) (changed bool) {
	if len(s.traffic) == 0 {
		return false
	}
	s.roads, s.movers = s.roads[:0], s.movers[:0]
	for _, e := range s.traffic {
		road := control.Road{Ahead: vehicle.Free()}
		if a := e.control.Actor(); a != nil && e.fault == nil {
			if a.Spec().Follow != nil {
				road.Ahead = s.lead(e, p)
			}
			road.Full = a.Restarts(clock.StepSize.Seconds()) && s.beginTaken(e, p)
		}
		s.roads = append(s.roads, road)
	}
	for i, e := range s.traffic {
		if e.control.Actor() != nil && e.fault == nil {
			e.control.PlayActor(p, e.initialPose, s.roads[i], clock)
		}
		if k := e.control.Signal(); k != nil && k.Advance(clock) {
			changed = true
		}
	}
	return changed
}

// lead is the nearest thing ahead of a follower on its lane: an entity that can move, or a signal that is not
// green.
func (s *entitySet) lead(e *entity, p *dynamics.World) vehicle.Lead {
	a := e.control.Actor().Spec()
	at, speed := e.control.Actor().Place()
	reach := lookahead + float64(speed*reaction)
	lead := vehicle.Free()
	s.eachAhead(e, p, at, reach, func(near vehicle.Lead) {
		lead = vehicle.Nearer(a.Follow, speed, lead, near)
	})
	for _, o := range s.traffic {
		signal := o.control.Signal()
		if mayPass(signal.Aspect()) {
			continue
		}
		for _, stop := range signal.Spec().Stops {
			if stop.Lane != a.Lane.Name {
				continue
			}
			gap := a.Lane.Wrap(stop.At-at) - e.model.Bounds.Max.X
			hurried := signal.Aspect() == scene.YellowLamp && speed*speed > 2*a.Follow.B*gap
			if gap >= 0 && gap <= reach && !hurried {
				lead = vehicle.Nearer(a.Follow, speed, lead, vehicle.Lead{Gap: gap})
			}
		}
	}
	return lead
}

// beginTaken reports whether something stands where an actor would be at the beginning of its lane.
func (s *entitySet) beginTaken(e *entity, p *dynamics.World) (taken bool) {
	room := e.model.Bounds.Size().X
	s.eachAhead(e, p, 0, 2*room, func(near vehicle.Lead) { taken = taken || near.Gap < room })
	return taken
}

// eachAhead calls f for each entity in the way of an actor that can move. It looks from a place on the
// actor's lane, up to a reach.
func (s *entitySet) eachAhead(e *entity, p *dynamics.World, at, reach float64, f func(vehicle.Lead)) {
	shift := r3.IdentityPose() // from the lane into the world, which the entity may stand in elsewhere
	if place := e.model.Spec.Placement; place != e.initialPose {
		shift = e.initialPose.Mul(place.Inverse())
	}
	corridor := e.control.Actor().Spec().Lane.Corridor(at, reach).Moved(shift)
	margin := max(e.model.Bounds.Max.Y, -e.model.Bounds.Min.Y) + corridorMargin + e.model.Bounds.Max.Z
	inLane := shift.Inverse()
	for i := range s.findMovers(p) {
		m := &s.movers[i]
		if m.entity == e || !corridor.Grow(margin+float64(2*m.half.Len())).Holds(m.centre) {
			continue
		}
		if near, ok := m.ahead(e, p, at, reach, inLane); ok {
			f(near)
		}
	}
}

// mover is an entity that can move, as it stands before a step.
type mover struct {
	entity *entity
	pose   r3.Pose // of its canonical link
	centre r3.Vec  // of its bounds, in the world
	half   r3.Vec  // half their edges
}

// findMovers are the entities that can move. They are found once a step.
func (s *entitySet) findMovers(p *dynamics.World) []mover {
	if len(s.movers) > 0 {
		return s.movers
	}
	for _, e := range s.list {
		if e.static() || e.fault != nil || e.model.Bounds.IsEmpty() {
			continue
		}
		pose := e.linkPose(p, e.model.Spec.Canonical)
		s.movers = append(s.movers, mover{e, pose, pose.Apply(e.model.Bounds.Centre()),
			e.model.Bounds.Half()})
	}
	return s.movers
}

// mayPass reports whether a signal lets traffic pass: one that is off does.
func mayPass(a scene.Aspect) bool { return a == 0 || a == scene.GreenLamp }

// ahead is the entity as a follower at a distance along its lane has it ahead; false: it is not in its way.
func (m *mover) ahead(e *entity, p *dynamics.World, at, reach float64, inLane r3.Pose) (vehicle.Lead, bool) {
	half, own := m.half, e.model.Bounds
	n, ok := e.control.Actor().Spec().Lane.Locate(inLane.Apply(m.centre), at, reach+half.Len())
	if !ok {
		return vehicle.Lead{}, false
	}
	turn := inLane.Rot.Mul(m.pose.Rot)
	tangent := turn.Conj().Rotate(n.Tangent)
	left := turn.Conj().Rotate(r3.V(-n.Tangent.Y, n.Tangent.X, 0))
	up := turn.Conj().Rotate(r3.V(0, 0, 1))
	width := max(own.Max.Y, -own.Min.Y) + corridorMargin
	if math.Abs(n.Across) > width+extent(half, left) ||
		n.Up-extent(half, up) > own.Max.Z || n.Up+extent(half, up) < own.Min.Z {
		return vehicle.Lead{}, false
	}
	v := inLane.Rot.Rotate(m.entity.linkTwist(p, m.entity.model.Spec.Canonical).Linear)
	return vehicle.Lead{Gap: n.Along - own.Max.X - extent(half, tangent), Speed: v.Dot(n.Tangent)}, true
}

// extent is the reach of a box of those half edges from its middle in a direction, which is given in its own
// axes.
func extent(half, direction r3.Vec) float64 {
	return float64(half.X*math.Abs(direction.X)) + float64(half.Y*math.Abs(direction.Y)) +
		float64(half.Z*math.Abs(direction.Z))
}
