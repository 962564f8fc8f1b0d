package dynamics

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
	"simdeck/sim/shape/shapetest"
)

var update = flag.Bool("update", false, "rewrite the golden numbers")

// goldenScenes are chaotic scenes, in which any change of order or rounding shows.
func goldenScenes(t testing.TB) map[string]func() (*scene, float64, int) {
	sleepy := Config{Gravity: r3.V(0, 0, -9.81)}
	return map[string]func() (*scene, float64, int){
		"boxes":   func() (*scene, float64, int) { return fallingBoxes(t, 4, 4, 4, sleepy), 1.0 / 60, 900 },
		"pyramid": func() (*scene, float64, int) { return pyramid(t, 10, sleepy), 1.0 / 60, 900 },
		"robots":  func() (*scene, float64, int) { return robots(t, 4, 30, sleepy), 1.0 / 240, 480 },
		"shapes":  func() (*scene, float64, int) { return mixedShapes(t, sleepy), 0.004, 1500 },
		"arm": func() (*scene, float64, int) {
			s := newScene(t, 0.5, sleepy)
			s.arm()
			return s, 0.001,
				500
		},
		"limbs": func() (*scene, float64, int) { return articulationScene(t, sleepy), 0.004, 600 },
	}
}

// mixedShapes drops every kind of shape onto a mesh with walls.
func mixedShapes(t testing.TB, c Config) *scene {
	s := newScene(t, 0.6, c)
	s.fixed(shapetest.FloorMesh(t, 8, 0.5), r3.Pose{})
	for _, p := range []r3.Pose{at(1.6, 0, 0.5), at(-1.6, 0, 0.5)} {
		s.fixed(shape.BoxOf(r3.V(0.1, 3.3, 1)), p)
		p.Pos.X, p.Pos.Y = p.Pos.Y, p.Pos.X
		s.fixed(shape.BoxOf(r3.V(3.3, 0.1, 1)), p)
	}
	for i := range 60 {
		p := r3.Pose{Pos: r3.V((s.rnd()-0.5)*2, (s.rnd()-0.5)*2, 0.4+float64(i)/4)}
		q := r3.Quat{W: s.rnd() - 0.5, X: s.rnd() - 0.5, Y: s.rnd() - 0.5, Z: s.rnd() - 0.5}
		p.Rot, _ = q.Unit()
		s.body(s.someShape(i), 1, p, 0)
	}
	return s
}

func (s *scene) someShape(i int) shape.Shape {
	size := func() float64 { return 0.05 + s.rnd()/7 }
	switch i % 5 {
	case 0:
		return shape.Sphere{Radius: size()}
	case 1:
		return shape.Capsule{Radius: size(), Half: size()}
	case 2:
		return shape.Cylinder{Radius: size(), Half: size()}
	case 3:
		return shape.Box{Half: r3.V(size(), size(), size())}
	}
	var points []r3.Vec
	for range 16 {
		points = append(points, r3.V(s.rnd()-0.5, s.rnd()-0.5, s.rnd()-0.5).Scale(0.4))
	}
	h, err := shape.ConvexHull(points, 0)
	if err != nil {
		s.Fatal(err)
	}
	return h
}

// golden is the outcome of a scene: the step after which nothing moves, 0 for never, and the hash then.
type golden struct {
	SleepStep int
	Hash      string
}

func runGolden(s *scene, dt float64, n int) golden {
	s.Helper()
	g := golden{}
	for i := range n {
		s.step(dt, 1)
		if g.SleepStep == 0 && s.Stats().Awake == 0 {
			g.SleepStep = i + 1
		}
	}
	if err := s.Validate(); err != nil {
		s.Fatal(err)
	}
	g.Hash = fmt.Sprintf("%016x", s.Hash())
	return g
}

