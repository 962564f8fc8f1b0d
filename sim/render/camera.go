// Package render is a software camera: it renders a world as colours, depths and labels, with materials,
// textures, lights and shadows. The camera sensor and the console's viewport both use it.
//
// A Stage says what there is to see, by the links that it is fixed to; where
// the links are comes with every frame. A Renderer owns the memory of a frame
// and allocates nothing once it has it; it is for one goroutine. Pictures
// depend on nothing but what is drawn, bit for bit: every product that is added
// is written so that no compiler fuses it.
package render

import (
	"fmt"
	"math"

	"simdeck/sim/r3"
)

// MostPixels is the most pixels of a picture: files could ask for any memory.
const MostPixels = 16 << 20

// Lens is a pinhole with the distortion that OpenCV and ROS call plumb_bob.
// Pixel (u, v) is seen along ((u-CX)/FX, (v-CY)/FY, 1) before distortion, so
// that whole numbers are the middles of pixels. A spherical one sees it at the angle (u-CX)/FX to the right
// and (v-CY)/FY downwards, in radians, and its depths are distances.
type Lens struct {
	Spherical      bool
	Width, Height  int
	FX, FY, CX, CY float64 // px; of a spherical one FX and FY px/rad
	K1, K2, K3     float64 // radial
	P1, P2         float64 // tangential
}

// LensOf is the lens of a picture that is so wide, in radians.
func LensOf(width, height int, fov float64) Lens {
	f := float64(width) / 2 / r3.Tan(fov/2)
	return Lens{Width: width, Height: height, FX: f, FY: f, CX: float64(width) / 2, CY: float64(height) / 2}
}

// Check says what makes a lens impossible; nil when nothing does.
func (l *Lens) Check() error {
	if l.Width < 1 || l.Height < 1 || l.Width > MostPixels/l.Height {
		return fmt.Errorf("picture of %d × %d pixels: want 1 to %d in all", l.Width, l.Height, MostPixels)
	}
	for _, f := range [...]float64{l.FX, l.FY, l.CX, l.CY, l.K1, l.K2, l.K3, l.P1, l.P2} {
		if math.IsNaN(f) || math.Abs(f) > 1e6 {
			return fmt.Errorf("lens with the value %v: want finite numbers", f)
		}
	}
	if l.FX < 1e-3 || l.FY < 1e-3 {
		return fmt.Errorf("lens with focal lengths of %v and %v px: want positive ones", l.FX, l.FY)
	}
	return nil
}

// Distorted reports whether the lens bends straight lines.
func (l *Lens) Distorted() bool {
	return l.K1 != 0 || l.K2 != 0 || l.K3 != 0 || l.P1 != 0 || l.P2 != 0
}

// bend is the distorted image of a point (x, y) at depth 1 (Brown's model).
func (l *Lens) bend(x, y float64) (float64, float64) {
	r2 := float64(x*x) + float64(y*y)
	radial := 1 + float64(r2*(l.K1+float64(r2*(l.K2+float64(r2*l.K3)))))
	xy := x * y
	bx := float64(x*radial) + float64(2*l.P1*xy) + float64(l.P2*(r2+float64(2*x*x)))
	by := float64(y*radial) + float64(l.P1*(r2+float64(2*y*y))) + float64(2*l.P2*xy)
	return bx, by
}

// steep is the derivative of bend, a symmetric matrix: how bx changes with x,
// either with the other, and by with y.
func (l *Lens) steep(x, y float64) (xx, xy, yy float64) {
	r2 := float64(x*x) + float64(y*y)
	radial := 1 + float64(r2*(l.K1+float64(r2*(l.K2+float64(r2*l.K3)))))
	slope := 2 * (l.K1 + float64(r2*(2*l.K2+float64(3*r2*l.K3)))) // of radial, by r2 and twice
	xx = radial + float64(float64(slope*x)*x) + float64(2*l.P1*y) + float64(6*l.P2*x)
	xy = float64(float64(slope*x)*y) + float64(2*l.P1*x) + float64(2*l.P2*y)
	yy = radial + float64(float64(slope*y)*y) + float64(6*l.P1*y) + float64(2*l.P2*x)
	return xx, xy, yy
}

