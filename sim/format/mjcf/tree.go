package mjcf

import (
	"fmt"
	"strconv"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// context is the position of an element in the tree.
type context struct {
	body           int     // that it belongs to
	frame          r3.Pose // of the frames around it, in that body
	given          *class  // of its body
	prefix, suffix string  // of names: of an attached model, of a replica
	depth          int
}

// maxDepth bounds bodies, frames and replicas inside each other, also by attaching.
const maxDepth = 512

// inside reads the children of a worldbody, body, frame or replicate.
func (r *reader) inside(e elem, c context) error {
	if c.depth++; c.depth > maxDepth {
		return e.errorf("bodies, frames and replicas inside each other deeper than %d", maxDepth)
	}
	return r.doc.parts(e, func(k elem) error { return r.child(k, c) })
}

func (r *reader) child(k elem, c context) error {
	switch k.Name {
	case "body":
		return r.body(k, c)
	case "frame":
		return r.frame(k, c)
	case "replicate":
		return r.replicate(k, c)
	case "attach":
		return r.attach(k, c)
	case "joint", "freejoint":
		return r.joint(k, c)
	case "inertial":
		return r.inertial(k, c)
	case "geom":
		return r.geom(k, c)
	case "site":
		return r.site(k, c)
	case "camera":
		return r.camera(k, c)
	case "light":
		return r.light(k, c)
	case "composite", "flexcomp", "plugin":
		k.note(scene.Unsupported, "<%s> is not run", k.Name)
		if k.Name != "plugin" {
			r.out.made, r.out.soft = k.Name, true
		}
		return nil
	}
	unknown(k, "body")
	return nil
}

func (r *reader) body(e elem, c context) error {
	b := r.out
	if err := e.doc.Link(e.Node); err != nil {
		return err
	}
	a := attrs{e}
	pose, err := r.set.pose(a)
	if err != nil {
		return err
	}
	given, err := r.classes.classOf(e, "childclass", c.given)
	if err != nil {
		return err
	}
	index := len(b.bodies)
	n := &body{parent: c.body, pose: c.frame.Mul(pose), elem: e}
	n.at = b.bodies[c.body].at.Mul(n.pose)
	if !source.Reachable(n.at) {
		return e.errorf("the poses down to this body add up to %v; want at most %g m", n.at.Pos,
			source.MostDistance)
	}
	if n.mocap, err = a.truth("mocap", false); err != nil {
		return err
	}
	if n.mocap && c.body != 0 {
		return e.errorf("a body with mocap=\"true\" hangs on another; only those of the world can be moved so")
	}
	if n.weight, err = a.number("gravcomp", 0); err != nil {
		return err
	}
	if n.name, err = b.register("body", e, c, index); err != nil {
		return err
	}
	if n.name == "" {
		n.name = "body_" + strconv.Itoa(index)
	}
	b.bodies = append(b.bodies, n)
	return r.inside(e, context{body: index, frame: r3.IdentityPose(), given: given, prefix: c.prefix,
		suffix: c.suffix, depth: c.depth})
}

func (r *reader) frame(e elem, c context) error {
	pose, err := r.set.pose(attrs{e})
	if err != nil {
		return err
	}
	if c.given, err = r.classes.classOf(e, "childclass", c.given); err != nil {
		return err
	}
	c.frame = c.frame.Mul(pose)
	return r.inside(e, c)
}

// maxCopies bounds what one <replicate> makes.
const maxCopies = 100_000

// replicate reads its children again and again, each time turned and moved on; names get the number of the
// copy.
func (r *reader) replicate(e elem, c context) error {
	a := attrs{e}
	count, err := a.whole("count", 0)
	if err != nil {
		return err
	}
	if count < 0 || count > maxCopies {
		return e.errorf("%d copies; 0 to %d are made", count, maxCopies)
	}
	offset, euler := r3.Vec{}, r3.Vec{}
	if offset, err = a.vec("offset", offset); err != nil {
		return err
	}
	if euler, err = a.vec("euler", euler); err != nil {
		return err
	}
	if c.given, err = r.classes.classOf(e, "childclass", c.given); err != nil {
		return err
	}
	at, digits := r3.Vec{}, len(strconv.Itoa(count))
	for i := range count {
		if err := e.doc.Part(e.Node); err != nil {
			return err
		}
		copied := c
		turn := r.set.euler(euler.Scale(float64(i)))
		copied.frame = c.frame.Mul(r3.Pose{Pos: at, Rot: turn})
		copied.suffix = fmt.Sprintf("%s%0*d", e.Get("sep"), digits, i) + c.suffix
		if err := r.inside(e, copied); err != nil {
			return err
		}
		at = at.Add(turn.Rotate(offset))
	}
	return nil
}

// attach puts a body of another model here, with what speaks of it.
func (r *reader) attach(e elem, c context) error {
	if r.models[e.Get("model")] == nil && c.depth > maxIncludes {
		return e.errorf("models attached to each other deeper than %d", maxIncludes)
	}
	other := r // a model's own parts
	if e.Get("model") != "" {
		var err error
		if other, err = r.modelNamed(e.Get("model")); err != nil {
			return err
		}
	} else if e.Get("body")+e.Get("frame") == "" {
		return e.errorf("<attach> without a model, and without a body or frame of this one")
	}
	if other == nil {
		return e.errorf("<attach>: there is no <model name=%q> among the assets", clip(e.Get("model")))
	}
	c.prefix += e.Get("prefix")
	before := len(r.out.bodies)
	if err := other.attachModel(e, c); err != nil {
		return err
	}
	if len(r.out.bodies) > before {
		r.out.attachments = append(r.out.attachments, attachment{other, c})
	}
	return nil
}

// unnamedModel is the name of a model of which the file has none, in MuJoCo.
const unnamedModel = "MuJoCo Model"

// modelNamed is the reader of a model among the assets; nil: there is none of that name.
func (r *reader) modelNamed(name string) (*reader, error) {
	if other := r.models[name]; other != nil {
		return other, nil
	}
	if at, ok := r.assets.models[name]; ok {
		other, _, err := r.openModel(at)
		r.models[name] = other
		return other, err
	}
	for len(r.assets.unnamed) > 0 {
		at := r.assets.unnamed[0]
		r.assets.unnamed = r.assets.unnamed[1:]
		other, own, err := r.openModel(at)
		if err != nil {
			return nil, err
		}
		if _, taken := r.assets.models[own]; taken || r.models[own] != nil {
			return nil, at.errorf("a second model %q: so it is called in its file", clip(own))
		}
		r.models[own] = other
		if own == name {
			return other, nil
		}
	}
	return nil, nil
}

// openModel opens the file of a model and prepares its reader. name is the model's in that file.
func (r *reader) openModel(at elem) (other *reader, name string, err error) {
	root, err := r.doc.include(at, Root)
	if err != nil {
		return nil, "", err
	}
	if name = root.Get("model"); name == "" {
		name = unnamedModel
	}
	other = newReader(r.out, root.doc)
	if err := other.prepare(); err != nil {
		return nil, "", err
	}
	return other, name, nil
}

// attachModel reads the body or frame that an <attach> names, or all that the model's world holds.
func (r *reader) attachModel(e elem, c context) error {
	kind, want := "body", e.Get("body")
	if f := e.Get("frame"); f != "" {
		if want != "" {
			return e.errorf("<attach> with body %q and frame %q; want one of them", clip(want), clip(f))
		}
		kind, want = "frame", f
	}
	c.given, c.depth = nil, c.depth+1
	for _, s := range r.doc.sections {
		if s.Name != "worldbody" {
			continue
		}
		if want == "" || kind == "body" && want == "world" {
			if err := r.inside(s, c); err != nil {
				return err
			}
			continue
		}
		found, err := r.seek(s, kind, want, context{frame: r3.IdentityPose()})
		if err != nil {
			return err
		}
		if found != nil {
			// It comes as it is, with its own pose, but stands in the frame of the <attach>.
			c.given = found.c.given
			return r.child(found.e, c)
		}
	}
	if want == "" || kind == "body" && want == "world" {
		return nil
	}
	return e.errorf("<attach>: model %q has no %s %q", clip(e.Get("model")), kind, clip(want))
}

// place is a body or frame of a file and the class that is given to it there.
type place struct {
	e elem
	c context
}

// seek finds a body or a frame by name.
func (r *reader) seek(e elem, kind, name string, c context) (*place, error) {
	if c.depth++; c.depth > maxDepth {
		return nil, e.errorf("bodies and frames inside each other deeper than %d", maxDepth)
	}
	kids, err := r.doc.kids(e)
	if err != nil {
		return nil, err
	}
	for _, k := range kids {
		if k.Name != "body" && k.Name != "frame" {
			continue
		}
		if k.Name == kind && k.Get("name") == name {
			return &place{k, c}, nil
		}
		inner := c
		if inner.given, err = r.classes.classOf(k, "childclass", c.given); err != nil {
			return nil, err
		}
		if found, err := r.seek(k, kind, name, inner); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// site reads a place that sensors and tendons speak of.
func (r *reader) site(e elem, c context) error {
	a, err := r.classes.attrs(e, c.given)
	if err != nil {
		return err
	}
	pose, err := r.set.pose(a)
	if err != nil {
		return err
	}
	if ends, err := a.numbers("fromto", 6, 6); err != nil {
		return err
	} else if ends != nil {
		if pose, _, err = along(a, ends); err != nil {
			return err
		}
	}
	s := &site{body: c.body, pose: c.frame.Mul(pose)}
	if s.name, err = r.out.register("site", e, c, len(r.out.sites)); err != nil {
		return err
	}
	r.out.sites = append(r.out.sites, s)
	n := r.out.bodies[c.body]
	n.sites = append(n.sites, s)
	return nil
}
