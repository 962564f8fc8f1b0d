package sdf

import (
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

func terrain(inside string) string {
	return `<sdf version="1.9"><model name="m"><static>true</static><link name="l"><pose>1 0 0 0 0 0</pose><collision name="c"><pose>0 0 2 0 0 0</pose><geometry><heightmap>` +
		inside + `</heightmap></geometry></collision></link></model></sdf>`
}

func TestAHeightmapIsATerrain(t *testing.T) {
	for name, c := range map[string]struct {
		inside string
		at     r3.Vec
		heights
	}{
		// The file's rows are from the top, of 0, 51, 102 and 102, 102, 102 of 255.
		"as given": {`<uri>slope.pgm</uri><size>20 10 4</size><pos>1 2 3</pos>`, r3.V(1, 2, 5),
			heights{20, 10, 4, 4, 4, 0, 2, 4}},
		"usual size": {`<uri>slope.pgm</uri>`, r3.V(0, 0, 2), heights{1, 1, 1, 1, 1, 0, 0.5, 1}},
		"white is deep": {`<uri>slope.pgm</uri><size>20 10 -4</size>`, r3.V(0, 0, 2),
			heights{20, 10, 0, 0, 0, 4, 2, 0}},
	} {
		d := open(t, terrain(c.inside), fakeFiles{})
		spec, err := Model(d)
		if err != nil || len(spec.Links[0].Collisions) != 1 {
			t.Fatalf("%s: %v, notes %v", name, err, *d.Notes)
		}
		g := &spec.Links[0].Collisions[0]
		if g.Kind != scene.Heightfield || g.Pose.Pos != c.at || g.Heights.Columns != 3 ||
			g.Heights.Rows != 2 {
			t.Fatalf("%s: %+v", name, g)
		}
		got := heights{g.Heights.X, g.Heights.Y}
		for i, z := range g.Heights.Z {
			got[2+i] = float64(z)
		}
		if got != c.heights {
			t.Errorf("%s: %v, want %v", name, got, c.heights)
		}
	}
}

// heights is X, Y and the Z of a terrain of six points.
type heights [8]float64

func TestAHeightmapThatCannotBeHadIsNoted(t *testing.T) {
	for name, c := range map[string]struct {
		inside, want string
		kind         scene.NoteKind
	}{
		"missing":   {`<uri>none.png</uri>`, "heightmap", scene.Missing},
		"broken":    {`<uri>bad.png</uri>`, "heightmap bad.png", scene.Unreadable},
		"one pixel": {`<uri>dot.pgm</uri>`, "1 × 1 pixels", scene.Unreadable},
	} {
		d := open(t, terrain(c.inside), fakeFiles{})
		spec, err := Model(d)
		if err != nil || len(spec.Links[0].Collisions) != 0 || len(spec.Links[0].Lost) != 1 {
			t.Fatalf("%s: %v", name, err)
		}
		found := false
		for _, n := range *d.Notes {
			found = found || n.Kind == c.kind && strings.Contains(n.Text, c.want)
		}
		if !found {
			t.Errorf("%s: notes %v", name, *d.Notes)
		}
	}
	for _, inside := range []string{`<uri>slope.pgm</uri><size>-1 1 1</size>`,
		`<uri>slope.pgm</uri><size>1 1</size>`, `<uri>slope.pgm</uri><pos>a b c</pos>`} {
		if _, err := Model(open(t, terrain(inside), fakeFiles{})); err == nil ||
			!strings.Contains(err.Error(), "test.sdf:1:") {
			t.Errorf("%s: %v", inside, err)
		}
	}
}

// tiled are files with two pictures of one colour.
type tiled struct{ fakeFiles }

func (tiled) Texture(uri string, _ asset.Ref) (*scene.Texture, error) {
	colours := map[string][]uint8{"grass.png": {0, 200, 0, 255}, "snow.png": {250, 250, 250, 255}}
	if colours[uri] == nil {
		return nil, asset.ErrNotFound
	}
	return &scene.Texture{Levels: []scene.TextureLevel{{Width: 1, Height: 1, Pix: colours[uri]}}}, nil
}

func TestAHeightmapWearsItsTextures(t *testing.T) {
	const grass, snow = `<texture><diffuse>grass.png</diffuse><size>1</size></texture>`,
		`<texture><diffuse>snow.png</diffuse><size>1</size></texture>`
	for name, c := range map[string]struct {
		inside, note string
		west, east   uint8 // the red of the cover, in its north
	}{
		"one": {grass, "", 0, 0},
		"two": {grass + `<blend><min_height>1</min_height><fade_dist>0.5</fade_dist></blend>` +
			snow, "", 0, 250},
		"no blend": {grass + snow, "texture 2 of a <heightmap> has no <blend>", 0, 0},
		"first missing": {`<texture><diffuse>mud.png</diffuse></texture>` + snow +
			`<blend><min_height>1</min_height></blend>`, "texture: not found", 250, 250},
		"no size": {`<texture><diffuse>snow.png</diffuse><size>0</size></texture>`, "is 0 m wide", 7,
			7},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("<collision", "<visual", "</collision",
				"</visual").Replace(terrain(`<uri>slope.pgm</uri><size>20 10 4</size>` + c.inside))
			d := open(t, text, nil)
			d.Files = tiled{fakeFiles{}}
			spec, err := Model(d)
			if err != nil {
				t.Fatal(err)
			}
			if c.note == "" && len(*d.Notes) > 0 || c.note != "" && !said(*d.Notes, c.note) {
				t.Errorf("notes %v, want %q", *d.Notes, c.note)
			}
			image := spec.Links[0].Visuals[0].Material.Image
			if image == nil {
				if c.west != 7 {
					t.Error("it wears none")
				}
				return
			}
			l := image.Levels[0]
			if west, east := l.Pix[0], l.Pix[4*(l.Width-1)]; west != c.west || east != c.east {
				t.Errorf("red from %d to %d, want %d to %d", west, east, c.west, c.east)
			}
		})
	}
}
