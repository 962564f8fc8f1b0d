package medium

import (
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// OnBuoyancyEngine is the force on the link of a bladder of a volume, m³, at a place. It is that of
// Archimedes, less the weight of what fills the bladder. It is t seconds after the world's beginning, and
// gravity is in m/s². Where there are waves the end of the bladder's fluid moves with them.
func (m *Medium) OnBuoyancyEngine(e *scene.BuoyancyEngine, place, gravity r3.Vec, volume, t float64) r3.Vec {
	surface := e.Surface
	if m.sea != nil {
		surface += m.sea.height(place, t) - m.sea.level
	}
	if place.Z >= surface {
		volume = 0
	}
	return gravity.Scale(float64(-e.Density * (volume - e.Neutral)))
}

// NextVolume is the volume of a bladder after a step of dt seconds in which it is told another, m³.
func NextVolume(e *scene.BuoyancyEngine, volume, told, dt float64) float64 {
	most := float64(e.Rate * dt)
	return volume + max(-most, min(most, told-volume))
}
