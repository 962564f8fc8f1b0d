package mesh

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"simdeck/sim/scene"
)

// maxMarks bounds the braces, brackets and commas of a glTF text: each becomes a value of up to some hundred
// bytes.
const maxMarks = 1_000_000

// gltfFile is the part of a glTF 2.0 document that meshes need (Khronos, glTF 2.0 Specification, section 5).
type gltfFile struct {
	Asset       struct{ Version string }
	Scene       *int
	Scenes      []struct{ Nodes []int }
	Nodes       []gltfNode
	Meshes      []gltfMesh
	Accessors   []gltfAccessor
	BufferViews []gltfView
	Buffers     []gltfBuffer
	Materials   []gltfMaterial
	Textures    []gltfTexture
	Images      []gltfImage
	Skins       []struct{}
	Required    []string `json:"extensionsRequired"`
}

type gltfNode struct {
	Name        string
	Children    []int
	Mesh        *int
	Skin        *int
	Matrix      *[16]float64
	Translation *[3]float64
	Rotation    *[4]float64
	Scale       *[3]float64
}

type gltfMesh struct {
	Name       string
	Primitives []gltfPrimitive
}

type gltfPrimitive struct {
	Attributes map[string]int
	Indices    *int
	Material   *int
	Mode       *int
	Targets    []json.RawMessage
	Extensions map[string]json.RawMessage
}

type gltfBuffer struct {
	URI        string
	ByteLength int64
}

// gltf is one file being read.
type gltf struct {
	gltfFile
	m       *Mesh
	binary  []byte            // the second chunk of a .glb
	beside  map[string][]byte // files that buffers name
	buffers map[int][]byte
	passed  int // primitives that are points or lines
}

// decodeGLTF reads glTF 2.0 as text or binary. The triangles of the scene's nodes are read in the pose in
// which the file gives them, without skins, morphs and animations. The axes are those of the file: as for
// COLLADA the up axis is not applied.
func decodeGLTF(data []byte, beside map[string][]byte) (*Mesh, error) {
	size := len(data)
	for _, b := range beside {
		size += len(b)
	}
	g := &gltf{m: &Mesh{most: instanced(size)}, beside: beside, buffers: map[int][]byte{}}
	if err := g.open(data); err != nil {
		return nil, err
	}
	if err := g.supported(); err != nil {
		return nil, err
	}
	placed, err := g.instances()
	if err != nil {
		return nil, err
	}
	if err := g.fits(placed); err != nil {
		return nil, err
	}
	for _, p := range placed {
		if err := g.instance(p); err != nil {
			return nil, err
		}
	}
	if g.passed > 0 {
		g.m.warn("%d primitives of points or lines left out", g.passed)
	}
	return g.m, nil
}

// Beside lists the files that a mesh needs besides its own: the buffers of a glTF. Decode takes their
// contents.
func Beside(name string, data []byte) []string {
	if ext := extension(name); ext != ".gltf" && ext != ".glb" {
		return nil
	}
	g := &gltf{m: &Mesh{}}
	if g.open(data) != nil {
		return nil
	}
	var out []string
	for _, b := range g.Buffers {
		if b.URI != "" && !strings.HasPrefix(b.URI, "data:") && !slices.Contains(out, b.URI) &&
			len(out) < 64 {
			out = append(out, b.URI)
		}
	}
	return out
}

// open takes the container apart and reads the text.
func (g *gltf) open(data []byte) error {
	text, binary, err := chunks(data)
	if err != nil {
		return err
	}
	g.binary = binary
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	marks := 0
	for _, c := range text {
		if c == '{' || c == '[' || c == ',' {
			marks++
		}
	}
	if marks > maxMarks {
		return fmt.Errorf("the text has %d values, at most %d are read", marks, maxMarks)
	}
	if err := json.Unmarshal(text, &g.gltfFile); err != nil {
		return located(text, err)
	}
	if v := g.Asset.Version; !strings.HasPrefix(v, "2.") {
		return fmt.Errorf("glTF of version %q; 2.0 is read", v)
	}
	return nil
}

