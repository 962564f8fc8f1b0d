package scene

// Splats is a cloud of Gaussians (Kerbl et al., "3D Gaussian Splatting for Real-Time Radiance Field
// Rendering", 2023), in the frame of its file. Never changed.
type Splats struct {
	URI       string
	Gaussians []Gaussian
	Degree    int       // of the spherical harmonics beyond the constant: 0…3
	Harmonics []float32 // per Gaussian 3·((Degree+1)²-1) coefficients: all of red, of green, of blue
}

// Gaussian is one anisotropic 3D Gaussian.
type Gaussian struct {
	Pos     [3]float32 // m
	Scale   [3]float32 // m: standard deviations along its axes
	Rot     [4]float32 // w, x, y, z, of length 1
	Opacity float32    // 0…1
	Base    [3]float32 // the constant coefficients of red, green and blue; Colour makes a colour of them
}

// Colour is the colour of the constant harmonics alone: red, green and blue in 0…1.
func (g *Gaussian) Colour() [3]float32 {
	const y0 = 0.28209479177387814 // 1/(2·√π)
	var c [3]float32
	for k, b := range g.Base {
		c[k] = max(0, min(1, 0.5+float32(y0*b)))
	}
	return c
}
