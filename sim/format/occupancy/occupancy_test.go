package occupancy

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// beside answers the name of a picture.
type beside map[string][]byte

func (b beside) Read(uri string, _ asset.Ref, limit int64) ([]byte, string, error) {
	data, ok := b[uri]
	if !ok {
		return nil, "", asset.ErrNotFound
	}
	return data[:min(int64(len(data)), limit)], uri, nil
}

const head = "image: m.pgm\nresolution: 0.5\norigin: [1, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"

// small is 3 × 2 cells: above 0 (black), 205, 255; below 254, 50, 100.
const small = "P2\n# a comment\n3 2\n255\n0 205 255\n254 50 100\n"

func read(text, picture string) (*Map, scene.Notes, error) {
	return Read("maps/m.yaml", asset.Ref{}, []byte(text), beside{"m.pgm": []byte(picture)})
}

func TestShadesBecomeCellsFromTheBottomUp(t *testing.T) {
	for _, c := range []struct {
		change, picture string
		want            []int8
	}{
		{"", small, []int8{0, 100, -1, 100, -1, 0}},
		{"mode: scale", small, []int8{0, 100, 91, 100, 0, 0}},
		{"mode: raw", small, []int8{1, -1, -1, -1, 50, 0}},
		{"mode: trinary\nextra: 1", strings.ReplaceAll(small, "255\n0", "510\n0"),
			[]int8{-1, 100, 100, 100, -1, -1}},
		{"", "P5 2 1 65535\n\xff\xff\x00\x00", []int8{0, 100}},
		{"", "P5\n2 1\n255\n\xfe\x00", []int8{0, 100}},
		{"", "P5\r\n2 1\r\n255\n\xfe\x00", []int8{0, 100}},
	} {
		m, _, err := read(head+c.change, c.picture)
		if err != nil {
			t.Errorf("%q: %v", c.picture, err)
			continue
		}
		if fmt.Sprint(m.Cells) != fmt.Sprint(c.want) {
			t.Errorf("%s %q: cells %v, want %v", c.change, c.picture, m.Cells, c.want)
		}
	}
	m, _, err := read(strings.Replace(head, "negate: 0", "negate: true", 1), small)
	if err != nil || fmt.Sprint(m.Cells) != "[100 -1 -1 0 100 100]" {
		t.Errorf("negated: %v %v", m, err)
	}
}

func TestTransparentPixelsAreUnknown(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 1))
	img.Set(0, 0, color.NRGBA{A: 255})
	img.Set(1, 0, color.NRGBA{255, 255, 255, 255})
	img.Set(2, 0, color.NRGBA{0, 0, 0, 128})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	m, _, err := read(head, b.String())
	if err != nil || fmt.Sprint(m.Cells) != "[100 0 -1]" {
		t.Errorf("%v %v", m, err)
	}
}

