package webots

import (
	"slices"

	"simdeck/sim/scene"
)

// led is the LED that is being read. The zero value is none.
type led struct {
	lamp    int  // counted from 1; 0: none
	glowing bool // its first child is being read, whose shapes show it
}

// beginLED begins the lamp of an LED. End goes back to the LED around it.
func beginLED(b *builder, r ref) (end func()) {
	outer, of := b.led, b.spec.Robot
	b.led = led{}
	if of != nil && len(of.Lamps) == scene.MostLamps {
		b.noteAt(scene.Unsupported, r, "LED%s does not glow: at most %d of a robot do", b.called(r),
			scene.MostLamps)
	} else if of != nil {
		of.Lamps = append(of.Lamps, scene.Lamp{Name: b.text(r, "name", lower(named2(r)))})
		b.led = led{lamp: len(of.Lamps), glowing: true}
	}
	return func() { b.led = outer }
}

// light lets a shape show the LED that it is in, instead of what its material emits.
func (l *led) light(g *scene.Geom) {
	if l.glowing {
		g.Lamp, g.Material.Emissive = l.lamp, [4]float32{}
	}
}

// ledDevice tells a controller of an LED whose shapes have been read.
func ledDevice(b *builder, r ref) *scene.LEDDevice {
	d := &scene.LEDDevice{Colours: []scene.Glow{{1, 0, 0}}, Gradual: b.flag(r, "gradual", false),
		Lamp: b.led.lamp - 1}
	if _, given := b.get(r, "color"); given {
		d.Colours = nil
		for all := b.many(r, "color"); len(all) >= 3; all = all[3:] {
			d.Colours = append(d.Colours, scene.Glow{unit(all[0]), unit(all[1]), unit(all[2])})
		}
	}
	shown := func(l scene.Link) bool {
		return slices.ContainsFunc(l.Visuals, func(g scene.Geom) bool { return g.Lamp == b.led.lamp })
	}
	if b.led.lamp > 0 && !slices.ContainsFunc(b.spec.Links, shown) {
		b.noteAt(scene.Suspicious, r, "LED%s is not seen: its first child has no Shape with an appearance",
			b.called(r))
		d.Lamp = -1
	}
	return d
}
