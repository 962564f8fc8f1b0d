// Package occupancy reads occupancy grid maps: the YAML of nav2_map_server with its picture, PGM or PNG. They
// become a grid of free, occupied and unknown cells, and the occupied ones become walls, a few boxes for many
// cells.
//
// Cells follow nav2's map_io: a pixel's shade against two inclusive thresholds, in the modes trinary, scale
// and raw.
package occupancy

import (
	"fmt"
	"math"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

// Values of a cell. The modes scale and raw also make numbers between Free and Occupied.
const (
	Unknown  = -1
	Free     = 0
	Occupied = 100
)

// Files is the file access of a map.
type Files interface {
	// Read is the file that the document at from names, and what messages call it.
	Read(uri string, from asset.Ref, limit int64) (data []byte, name string, err error)
}

// Map is a grid of cells.
type Map struct {
	Name       string
	Width      int     // cells along x
	Height     int     // cells along y
	Cells      []int8  // row by row from the smallest y: Unknown, or 0 … 100
	Resolution float64 // m: edge of a cell
	X, Y       float64 // m: the lower left corner of cell 0, in the world
	Yaw        float64 // rad: of the grid about that corner
	WallHeight float64 // m
}

// Bounds of what is read.
const (
	maxText   = 1 << 20
	maxImage  = 256 << 20
	maxPixels = 36_000_000 // 6000 × 6000
	maxWalls  = 100_000    // boxes
	maxExtent = 1e6        // m
)

// wallHeight is that of walls unless the file says wall_height: above every lidar of a ground robot.
const wallHeight = 2.0

// Read reads the YAML of a map and the picture it names. Errors wrap scene.ErrParse, or
// scene.ErrMissingAssets where the picture cannot be had.
func Read(name string, ref asset.Ref, data []byte, files Files) (*Map, scene.Notes, error) {
	s, err := settings(name, data)
	if err != nil {
		return nil, nil, err
	}
	pixels, file, err := files.Read(s.image, ref, maxImage)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s: image: %w", scene.ErrMissingAssets, s.at("image"), err)
	}
	p, err := decode(pixels)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s: image %s: %w", scene.ErrParse, s.at("image"), file, err)
	}
	m := &Map{Name: s.name(), Width: p.width, Height: p.height, Resolution: s.resolution, X: s.origin[0],
		Y:   s.origin[1],
		Yaw: s.origin[2], WallHeight: s.height}
	if size := float64(max(p.width, p.height)) * m.Resolution; !(size < maxExtent) {
		return nil, nil, fmt.Errorf("%w: %s: %d × %d cells of %g m; at most %g m are read", scene.ErrParse,
			s.at("resolution"), p.width, p.height, m.Resolution, maxExtent)
	}
	m.Cells = s.cells(p)
	return m, s.notes, nil
}

// cells turns pixels, whose first row is the top, into cells, whose first row is the bottom.
func (s *setting) cells(p *pixels) []int8 {
	table := make([]int8, len(p.shades))
	for i, shade := range p.shades {
		table[i] = s.cell(shade)
	}
	out := make([]int8, p.width*p.height)
	index := make([]int32, p.width)
	for y := range p.height {
		row := out[(p.height-1-y)*p.width:][:p.width]
		p.row(y, index)
		for x, shade := range index {
			if row[x] = Unknown; shade != seeThrough {
				row[x] = table[shade]
			}
		}
	}
	return out
}

// cell is the value of a cell of a brightness from 0 to 1, in single precision as nav2 computes it.
func (s *setting) cell(bright float32) int8 {
	occ := 1 - bright
	if s.negate {
		occ = bright
	}
	if s.mode == "raw" {
		if raw := math.RoundToEven(float64(occ * 255)); raw <= Occupied {
			return int8(raw)
		}
		return Unknown
	}
	switch {
	case occ <= s.free:
		return Free
	case occ >= s.occupied:
		return Occupied
	case s.mode == "scale":
		return int8(math.RoundToEven(float64((occ - s.free) / (s.occupied - s.free) * Occupied)))
	}
	return Unknown
}