var refused = []struct{ text, picture, want string }{
	{"", small, "m.yaml:1:1: the file is empty"},
	{"- 1", small, "holds no keys"},
	{"image: [", small, "yaml: "},
	{"image: m.pgm\n", small, `there is no "resolution"`},
	{strings.Replace(head, "0.5", "0", 1), small, "m.yaml:2:13: a resolution of 0 m"},
	{strings.Replace(head, "0.5", ".nan", 1), small, "not a finite number"},
	{strings.Replace(head, "[1, 2, 0]", "[1, 2]", 1), small, "m.yaml:3:9: origin has 2 numbers"},
	{strings.Replace(head, "[1, 2, 0]", "[1, x, 0]", 1), small, `"x" in origin`},
	{strings.Replace(head, "m.pgm", "[a]", 1), small, "the name of a picture is needed"},
	{strings.Replace(head, "m.pgm", "n.pgm", 1), small, "m.yaml:1:8: image: not found"},
	{strings.Replace(head, "negate: 0", "negate: maybe", 1), small, `negate is "maybe"`},
	{strings.Replace(head, "0.65", "-1", 1), small, "a share from 0 to 1"},
	{head + "mode: colour", small, `mode "colour"`},
	{head + "wall_height: -1", small, "walls of -1 m"},
	{strings.Replace(head, "0.5", "1000", 1), "P5 40000 1 255\n" + strings.Repeat(" ", 40000),
		"cells of 1000 m"},
	{head, "BM", "no PGM"},
	{head, "\x89PNG", "EOF"},
	{head, "P5 0 1 255\n", "0 × 1 pixels"},
	{head, "P5 100000 100000 255\n", "at most 36000000"},
	{head, "P5 2 2 255\nabc", "need 4 bytes, 3 are there"},
	{head, "P5 2 2 0\nabcd", "a largest value of 0"},
	{head, "P2 2 2 255\n1 2 3", "pixel 3: the file ends too early"},
	{head, "P2 2 2 255\n1 2 3 x", "no number of a PGM"},
	{head, "P5 2", "ends too early"},
	{head, "P5 # never", "ends in a comment"},
}

func TestWhatIsWrongIsRefusedWithItsPlace(t *testing.T) {
	for _, r := range refused {
		_, _, err := read(r.text, r.picture)
		if !errors.Is(err, scene.ErrParse) && !errors.Is(err, scene.ErrMissingAssets) ||
			!strings.Contains(err.Error(), r.want) {
			t.Errorf("%.60q %.30q: %v, want %q", r.text, r.picture, err, r.want)
		}
	}
}

func TestEveryStrictPrefixOfAPictureFails(t *testing.T) {
	const picture = "P5\n# c\n4 2\n255\nabcdefgh"
	for i := range len(picture) {
		if _, _, err := read(head, picture[:i]); err == nil {
			t.Errorf("prefix %q is read", picture[:i])
		}
	}
}

// random is a map with walls of many shapes.
func random(seed uint64, width, height int) *Map {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Map{Name: "m", Width: width, Height: height, Resolution: 0.1, Yaw: 0.3, X: 1, Y: 2, WallHeight: 1,
		Cells: make([]int8, width*height)}
	for range 1 + r.IntN(12) {
		x, y, w, h := r.IntN(width), r.IntN(height), 1+r.IntN(8), 1+r.IntN(8)
		for k := y; k < min(y+h, height); k++ {
			for i := x; i < min(x+w, width); i++ {
				m.Cells[k*width+i] = Occupied
			}
		}
	}
	for range r.IntN(20) {
		m.Cells[r.IntN(len(m.Cells))] = int8(r.IntN(3)-1) * 100 / 2
	}
	return m
}

// walls is the complete set of a map's walls.
func walls(m *Map) []Rect {
	w, _ := m.Walls(len(m.Cells))
	return w
}

func TestWallsCoverExactlyTheOccupiedCellsOnce(t *testing.T) {
	for seed := range uint64(300) {
		m := random(seed, 3+int(seed%29), 2+int(seed%17))
		covered := make([]int, len(m.Cells))
		for _, r := range walls(m) {
			for y := range r.H {
				for x := range r.W {
					covered[(r.Y+y)*m.Width+r.X+x]++
				}
			}
		}
		for k, c := range m.Cells {
			if want := map[bool]int{true: 1, false: 0}[c == Occupied]; covered[k] != want {
				t.Fatalf("seed %d: cell %d is %d and covered %d times", seed, k, c, covered[k])
			}
		}
	}
}

