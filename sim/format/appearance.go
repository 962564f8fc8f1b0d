package format

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/texture"
	"simdeck/sim/scene"
)

// Texture reads an image, or takes one of the same content that was read before.
func (ld *loader) Texture(uri string, from asset.Ref) (*scene.Texture, error) {
	return once(ld, ld.images, uri, from, ld.image)
}

// Relief reads an image as heights. They are not kept: the terrain made of them is, with its model.
func (ld *loader) Relief(uri string, from asset.Ref) (*texture.Relief, error) {
	return once(ld, ld.reliefs, uri, from, texture.DecodeRelief)
}

// once reads and decodes an image the first time that this load asks for it.
func once[T any](ld *loader, had map[asset.Ref]*T, uri string, from asset.Ref,
	decode func(name string, data []byte) (*T, error)) (*T, error) {
	ref, err := ld.resolve(uri, from)
	if err != nil {
		ld.WantBeside(uri, from)
		return nil, err
	}
	if t := had[ref]; t != nil {
		return t, nil
	}
	data, err := ld.read(ref, texture.MaxBytes, pictureKind)
	if err != nil {
		return nil, err
	}
	t, err := decode(ld.space.Name(ref), data)
	if err != nil {
		return nil, err
	}
	had[ref] = t
	return t, nil
}

// image decodes a picture, or takes one of the same content that was decoded before.
func (ld *loader) image(name string, data []byte) (*scene.Texture, error) {
	key := sha256.Sum256(data)
	ld.lib.mu.Lock()
	t, known := ld.lib.textures.get(key)
	ld.lib.mu.Unlock()
	if known {
		return t, nil
	}
	t, err := texture.Decode(name, data)
	if err != nil {
		return nil, err
	}
	ld.lib.mu.Lock()
	defer ld.lib.mu.Unlock()
	ld.lib.textures.put(key, t, len(t.Levels[0].Pix))
	return t, nil
}

// dressed is a mesh with the pictures and palettes that its file names. Missing ones affect the appearance
// alone.
func (ld *loader) dressed(m *mesh.Mesh, ref asset.Ref) *mesh.Mesh {
	if len(m.Looks) == 0 {
		return m
	}
	out := *m
	out.Looks, out.Warnings = slices.Clone(m.Looks), slices.Clone(m.Warnings)
	named := ld.palettes(&out, ref)
	for i := range out.Looks {
		material := &out.Looks[i].Material
		if from, ok := named[material.Name]; ok && material.Colour[3] == 0 {
			*material = from
		}
		if material.Texture == "" {
			continue
		}
		if material.Image = ld.textureOf(material.Texture, m.Pictures, ref); material.Image == nil {
			missing(&out, "texture", material.Texture)
		}
	}
	return &out
}

// palettes are the materials of the files that a mesh names.
func (ld *loader) palettes(m *mesh.Mesh, ref asset.Ref) map[string]scene.Material {
	named := map[string]scene.Material{}
	for _, file := range m.Palettes {
		at, err := ld.resolve(file, ref)
		var data []byte
		if err == nil {
			data, err = ld.read(at, texture.MaxBytes, paletteKind)
		}
		if err != nil {
			missing(m, "palette", file)
			continue
		}
		for name, material := range mesh.Palette(data) {
			named[name] = material
		}
	}
	return named
}

// missing says once that a mesh goes without a file.
func missing(m *mesh.Mesh, what, name string) {
	text := fmt.Sprintf("%s %.200q cannot be had", what, name)
	if len(m.Warnings) < 20 && !slices.Contains(m.Warnings, text) {
		m.Warnings = append(m.Warnings, text)
	}
}

// textureOf takes a mesh's picture from the mesh file, or searches it at its address, beside the mesh, and
// where Gazebo's models keep theirs. It is nil when none of these has it.
func (ld *loader) textureOf(name string, carried [][]byte, ref asset.Ref) *scene.Texture {
	if i, err := strconv.Atoi(strings.TrimPrefix(name, "#")); name[0] == '#' && err == nil && i >= 0 &&
		i < len(carried) {
		t, _ := ld.image(name, carried[i])
		return t
	}
	name = strings.ReplaceAll(name, `\`, "/")
	base := path.Base(name)
	for _, place := range []string{name, base, "../materials/textures/" + base, "../textures/" + base} {
		if t, err := ld.Texture(place, ref); err == nil {
			return t
		}
	}
	return nil
}
