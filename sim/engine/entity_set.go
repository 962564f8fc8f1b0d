package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/sim"
	"simdeck/sim/control"
	"simdeck/sim/dynamics"
	"simdeck/sim/medium"
	"simdeck/sim/model"
	"simdeck/sim/scene"
	"simdeck/sim/sensing"
)

// entitySet holds the entities of a world and finds them by name and by body. After each change its caller
// calls changed, as World.onStructureChanged does.
//
// TestEveryFieldOfTheWorldHasAKind lists its fields as state or cache.
type entitySet struct {
	// State.
	list     []*entity    // ordered by name
	attached []attachment // joints made at run time; never changed in place
	groups   int32        // collision groups given so far
	lastID   uint64       // of entities and trajectories

	// Cache.
	medium  *medium.Medium // of the loaded world
	active  []*entity      // those with drives, sensors, mimics: what a step looks after
	traffic []*entity      // actors and signals among them
	lamps   int            // of all of them
	roads   []control.Road // scratch
	movers  []mover        // scratch, of a step
	owner   []int32        // body slot → index into list, -1: none; see owners
	// of collision shapes that were asked for, since owner was made
	labels   map[dynamics.GeomID]string
	indexed  bool               // owner and labels are of list as it is
	contacts []dynamics.Contact // scratch
}

// insert puts an entity's bodies at its start and adds it to the set; when that fails nothing of it is left.
// The seed is that of sensor noise.
func (s *entitySet) insert(e *entity, p *dynamics.World, seed uint64, c *clock) error {
	s.groups++
	e.floats = floating(s.medium, e.name, e.model)
	e.blown = s.medium.Push() > 0
	e.rock(s.medium)
	if err := e.addBodies(p, s.groups, seed, c); err != nil {
		e.removeBodies(p)
		return fmt.Errorf("%w: entity %q: %w", sim.ErrFailed, e.name, err)
	}
	at, _ := s.lookup(e.name)
	s.list = slices.Insert(s.list, at, e)
	return nil
}

// remove takes an entity and its bodies away.
func (s *entitySet) remove(e *entity, p *dynamics.World) {
	e.removeBodies(p)
	s.forget(e)
	s.list = slices.DeleteFunc(s.list, func(o *entity) bool { return o == e })
}

// removeSpawned takes away what the loaded world did not bring, and reports whether there was anything.
func (s *entitySet) removeSpawned(p *dynamics.World) (removed bool) {
	for _, e := range slices.Clone(s.list) {
		if e.spawned {
			s.remove(e, p)
			removed = true
		}
	}
	return removed
}

// clear forgets all entities, whose bodies went with their physics. Numbers once given are not given again.
func (s *entitySet) clear(m *medium.Medium) { *s = entitySet{lastID: s.lastID, medium: m} }

// changed notes that entities came or went, or what one of them is.
func (s *entitySet) changed() {
	s.indexed = false
	s.rebuildActive()
}

// rebuildActive lists the entities that a step looks after.
func (s *entitySet) rebuildActive() {
	s.active, s.traffic, s.lamps = s.active[:0], s.traffic[:0], 0
	for _, e := range s.list {
		s.lamps += len(e.model.Spec.Lamps())
		if e.control.Active() || e.sensors.Len() > 0 || e.hasWrench || e.model.Spec.Script != nil ||
			e.isImmersed() {
			s.active = append(s.active, e)
		}
		if e.control.Actor() != nil || e.control.Signal() != nil {
			s.traffic = append(s.traffic, e)
		}
	}
}

// newID is a number that no entity or trajectory had.
func (s *entitySet) newID() uint64 {
	s.lastID++
	return s.lastID
}

// lookup finds an entity by name: its index, or where it would stand.
func (s *entitySet) lookup(name string) (int, bool) {
	return slices.BinarySearchFunc(s.list, name,
		func(e *entity, name string) int { return strings.Compare(e.name, name) })
}

