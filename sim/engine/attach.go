package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"simdeck/sim"
	"simdeck/sim/dynamics"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/statecodec"
)

// maxAttachments bounds the links that are fixed to each other: each joint costs time in every step.
const maxAttachments = 4096

// attachedLink is an end of an attachment.
type attachedLink struct {
	entity string
	link   int
}

// attachment is two links that a fixed joint holds at run time. It is never changed.
type attachment struct {
	parent, child attachedLink
	offset        r3.Pose // of the child's body in the parent's, when they were attached
	joint         dynamics.JointID
}

// of reports that an entity is at either end.
func (a *attachment) of(e *entity) bool { return a.parent.entity == e.name || a.child.entity == e.name }

// joins reports that the ends are these two, either of them first.
func (a *attachment) joins(x, y attachedLink) bool {
	return a.parent == x && a.child == y || a.parent == y && a.child == x
}

// waiting is the memory of a joint in an entity's file to another entity.
type waiting struct {
	on   bool // it is made as soon as the other one is there
	told bool // that the other one is not there
}

// attach fixes pairs of links, all or none.
func (s *entitySet) attach(p *dynamics.World, pairs []sim.LinkPair) error {
	before := s.attached
	for _, pair := range pairs {
		a, err := s.attachOne(p, pair)
		if err != nil {
			letGo(p, s.attached[len(before):])
			s.attached = before
			return err
		}
		s.attached = append(slices.Clip(s.attached), a)
	}
	for _, a := range s.attached[len(before):] {
		s.attachedOnce(a)
	}
	return nil
}

// detach lets pairs of links go, all or none.
func (s *entitySet) detach(p *dynamics.World, pairs []sim.LinkPair) error {
	kept := slices.Clone(s.attached)
	var gone []attachment
	for _, pair := range pairs {
		x, y, err := s.ends(pair)
		if err != nil {
			return err
		}
		at := findAttachment(kept, x, y)
		if at < 0 {
			return fmt.Errorf("%w: %v are not attached%s", sim.ErrNotFound, pair, s.listAttached())
		}
		gone = append(gone, kept[at])
		kept = slices.Delete(kept, at, at+1)
	}
	letGo(p, gone)
	s.attached = kept
	return nil
}

// findAttachment is the index of the attachment of two links; below 0: they have none.
func findAttachment(list []attachment, x, y end) int {
	return slices.IndexFunc(list, func(a attachment) bool { return a.joins(x.attachedLink, y.attachedLink) })
}

// attachAtLast makes the joints of files whose two links are there now. It reports those that fail and, once,
// those that wait for a model.
func (s *entitySet) attachAtLast(p *dynamics.World,
	report func(level sim.Level, who, format string, args ...any)) {
	for _, e := range s.list {
		for i := range e.waits {
			if !e.waits[i].on {
				continue
			}
			pair := sim.DetachablePair(e.name, e.model.Spec, i)
			if _, there := s.lookup(pair.Child.Entity); !there {
				if !e.waits[i].told && !e.model.Spec.Detachables[i].Unannounced {
					report(sim.Warn, e.name, "its joint to %v waits for a model named %q", pair.Child,
						pair.Child.Entity)
				}
				e.setWaiting(i, waiting{on: true, told: true})
				continue
			}
			e.setWaiting(i, waiting{})
			a, err := s.attachOne(p, pair)
			if err != nil {
				report(sim.Warn, e.name, "its joint to %v is not made: %v", pair.Child, err)
				continue
			}
			s.attached = append(slices.Clip(s.attached), a)
		}
	}
}

// setWaiting changes what an entity remembers of a joint of its file; checkpoints share the list.
func (e *entity) setWaiting(i int, to waiting) {
	e.waits = slices.Clone(e.waits)
	e.waits[i] = to
}

// attachedOnce lets no joint of a file wait any more for what has been attached by a command.
func (s *entitySet) attachedOnce(a attachment) {
	for _, e := range s.list {
		for i := range e.waits {
			if !e.waits[i].on {
				continue
			}
			if x, y, err := s.ends(sim.DetachablePair(e.name, e.model.Spec, i)); err == nil &&
				a.joins(x.attachedLink, y.attachedLink) {
				e.setWaiting(i, waiting{})
			}
		}
	}
}

// end is a link that a name means.
type end struct {
	attachedLink
	e    *entity
	body dynamics.BodyID
}

