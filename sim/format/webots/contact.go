package webots

import (
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// contact is what a ContactProperties says of two materials.
type contact struct {
	one, two string
	mu, mu2  float64
	rolling  float64
	bounce   float64
	slow     float64 // m/s, below which nothing bounces; 0: not said
	slip     float64 // m/s per N
}

// usual is how surfaces touch of which a world says nothing.
var usual = contact{one: "default", two: "default", mu: 1, mu2: 1, bounce: 0.5}

// always is the threshold, m/s, of what bounces however slowly it comes.
const always = 1e-6

// slipless stands for a friction without limit, which files write as −1.
const slipless = 100

func (rd *reader) readContacts(all []ref) {
	for _, n := range all {
		r, ok := rd.open(n)
		if !ok {
			continue
		}
		rd.unknown(r)
		c := contact{one: rd.text(r, "material1", "default"), two: rd.text(r, "material2", "default"), mu: 1, mu2: 1,
			bounce: source.Clamp(rd.num(r, "bounce", 0.5), 0, 1)}
		if f := rd.many(r, "coulombFriction"); len(f) > 0 {
			c.mu = grip(f[0])
			c.mu2 = c.mu
			if len(f) > 1 {
				c.mu2 = grip(f[1])
				rd.noteAt(scene.Unsupported, r, "frictions that differ with the direction are taken as their mean")
				c.mu = (c.mu + c.mu2) / 2
				c.mu2 = c.mu
			}
		}
		if f := rd.many(r, "rollingFriction"); len(f) > 0 {
			c.rolling = max(0, f[0])
		}
		if f := rd.many(r, "forceDependentSlip"); len(f) > 0 {
			c.slip = max(0, f[0])
		}
		if _, given := rd.get(r, "bounceVelocity"); given {
			c.slow = max(always, rd.num(r, "bounceVelocity", 0.01))
		}
		for _, name := range []string{"softERP", "softCFM"} {
			if _, given := rd.get(r, name); given {
				rd.noteOnce(scene.Unsupported, r, "%s of contacts is not run", name)
			}
		}
		rd.contacts = append(rd.contacts, c)
	}
}

func grip(mu float64) float64 {
	if mu < 0 {
		return slipless
	}
	return min(mu, slipless)
}

// surface is how the bounding object of a Solid touches. Frictions are given for pairs of materials, and the engine
// takes the smaller of two and the greater bounce: what moves has those of its pair with the default material, and
// what stands still has the greatest friction of any of its pairs and no bounce of its own, so that the other decides.
func (b *builder) surface(r ref) scene.Surface {
	name := b.text(r, "contactMaterial", "default")
	if name == slippery {
		return scene.Surface{}
	}
	_, moves := b.get(r, "physics")
	base := usual
	best, found := usual, false
	for _, c := range b.contacts {
		if c.one == "default" && c.two == "default" {
			base = c
		}
	}
	for _, c := range b.contacts {
		if c.one != name && c.two != name {
			continue
		}
		other := c.two
		if c.two == name && c.one != name {
			other = c.one
		}
		switch {
		case moves && (other == "default" || !found):
			best, found = c, true
		case !moves && (!found || c.mu > best.mu):
			best, found = c, true
		}
	}
	if !found {
		best = base
	}
	s := scene.Surface{Mu: best.mu, Mu2: best.mu2, Rolling: best.rolling, Restitution: best.bounce, Threshold: best.slow}
	if moves {
		s.Slip, s.Slip2 = best.slip, best.slip
	} else {
		s.Mu = max(s.Mu, base.mu)
		s.Mu2 = max(s.Mu2, base.mu2)
		if name == "default" {
			s.Restitution = 0
		}
	}
	return s
}