// find is lookup with the error to answer.
func (s *entitySet) find(name string) (*entity, error) {
	if i, ok := s.lookup(name); ok {
		return s.list[i], nil
	}
	return nil, fmt.Errorf("%w: no entity is named %q%s", sim.ErrNotFound, name, s.suggest(name))
}

// suggest suggests the entity whose name is most like the one asked for.
func (s *entitySet) suggest(name string) string {
	names := make([]string, len(s.list))
	for i, e := range s.list {
		names[i] = e.name
	}
	return scene.DidYouMean(name, names)
}

// chooseName is the name that an entity gets.
func (s *entitySet) chooseName(c sim.Spawn, m loadedModel) (string, error) {
	name := c.Name
	if name == "" && c.AllowRenaming {
		var spec *scene.ModelSpec
		if m.model != nil {
			spec = m.model.Spec
		}
		name = sim.ResourceName(spec, c.Resource)
	}
	if err := sim.CheckName(name); err != nil {
		return "", err
	}
	taken := func(n string) bool {
		_, ok := s.lookup(n)
		return ok
	}
	if !taken(name) {
		return name, nil
	}
	if !c.AllowRenaming {
		return "", fmt.Errorf("%w: %q is in use; %q is free", sim.ErrNameTaken, name, sim.FreeName(name, taken))
	}
	return sim.FreeName(name, taken), nil
}

// owners says which entity each body belongs to: body slot → index into list, -1: none.
func (s *entitySet) owners() []int32 {
	if s.indexed {
		return s.owner
	}
	s.indexed = true
	s.owner = s.owner[:0]
	if s.labels == nil {
		s.labels = map[dynamics.GeomID]string{}
	}
	clear(s.labels)
	for i, e := range s.list {
		for _, id := range e.bodies {
			for len(s.owner) <= id.Index() {
				s.owner = append(s.owner, -1)
			}
			s.owner[id.Index()] = int32(i)
		}
	}
	return s.owner
}

// collisionName is the name of a collision shape of a body: ENTITY::LINK::COLLISION; empty: the body is
// nobody's.
func (s *entitySet) collisionName(p *dynamics.World, body dynamics.BodyID, geom dynamics.GeomID) string {
	at := s.owners()[body.Index()]
	if at < 0 {
		return ""
	}
	if name, known := s.labels[geom]; known {
		return name
	}
	e, user := s.list[at], p.Geom(geom).User()
	l := &e.model.Spec.Links[model.GeomLink(user)]
	name := e.name + "::" + l.Name + "::" + l.Collisions[model.GeomCollision(user)].Name
	s.labels[geom] = name
	return name
}

// actuate does what comes before a step: drives, followers, pushes.
func (s *entitySet) actuate(p *dynamics.World, clock control.Clock) {
	for _, e := range s.active {
		e.control.Actuate(p, clock, s.medium)
		if e.model.Spec.Script != nil && e.fault == nil {
			e.control.PlayScript(p, e.initialPose, clock)
		}
		if e.hasWrench {
			e.applyWrench(p)
		}
		e.immerse(p, s.medium, clock.Now.Seconds(), clock.StepSize.Seconds())
	}
}

// restart sets all sensors and odometry to a clock that was set from another time.
func (s *entitySet) restart(from time.Duration, c *clock) {
	for _, e := range s.list {
		e.restart(from, c)
	}
}

// watched reports whether somebody looks at a sensor.
func (s *entitySet) watched(p *sensing.Pipeline) bool {
	return slices.ContainsFunc(s.list, func(e *entity) bool { return p.Watched(&e.sensors) })
}

// copyTo copies the entities into the memory of a checkpoint.
func (s *entitySet) copyTo(dst []entity) []entity {
	dst = slices.Grow(dst[:0], len(s.list))[:len(s.list)]
	for i, e := range s.list {
		dst[i].copyFrom(e)
	}
	return dst
}

// copyFrom brings the entities of a checkpoint back, which stays as it is.
func (s *entitySet) copyFrom(src []entity) {
	all := make([]entity, len(src))
	s.list = make([]*entity, len(all))
	for i := range all {
		all[i].copyFrom(&src[i])
		s.list[i] = &all[i]
	}
}
