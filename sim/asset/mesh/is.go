package mesh

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"simdeck/sim/asset/xmltree"
)

// Is reports whether a file begins as its format does. Such a file is a mesh, good or bad, and no other file
// under a mesh's name.
func Is(name string, data []byte) bool {
	switch extension(name) {
	case ".stl":
		return isSTL(data)
	case ".obj":
		return slices.Contains(wordsOfOBJ(), firstWord(data))
	case ".dae":
		return xmltree.RootName(data) == "COLLADA"
	case ".glb":
		return bytes.HasPrefix(data, []byte("glTF"))
	case ".gltf":
		return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n\ufeff"), []byte("{")) &&
			bytes.Contains(data, []byte(`"asset"`))
	case ".ply":
		return bytes.HasPrefix(data, []byte("ply"))
	case ".msh":
		return isMSH(data)
	}
	return false
}

// isSTL is the text kind by its first words, the binary kind by its length.
func isSTL(data []byte) bool {
	if len(data) >= stlHeader && stlLength(data) == len(data) {
		return true
	}
	head := bytes.ToLower(data[:min(len(data), 2048)])
	return bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte("solid")) &&
		(bytes.Contains(head, []byte("facet")) || bytes.Contains(head, []byte("endsolid")))
}

// isMSH is MuJoCo's format by its counts, which give the length.
func isMSH(data []byte) bool {
	if len(data) < 16 {
		return false
	}
	want := int64(16)
	for i, size := range [...]int64{12, 12, 8, 12} {
		n := int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		if n < 0 {
			return false
		}
		want += n * size
	}
	return want == int64(len(data))
}

// wordsOfOBJ are the first words of lines of an OBJ.
func wordsOfOBJ() []string {
	return strings.Fields("v vt vn vp f o g s l p mtllib usemtl cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con bevel c_interp d_interp lod shadow_obj trace_obj")
}

// IsPalette reports whether a file begins as one of OBJ materials.
func IsPalette(data []byte) bool { return firstWord(data) == "newmtl" }

// firstWord is the first word of a text behind comments, which begin with #.
func firstWord(data []byte) string {
	text, _ := xmltree.ToUTF8(data[:min(len(data), 64<<10)])
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 && words[0][0] != '#' {
			return words[0]
		}
	}
	return ""
}
