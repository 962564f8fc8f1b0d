package gazebo

import (
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// Encoder reads a sensor of a joint's position, whose <precision> is its resolution, and of its velocity,
// where that is measured separately, with noise. It returns false for other sensors. SDF has no type for it,
// so that the word stands where it leaves room:
//
//	<sensor name="…" type="custom" gz:type="encoder"> (or type="encoder")
//	  <encoder>
//	    <position><noise type="gaussian_quantized"><stddev>…</stddev><precision>…</precision></noise></position>
//	    <velocity><noise type="gaussian"><stddev>…</stddev></noise></velocity>
//	  </encoder>
//	</sensor>
func Encoder(d *source.Doc, n *xmltree.Node) (scene.Encoder, bool) {
	kind := n.Get("type")
	if kind == "custom" {
		for _, space := range [...]string{"gz:type", "ignition:type", "simdeck:type"} {
			if own := n.Get(space); own != "" {
				kind = own
			}
		}
	}
	if kind != "encoder" {
		return scene.Encoder{}, false
	}
	k := n.Child("encoder")
	if k == nil {
		k = n.Child("simdeck:encoder")
	}
	if k == nil {
		d.Note(scene.Inferred, n, "sensor %q is an encoder without <encoder>: it says what is true",
			n.Get("name"))
		return scene.Encoder{}, true
	}
	out := scene.Encoder{Set: true, Position: noise(d, k.Find("position", "noise")),
		Velocity: noise(d, k.Find("velocity", "noise"))}
	out.Tacho = k.Child("velocity") != nil
	return out, true
}
