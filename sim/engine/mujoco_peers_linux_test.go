package engine_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

var (
	// peerEngines is the folder in which sim/dynamics/peers/build.sh puts the programs of other engines.
	peerEngines = flag.String("engines", "", "folder of other engines' programs, to run models on MuJoCo too")
	onlyModel   = flag.String("model", "", "the only model to run")
)

// peerModel is a MuJoCo file, and the simulated time from its start for which it is run, s. Nothing sleeps in
// that time.
type peerModel struct {
	name    string
	file    string // of the corpus, or of files
	seconds float64
	files   map[string]string // text by name, beside copies of the corpus' file that they are made from
}

const (
	humanoid = "mujoco_models/humanoid/humanoid.xml"
	floor    = `<worldbody><geom type="plane" size="20 20 .1"/></worldbody>`
)

// peerModels are the models of the comparison.
func peerModels() []peerModel {
	return []peerModel{
		{name: "humanoid", file: humanoid, seconds: 2},
		{name: "22 humanoids", file: "mujoco_models/humanoid/22_humanoids.xml", seconds: 2},
		{name: "100 humanoids", file: humanoid, seconds: 1, files: map[string]string{"crowd.xml": `<mujoco>
			<option timestep="0.005"/><size memory="500M"/>
			<asset><model name="humanoid" file="humanoid.xml"/></asset>` + floor + `
			<worldbody><replicate count="10" offset="0 2 0" sep="a"><replicate count="10" offset="2 0 0" sep="b">
			<frame><attach model="humanoid" body="torso" prefix="_"/></frame>
			</replicate></replicate></worldbody></mujoco>`}},
		{name: "quadruped", file: "unitree_go1_primitives/go1_primitives.xml", seconds: 2,
			files: map[string]string{"stand.xml": `<mujoco><include file="go1_primitives.xml"/>` + floor + `</mujoco>`}},
		{name: "hand", file: "allegro_hand/scene_left.xml", seconds: 2},
		{name: "cheetah", file: "dm_control_suite/cheetah.xml", seconds: 2},
		{name: "walker", file: "dm_control_suite/walker.xml", seconds: 2},
		{name: "ant", file: "dm_control_suite/quadruped.xml", seconds: 2},
		{name: "1000 particles", seconds: 1, files: map[string]string{"particles.xml": particles()}},
		{name: "100 rovers", seconds: 1, files: map[string]string{"rovers.xml": rovers()}},
		{name: "cube 3×3×3", file: "mujoco_models/cube/cube_3x3x3.xml", seconds: 2},
		{name: "stonehenge", file: "mujoco_models/replicate/stonehenge.xml", seconds: 2},
		{name: "bowl", file: "mujoco_models/replicate/bowl.xml", seconds: 2},
		{name: "leaves", file: "mujoco_models/replicate/leaves.xml", seconds: 1},
		{name: "dominoes", file: "mujoco_models/sleep/dominos.xml", seconds: 1},
		{name: "car", file: "mujoco_models/car/car.xml", seconds: 2},
	}
}

// particles is a thousand balls on three slides each, which fall on a plane.
func particles() string {
	var b strings.Builder
	b.WriteString(`<mujoco><size memory="500M"/><worldbody><geom type="plane" size="20 20 .1"/>`)
	for i := range 1000 {
		fmt.Fprintf(&b, `<body pos="%g %g %g"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
			<joint type="slide" axis="0 0 1"/><geom type="sphere" size=".02" mass=".01"/></body>`,
			0.045*float64(i%10)+0.001*float64(i/100), 0.045*float64(i/10%10), 0.1+0.045*float64(i/100))
	}
	b.WriteString(`</worldbody></mujoco>`)
	return b.String()
}

