package webots

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Defaults of a Fluid: water.
const (
	waterDensity   = 1000.0 // kg/m³
	waterViscosity = 0.001  // Pa·s
)

// readFluid reads a Fluid that stands in the world, or in a group there: its bounds, and what is seen of it.
func readFluid(rd *reader, r ref, f frame) {
	own := rd.inside(f, r)
	out := scene.FluidVolume{Name: rd.text(r, "name", "fluid"),
		Density:   atLeastZero(rd, r, "density", waterDensity, "kg/m³"),
		Viscosity: atLeastZero(rd, r, "viscosity", waterViscosity, "Pa·s"),
		Stream:    rd.axes.world.Rotate(finite(rd, r, "streamVelocity"))}
	out.Bounds = fluidBounds(rd, r, own)
	switch _, bounded := rd.get(r, "boundingObject"); {
	case rd.err != nil:
		return
	case !bounded:
		rd.noteAt(scene.Suspicious, r, "Fluid%s has no boundingObject: nothing is in it", rd.called(r))
	case volume(rd, out.Name) != nil:
		rd.noteAt(scene.Suspicious, r, "a second Fluid with the name %q, left out; want a name for each", clip(out.Name))
	default:
		rd.spec.Medium.Volumes = append(rd.spec.Medium.Volumes, out)
	}
	for _, k := range rd.nodes(r, "children") {
		rd.place(k, own)
	}
}

// volume is the Fluid that has a name; nil: there is none so far.
func volume(rd *reader, name string) *scene.FluidVolume {
	for i := range rd.spec.Medium.Volumes {
		if v := &rd.spec.Medium.Volumes[i]; v.Name == name {
			return v
		}
	}
	return nil
}

// fluidBounds reads the boundingObject of a Fluid at a frame of the world. A Fluid ends at the plane that
// touches a bound where its own z points, or its y in files before R2022a.
func fluidBounds(rd *reader, r ref, at frame) (out []scene.FluidBound) {
	b := rd.builder(r, at.pose, false)
	rd.names.Release(b.spec.Name)
	b.spec.Links = []scene.Link{{Name: "fluid"}}
	b.bounding(r, 0, frame{r3.IdentityPose(), at.scale})
	turn := rd.axes.world.Mul(at.pose.Rot).Mul(b.turn.Conj())
	for _, g := range b.spec.Links[0].Collisions {
		g.Pose = r3.Pose{Pos: rd.axes.world.Rotate(at.pose.Pos).Add(turn.Rotate(g.Pose.Pos)),
			Rot: turn.Mul(g.Pose.Rot)}
		up := r3.V(0, 0, 1)
		switch g.Kind {
		case scene.Heightfield:
			rd.noteAt(scene.Unsupported, r, "an ElevationGrid does not bound a Fluid; want a Box, Sphere, Cylinder, Capsule or Plane")
			continue
		case scene.Box, scene.Sphere, scene.MeshGeom:
			if r.file.yUp {
				up = r3.V(0, 1, 0)
			}
		}
		if g.Kind == scene.MeshGeom {
			rd.noteOnce(scene.Inferred, r, "a mesh bounds a Fluid by its convex hull")
		}
		out = append(out, scene.FluidBound{Geom: g, Up: g.Pose.Rot.Rotate(up)})
	}
	return out
}

