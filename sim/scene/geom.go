package scene

import "simdeck/sim/r3"

// GeomKind says which fields of a Geom hold its shape.
type GeomKind uint8

// The shapes that files know.
const (
	Box GeomKind = iota + 1
	Sphere
	Cylinder
	Capsule
	Plane
	MeshGeom
	Heightfield
)

// Geom is a shape fixed to a link, for collision or for the eye.
type Geom struct {
	Name     string
	Kind     GeomKind
	Pose     r3.Pose // in the link frame
	Size     r3.Vec  // Box: full edge lengths; Plane: x and y extent for drawing
	Radius   float64 // Sphere, Cylinder, Capsule
	Length   float64 // Cylinder: height; Capsule: length of its straight part; both along local z
	Normal   r3.Vec  // Plane
	Mesh     *Mesh   // MeshGeom; shared, never changed
	Scale    r3.Vec  // of Mesh
	Surface  Surface
	Material Material
}

// Mesh is a triangle mesh in metres before Geom.Scale is applied.
type Mesh struct {
	URI       string
	Vertices  []r3.Vec
	Triangles [][3]int32
}

// Surface is how a collision shape behaves at contact.
type Surface struct {
	Mu, Mu2     float64 // Coulomb friction along and across FrictionDir; Default says whether set
	FrictionDir r3.Vec  // first friction direction in the geom frame; zero: none
	Torsional   float64 // m: radius of the contact patch for torsional friction
	Rolling     float64 // m: rolling friction arm
	Restitution float64 // 0…1
	Default     bool    // no value was given: the engine's default friction applies
}

// Material is what a visual looks like.
type Material struct {
	Name    string
	Colour  [4]float32 // diffuse red, green, blue, alpha in 0…1; alpha 0: unset
	Texture string     // URI; empty: none
}

// Light of a world.
type Light struct {
	Name      string
	Kind      string // "directional", "point", "spot"
	Pose      r3.Pose
	Direction r3.Vec
	Colour    [4]float32
}