// ends finds two links by their names.
func (s *entitySet) ends(pair sim.LinkPair) (parent, child end, err error) {
	if parent, err = s.end(pair.Parent); err != nil {
		return parent, child, err
	}
	child, err = s.end(pair.Child)
	return parent, child, err
}

// end finds a link by its name.
func (s *entitySet) end(name sim.LinkName) (end, error) {
	e, err := s.find(name.Entity)
	if err != nil {
		return end{}, err
	}
	link, err := e.linkNamed(name.Link)
	if err != nil {
		return end{}, err
	}
	return end{attachedLink{e.name, link}, e, e.bodies[e.model.Placements[link].Body]}, nil
}

// linkNamed is the index of a link; no name means the canonical one.
func (e *entity) linkNamed(name string) (int, error) {
	links := e.model.Spec.Links
	if name == "" {
		return e.model.Spec.Canonical, nil
	}
	if i := slices.IndexFunc(links, func(l scene.Link) bool { return l.Name == name }); i >= 0 {
		return i, nil
	}
	names := make([]string, len(links))
	for i := range links {
		names[i] = links[i].Name
	}
	return 0, fmt.Errorf("%w: entity %q has no link %q%s", sim.ErrNotFound, e.name, name, oneOf(name, names))
}

// oneOf ends the message that a name is not known: the nearest name, or the first ones.
func oneOf(name string, names []string) string {
	if hint := scene.DidYouMean(name, names); hint != "" {
		return hint
	}
	if len(names) == 0 {
		return "; it has none"
	}
	return "; it has " + firstOf(names)
}

// firstOf is the first ones of a list, and how many more there are.
func firstOf(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// attachOne makes the joint of two links as they stand now.
func (s *entitySet) attachOne(p *dynamics.World, pair sim.LinkPair) (attachment, error) {
	x, y, err := s.ends(pair)
	if err != nil {
		return attachment{}, err
	}
	refuse := func(format string, args ...any) (attachment, error) {
		return attachment{}, fmt.Errorf("%w: %v "+format, append([]any{sim.ErrFailed, pair}, args...)...)
	}
	switch moves := func(z end) bool { return p.Body(z.body).Type() == dynamics.Dynamic }; {
	case findAttachment(s.attached, x, y) >= 0:
		return refuse("are attached already")
	case x.body == y.body:
		return refuse("are one body: no joint between them can move")
	case !moves(x) && !moves(y):
		return refuse("do not move: one of the two links has to be free")
	case x.e.fault != nil, y.e.fault != nil:
		return refuse("cannot be attached while %q is contained; move it, or reset the state",
			contained(x.e, y.e).name)
	case len(s.attached) >= maxAttachments:
		return refuse("would be attachment number %d; at most %d are possible", len(s.attached)+1,
			maxAttachments)
	}
	a := attachment{parent: x.attachedLink, child: y.attachedLink,
		offset: p.Body(x.body).Pose().Relative(p.Body(y.body).Pose())}
	a.joint, err = fix(p, x.body, y.body, a.offset)
	if err != nil {
		return refuse("cannot be attached: %w", err)
	}
	return a, nil
}

// contained is the one of two entities that is.
func contained(x, y *entity) *entity {
	if x.fault != nil {
		return x
	}
	return y
}

// fix adds a fixed joint between two bodies. Its child is a dynamic one.
func fix(p *dynamics.World, parent, child dynamics.BodyID, offset r3.Pose) (dynamics.JointID, error) {
	def := dynamics.JointDef{Type: dynamics.Fixed, Parent: parent, Child: child, ParentFrame: offset}
	if p.Body(child).Type() != dynamics.Dynamic {
		def.Parent, def.Child, def.ParentFrame = child, parent, offset.Inverse()
	}
	return p.AddJoint(def)
}

// letGo removes joints; those that went with their bodies are gone already.
func letGo(p *dynamics.World, list []attachment) {
	for i := range list {
		_ = p.RemoveJoint(list[i].joint)
	}
}

// forget drops the attachments of an entity whose bodies are gone.
func (s *entitySet) forget(e *entity) {
	if slices.ContainsFunc(s.attached, func(a attachment) bool { return a.of(e) }) {
		s.attached = slices.DeleteFunc(slices.Clone(s.attached), func(a attachment) bool { return a.of(e) })
	}
}

// attachments are the attachments by names, in the order of them; nil: there are none.
func (s *entitySet) attachments() []sim.LinkPair {
	var out []sim.LinkPair
	for i := range s.attached {
		a := &s.attached[i]
		out = append(out, sim.LinkPair{Parent: s.nameOf(a.parent), Child: s.nameOf(a.child)})
	}
	slices.SortFunc(out, func(a, b sim.LinkPair) int {
		return cmp.Or(strings.Compare(a.Parent.String(), b.Parent.String()),
			strings.Compare(a.Child.String(), b.Child.String()))
	})
	return out
}

// nameOf is the name of a link that is attached.
func (s *entitySet) nameOf(l attachedLink) sim.LinkName {
	i, there := s.lookup(l.entity)
	if !there {
		return sim.LinkName{}
	}
	return sim.LinkName{Entity: l.entity, Link: s.list[i].model.Spec.Links[l.link].Name}
}

// listAttached says what is attached, at the end of a message.
func (s *entitySet) listAttached() string {
	all := s.attachments()
	if len(all) == 0 {
		return "; nothing is"
	}
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.String()
	}
	return "; attached are " + firstOf(names)
}