func TestScenesReachTheirGoldenHashes(t *testing.T) {
	const file = "testdata/golden.json"
	got := map[string]golden{}
	for name, build := range goldenScenes(t) {
		s, dt, n := build()
		got[name] = runGolden(s, dt, n)
	}
	if *update {
		b, err := json.MarshalIndent(got, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]golden{}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	for name, g := range got {
		if g != want[name] {
			t.Errorf("%s came to %+v, golden is %+v; if the change is meant, run the test with -update", name,
				g, want[name])
		}
	}
}

func TestTheSameCallsGiveTheSameBits(t *testing.T) {
	for name, build := range goldenScenes(t) {
		a, dt, _ := build()
		b, _, _ := build()
		for i := range 300 {
			a.step(dt, 1)
			b.step(dt, 1)
			if a.Hash() != b.Hash() {
				t.Fatalf("%s: the second run differs from step %d on", name, i+1)
			}
		}
	}
}

// TestARestoredWorldGoesOnBitForBit, also in a world whose contacts, tree and lists have another history.
func TestARestoredWorldGoesOnBitForBit(t *testing.T) {
	for name, build := range goldenScenes(t) {
		a, dt, _ := build()
		b, _, _ := build()
		a.step(dt, 150)
		state := a.AppendState(nil)
		b.step(dt, 40)
		if err := b.Body(b.added[0]).SetTwist(r3.Twist{Linear: r3.V(3, 2, 1)}); err != nil {
			t.Fatal(err)
		}
		b.step(dt, 77)
		if err := b.RestoreState(state); err != nil {
			t.Fatal(err)
		}
		if err := b.Validate(); err != nil {
			t.Fatal(err)
		}
		if again := b.AppendState(nil); string(again) != string(state) {
			t.Fatalf("%s: the restored world says another state than it was given", name)
		}
		for i := range 300 {
			if a.Hash() != b.Hash() {
				t.Fatalf("%s: differs %d steps after the restore", name, i)
			}
			a.step(dt, 1)
			b.step(dt, 1)
		}
	}
}

func TestAStateThatDoesNotFitChangesNothing(t *testing.T) {
	s := pyramid(t, 4, earth())
	s.step(1.0/60, 60)
	state := s.AppendState([]byte("head"))[4:]
	before := s.Hash()
	other := pyramid(t, 5, earth()).AppendState(nil)
	bad := map[string][]byte{"empty": nil, "another world's": other}
	for _, n := range []int{1, 8, 9, len(state) / 2, len(state) - 8, len(state) - 1} {
		bad[fmt.Sprintf("cut to %d", n)] = state[:n]
	}
	for _, i := range []int{0, 20, len(state) / 2, len(state) - 1} {
		b := append([]byte(nil), state...)
		b[i] ^= 0x40
		bad[fmt.Sprintf("flipped at %d", i)] = b
	}
	for name, b := range bad {
		if err := s.RestoreState(b); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if s.Hash() != before {
			t.Fatalf("%s: changed the world", name)
		}
	}
	if err := s.RestoreState(state); err != nil {
		t.Error(err)
	}
}

func TestIdsAreReusedLowestFirst(t *testing.T) {
	s := newScene(t, 0.5, earth())
	var ids []BodyID
	for i := range 6 {
		ids = append(ids, s.body(shape.Sphere{Radius: 0.1}, 1, at(float64(i), 0, 1), 0))
	}
	for _, i := range []int{4, 1, 3} {
		if err := s.RemoveBody(ids[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 3, 4, 6} {
		if id := s.body(shape.Sphere{Radius: 0.1}, 1, at(0, 0, 5), 0); id.Index() != want {
			t.Errorf("got slot %d, want %d", id.Index(), want)
		}
	}
	if s.Body(ids[4]).Alive() || !s.Body(ids[5]).Alive() {
		t.Error("an old id names a new body, or a live one is lost")
	}
	if err := s.RemoveBody(ids[4]); !errors.Is(err, ErrGone) {
		t.Errorf("removing twice: %v", err)
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

// TestRemovalOrderDoesNotMatter: the hash depends on the remaining bodies alone, not on the order in which
// the others were removed.
func TestRemovalOrderDoesNotMatter(t *testing.T) {
	run := func(order []int) uint64 {
		s := fallingBoxes(t, 3, 3, 3, earth())
		s.step(1.0/60, 100)
		for _, i := range order {
			if err := s.RemoveBody(s.added[i]); err != nil {
				t.Fatal(err)
			}
		}
		s.added = nil
		for i := range 3 {
			s.body(shape.Box{Half: r3.V(0.2, 0.2, 0.2)}, 10, at(0, 0, 3+float64(i)), 0)
		}
		s.stepChecked(1.0/60, 100)
		return s.Hash()
	}
	if a, b := run([]int{3, 11, 20, 7}), run([]int{20, 7, 3, 11}); a != b {
		t.Errorf("%016x and %016x", a, b)
	}
}
