package simif

import (
	"simdeck/ros/geometry"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/simif2"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// The 2.x line of simulation_interfaces (2.0, 2.1): values.

func result2(err error, own []code) simif2.Result {
	r := simif2.Result{Result: codeOf(err, own)}
	if err != nil {
		r.ErrorMessage = err.Error()
	}
	return r
}

func resource2(r simif2.Resource) scene.Resource {
	return scene.Resource{URI: r.URI, Document: r.ResourceString}
}

func world2(w scene.WorldInfo) simif2.WorldResource {
	return simif2.WorldResource{Name: w.Name, WorldResource: simif2.Resource{URI: w.URI},
		Description: w.Description, Tags: w.Tags}
}

// filter2 is a filter of entities; a region of kind 0 is everywhere.
func filter2(f simif2.EntityFilters) (sim.Filter, error) {
	g := sim.Filter{Name: f.Filter, Tags: f.Tags.Tags, TagsAll: all2(f.Tags)}
	for _, c := range f.Categories {
		g.Categories = append(g.Categories, scene.Category(c.Category))
	}
	if f.Bounds.Type == simif2.BoundsTypeEmpty {
		return g, nil
	}
	b := scene.Bounds{Kind: scene.BoundsKind(f.Bounds.Type)}
	for _, p := range f.Bounds.Points {
		b.Points = append(b.Points, geometry.VecOf(p))
	}
	b, err := boundsPoints(b)
	g.Region = &b
	return g, err
}

func all2(t simif2.TagsFilter) bool { return t.FilterMode == simif2.TagsFilterModeAll }

func rosBounds2(b scene.Bounds) simif2.Bounds {
	m := simif2.Bounds{Type: uint8(b.Kind)}
	for _, p := range b.Points {
		m.Points = append(m.Points, geometry.Vector3(p))
	}
	return m
}

// rosState2 is a state in the world frame at the time of its picture.
func rosState2(snap *sim.Snapshot, s sim.EntityState) simif2.EntityState {
	m := simif2.EntityState{Pose: geometry.Pose(s.Pose)}
	m.Header.Stamp, m.Header.FrameID = node.SimTime(snap.Time), "world"
	m.Twist.Linear, m.Twist.Angular = geometry.Vector3(s.Twist.Linear), geometry.Vector3(s.Twist.Angular)
	m.Acceleration.Linear, m.Acceleration.Angular = geometry.Vector3(s.Accel.Linear),
		geometry.Vector3(s.Accel.Angular)
	return m
}

// command2 is the part of a state that a request sets.
func command2(q *simif2.SetEntityStateRequest) sim.SetEntityState {
	c := sim.SetEntityState{Name: q.Entity, Frame: q.State.Header.FrameID}
	if q.SetPose {
		p := geometry.PoseOf(q.State.Pose)
		c.Pose = &p
	}
	if q.SetTwist {
		c.Twist = new(geometry.TwistOf(q.State.Twist))
	}
	if q.SetAcceleration {
		c.Accel = new(geometry.TwistOf(geometrymsgs.Twist(q.State.Acceleration)))
	}
	return c
}
