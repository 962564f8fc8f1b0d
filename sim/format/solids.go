package format

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"simdeck/sim/asset/mesh"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// Store keeps what is expensive to compute beyond the life of a process, by a key over all that it was
// computed from. Its data are checked before use, because it may lose, truncate or damage them. Safe from any
// goroutine.
type Store interface {
	Get(key [32]byte) (data []byte, ok bool)
	Put(key [32]byte, data []byte)
}

// forgetful is the Store of those who have none.
type forgetful struct{}

func (forgetful) Get([32]byte) ([]byte, bool) { return nil, false }
func (forgetful) Put([32]byte, []byte)        {}

// Numbers of triangles from which on a mesh's results are worth storing: reading a file takes some 50 µs too.
const (
	keepDecoded = 2000
	keepTree    = 2000
	keepHulls   = 100
)

// maxScales bounds how many scales of a mesh are remembered.
const maxScales = 16

// storeKey is the place of what is made of a content.
func storeKey(what string, version int, content [32]byte, more ...float64) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "simdeck %s %d %x %x", what, version, content, more))
}

// decode reads a mesh, or takes it from the store.
func (ld *loader) decode(name string, data []byte, beside map[string][]byte, content [32]byte) (*mesh.Mesh,
	error) {
	key := storeKey("mesh", mesh.CodeVersion, content)
	m, err := (*mesh.Mesh)(nil), mesh.ErrCode
	if old, ok := ld.lib.store.Get(key); ok {
		m, err = mesh.Parse(old)
	}
	if err != nil {
		if m, err = mesh.DecodeWith(name, data, beside); err != nil {
			return nil, err
		}
		if len(m.Triangles) >= keepDecoded {
			ld.lib.store.Put(key, mesh.Append(nil, m))
		}
	}
	m.Solids = &solids{store: ld.lib.store, content: content, vertices: m.Vertices, triangles: m.Triangles}
	return m, nil
}

// solids is the scene.Solids of a mesh that was read from a file.
type solids struct {
	store     Store
	content   [32]byte
	vertices  []r3.Vec
	triangles [][3]int32

	mu    sync.Mutex // held while something is made: who else wants it waits
	trees []tree
	cuts  []cut
}

type tree struct {
	scale r3.Vec
	made  *shape.Mesh
	err   error
}

type cut struct {
	scale r3.Vec
	cut   shape.Cut
	made  []*shape.Hull
	err   error
}

var _ scene.Solids = (*solids)(nil)

func (s *solids) scaled(by r3.Vec) []r3.Vec {
	m := scene.Mesh{Vertices: s.vertices}
	return m.Scaled(by)
}

// Surface is the mesh with its tree.
func (s *solids) Surface(scale r3.Vec) (*shape.Mesh, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.trees {
		if t.scale == scale {
			return t.made, t.err
		}
	}
	t := tree{scale: scale}
	key := storeKey("tree", shape.CodeVersion, s.content, scale.X, scale.Y, scale.Z)
	if data, ok := s.store.Get(key); ok {
		t.made, _ = shape.ParseMesh(data)
	}
	if t.made == nil {
		t.made, t.err = shape.NewMesh(s.scaled(scale), s.triangles)
		if t.err == nil && len(s.triangles) >= keepTree {
			s.store.Put(key, shape.AppendMesh(nil, t.made))
		}
	}
	if len(s.trees) < maxScales {
		s.trees = append(s.trees, t)
	}
	return t.made, t.err
}

// Hulls is the mesh as convex hulls.
func (s *solids) Hulls(scale r3.Vec, c shape.Cut) ([]*shape.Hull, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, old := range s.cuts {
		if old.scale == scale && old.cut == c {
			return old.made, old.err
		}
	}
	n := cut{scale: scale, cut: c}
	key := storeKey("hulls", shape.CodeVersion, s.content, scale.X, scale.Y, scale.Z, float64(c.Parts),
		c.Error, float64(c.Vertices))
	if data, ok := s.store.Get(key); ok {
		n.made, _ = shape.ParseHulls(data)
	}
	if n.made == nil {
		n.made, n.err = shape.Decompose(s.scaled(scale), s.triangles, c)
		if n.err == nil && len(s.triangles) >= keepHulls {
			s.store.Put(key, shape.AppendHulls(nil, n.made))
		}
	}
	if len(s.cuts) < maxScales {
		s.cuts = append(s.cuts, n)
	}
	return n.made, n.err
}
