package gazebo

import (
	"math"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// Bounds of what a file may ask of waves. The longest on a sea have 30 s, and the highest ever measured had
// 26 m.
const (
	mostWaveHeight  = 40.0  // m
	leastWavePeriod = 0.1   // s
	mostWavePeriod  = 120.0 // s
	// breaking is the height of a wave in parts of its length from which it breaks (Michell, 1893).
	breaking = 0.142
)

// waveReader reads the numbers of waves, and notes those that cannot be.
type waveReader struct {
	d *source.Doc
	n *xmltree.Node
}

// number is a number from low to high; another is noted, and otherwise is taken.
func (r waveReader) number(name, unit string, otherwise, low, high float64) float64 {
	f := r.d.Loose(r.n, name, otherwise)
	if f < low || f > high {
		r.d.Note(scene.Suspicious, r.n.Child(name), "<%s> of %g%s; want %g to %g; using %g", name, f, unit, low,
			high, otherwise)
		return otherwise
	}
	return f
}

func (r waveReader) height(name string, otherwise float64) float64 {
	return r.number(name, " m", otherwise, 0, mostWaveHeight)
}

func (r waveReader) period(name string, otherwise float64) float64 {
	return r.number(name, " s", otherwise, leastWavePeriod, mostWavePeriod)
}

func (r waveReader) angle(name string, otherwise float64) float64 {
	return r.number(name, " rad", otherwise, -7, 7)
}

// count is a number of waves.
func (r waveReader) count(name string, otherwise int) int {
	f := r.d.Loose(r.n, name, float64(otherwise))
	if f < 1 || f > scene.MostWaves || f != math.Trunc(f) {
		r.d.Note(scene.Suspicious, r.n.Child(name), "<%s> of %g; want a whole number from 1 to %d; using %d", name, f,
			scene.MostWaves, otherwise)
		return otherwise
	}
	return int(f)
}

// steep notes a wave that would break, which linear waves do not.
func (r waveReader) steep(height, period float64) {
	if length := 9.81 * period * period / (2 * math.Pi); height > breaking*length {
		r.d.Note(scene.Suspicious, r.n, "a wave of %.3g m in %.3g s is %.3g m long and would break; it is run without breaking",
			height, period, length)
	}
}

// usualWaves is the number of waves of which a spectrum is made.
const usualWaves = 48

// Waves reads <simdeck:waves> of a world: regular waves, and those of a spectrum.
//
//	<simdeck:waves>
//	  <rise>2</rise>                              s, by which they grow from level water; 0: they are there
//	  <wave>                                      any number of them
//	    <height>0.4</height>                      m, from trough to crest
//	    <period>5</period>                        s
//	    <direction>0</direction>                  rad, in which it runs, from x to y
//	    <phase>0</phase>                          rad, of the crest at the world's origin
//	  </wave>
//	  <spectrum>
//	    <significant_height>0.5</significant_height>  m, four times the standard deviation of the surface
//	    <peak_period>6</peak_period>              s
//	    <peakedness>3.3</peakedness>              of JONSWAP; 1, as without it: Pierson and Moskowitz's
//	    <direction>0</direction><spread>0.3</spread>  rad, the mean and the deviation
//	    <components>48</components>               up to 128
//	  </spectrum>
//	</simdeck:waves>
func Waves(d *source.Doc, n *xmltree.Node) scene.Waves {
	r := waveReader{d, n}
	out := scene.Waves{Of: "<simdeck:waves>", Rise: r.number("rise", " s", 0, 0, 3600)}
	left := scene.MostWaves
	for _, k := range n.All("spectrum") {
		if out.Sea.Count > 0 {
			d.Note(scene.Suspicious, k, "a second <spectrum>; the first counts")
			continue
		}
		r := waveReader{d, k}
		out.Sea = scene.Sea{Height: r.height("significant_height", 0), Period: r.period("peak_period", 6),
			Peak: r.number("peakedness", "", 1, 1, 20), Direction: r.angle("direction", 0),
			Spread: r.number("spread", " rad", 0, 0, math.Pi), Count: r.count("components", usualWaves)}
		left -= out.Sea.Count
		r.steep(out.Sea.Height, out.Sea.Period)
		r.known("significant_height", "peak_period", "peakedness", "direction", "spread", "components")
	}
	for _, k := range n.All("wave") {
		if len(out.Regular) >= left {
			d.Note(scene.Suspicious, k, "more than %d waves with those of the spectrum; the rest is left out",
				scene.MostWaves)
			break
		}
		r := waveReader{d, k}
		w := scene.Wave{Amplitude: r.height("height", 0) / 2, Period: r.period("period", 5),
			Direction: r.angle("direction", 0), Phase: r.angle("phase", 0)}
		r.steep(2*w.Amplitude, w.Period)
		r.known("height", "period", "direction", "phase")
		out.Regular = append(out.Regular, w)
	}
	r.known("rise", "wave", "spectrum")
	return out
}

// known notes the elements that are not among those that are read.
func (r waveReader) known(names ...string) {
	for _, k := range r.n.Kids {
		unread(r.d, k, "waves", names)
	}
}

// Wavefield reads the waves that a plugin of VRX has; false: it has none of its own. They are a mean wave and
// its neighbours: "PMS" of Pierson and Moskowitz's spectrum, "CWR" of one ratio of length and height.
func Wavefield(d *source.Doc, n *xmltree.Node) (scene.Waves, bool) {
	k := n.Find("wavefield", "wave")
	if k == nil {
		return scene.Waves{}, false
	}
	r := waveReader{d, k}
	f := field{model: k.ValueOf("model"), number: r.count("number", 3),
		scale: r.number("scale", "", 1.1, 1.001, 10),
		angle: r.angle("angle", 0.4), amplitude: r.height("amplitude", 0), period: r.period("period", 5),
		direction: r.direction(), gain: r.number("gain", "", 1, 0, 100),
		tau: r.number("tau", " s", 2, 0, 3600)}
	for _, name := range [...]string{"steepness", "phase"} {
		if x := d.Loose(k, name, 0); x != 0 {
			d.Note(scene.Unsupported, k.Child(name), "<%s> of %g: waves are sines that begin with a crest, as those that push boats in VRX",
				name, x)
		}
	}
	if f.model != "" && f.model != "PMS" && f.model != "CWR" {
		d.Note(scene.Suspicious, k.Child("model"), "waves of the model %q; PMS and CWR are known; using PMS", f.model)
	}
	r.known(strings.Fields(`model number scale angle amplitude period direction gain tau steepness phase`)...)
	return f.waves(r, PluginName(n)), true
}

// direction reads that of the mean wave: an angle, or a vector as older files have it.
func (r waveReader) direction() float64 {
	k := r.n.Child("direction")
	words := strings.Fields(k.Value())
	if len(words) != 2 {
		return r.angle("direction", 0)
	}
	x, errX := source.ParseFloat(words[0])
	y, errY := source.ParseFloat(words[1])
	if errX != nil || errY != nil || x == 0 && y == 0 {
		r.d.Note(scene.Suspicious, k, "<direction> is %q; want an angle in rad, or a vector x y; using 0", k.Value())
		return 0
	}
	return r3.Atan2(y, x)
}

// field is a wave field of VRX.
type field struct {
	model                                                 string
	number                                                int
	scale, angle, amplitude, period, direction, gain, tau float64
}

// waves are the waves of a field. Those of PMS begin at one below the mean, those of CWR stand about it.
func (f field) waves(r waveReader, of string) scene.Waves {
	out := scene.Waves{Of: of, Rise: f.tau}
	mean := 2 * math.Pi / f.period
	first := -1
	if f.model == "CWR" {
		first = -(f.number / 2)
	}
	size := func(n int) float64 { return r3.Exp(float64(n) * r3.Log(f.scale)) }
	at := func(n int) float64 { return mean * size(n) }
	for i := range f.number {
		n := first + i
		w := scene.Wave{Direction: f.direction + float64(float64(n)*f.angle)}
		if f.model == "CWR" { // k falls as the height grows
			w.Amplitude, w.Period = f.amplitude*size(n), f.period*math.Sqrt(size(n))
		} else {
			below, above := at(max(n-1, first)), at(min(n+1, first+f.number-1))
			width := above - below
			if i > 0 && i+1 < f.number {
				width /= 2
			}
			w.Amplitude = f.gain * math.Sqrt(2*pierson(at(n), mean)*width)
			w.Period = 2 * math.Pi / at(n)
		}
		if w.Period < leastWavePeriod || w.Period > mostWavePeriod || w.Amplitude > mostWaveHeight/2 {
			r.d.Note(scene.Suspicious, r.n, "wave %d of %d is %.3g m high in %.3g s; want up to %g m, and %g to %g s; left out",
				i+1, f.number, 2*w.Amplitude, w.Period, mostWaveHeight, leastWavePeriod, mostWavePeriod)
			continue
		}
		r.steep(2*w.Amplitude, w.Period)
		out.Regular = append(out.Regular, w)
	}
	return out
}

// pierson is the spectrum of Pierson and Moskowitz (1964) with a peak, m²·s.
func pierson(frequency, peak float64) float64 {
	part := peak / frequency
	square := part * part
	return 0.0081 * 9.81 * 9.81 / (frequency * frequency * frequency * frequency * frequency) *
		r3.Exp(-1.25*square*square)
}
