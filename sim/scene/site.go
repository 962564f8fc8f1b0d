package scene

import "simdeck/sim/r3"

// Site holds a world bundle's data on its recorded place, and on the vehicle that drives there.
type Site struct {
	ID        string    // of the recorded scene
	System    string    // of coordinates, as the file names it
	Bundle    string    // the address of the bundle
	Version   string    // of its format
	Source    string    // name of the recording that it was made from
	Extent    r3.Vec    // m; zero: not said
	Corner    r3.Vec    // m, in the world frame: of the height map, with the smallest x and y
	Drivable  []Polygon // outside of all of them is off-road; none: everywhere is road
	Lanes     []*Lane   // that actors follow
	Ego       string    // name of the vehicle's entity
	StartTime float64   // s: of the clock
	Velocity  r3.Twist  // of the vehicle at the start, in its own frame: m/s, rad/s
	Gaussians *Splats   // surroundings in camera pictures; nil: none
}

// Polygon is an area of the ground: its outline and the holes in it, as corners in order, in metres in the
// world frame.
type Polygon struct{ Rings [][]r3.Vec }

// Holds reports that a point lies inside the outline and in no hole; z does not count. Points on the edge may
// be counted either way.
func (p *Polygon) Holds(at r3.Vec) bool {
	inside := false
	for _, ring := range p.Rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if (a.Y > at.Y) != (b.Y > at.Y) && at.X < a.X+(at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
				inside = !inside
			}
		}
	}
	return inside
}

// OnRoad reports that a point lies in a drivable polygon, or that the site has none.
func (s *Site) OnRoad(at r3.Vec) bool {
	for i := range s.Drivable {
		if s.Drivable[i].Holds(at) {
			return true
		}
	}
	return len(s.Drivable) == 0
}