// rovers is a hundred robots with four wheels that turn, and an arm of three joints that is held.
func rovers() string {
	var body, act strings.Builder
	for i := range 100 {
		fmt.Fprintf(&body, `<body pos="%g %g .12"><freejoint/><geom type="box" size=".25 .15 .05" mass="10"/>`,
			1.5*float64(i%10), 1.5*float64(i/10))
		for k := range 4 {
			fmt.Fprintf(&body, `<body pos="%g %g -.02" quat="1 1 0 0"><joint name="w%d_%d" axis="0 0 -1"/>
				<geom type="cylinder" size=".1 .02" mass=".8" friction="1"/></body>`,
				0.18-0.36*float64(k/2), 0.19-0.38*float64(k%2), i, k)
			fmt.Fprintf(&act, `<velocity joint="w%d_%d" kv="2" ctrlrange="-9 9"/>`, i, k)
		}
		for k := range 3 {
			fmt.Fprintf(&body, `<body pos="0 0 %g"><joint name="a%d_%d" axis="0 1 0"/>
				<geom type="capsule" fromto="0 0 0 0 0 .2" size=".03" mass=".5"/>`, 0.05+0.15*min(1, float64(k)), i, k)
			fmt.Fprintf(&act, `<position joint="a%d_%d" kp="60" kv="6"/>`, i, k)
		}
		body.WriteString(strings.Repeat(`</body>`, 4))
	}
	return `<mujoco><option timestep="0.004" integrator="implicitfast"/><size memory="500M"/><worldbody>
		<geom type="plane" size="40 40 .1"/>` + body.String() + `</worldbody><actuator>` + act.String() + `</actuator></mujoco>`
}

// at writes what the model is made of beside what it includes, and returns its file.
func (m *peerModel) at(t *testing.T, corpus string) string {
	t.Helper()
	if m.files == nil {
		return filepath.Join(corpus, m.file)
	}
	dir := t.TempDir()
	if m.file != "" {
		data, err := os.ReadFile(filepath.Join(corpus, m.file))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(m.file)), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file := ""
	for name, text := range m.files {
		file = filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// TestModelsRunAsInMuJoCo steps MuJoCo's own files, with the step that they name, from their start. With
// -engines MuJoCo does too, and the test prints a table: ms of a simulated second on one thread.
func TestModelsRunAsInMuJoCo(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dir := filepath.Join(corpus(t), "mjcf")
	for _, m := range peerModels() {
		if *onlyModel != "" && m.name != *onlyModel {
			continue
		}
		file := m.at(t, dir)
		if *peerEngines == "" {
			m.seconds = 0.1
		}
		ms, err := stepModel(t, file, m.seconds)
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if *peerEngines == "" {
			continue
		}
		theirs, err := stepInMuJoCo(file, m.seconds)
		if err != nil {
			t.Errorf("%s: MuJoCo: %v", m.name, err)
			continue
		}
		fmt.Printf("model %-14s simdeck %9.2f ms   mujoco %9.2f ms  ×%.2f\n", m.name, ms, theirs, ms/theirs)
	}
}

// peerTurns is the number of runs of a model, of which the least time counts.
const peerTurns = 3

// stepModel runs a model from its start, and returns the time of a simulated second, ms.
func stepModel(t *testing.T, file string, seconds float64) (ms float64, err error) {
	t.Helper()
	lib := blind{mounted(t, filepath.Dir(file))}
	ms = math.Inf(1)
	for range peerTurns {
		w, err := engine.NewWorld(engine.Options{})
		if err != nil {
			return 0, err
		}
		c := sim.LoadWorld{Resource: scene.Resource{URI: file}, IgnoreMissingAssets: true}
		if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
			return 0, err
		}
		if _, err := w.Apply(sim.SetState{State: sim.Playing}, engine.Loaded{}); err != nil {
			return 0, err
		}
		before := processTime()
		for range int(math.Round(seconds / w.StepSize().Seconds())) {
			if err := w.Step(); err != nil {
				return 0, err
			}
		}
		ms = min(ms, (processTime()-before).Seconds()*1e3/seconds)
		if err := w.Validate(); err != nil {
			return 0, err
		}
	}
	return ms, nil
}

// processTime is the processor time of this process.
func processTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// stepInMuJoCo runs a model from its start in MuJoCo, and returns the time of a simulated second, ms.
func stepInMuJoCo(file string, seconds float64) (ms float64, err error) {
	cmd := exec.Command(filepath.Join(*peerEngines, "mujoco_model"), file, fmt.Sprint(seconds),
		fmt.Sprint(peerTurns))
	cmd.Dir = filepath.Dir(*peerEngines) // for its log
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	_, err = fmt.Sscanf(string(out), "ms %g", &ms)
	return ms, err
}
