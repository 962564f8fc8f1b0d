package worlds_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// The maze is a grid of corridors; its map has cells of 5 cm, as a robot that walked through would have made
// it.
const (
	mazeColumns, mazeRows = 8, 6 // places
	mazePitch             = 30   // cells of the map from place to place: 1.5 m
	mazeMargin            = 8    // cells around
)

// shades of a map as nav2 writes them.
const (
	freeShade, unknownShade, wallShade = 254, 205, 0
)

// maze is the set of walls: east[y][x] between the cells x and x+1 of row y, north[y][x] between the rows y
// and y+1.
type maze struct{ east, north [mazeRows][mazeColumns]bool }

// newMaze carves a tree of corridors depth first, and then opens every eighth of the remaining walls for
// loops to close.
func newMaze(r *rand.Rand) *maze {
	m := &maze{}
	for y := range mazeRows {
		for x := range mazeColumns {
			m.east[y][x], m.north[y][x] = true, true
		}
	}
	var seen [mazeRows][mazeColumns]bool
	var carve func(x, y int)
	carve = func(x, y int) {
		seen[y][x] = true
		for _, d := range r.Perm(4) {
			u, v := x+[]int{1, 0, -1, 0}[d], y+[]int{0, 1, 0, -1}[d]
			if u < 0 || v < 0 || u >= mazeColumns || v >= mazeRows || seen[v][u] {
				continue
			}
			switch d {
			case 0, 2:
				m.east[y][min(x, u)] = false
			default:
				m.north[min(y, v)][x] = false
			}
			carve(u, v)
		}
	}
	carve(0, 0)
	for y := range mazeRows {
		for x := range mazeColumns {
			m.east[y][x] = m.east[y][x] && (x == mazeColumns-1 || r.IntN(8) > 0)
			m.north[y][x] = m.north[y][x] && (y == mazeRows-1 || r.IntN(8) > 0)
		}
	}
	return m
}

// draw is the picture of a map: what was seen is free or wall, the rest unknown. The thickness of walls
// wavers, as that of a scanned wall does.
func (m *maze) draw(r *rand.Rand) []byte {
	width, height := mazeColumns*mazePitch+2*mazeMargin, mazeRows*mazePitch+2*mazeMargin
	cells := bytes.Repeat([]byte{unknownShade}, width*height)
	fill := func(x, y, w, h int, shade byte) {
		for v := y; v < y+h; v++ {
			for u := x; u < x+w; u++ {
				cells[(height-1-v)*width+u] = shade
			}
		}
	}
	fill(mazeMargin, mazeMargin, width-2*mazeMargin, height-2*mazeMargin, freeShade)
	wall := func(x, y int, upright bool) { // from one corner of places to the next
		for k := -1; k <= mazePitch; {
			length, thick := min(6+r.IntN(18), mazePitch+1-k), 3+r.IntN(2)
			if upright {
				fill(x-1, y+k, thick, length, wallShade)
			} else {
				fill(x+k, y-1, length, thick, wallShade)
			}
			k += length
		}
	}
	for y := range mazeRows {
		for x := range mazeColumns {
			left, low := mazeMargin+x*mazePitch, mazeMargin+y*mazePitch
			if x == 0 {
				wall(left, low, true)
			}
			if y == 0 {
				wall(left, low, false)
			}
			if m.east[y][x] {
				wall(left+mazePitch, low, true)
			}
			if m.north[y][x] {
				wall(left, low+mazePitch, false)
			}
		}
	}
	return append(fmt.Appendf(nil, "P5\n# the maze of simdeck, 5 cm per pixel\n%d %d\n255\n", width, height),
		cells...)
}

func TestTheMapOfTheMazeIsAsItIsDrawn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	got := newMaze(r).draw(r)
	const file = "maze/maze_map.pgm"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is drawn (-update rewrites it): %v", file, err)
	}
}
