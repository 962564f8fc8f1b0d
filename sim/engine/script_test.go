package engine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

var update = flag.Bool("update", false, "rewrite what the scripts in testdata expect")

// TestScripts plays testdata/*.txt: lines of input, "----", and what they
// answer, up to an empty line.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("found the scripts %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := playScript(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("%s plays differently (-update rewrites it):\n%s", file,
					firstDifference(string(want), got))
			}
		})
	}
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d:\n want %s\n got  %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(b), len(a))
}

// scriptWorld is a world and what a script marked.
type scriptWorld struct {
	w     *World
	marks map[string]uint64
	out   *bytes.Buffer
}

func playScript(t *testing.T, text string) string {
	w, err := NewWorld(Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := scriptWorld{w, map[string]uint64{}, &bytes.Buffer{}}
	asking := true
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case line == "----":
			asking = false
		case line == "":
			fmt.Fprintln(s.out)
			asking = true
		case asking && line[0] == '#':
			fmt.Fprintln(s.out, line)
		case asking:
			fmt.Fprintln(s.out, line)
			fmt.Fprintln(s.out, "----")
			s.line(t, strings.Fields(line))
			if err := w.Validate(); err != nil {
				t.Errorf("after %q: %v", line, err)
			}
		}
	}
	return s.out.String()
}

// line plays one line of input.
func (s scriptWorld) line(t *testing.T, f []string) {
	num := func(i int) float64 {
		if i >= len(f) {
			return 0
		}
		x, err := strconv.ParseFloat(f[i], 64)
		if err != nil {
			t.Fatalf("%v: %v", f, err)
		}
		return x
	}
	arg := func(i int) string {
		if i < len(f) {
			return f[i]
		}
		return ""
	}
	switch f[0] {
	case "load":
		s.do(sim.LoadWorld{Resource: sim.Resource{URI: arg(1)}, IgnoreMissingAssets: arg(2) == "lenient",
			FailOnUnsupported: arg(2) == "strict"})
	case "begin-load":
		s.do(sim.BeginLoad{Resource: sim.Resource{URI: arg(1)}})
	case "unload":
		s.do(sim.UnloadWorld{})
	case "state":
		s.do(sim.SetState{State: stateOf(t, arg(1))})
	case "step":
		s.do(sim.StepWorld{N: uint64(num(1))})
	case "begin-step":
		_, err := s.w.Apply(sim.StepWorld{N: uint64(num(1))}, Loaded{})
		s.say(nil, err)
	case "outcome":
		r, err := s.w.Outcome()
		s.say(r, err)
	case "cancel":
		s.do(sim.CancelSteps{})
	case "run":
		for range int(num(1)) {
			if err := s.w.Step(); err != nil {
				t.Fatal(err)
			}
		}
	case "reset":
		s.do(sim.Reset{Scope: sim.ResetScope(num(1))})
	case "spawn":
		s.do(sim.Spawn{Resource: sim.Resource{URI: arg(1)}, Name: arg(2), AllowRenaming: arg(6) == "rename" ||
			arg(2) == "", Pose: sim.FramedPose{Pose: at(num(3), num(4), num(5))}})
	default:
		s.entityLine(t, f, num, arg)
	}
}

// entityLine carries out a line about one entity, or about what the script shows and compares.
func (s scriptWorld) entityLine(t *testing.T, f []string, num func(int) float64, arg func(int) string) {
	t.Helper()
	switch f[0] {
	case "delete":
		s.do(sim.Delete{Names: f[1:]})
	case "move":
		p := at(num(2), num(3), num(4))
		s.do(sim.SetEntityState{Name: arg(1), Pose: &p})
	case "drive":
		s.do(sim.DriveEntity{Name: arg(1),
			Twist: r3.Twist{Linear: r3.V(num(2), 0, 0), Angular: r3.V(0, 0, num(3))}})
	case "joint":
		s.do(sim.SetJoint{Name: arg(1), Joint: arg(2), Mode: sim.JointPosition, Target: num(3)})
	case "tag":
		s.do(sim.SetEntityInfo{Name: arg(1), Info: scene.Info{Category: scene.Human, Tags: f[2:]}})
	case "show":
		s.show()
	case "mark":
		s.marks[arg(1)] = s.w.Hash()
	case "same":
		fmt.Fprintln(s.out, s.marks[arg(1)] == s.w.Hash())
	default:
		t.Fatalf("unknown line %v", f)
	}
}

func stateOf(t *testing.T, word string) sim.State {
	for i := range sim.LoadingWorld + 1 {
		if strings.ReplaceAll(i.String(), " ", "") == word {
			return i
		}
	}
	n, err := strconv.ParseUint(word, 10, 8)
	if err != nil {
		t.Fatal(err)
	}
	return sim.State(n)
}

func (s scriptWorld) do(c sim.Command) {
	r, err := try(s.w, c)
	s.say(r, err)
}

func (s scriptWorld) say(r sim.Reply, err error) {
	switch r := r.(type) {
	case nil, sim.Done:
	case sim.Stepped:
		fmt.Fprintf(s.out, "%d steps, at %v\n", r.Completed, r.Time)
	case sim.WorldLoaded:
		fmt.Fprintf(s.out, "%+v, paused: %v, in place of a world: %v\n", r.World, r.Paused, r.Before != nil)
	default:
		fmt.Fprintf(s.out, "%+v\n", r)
	}
	if err != nil {
		fmt.Fprintln(s.out, err)
	} else {
		fmt.Fprintln(s.out, "ok")
	}
}

// show prints the state and each entity: its sender, and whether it has its initial pose.
func (s scriptWorld) show() {
	fmt.Fprintf(s.out, "%s at %v, step %d\n", s.w.State(), s.w.Time(), s.w.clock.step)
	snap := s.w.Snapshot()
	for i, m := range snap.Model.Entities {
		from, place := "of the world", "at its start"
		if m.Spawned {
			from = "spawned"
		}
		if snap.Entities[i].Pose.Pos.Dist(s.w.entities.list[i].initialPose.Pos) > 0.01 {
			place = "elsewhere"
		}
		if snap.Entities[i].Twist.Linear.Len() > 0.1 {
			place += ", moving"
		}
		fmt.Fprintf(s.out, "%s: %s, %s", m.Name, from, place)
		for _, o := range snap.OdomOf(i) {
			fmt.Fprintf(s.out, ", odometry %d", o.Seq)
			if o.Pose.Pos.Len() > 1e-3 {
				fmt.Fprint(s.out, " away from home")
			}
		}
		for k := range m.Sensors {
			fmt.Fprintf(s.out, ", scan %d", s.w.entities.list[i].sensors.Count(k))
		}
		if len(m.Info.Tags) > 0 {
			fmt.Fprintf(s.out, " %v", m.Info.Tags)
		}
		fmt.Fprintln(s.out)
	}
}
