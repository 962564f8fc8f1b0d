package engine

import (
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/sensing"
)

//go:embed testdata/anyworld
var kinds embed.FS

// anyKinds are the files of testdata/anyworld, each of which is of another kind, and the resource that leads
// to it.
var anyKinds = []struct{ file, place, resource string }{
	{"world.sdf", "world.sdf", "world.sdf"},
	{"robot.urdf", "robot.urdf", "robot.urdf"},
	{"robot.urdf.xacro", "robot.urdf.xacro", "robot.urdf.xacro"},
	{"world.xml", "world.xml", "world.xml"},
	{"world.wbt", "world.wbt", "world.wbt"},
	{"crate.prefab", "crate.prefab", "crate.prefab"},
	{"map.yaml", "map.yaml", "map.yaml"},
	{"bundle.yaml", "site/world.yaml", "site/world.yaml"},
	{"heights.yaml", "site/h.yaml", "site/world.yaml"},
	{"time.yaml", "site/time.yaml", "site/world.yaml"},
	{"calibration.yaml", "site/cal.yaml", "site/world.yaml"},
	{"road.geojson", "site/road.geojson", "site/world.yaml"},
	{"robot.simulationinfo", "robot.simulationinfo", "robot.urdf"},
	{"mesh.obj", "mesh.obj", "obj.sdf"},
	{"mesh.stl", "mesh.stl", "stl.sdf"},
	{"mesh.dae", "mesh.dae", "dae.sdf"},
}

// anyFiles are all of them, and what they need besides.
func anyFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	heights := make([]byte, 0, 80)
	for i := range 20 {
		heights = binary.LittleEndian.AppendUint32(heights, math.Float32bits(float32(i%5)))
	}
	files := fstest.MapFS{"site/h.bin": {Data: heights},
		"map.pgm":            {Data: []byte("P2\n3 2\n255\n0 205 255\n254 50 100\n")},
		"site/metadata.json": {Data: []byte(`{"scene_id": "yard", "coordinate_system": "ENU", "spatial_extent": {"min": [0, 0, 0], "max": [20, 15, 3]}}`)}}
	for _, k := range anyKinds {
		text, err := fs.ReadFile(kinds, "testdata/anyworld/"+k.file)
		if err != nil {
			t.Fatal(err)
		}
		files[k.place] = &fstest.MapFile{Data: text}
		if ext := strings.TrimPrefix(path.Ext(k.file), "."); strings.HasPrefix(k.file, "mesh.") {
			geometry := `<geometry><mesh><uri>mesh.` + ext + `</uri></mesh></geometry>`
			files[ext+".sdf"] = &fstest.MapFile{Data: []byte(`<sdf version="1.9"><world name="w"><model name="ground"><static>true</static><pose>0 0 -1 0 0 0</pose><link name="l"><collision name="c">` +
				geometry + `</collision></link></model><model name="m"><link name="l"><inertial><auto/></inertial><collision name="c">` +
				geometry + `</collision><visual name="v">` + geometry +
				`</visual></link></model></world></sdf>`)}
		}
	}
	return files
}

// anyLimits keep a step short, whatever the text says.
var anyLimits = sim.Limits{Entities: 50, Bodies: 200, Links: 100, Joints: 100, Loop: 20, Overlaps: 20}

// anySteps is the number of steps of each world.
const anySteps = 30

// longNumber is a number that nobody wants to read.
var longNumber = regexp.MustCompile(`\d{60}`)

// runAny loads a file of a kind with a text, and takes what it describes through some steps. It gives the
// notes, or the reason of a refusal, and the broken property: a number that is not finite, an unreadable
// message.
func runAny(t testing.TB, kind int, text string) (notes scene.Notes, refused, broken error) {
	t.Helper()
	k, files := anyKinds[kind%len(anyKinds)], anyFiles(t)
	files[k.place] = &fstest.MapFile{Data: []byte(text)}
	lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: "any", FS: files}}})
	w, err := NewWorld(Options{Limits: anyLimits})
	if err != nil {
		t.Fatal(err)
	}
	w.sensing.Wanted, w.sensing.CameraWanted = sensing.Never, sensing.Never
	c := sim.LoadWorld{Resource: sim.Resource{URI: "spawnable://any/" + k.resource}, IgnoreMissingAssets: true}
	began := time.Now()
	if _, err := w.Apply(c, Load(lib, c)); err != nil {
		if w.State() != sim.NoWorld {
			return nil, err, fmt.Errorf("a world that cannot be loaded leaves the state %v", w.State())
		}
		return nil, err, readableText(err.Error())
	}
	for _, n := range w.source.notes {
		broken = errors.Join(broken, readableText(n.String()))
	}
	if _, err := w.Apply(sim.SetState{State: sim.Playing}, Loaded{}); err != nil {
		t.Fatal(err)
	}
	for broken == nil && w.Total() < anySteps && w.Due() {
		broken = notFinite(w)
		if err := w.Step(); err != nil {
			return w.source.notes, nil, errors.Join(broken, fmt.Errorf("a step: %w", err))
		}
	}
	if took := time.Since(began); took > time.Minute {
		broken = fmt.Errorf("%d steps take %v", w.Total(), took)
	}
	return w.source.notes, nil, errors.Join(broken, notFinite(w))
}

