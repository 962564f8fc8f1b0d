package sdf

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// own is a name that means the frame of the model or world itself.
func (m *model) own(name string) bool {
	return name == "" || (!m.world && name == "__model__") ||
		(m.world && (name == "world" || name == "__world__"))
}

// maxName bounds a name that is looked up part by part.
const maxName = 4096

// find is the entity that a name means in m, and the rest of the name that is to be looked up inside it.
func (m *model) find(name string) (*entity, string) {
	if len(name) > maxName {
		return nil, ""
	}
	if e := m.names[name]; e != nil {
		return e, ""
	}
	for at := strings.Index(name, "::"); at >= 0; {
		if e := m.names[name[:at]]; e != nil && e.kind == modelKind {
			return e, name[at+2:]
		}
		next := strings.Index(name[at+2:], "::")
		if next < 0 {
			break
		}
		at += 2 + next
	}
	return nil, ""
}

// poseIn is the pose of a named frame in the frame of m; by names it.
func (m *model) poseIn(by *xmltree.Node, name string) (r3.Pose, error) {
	if m.own(name) {
		return r3.IdentityPose(), nil
	}
	e, rest := m.find(name)
	if e == nil {
		return r3.Pose{}, m.doc.Errorf(by, "there is no frame %q in %q%s", shown(name), m.name,
			m.near(name))
	}
	p, err := m.entityPose(e)
	if err != nil || rest == "" {
		return p, err
	}
	inner, err := e.sub.poseIn(by, rest)
	return p.Mul(inner), err
}

// entityPose walks from an entity along its frames, then back with the result: chains of any length take no
// call depth.
func (m *model) entityPose(e *entity) (r3.Pose, error) {
	var chain []*entity
	at := r3.IdentityPose()
	for {
		if e.known {
			at = e.inModel
			break
		}
		if len(chain) > len(m.order) {
			return r3.Pose{}, m.doc.Errorf(e.node, "the pose of %q is given relative to itself", shown(e.name))
		}
		chain = append(chain, e)
		base := e.base()
		if m.own(base) {
			break
		}
		next, rest := m.find(base)
		if next == nil {
			return r3.Pose{}, m.doc.Errorf(e.node, "%q is placed relative to %q, which is not in %q%s",
				shown(e.name), shown(base), m.name, m.near(base))
		}
		if rest != "" {
			inner, err := next.sub.poseIn(e.node, rest)
			if err != nil {
				return r3.Pose{}, err
			}
			chain = append(chain, &entity{kind: frameKind, name: base, node: e.node, pose: inner})
		}
		e = next
	}
	for i := len(chain) - 1; i >= 0; i-- {
		at = at.Mul(chain[i].pose)
		chain[i].known, chain[i].inModel = true, at
	}
	return at, nil
}

// base is the name of the frame that the pose of an entity is given in.
func (e *entity) base() string {
	if e.relative == "" {
		return e.attached // frames: attached_to; joints: the child; else none: the model's frame
	}
	return e.relative
}

// bodyOf is the link that a name is fixed to; nil when it is the world.
func (m *model) bodyOf(by *xmltree.Node, name string) (*link, error) {
	var chain []*entity
	for len(chain) <= len(m.order)+1 {
		e, rest := m.find(name)
		var body *link
		var err error
		switch {
		case m.own(name) && !m.world:
			body, err = m.canonicalLink(by)
		// a joint may be called so, and parents mean the world
		case m.own(name), name == "world" && (e == nil || e.kind == jointKind):
		case e == nil:
			return nil, m.doc.Errorf(by, "there is no link or frame %q in %q%s", shown(name), m.name,
				m.near(name))
		case e.fixed:
			body = e.body
		case e.kind == modelKind:
			body, err = e.sub.bodyOf(by, rest)
		case e.kind == linkKind:
			body = e.link
		default:
			chain = append(chain, e)
			name = e.attached
			continue
		}
		for _, c := range chain {
			c.fixed, c.body = err == nil, body
		}
		return body, err
	}
	return nil, m.doc.Errorf(by, "frame %q is attached to itself", shown(name))
}

