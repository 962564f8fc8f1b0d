package render

import (
	"math"
	"slices"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// clearOcean is water of Jerlov's type IB up to a height.
func clearOcean(level float64) *scene.Water {
	return &scene.Water{Level: level, Attenuation: scene.JerlovWaters["IB"],
		Colour: [3]float32{0.05, 0.25, 0.5}}
}

// lit is a stage of items in even light, in some water.
func lit(w *scene.Water, items ...Item) *Stage {
	return &Stage{Items: items, Lights: []scene.Light{{Off: true}},
		Ambience: scene.Ambience{Ambient: [4]float32{1, 1, 1, 1},
			Background: [4]float32{0.6, 0.5, 0.4, 1}, Water: w}}
}

func wall(distance float64, c [4]float32) Item {
	return item(paintedBox(0.1, 400, 400, c), at(distance+0.05, 0, 0))
}

// faded is a byte of a picture after some metres of clearOcean.
func faded(before uint8, channel int, metres float64) float64 {
	w := clearOcean(0)
	left := math.Exp(-w.Attenuation[channel] * metres)
	return left*float64(before) + (1-left)*255*float64(w.Colour[channel])
}

// differs reports a pixel that is not that of another picture after some metres of water.
func differs(t *testing.T, what string, in, out *Image, u, v int, metres float64) {
	t.Helper()
	for k := range 3 {
		i := 3*(v*in.Width+u) + k
		if want := faded(out.RGB[i], k, metres); math.Abs(float64(in.RGB[i])-want) > 1 {
			t.Errorf("%s, channel %d: %d, without water %d; want %.1f after %.3g m", what, k, in.RGB[i], out.RGB[i],
				want, metres)
		}
	}
}

// L = J·e^(−c·r) + B·(1 − e^(−c·r)), by the distance to what is seen and not by its depth.
func TestColoursFadeUnderWaterAsBeerAndLambertSay(t *testing.T) {
	c := looking()
	c.Pose.Pos.Z = -5
	for _, metres := range []float64{0.3, 1, 3, 10, 30} {
		seen := wall(metres, [4]float32{0.7, 0.6, 0.5, 1})
		in, out := draw(lit(clearOcean(1e3), seen), &c, Colours), draw(lit(nil, seen), &c, Colours)
		for _, at := range [][2]int{{32, 24}, {0, 0}, {63, 10}, {5, 47}} {
			ray, _ := c.Lens.Ray(float64(at[0]), float64(at[1]))
			differs(t, "a wall", in, out, at[0], at[1], metres*ray.Len())
		}
	}
}

func TestOnlyACameraInTheWaterSeesThroughIt(t *testing.T) {
	c := looking()
	c.Pose.Pos.Z = 0.1
	seen := wall(3, [4]float32{0.7, 0.6, 0.5, 1})
	in := draw(lit(clearOcean(0), seen), &c, Colours)
	if out := draw(lit(nil, seen), &c, Colours); !slices.Equal(in.RGB, out.RGB) {
		t.Error("a camera above the water sees colors that have faded")
	}
}

// The light that comes from above the surface has lost nothing there.
func TestWaterEndsAtItsSurface(t *testing.T) {
	up := looking()
	up.Pose = r3.Pose{Pos: r3.V(0, 0, -2), Rot: r3.AxisAngle(r3.V(0, 1, 0), -math.Pi/2)}
	roof := item(paintedBox(400, 400, 0.1, [4]float32{0.7, 0.6, 0.5, 1}), at(0, 0, 5))
	for what, items := range map[string][]Item{"a roof in the air": {roof}, "the background": nil} {
		in, out := draw(lit(clearOcean(0), items...), &up, Colours), draw(lit(nil, items...), &up, Colours)
		for _, at := range [][2]int{{32, 24}, {10, 40}} {
			ray, _ := up.Lens.Ray(float64(at[0]), float64(at[1]))
			differs(t, what, in, out, at[0], at[1], 2*ray.Len())
		}
	}
	level := looking()
	level.Pose.Pos.Z = -2
	in := draw(lit(clearOcean(0)), &level, Colours)
	for k, want := range []float64{0.05 * 255, 0.25 * 255, 0.5 * 255} { // below the horizon, without an end
		if got := in.RGB[3*(40*64+32)+k]; math.Abs(float64(got)-want) > 1 {
			t.Errorf("channel %d of nothing but water: %d, want %.1f", k, got, want)
		}
	}
}

// A wall behind a pane has faded by its own distance, and the pane by its own.
func TestWhatIsTransparentFadesByItsOwnDistance(t *testing.T) {
	c := looking()
	c.Pose.Pos.Z = -5
	const near, far, alpha = 2.0, 8.0, 0.5
	behind := wall(far, [4]float32{0.7, 0.6, 0.5, 1})
	solid := wall(near, [4]float32{0.2, 0.3, 0.6, 1})
	pane := wall(near, [4]float32{0.2, 0.3, 0.6, alpha})
	front, back := draw(lit(nil, solid), &c, Colours), draw(lit(nil, behind), &c, Colours)
	in := draw(lit(clearOcean(1e3), behind, pane), &c, Colours)
	i := 3 * (24*64 + 32)
	for k := range 3 {
		want := alpha*faded(front.RGB[i+k], k, near) + (1-alpha)*faded(back.RGB[i+k], k, far)
		if got := float64(in.RGB[i+k]); math.Abs(got-want) > 2 {
			t.Errorf("channel %d: %g, want %.1f", k, got, want)
		}
	}
}

func TestWaterChangesNeitherDepthsNorLabels(t *testing.T) {
	c := looking()
	c.Pose.Pos.Z = -5
	seen := wall(3, [4]float32{0.7, 0.6, 0.5, 1})
	in := draw(lit(clearOcean(0), seen), &c, Colours|Depths|Labels)
	out := draw(lit(nil, seen), &c, Colours|Depths|Labels)
	if !slices.Equal(in.Depth, out.Depth) || !slices.Equal(in.Labels, out.Labels) {
		t.Error("depths or labels differ under water")
	}
	if slices.Equal(in.RGB, out.RGB) {
		t.Error("colors do not")
	}
}
