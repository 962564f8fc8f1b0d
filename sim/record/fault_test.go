package record

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

var update = flag.Bool("update", false, "make the recordings in testdata anew")

// cellar is the fake library with a crank: a wheel on a motor that knows no limit.
type cellar struct{ fakeLibrary }

func (c cellar) Model(r scene.Resource) (*scene.ModelSpec, error) {
	if r.URI != "crank" {
		return c.fakeLibrary.Model(r)
	}
	m := solid(1, scene.Geom{Name: "foot", Kind: scene.Box, Size: r3.V(1, 1, 0.2)})
	wheel := m.Links[0]
	wheel.Name, wheel.Pose = "wheel", r3.Pose{Pos: r3.V(0, 0, 0.5), Rot: r3.Identity()}
	wheel.Collisions = []scene.Geom{{Name: "rim", Kind: scene.Cylinder, Radius: 0.3, Length: 0.1,
		Pose: r3.IdentityPose()}}
	m.Links = append(m.Links, wheel)
	m.Joints = []scene.Joint{{Name: "axle", Kind: scene.Continuous, Parent: 0, Child: 1,
		Pose: r3.IdentityPose(), Axis: r3.V(0, 1, 0)}}
	return m, nil
}

// broken records an engine in whose world a crank breaks, twice: the world is played on, and the crank put
// elsewhere.
func broken(t *testing.T, policy sim.FaultPolicy) []byte {
	t.Helper()
	var out bytes.Buffer
	h := taping(3)
	h.OnFault = ""
	if policy != sim.HaltOnFault {
		h.OnFault = policy.String()
	}
	w := NewWriter(&out, h)
	e, err := engine.New(engine.Config{Library: cellar{}, World: sim.Resource{URI: "yard"}, Start: sim.Paused,
		RealTime: engine.AsFastAsPossible, Seed: 3, Recorder: w, OnFault: policy, Rewind: h.Rewind})
	if err != nil {
		t.Fatal(err)
	}
	written, ran := make(chan error, 1), make(chan error, 1)
	go func() { written <- w.Run(t.Context()) }()
	go func() { ran <- e.Run(t.Context()) }()
	pose := r3.Pose{Pos: r3.V(2, 2, 0.1), Rot: r3.Identity()}
	for _, c := range []sim.Command{
		sim.Spawn{Name: "crank", Resource: sim.Resource{URI: "crank"}, Pose: sim.FramedPose{Pose: pose}},
		sim.StepWorld{N: 20},
		sim.SetJoint{Name: "crank", Joint: "axle", Mode: sim.JointEffort, Target: 1e300},
		sim.StepWorld{N: 10}, sim.StepWorld{N: 30},
		sim.SetEntityState{Name: "crank", Pose: &pose}, sim.StepWorld{N: 10},
		sim.Delete{Names: []string{"crank"}}, sim.StepWorld{N: 20},
		sim.SetState{State: sim.Quitting},
	} {
		_, _ = e.Do(sim.WithSender(t.Context(), "tester"), c) // steps end with a fault
	}
	if err := errors.Join(<-ran, <-written); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestAFaultIsReplayedAsItWasAndTold(t *testing.T) {
	for policy, steps := range map[sim.FaultPolicy]uint64{sim.ContainFaults: 90,
		sim.PauseOnFault: 21 + 30 + 1 + 20, sim.HaltOnFault: 40} {
		did, err := replay(t, broken(t, policy), cellar{})
		if err != nil {
			t.Errorf("%v: %v", policy, err)
			continue
		}
		if did.Steps != steps || did.Faulty == 0 || len(did.Faults) != did.Faulty {
			t.Errorf("%v: %d steps, %d faults %+v; want %d steps", policy, did.Steps, did.Faulty, did.Faults,
				steps)
		}
	}
}

// TestRecordingsOfFaultsStayReadable replays kept recordings: halted.simlog as versions without a recorded
// policy wrote them, and one of each policy since.
func TestRecordingsOfFaultsStayReadable(t *testing.T) {
	for name, words := range map[string]string{"halted": "paused", "contained": `link "`,
		"paused": `link "`} {
		file := filepath.Join("testdata", name+".simlog")
		if *update {
			policy := map[string]sim.FaultPolicy{"halted": sim.HaltOnFault, "contained": sim.ContainFaults,
				"paused": sim.PauseOnFault}[name]
			if err := os.WriteFile(file, broken(t, policy), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		did, err := replay(t, text, cellar{})
		if err != nil || did.Faulty == 0 || !strings.Contains(did.Faults[0].Text, words) {
			t.Errorf("%s: %v, %+v", name, err, did)
		}
	}
}

func TestAPolicyThatNobodyKnowsIsNoRecording(t *testing.T) {
	_, err := NewReader(strings.NewReader(`{"simlog":1,"world":"yard","on_fault":"explode"}` + "\n"))
	if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "explode") {
		t.Errorf("%v", err)
	}
}

func TestWhatALimitRefusedIsRefusedInAReplay(t *testing.T) {
	var out bytes.Buffer
	h := taping(1)
	h.Limits = &sim.Limits{Overlaps: 1}
	w := NewWriter(&out, h)
	e, err := engine.New(engine.Config{Library: fakeLibrary{}, World: sim.Resource{URI: "yard"},
		Start:    sim.Paused,
		RealTime: engine.AsFastAsPossible, Seed: 1, Recorder: w, Limits: *h.Limits, Rewind: h.Rewind})
	if err != nil {
		t.Fatal(err)
	}
	written, ran := make(chan error, 1), make(chan error, 1)
	go func() { written <- w.Run(t.Context()) }()
	go func() { ran <- e.Run(t.Context()) }()
	pose := r3.Pose{Pos: r3.V(0.1, 0, 3), Rot: r3.Identity()}
	if _, err := e.Do(t.Context(), sim.SetEntityState{Name: "low", Pose: &pose}); !errors.Is(err,
		sim.ErrLimit) {
		t.Errorf("into another: %v", err)
	}
	_, _ = e.Do(t.Context(), sim.StepWorld{N: 10})
	_, _ = e.Do(t.Context(), sim.SetState{State: sim.Quitting})
	if err := errors.Join(<-ran, <-written); err != nil {
		t.Fatal(err)
	}
	if did, err := replay(t, out.Bytes(), fakeLibrary{}); err != nil || did.Refused != 1 || did.Steps != 10 {
		t.Errorf("%+v, %v", did, err)
	}
}
