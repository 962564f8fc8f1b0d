package sim

import (
	"fmt"
	"strings"

	"simdeck/sim/scene"
)

// LinkName names a link of an entity.
type LinkName struct {
	Entity string
	Link   string // empty: the canonical link
}

// String is "entity/link", as frames are named.
func (l LinkName) String() string {
	if l.Link == "" {
		return l.Entity
	}
	return l.Entity + "/" + l.Link
}

// LinkPair is two links, of two entities or of one.
type LinkPair struct{ Parent, Child LinkName }

// String is both names.
func (p LinkPair) String() string { return p.Parent.String() + " and " + p.Child.String() }

// Joins reports that two pairs are the same two links, either of them first.
func (p LinkPair) Joins(o LinkPair) bool { return p == o || p.Parent == o.Child && p.Child == o.Parent }

// Attach fixes the links of pairs to each other as they stand now, by a fixed joint each. With an error it
// fixes none. It lasts until Detach, a reset of the state, or the deletion of either entity.
// SetEntityState of one entity then moves those along that are attached to it. Replies Done.
type Attach struct{ Pairs []LinkPair }

// Detach removes joints that Attach or a file has made, or with an error none. Replies Done.
type Detach struct{ Pairs []LinkPair }

func (Attach) command() {}
func (Detach) command() {}

// AttachedAt is the index of the attachment of two links in a snapshot; false: they are not attached. It
// wants the names of both links.
func (s *Snapshot) AttachedAt(p LinkPair) (int, bool) {
	for i := range s.Attachments {
		if s.Attachments[i].Joins(p) {
			return i, true
		}
	}
	return 0, false
}

// DetachablePair is the two links of a joint of an entity's file. A model in a model is called "outer::inner"
// there, and its link "inner::link" here.
func DetachablePair(entity string, spec *scene.ModelSpec, i int) LinkPair {
	d := &spec.Detachables[i]
	child := LinkName{Entity: d.Child, Link: d.ChildLink}
	if d.Child == scene.OwnModel {
		child.Entity = entity
	} else if outer, inner, nested := strings.Cut(d.Child, "::"); nested {
		child = LinkName{Entity: outer, Link: inner + "::" + d.ChildLink}
	}
	return LinkPair{Parent: LinkName{Entity: entity, Link: spec.Links[d.Link].Name}, Child: child}
}

func describePairs(verb string, list []LinkPair) string {
	if len(list) != 1 {
		return fmt.Sprintf("%s %d pairs of links", verb, len(list))
	}
	const most = 200
	text := verb + " " + list[0].String()
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
