package format

import (
	"crypto/sha256"
	"path"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/picture"
	"simdeck/sim/scene"
)

// Texture reads an image, or takes one of the same content that was read before.
func (ld *loader) Texture(uri string, from asset.Ref) (*scene.Texture, error) {
	ref, err := ld.resolve(uri, from)
	if err != nil {
		return nil, err
	}
	if t := ld.images[ref]; t != nil {
		return t, nil
	}
	data, err := ld.read(ref, picture.MaxBytes)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(data)
	ld.lib.mu.Lock()
	t, known := ld.lib.textures.get(key)
	ld.lib.mu.Unlock()
	if !known {
		if t, err = picture.Decode(ld.space.Name(ref), data); err != nil {
			return nil, err
		}
		ld.lib.mu.Lock()
		ld.lib.textures.put(key, t, len(t.Levels[0].Pix))
		ld.lib.mu.Unlock()
	}
	ld.images[ref] = t
	return t, nil
}

// dressed is a mesh with the pictures and palettes that its file names. Those
// that are not there are only missing from its looks.
func (ld *loader) dressed(m *mesh.Mesh, ref asset.Ref) *mesh.Mesh {
	if len(m.Looks) == 0 {
		return m
	}
	named := map[string]scene.Material{}
	for _, file := range m.Palettes {
		at, err := ld.resolve(file, ref)
		if err != nil {
			continue
		}
		data, err := ld.read(at, picture.MaxBytes)
		if err != nil {
			continue
		}
		for name, material := range mesh.Palette(data) {
			named[name] = material
		}
	}
	out := *m
	out.Looks = append([]scene.Look(nil), m.Looks...)
	for i := range out.Looks {
		material := &out.Looks[i].Material
		if from, ok := named[material.Name]; ok && material.Colour[3] == 0 {
			*material = from
		}
		if material.Texture != "" {
			material.Image = ld.textureOf(material.Texture, ref)
		}
	}
	return &out
}

// textureOf looks for the picture of a mesh where its file says, beside it, and
// where Gazebo's models keep theirs; nil when it is in none of them.
func (ld *loader) textureOf(name string, ref asset.Ref) *scene.Texture {
	name = strings.ReplaceAll(name, `\`, "/")
	base := path.Base(name)
	for _, place := range []string{name, base, "../materials/textures/" + base, "../textures/" + base} {
		if t, err := ld.Texture(place, ref); err == nil {
			return t
		}
	}
	return nil
}
