package prefab

import (
	"math"
	"slices"
	"strings"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Bounds of what an entity says of itself.
const (
	maxTags        = 64  // of an entity
	maxTag         = 255 // bytes of one
	maxHullCorners = 64  // of the bounds of a named pose
)

// poseKinds are the components that make an entity a named pose, of the editor and of the game.
var poseKinds = []string{"NamedPoseEditorComponent", "NamedPoseComponent"}

// Components of the deprecated spawner of O3DE: the points where it spawns, and itself.
var (
	spawnPointKinds = []string{"ROS2SpawnPointEditorComponent", "ROS2SpawnPointComponent"}
	spawnerKinds    = []string{"ROS2SpawnerEditorComponent", "ROS2SpawnerComponent"}
)

// Names of a spawner's own spawn point, and of the tag of all of them.
const (
	defaultPoint  = "default"
	spawnPointTag = "spawn_point"
)

// poses are the entities that are named poses or spawn points, in the order of the document, after the
// default point of a spawner. Each gets a name of its own: O3DE does not hold that names are unique.
func (r *reader) poses() []scene.NamedPose {
	var out []scene.NamedPose
	taken := source.Names{}
	add := func(p scene.NamedPose, names ...string) {
		asked := ""
		for _, name := range append(names, "pose") {
			if asked == "" {
				asked = name
			}
		}
		if p.Name = taken.Take(asked); p.Name != asked {
			r.note(scene.Suspicious, "two named poses are called %q; the later one is called %q", asked, p.Name)
		}
		out = append(out, p)
	}
	for _, e := range r.entities {
		if c, ok := e.part(spawnerKinds...); ok {
			add(scene.NamedPose{Pose: c.spawnPose(), Description: "the default spawn pose of the spawner",
				Tags: []string{spawnPointTag}}, defaultPoint)
		}
	}
	for _, e := range r.entities {
		if c, ok := e.part(poseKinds...); ok {
			add(scene.NamedPose{Pose: e.pose, Description: c.str("NamedPoseConfig", "description"),
				Tags:   r.tags(e, e.tagLists(c.get("NamedPoseConfig", "tags"))...),
				Bounds: r.poseBounds(e)}, e.name, c.str("NamedPoseConfig", "name"))
		}
		if c, ok := e.part(spawnPointKinds...); ok {
			add(scene.NamedPose{Pose: e.pose, Description: c.str("Controller", "Configuration", "Info"),
				Tags: append(r.tags(e, e.tagLists()...), spawnPointTag)},
				c.str("Controller", "Configuration", "Name"), e.name)
		}
	}
	return out
}

// spawnPose is the place of entities that a spawner spawns at no point of their own, in the world.
func (c component) spawnPose() r3.Pose {
	p := r3.IdentityPose()
	at := c.get("Controller", "Configuration", "Default spawn pose")
	p.Pos = at.vec(r3.Vec{}, "Translation")
	q := at.numbers([]float64{0, 0, 0, 1}, "Rotation")
	p.Rot = r3.Quat{X: q[0], Y: q[1], Z: q[2], W: q[3]}
	if unit, ok := p.Unit(); ok && unit.Pos.MaxAbs() < 1e7 {
		return unit
	}
	return r3.IdentityPose()
}

// tagLists are the lists of an entity's tag components, before more.
func (e *entity) tagLists(more ...*value) []*value {
	var lists []*value
	for _, c := range e.parts {
		if c.kind == "EditorTagComponent" || c.kind == "TagComponent" {
			lists = append(lists, c.get("Tags"))
		}
	}
	return append(lists, more...)
}

// tags are those of lists, each once.
func (r *reader) tags(e *entity, lists ...*value) []string {
	var out []string
	for _, list := range lists {
		if list == nil || list.kind != '[' {
			continue
		}
		for _, tag := range list.kids {
			switch {
			case tag.kind != 's':
				r.note(scene.Unreadable,
					"entity %q: a tag that is no text (O3DE keeps a checksum of it in products); left out", e.name)
			case tag.text == "" || slices.Contains(out, tag.text):
			case len(tag.text) > maxTag || len(out) == maxTags:
				r.note(scene.Suspicious, "entity %q: more than %d tags, or one of more than %d bytes; left out",
					e.name, maxTags, maxTag)
			default:
				out = append(out, tag.text)
			}
		}
	}
	return out
}

// rootTags are the tags of the model: those of the outermost prefab's container, and of its first body, which
// O3DE takes for the entity.
func (r *reader) rootTags() []string {
	if len(r.entities) == 0 {
		return nil
	}
	lists := r.entities[0].tagLists()
	for _, e := range r.entities {
		if _, ok := e.part(bodyKinds...); ok {
			if e != r.entities[0] {
				lists = append(lists, e.tagLists()...)
			}
			break
		}
		if strings.Contains(e.id, "/") { // of a prefab inside
			break
		}
	}
	return r.tags(r.entities[0], lists...)
}

// poseBounds is the region about a named pose: that of its shape component, else of its collider, as O3DE's
// own implementation takes it.
func (r *reader) poseBounds(e *entity) scene.Bounds {
	var found []scene.Bounds
	for _, c := range e.parts {
		if strings.HasSuffix(c.kind, "ShapeComponent") {
			if b, ok := r.shapeBounds(e, c); ok {
				found = append(found, b)
			}
		}
	}
	if len(found) == 0 {
		for _, c := range e.parts {
			if c.kind != "EditorColliderComponent" && c.kind != "EditorMeshColliderComponent" {
				continue
			}
			if g, ok := r.collider(e, c); ok {
				if b, ok := r.geomBounds(e, &g); ok {
					found = append(found, b)
				}
			}
		}
	}
	if len(found) == 0 {
		return scene.Bounds{}
	}
	if len(found) > 1 {
		r.note(scene.Unsupported, "named pose %q: %d shapes about it; its bounds are those of the first", e.name,
			len(found))
	}
	return found[0]
}

// shapeBounds reads a shape component of LmbrCentral, in the frame of its entity.
func (r *reader) shapeBounds(e *entity, c component) (scene.Bounds, bool) {
	kind := strings.TrimSuffix(strings.TrimPrefix(c.kind, "Editor"), "Component")
	s := c.get(kind, "Configuration")
	if s == nil {
		s = c.get("Configuration")
	}
	stretch := e.scale.Scale(e.grow)
	at := s.vec(r3.Vec{}, "TranslationOffset").Mul(stretch)
	switch kind {
	case "BoxShape":
		return r.boxBounds(e, at, s.vec(r3.V(1, 1, 1), "Dimensions").Mul(stretch))
	case "SphereShape":
		return r.sphereBounds(e, at, s.number(0.5, "Radius")*e.grow)
	case "PolygonPrismShape":
		return r.prismBounds(e, s.get("PolygonPrism"), stretch)
	}
	r.note(scene.Unsupported, "named pose %q: bounds by %s; boxes, spheres and convex shapes are known", e.name,
		c.kind)
	return scene.Bounds{}, false
}

func (r *reader) boxBounds(e *entity, at, size r3.Vec) (scene.Bounds, bool) {
	half := r3.V(math.Abs(size.X), math.Abs(size.Y), math.Abs(size.Z)).Scale(0.5)
	if min(half.X, half.Y, half.Z) <= 0 {
		return r.flat(e)
	}
	return scene.Bounds{Kind: scene.BoxBounds, Points: []r3.Vec{at.Add(half), at.Sub(half)}}, true
}

func (r *reader) sphereBounds(e *entity, at r3.Vec, radius float64) (scene.Bounds, bool) {
	if radius <= 0 {
		return r.flat(e)
	}
	return scene.Bounds{Kind: scene.SphereBounds, Points: []r3.Vec{at, {X: radius}}}, true
}

func (r *reader) flat(e *entity) (scene.Bounds, bool) {
	r.note(scene.Suspicious, "named pose %q: its bounds have no volume; left out", e.name)
	return scene.Bounds{}, false
}

// prismBounds is the hull of a polygon that stands upright.
func (r *reader) prismBounds(e *entity, p *value, stretch r3.Vec) (scene.Bounds, bool) {
	height := p.number(1, "Height")
	var points []r3.Vec
	if list := p.get("VertexContainer", "Vertices"); list != nil && list.kind == '[' {
		for _, v := range list.kids {
			at := v.numbers([]float64{0, 0})
			for _, z := range []float64{0, height} {
				points = append(points, r3.V(at[0], at[1], z).Mul(stretch))
			}
		}
	}
	return r.hullBounds(e, points)
}

func (r *reader) hullBounds(e *entity, points []r3.Vec) (scene.Bounds, bool) {
	h, err := shape.ConvexHull(points, maxHullCorners)
	if err != nil {
		r.note(scene.Suspicious, "named pose %q: its bounds: %v; left out", e.name, err)
		return scene.Bounds{}, false
	}
	return scene.Bounds{Kind: scene.HullBounds, Points: slices.Clone(h.Vertices())}, true
}

// geomBounds is the region of a collider in the frame of its entity.
func (r *reader) geomBounds(e *entity, g *scene.Geom) (scene.Bounds, bool) {
	switch g.Kind {
	case scene.Sphere:
		return r.sphereBounds(e, g.Pose.Pos, g.Radius)
	case scene.Box:
		if g.Pose.Rot == r3.Identity() {
			return r.boxBounds(e, g.Pose.Pos, g.Size)
		}
		var corners []r3.Vec
		for i := range 8 {
			side := func(bit int) float64 { return float64(i>>bit&1) - 0.5 }
			corners = append(corners, g.Pose.Apply(r3.V(side(0), side(1), side(2)).Mul(g.Size)))
		}
		return r.hullBounds(e, corners)
	case scene.MeshGeom:
		var points []r3.Vec
		for _, v := range g.Mesh.Scaled(g.Scale) {
			points = append(points, g.Pose.Apply(v))
		}
		return r.hullBounds(e, points)
	}
	r.note(scene.Unsupported, "named pose %q: bounds by a capsule or cylinder; boxes, spheres and convex shapes are known",
		e.name)
	return scene.Bounds{}, false
}