// has reports that a name means something in m.
func (m *model) has(name string) bool {
	for !m.own(name) && name != "world" {
		e, rest := m.find(name)
		if e == nil || rest == "" {
			return e != nil
		}
		m, name = e.sub, rest
	}
	return true
}

// loseJoints notes the joints of m to links that are not there, which are left out.
func (m *model) loseJoints() {
	for _, j := range m.joints {
		for _, end := range [...]string{j.child, j.parent} {
			if !j.entity.lost && !m.has(end) && !m.isAbsent(end) {
				j.entity.lost = true
				j.doc.Note(scene.Missing, j.node, "joint %q: there is no link or frame %q in %q%s; left out", j.name,
					shown(end), m.name, m.near(end))
			}
		}
	}
}

// canonicalLink is the link that a model's frame is fixed to: the named one, else its first, else that of its
// first nested model.
func (m *model) canonicalLink(by *xmltree.Node) (*link, error) {
	if m.canonical != "" {
		e, rest := m.find(m.canonical)
		switch {
		case e != nil && rest != "":
			return e.sub.bodyOf(by, rest)
		case e != nil && e.kind == linkKind:
			return e.link, nil
		}
		return nil, m.doc.Errorf(m.node, "canonical_link %q is no link of %q%s", m.canonical, m.name,
			m.near(m.canonical))
	}
	if len(m.links) > 0 {
		return m.links[0], nil
	}
	for _, s := range m.subs {
		if s.sub.hasLink() {
			return s.sub.canonicalLink(by)
		}
	}
	return nil, m.doc.Errorf(by, "model %q has no link%s", m.name, m.lacking())
}

func (m *model) hasLink() bool {
	for _, s := range m.subs {
		if s.sub.hasLink() {
			return true
		}
	}
	return len(m.links) > 0
}

// pose reads the <pose> of an element and the frame that it is given in.
func pose(d *source.Doc, n *xmltree.Node, v version) (p r3.Pose, relative string, err error) {
	k := n.Child("pose")
	if k == nil {
		return r3.IdentityPose(), "", nil
	}
	relative = k.Get("relative_to")
	switch old := k.Get("frame"); {
	case old == "" || relative != "": // Gazebo Classic saves empty ones
	case v.before(1, 7):
		relative = old
	default:
		d.Note(scene.Unsupported, k, "attribute \"frame\" of <pose> is of SDF before 1.7; it is relative_to now")
	}
	format := k.Get("rotation_format")
	switch {
	case k.Value() == "":
		return r3.IdentityPose(), relative, nil
	case format == "quat_xyzw":
		f, err := d.Numbers(k, k.Text, 7)
		if err != nil {
			return p, "", err
		}
		if isTrue(k.Get("degrees")) {
			return p, "", d.Errorf(k, "degrees=%q of a quaternion, which has no unit; leave it out, or write rotation_format=\"euler_rpy\"",
				k.Get("degrees"))
		}
		q, ok := r3.Quat{W: f[6], X: f[3], Y: f[4], Z: f[5]}.Unit()
		if norm := math.Hypot(math.Hypot(f[3], f[4]), math.Hypot(f[5], f[6])); ok && math.Abs(norm-1) > 0.1 {
			d.Note(scene.Suspicious, k, "quaternion %g %g %g %g has a length of %.3g; using it normalized",
				f[3], f[4], f[5], f[6], norm)
		}
		if !ok {
			return p, "", d.Errorf(k, "quaternion %g %g %g %g has no direction", f[3], f[4], f[5], f[6])
		}
		return r3.Pose{Pos: r3.V(f[0], f[1], f[2]), Rot: q}, relative, nil
	case format != "" && format != "euler_rpy":
		return p, "", d.Errorf(k, "rotation_format %q; euler_rpy and quat_xyzw are known", format)
	}
	f, err := d.Numbers(k, k.Text, 6)
	if err != nil {
		return p, "", err
	}
	if isTrue(k.Get("degrees")) {
		for i := 3; i < 6; i++ {
			f[i] *= degree
		}
	}
	return r3.PoseRPY(f[0], f[1], f[2], f[3], f[4], f[5]), relative, nil
}

const degree = math.Pi / 180

func isTrue(s string) bool { return s == "1" || strings.EqualFold(s, "true") }
