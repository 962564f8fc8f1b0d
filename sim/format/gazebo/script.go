package gazebo

import (
	"strconv"
	"strings"

	"simdeck/sim/scene"
)

// maxScript bounds the words of a material script.
const maxScript = 200_000

// Script finds a material in a script of OGRE 1: the colours of its first pass, and in Texture its first
// texture's file name. False: the script has no material of that name, or nests wrongly.
func Script(text, name string) (scene.Material, bool) {
	return (&script{words: scriptWords(text)}).find(name, 0)
}

// script is the words of a material script; the ends of lines are words of their own.
type script struct{ words []string }

func scriptWords(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		line = strings.NewReplacer("{", " { ", "}", " } ", "\t", " ").Replace(line)
		out = append(out, strings.Fields(line)...)
		if out = append(out, "\n"); len(out) > maxScript {
			break
		}
	}
	return out
}

// find reads the material of a name; one that inherits starts from its parent.
func (s *script) find(name string, depth int) (scene.Material, bool) {
	for i, level := 0, 0; i < len(s.words); i++ {
		switch s.words[i] {
		case "{":
			level++
		case "}":
			level--
		case "material":
			if level != 0 {
				continue
			}
			head := s.head(i + 1)
			title, parent, _ := strings.Cut(strings.Join(head, " "), ":")
			if strings.TrimSpace(title) != name {
				continue
			}
			m := scene.Material{}
			if parent = strings.TrimSpace(parent); parent != "" && depth < 8 {
				m, _ = s.find(parent, depth+1)
			}
			m.Name = name
			return m, s.body(i+1+len(head), &m)
		}
	}
	return scene.Material{}, false
}

// head is the words up to the brace.
func (s *script) head(from int) []string {
	var out []string
	for _, w := range s.words[min(from, len(s.words)):] {
		if w == "{" {
			break
		}
		out = append(out, w)
	}
	return out
}

// body reads what stands in the braces of a material.
func (s *script) body(from int, m *scene.Material) bool {
	level, passes, textured := 0, 0, false
	for i := from; i < len(s.words); i++ {
		w := s.words[i]
		switch w {
		case "{":
			level++
		case "}":
			if level--; level <= 0 {
				return level == 0
			}
		case "pass":
			passes++
		case "ambient", "diffuse", "emissive", "specular":
			if passes == 1 {
				s.colour(i+1, w, m)
			}
		case "texture":
			if passes == 1 && !textured && i+1 < len(s.words) {
				m.Texture, textured = s.words[i+1], true
			}
		}
	}
	return false
}

// colour reads the three or four numbers of a line; behind a specular colour stands the shininess.
func (s *script) colour(from int, which string, m *scene.Material) {
	var f []float32
	for _, w := range s.words[min(from, len(s.words)):] {
		v, err := strconv.ParseFloat(w, 32)
		if err != nil || !(v >= 0 && v <= 1000) {
			break
		}
		f = append(f, float32(v))
	}
	if which == "specular" && len(f) >= 4 {
		m.Shininess = f[len(f)-1]
		f = f[:len(f)-1]
	}
	if len(f) < 3 {
		return
	}
	c := [4]float32{min(f[0], 1), min(f[1], 1), min(f[2], 1), 1}
	if len(f) > 3 {
		c[3] = min(f[3], 1)
	}
	switch which {
	case "ambient":
		m.Ambient = c
	case "diffuse":
		m.Colour = c
	case "emissive":
		m.Emissive = c
	case "specular":
		m.Specular = c
	}
}