// located adds line and column to an error of package json.
func located(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset := len(text)
	switch {
	case errors.As(err, &syntax):
		offset = int(syntax.Offset) - 1
	case errors.As(err, &kind):
		offset = int(kind.Offset)
	}
	before := text[:min(max(offset, 0), len(text))]
	return fmt.Errorf("%d:%d: %w", 1+bytes.Count(before, []byte("\n")),
		len(before)-bytes.LastIndexByte(before, '\n'), err)
}

const (
	glbMagic  = 0x46546c67 // "glTF"
	glbText   = 0x4e4f534a // "JSON"
	glbBinary = 0x004e4942 // "BIN"
)

// chunks takes a .glb apart; a file without its magic is all text. The total length in the header is not
// needed and not believed.
func chunks(data []byte) (text, bin []byte, err error) {
	if len(data) < 4 || binary.LittleEndian.Uint32(data) != glbMagic {
		return data, nil, nil
	}
	if len(data) < 20 {
		return nil, nil, fmt.Errorf("%d bytes are less than the header of a .glb (20)", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return nil, nil, fmt.Errorf("binary glTF of version %d; 2 is read", v)
	}
	for rest := data[12:]; len(rest) >= 8; {
		size, kind := int64(binary.LittleEndian.Uint32(rest)), binary.LittleEndian.Uint32(rest[4:])
		rest = rest[8:]
		if size > int64(len(rest)) {
			return nil, nil, fmt.Errorf("a chunk at byte %d announces %d bytes and holds %d",
				len(data)-len(rest)-8, size, len(rest))
		}
		switch {
		case kind == glbText && text == nil:
			text = rest[:size]
		case kind == glbBinary && bin == nil:
			bin = rest[:size]
		}
		rest = rest[size:]
	}
	if text == nil {
		return nil, nil, errors.New("the .glb has no chunk of text")
	}
	return text, bin, nil
}

// supported refuses what the file says that no reader may pass over.
func (g *gltf) supported() error {
	for _, name := range g.Required {
		switch name {
		case "KHR_draco_mesh_compression", "EXT_meshopt_compression", "MPEG_mesh_linking":
			return fmt.Errorf("the file needs %s: compressed meshes are not read; export it without compression",
				name)
		case "KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_pbrSpecularGlossiness",
			"KHR_materials_unlit":
		default:
			g.m.warn("the file needs the extension %s, which is ignored", name)
		}
	}
	return nil
}

// buffer is the content of a buffer, at least as long as announced.
func (g *gltf) buffer(i int) ([]byte, error) {
	if i < 0 || i >= len(g.Buffers) {
		return nil, fmt.Errorf("buffers[%d] is not there", i)
	}
	if b, known := g.buffers[i]; known {
		return b, nil
	}
	b := &g.Buffers[i]
	var data []byte
	switch {
	case b.URI == "" && i == 0 && g.binary != nil:
		data = g.binary
	case b.URI == "":
		return nil, fmt.Errorf("buffers[%d] has neither an address nor a binary chunk", i)
	case strings.HasPrefix(b.URI, "data:"):
		var err error
		if data, err = inline(b.URI); err != nil {
			return nil, fmt.Errorf("buffers[%d]: %w", i, err)
		}
	default:
		var found bool
		if data, found = g.beside[b.URI]; !found {
			return nil, fmt.Errorf("buffers[%d]: the file %.80q is not there, or not next to this one", i,
				b.URI)
		}
	}
	if b.ByteLength < 0 || b.ByteLength > int64(len(data)) {
		return nil, fmt.Errorf("buffers[%d] announces %d bytes and holds %d", i, b.ByteLength, len(data))
	}
	g.buffers[i] = data
	return data, nil
}

// inline is the content of a data: address.
func inline(uri string) ([]byte, error) {
	head, body, ok := strings.Cut(uri, ",")
	if !ok || !strings.HasSuffix(head, ";base64") {
		return nil, fmt.Errorf("the address %.40q holds no base64", uri)
	}
	data, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		if data, err = base64.RawStdEncoding.DecodeString(body); err != nil {
			return nil, fmt.Errorf("the address %.40q: %w", uri, err)
		}
	}
	return data, nil
}

// look is the material of a primitive.
func (g *gltf) look(p *gltfPrimitive) scene.Material {
	if p.Material == nil || *p.Material < 0 || *p.Material >= len(g.Materials) {
		return scene.Material{}
	}
	return g.material(&g.Materials[*p.Material])
}
