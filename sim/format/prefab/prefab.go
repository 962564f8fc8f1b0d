// Package prefab reads O3DE's prefabs (JSON): entities with transforms, PhysX bodies, colliders and joints,
// meshes, wheels, and patched nested prefabs. Prefabs are a project's sources; the .spawnable that O3DE's
// asset processor makes of one is a binary product and is not read.
//
// An entity without a body of its own belongs to the nearest one above; without any, to the static
// surroundings. O3DE is z-up, in metres and degrees.
package prefab

import (
	"errors"
	"fmt"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Files is the file access of a prefab.
type Files interface {
	// Product finds the source of an asset by its product path in O3DE's asset processor. The path is
	// relative to a folder of assets above the document at from, in any letter case.
	Product(path string, from asset.Ref) (asset.Ref, error)
	// Read is the text of a file, and what messages call it.
	Read(ref asset.Ref) (name string, data []byte, err error)
	// MeshAt reads a mesh.
	MeshAt(ref asset.Ref) (*mesh.Mesh, error)
}

// Bounds of what prefabs inside prefabs may grow to.
const (
	maxEntities  = 100_000
	maxInstances = 5_000
	maxNested    = 32
)

// reader flattens a prefab with those inside it.
type reader struct {
	files     Files
	file      string // the outermost, for messages
	entities  []*entity
	byID      map[string]*entity
	instances int
	notes     scene.Notes
	said      map[string]bool
	spec      *scene.ModelSpec
	ground    int // link of the static surroundings; -1: none yet
}

// entity of a prefab, with its place in the outermost one.
type entity struct {
	id, name string
	doc      asset.Ref
	parent   *entity
	above    string // id of the parent
	parts    []component
	local    r3.Pose
	scale    r3.Vec // of its own shapes
	grow     float64
	pose     r3.Pose
	state    byte // 0: pose is not known, 1: it is being found, 2: known
	link     int  // that is its own; -1: none
}

// component is one of an entity, out of its wrapper.
type component struct {
	kind string
	*value
}

// Is reports whether text looks like a prefab.
func Is(data []byte) bool {
	head := string(data[:min(len(data), 4096)])
	return strings.HasPrefix(strings.TrimSpace(head), "{") &&
		(strings.Contains(head, `"ContainerEntity"`) || strings.Contains(head, `"Entities"`))
}

// Prefab is the content of a prefab.
type Prefab struct {
	Model *scene.ModelSpec // all its bodies and shapes as one model; nil: it has none
	Poses []scene.NamedPose
	// Surrounded tells that some of its shapes belong to no body: they are a place, or part of one.
	Surrounded bool
	// Name is that of its container, and Notes are those of Model, for one without a model too.
	Name  string
	Notes scene.Notes
}

// Model reads a prefab as one model. Errors wrap scene.ErrParse.
func Model(name string, ref asset.Ref, data []byte, files Files) (*scene.ModelSpec, error) {
	p, err := Read(name, ref, data, files)
	if err != nil {
		return nil, err
	}
	if p.Model == nil {
		return nil, p.Empty(name)
	}
	return p.Model, nil
}

// Empty is the error of a prefab in which nothing can be simulated. It wraps scene.ErrParse.
func (p *Prefab) Empty(file string) error {
	why := ""
	if len(p.Notes) > 0 {
		why = " (" + p.Notes[0].Text + ")"
	}
	return fmt.Errorf("%w: %s: prefab %q has neither a body nor a shape that can be had: nothing to simulate%s",
		scene.ErrParse, file, p.Name, why)
}

// Read reads a prefab. Errors wrap scene.ErrParse.
func Read(name string, ref asset.Ref, data []byte, files Files) (*Prefab, error) {
	r := &reader{files: files, file: name, byID: map[string]*entity{}, said: map[string]bool{}, ground: -1}
	tree, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	if tree.get("ContainerEntity") == nil {
		return nil, fmt.Errorf("%w: %s:1:1: no ContainerEntity: this is no prefab of O3DE", scene.ErrParse,
			name)
	}
	if err := r.collect(tree, ref, "", []asset.Ref{ref}); err != nil {
		return nil, err
	}
	if err := r.place(); err != nil {
		return nil, err
	}
	p := &Prefab{Name: tree.str("ContainerEntity", "Name")}
	if p.Name == "" {
		p.Name = "prefab"
	}
	r.spec = &scene.ModelSpec{Name: p.Name, Format: "prefab", Frame: r3.IdentityPose(),
		Placement: r3.IdentityPose()}
	r.build()
	p.Poses = r.poses()
	r.spec.Info.Tags = r.rootTags()
	r.spec.Notes, p.Notes = r.notes, r.notes
	p.Surrounded = r.ground >= 0 && len(r.spec.Links[r.ground].Collisions) > 0
	if len(r.spec.Links) > 0 {
		p.Model = r.spec
	}
	return p, nil
}

// Glance is the content of a prefab at first sight, without those inside it.
type Glance struct {
	Level bool // it has named poses or spawn points, as a place does
	Solid bool // it has bodies, shapes, or prefabs that may have some
	Tags  []string
}

// Glimpse looks into a prefab; one that cannot be read says nothing.
func Glimpse(data []byte) Glance {
	r := &reader{byID: map[string]*entity{}, said: map[string]bool{}}
	tree, err := parse("", data)
	if err != nil {
		return Glance{}
	}
	inside := tree.get("Instances")
	tree.drop("Instances")
	if r.collect(tree, asset.Ref{}, "", nil) != nil {
		return Glance{}
	}
	g := Glance{Tags: r.rootTags(), Solid: inside != nil && len(inside.kids) > 0}
	for _, e := range r.entities {
		for _, kinds := range [][]string{poseKinds, spawnPointKinds, spawnerKinds} {
			_, place := e.part(kinds...)
			g.Level = g.Level || place
		}
		_, body := e.part(bodyKinds...)
		_, solid := e.part(shapeKinds...)
		g.Solid = g.Solid || body || solid
	}
	return g
}

// note says something once.
func (r *reader) note(kind scene.NoteKind, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !r.said[text] && len(r.said) < 1000 {
		r.said[text] = true
		r.notes = append(r.notes, scene.Note{Kind: kind, File: r.file, Text: text})
	}
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", scene.ErrParse, r.file, fmt.Sprintf(format, args...))
}

// collect takes the entities of a document, and of the instances in it, under names that begin with prefix.
func (r *reader) collect(tree *value, ref asset.Ref, prefix string, parents []asset.Ref) error {
	if err := r.entity(tree.get("ContainerEntity"), ref, prefix, "ContainerEntity"); err != nil {
		return err
	}
	if all := tree.get("Entities"); all != nil {
		for i, key := range all.keys {
			if err := r.entity(all.kids[i], ref, prefix, key); err != nil {
				return err
			}
		}
	}
	inside := tree.get("Instances")
	if inside == nil {
		return nil
	}
	for i, key := range inside.keys {
		if r.instances++; r.instances > maxInstances {
			return r.errorf("more than %d prefabs inside prefabs", maxInstances)
		}
		if err := r.instance(inside.kids[i], ref, prefix+key+"/", parents); err != nil {
			return err
		}
	}
	return nil
}

// instance reads a prefab inside a prefab. One that cannot be had is noted and left out.
func (r *reader) instance(v *value, ref asset.Ref, prefix string, parents []asset.Ref) error {
	of := v.str("Source")
	at, err := r.files.Product(of, ref)
	if err != nil {
		r.note(scene.Missing, "prefab %s: %v; left out", of, err)
		return nil
	}
	if len(parents) > maxNested {
		return r.errorf("prefabs inside prefabs deeper than %d", maxNested)
	}
	for _, p := range parents {
		if p == at {
			return r.errorf("prefab %s %v", of, source.ErrCircle)
		}
	}
	name, data, err := r.files.Read(at)
	if err != nil {
		r.note(scene.Missing, "prefab %s: %v; left out", of, err)
		return nil
	}
	tree, err := parse(name, data)
	if err != nil || tree.get("ContainerEntity") == nil {
		r.note(scene.Unreadable, "prefab %s: %v; left out", of, errors.Join(err, errors.New("no prefab")))
		return nil
	}
	if patches := v.get("Patches"); patches != nil {
		for _, op := range patches.kids {
			if err := tree.patch(op); err != nil {
				r.note(scene.Suspicious, "prefab %s: a patch is not applied: %v", of, err)
			}
		}
	}
	return r.collect(tree, at, prefix, append(parents[:len(parents):len(parents)], at))
}

func (r *reader) entity(v *value, ref asset.Ref, prefix, key string) error {
	if v == nil {
		return nil
	}
	if len(r.entities) >= maxEntities {
		return r.errorf("more than %d entities", maxEntities)
	}
	e := &entity{id: prefix + key, name: v.str("Name"), doc: ref, local: r3.IdentityPose(),
		scale: r3.V(1, 1, 1), grow: 1, link: -1}
	if all := v.get("Components"); all != nil {
		for _, k := range all.kids {
			if inner := k.get("m_template"); inner != nil {
				k = inner
			}
			kind := k.str("$type")
			kind = kind[strings.LastIndexByte(kind, ' ')+1:]
			e.parts = append(e.parts, component{kind, k})
		}
	}
	for _, c := range e.parts {
		switch c.kind {
		case "TransformComponent":
			e.above = above(prefix, key, c.str("Parent Entity"))
			turn := c.vec(r3.Vec{}, "Transform Data", "Rotate")
			e.local = r3.Pose{Pos: c.vec(r3.Vec{}, "Transform Data", "Translate"), Rot: euler(turn)}
			e.grow = c.number(1, "Transform Data", "UniformScale")
			if s := c.get("Transform Data", "Scale"); s != nil { // before uniform scales
				e.grow = c.vec(r3.V(1, 1, 1), "Transform Data", "Scale").X
			}
		case "EditorNonUniformScaleComponent":
			e.scale = c.vec(r3.V(1, 1, 1), "NonUniformScale")
		}
	}
	if r.byID[e.id] != nil {
		return r.errorf("two entities %s", e.id)
	}
	r.byID[e.id] = e
	r.entities = append(r.entities, e)
	return nil
}

// euler is a rotation by three angles in degrees, as O3DE writes them: about z, then y, then x.
func euler(deg r3.Vec) r3.Quat {
	rad := deg.Scale(degree)
	return r3.AxisAngle(r3.V(1, 0, 0),
		rad.X).Mul(r3.AxisAngle(r3.V(0, 1, 0), rad.Y)).Mul(r3.AxisAngle(r3.V(0, 0, 1), rad.Z))
}

// above is the id that a reference means, written in the document whose names begin with prefix: "../" leads
// to the document around it. An entity without a parent belongs to the container, and a document's container
// to that around it.
func above(prefix, key, text string) string {
	for strings.HasPrefix(text, "../") {
		text = text[3:]
		prefix = prefix[:strings.LastIndexByte(strings.TrimSuffix(prefix, "/"), '/')+1]
	}
	switch {
	case text != "":
		return prefix + text
	case key != "ContainerEntity":
		return prefix + "ContainerEntity"
	case prefix != "":
		return prefix[:strings.LastIndexByte(strings.TrimSuffix(prefix, "/"), '/')+1] + "ContainerEntity"
	}
	return ""
}

// place finds the pose of every entity in the outermost prefab.
func (r *reader) place() error {
	for _, e := range r.entities {
		var chain []*entity
		for at := e; at != nil && at.state < 2; at = at.parent {
			if at.state == 1 {
				return r.errorf("entity %q stands within itself", e.name)
			}
			at.state, at.parent = 1, r.byID[at.above]
			chain = append(chain, at)
			if len(chain) > maxEntities {
				return r.errorf("entity %q stands within itself", e.name)
			}
		}
		for i := len(chain) - 1; i >= 0; i-- {
			at := chain[i]
			at.state, at.pose = 2, at.local
			if p := at.parent; p != nil {
				at.pose = r3.Pose{Pos: p.pose.Apply(at.local.Pos.Scale(p.grow)),
					Rot: p.pose.Rot.Mul(at.local.Rot)}
				at.grow *= p.grow
			}
			if q, ok := at.pose.Unit(); ok && q.Pos.MaxAbs() < 1e7 && at.grow > 1e-6 && at.grow < 1e6 {
				at.pose = q
				continue
			}
			return r.errorf("entity %q stands at %v, with a scale of %g", at.name, at.pose.Pos, at.grow)
		}
	}
	return nil
}
