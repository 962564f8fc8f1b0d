package scene

import "testing"

func TestAnLEDGlowsAsWebotsHasIt(t *testing.T) {
	red, blue := Glow{1, 0.5, 0}, Glow{0, 0, 1}
	for _, c := range []struct {
		led   LEDDevice
		value int32
		want  Glow
	}{
		{LEDDevice{Colours: []Glow{red, blue}}, 0, Glow{}},
		{LEDDevice{Colours: []Glow{red, blue}}, 1, red},
		{LEDDevice{Colours: []Glow{red, blue}}, 2, blue},
		{LEDDevice{Colours: []Glow{red, blue}}, 3, Glow{}},
		{LEDDevice{Colours: []Glow{red, blue}}, -1, Glow{}},
		{LEDDevice{Colours: []Glow{red, blue}}, 1<<31 - 1, Glow{}},
		{LEDDevice{}, 1, Glow{}},
		{LEDDevice{Colours: []Glow{red}, Gradual: true}, 255, red},
		{LEDDevice{Colours: []Glow{red}, Gradual: true}, 51, Glow{51. / 255, 0.5 * 51 / 255, 0}},
		{LEDDevice{Colours: []Glow{red}, Gradual: true}, 1000, red},
		{LEDDevice{Colours: []Glow{red}, Gradual: true}, -7, Glow{}},
		{LEDDevice{Gradual: true}, 0xff3300, Glow{1, 0.2, 0}},
		{LEDDevice{Gradual: true}, -1, Glow{1, 1, 1}},
	} {
		if got := c.led.Glow(c.value); got != c.want {
			t.Errorf("%+v set to %d glows %v, want %v", c.led, c.value, got, c.want)
		}
	}
}
