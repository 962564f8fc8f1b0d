package model

import (
	"slices"

	"simdeck/sim/dynamics"
	"simdeck/sim/scene"
	"simdeck/sim/sensor"
)

// sensorBudget is the rays and pixels that the sensors of one model have left.
type sensorBudget struct{ rays, pixels int }

// compileSensor prepares a sensor. It notes one that the engine cannot run.
func (c *compiler) compileSensor(link int, s *scene.Sensor, budget *sensorBudget) Sensor {
	d := Sensor{Link: link, Spec: s}
	var err error
	switch s.Kind {
	case scene.Lidar:
		if budget.rays <= 0 {
			c.note(scene.Unsupported, "sensor %q is not run: those before it have more than %d rays", s.Name,
				sensor.MaxRays)
			return d
		}
		if d.Lidar, err = sensor.NewLidar(&s.Lidar); err == nil {
			budget.rays -= d.Lidar.Rays()
		}
	case scene.Camera, scene.DepthCamera, scene.RGBDCamera:
		if budget.pixels <= 0 {
			c.note(scene.Unsupported, "sensor %q is not run: the pictures of those before it are too large",
				s.Name)
			return d
		}
		if d.Camera, err = sensor.NewCamera(s.Kind, &s.Camera); err == nil {
			budget.pixels -= d.Camera.Pixels()
		}
	case scene.ForceTorque:
		if d.Loads = c.sensorLoads(s); d.Loads == nil {
			c.note(scene.Unsupported, "sensor %q is not run: it stands in no joint, in one of a loop, or in a model that never moves",
				s.Name)
			return d
		}
	case scene.Contact:
		d.Listens = c.listenedGeoms(link, s)
	case scene.Sonar:
		d.Rays = sensor.Cone(s.Sonar.HalfAngle)
	case scene.IMU, scene.GPS, scene.Magnetometer, scene.AirPressure, scene.Altimeter, scene.AirSpeed,
		scene.DVL, scene.OpticalFlow:
	default:
		c.note(scene.Unsupported, "sensor %q is not run: its kind is not known", s.Name)
		return d
	}
	if err != nil {
		c.note(scene.Suspicious, "sensor %q is not run: %v", s.Name, err)
		return d
	}
	d.Enabled = true
	return d
}

// listenedGeoms returns the collision shapes that a contact sensor listens to, by dynamics.GeomDef.User in
// ascending order: all of its link, or the named ones, of its link or else of the links that are fixed to it.
// It notes names that no shape has.
func (c *compiler) listenedGeoms(link int, s *scene.Sensor) []int {
	var out []int
	if len(s.Contact.Collisions) == 0 {
		for i := range c.Spec.Links[link].Collisions {
			out = append(out, geomUser(link, i))
		}
		return out
	}
	if c.collisions == nil {
		c.indexCollisions()
	}
	for _, name := range s.Contact.Collisions {
		named := c.collisions[bodyCollision{c.Placements[link].Body, name}]
		if of := func(user int) bool { return GeomLink(user) == link }; slices.ContainsFunc(named, of) {
			named = slices.DeleteFunc(slices.Clone(named), func(user int) bool { return !of(user) })
		}
		if len(named) == 0 {
			own := make([]string, len(c.Spec.Links[link].Collisions))
			for i := range own {
				own[i] = c.Spec.Links[link].Collisions[i].Name
			}
			c.note(scene.Suspicious, "contact sensor %q: link %q has no collision %q%s; nothing is felt for it",
				s.Name, c.Spec.Links[link].Name, name, scene.DidYouMean(name, own))
		}
		out = append(out, named...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// bodyCollision is the name of a collision shape of a body.
type bodyCollision struct {
	body int
	name string
}

// indexCollisions lists collision shapes by their names, by dynamics.GeomDef.User.
func (c *compiler) indexCollisions() {
	c.collisions = map[bodyCollision][]int{}
	for i := range c.Spec.Links {
		for k := range c.Spec.Links[i].Collisions {
			at := bodyCollision{c.Placements[i].Body, c.Spec.Links[i].Collisions[k].Name}
			c.collisions[at] = append(c.collisions[at], geomUser(i, k))
		}
	}
}

// sensorLoads are the links on the child's side of a force-torque sensor's joint; nil for a joint in a loop
// or to the world.
func (c *compiler) sensorLoads(s *scene.Sensor) []Load {
	if !s.Force.Set || c.Static || s.Force.Joint < 0 || s.Force.Joint >= len(c.Spec.Joints) {
		return nil
	}
	reached := []int{c.Spec.Joints[s.Force.Joint].Child}
	for at := 0; at < len(reached); at++ {
		for i := range c.Spec.Joints {
			j := &c.Spec.Joints[i]
			if i == s.Force.Joint || j.Child != reached[at] && j.Parent != reached[at] {
				continue
			}
			next := j.Child + j.Parent - reached[at]
			if next == scene.World {
				return nil
			}
			if !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	if slices.Contains(reached, c.Spec.Joints[s.Force.Joint].Parent) {
		return nil
	}
	out := make([]Load, 0, len(reached))
	for _, link := range reached {
		at := c.Placements[link]
		b := Load{Link: link, Body: at.Body}
		switch whole := &c.Bodies[at.Body]; {
		case whole.Type != dynamics.Dynamic:
			return nil
		case whole.Root == link && c.isOnlyLink(link):
			b.Mass = whole.Mass // with what the compiler inferred
		default:
			b.Mass = c.linkMasses[link].Moved(at.Pose)
		}
		out = append(out, b)
	}
	return out
}

// isOnlyLink reports whether a body is made of one link only.
func (c *compiler) isOnlyLink(link int) bool {
	for i := range c.Placements {
		if i != link && c.Placements[i].Body == c.Placements[link].Body {
			return false
		}
	}
	return true
}

// ListensTo reports whether a contact sensor listens to a collision shape, by its dynamics.GeomDef.User.
func (s *Sensor) ListensTo(user int) bool {
	_, listens := slices.BinarySearch(s.Listens, user)
	return listens
}
