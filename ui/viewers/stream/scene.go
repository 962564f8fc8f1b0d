package stream

// Scene is a world as viewers draw it. Where its poses are comes in frames of motion with the scene's World
// and Revision. Meshes and textures have the addresses mesh/HASH and texture/HASH.
type Scene struct {
	World     uint32     `json:"world"`
	Revision  uint32     `json:"revision"`
	Name      string     `json:"name"`
	Poses     int        `json:"poses"` // of its frames of motion
	Entities  []Entity   `json:"entities"`
	Items     []Item     `json:"items"`
	Shapes    []Shape    `json:"shapes"`
	Materials []Material `json:"materials"`
	Light     Light      `json:"light"`
}

// Entity is a model that stands in the world.
type Entity struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	Static   bool   `json:"static,omitempty"`
	First    int    `json:"first"` // of its poses
	Count    int    `json:"count"`
}

// Item is a shape fixed to a pose.
type Item struct {
	Pose  int        `json:"pose"`
	Shape int        `json:"shape"` // index into Shapes
	At    [7]float32 `json:"at"`    // in the frame of the pose: x, y, z, and w, x, y, z of a quaternion
}

// Shape is a mesh with materials for runs of its triangles.
type Shape struct {
	Mesh   string  `json:"mesh"` // hash
	Center Vector  `json:"center"`
	Radius float32 `json:"radius"` // m, around Center
	Runs   []Run   `json:"runs"`
	// it casts none
	NoShadow bool `json:"noShadow,omitempty"`
}

// Run is triangles of one material.
type Run struct {
	First    int `json:"first"` // of the indices of corners
	Count    int `json:"count"`
	Material int `json:"material"` // index into Materials
}

// Vector is three numbers: x, y, z in m, or red, green, blue in 0…1.
type Vector [3]float32

// Material is the appearance of triangles.
type Material struct {
	Diffuse     Vector  `json:"diffuse"`
	Ambient     Vector  `json:"ambient"`
	Specular    Vector  `json:"specular"`
	Emissive    Vector  `json:"emissive"`
	Alpha       float32 `json:"alpha"`
	Exponent    float32 `json:"exponent"`          // of highlights
	Texture     string  `json:"texture,omitempty"` // hash; empty: none
	DoubleSided bool    `json:"doubleSided,omitempty"`
	Translucent bool    `json:"translucent,omitempty"`
	// of Lamps, counted from 1, whose light is its emission; 0: none
	Lamp int `json:"lamp,omitempty"`
}

// Lamps are the lights of what glows in a scene. They follow it, and come again when one changes.
type Lamps struct {
	World    uint32   `json:"world"`
	Revision uint32   `json:"revision"` // of the scene
	Glow     []Vector `json:"glow"`
}

// Light is the illumination of a world.
type Light struct {
	Lamps      []Lamp `json:"lamps"`
	Ambient    Vector `json:"ambient"`
	Background Vector `json:"background"`
	Sky        bool   `json:"sky,omitempty"`
}

// Lamp is a light of a world.
type Lamp struct {
	Kind      string  `json:"kind"` // "directional", "point", "spot"
	Position  Vector  `json:"position"`
	Direction Vector  `json:"direction"` // in which it shines, unit, in the world frame
	Diffuse   Vector  `json:"diffuse"`
	Specular  Vector  `json:"specular"`
	Range     float32 `json:"range"` // m; 0: endless
	// attenuation is 1/(Fade[0] + Fade[1]·d + Fade[2]·d²); all zero: none
	Fade    Vector  `json:"fade"`
	Inner   float32 `json:"inner"` // cosines of half the angles of a spot's cone
	Outer   float32 `json:"outer"`
	Falloff float32 `json:"falloff"`
	Shadows bool    `json:"shadows,omitempty"`
}
