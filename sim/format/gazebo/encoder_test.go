package gazebo

import (
	"testing"

	"simdeck/sim/scene"
)

func TestAnEncoderIsReadWithItsNoise(t *testing.T) {
	position := scene.Noise{Std: 0.001, Precision: 0.01}
	for text, want := range map[string]struct {
		encoder scene.Encoder
		is      bool
	}{
		`<sensor name="e" type="encoder"><encoder><position><noise type="gaussian_quantized"><stddev>0.001</stddev><precision>0.01</precision></noise></position></encoder></sensor>`: {scene.Encoder{Set: true,
			Position: position}, true},
		`<sensor name="e" type="custom" gz:type="encoder"><simdeck:encoder><velocity><noise type="gaussian"><stddev>0.2</stddev></noise></velocity></simdeck:encoder></sensor>`: {scene.Encoder{Set: true,
			Tacho: true, Velocity: scene.Noise{Std: 0.2}}, true},
		`<sensor name="e" type="encoder"/>`:                   {scene.Encoder{}, true},
		`<sensor name="e" type="custom" gz:type="odometer"/>`: {scene.Encoder{}, false},
		`<sensor name="e" type="force_torque"/>`:              {scene.Encoder{}, false},
	} {
		d := open(t, text)
		got, is := Encoder(d, d.Tree.Root)
		if got != want.encoder || is != want.is {
			t.Errorf("%s: %+v, %v; want %+v, %v", text, got, is, want.encoder, want.is)
		}
	}
}
