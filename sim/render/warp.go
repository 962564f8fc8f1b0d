package render

import "math"

// warp bends a straight picture into that of a distorted lens.
type warp struct {
	lens  Lens // that from and to are of
	ideal Lens // without distortion, wide enough for all of it
	from  [][2]float32
}

// outside marks pixels at which the lens sees nothing.
var outside = [2]float32{-1, -1}

// prepare finds for every pixel where it is in the straight picture; it does
// so once for a lens.
func (w *warp) prepare(l *Lens) {
	if w.lens == *l {
		return
	}
	w.lens, w.ideal = *l, *l
	w.ideal.K1, w.ideal.K2, w.ideal.K3, w.ideal.P1, w.ideal.P2 = 0, 0, 0, 0, 0
	w.from = sized(w.from, l.Width*l.Height)
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for v := range l.Height {
		for u := range l.Width {
			x, y, ok := l.undistort((float64(u)-l.CX)/l.FX, (float64(v)-l.CY)/l.FY)
			px, py := float64(x*l.FX)+l.CX, float64(y*l.FY)+l.CY
			// Points distorted further than three pictures to a side are lost.
			if !ok || math.Abs(px-l.CX) > 3*float64(l.Width) || math.Abs(py-l.CY) > 3*float64(l.Height) {
				w.from[v*l.Width+u] = outside
				continue
			}
			w.from[v*l.Width+u] = [2]float32{float32(px), float32(py)}
			left, right, top, bottom = min(left, px), max(right, px), min(top, py), max(bottom, py)
		}
	}
	if left > right {
		return
	}
	x0, y0 := math.Floor(left)-1, math.Floor(top)-1
	w.ideal.Width = min(int(math.Ceil(right)-x0)+2, MostPixels/l.Height/2)
	w.ideal.Height = min(int(math.Ceil(bottom)-y0)+2, MostPixels/w.ideal.Width)
	w.ideal.CX, w.ideal.CY = l.CX-x0, l.CY-y0
	for i := range w.from {
		if w.from[i] != outside {
			w.from[i][0] -= float32(x0)
			w.from[i][1] -= float32(y0)
		}
	}
}

// apply bends a picture: colours are mixed between pixels, depths and labels
// are those of the nearest.
func (w *warp) apply(from *Image, want Want, into *Image) {
	for i, p := range w.from {
		nearest := -1
		x, y := int(p[0]), int(p[1])
		if p != outside && x >= 0 && y >= 0 && x+1 < from.Width && y+1 < from.Height {
			nearest = int(p[1]+0.5)*from.Width + int(p[0]+0.5)
		}
		if want&Depths != 0 {
			into.Depth[i] = endless
			if nearest >= 0 {
				into.Depth[i] = from.Depth[nearest]
			}
		}
		if want&Labels != 0 {
			into.Labels[i] = 0
			if nearest >= 0 {
				into.Labels[i] = from.Labels[nearest]
			}
		}
		if want&Colours == 0 {
			continue
		}
		out := into.RGB[3*i : 3*i+3]
		if nearest < 0 {
			clear(out)
			continue
		}
		from.mix(p[0], p[1], out)
	}
}
