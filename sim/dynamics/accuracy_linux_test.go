package dynamics

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simdeck/sim/r3"
)

// accuracyText is a case as peers/scene.hpp reads it.
func (c *accuracyCase) text(s *scene) string {
	var b strings.Builder
	gravity := s.Gravity()
	fmt.Fprintf(&b, "%sfine\nevery %d\ngravity %v %v %v\n",
		s.text(c.dt, s.mu, int(math.Round(c.seconds/c.dt))), c.every, gravity.X, gravity.Y, gravity.Z)
	if len(s.geoms.planes) == 0 {
		b.WriteString("ground 0\n")
	}
	if c.bounce {
		b.WriteString("bounce\n")
	}
	for i, m := range s.moment().twist {
		fmt.Fprintf(&b, "twist %d %v %v %v %v %v %v\n", i, m.Linear.X, m.Linear.Y, m.Linear.Z, m.Angular.X,
			m.Angular.Y, m.Angular.Z)
	}
	for i := range s.joints.all {
		j := &s.joints.all[i]
		switch m := &j.motor; m.mode {
		case motorEffort:
			fmt.Fprintf(&b, "push %d %v\n", i, m.target)
		case motorPosition:
			fmt.Fprintf(&b, "servo %d %v %v %v\n", i, m.kp, m.kd, m.target)
		}
		if j.coupling.on {
			fmt.Fprintf(&b, "gear %d %d %v\n", i, j.coupling.leader, j.coupling.ratio)
		}
	}
	return b.String()
}

// moments runs a case on another engine.
func (c *accuracyCase) moments(program string, s *scene) ([]moment, error) {
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(c.text(s))
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program, err, said.String())
	}
	run := []moment{s.moment()}
	for line := range strings.Lines(string(out)) {
		var p r3.Pose
		var v r3.Twist
		if n, _ := fmt.Sscanf(line, "at %g %g %g %g %g %g %g %g %g %g %g %g %g", &p.Pos.X, &p.Pos.Y, &p.Pos.Z,
			&p.Rot.W, &p.Rot.X, &p.Rot.Y, &p.Rot.Z,
			&v.Linear.X, &v.Linear.Y, &v.Linear.Z, &v.Angular.X, &v.Angular.Y, &v.Angular.Z); n != 13 {
			continue
		}
		if last := &run[len(run)-1]; len(run) == 1 || len(last.pose) == len(s.added) {
			run = append(run, moment{})
		}
		last := &run[len(run)-1]
		last.pose, last.twist = append(last.pose, p), append(last.twist, v)
	}
	if want := int(math.Round(c.seconds/c.dt))/c.every + 1; len(run) != want ||
		len(run[want-1].pose) != len(s.added) {
		return nil, fmt.Errorf("%s: %d moments, want %d: %s", program, len(run), want, said.String())
	}
	return run, nil
}

// TestMotionBesideMuJoCo prints the accuracy of this engine and MuJoCo side by side, where -engines names a
// folder that has it. Everywhere it checks that each case can be written for another engine.
func TestMotionBesideMuJoCo(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	program := filepath.Join(*engines, "mujoco")
	_, missing := exec.LookPath(program)
	if *engines != "" && missing == nil {
		fmt.Printf("%-34s %-26s | %-29s | %s\n", "", "error of", "simdeck: error energy moment.",
			"MuJoCo (implicit, Newton, elliptic cones)")
	}
	for _, c := range append(accuracyMotions(), accuracyLoads()...) {
		s := c.build(t)
		text := c.text(s)
		if n := strings.Count(text, "\nbody "); n != len(s.added) || strings.Contains(text, "NaN") {
			t.Fatalf("%s: %d bodies written, has %d", c.name, n, len(s.added))
		}
		if *engines == "" || missing != nil {
			continue
		}
		theirs, err := c.moments(program, s)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		other := c.judge(s, theirs)
		fmt.Printf("%-34s %-26s | %v | %v\n", c.name, c.unit, c.judge(s, c.run(s)), other)
	}
}
