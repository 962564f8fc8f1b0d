package webots

import (
	"slices"

	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// contact is a ContactProperties of two materials.
type contact struct {
	one, two string
	mu, mu2  float64
	rolling  float64 // m: torque per N that resists rolling
	spinning float64 // m: the same for spinning on the spot
	bounce   float64
	slow     float64 // m/s, below which nothing bounces
	slip     float64 // m/s per N
	kp, kd   float64 // N/m and N·s/m of each point; 0: as stiff as the engine can
}

// usual is the default contact of surfaces.
var usual = contact{one: "default", two: "default", mu: 1, mu2: 1, bounce: 0.5, slow: 0.01}

// always is the threshold, m/s, of what bounces however slowly it comes.
const always = 1e-6

// slipless stands for a friction without limit, which files write as −1.
const slipless = 100

// readContacts reads what a world says of pairs of materials; step is that of the world, in s.
func (rd *reader) readContacts(all []ref, step float64) {
	for _, n := range all {
		r, ok := rd.open(n)
		if !ok {
			continue
		}
		c := contact{one: rd.text(r, "material1", "default"), two: rd.text(r, "material2", "default"), mu: 1,
			mu2:    1,
			bounce: source.Clamp(rd.num(r, "bounce", 0.5), 0, 1)}
		if f := rd.many(r, "coulombFriction"); len(f) > 0 {
			c.mu = grip(f[0])
			c.mu2 = c.mu
			if len(f) > 1 {
				c.mu2 = grip(f[1])
				rd.noteAt(scene.Unsupported, r,
					"friction differs with the direction; using the mean")
				c.mu = (c.mu + c.mu2) / 2
				c.mu2 = c.mu
			}
		}
		c.rolling, c.spinning = rd.rolling(r)
		c.slip = rd.slip(r)
		c.slow = max(always, rd.num(r, "bounceVelocity", 0.01))
		rd.softness(r, &c, step)
		rd.contacts = append(rd.contacts, c)
	}
	rd.notePairs(all)
}

// rolling reads what resists rolling and spinning, m. Webots gives both axes of rolling a value of their own.
func (rd *reader) rolling(r ref) (roll, spin float64) {
	f := rd.many(r, "rollingFriction")
	if len(f) < 3 {
		return 0, 0
	}
	one, two := grip(f[0]), grip(f[1])
	if one != two {
		rd.noteAt(scene.Unsupported, r, "rolling friction differs with the direction; using the mean")
	}
	return (one + two) / 2, grip(f[2])
}

// slip reads the force-dependent slip, m/s per N, which Webots may give for two directions of each surface.
func (rd *reader) slip(r ref) float64 {
	f := rd.many(r, "forceDependentSlip")
	if len(f) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range f {
		sum += max(0, x)
	}
	if slices.Max(f) != slices.Min(f) {
		rd.noteAt(scene.Unsupported, r, "slip differs with the direction or surface; using the mean")
	}
	return sum / float64(len(f))
}

// softness reads the spring and damper of each contact point as ODE, and so Webots, writes them. With a step
// h they are kp = ERP/(h·CFM) and kd = (1 - ERP)/CFM. Where nothing is said contacts are as stiff as the
// engine can make them.
func (rd *reader) softness(r ref, c *contact, step float64) {
	_, soft := rd.get(r, "softCFM")
	_, reduces := rd.get(r, "softERP")
	if !soft && !reduces {
		return
	}
	cfm, erp := rd.num(r, "softCFM", 0.001), source.Clamp(rd.num(r, "softERP", 0.2), 0, 1)
	if !(cfm > 1/source.MostNumber) || !(step > 0) { // the reciprocal of a smaller one has no end
		return
	}
	c.kp, c.kd = erp/(step*cfm), (1-erp)/cfm
}

// notePairs says where several pairs of the same material ask for different things: of those one is taken for
// all.
func (rd *reader) notePairs(all []ref) {
	if len(all) != len(rd.contacts) {
		return
	}
	for i, c := range rd.contacts {
		for _, o := range rd.contacts[:i] {
			if name := c.shared(&o); name != "" &&
				(c.mu != o.mu || c.bounce != o.bounce || c.rolling != o.rolling || c.spinning != o.spinning ||
					c.slip != o.slip) {
				rd.noteAt(scene.Unsupported, all[i],
					"material %q is in several pairs that differ: moving bodies use the pair with \"default\", or else the first pair, for all contacts",
					name)
				break
			}
		}
	}
}

// shared is a material, but for the default one, that two pairs have in common.
func (c *contact) shared(o *contact) string {
	for _, name := range [2]string{c.one, c.two} {
		if name != "default" && (name == o.one || name == o.two) {
			return name
		}
	}
	return ""
}

func grip(mu float64) float64 {
	if mu < 0 {
		return slipless
	}
	return min(mu, slipless)
}

// surface is the surface of a Solid's bounding object. Webots gives friction for pairs of materials, and the
// engine takes the smaller friction and the greater restitution of two surfaces. Moving bodies have those of
// their pair with the default material. Static ones have the greatest friction of their pairs and no
// restitution, so that the other decides.
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
	s := scene.Surface{Mu: best.mu, Mu2: best.mu2, Torsional: best.spinning, Rolling: best.rolling,
		Restitution: best.bounce, Threshold: best.slow}
	if moves {
		s.Slip, s.Slip2 = best.slip, best.slip
		s.Stiffness, s.Damping = best.kp, best.kd
	} else {
		s.Mu = max(s.Mu, base.mu)
		s.Mu2 = max(s.Mu2, base.mu2)
		if name == "default" {
			s.Restitution = 0
		}
	}
	return s
}
