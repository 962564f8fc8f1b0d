package dynamics

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"simdeck/sim/r3"
	"simdeck/sim/shape"
)

// engines is the folder in which peers/build.sh puts the programs of other engines; make bench-peers passes
// it.
var engines = flag.String("engines", "",
	"folder of other engines' programs, to run the scenes on them too, at full length")

// peerScene is a scene that every engine runs, from the bodies and joints of a world of this engine.
type peerScene struct {
	name    string
	build   func(t testing.TB) *scene
	dt, mu  float64
	steps   int // at full length
	short   func(t testing.TB) *scene
	without string // engines that would take minutes
	check   func(start, end []r3.Pose) string
}

func peerScenes() []peerScene {
	return []peerScene{
		{"A1k", func(t testing.TB) *scene { return fallingBoxes(t, 10, 10, 10, earth()) }, 1.0 / 60, 0.5, 600,
			func(t testing.TB) *scene { return fallingBoxes(t, 4, 4, 4, earth()) }, "", lowestCorner},
		{"A10k", func(t testing.TB) *scene { return fallingBoxes(t, 20, 20, 25, earth()) }, 1.0 / 60, 0.5,
			600,
			func(t testing.TB) *scene { return fallingBoxes(t, 4, 4, 10, earth()) }, "mujoco", lowestCorner},
		{"B", func(t testing.TB) *scene { return pyramid(t, 20, earth()) }, 1.0 / 60, 0.6, 1200,
			func(t testing.TB) *scene { return pyramid(t, 6, earth()) }, "", fallen},
		{"C", func(t testing.TB) *scene { return robots(t, 100, 200, earth()) }, 1.0 / 240, 0.8, 2400,
			func(t testing.TB) *scene { return robots(t, 4, 8, earth()) }, "", travelled},
		{"C2", oneRobot, 1.0 / 240, 0.8, 2400, oneRobot, "", straight},
		{"D", heldArm, 1.0 / 240, 0.5, 2400, heldArm, "", held},
	}
}

func lowestCorner(_, end []r3.Pose) string {
	low := math.Inf(1)
	for _, p := range end {
		for i := range 8 {
			low = min(low, p.Apply(boxCorner(r3.V(0.25, 0.25, 0.25), i)).Z)
		}
	}
	return fmt.Sprintf("lowest corner %+.4f m", low)
}

func fallen(start, end []r3.Pose) string {
	n, drift := 0, 0.0
	for i, p := range end {
		d := p.Pos.Sub(start[i].Pos)
		if d.Z < -0.25 {
			n++
		}
		drift = max(drift, math.Hypot(d.X, d.Y))
	}
	return fmt.Sprintf("%d fallen, drift %.4f m", n, drift)
}

func travelled(start, end []r3.Pose) string {
	sum, n := 0.0, 0
	for i := 0; i+5 <= len(end) && end[i].Pos.Z != 0 && i < 500; i += 5 {
		d := end[i].Pos.Sub(start[i].Pos)
		sum, n = sum+math.Hypot(d.X, d.Y), n+1
	}
	return fmt.Sprintf("robots went %.2f m on average", sum/float64(n))
}

// oneRobot is a single robot of scene C that drives straight ahead.
func oneRobot(t testing.TB) *scene {
	s := newScene(t, 0.8, earth())
	s.ground()
	s.robot4(0, 0, 1, 6, 6)
	return s
}

func straight(start, end []r3.Pose) string {
	d := end[0].Pos.Sub(start[0].Pos)
	return fmt.Sprintf("went %.4f m, %.4f m aside, turned %.4f rad", d.X, d.Y, end[0].Rot.Yaw())
}

// heldArm is scene D's arm above the ground, with motors that hold still.
func heldArm(t testing.TB) *scene {
	s := newScene(t, 0.5, earth())
	a := s.armAtHeight(0.5)
	s.check(s.Articulate(a.joints[:]))
	for _, j := range a.joints {
		s.check(s.Joint(j).SetMotorVelocity(0, 200))
	}
	return s
}

func held(start, end []r3.Pose) string {
	gap := 0.0
	for i := range end[:5] {
		gap = max(gap, end[i].Apply(r3.V(0, 0,
			armLength[i]/2)).Dist(end[i+1].Apply(r3.V(0, 0, -armLength[i+1]/2))))
	}
	tip := r3.V(0, 0, armLength[5]/2)
	return fmt.Sprintf("end sinks %.4f m, joints part by %.2g m", start[5].Apply(tip).Dist(end[5].Apply(tip)),
		gap)
}

// cpuTime is the CPU time of this thread, ms, which other load of the machine does not change.
func cpuTime() float64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return float64(t.Nano()) / 1e6
}

// poses are those of the scene's moving bodies.
func (s *scene) poses() []r3.Pose {
	out := make([]r3.Pose, len(s.added))
	for i, b := range s.added {
		out[i] = s.Body(b).Pose()
	}
	return out
}

// ours steps the scene and returns the median of its steps, in ms.
func (s *scene) ours(dt float64, steps int) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	times := make([]float64, steps)
	for i := range times {
		start := cpuTime()
		s.step(dt, 1)
		times[i] = cpuTime() - start
	}
	slices.Sort(times)
	return times[steps/2]
}

