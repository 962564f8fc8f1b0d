package gazebo

import (
	"maps"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/source"
	"simdeck/sim/scene"
)

// Bounds of what a file may ask of water.
const (
	mostAttenuation = 1e3 // 1/m
	// brightestWater is the brightness of the color that water scatters most where a file gives none.
	brightestWater = 0.5
)

// Water reads <simdeck:water> of a world: the look of its water to cameras in it.
//
//	<simdeck:water>
//	  <type>IB</type>                            of Jerlov: I, IA, IB, II, III, 1C, 3C, 5C, 7C or 9C; IB where nothing is said
//	  <attenuation>0.38 0.07 0.04</attenuation>  1/m, of red, green and blue; it counts before the type
//	  <color>0.05 0.25 0.5</color>               of nothing but water; as bright as its light comes far where nothing is said
//	  <level>0</level>                           m, of its surface; that of the system Buoyancy where nothing is said
//	</simdeck:water>
func Water(d *source.Doc, n *xmltree.Node, level float64) *scene.Water {
	f := &flow{reader: reader{d: d, n: n}}
	out := &scene.Water{Level: Loose(d, n, "level", level), Attenuation: scene.JerlovWaters["IB"]}
	if kind := f.text("type"); kind != "" {
		types := slices.Sorted(maps.Keys(scene.JerlovWaters))
		c, ok := scene.JerlovWaters[strings.ToUpper(kind)]
		if ok {
			out.Attenuation = c
		} else {
			d.Note(scene.Suspicious, n.Child("type"), "<type> %q of water; %s are known; using IB", kind,
				strings.Join(types, ", "))
		}
	}
	if v, ok := f.channels("attenuation", mostAttenuation); ok {
		out.Attenuation = v
	}
	least := max(min(out.Attenuation[0], out.Attenuation[1], out.Attenuation[2]), 1e-9)
	for i, c := range out.Attenuation {
		out.Colour[i] = float32(brightestWater * least / max(c, least))
	}
	if v, ok := f.channels("color", 1); ok {
		out.Colour = [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
	}
	others(d, n, "type", "attenuation", "color", "level")
	return out
}

// channels are three numbers, of red, green and blue, from 0 to most; others are noted. False: there are
// none.
func (f *flow) channels(name string, most float64) (v [3]float64, ok bool) {
	k := f.n.Child(name)
	if k.Value() == "" {
		return v, false
	}
	all, err := f.d.Numbers(k, k.Text, 3)
	if err != nil {
		f.d.Note(scene.Suspicious, k, "%v; left out", err)
		return v, false
	}
	for i, x := range all {
		if !(x >= 0 && x <= most) {
			f.d.Note(scene.Suspicious, k, "<%s> of %g; want 0 to %g; left out", name, x, most)
			return v, false
		}
		v[i] = x
	}
	return v, true
}
