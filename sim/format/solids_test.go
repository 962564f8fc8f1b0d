package format

import (
	"encoding/binary"
	"math"
	"reflect"
	"sync"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/shape"
)

// fakeStore is a Store in memory that counts, and spoils what it gives.
type fakeStore struct {
	mu        sync.Mutex
	kept      map[[32]byte][]byte
	hits, put int
	spoil     func([]byte) []byte
}

func (s *fakeStore) Get(key [32]byte) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.kept[key]
	if ok {
		s.hits++
	}
	if ok && s.spoil != nil {
		data = s.spoil(append([]byte(nil), data...))
	}
	return data, ok
}

func (s *fakeStore) Put(key [32]byte, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[[32]byte][]byte{}
	}
	s.put++
	s.kept[key] = data
}

// wavyRing is a binary STL of 2·n·m triangles: a ring with waves on it.
func wavyRing(n, m int) []byte {
	data := make([]byte, 84, 84+50*2*n*m)
	binary.LittleEndian.PutUint32(data[80:], uint32(2*n*m))
	at := func(i, k int) [3]float64 {
		a, b := 2*math.Pi*float64(i%n)/float64(n), 2*math.Pi*float64(k%m)/float64(m)
		minor := 0.3 + 0.02*math.Sin(9*a)*math.Cos(5*b)
		r := 1 + minor*math.Cos(b)
		return [3]float64{r * math.Cos(a), r * math.Sin(a), minor * math.Sin(b)}
	}
	for i := range n {
		for k := range m {
			for _, t := range [2][3][3]float64{{at(i, k), at(i+1, k), at(i+1, k+1)},
				{at(i, k), at(i+1, k+1), at(i, k+1)}} {
				data = append(data, make([]byte, 12)...)
				for _, p := range t {
					for _, f := range p {
						data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(f)))
					}
				}
				data = append(data, 0, 0)
			}
		}
	}
	return data
}

func ringLibrary(stl []byte, store Store) *Library {
	return NewLibrary(Config{Store: store, Roots: []asset.Root{{Name: "disk", Base: "/disk", FS: fstest.MapFS{
		"ring.stl": {Data: stl},
		"ring.urdf": text(`<robot name="ring"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>` +
			`<collision><geometry><mesh filename="ring.stl"/></geometry></collision></link></robot>`),
	}}}})
}

// loaded returns a library's results for the ring: its mesh, its tree and its hulls.
func loaded(t testing.TB, l *Library) (*scene.Mesh, *shape.Mesh, []*shape.Hull) {
	t.Helper()
	m, err := l.Model(scene.Resource{URI: "/disk/ring.urdf"})
	if err != nil {
		t.Fatal(err)
	}
	mesh := m.Links[0].Collisions[0].Mesh
	tree, err := mesh.Solids.Surface(r3.V(1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	hulls, err := mesh.Solids.Hulls(r3.V(1, 2, 1), shape.Cut{})
	if err != nil {
		t.Fatal(err)
	}
	return mesh, tree, hulls
}

func TestWhatIsMadeOfMeshesIsTakenFromTheStoreAndIsTheSame(t *testing.T) {
	stl, store := wavyRing(60, 24), &fakeStore{}
	mesh, tree, hulls := loaded(t, ringLibrary(stl, store))
	if store.put != 3 || store.hits != 0 {
		t.Fatalf("%d kept, %d taken, want 3 and none", store.put, store.hits)
	}
	again, sameTree, sameHulls := loaded(t, ringLibrary(stl, store))
	if store.put != 3 || store.hits != 3 {
		t.Errorf("then %d kept, %d taken, want 3 and 3", store.put, store.hits)
	}
	if !reflect.DeepEqual(again.Vertices, mesh.Vertices) ||
		!reflect.DeepEqual(again.Triangles, mesh.Triangles) || !reflect.DeepEqual(sameTree, tree) ||
		!reflect.DeepEqual(sameHulls, hulls) {
		t.Error("what was kept is not what was made")
	}
	stl[100]++ // another content is another key
	if loaded(t, ringLibrary(stl, store)); store.hits != 3 || store.put != 6 {
		t.Errorf("a changed file: %d kept, %d taken, want 6 and 3", store.put, store.hits)
	}
}

func TestWhatAStoreSpoilsIsMadeAgain(t *testing.T) {
	stl, store := wavyRing(60, 24), &fakeStore{}
	_, tree, hulls := loaded(t, ringLibrary(stl, store))
	for name, spoil := range map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"nothing": func([]byte) []byte { return nil },
		"huge":    func(b []byte) []byte { copy(b, "\xff\xff\xff\x7f"); return b },
		"indices": func(b []byte) []byte {
			for i := len(b) / 2; i < len(b); i++ {
				b[i] = 0xee
			}
			return b
		},
	} {
		store.spoil = spoil
		_, again, others := loaded(t, ringLibrary(stl, store))
		if !reflect.DeepEqual(again, tree) || !reflect.DeepEqual(others, hulls) {
			t.Errorf("%s: what is made from spoilt data is another", name)
		}
	}
}

func TestEveryoneWhoWantsAMeshGetsTheSameTree(t *testing.T) {
	l := ringLibrary(wavyRing(60, 24), nil)
	_, tree, _ := loaded(t, l)
	if _, again, _ := loaded(t, l); again != tree {
		t.Error("the tree was made twice")
	}
}

// BenchmarkLoadMesh reads a mesh of 100,000 triangles and makes its tree and its convex hull, from the file
// and from the store. Each library starts as a new process would.
func BenchmarkLoadMesh(b *testing.B) {
	stl, warm := wavyRing(500, 100), &fakeStore{}
	load := func(b *testing.B, store Store) {
		m, err := ringLibrary(stl, store).Model(scene.Resource{URI: "/disk/ring.urdf"})
		if err != nil {
			b.Fatal(err)
		}
		s := m.Links[0].Collisions[0].Mesh.Solids
		if _, err := s.Surface(r3.V(1, 1, 1)); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Hulls(r3.V(1, 1, 1), shape.Cut{Parts: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			load(b, &fakeStore{})
		}
	})
	load(b, warm)
	b.Run("cached", func(b *testing.B) {
		for b.Loop() {
			load(b, warm)
		}
	})
}
