package engine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// flowEye is an optical flow sensor of 50 Hz that looks down with its picture's top ahead, as PX4's does.
const flowEye = `<sensor name="flow_camera" type="camera"><pose>0 0 0 0 1.5707963267948966 0</pose><update_rate>50</update_rate>
	<camera><horizontal_fov>0.733</horizontal_fov><image><width>100</width><height>100</height></image><clip><near>0.3</near><far>30</far></clip></camera></sensor>
	<sensor name="optical_flow" type="custom" gz:type="optical_flow">%s</sensor>`

// flowPeriod is the period of flowEye, s.
const flowPeriod = 0.02

// flowWorld is a world without gravity over which the carrier moves with flowEye.
func flowWorld(t *testing.T, models, place, noise string, motion r3.Twist) *engine.World {
	t.Helper()
	w := judgeWorld(t, &judged{gravity: "0 0 0",
		models: models + carrier(place, fmt.Sprintf(flowEye, noise), "")})
	do(t, w, sim.SetEntityState{Name: "m", Twist: &motion})
	return w
}

// flowNow is the newest flow of the carrier, and its sample.
func flowNow(t *testing.T, w *engine.World) (*sim.OpticalFlow, sim.Sample) {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find("m")
	if !ok {
		t.Fatal("there is no carrier")
	}
	sample := s.SamplesOf(i)[1]
	return reads[sim.OpticalFlow](t, sample), sample
}

// TestFlowOverAFloorIsSpeedByHeight: v/h·T, the ground back and left in the picture, when it moves ahead and
// to the right.
func TestFlowOverAFloorIsSpeedByHeight(t *testing.T) {
	for _, c := range []struct {
		velocity r3.Vec // ahead, left, up
		x, y     float64
	}{
		{r3.V(2, 0, 0), 0, 2.0 / 5}, {r3.V(0, -2, 0), -2.0 / 5, 0}, {r3.V(-1, 0.5, 0), 0.1, -0.2},
		{r3.V(0, 0, 0), 0, 0},
	} {
		for _, yaw := range []float64{0, 0.7, -2} {
			velocity := r3.AxisAngle(r3.V(0, 0, 1), yaw).Rotate(c.velocity)
			w := flowWorld(t, slab("floor", -4), fmt.Sprintf("0 0 1 0 0 %v", yaw), "",
				r3.Twist{Linear: velocity})
			advance(t, w, 100)
			got, sample := flowNow(t, w)
			about(t, "x", got.X, c.x*flowPeriod, 1e-12)
			about(t, "y", got.Y, c.y*flowPeriod, 1e-12)
			if got.Quality != 255 || got.Time != 20*time.Millisecond || got.Turn.Len() > 1e-15 ||
				sample.Seq != 5 {
				t.Errorf("%+v, number %d", got, sample.Seq)
			}
		}
	}
}

// TestFlowOfATurnIsItsAngle, whatever the distance. A turn about the way it looks moves the middle of the
// picture nowhere.
func TestFlowOfATurnIsItsAngle(t *testing.T) {
	for _, height := range []float64{1, 9} {
		for _, c := range []struct {
			turn r3.Vec // about ahead, left, up
			x, y float64
			axes r3.Vec // ahead, right, down
		}{
			{r3.V(0.5, 0, 0), 0.5, 0, r3.V(0.5, 0, 0)}, {r3.V(0, 0.5, 0), 0, -0.5, r3.V(0, -0.5, 0)},
			{r3.V(0, 0, 0.5), 0, 0, r3.V(0, 0, -0.5)},
		} {
			w := flowWorld(t, slab("floor", -height), "0 0 0 0 0 0", "", r3.Twist{Angular: c.turn})
			advance(t, w, 40)
			got, _ := flowNow(t, w)
			about(t, "x", got.X, c.x*flowPeriod, 1e-12)
			about(t, "y", got.Y, c.y*flowPeriod, 1e-12)
			if off := got.Turn.Dist(c.axes.Scale(flowPeriod)); off > 1e-12 {
				t.Errorf("it turned by %v, want %v", got.Turn, c.axes.Scale(flowPeriod))
			}
		}
	}
}

