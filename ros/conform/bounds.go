package conform

import (
	"math"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
)

func boundsChecks() []Check {
	const section, needs = "Bounds", "get_entity_bounds ENTITY_BOUNDS"
	read := func(p *Probe, name string) simif2.Bounds {
		s := call(p, simif2.GetEntityBoundsService(), &simif2.GetEntityBoundsRequest{Entity: name})
		p.ok("bounds of "+name, "get_entity_bounds", s.Result)
		return s.Bounds
	}
	return []Check{
		{ID: "bounds.unknown", Section: section, In: Anyhow, Needs: needs,
			Says: "an entity that is not there is NOT_FOUND", run: func(p *Probe) {
				s := call(p, simif2.GetEntityBoundsService(),
					&simif2.GetEntityBoundsRequest{Entity: "conform_nobody"})
				p.want("its bounds", "get_entity_bounds", s.Result, notFound)
			}},
		{ID: "bounds.points", Section: section, Needs: needs + " " + canSpawn,
			Says: "bounds have the points that their type wants", run: func(p *Probe) {
				name, _ := p.box()
				b := read(p, name)
				p.that(pointsFit(b), "type %d has %d points", b.Type, len(b.Points))
			}},
		{ID: "bounds.corners", Section: section, Question: "box corners",
			Needs: needs + " ENTITY_BOUNDS_BOX " + canSpawn, Says: "the greater corner of a box comes first",
			run: func(p *Probe) {
				name, _ := p.box()
				b := p.boxOnly(read(p, name))
				p.that(p.over() || b.Points[0].X >= b.Points[1].X && b.Points[0].Y >= b.Points[1].Y &&
					b.Points[0].Z >= b.Points[1].Z,
					"the corners are %+v", b.Points)
			}},
		{ID: "bounds.frame", Section: section, Question: "frame of bounds",
			Needs: needs + " ENTITY_BOUNDS_BOX " + canSpawn + " " + canSet + " " + canGet,
			Says:  "they are in the frame of the entity: they do not turn with it", run: func(p *Probe) {
				p.knownBox()
				name, _ := p.box()
				s := p.stateOf(name)
				half := math.Sqrt(0.5)
				s.Pose.Orientation = geometrymsgs.Quaternion{Z: half, W: half}
				p.ok("turning it", "set_entity_state", p.setState(name, s, "pose", "twist"))
				b := p.boxOnly(read(p, name))
				if p.over() {
					return
				}
				x, y, z := math.Abs(b.Points[0].X), math.Abs(b.Points[0].Y), math.Abs(b.Points[0].Z)
				p.that(math.Abs(x-halfX)+math.Abs(y-halfY)+math.Abs(z-halfZ) < near,
					"a corner of a box of 0.2 × 0.4 × 0.6 m is %+v", b.Points[0])
			}},
	}
}

// boxOnly skips where bounds are no box.
func (p *Probe) boxOnly(b simif2.Bounds) simif2.Bounds {
	if p.over() {
		return b
	}
	if b.Type != simif2.BoundsTypeBox {
		p.skip("the bounds are of type %d, not a box", b.Type)
	}
	p.that(pointsFit(b), "a box of %d points", len(b.Points))
	return b
}

// pointsFit reports whether bounds have as many points as their type wants.
func pointsFit(b simif2.Bounds) bool {
	switch n := len(b.Points); b.Type {
	case simif2.BoundsTypeEmpty:
		return n == 0
	case simif2.BoundsTypeBox, simif2.BoundsTypeSphere:
		return n == 2
	case simif2.BoundsTypeConvexHull:
		return n >= 4
	}
	return false
}