// carried are the entities that move with one: it first, then those that are attached to it, also by way of
// others. Those left out do not count. It fails where one of those cannot be moved.
func (s *entitySet) carried(p *dynamics.World, e *entity, without ...*entity) ([]*entity, error) {
	group := []*entity{e}
	for k := 0; k < len(group); k++ {
		for i := range s.attached {
			a := &s.attached[i]
			if !a.of(group[k]) {
				continue
			}
			for _, l := range [2]attachedLink{a.parent, a.child} {
				o, err := s.find(l.entity)
				if err != nil {
					return nil, err
				}
				if slices.Contains(group, o) || slices.Contains(without, o) {
					continue
				}
				if p.Body(o.bodies[o.model.Placements[l.link].Body]).Type() != dynamics.Dynamic {
					return nil, fmt.Errorf("%w: entity %q is attached to %v, which does not move; detach them first",
						sim.ErrFailed, e.name, s.nameOf(l))
				}
				group = append(group, o)
			}
		}
	}
	return group, nil
}

// hashAttached adds what is attached, and what waits for it; nothing where nothing is.
func (s *entitySet) hashAttached(d *statecodec.Digest) {
	for i := range s.attached {
		a := &s.attached[i]
		for _, l := range [2]attachedLink{a.parent, a.child} {
			d.Word(keyOf(l.entity))
			d.Word(uint64(l.link))
		}
		d.Twist(r3.Twist{Linear: a.offset.Pos, Angular: r3.V(a.offset.Rot.X, a.offset.Rot.Y, a.offset.Rot.Z)})
	}
	for _, e := range s.list {
		for i := range e.waits {
			if !e.waits[i].on {
				d.Word(1 + uint64(i))
			}
		}
	}
}

// restorableAttachments are the attachments for a state that is kept.
func (s *entitySet) restorableAttachments(p *dynamics.World) (out []sim.RestoredAttachment) {
	for i := range s.attached {
		a := &s.attached[i]
		out = append(out, sim.RestoredAttachment{
			LinkPair:  sim.LinkPair{Parent: s.nameOf(a.parent), Child: s.nameOf(a.child)},
			Offset:    a.offset,
			Placement: sim.Placement(p.PlacementOf(nil, []dynamics.JointID{a.joint}))})
	}
	return out
}

// restoreAttachment makes an attachment as it was.
func (s *entitySet) restoreAttachment(p *dynamics.World, r *sim.RestoredAttachment) error {
	x, y, err := s.ends(r.LinkPair)
	if err != nil {
		return err
	}
	if err := p.PlaceNext(dynamics.Placement(r.Placement)); err != nil {
		return fmt.Errorf("%w: %w", sim.ErrFailed, err)
	}
	a := attachment{parent: x.attachedLink, child: y.attachedLink, offset: r.Offset}
	if a.joint, err = fix(p, x.body, y.body, a.offset); err != nil {
		return fmt.Errorf("%w: %v: %w", sim.ErrFailed, r.LinkPair, err)
	}
	s.attached = append(slices.Clip(s.attached), a)
	return nil
}

// codeWaiting visits which joints of its file an entity still waits for.
func (e *entity) codeWaiting(v statecodec.Visitor) {
	e.waits = slices.Clone(e.waits)
	for i := range e.waits {
		v.Flag(&e.waits[i].on)
	}
}