// text is the scene as peers/scene.hpp reads it.
func (s *scene) text(dt, mu float64, steps int) string {
	var b, after strings.Builder
	fmt.Fprintf(&b, "world %v %d %v\n", dt, steps, mu)
	index := map[int32]int{-1: -1}
	for i, id := range s.added {
		index[int32(id.slot)] = i
		var what string
		switch g := s.Geom(s.Body(id).Geoms(nil)[0]).Shape().(type) {
		case shape.Box:
			what = fmt.Sprintf("box %v %v %v", g.Half.X, g.Half.Y, g.Half.Z)
		case shape.Sphere:
			what = fmt.Sprintf("ball %v 0 0", g.Radius)
		case shape.Cylinder:
			what = fmt.Sprintf("cylinder %v %v 0", g.Radius, g.Half)
		case *shape.Hull:
			what = "hull 0 0 0"
			fmt.Fprintf(&after, "points %d", len(g.Vertices()))
			for _, v := range g.Vertices() {
				fmt.Fprintf(&after, " %v %v %v", v.X, v.Y, v.Z)
			}
			after.WriteByte('\n')
		default:
			s.Fatalf("no engine is told of a %v", g.Kind())
		}
		p := s.Body(id).Pose()
		fmt.Fprintf(&b, "body %v %d %s %v %v %v %v %v %v %v\n", s.Body(id).Mass().Mass,
			s.World.bodies.all[id.slot].group, what,
			p.Pos.X, p.Pos.Y, p.Pos.Z, p.Rot.W, p.Rot.X, p.Rot.Y, p.Rot.Z)
		b.WriteString(after.String())
		after.Reset()
	}
	for i := range s.joints.all {
		j := &s.joints.all[i]
		m := &s.bodies.motion[j.child]
		at, axis := m.com.Add(m.rot.Rotate(j.anchorB)), m.rot.Mul(j.rotB).Rotate(r3.V(0, 0, 1))
		if j.kind == Ball {
			fmt.Fprintf(&b, "ball %d %d %v %v %v\n", index[j.parent], index[j.child], at.X, at.Y, at.Z)
			continue
		}
		speed, effort := j.motor.target, j.motor.limit
		if j.motor.mode != motorVelocity {
			speed, effort = 0, 0
		}
		fmt.Fprintf(&b, "hinge %d %d %v %v %v %v %v %v %v %v\n", index[j.parent], index[j.child],
			at.X, at.Y, at.Z, axis.X, axis.Y, axis.Z, speed, effort)
	}
	return b.String()
}

// theirs runs a scene's text on another engine: the median in ms and the bodies' last poses.
func theirs(program, text string) (ms float64, end []r3.Pose, err error) {
	cmd := exec.Command(program)
	cmd.Stdin = strings.NewReader(text)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w: %s", program, err, said.String())
	}
	for line := range strings.Lines(string(out)) {
		var p r3.Pose
		if n, _ := fmt.Sscanf(line, "pose %g %g %g %g %g %g %g", &p.Pos.X, &p.Pos.Y, &p.Pos.Z, &p.Rot.W,
			&p.Rot.X, &p.Rot.Y, &p.Rot.Z); n == 7 {
			end = append(end, p)
		}
		_, _ = fmt.Sscanf(line, "ms %g", &ms)
	}
	return ms, end, nil
}

// TestScenesRunAsOnOtherEngines steps the scenes of the comparison, short ones unless -engines is given; then
// it prints the table.
func TestScenesRunAsOnOtherEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, ps := range peerScenes() {
		build, steps := ps.short, 60
		if *engines != "" {
			build, steps = ps.build, ps.steps
		}
		s := build(t)
		start, text := s.poses(), s.text(ps.dt, ps.mu, steps)
		if got := strings.Count(text, "\nbody ") + strings.Count(text, "\nhinge "); got != len(s.added)+
			s.joints.ids.live {
			t.Fatalf("%s: %d bodies and hinges written, has %d and %d", ps.name, got, len(s.added),
				s.joints.ids.live)
		}
		ms := s.ours(ps.dt, steps)
		if err := s.Validate(); err != nil {
			t.Fatalf("%s: %v", ps.name, err)
		}
		if *engines == "" {
			t.Logf("%s in short: %.3f ms, %s", ps.name, ms, ps.check(start, s.poses()))
			continue
		}
		fmt.Printf("%-5s %-8s %9.3f ms         %s\n", ps.name, "simdeck", ms, ps.check(start, s.poses()))
		for _, engine := range []string{"rapier", "bullet", "ode", "mujoco"} {
			program := filepath.Join(*engines, engine)
			if _, err := exec.LookPath(program); err != nil || engine == ps.without {
				continue
			}
			other, end, err := theirs(program, text)
			if err != nil || len(end) != len(start) {
				t.Errorf("%s: %d poses of %d: %v", ps.name, len(end), len(start), err)
				continue
			}
			fmt.Printf("%-5s %-8s %9.3f ms  ×%.2f  %s\n", ps.name, engine, other, ms/other,
				ps.check(start, end))
		}
	}
}