// readableText returns the reason for which a message is unreadable.
func readableText(text string) error {
	if longNumber.MatchString(text) || len(text) > 4000 {
		return fmt.Errorf("a message of %d bytes is too long to read: %.300s …", len(text), text)
	}
	return nil
}

// notFinite returns an error for the first quantity of a world that is not finite.
func notFinite(w *World) error {
	when := fmt.Sprintf("after %d steps", w.Total())
	if err := w.Validate(); err != nil {
		return fmt.Errorf("%s: %w", when, err)
	}
	s := w.Snapshot()
	good := func(p r3.Pose, v r3.Twist) bool { _, ok := p.Upright().Unit(); return ok && v.IsFinite() }
	for i := range s.Entities {
		e, m := &s.Entities[i], &s.Model.Entities[i]
		if !good(e.Pose, e.Twist) || !e.Accel.IsFinite() || !m.Bounds.IsEmpty() &&
			!(m.Bounds.Min.IsFinite() && m.Bounds.Max.IsFinite()) {
			return fmt.Errorf("%s: entity %q is at %v, moves with %v, and is in %v", when, m.Name, e.Pose,
				e.Twist, m.Bounds)
		}
	}
	for i := range s.Links {
		if l := &s.Links[i]; !good(l.Pose, l.Twist) {
			return fmt.Errorf("%s: link %d is at %v and moves with %v", when, i, l.Pose, l.Twist)
		}
	}
	for i := range s.Joints {
		if j := &s.Joints[i]; !finite(j.Position) || !finite(j.Velocity) || !finite(j.Effort) {
			return fmt.Errorf("%s: joint %d is at %v", when, i, *j)
		}
	}
	return nil
}

func sampleText(t testing.TB, kind int) string {
	t.Helper()
	text, err := fs.ReadFile(kinds, "testdata/anyworld/"+anyKinds[kind].file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// numberIn finds the numbers of a text, but not those in names.
var numberIn = regexp.MustCompile(`(^|[^\w.$#])-?\d+(\.\d+)?([eE][-+]?\d+)?\b`)

// strangeNumbers are numbers that are none, have no end or are too many digits to read.
var strangeNumbers = []string{
	"1" + strings.Repeat("0", 308), "-1" + strings.Repeat("0", 309), "1" + strings.Repeat("0", 400) + ".5",
	"0." + strings.Repeat("0", 400) + "1",
	strings.Repeat("9", 309) + "e-300", "1e400", "-1e400", "1e308", "-1.7e308", "1e-400", "5e-324", "-0",
	"-0.0", "1e5000000000",
	"0x1p1023", "0x1p99999", "0x" + strings.Repeat("f", 300), "nan", "-NaN", "inf", "-Inf", "Infinity",
	"+infinity", "1_0", "1e", "--1", "\u0663",
}

// TestNoNumberOfAFileTakesTheSimulator puts each strange number in place of each number of a file of each
// kind.
func TestNoNumberOfAFileTakesTheSimulator(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for kind, k := range anyKinds {
		t.Run(k.file, func(t *testing.T) {
			text := sampleText(t, kind)
			for n, at := range numberIn.FindAllStringIndex(text, -1) {
				if c := text[at[0]]; c != '-' && (c < '0' || c > '9') {
					at[0]++
				}
				for m, number := range strangeNumbers {
					if testing.Short() && (n+m)%5 != 0 {
						continue
					}
					changed := text[:at[0]] + number + text[at[1]:]
					_, refused, broken := runAny(t, kind, changed)
					if broken == nil && refused != nil && !placed.MatchString(refused.Error()) &&
						!errors.Is(refused, sim.ErrLimit) {
						broken = fmt.Errorf("the error says not where: %w", refused)
					}
					if refused != nil && overflow.MatchString(refused.Error()) &&
						!strings.Contains(strings.ToLower(number), "n") {
						broken = fmt.Errorf("a finite number became none: %w", refused)
					}
					if broken != nil {
						t.Errorf("%.20s… in place of %q at byte %d, before %.40q: %.600v", number,
							text[at[0]:at[1]], at[0], text[at[1]:], broken)
					}
				}
			}
		})
	}
}

// placed matches the location of an error: line and column of a file, or the part of the world with a number
// out of bounds.
var placed = regexp.MustCompile(`:\d+:\d+|(world|model|entity|link|joint) "`)

// overflow matches numbers after an overflow.
var overflow = regexp.MustCompile(`\b(NaN|Inf)\b`)

func TestAWorldOfEachKindLoadsAndRuns(t *testing.T) {
	for kind, k := range anyKinds {
		notes, refused, broken := runAny(t, kind, sampleText(t, kind))
		if refused != nil || broken != nil {
			t.Errorf("%s: %v, %v", k.file, refused, broken)
		}
		for _, n := range notes {
			if n.Kind == scene.Unreadable || n.Kind == scene.Missing {
				t.Errorf("%s: %v", k.file, n)
			}
		}
	}
}

// longestAny bounds the length of a text, in bytes: a longer one takes longer and shows no more.
const longestAny = 16 << 10

func FuzzAnyWorld(f *testing.F) {
	for kind := range anyKinds {
		f.Add(uint8(kind), sampleText(f, kind))
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		if len(text) > longestAny {
			return
		}
		if _, _, broken := runAny(t, int(kind), text); broken != nil {
			t.Fatalf("%s: %v", anyKinds[int(kind)%len(anyKinds)].file, broken)
		}
	})
}

// finite reports whether x is a number.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
