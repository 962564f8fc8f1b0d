package scene

// Lamp is a part of a model that gives light of its own: an LED of Webots, or a lamp of a traffic signal.
// Visuals show it, see Geom.Lamp.
type Lamp struct {
	Name   string
	Colour Glow // of a signal's lamp that is lit; those of others are told theirs
}

// Glow is the light of a lamp, red, green and blue from 0 to 1, as Material.Emissive. The zero value is off.
type Glow [3]float32

// MostLamps bounds the lamps of a model.
const MostLamps = 64

// signalLamps are the lamps of every traffic signal, in the order of the bits of an Aspect.
var signalLamps = []Lamp{{Name: "red", Colour: Glow{1, 0.08, 0.05}},
	{Name: "yellow", Colour: Glow{1, 0.75, 0.05}}, {Name: "green", Colour: Glow{0.1, 1, 0.35}}}

// Lamps are the lamps of a model: those of a traffic signal, or of a robot of Webots. They are shared.
func (m *ModelSpec) Lamps() []Lamp {
	switch {
	case m.Signal != nil:
		return signalLamps
	case m.Robot != nil:
		return m.Robot.Lamps
	}
	return nil
}
