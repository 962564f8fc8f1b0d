package mjcf

import (
	"math"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// pair is two shapes that touch whatever their contype and conaffinity.
type pair struct {
	elem   elem
	shapes [2]int         // of build.shapes
	own    *scene.Surface // of the contact; nil: it follows from the shapes
}

// pair reads a <pair>.
func (r *reader) pair(e elem, prefix string) error {
	a, err := r.classes.attrs(e, nil)
	if err != nil {
		return err
	}
	var ends [2][]int
	for i, attr := range [...]string{"geom1", "geom2"} {
		if ends[i], err = r.out.lookup("geom", e, attr, prefix); err != nil {
			return err
		}
	}
	own, err := a.pairSurface()
	if err != nil {
		return err
	}
	if !r.set.contacts {
		return nil
	}
	for k := range min(len(ends[0]), len(ends[1])) {
		r.out.pairs = append(r.out.pairs, pair{e, [2]int{ends[0][k], ends[1][k]}, own})
	}
	return nil
}

// pairSurface is the surface that a <pair> asks for; nil: it asks for none.
func (a attrs) pairSurface() (*scene.Surface, error) {
	if !a.has("friction") && !a.has("condim") && !a.has("solref") {
		return nil, nil
	}
	f := []float64{1, 1, 0.005, 0.0001, 0.0001}
	own, err := a.numbers("friction", 1, 5)
	if err != nil {
		return nil, err
	}
	copy(f, own)
	for _, v := range f {
		if v < 0 {
			return nil, a.own().errorf("friction=%q of <pair>; no friction is negative", clip(a.text("friction")))
		}
	}
	if f[0] != f[1] {
		a.own().note(scene.Unsupported, "friction of <pair>: %g along one direction and %g along the other; %g in all", f[0],
			f[1], f[0])
	}
	dims, err := a.whole("condim", 3)
	if err != nil {
		return nil, err
	}
	if dims != 1 && dims != 3 && dims != 4 && dims != 6 {
		return nil, a.own().errorf("condim=%d of <pair>; want 1, 3, 4 or 6", dims)
	}
	s := &scene.Surface{Mu: f[0], Mu2: f[0], Torsional: f[2], Rolling: f[3], Condim: uint8(dims),
		Priority: math.MaxInt32}
	s.Restitution, err = a.bounce()
	return s, err
}

// pairing lets the shapes of pairs touch. Where their bits do not, a bit of no other shape becomes the first
// one's kind. It is in the masks of all that make pairs with that shape.
type pairing struct {
	*build
	free  int          // bits of contype and conaffinity that no shape uses
	bits  map[int]int  // by the first shape of a pair
	alone map[int]bool // shapes that touch in pairs of the same surface alone
}

func newPairing(b *build) *pairing {
	p := &pairing{build: b, free: 1<<16 - 1, bits: map[int]int{}, alone: map[int]bool{}}
	if len(b.pairs) == 0 {
		return p
	}
	for _, g := range b.shapes {
		p.free &^= g.meets | g.met
	}
	surface := map[int]*scene.Surface{}
	for _, k := range b.pairs {
		for _, i := range k.shapes {
			if _, seen := p.alone[i]; !seen {
				p.alone[i], surface[i] = k.own != nil && !b.shapes[i].touches(), k.own
			}
			p.alone[i] = p.alone[i] && k.own != nil && *k.own == *surface[i]
		}
	}
	return p
}

// meet lets the shapes of all pairs touch.
func (p *pairing) meet() {
	for i := range p.pairs {
		if k := &p.pairs[i]; p.connect(k) {
			p.coat(k)
		}
	}
}

// connect lets the shapes of a pair touch. It is false where they cannot, which is noted.
func (p *pairing) connect(k *pair) bool {
	first, second := p.shapes[k.shapes[0]], p.shapes[k.shapes[1]]
	switch {
	case p.adjacent(first.body, second.body):
		k.elem.note(scene.Unsupported,
			"a <pair> of shapes of one body, or of two that a joint ties: they do not touch")
		return false
	case first.meets&second.met != 0 || second.meets&first.met != 0:
		return true
	}
	bit := p.bits[k.shapes[0]]
	if bit == 0 {
		bit = p.free & -p.free
		p.free &^= bit
		p.bits[k.shapes[0]] = bit
	}
	if bit == 0 {
		k.elem.note(scene.Unsupported,
			"<pair>: its shapes do not touch; all 16 bits of contype and conaffinity are in use")
		return false
	}
	first.meets, second.met = first.meets|bit, second.met|bit
	for _, g := range [...]*geom{first.geom, second.geom} {
		source.Touch(&g.Geom, uint16(g.meets), uint16(g.met))
	}
	return true
}

// coat gives the surface of a pair to a shape that touches in pairs of the same surface alone.
func (p *pairing) coat(k *pair) {
	if k.own == nil {
		return
	}
	for _, i := range k.shapes {
		if p.alone[i] {
			p.shapes[i].Surface = *k.own
			return
		}
	}
	k.elem.note(scene.Unsupported,
		"friction, condim and solref of a <pair> of shapes that touch others too: they have their own")
}

// adjacent reports that two bodies are one, or parent and child, as far as contacts go.
func (p *pairing) adjacent(i, k int) bool {
	i, k = p.carrier(i), p.carrier(k)
	over := func(i int) int {
		if i == 0 || p.bodies[i].free {
			return -1
		}
		return p.carrier(p.bodies[i].parent)
	}
	return i == k || min(i, k) > 0 && !p.set.noFilter && (over(i) == k || over(k) == i)
}

// carrier is the body that moves against its parent and that a body is fixed to; 0: the world.
func (p *pairing) carrier(i int) int {
	for i > 0 && !p.bodies[i].free && !p.bodies[i].mocap && len(p.bodies[i].joints) == 0 {
		i = p.bodies[i].parent
	}
	return i
}
