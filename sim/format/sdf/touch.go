package sdf

import (
	"strconv"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// touching reads a <contact>'s bit masks of collision: a pair touches when the category of one meets the
// collide mask of the other. Without a category it is the collide mask.
func touching(d *source.Doc, n *xmltree.Node, g *scene.Geom) {
	if d.Bool(n, "collide_without_contact", false) {
		d.Note(scene.Inferred, n.Child("collide_without_contact"),
			"collision %q is met by rays only: what touches without a contact is not told", g.Name)
		source.Touch(g, 0, 0)
		return
	}
	collides, written := bits(d, n, "collide_bitmask")
	category, own := bits(d, n, "category_bitmask")
	switch {
	case !written && !own:
		return
	case !own:
		category = collides
	}
	source.Touch(g, category, collides)
}

// bits reads a mask of which the lower 16 count; false, and all of them, when there is none or it is no
// number.
func bits(d *source.Doc, n *xmltree.Node, name string) (uint16, bool) {
	const all = 1<<16 - 1
	k := n.Child(name)
	if k.Value() == "" {
		return all, false
	}
	v, err := strconv.ParseUint(k.Value(), 0, 32)
	if err != nil {
		d.Note(scene.Suspicious, k, "<%s> is %q; a whole number such as 0x0f is meant", name, k.Value())
		return all, false
	}
	if v > all {
		d.Note(scene.Unsupported, k, "<%s> is %q: of its bits the lower 16 count", name, k.Value())
	}
	return uint16(v & all), true
}
