package mesh

import (
	"strings"

	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// maxPalette bounds the materials of one file.
const maxPalette = 10_000

// Palette reads a file of OBJ materials (.mtl): Kd, Ka, Ks, Ke, Ns, d, Tr and map_Kd, by name. Invalid
// numbers are skipped. Options of map_Kd are skipped; the file comes last.
func Palette(data []byte) map[string]scene.Material {
	text, _ := xmltree.ToUTF8(data)
	out := map[string]scene.Material{}
	name, m := "", scene.Material{}
	lines := newLines(text)
	for lines.next() {
		w := words{rest: lines.text}
		switch word := w.next(); word {
		case "newmtl":
			if name != "" && len(out) < maxPalette {
				out[name] = m
			}
			name = strings.TrimSpace(w.rest)
			m = scene.Material{Name: name}
		case "Kd":
			m.Colour = rgb(&w, m.Colour)
		case "Ka":
			m.Ambient = rgb(&w, m.Ambient)
		case "Ks":
			m.Specular = rgb(&w, m.Specular)
		case "Ke":
			m.Emissive = rgb(&w, m.Emissive)
		case "Ns":
			if f, err := number(w.next()); err == nil && f > 0 && f <= 1000 {
				m.Shininess = float32(f)
			}
		case "d", "Tr":
			opaque(&w, word == "Tr", &m)
		case "map_Kd":
			m.Texture = pictureOf(w.rest)
		}
	}
	if name != "" {
		out[name] = m
	}
	return out
}

// rgb reads a colour; its alpha stays, 1 when there was none.
func rgb(w *words, old [4]float32) [4]float32 {
	c := [4]float32{3: 1}
	if old[3] > 0 {
		c[3] = old[3]
	}
	for k := range 3 {
		f, err := number(w.next())
		if err != nil {
			return old
		}
		c[k] = float32(max(0, min(1, f)))
	}
	return c
}

// opaque reads d (1 is opaque) or Tr (0 is).
func opaque(w *words, inverse bool, m *scene.Material) {
	f, err := number(w.next())
	if err != nil || !(f >= 0 && f <= 1) {
		return
	}
	if inverse {
		f = 1 - f
	}
	if f > 0 { // files that make everything invisible mean the other of the two
		if m.Colour[3] == 0 {
			m.Colour = [4]float32{0.8, 0.8, 0.8, 1}
		}
		m.Colour[3] = float32(f)
	}
}

// pictureOf is the file name after the options of a map.
func pictureOf(rest string) string {
	rest = strings.TrimSpace(rest)
	if !strings.HasPrefix(rest, "-") {
		return rest
	}
	words := strings.Fields(rest)
	return words[len(words)-1]
}
