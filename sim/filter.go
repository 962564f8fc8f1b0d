package sim

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Filter chooses entities or named poses. All fields that are set must match; the zero value matches
// everything.
type Filter struct {
	Name       string           // POSIX extended regular expression, found anywhere in the name
	Categories []scene.Category // any of them
	Tags       []string         // any of them; see TagSpawned
	TagsAll    bool             // all of Tags instead of any
	Region     *scene.Bounds    // in the world frame; the collision geometry overlaps it, or touches it
}

// Tags that an entity has by where it comes from, for filters alone: its Info does not list them. Nobody can
// give them or take them away; every entity has one of the two.
const (
	TagSpawned = "simdeck:spawned" // put into the world by a command
	TagWorld   = "simdeck:world"   // brought by the world
)

// maxPattern is the greatest length of a regular expression, in bytes.
const maxPattern = 4096

// Match is the entities of a snapshot that the filter chooses: indices into
// Model.Entities, in the order of names. An expression or a region that means
// nothing is ErrFailed, and the error says where it is wrong.
func (f Filter) Match(s *Snapshot) ([]int, error) {
	test, err := f.compile()
	if err != nil {
		return nil, err
	}
	out := []int{}
	for i := range s.Model.Entities {
		e := &s.Model.Entities[i]
		origin := TagWorld
		if e.Spawned {
			origin = TagSpawned
		}
		if !test.chooses(e.Name, e.Info.Tags, origin) {
			continue
		}
		if len(f.Categories) > 0 && !slices.Contains(f.Categories, e.Info.Category) {
			continue
		}
		if test.region != nil && !s.overlaps(i, test.region) {
			continue
		}
		out = append(out, i)
	}
	return out, nil
}

// MatchPoses is the named poses that the filter chooses: indices into
// Model.NamedPoses, in the order of the world. Categories do not apply; a
// region holds the position.
func (f Filter) MatchPoses(s *Snapshot) ([]int, error) {
	test, err := f.compile()
	if err != nil {
		return nil, err
	}
	out := []int{}
	for i := range s.Model.NamedPoses {
		p := &s.Model.NamedPoses[i]
		if !test.chooses(p.Name, p.Tags, "") {
			continue
		}
		point := r3.Pose{Pos: p.Pose.Pos, Rot: r3.Identity()}
		if test.region != nil && !shape.Overlap(test.region.shape, test.region.pose,
			shape.Sphere{Radius: pointRadius}, point) {
			continue
		}
		out = append(out, i)
	}
	return out, nil
}

// pointRadius makes a point a shape.
const pointRadius = 1e-6

// matcher is a filter ready to be asked.
type matcher struct {
	name   *regexp.Regexp
	tags   []string
	all    bool
	region *region
}

func (f Filter) compile() (matcher, error) {
	m := matcher{tags: f.Tags, all: f.TagsAll}
	if f.Name != "" {
		re, err := compileName(f.Name)
		if err != nil {
			return m, err
		}
		m.name = re
	}
	if f.Region != nil && f.Region.Kind != scene.NoBounds {
		r, err := newRegion(*f.Region)
		if err != nil {
			return m, err
		}
		m.region = r
	}
	return m, nil
}

// compileName reads a POSIX extended regular expression.
func compileName(expr string) (*regexp.Regexp, error) {
	if len(expr) > maxPattern {
		return nil, fmt.Errorf("%w: name filter of %d bytes; at most %d are read", ErrFailed, len(expr),
			maxPattern)
	}
	re, err := regexp.CompilePOSIX(expr)
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		at := max(0, strings.Index(expr, wrong.Expr))
		return nil, fmt.Errorf("%w: name filter %q: %s at position %d: %q; want a POSIX extended regular expression",
			ErrFailed, expr, wrong.Code, at+1, wrong.Expr)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: name filter %q: %w", ErrFailed, expr, err)
	}
	return re, nil
}

// chooses reports whether name and tags match; origin is TagSpawned, TagWorld or, for poses, empty.
func (m *matcher) chooses(name string, tags []string, origin string) bool {
	if m.name != nil && !m.name.MatchString(name) {
		return false
	}
	if len(m.tags) == 0 {
		return true
	}
	has := func(tag string) bool {
		if tag == TagSpawned || tag == TagWorld {
			return tag == origin
		}
		return slices.Contains(tags, tag)
	}
	if m.all {
		return !slices.ContainsFunc(m.tags, func(tag string) bool { return !has(tag) })
	}
	return slices.ContainsFunc(m.tags, has)
}

// overlaps reports whether the collision geometry of entity i reaches into a
// region.
func (s *Snapshot) overlaps(i int, r *region) bool {
	found := false
	s.eachShape(i, func(pose r3.Pose, sh shape.Shape) bool {
		if sh.Kind() != shape.KindPlane && !sh.Bounds(pose).Overlaps(r.box) {
			return true
		}
		found = shape.Overlap(r.shape, r.pose, sh, pose)
		return !found
	})
	return found
}

// eachShape calls f with every collision shape of entity i and its pose in the world, until f returns false.
// Shapes that cannot exist are left out. Without a compiled model meshes are surfaces, not convex parts.
func (s *Snapshot) eachShape(i int, f func(pose r3.Pose, sh shape.Shape) bool) {
	e := &s.Model.Entities[i]
	links := s.LinksOf(i)
	if links == nil {
		return
	}
	if e.Compiled != nil {
		e.Compiled.EachCollision(func(link int, pose r3.Pose, sh shape.Shape) bool {
			return f(links[link].Pose.Mul(pose), sh)
		})
		return
	}
	for k := range e.Spec.Links {
		for g := range e.Spec.Links[k].Collisions {
			sh, pose, err := e.Spec.Links[k].Collisions[g].Solid()
			if err == nil && !f(links[k].Pose.Mul(pose), sh) {
				return
			}
		}
	}
}
