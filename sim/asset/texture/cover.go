package texture

import (
	"math"

	"simdeck/sim/scene"
)

// Layer is a picture that lies on a terrain again and again.
type Layer struct {
	Image *scene.Texture
	Size  float64 // m, of one
	// Above the first layer each covers the ones before it at height: not at all up to From, wholly from Fade
	// above it on.
	From, Fade float64 // m
}

// coverEdge is the most pixels along an edge of a cover.
const coverEdge = 1024

// Cover is one picture of a whole terrain, seen from above with the greatest y at the top. It blends the
// layers by height as Gazebo does. It is as fine as the finest of them, within bounds. Transparency is
// ignored: Gazebo's textures have their gloss in that channel.
func Cover(h *scene.Heights, layers []Layer) *scene.Texture {
	width, height := coverSize(h.X, layers, 0), coverSize(h.Y, layers, 1)
	whole := scene.TextureLevel{Width: width, Height: height, Pix: make([]uint8, 4*width*height)}
	tiles := make([]tiling, len(layers))
	for i, l := range layers {
		tiles[i] = tilingOf(l, h.X/float64(width), h.Y/float64(height))
	}
	for row := range height {
		y := h.Y * (1 - (float64(row)+0.5)/float64(height))
		for column := range width {
			x := h.X * (float64(column) + 0.5) / float64(width)
			out := whole.Pix[4*(row*width+column):]
			z := heightAt(h, x/h.X, y/h.Y)
			for i := range tiles {
				tiles[i].lay(out, x, y, z, i == 0)
			}
			out[3] = 255
		}
	}
	t := &scene.Texture{Levels: []scene.TextureLevel{whole}}
	for l := whole; l.Width > 1 || l.Height > 1; {
		l = halved(l)
		t.Levels = append(t.Levels, l)
	}
	return t
}

// coverSize is the number of pixels of an edge that show the finest layer in full.
func coverSize(edge float64, layers []Layer, axis int) int {
	most := 1.0
	for _, l := range layers {
		pixels := [2]int{l.Image.Levels[0].Width, l.Image.Levels[0].Height}[axis]
		most = max(most, edge/l.Size*float64(pixels))
	}
	return int(min(math.Ceil(most), coverEdge))
}

// tiling is a layer at the level of its picture whose pixels are about as large as those of the cover.
type tiling struct {
	Layer
	level scene.TextureLevel
}

func tilingOf(l Layer, wide, high float64) tiling {
	k := 0
	for k+1 < len(l.Image.Levels) && l.Size/float64(l.Image.Levels[k+1].Width) <= wide &&
		l.Size/float64(l.Image.Levels[k+1].Height) <= high {
		k++
	}
	return tiling{l, l.Image.Levels[k]}
}

// lay puts the layer over what is there.
func (t *tiling) lay(out []uint8, x, y, z float64, first bool) {
	part := 1.0
	if !first {
		part = 0
		if z > t.From {
			part = min(1, (z-t.From)/max(t.Fade, 1e-9))
		}
	}
	if part == 0 {
		return
	}
	u, v := x/t.Size, y/t.Size
	column := min(int((u-math.Floor(u))*float64(t.level.Width)), t.level.Width-1)
	row := t.level.Height - 1 - min(int((v-math.Floor(v))*float64(t.level.Height)), t.level.Height-1)
	pix := t.level.Pix[4*(row*t.level.Width+column):]
	for k := range 3 {
		out[k] = uint8(math.Round(float64(out[k]) + part*(float64(pix[k])-float64(out[k]))))
	}
}

// heightAt is the terrain between its points; u and v go from 0 at the least x and y to 1.
func heightAt(h *scene.Heights, u, v float64) float64 {
	x, y := u*float64(h.Columns-1), v*float64(h.Rows-1)
	i, j := min(int(x), h.Columns-2), min(int(y), h.Rows-2)
	a, b := x-float64(i), y-float64(j)
	z := func(i, j int) float64 { return float64(h.Z[j*h.Columns+i]) }
	low := z(i, j) + a*(z(i+1, j)-z(i, j))
	high := z(i, j+1) + a*(z(i+1, j+1)-z(i, j+1))
	return low + b*(high-low)
}