func TestTheBoxesOfAModelStandWhereTheCellsAre(t *testing.T) {
	m := random(7, 30, 20)
	spec, err := m.Model()
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range m.Cells {
		s, co := math.Sincos(m.Yaw)
		x, y := (float64(k%m.Width)+0.5)*m.Resolution, (float64(k/m.Width)+0.5)*m.Resolution
		at := r3.V(m.X+co*x-s*y, m.Y+s*x+co*y, 0.5)
		inside := 0
		for _, g := range spec.Links[0].Collisions {
			p := spec.Placement.Mul(g.Pose).Inverse().Apply(at)
			if math.Abs(p.X) < g.Size.X/2 && math.Abs(p.Y) < g.Size.Y/2 && math.Abs(p.Z) < g.Size.Z/2 {
				inside++
			}
		}
		if (c == Occupied) != (inside == 1) {
			t.Fatalf("cell %d is %d and its middle lies in %d boxes", k, c, inside)
		}
	}
}

func TestTheClearestPlaceIsAsFarFromWallsAsASearchFinds(t *testing.T) {
	for seed := range uint64(40) {
		m := random(seed, 24, 18)
		x, y, cells, ok := m.Clearest()
		if !ok || m.Cells[y*m.Width+x] != Free {
			t.Fatalf("seed %d: %d, %d is %d", seed, x, y, m.Cells[y*m.Width+x])
		}
		best := 0.0
		for k, c := range m.Cells {
			if c == Free {
				best = max(best, m.room(k%m.Width, k/m.Width))
			}
		}
		if got := m.room(x, y); got < 0.9*best-0.5 || math.Abs(got-cells) > 0.1*best+0.5 {
			t.Errorf("seed %d: %.2f cells of room, it says %.2f, the best place has %.2f", seed, got, cells,
				best)
		}
	}
}

// room is the distance from a cell to the nearest one that is not free, or is outside.
func (m *Map) room(x, y int) float64 {
	best := math.Inf(1)
	for k := -1; k <= m.Height; k++ {
		for i := -1; i <= m.Width; i++ {
			if i < 0 || k < 0 || i == m.Width || k == m.Height || m.Cells[k*m.Width+i] != Free {
				best = min(best, math.Hypot(float64(i-x), float64(k-y)))
			}
		}
	}
	return best
}

func TestNoiseIsRefusedAndNotBuilt(t *testing.T) {
	m := &Map{Name: "noise", Width: 1000, Height: 1000, Resolution: 0.1, WallHeight: 1,
		Cells: make([]int8, 1_000_000)}
	for k := range m.Cells {
		if (k%1000+k/1000)%2 == 0 {
			m.Cells[k] = Occupied
		}
	}
	if _, err := m.Model(); !errors.Is(err, scene.ErrParse) ||
		!strings.Contains(err.Error(), "more than 100000 walls") {
		t.Errorf("%v", err)
	}
}

// BenchmarkWalls merges the cells of a building of 200 m at 5 cm.
func BenchmarkWalls(b *testing.B) {
	m := &Map{Width: 4000, Height: 4000, Cells: make([]int8, 16_000_000)}
	for k := range m.Cells {
		if x, y := k%4000, k/4000; x%200 < 3 && y%100 > 20 || y%250 < 3 {
			m.Cells[k] = Occupied
		}
	}
	for b.Loop() {
		b.ReportMetric(float64(len(walls(m))), "walls")
	}
}

func FuzzRead(f *testing.F) {
	for _, r := range refused {
		if len(r.picture) < 1000 {
			f.Add(r.text, []byte(r.picture))
		}
	}
	f.Add(head+"mode: scale", []byte(small))
	f.Fuzz(func(t *testing.T, text string, picture []byte) {
		if p, err := decode(picture); err == nil && p.width*p.height > 1<<16 {
			return // slow and the same
		}
		m, _, err := Read("m.yaml", asset.Ref{}, []byte(text), beside{"m.pgm": picture})
		if err != nil {
			return
		}
		spec, err := m.Model()
		if err != nil {
			return
		}
		for _, g := range spec.Links[0].Collisions {
			if !g.Pose.IsFinite() || !(g.Size.X > 0) || !(g.Size.Z > 0) {
				t.Fatalf("wall %+v", g)
			}
		}
	})
}