// undistort is the inverse of the distortion in the part around the middle in which it has one. It uses
// Newton's method with steps that are halved until they come nearer and stay in that part. False where such a
// lens shows nothing: its picture folds back onto itself before it gets there.
func (l *Lens) undistort(x, y float64) (sx, sy float64, ok bool) {
	rx, ry := x, y // the remaining error
	for range 60 {
		rest := math.Abs(rx) + math.Abs(ry)
		if rest < 1e-12*(1+math.Abs(x)+math.Abs(y)) {
			return sx, sy, true
		}
		xx, xy, yy := l.steep(sx, sy)
		det := float64(xx*yy) - float64(xy*xy)
		dx, dy := (float64(yy*rx)-float64(xy*ry))/det, (float64(xx*ry)-float64(xy*rx))/det
		nearer := false
		for k := 1.0; k > 1e-4 && !nearer; k /= 2 {
			tx, ty := sx+float64(k*dx), sy+float64(k*dy)
			bx, by := l.bend(tx, ty)
			if nearer = math.Abs(x-bx)+math.Abs(y-by) < rest && l.oneToOne(tx, ty); nearer {
				sx, sy, rx, ry = tx, ty, x-bx, y-by
			}
		}
		if !nearer {
			return sx, sy, rest < 1e-9
		}
	}
	return 0, 0, false
}

// oneToOne reports whether the picture still grows outward at a point, in both
// directions: where it does not it has folded.
func (l *Lens) oneToOne(x, y float64) bool {
	xx, xy, yy := l.steep(x, y)
	return xx+yy > 0 && float64(xx*yy)-float64(xy*xy) > 0
}

// Direction is along which a pixel of a pinhole is seen, as x and y at depth 1 in the
// optical frame. False where the lens sees nothing.
func (l *Lens) Direction(u, v float64) (x, y float64, ok bool) {
	x, y = (u-l.CX)/l.FX, (v-l.CY)/l.FY
	if !l.Distorted() {
		return x, y, true
	}
	return l.undistort(x, y)
}

// Camera is a lens in a place. Its frame is that of a sensor in SDF and of
// REP-103: it looks along x, y is left, z is up.
type Camera struct {
	Lens
	Pose      r3.Pose
	Near, Far float64 // m along the axis: nothing nearer or farther is seen
}

// Optical is the frame of a picture in the frame of its camera: x right, y
// down, z forward (REP-103's suffix _optical).
func Optical() r3.Quat { return r3.Columns(r3.V(0, -1, 0), r3.V(0, 0, -1), r3.V(1, 0, 0)).Quat() }

// view turns the world frame into the optical one.
func (c *Camera) view() r3.Mat {
	m := c.Pose.Rot.Mat()
	return r3.Columns(m.Col(1).Neg(), m.Col(2).Neg(), m.Col(0)).T()
}

// Project returns the pixel of a point of the world and its depth; false when it is behind a pinhole.
func (c *Camera) Project(p r3.Vec) (u, v, depth float64, ok bool) {
	q := c.view().Apply(p.Sub(c.Pose.Pos))
	if c.Spherical {
		across := r3.Atan2(q.X, q.Z)
		down := r3.Atan2(q.Y, math.Sqrt(float64(q.X*q.X)+float64(q.Z*q.Z)))
		return float64(across*c.FX) + c.CX, float64(down*c.FY) + c.CY, q.Len(), true
	}
	if q.Z <= 0 {
		return 0, 0, q.Z, false
	}
	x, y := c.bend(q.X/q.Z, q.Y/q.Z)
	return float64(x*c.FX) + c.CX, float64(y*c.FY) + c.CY, q.Z, true
}

// Ray is the line along which a pixel is seen: a direction in the world frame
// whose depth is 1. False where the lens sees nothing.
func (c *Camera) Ray(u, v float64) (r3.Ray, bool) {
	ray, ok := c.Lens.Ray(u, v)
	return r3.Ray{Origin: c.Pose.Pos, Dir: c.view().ApplyT(ray)}, ok
}
