package engine_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// Steps are of 0.1 ms here and of 10 µs there. A second later bodies may be 1 mm off, and turned by 3 mrad.
func TestModelsWithTransmissionsMoveAsInMuJoCo(t *testing.T) {
	const folder = "testdata/transmissions/"
	data, err := os.ReadFile(folder + "mujoco.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string][7]float64
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(folder + "*.xml")
	if len(files) != len(want) || len(files) < 10 {
		t.Fatalf("%d models, of which %d were run", len(files), len(want))
	}
	for name, bodies := range want {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(folder + name + ".xml")
			if err != nil {
				t.Fatal(err)
			}
			w := begun(t, strings.Replace(string(text), `timestep="0.001"`, `timestep="0.0001"`, 1))
			run(t, w, 10_000)
			s := w.Snapshot()
			for i := range s.Entities {
				m := &s.Model.Entities[i]
				for k := range m.Spec.Links {
					at, ok := bodies[m.Spec.Links[k].Name]
					if !ok {
						continue
					}
					pose := s.Links[m.FirstLink+k].Pose
					pos, rot := r3.V(at[0], at[1], at[2]), r3.Quat{W: at[3], X: at[4], Y: at[5], Z: at[6]}
					far, turned := pose.Pos.Dist(pos), rot.Conj().Mul(pose.Rot).Vector().Len()
					if far > 1e-3 || math.Min(turned, 2*math.Pi-turned) > 3e-3 {
						t.Errorf("%s is %.5f m away and turned by %.5f rad: at %v, MuJoCo has %v",
							m.Spec.Links[k].Name, far, turned, pose, at)
					}
					delete(bodies, m.Spec.Links[k].Name)
				}
			}
			if len(bodies) > 0 {
				t.Errorf("there are no links %v", bodies)
			}
		})
	}
}

// pulled is an arm with a string and a muscle.
const pulled = `<mujoco model="arm"><option timestep="0.002"/><worldbody><site name="u" pos="0.3 0 0.4"/>
<body name="b"><joint name="j" axis="0 1 0" range="-60 60" damping="0.1"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/>
<site name="s" pos="0.3 0 0"/></body></worldbody>
<tendon><spatial name="t"><site site="u"/><site site="s"/></spatial></tendon>
<actuator><muscle name="m" tendon="t" force="60" lengthrange="0.2 0.6"/></actuator></mujoco>`

// armAngle is the position of the joint of pulled.
func armAngle(w *engine.World) float64 { return w.Snapshot().Joints[0].Position }

func TestAnActuatorOfAStringIsToldItsInputByName(t *testing.T) {
	w := begun(t, pulled)
	run(t, w, 500)
	low := armAngle(w)
	name := w.Snapshot().Model.Entities[0].Name
	tell(t, w, sim.SetJoint{Name: name, Joint: "m", Mode: sim.JointEffort, Target: 1})
	run(t, w, 500)
	if high := armAngle(w); high > low-0.3 {
		t.Errorf("the muscle has lifted the arm from %.3f to %.3f rad", low, high)
	}
	for _, bad := range []sim.SetJoint{
		{Name: name, Joint: "m", Mode: sim.JointPosition, Target: 1},
		{Name: name, Joint: "m", Mode: sim.JointEffort, Target: math.NaN()},
		{Name: name, Joint: "t", Mode: sim.JointEffort, Target: 1},
	} {
		if _, err := w.Apply(bad, engine.Loaded{}); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// The activation of a muscle and the impulse of a string are state. A world that is taken up, rewound or
// reset has them where they were.
func TestMusclesAndStringsAreState(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "arm.xml")
	if err := os.WriteFile(file, []byte(pulled), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := engine.NewWorld(engine.Options{Rewind: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	c, lib := sim.LoadWorld{Resource: sim.Resource{URI: file}}, mounted(t, dir)
	if _, err := w.Apply(c, engine.Load(lib, c)); err != nil {
		t.Fatal(err)
	}
	tell(t, w, sim.SetState{State: sim.Playing})
	start := w.Hash()
	tell(t, w, sim.SetJoint{Name: w.Snapshot().Model.Entities[0].Name, Joint: "m", Mode: sim.JointEffort,
		Target: 0.7})
	run(t, w, 10) // its activation is on its way
	at := w.Hash()
	taken, err := w.Restorable()
	if err != nil {
		t.Fatal(err)
	}
	n, err := engine.NewWorld(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := n.Apply(taken, engine.Load(lib, taken)); err != nil {
		t.Fatal(err)
	}
	run(t, w, 100)
	run(t, n, 100)
	if w.Hash() != n.Hash() || armAngle(w) != armAngle(n) {
		t.Errorf("a world that was taken up is at %v, the other at %v", armAngle(n), armAngle(w))
	}
	tell(t, w, sim.Rewind{Back: 200 * time.Millisecond}, sim.SetState{State: sim.Playing})
	if w.Hash() != at {
		t.Errorf("rewound to step %d it is another world", w.Snapshot().Step)
	}
	tell(t, w, sim.Reset{})
	if w.Hash() != start {
		t.Error("after a reset it is not where it began")
	}
}
