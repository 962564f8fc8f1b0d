package format

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"testing"

	"simdeck/sim/format/occupancy"
	"simdeck/sim/scene"
)

type mapFacts struct {
	File                    string
	Width, Height           int
	Resolution              float64
	Occupied, Free, Unknown int
	Intermediate            int
	Grid                    string `json:"grid_sha256"`
	Error                   string
	Box                     []float64 `json:"occupied_bbox_m_unrotated"`
}

func readMap(t *testing.T, lib *Library, uri string) (*occupancy.Map, error) {
	t.Helper()
	r := scene.Resource{URI: uri}
	ld := newLoader(t.Context(), lib, r)
	f, err := ld.request(r, worldFile)
	if err != nil {
		return nil, err
	}
	m, _, err := ld.walls(f)
	return m, err
}

// walls is the complete set of a map's walls.
func walls(m *occupancy.Map) []occupancy.Rect {
	w, _ := m.Walls(len(m.Cells))
	return w
}

func compareMap(m *occupancy.Map, f mapFacts) differences {
	var d differences
	raw := make([]byte, len(m.Cells))
	counts := map[int]int{}
	for i, c := range m.Cells {
		raw[i] = byte(c)
		switch {
		case c == occupancy.Unknown, c == occupancy.Free, c == occupancy.Occupied:
			counts[int(c)]++
		default:
			counts[1]++
		}
	}
	d.count("width", m.Width, f.Width)
	d.count("height", m.Height, f.Height)
	d.count("occupied", counts[occupancy.Occupied], f.Occupied)
	d.count("free", counts[occupancy.Free], f.Free)
	d.count("unknown", counts[occupancy.Unknown], f.Unknown)
	d.number("resolution", m.Resolution, f.Resolution)
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != f.Grid {
		d = append(d, "the cells differ")
	}
	covered := 0
	for _, r := range walls(m) {
		covered += r.W * r.H
	}
	d.count("cells under walls", covered, f.Occupied)
	return d
}

func TestRealMapsAreWhatIndependentToolsFound(t *testing.T) {
	lists, err := filepath.Glob(filepath.Join(corpus(t), "maps", "*", "expected.json"))
	if err != nil || len(lists) < 10 {
		t.Fatalf("%d items, %v", len(lists), err)
	}
	lines := []string{}
	for _, list := range lists {
		var e struct{ Files []mapFacts }
		readJSON(t, list, &e)
		folder := filepath.Dir(list)
		lib := item(t, folder)
		for _, f := range e.Files {
			name := path.Join("maps", filepath.Base(folder), f.File)
			m, err := readMap(t, lib, f.File)
			switch {
			case err != nil && f.Grid == "": // neither has the picture
			case err != nil:
				t.Errorf("%s: %v", name, err)
			default:
				if d := compareMap(m, f); len(d) > 0 {
					t.Errorf("%s: %v", name, d)
				}
				lines = append(lines, fmt.Sprintf("%s: %d cells, %d occupied, %d walls", name, len(m.Cells),
					f.Occupied, len(walls(m))))
			}
		}
	}
	golden(t, "testdata/corpus_maps.txt", lines)
}

// Every difference from the policies is listed here with its reason.
var mapPolicies = map[string]string{}

func TestMalformedMapsFollowThePolicies(t *testing.T) {
	dir := filepath.Join(corpus(t), "malformed")
	var e struct {
		Files []struct{ File, Policy, Why string }
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &e)
	seen := 0
	for _, f := range e.Files {
		if path.Dir(f.File) != "maps" {
			continue
		}
		seen++
		got := "reject"
		w, err := item(t, filepath.Join(dir, "maps")).World(scene.Resource{URI: path.Base(f.File)})
		if err == nil {
			got = verdictOn(w.Notes)
		}
		if f.Policy != "survive" && got != f.Policy && mapPolicies[f.File] == "" {
			t.Errorf("%s: policy %s (%s), got %s %v", f.File, f.Policy, f.Why, got, err)
		}
	}
	if seen < 20 {
		t.Errorf("%d maps", seen)
	}
}

func TestAMapIsAWorldWithWallsAndNamedPlaces(t *testing.T) {
	lib := item(t, filepath.Join(corpus(t), "maps", "turtlebot3_world"))
	w, err := lib.World(scene.Resource{URI: "map.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Models) != 2 || w.Models[0].Name != "ground_plane" || !w.Models[1].Static ||
		w.Models[1].Pose.Pos.X != -10 || len(w.NamedPoses) != 2 {
		t.Fatalf("%+v", w)
	}
	if worlds, _ := lib.Worlds(nil); len(worlds) != 1 || worlds[0].Tags[0] != "map" {
		t.Errorf("listed %+v", worlds)
	}
}
