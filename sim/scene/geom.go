package scene

import (
	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

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
	Pose     r3.Pose  // in the link frame
	Size     r3.Vec   // Box: full edge lengths; Plane: x and y extent for drawing
	Radius   float64  // Sphere, Cylinder, Capsule
	Length   float64  // Cylinder: height; Capsule: length of its straight part; both along local z
	Normal   r3.Vec   // Plane
	Mesh     *Mesh    // MeshGeom; shared, never changed
	Scale    r3.Vec   // of Mesh
	Heights  *Heights // Heightfield; shared, never changed
	Surface  Surface
	Material Material
	Retro    float64 // of a collision shape: how strongly it answers a laser (SDF's laser_retro); 0: not said
	NoShadow bool    // of a visual: it casts none
	Lamp     int     // of a visual: it has the light of ModelSpec.Lamps[Lamp-1]; 0: none
	Category uint32  // of a collision shape: a pair touches when the Category of each meets the other's Mask;
	Mask     uint32  // both zero: it touches everything
}

// Mesh is a triangle mesh in metres before Geom.Scale is applied.
type Mesh struct {
	URI       string
	Vertices  []r3.Vec
	Triangles [][3]int32
	Corners   [][3]Corner // by Triangles; nil: the file says nothing of normals and textures
	Looks     []Look      // materials of runs of Triangles, in their order; nil: the file has none
	Solids    Solids      // makes its collision shapes; nil: whoever needs them does
}

// Solids makes and caches the collision shapes of meshes: they are expensive, and shared by users of the same
// mesh and scale. Its results are shared and immutable. Errors are those of package shape. Safe from any
// goroutine.
type Solids interface {
	// Surface is shape.NewMesh of the scaled mesh.
	Surface(scale r3.Vec) (*shape.Mesh, error)
	// Hulls is shape.Decompose of the scaled mesh.
	Hulls(scale r3.Vec, c shape.Cut) ([]*shape.Hull, error)
}

// Scaled is the vertices times a factor for each axis; not to be changed.
func (m *Mesh) Scaled(by r3.Vec) []r3.Vec {
	if by == r3.V(1, 1, 1) {
		return m.Vertices
	}
	out := make([]r3.Vec, len(m.Vertices))
	for i, v := range m.Vertices {
		out[i] = v.Mul(by)
	}
	return out
}

// Surface holds the contact parameters of a collision shape.
type Surface struct {
	Mu, Mu2            float64 // Coulomb friction along and across FrictionDir; Default says whether set
	FrictionDir        r3.Vec  // first friction direction in the geom frame; zero: none
	DirFrame           string  // of FrictionDir, where it is another link's, which does not turn with a wheel
	Torsional          float64 // m: torque per N that resists spinning on the spot
	Rolling            float64 // m: the same for rolling
	Restitution        float64 // 0…1
	Threshold          float64 // m/s: below it nothing bounces; 0: not said
	Slip, Slip2        float64 // m/s per N of friction, along FrictionDir and across
	Stiffness          float64 // N/m of each point of contact; 0: stiff
	Damping            float64 // N·s/m, with Stiffness
	AllowedPenetration float64 // m: overlaps up to it stay
	Condim             uint8   // of a geom of MJCF: 1, 3, 4 or 6; 0: of another format
	Priority           int32   // of a geom of MJCF
	Default            bool    // no value was given: the engine's default friction applies
	Velocity           SurfaceVelocity
}

// SurfaceVelocity is the velocity of a surface against its shape, in the geom frame. At a point x with the
// outward normal n it is the part along the surface of Linear + Angular × x + Belt × n. The first two are
// MJCF's surfacevel, of conveyors and turntables; the last runs around the shape, as tracks do.
type SurfaceVelocity struct {
	Linear  r3.Vec // m/s
	Angular r3.Vec // rad/s, about the origin of the geom frame
	Belt    r3.Vec // m/s, along the axis around which it runs
}

// Material is the appearance of a visual. Colours are red, green, blue and alpha in 0…1; an alpha of 0 means
// that the file does not say.
type Material struct {
	Name        string
	Colour      [4]float32 // diffuse; its alpha is that of the whole
	Ambient     [4]float32
	Specular    [4]float32
	Emissive    [4]float32
	Shininess   float32  // exponent of the highlight; 0: not said
	Texture     string   // URI of the image that is multiplied with Colour; empty: none
	Image       *Texture // it as decoded; nil: none, or it could not be had
	DoubleSided bool     // its back is seen as well
}
