package mjcf

import (
	"math"
	"strconv"

	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// geom is a shape of a body as the file has it.
type geom struct {
	scene.Geom
	size       r3.Vec // as MuJoCo means it: half edges, radii
	ellipsoid  bool
	terrain    *terrain
	group      int
	meets, met int // contype, conaffinity
	lost       bool
	density    float64
	mass       float64 // negative: it follows from the density
	shell      bool
	massProps  string           // how the mass of a mesh is found: "exact", "convex", else "legacy"
	papered    repeat           // of a plane: how often its texture stands on it
	fluid      *scene.FluidCoef // of its ellipsoid in a fluid; nil: the body's inertia is in it
	elem       elem
}

// placed is a shape with its body.
type placed struct {
	*geom
	body int
}

// touches reports that the shape can be in contact with anything.
func (g *geom) touches() bool { return g.meets != 0 || g.met != 0 }

// maxShapes bounds the shapes of a document.
const maxShapes = 50_000

func (r *reader) geom(e elem, c context) error {
	a, err := r.classes.attrs(e, c.given)
	if err != nil {
		return err
	}
	b := r.out
	if b.parts >= maxShapes {
		return e.errorf("more than %d shapes in one document with all that it includes", maxShapes)
	}
	g := &geom{elem: e}
	if g.Name, err = b.register("geom", e, c, b.parts); err != nil {
		return err
	}
	if g.Name == "" {
		g.Name = "geom_" + strconv.Itoa(b.parts)
	}
	b.parts++
	if g.Pose, err = r.set.pose(a); err != nil {
		return err
	}
	for _, step := range []func(attrs, *geom) error{r.shape, r.contacts, r.surface, r.weight, immersion,
		r.assets.coat} {
		if err := step(a, g); err != nil {
			return err
		}
	}
	g.Pose = c.frame.Mul(g.Pose)
	owner := b.bodies[c.body]
	if g.lost {
		owner.lost = true
	}
	owner.geoms = append(owner.geoms, g)
	b.shapes = append(b.shapes, placed{g, c.body})
	return nil
}

// shape reads type, size and fromto.
func (r *reader) shape(a attrs, g *geom) error {
	kind, err := a.word("type", "sphere", "plane", "hfield", "capsule", "ellipsoid", "cylinder", "box",
		"mesh", "sdf")
	if err != nil {
		return err
	}
	size, err := a.numbers("size", 1, 3)
	if err != nil {
		return err
	}
	size = append(size, 0, 0, 0)
	g.size = r3.V(size[0], size[1], size[2])
	if ends, err := a.numbers("fromto", 6, 6); err != nil {
		return err
	} else if ends != nil {
		if kind != "capsule" && kind != "cylinder" && kind != "box" && kind != "ellipsoid" {
			return g.elem.errorf("fromto of a %s; capsules, cylinders, boxes and ellipsoids have two ends",
				kind)
		}
		pose, half, err := along(a, ends)
		if err != nil {
			return err
		}
		g.Pose = pose
		g.size.Y = half
		if kind == "box" || kind == "ellipsoid" {
			g.size.Y, g.size.Z = g.size.X, half
		}
	}
	if a.text("mesh") != "" && kind != "mesh" && kind != "sdf" {
		if done, err := r.assets.fitToMesh(a, kind, g); done || err != nil {
			return err
		}
	}
	switch kind {
	case "mesh", "sdf":
		return r.assets.meshGeom(a, g)
	case "hfield":
		return r.assets.hfieldGeom(a, g)
	case "plane":
		g.Kind, g.Normal, g.Size = scene.Plane, r3.V(0, 0, 1), r3.V(2*g.size.X, 2*g.size.Y, 0)
		if g.size.X < 0 || g.size.Y < 0 {
			return g.elem.errorf("a plane of size %q; no length is negative", clip(a.text("size")))
		}
		return nil
	}
	return g.primitive(kind)
}

// along is the pose of a shape between two ends, its z to the first, and half of its length.
func along(a attrs, f []float64) (r3.Pose, float64, error) {
	from, to := r3.V(f[0], f[1], f[2]), r3.V(f[3], f[4], f[5])
	d := from.Sub(to)
	z, ok := d.Unit()
	if !ok {
		_, at, _ := a.find("fromto")
		return r3.IdentityPose(), 0, at.errorf("fromto=%q: both ends are in one place",
			clip(a.text("fromto")))
	}
	return r3.Pose{Pos: from.Lerp(to, 0.5), Rot: upTo(z)}, d.Len() / 2, nil
}

// primitive fills in a shape that is known by its size.
func (g *geom) primitive(kind string) error {
	lengths := []float64{g.size.X, g.size.Y,
		g.size.Z}[:map[string]int{"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}[kind]]
	for _, l := range lengths {
		if !(l > 0) {
			return g.elem.errorf("a %s of size %v; it needs %d lengths greater than zero", kind, lengths,
				len(lengths))
		}
	}
	switch kind {
	case "sphere":
		g.Kind, g.Radius = scene.Sphere, g.size.X
	case "capsule":
		g.Kind, g.Radius, g.Length = scene.Capsule, g.size.X, 2*g.size.Y
	case "cylinder":
		g.Kind, g.Radius, g.Length = scene.Cylinder, g.size.X, 2*g.size.Y
	case "box":
		g.Kind, g.Size = scene.Box, g.size.Scale(2)
	case "ellipsoid":
		g.ellipsoid = true
		source.Ellipsoid(g.size, &g.Geom)
	}
	return nil
}

// contacts reads the bits that say what a shape touches: a pair does when contype of one meets conaffinity of
// the other.
func (r *reader) contacts(a attrs, g *geom) error {
	var err error
	if g.meets, err = a.whole("contype", 1); err != nil {
		return err
	}
	if g.met, err = a.whole("conaffinity", 1); err != nil {
		return err
	}
	group, err := a.whole("group", 0)
	if err != nil {
		return err
	}
	g.group = group
	if !r.set.contacts {
		g.meets, g.met = 0, 0
	}
	const low = 1<<16 - 1
	if (g.meets|g.met)&^low != 0 {
		g.elem.note(scene.Unsupported, "contype %d and conaffinity %d: of their bits the lower 16 count",
			g.meets, g.met)
		if g.meets&low == 0 && g.met&low == 0 {
			g.meets, g.met = 1, 1
		}
	}
	g.meets, g.met = g.meets&low, g.met&low
	source.Touch(&g.Geom, uint16(g.meets), uint16(g.met))
	return nil
}

// surface reads friction and how much a contact gives.
func (r *reader) surface(a attrs, g *geom) error {
	f := []float64{1, 0.005, 0.0001}
	own, err := a.numbers("friction", 1, 3)
	if err != nil {
		return err
	}
	copy(f, own)
	for _, v := range f {
		if v < 0 {
			return g.elem.errorf("friction %q; no friction is negative", clip(a.text("friction")))
		}
	}
	dims, err := a.whole("condim", 3)
	if err != nil {
		return err
	}
	if dims != 1 && dims != 3 && dims != 4 && dims != 6 {
		return g.elem.errorf("condim=%d; want 1, 3, 4 or 6", dims)
	}
	priority, err := a.whole("priority", 0)
	if err != nil {
		return err
	}
	g.Surface = scene.Surface{Mu: f[0], Mu2: f[0], Torsional: f[1], Rolling: f[2], Condim: uint8(dims)}
	g.Surface.Priority = int32(max(math.MinInt32, min(math.MaxInt32, priority)))
	if g.Surface.Velocity, err = a.surfaceVelocity(); err != nil {
		return err
	}
	if v, err := a.first("adhesion", 3, 0); err == nil && v != 0 {
		g.elem.note(scene.Unsupported, "adhesion: nothing sticks here")
	}
	g.Surface.Restitution, err = a.bounce()
	return err
}

// maxSurfaceVelocity bounds the numbers of surfacevel, m/s and rad/s, as the engine does.
const maxSurfaceVelocity = 1e6

// surfaceVelocity reads up to six numbers: a velocity, and an angular velocity about the geom's origin.
func (a attrs) surfaceVelocity() (v scene.SurfaceVelocity, err error) {
	own, err := a.numbers("surfacevel", 1, 6)
	if err != nil || own == nil {
		return v, err
	}
	for _, x := range own {
		if !(math.Abs(x) <= maxSurfaceVelocity) {
			return v, a.own().errorf("surfacevel=%q; want at most %g m/s and rad/s", clip(a.text("surfacevel")),
				maxSurfaceVelocity)
		}
	}
	var f [6]float64
	copy(f[:], own)
	return scene.SurfaceVelocity{Linear: r3.V(f[0], f[1], f[2]), Angular: r3.V(f[3], f[4], f[5])}, nil
}

// bounce is the restitution of a contact with a spring and a damper. solref is a time constant and a damping
// ratio ζ or, both negative, a stiffness and a damping. Half an oscillation later, e^(−πζ/√(1−ζ²)) of the
// speed is left.
func (a attrs) bounce() (float64, error) {
	f, err := a.numbers("solref", 1, 2)
	if err != nil || len(f) < 2 {
		return 0, err
	}
	ratio := f[1]
	if f[0] < 0 {
		ratio = -f[1] / (2 * math.Sqrt(-f[0]))
	}
	if ratio >= 1 || ratio < 0 {
		return 0, nil
	}
	return r3.Exp(-math.Pi * ratio / math.Sqrt(1-ratio*ratio)), nil
}

// weight reads what the mass of a shape follows from.
func (r *reader) weight(a attrs, g *geom) error {
	var err error
	if g.density, err = a.number("density", 1000); err != nil {
		return err
	}
	if g.mass, err = a.number("mass", -1); err != nil {
		return err
	}
	if g.shell, err = a.truth("shellinertia", false); err != nil {
		return err
	}
	if g.density < 0 || a.has("mass") && g.mass < 0 {
		return g.elem.errorf("a mass of %g kg or a density of %g kg/m³; neither is negative", g.mass,
			g.density)
	}
	return nil
}

// immersion reads the coefficients of a shape that is an ellipsoid in a fluid.
func immersion(a attrs, g *geom) error {
	kind, err := a.word("fluidshape", "none", "ellipsoid")
	if err != nil || kind == "none" {
		return err
	}
	c := scene.DefaultFluidCoef()
	f, err := a.numbers("fluidcoef", 1, 5)
	if err != nil {
		return err
	}
	for i, to := range []*float64{&c.Blunt, &c.Slender, &c.Angular, &c.Kutta, &c.Magnus}[:len(f)] {
		*to = f[i]
	}
	g.fluid = &c
	return nil
}

// halfAxes are those of the ellipsoid that stands for a shape in a fluid; false: nothing does.
func (g *geom) halfAxes() (r3.Vec, bool) {
	switch {
	case g.Kind == scene.Sphere:
		return r3.V(g.size.X, g.size.X, g.size.X), true
	case g.Kind == scene.Capsule:
		return r3.V(g.size.X, g.size.X, g.size.Y+g.size.X), true
	case g.Kind == scene.Cylinder:
		return r3.V(g.size.X, g.size.X, g.size.Y), true
	case g.ellipsoid || g.Kind == scene.Box:
		return g.size, true
	}
	return r3.Vec{}, false
}
