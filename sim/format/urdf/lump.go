package urdf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// collision is a <collision> of a link: its name in the file, and its index among the link's collision
// shapes; -1 if it was left out.
type collision struct {
	name string
	at   int
}

// collisionAlias is a name of a collision other than the generated one, in its own link or in the link that
// it is lumped to.
type collisionAlias struct {
	link   int
	lumped bool
	name   string
}

// nameCollisions gives collisions the names that Gazebo's converter of URDF gives them: LINK_collision,
// LINK_collision_1 and so on, and TOP_fixed_joint_lump__LINK_collision_N in a link that fixed joints tie to
// TOP. Files write these names in their contact sensors, and clients look for them in contacts. Sensors may
// also name a collision as the file does, or as if its link were not lumped.
func (r *robot) nameCollisions(root *xmltree.Node) error {
	below := r.lumpedLinks(root)
	top := make([]int, len(below)) // by link: the one that it is lumped to
	for i := range top {
		top[i] = i
	}
	for _, children := range below {
		for _, child := range children {
			top[child] = -1
		}
	}
	generated, aliases := map[string]bool{}, map[collisionAlias]string{}
	for first := range below {
		if top[first] != first {
			continue
		}
		base, count := r.spec.Links[first].Name, 0
		for stack := []int{first}; len(stack) > 0; {
			link := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, child := range slices.Backward(below[link]) {
				stack = append(stack, child)
			}
			top[link] = first
			l := &r.spec.Links[link]
			for k, c := range r.collisions[l.Name] {
				own := cmp.Or(c.name, l.Name)
				name, older := suffixed(own, count), suffixed(base, count)
				if count++; !strings.HasPrefix(name, base) {
					name = base + "_fixed_joint_lump__" + name
				}
				generated[name] = true
				for _, other := range [...]string{c.name, suffixed(own, k), suffixed(l.Name, k)} {
					aliases[collisionAlias{link, false, other}] = name
					aliases[collisionAlias{first, true, other}] = name
				}
				for _, other := range [...]string{older, base + "_collision_" + l.Name} { // of Gazebo up to 5
					aliases[collisionAlias{first, true, other}] = name
				}
				if c.at >= 0 {
					l.Collisions[c.at].Name = name
				}
			}
		}
	}
	for i := range r.spec.Links {
		for k := range r.spec.Links[i].Sensors {
			listened := r.spec.Links[i].Sensors[k].Contact.Collisions
			for n, name := range listened {
				if !generated[name] {
					listened[n] = cmp.Or(aliases[collisionAlias{i, false, name}],
						aliases[collisionAlias{top[i], true, name}], name)
				}
			}
		}
	}
	return nil
}

// suffixed is the name that Gazebo's converter makes for the k-th collision.
func suffixed(name string, k int) string {
	if k == 0 {
		return name + "_collision"
	}
	return name + "_collision_" + strconv.Itoa(k)
}

// lumpedLinks returns by link its children on fixed joints, except those whose joints Gazebo is told to keep.
// They are in the order of their joints' names, which is the order of Gazebo's parser.
func (r *robot) lumpedLinks(root *xmltree.Node) [][]int {
	kept := map[string]bool{}
	for _, n := range root.All("gazebo") {
		if r.doc.Bool(n, "preserveFixedJoint", false) || r.doc.Bool(n, "disableFixedJointLumping", false) {
			kept[n.Get("reference")] = true
		}
	}
	joints := make([]*scene.Joint, 0, len(r.spec.Joints))
	for i := range r.spec.Joints {
		if j := &r.spec.Joints[i]; j.Kind == scene.Fixed && j.Parent != scene.World && !kept[j.Name] &&
			r.spec.Links[j.Parent].Name != "world" {
			joints = append(joints, j)
		}
	}
	slices.SortFunc(joints, func(a, b *scene.Joint) int { return strings.Compare(a.Name, b.Name) })
	below := make([][]int, len(r.spec.Links))
	for _, j := range joints {
		below[j.Parent] = append(below[j.Parent], j.Child)
	}
	return below
}
