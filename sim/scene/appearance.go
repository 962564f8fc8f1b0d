package scene

import "simdeck/sim/r3"

// Corner holds the attributes of a triangle's corner besides its position. A Normal of zero is none.
type Corner struct {
	Normal [3]float32
	UV     [2]float32 // (0, 0) is the lower left of the texture
}

// Look is a run of triangles with one material: from First to the next Look's.
type Look struct {
	First    int
	Material Material
}

// Texture is a decoded image and its halved copies, the largest first. Never
// changed.
type Texture struct {
	Levels      []TextureLevel
	Translucent bool // some of it lets through what is behind
}

// TextureLevel is an image: red, green, blue and alpha of 8 bits, not
// multiplied with each other, row by row from the top.
type TextureLevel struct {
	Width, Height int
	Pix           []uint8
}

// Light of a world, as SDF has it. It stands at Pose; directional and spot
// lights shine along Direction, which is given in the frame of Pose.
type Light struct {
	Name         string
	Kind         string // "directional", "point", "spot"
	Pose         r3.Pose
	Direction    r3.Vec
	Colour       [4]float32 // diffuse
	Specular     [4]float32
	Intensity    float64 // factor on both; 0: 1
	Range        float64 // m; 0: endless
	Constant     float64 // attenuation is 1/(Constant + Linear·d + Quadratic·d²); all zero: none
	Linear       float64 // 1/m
	Quadratic    float64 // 1/m²
	Inner, Outer float64 // rad: full angles of a spot's cone
	Falloff      float64 // exponent of a spot between Inner and Outer
	Shadows      bool
	Off          bool
}

// Ambience is the lighting and background of a world. The zero value is a world that says nothing of it.
type Ambience struct {
	Ambient    [4]float32 // light from everywhere; alpha 0: not said
	Background [4]float32 // color without any surface; alpha 0: not given
	Sky        bool       // a sky instead of the background
	NoShadows  bool
}

// Earth is a world's position, magnetic field and air, for GPS, compass and barometer.
type Earth struct {
	Set       bool    // the world says where it lies
	Latitude  float64 // rad, WGS84, of the world's origin
	Longitude float64 // rad
	Elevation float64 // m above the ellipsoid
	Heading   float64 // rad: of the world's x axis, counter-clockwise from east
	Magnetic  r3.Vec  // T, of the world's field in the world frame
	// Of the air at the world's origin; zero: the standard atmosphere's.
	Temperature float64 // K
	Pressure    float64 // Pa
}
