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

// The airfield's valley: 600 m by 600 m, 121 heights along each edge, up to 60 m above the runway.
const (
	valleyEdge   = 600.0
	valleyCount  = 121
	valleyHeight = 60.0
)

// valleyAt is the height of the ground: hills of two lengths, which rise away from the runway along x.
func valleyAt(x, y float64) float64 {
	hills := 0.42 + 0.3*math.Sin(0.017*x+0.8)*math.Cos(0.021*y) + 0.16*math.Sin(0.031*x-0.027*y) +
		0.07*math.Sin(0.06*x+1)*math.Sin(0.055*y)
	away := math.Hypot(max(0, math.Abs(x)-95), max(0, math.Abs(y)-18))
	rise := 0.5 * (1 - math.Cos(math.Pi*min(1, away/140)))
	return valleyHeight * rise * min(1, max(0, hills))
}

func TestTheReliefOfTheAirfieldIsAsItIsMade(t *testing.T) {
	got := fmt.Appendf(nil, "P5\n# the airfield of simdeck, %g m along each edge\n%d %d\n65535\n", valleyEdge,
		valleyCount, valleyCount)
	var heights []float64
	for row := range valleyCount { // from the north
		for column := range valleyCount {
			heights = append(heights, valleyAt(valleyEdge*(float64(column)/(valleyCount-1)-0.5),
				valleyEdge*(0.5-float64(row)/(valleyCount-1))))
		}
	}
	top := slices.Max(heights) // white is as high as <size> says
	for _, h := range heights {
		got = binary.BigEndian.AppendUint16(got, uint16(math.Round(h/top*65535)))
	}
	size := fmt.Sprintf("<size>600 600 %.4f</size>", top)
	if text, err := os.ReadFile("airfield/world.sdf"); err != nil || strings.Count(string(text), size) != 2 {
		t.Errorf("world.sdf does not give the relief %s: %v", size, err)
	}
	const file = "airfield/relief.pgm"
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs from what is made (-update rewrites it): %v", file, err)
	}
}