// immersions reads the ImmersionProperties of a Solid.
func immersions(b *builder, r ref) (out []scene.Immersion) {
	for _, n := range b.nodes(r, "immersionProperties") {
		p, ok := b.open(n)
		if !ok {
			continue
		}
		if p.n.Type != "ImmersionProperties" {
			b.noteAt(scene.Suspicious, p, "%s in immersionProperties; want ImmersionProperties", p.n.Type)
			continue
		}
		k := scene.Immersion{Fluid: b.text(p, "fluidName", ""), Drag: coefficients(b, p, "dragForceCoefficients"),
			Turn:     coefficients(b, p, "dragTorqueCoefficients"),
			Viscous:  atLeastZero(b.reader, p, "viscousResistanceForceCoefficient", 0, "m"),
			Twisting: atLeastZero(b.reader, p, "viscousResistanceTorqueCoefficient", 0, "m³")}
		switch area := b.text(p, "referenceArea", "immersed area"); area {
		case "immersed area":
		case "xyz-projection", "xyz-projected area": // the second is the manual's
			k.Projected = true
		default:
			noteField(b.reader, scene.Suspicious, p, "referenceArea",
				`referenceArea %q; "immersed area" and "xyz-projection" are known; using "immersed area"`, clip(area))
		}
		b.named = append(b.named, fluidName{k.Fluid, p})
		out = append(out, k)
	}
	return out
}

// fluidName is the name that ImmersionProperties give of a Fluid.
type fluidName struct {
	name string
	of   ref
}

// checkFluidNames notes names that no Fluid of the world has.
func checkFluidNames(rd *reader) {
	for _, n := range rd.named {
		if volume(rd, n.name) == nil {
			noteField(rd, scene.Suspicious, n.of, "fluidName", "fluidName %q, which no Fluid has%s: the Solid does not feel it",
				clip(n.name), knownFluids(rd))
		}
	}
}

// knownFluids lists the Fluids of the world for a message.
func knownFluids(rd *reader) string {
	text := ""
	for i := range rd.spec.Medium.Volumes {
		if i == 5 {
			return text + ", …"
		}
		text += map[bool]string{true: "; there are ", false: ", "}[i == 0] + `"` +
			clip(rd.spec.Medium.Volumes[i].Name) + `"`
	}
	return text
}

// coefficients are those of a drag along the axes of a Solid, in the axes of its model.
func coefficients(b *builder, r ref, name string) r3.Vec {
	v, given := b.get(r, name)
	if !given {
		return r3.Vec{}
	}
	if len(v.Numbers) != 3 {
		b.note(scene.Suspicious, v.file, v.Pos, "%s of %d numbers; want three, using 0 0 0", name, len(v.Numbers))
		return r3.Vec{}
	}
	c := b.vec(r, name, r3.Vec{})
	if !(min(c.X, c.Y, c.Z) >= 0 && max(c.X, c.Y, c.Z) <= mostCoefficient) {
		b.note(scene.Suspicious, v.file, v.Pos, "%s %g %g %g; want three of at least 0, using 0 for what is not",
			name, c.X, c.Y, c.Z)
		for _, x := range [...]*float64{&c.X, &c.Y, &c.Z} {
			if !(*x >= 0 && *x <= mostCoefficient) {
				*x = 0
			}
		}
	}
	return b.turn.Rotate(c).Abs() // axes of files are turned by quarters
}

// mostCoefficient is the largest of the numbers of a fluid, so that what follows from them is finite.
const mostCoefficient = 1e12

// atLeastZero is a number that is not below zero; otherwise, noted, where it is.
func atLeastZero(rd *reader, r ref, name string, otherwise float64, unit string) float64 {
	x := rd.num(r, name, otherwise)
	if x >= 0 && x <= mostCoefficient {
		return x
	}
	noteField(rd, scene.Suspicious, r, name, "%s %g of %s; want at least 0 %s; using %g", name, x, r.n.Type, unit,
		otherwise)
	return otherwise
}

// finite is a vector of finite numbers; zero, noted, where it is not.
func finite(rd *reader, r ref, name string) r3.Vec {
	x := rd.vec(r, name, r3.Vec{})
	if x.IsFinite() && x.MaxAbs() <= mostCoefficient {
		return x
	}
	noteField(rd, scene.Suspicious, r, name, "%s %v of %s; want at most %g; using 0 0 0", name, x, r.n.Type,
		mostCoefficient)
	return r3.Vec{}
}