// TestFlowOverASlopeIsByTheDistanceAlongTheAxis: over a slope of 30° that rises ahead the distance shrinks by
// v·tan 30° each second. The flow is by the logarithm of both ends.
func TestFlowOverASlopeIsByTheDistanceAlongTheAxis(t *testing.T) {
	slope := `<model name="slope"><static>true</static><link name="l"><collision name="c"><pose>0 0 0 0 -0.5235987755982988 0</pose><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>`
	const v, height = 3.0, 6.0
	w := flowWorld(t, slope, "0 0 6 0 0 0", "", r3.Twist{Linear: r3.V(v, 0, 0)})
	advance(t, w, 200)
	got, _ := flowNow(t, w)
	rise := math.Tan(math.Pi / 6)
	from, to := height-v*0.18*rise, height-v*0.2*rise
	about(t, "y", got.Y, math.Log(from/to)/rise, 2e-6) // of 1 ms each
	about(t, "x", got.X, 0, 1e-12)

	// While it sinks the distance alone changes.
	w = flowWorld(t, slab("floor", 0), "0 0 6 0 0 0", "", r3.Twist{Linear: r3.V(0, 0, -v)})
	advance(t, w, 200)
	got, _ = flowNow(t, w)
	if math.Abs(got.X)+math.Abs(got.Y) > 1e-12 || got.Quality != 255 {
		t.Errorf("straight down: %+v", got)
	}
}

// TestFlowIsAgainstWhatMoves: over a deck that drives along, and one that turns.
func TestFlowIsAgainstWhatMoves(t *testing.T) {
	deck := `<model name="deck"><pose>0 0 -5 0 0 0</pose><link name="l"><inertial><mass>1e6</mass><inertia><ixx>1e9</ixx><iyy>1e9</iyy><izz>1e9</izz></inertia></inertial><collision name="c"><geometry><box><size>90 90 2</size></box></geometry></collision></link></model>`
	w := flowWorld(t, deck, "0 3 0 0 0 0", "", r3.Twist{Linear: r3.V(2, 0, 0)})
	do(t, w, sim.SetEntityState{Name: "deck", Twist: &r3.Twist{Linear: r3.V(1.5, 0.5, 0)}})
	advance(t, w, 20)
	got, _ := flowNow(t, w)
	about(t, "over a deck that drives, x", got.X, -0.5/4*flowPeriod, 1e-9)
	about(t, "over a deck that drives, y", got.Y, 0.5/4*flowPeriod, 1e-9)

	w = flowWorld(t, deck, "0 3 0 0 0 0", "", r3.Twist{})
	do(t, w, sim.SetEntityState{Name: "deck", Twist: &r3.Twist{Angular: r3.V(0, 0, 0.2)}})
	advance(t, w, 20)
	got, _ = flowNow(t, w)
	about(t, "over a deck that turns, y", got.Y, 0.2*3/4*flowPeriod, 1e-9) // 3 m to the left it goes back
}

// TestFlowWithoutAnythingInViewHasNoQuality: out of reach, too near, or the sky; and a part of it where that
// was so for a part of the period.
func TestFlowWithoutAnythingInViewHasNoQuality(t *testing.T) {
	motion := r3.Twist{Linear: r3.V(2, 0, 0), Angular: r3.V(0, 0, 0.1)}
	for name, c := range map[string]struct {
		place   string
		quality uint8
	}{
		"at 29.9 m": {"0 0 29.9 0 0 0", 255}, "at 30.1 m": {"0 0 30.1 0 0 0", 0},
		"at 0.29 m": {"0 0 0.29 0 0 0", 0},
		"at 0.31 m": {"0 0 0.31 0 0 0", 255}, "upside down": {"0 0 5 3.14159 0 0", 0},
	} {
		w := flowWorld(t, slab("floor", 0), c.place,
			"<simdeck:noise><stddev>0.1</stddev></simdeck:noise>", motion)
		advance(t, w, 20)
		got, _ := flowNow(t, w)
		if seen := got.Quality > 0; got.Quality != c.quality || seen != (got.Time > 0) ||
			seen != (got.X != 0) || seen != (got.Turn.Len() > 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// It flies over an edge: from the step at 0.011 s on it looks into the depth.
	w := flowWorld(t, slab("floor", 0), "99.979 0 4 0 0 0", "", r3.Twist{Linear: r3.V(2, 0, 0)})
	advance(t, w, 20)
	got, _ := flowNow(t, w)
	about(t, "y", got.Y, 2.0/4*0.01, 1e-12)
	if got.Time != 10*time.Millisecond || got.Quality != 127 {
		t.Errorf("over an edge: %+v", got)
	}
}

// TestFlowHasTheErrorsOfItsFile, of each angle of each sample.
func TestFlowHasTheErrorsOfItsFile(t *testing.T) {
	w := flowWorld(t, slab("floor", 0), "0 0 4 0 0 0",
		"<simdeck:noise><mean>0.5</mean><stddev>0.02</stddev></simdeck:noise>", r3.Twist{})
	var sum, squares float64
	const n = 400
	for range n {
		advance(t, w, 20)
		got, _ := flowNow(t, w)
		sum += got.X + got.Y
		squares += (got.X-0.5)*(got.X-0.5) + (got.Y-0.5)*(got.Y-0.5)
	}
	about(t, "mean", sum/(2*n), 0.5, 4*0.02/math.Sqrt(2*n))
	about(t, "deviation", math.Sqrt(squares/(2*n)), 0.02, 0.002)
}
