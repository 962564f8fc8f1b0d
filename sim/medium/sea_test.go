package medium

import (
	"math"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// water is a world of water of 1000 kg/m³ below the height 0, with waves.
func water(w scene.Waves, seed uint64) *Medium {
	return New(&scene.WorldSpec{Gravity: r3.V(0, 0, -9.81), Medium: scene.Medium{Waves: w,
		Layers: []scene.Layer{{From: math.Inf(-1), Density: 1000}, {From: 0, Density: 0}}}}, seed)
}

func over(m *Medium, place r3.Vec, t float64) float64 {
	height, _ := m.SurfaceAt(place, t)
	return height
}

// In deep water ω² = g·k: crests are counted along a line at one time, and at one place over time.
func TestCrestsAreAsFarApartAsTheirPeriodSays(t *testing.T) {
	crests := func(height func(x float64) float64, length, step float64) (n int) {
		for x := step; x < length; x += step {
			if h := height(x); h > height(x-step) && h >= height(x+step) {
				n++
			}
		}
		return n
	}
	for _, period := range []float64{2, 5, 9} {
		m := water(scene.Waves{Regular: []scene.Wave{{Amplitude: 0.5, Period: period, Direction: 1}}}, 1)
		along := r3.V(math.Cos(1), math.Sin(1), 0)
		length := 9.81 * period * period / (2 * math.Pi)
		line := func(x float64) float64 { return over(m, along.Scale(x), 0.3) }
		if n := crests(line, 100*length, length/50); n != 100 {
			t.Errorf("a period of %v s: %d crests in 100 lengths of %.2f m", period, n, length)
		}
		place := func(s float64) float64 { return over(m, r3.V(3, 4, 0), s) }
		if n := crests(place, 100*period, period/50); n < 99 || n > 100 {
			t.Errorf("a period of %v s: %d crests in 100 of them", period, n)
		}
		// A crest runs along by its length in its period.
		for _, s := range []float64{0, 1, 7.7} {
			if h := over(m, along.Scale(length/period*s), s); math.Abs(h-0.5) > 1e-9 {
				t.Errorf("where a crest should be after %v s the surface is %v m high", s, h)
			}
		}
	}
}

var rough = scene.Waves{Sea: scene.Sea{Height: 1.6, Period: 6, Peak: 3.3, Direction: 0.5, Spread: 0.3,
	Count: 64}}

func TestASeaHasItsSignificantHeight(t *testing.T) {
	for _, peak := range []float64{1, 3.3} {
		w := rough
		w.Sea.Peak = peak
		m := water(w, 5)
		var sum, square float64
		const n = 40000
		for i := range n {
			h := over(m, r3.V(12, -7, 0), float64(i)*0.25)
			sum, square = sum+h/n, square+h*h/n
		}
		if got := 4 * math.Sqrt(square-sum*sum); math.Abs(got-1.6) > 0.03 || math.Abs(sum) > 0.02 {
			t.Errorf("γ %v: 4σ is %.3f m about %.3f m, want 1.6 about 0", peak, got, sum)
		}
	}
}

// A periodogram is the integral of the spectrum over bands of a fifth of the peak's frequency. It is of
// records of half an hour, averaged over seeds.
func TestThePowerOfASeaFollowsItsSpectrum(t *testing.T) {
	const seeds, samples, step = 12, 4096, 0.5
	const bands = 18
	for _, peak := range []float64{1, 3.3} {
		w := rough
		w.Sea.Peak, w.Sea.Count = peak, 128
		var got, want [bands]float64
		for seed := range uint64(seeds) {
			m := water(w, seed)
			record := make([]float64, samples)
			for i := range record { // a window of Hann, whose mean square is 3/8
				window := (1 - math.Cos(2*math.Pi*float64(i)/samples)) / 2
				record[i] = over(m, r3.Vec{}, float64(i)*step) * window
			}
			first := int(math.Ceil(0.4 / 6 * samples * step))
			for k := first; ; k++ {
				part := float64(k) / (samples * step) * 6
				band := int((part - 0.4) / 0.2)
				if band >= bands {
					break
				}
				var re, im float64
				for i, x := range record {
					sin, cos := math.Sincos(2 * math.Pi * float64(k*i%samples) / samples)
					re, im = re+x*cos, im+x*sin
				}
				got[band] += 2 * (re*re + im*im) / (samples * samples) / (3.0 / 8) / seeds
			}
		}
		whole := 0.0
		const fine = 400
		for i := range bands * fine {
			x := Spectrum(peak, 0.4+0.2*(float64(i)+0.5)/fine)
			want[i/fine] += x
			whole += x
		}
		for i := range bands {
			want[i] *= 1.6 * 1.6 / 16 / whole
			if math.Abs(got[i]-want[i]) > 0.12*want[i]+0.002 {
				t.Errorf("γ %v, from %.1f of the peak on: %.4f m², want %.4f", peak, 0.4+0.2*float64(i), got[i], want[i])
			}
		}
	}
}

// Pierson and Moskowitz's spectrum has a closed form: the energy up to a frequency is exp(−1.25·(ωp/ω)⁴).
func TestTheSpectrumIsThatOfPiersonAndMoskowitz(t *testing.T) {
	sum, step := 0.0, 1e-3
	for x := step / 2; x < 8; x += step {
		sum += Spectrum(1, x) * step
		if want := math.Exp(-1.25*math.Pow(x+step/2, -4)) / 5; math.Abs(sum-want) > 1e-6 {
			t.Fatalf("up to %.3f of the peak %v, want %v", x, sum, want)
		}
	}
	if got := Spectrum(3.3, 1) / Spectrum(1, 1); math.Abs(got-3.3) > 1e-12 {
		t.Errorf("at its peak JONSWAP's is %v times as high, want 3.3", got)
	}
}

func TestASeaFollowsItsSeedAndTheTimeAlone(t *testing.T) {
	a, b, other := water(rough, 3), water(rough, 3), water(rough, 4)
	at := r3.V(31, 8, 0)
	late := over(a, at, 1e5)
	if over(a, at, 7) != over(b, at, 7) || over(b, at, 1e5) != late {
		t.Error("the same seed gives another surface")
	}
	if over(a, at, 7) == over(other, at, 7) {
		t.Error("another seed gives the same surface")
	}
	grows := rough
	grows.Rise = 4
	m := water(grows, 3)
	got, want := over(m, at, 4), over(a, at, 4)*(1-math.Exp(-1))
	if math.Abs(got-want) > 1e-12 || over(m, at, 0) != 0 {
		t.Errorf("after its time constant a sea that grows is %v m high, want %v", got, want)
	}
}

// The surface over a box is the plane of least squares, for boxes of any size.
func TestTheSurfaceOverABoxIsItsMeanPlane(t *testing.T) {
	m := water(scene.Waves{Regular: []scene.Wave{{Amplitude: 0.4, Period: 3, Direction: 0.7, Phase: 1},
		{Amplitude: 0.1, Period: 1.2, Direction: -2, Phase: 3}}}, 1)
	for _, half := range []r3.Vec{{}, {X: 1, Y: 0.5, Z: 0.2}, {X: 8, Y: 3, Z: 1}, {X: 0.1, Y: 20, Z: 0.1}} {
		e := Extent{Half: half, Pose: r3.PoseRPY(3, -2, 0.1, 0, 0, 0.4)}
		got := m.Water(e, 2.3)
		const n = 120
		var mean float64
		var first [2]float64
		for i := range n {
			for k := range n {
				u, v := (float64(i)+0.5)*2/n-1, (float64(k)+0.5)*2/n-1
				h := over(m, e.Pose.Apply(r3.V(u*half.X, v*half.Y, 0)), 2.3) / (n * n)
				mean += h
				first[0] += h * u * 3
				first[1] += h * v * 3
			}
		}
		slope := e.Pose.Rot.RotateBack(got.Slope)
		if math.Abs(got.Height-mean) > 1e-4 || math.Abs(slope.X*half.X-first[0]) > 1e-3 ||
			math.Abs(slope.Y*half.Y-first[1]) > 1e-3 {
			t.Errorf("half %v: a plane of %v with %v, want %v with %v", half, got.Height, slope.Mul(half), mean, first)
		}
	}
}

// Velocity and acceleration of the water are those of Airy's potential: without sources or swirl, the
// surface's own at the top, and fading by exp(k·z).
func TestTheWaterMovesAsAiryHasIt(t *testing.T) {
	m := water(scene.Waves{Regular: []scene.Wave{{Amplitude: 0.01, Period: 3, Direction: 0.7}}}, 1)
	k := math.Pow(2*math.Pi/3, 2) / 9.81
	at := func(p r3.Vec, t float64) Swell {
		return m.Water(Extent{Pose: r3.Pose{Pos: p, Rot: r3.Identity()}}, t)
	}
	p, h := r3.V(4, 5, -1.5), 1e-4
	now := at(p, 2)
	diff := func(d r3.Vec) r3.Vec {
		return at(p.Add(d), 2).Velocity.Sub(at(p.Sub(d), 2).Velocity).Scale(0.5 / h)
	}
	dx, dy, dz := diff(r3.V(h, 0, 0)), diff(r3.V(0, h, 0)), diff(r3.V(0, 0, h))
	scale := now.Velocity.Len() * k
	swirl := max(math.Abs(dx.Z-dz.X), math.Abs(dy.Z-dz.Y))
	if math.Abs(dx.X+dy.Y+dz.Z) > 0.02*scale || swirl > 0.02*scale {
		t.Errorf("divergence %v, swirl %v and %v, of %v", dx.X+dy.Y+dz.Z, dx.Z-dz.X, dy.Z-dz.Y, scale)
	}
	accel := at(p, 2+h).Velocity.Sub(at(p, 2-h).Velocity).Scale(0.5 / h)
	if accel.Dist(now.Accel) > 0.02*accel.Len() {
		t.Errorf("it accelerates by %v, want %v", now.Accel, accel)
	}
	top := r3.V(4, 5, 0)
	rise := (over(m, top, 2+h) - over(m, top, 2-h)) / (2 * h)
	if got := at(top, 2).Velocity.Z; math.Abs(got-rise) > 0.02*math.Abs(rise)+1e-6 {
		t.Errorf("at the top it rises by %v m/s, the surface by %v", got, rise)
	}
	got, want := now.Velocity.Len()/at(top, 2).Velocity.Len(), math.Exp(-1.5*k)
	if math.Abs(got/want-1) > 0.02 {
		t.Errorf("at 1.5 m it is %v as fast, want %v", got, want)
	}
}

// Under a wave a pressure gauge feels ρ·g·(a·exp(k·z)·cos − z): less of short waves the deeper it is.
func TestThePressureUnderWavesFadesWithDepth(t *testing.T) {
	const amplitude = 0.02
	m := water(scene.Waves{Regular: []scene.Wave{{Amplitude: amplitude, Period: 2}}}, 1)
	k := math.Pow(math.Pi, 2) / 9.81
	for _, z := range []float64{-0.5, -2, -10} {
		for _, s := range []float64{0, 0.4, 1} {
			pascal, depth := m.Pressure(r3.V(0, 0, z), s, 0, 9.81)
			h := over(m, r3.Vec{}, s)
			want := 1000 * 9.81 * (h*math.Exp(k*z) - z)
			if math.Abs(pascal-101325-want) > 5 || math.Abs(depth-(h-z)) > 1e-12 {
				t.Errorf("%v m below, after %v s: %.1f Pa at a depth of %v, want %.1f and %v", -z, s, pascal-101325, depth, want, h-z)
			}
		}
	}
	if pascal, depth := m.Pressure(r3.V(0, 0, 0.01), 0, 0, 9.81); depth <= 0 || pascal < 101325 {
		t.Errorf("in a crest above the level at rest %v Pa, %v m deep", pascal, depth)
	}
	if s := m.At(r3.V(0, 0, 0.01), 0); s.Density != 1000 || !(s.Velocity.X > 0) {
		t.Errorf("in a crest there is %+v", s)
	}
	if s := m.At(r3.V(0, 0, -0.01), 1); s.Density > 2 {
		t.Errorf("in a trough there is %+v", s)
	}
}

func TestWithoutGravityOrASurfaceThereAreNoWaves(t *testing.T) {
	for name, w := range map[string]scene.WorldSpec{
		"no gravity": {Medium: scene.Medium{Waves: rough}},
		"no end": {Gravity: r3.V(0, 0, -9.81), Medium: scene.Medium{Waves: rough,
			Layers: []scene.Layer{{From: math.Inf(-1), Density: 1000}}}},
	} {
		if New(&w, 1).Moves() {
			t.Errorf("%s: there are waves", name)
		}
	}
}

func BenchmarkTheWaterOverABody(b *testing.B) {
	m := water(rough, 1)
	e := Extent{Half: r3.V(2, 1, 0.3), Pose: r3.PoseRPY(3, -2, 0.1, 0.1, 0.1, 0.4)}
	b.ReportAllocs()
	for i := range b.N {
		m.Water(e, float64(i)*1e-3)
	}
}
