package source

import (
	"errors"
	"fmt"

	"simdeck/sim/asset"
	"simdeck/sim/asset/texture"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// maxTerrain bounds the points of a terrain along an edge.
const maxTerrain = 8193

// Reliefs is an optional interface of Files.
type Reliefs interface {
	// Relief reads the image that the document at from names as heights. Errors are those of packages asset
	// and picture.
	Relief(uri string, from asset.Ref) (*texture.Relief, error)
}

// relief asks the files for an image.
func (d *Doc) relief(uri string) (*texture.Relief, error) {
	if f, ok := d.Files.(Reliefs); ok {
		return f.Relief(uri, d.Ref)
	}
	return nil, fmt.Errorf("%w: %s: there are no pictures of heights here", asset.ErrNotFound, clip(uri))
}

// Heights fills a geom with the terrain of an image, over size.X by size.Y metres. Black is at 0, the
// brightest pixel size.Z above it, and the top row at the greatest y. With a negative size.Z white is at 0
// and black above it. False: it could not be had, and a note says why; the geom's kind then tells that it was
// to be a terrain.
func (d *Doc) Heights(n *xmltree.Node, uri string, size r3.Vec, g *scene.Geom) bool {
	g.Kind = scene.Heightfield
	r, err := d.relief(uri)
	switch {
	case errors.Is(err, scene.ErrUnsupportedFormat) || errors.Is(err, texture.ErrFormat) ||
		errors.Is(err, texture.ErrCorrupt) || errors.Is(err, asset.ErrTooLarge) ||
		errors.Is(err, asset.ErrNotAFile):
		d.Note(scene.Unreadable, n, "heightmap %s", named(uri, err))
		return false
	case err != nil:
		d.Note(scene.Missing, n, "heightmap: %v", err)
		return false
	case r.Width < 2 || r.Height < 2 || r.Width > maxTerrain || r.Height > maxTerrain:
		d.Note(scene.Unreadable, n, "heightmap %s: %d × %d pixels; from 2 to %d along an edge make a terrain",
			clip(uri), r.Width, r.Height, maxTerrain)
		return false
	}
	top := 0.0
	for _, b := range r.Bright {
		top = max(top, float64(b))
	}
	h := &scene.Heights{URI: uri, Columns: r.Width, Rows: r.Height, X: size.X, Y: size.Y,
		Z: make([]float32, len(r.Bright))}
	for y := range r.Height {
		for x := range r.Width {
			part := 0.0
			if top > 0 {
				part = float64(r.Bright[y*r.Width+x]) / top
			}
			z := size.Z * part
			if size.Z < 0 {
				z = -size.Z * (1 - part)
			}
			h.Z[(r.Height-1-y)*r.Width+x] = float32(z)
		}
	}
	g.Heights = h
	return true
}
