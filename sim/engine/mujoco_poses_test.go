package engine_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

var (
	// mujocoModels is a folder of other files than the committed ones, and mujocoPoses the output of
	// sim/dynamics/peers/poses.py for it. Differences are then listed, and fail nothing.
	mujocoModels = flag.String("mujoco-models", "", "folder of models to compare with -mujoco-poses")
	mujocoPoses  = flag.String("mujoco-poses", "", "output of sim/dynamics/peers/poses.py for -mujoco-models")
)

// ran is a model's second in MuJoCo: poses by body, as poses.py writes them.
type ran struct {
	Refused                  string
	Step                     float64 // s
	Flex, Plugins, Warnings  int
	Start, Own, Shaken, Fine map[string][7]float64
}

// apart is the greatest distance of a body between two ends, m.
func apart(a, b map[string][7]float64) (far float64) {
	for name, p := range a {
		if q, ok := b[name]; ok {
			far = max(far, r3.V(p[0], p[1], p[2]).Dist(r3.V(q[0], q[1], q[2])))
		}
	}
	return far
}

// reason is the cause that may put a model elsewhere than in MuJoCo by a distance; empty: none is known.
func (r *ran) reason(far float64) string {
	shaken, fine := apart(r.Own, r.Shaken), apart(r.Own, r.Fine)
	switch {
	case r.Flex > 0:
		return "flex"
	case r.Plugins > 0:
		return "plugin"
	case r.Warnings > 0:
		return "MuJoCo warns that it is unstable"
	case shaken > far/10:
		return fmt.Sprintf("chaos: a speed of 1e-6 moves MuJoCo's by %.2g m", shaken)
	case fine > far/3:
		return fmt.Sprintf("a tenth of the step moves MuJoCo's by %.2g m", fine)
	}
	return ""
}

// parted is the end of a model's second here, beside MuJoCo's.
type parted struct {
	file          string
	bodies        int
	started       float64 // m: distance at the start
	own, fine     float64 // m: farthest body from MuJoCo's with its step, and with a tenth of it
	worst, reason string
	notes         []string // of the file's parts that do not run
	err           error
}

// groundless is a library that puts nothing below models that stand on nothing in their files.
type groundless struct{ blind }

func (g groundless) World(r scene.Resource) (*scene.WorldSpec, error) {
	w, err := g.blind.World(r)
	if err == nil {
		w.Models = slices.DeleteFunc(w.Models, func(p scene.Placed) bool { return p.Model.Format != "mjcf" })
	}
	return w, err
}

// compare runs a model for a second with the step of its file.
func compare(t *testing.T, dir, file string, want *ran) parted {
	t.Helper()
	p := parted{file: file}
	path := filepath.Join(dir, file)
	lib := groundless{blind{mounted(t, dir)}}
	w, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := sim.LoadWorld{Resource: scene.Resource{URI: path}, IgnoreMissingAssets: true}
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		p.err = err
		return p
	}
	p.notes = unsupported(lib, c.Resource)
	if _, err := w.Apply(sim.SetState{State: sim.Playing}, engine.Loaded{}); err != nil {
		p.err = err
		return p
	}
	p.started, _, p.bodies = farthest(w.Snapshot(), want.Start)
	for range int(math.Round(1 / w.StepSize().Seconds())) {
		if err := w.Step(); err != nil {
			p.err = err
			return p
		}
	}
	s := w.Snapshot()
	p.own, p.worst, _ = farthest(s, want.Own)
	p.fine = p.own
	if want.Fine != nil {
		p.fine, _, _ = farthest(s, want.Fine)
	}
	p.reason = want.reason(p.own)
	return p
}

// unsupported is the notes of a world about parts that do not run.
func unsupported(lib scene.Library, r scene.Resource) (out []string) {
	w, err := lib.World(r)
	if err != nil {
		return nil
	}
	for _, n := range w.Notes {
		if n.Kind == scene.Unsupported || n.Kind == scene.Unreadable {
			out = append(out, n.Text)
		}
	}
	return out
}

// farthest is the greatest distance of a link from the body of its name, that body, and how many there are.
func farthest(s *sim.Snapshot, want map[string][7]float64) (far float64, worst string, bodies int) {
	for i := range s.Entities {
		m := &s.Model.Entities[i]
		for k := range m.Spec.Links {
			name := m.Spec.Links[k].Name
			at, ok := want[name]
			if !ok {
				continue
			}
			bodies++
			if d := s.Links[m.FirstLink+k].Pose.Pos.Dist(r3.V(at[0], at[1], at[2])); d > far {
				far, worst = d, name
			}
		}
	}
	return far, worst, bodies
}

// posesOf reads what poses.py wrote.
func posesOf(t *testing.T, file string) map[string]*ran {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ran{}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return all
}

// TestModelsEndASecondWhereMuJoCoHasThem runs small files of our own, or those of -mujoco-models.
func TestModelsEndASecondWhereMuJoCoHasThem(t *testing.T) {
	dir, file := "testdata/mujoco", "testdata/mujoco/poses.json"
	if *mujocoModels != "" {
		dir, file = *mujocoModels, *mujocoPoses
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := posesOf(t, file)
	var own, fine []float64
	refused := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		want := all[name]
		if *onlyModel != "" && name != *onlyModel || want.Refused != "" {
			continue
		}
		began := time.Now()
		p := compare(t, dir, name, want)
		if *mujocoModels == "" {
			if p.err != nil || p.bodies != len(want.Start) || min(p.own, p.fine) > 1e-3 {
				t.Errorf("%s: %d of %d bodies; %q is %.4g m away (%.4g m from MuJoCo with small steps): %v",
					name, p.bodies, len(want.Start), p.worst, p.own, p.fine, p.err)
			}
			continue
		}
		if p.err != nil {
			refused++
			t.Logf("REFUSED %s: %v", name, p.err)
			continue
		}
		if p.bodies == 0 && len(want.Start) > 0 {
			t.Logf("NO BODY %s", name)
			continue
		}
		own, fine = append(own, p.own), append(fine, p.fine)
		if min(p.own, p.fine) > 1e-3 || p.started > 1e-4 || p.bodies < len(want.Start) {
			t.Logf("PARTS %s: %.4g m, of fine %.4g m, start %.2g m, %q, %d of %d bodies, %.1f s: %s; %q",
				name, p.own, p.fine, p.started, p.worst, p.bodies, len(want.Start),
				time.Since(began).Seconds(), p.reason, strings.Join(p.notes, "; "))
		}
	}
	if *mujocoModels == "" {
		checkCommitted(t, dir, all)
		return
	}
	t.Logf("%d files run in MuJoCo and here, %d are refused here; the median of the farthest bodies' distances"+
		" is %.3g m, and %.3g m from fine steps", len(own), refused, median(own), median(fine))
}

// median of some numbers.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// checkCommitted says which files MuJoCo was not asked of.
func checkCommitted(t *testing.T, dir string, all map[string]*ran) {
	t.Helper()
	files, err := fs.Glob(os.DirFS(dir), "*.xml")
	if err != nil || len(files) != len(all) || len(files) == 0 {
		t.Errorf("%d files, of which MuJoCo ran %d: %v; write poses.json anew with poses.py", len(files),
			len(all), err)
	}
}
