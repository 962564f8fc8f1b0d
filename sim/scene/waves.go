package scene

// MostWaves bounds the waves of which a surface is the sum.
const MostWaves = 128

// Waves is the moving surface of the water of a world: a sum of regular waves and of those of a spectrum. The
// zero value is a level surface.
type Waves struct {
	Regular []Wave
	Sea     Sea
	Rise    float64 // s, the time constant by which they grow from a level surface; 0: they are there
	Of      string  // the element or the plugin that asks for them, for people
}

// Wave is a regular wave, η = Amplitude·cos(k·x − ω·t + Phase), in deep water: ω² = g·k.
type Wave struct {
	Amplitude float64 // m, half of the height from trough to crest
	Period    float64 // s
	Direction float64 // rad, in which it runs, from the world's x to its y
	Phase     float64 // rad
}

// Sea is waves of a spectrum, whose frequencies, directions and phases are drawn by the seed of a run.
type Sea struct {
	Height    float64 // m, significant: four times the standard deviation of the surface; 0: there are none
	Period    float64 // s, of the spectrum's peak
	Peak      float64 // γ of JONSWAP; 1: Pierson and Moskowitz's spectrum
	Direction float64 // rad, the mean one
	Spread    float64 // rad, standard deviation of the directions; 0: all crests are parallel
	Count     int     // of its waves, up to MostWaves
}

// Calm reports that the surface is level.
func (w *Waves) Calm() bool { return len(w.Regular) == 0 && !(w.Sea.Height > 0) }
