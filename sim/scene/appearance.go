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
	Water      *Water // nil: cameras see through water as through air
}

// Water is the look of the water of a world to cameras that are in it.
type Water struct {
	Level       float64    // m, of its surface
	Attenuation [3]float64 // 1/m, of red, green and blue light
	Colour      [3]float32 // that nothing but water has
}

// JerlovWaters are the attenuation coefficients of Jerlov's types of water, 1/m, for red, green and blue: for
// downward irradiance of 650, 550 and 450 nm. Source: Jerlov, "Marine Optics", 1976, table XXVII.
var JerlovWaters = map[string][3]float64{
	"I":   {0.36, 0.063, 0.019},
	"IA":  {0.37, 0.067, 0.026},
	"IB":  {0.375, 0.072, 0.036},
	"II":  {0.40, 0.089, 0.068},
	"III": {0.445, 0.12, 0.135},
	"1C":  {0.45, 0.12, 0.25},
	"3C":  {0.46, 0.19, 0.39},
	"5C":  {0.54, 0.30, 0.56},
	"7C":  {0.63, 0.46, 0.89},
	"9C":  {0.76, 0.63, 1.6},
}

// Earth is a world's position, magnetic field and air, for GPS, compass and barometer.
type Earth struct {
	Set       bool    // the world says where it lies
	Latitude  float64 // rad, WGS84, of the world's origin
	Longitude float64 // rad
	Elevation float64 // m above the ellipsoid
	Heading   float64 // rad: of the world's x axis, counter-clockwise from east
	Magnetic  r3.Vec  // T, of the world's field in the world frame
	// Of the air at sea level (SDF's <atmosphere>); zero: the standard atmosphere's.
	Temperature float64 // K
	Pressure    float64 // Pa
	// Gradient is the change of the temperature with the height, K/m; nil: the standard atmosphere's.
	Gradient *float64
}
