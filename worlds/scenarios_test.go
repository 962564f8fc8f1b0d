package worlds_test

import (
	"math"
	"os"
	"testing"
	"time"

	"simdeck/sim/scenario"
	"simdeck/sim/scene"
	"simdeck/sim/sweep"
)

// ends plays a scenario of the pictures in a world and returns x, y, z, yaw and speed of an entity at its
// end.
func ends(t *testing.T, world, file, entity string) []float64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	played, err := scenario.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	got := sweep.RunContext{Sweep: &sweep.Sweep{Report: []string{entity}},
		Run: &sweep.Run{Duration: 2 * time.Minute, Seed: 1}, Scenario: played, Library: library(),
		World: scene.Resource{URI: world}}.Execute(t.Context())
	if got.Outcome != sweep.Passed {
		t.Fatalf("%s: %s: %s", file, got.Outcome, got.Reason)
	}
	return got.State[entity]
}

func TestTheArmOfThePicturePutsThePartIntoTheTray(t *testing.T) {
	at := ends(t, "armcell", "scenarios/pick.yaml", "part_1")
	if math.Hypot(at[0], at[1]-0.62) > 0.02 || math.Abs(at[2]-0.41) > 0.01 {
		t.Errorf("the part lies at %.3f, want the middle of the tray at (0, 0.62, 0.41)", at[:3])
	}
}

func TestTheScoutOfThePictureDrivesFromAisleToAisle(t *testing.T) {
	at := ends(t, "warehouse", "scenarios/aisle.yaml", "scout")
	if at[0] < 5 || at[0] > 11.6 || math.Abs(at[1]) > 0.6 || math.Abs(at[3]) > 0.1 {
		t.Errorf("the scout is at %.2f, want it in aisle 2, from (5, 0) to (11.6, 0), with yaw 0", at[:4])
	}
}

func TestTheCarOfTheCrossingWaitsForGreenAndGoesOn(t *testing.T) {
	at := ends(t, "crossing", "scenarios/crossing.yaml", "ego")
	if at[0] < 20 || at[0] > 22 || math.Abs(at[1]+1.75) > 0.3 || math.Abs(at[3]) > 0.1 || at[4] < 4 {
		t.Errorf("the car is at %.2f, want it just beyond (20, -1.75), with yaw 0, on its way", at)
	}
}

func TestTheQuadrotorFliesThroughThreeGatesAndLands(t *testing.T) {
	at := ends(t, "hangar", "scenarios/gates.yaml", "quad")
	if math.Hypot(at[0]-12, at[1]+3) > 0.8 || at[2] > 0.02 || math.Abs(at[4]) > 0.01 {
		t.Errorf("the quadrotor is at %.3f, want it at rest on the landing at (12, -3, 0)", at)
	}
}

func TestTheBoatGoesOutBetweenTheBuoysAndTheDiverThroughItsFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 3 s")
	}
	at := ends(t, "harbour", "scenarios/harbour.yaml", "diver")
	if at[0] < 4.6 || at[0] > 6.5 || math.Abs(at[1]+0.5) > 1 || math.Abs(at[2]+4.2) > 0.4 {
		t.Errorf("the diver is at %.3f, want it beyond the frame at (4, -1, -4)", at)
	}
	at = ends(t, "harbour", "scenarios/harbour.yaml", "boat")
	if at[0] < 8 || at[0] > 25 || math.Abs(at[1]-2) > 1.5 || math.Abs(at[2]+0.15) > 0.3 {
		t.Errorf("the boat is at %.3f, want it beyond the first buoys, about (15, 2)", at)
	}
}

func TestTheAeroplaneFliesACircuitOverTheHillsAndLands(t *testing.T) {
	at := ends(t, "airfield", "scenarios/circuit.yaml", "plane")
	if at[0] < -85 || at[0] > 85 || math.Abs(at[1]) > 12 || math.Abs(at[2]-1) > 0.05 || math.Abs(at[4]) > 4 {
		t.Errorf("the aeroplane is at %.3f, want it on the runway, from (-85, 0, 1) to (85, 0, 1), rolling out", at)
	}
}
