package worlds_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// The hills: 40 m by 40 m, 129 heights along each edge, up to 4 m high, level around the middle.
const (
	hillEdge   = 40.0
	hillCount  = 129
	hillHeight = 4.0
)

// hillAt is the height of the ground: waves of three lengths, which fade out around the camp in the middle.
func hillAt(x, y float64) float64 {
	waves := 0.5 + 0.22*math.Sin(0.23*x+1) + 0.17*math.Cos(0.31*y-0.2*x) +
		0.06*math.Sin(0.8*x)*math.Cos(0.7*y)
	away := math.Hypot(x, y)
	fade := 0.5 * (1 - math.Cos(math.Pi*min(1, max(0, (away-4)/6))))
	return hillHeight * (0.4 + fade*(min(1, max(0, waves))-0.4))
}

func TestTheReliefOfTheHillsIsAsItIsMade(t *testing.T) {
	got := fmt.Appendf(nil, "P5\n# the hills of simdeck, %g m along each edge\n%d %d\n65535\n", hillEdge,
		hillCount, hillCount)
	var heights []float64
	for row := range hillCount { // from the north
		for column := range hillCount {
			heights = append(heights, hillAt(hillEdge*(float64(column)/(hillCount-1)-0.5),
				hillEdge*(0.5-float64(row)/(hillCount-1))))
		}
	}
	top := slices.Max(heights) // white is as high as <size> says
	for _, h := range heights {
		got = binary.BigEndian.AppendUint16(got, uint16(math.Round(h/top*65535)))
	}
	size := fmt.Sprintf("<size>40 40 %.4f</size>", top)
	if text, err := os.ReadFile("hills/world.sdf"); err != nil || strings.Count(string(text), size) != 2 {
		t.Errorf("world.sdf does not give the relief %s: %v", size, err)
	}
	const file = "hills/relief.pgm"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is made (-update rewrites it): %v", file, err)
	}
}
