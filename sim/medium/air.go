package medium

import (
	"math"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// The international standard atmosphere (ISO 2533:1975).
const (
	seaPressure    = 101325.0 // Pa
	seaTemperature = 288.15   // K
	lapse          = 0.0065   // K/m
	airExponent    = 5.2558797
	gasConstant    = 287.05287 // J/(kg·K), of dry air
	tropopause     = 11000.0   // m
)

// Air is the pressure, Pa, the temperature, K, and the density, kg/m³, of the air at a height above the
// world's origin. The world may give those at sea level, and how the temperature changes from there. Without
// a change of its own it is the standard's, which ends at 11 km; above the air there is nothing.
func Air(e *scene.Earth, height float64) (pressure, temperature, density float64) {
	return airAt(e, height+e.Elevation)
}

// airAt is Air at a height h above sea level.
func airAt(e *scene.Earth, h float64) (pressure, temperature, density float64) {
	p0, t0 := seaPressure, seaTemperature
	if e.Pressure > 0 {
		p0 = e.Pressure
	}
	if e.Temperature > 0 {
		t0 = e.Temperature
	}
	fall, isothermal := lapse, max(0, h-tropopause)
	if e.Gradient != nil {
		fall, isothermal = -*e.Gradient, 0
	}
	h -= isothermal
	temperature = t0 - float64(fall*h)
	if temperature <= 0 || p0 <= 0 {
		return 0, 0, 0
	}
	const power = airExponent * lapse // K/m: g/R
	switch {
	case fall == 0:
		pressure = float64(p0 * r3.Exp(-float64(power*h)/t0))
	case fall == lapse:
		pressure = float64(p0 * r3.Exp(float64(airExponent*r3.Log(temperature/t0))))
	default:
		pressure = float64(p0 * r3.Exp(power/fall*r3.Log(temperature/t0)))
	}
	if isothermal > 0 {
		pressure *= r3.Exp(-power * isothermal / temperature)
	}
	return pressure, temperature, pressure / float64(gasConstant*temperature)
}

// airViscosity is that of air at a temperature in K, Pa·s (Sutherland's law with the constants of ISO 2533).
func airViscosity(temperature float64) float64 {
	if temperature <= 0 {
		return 0
	}
	return 1.458e-6 * temperature * math.Sqrt(temperature) / (temperature + 110.4)
}
