package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
)

// paces are the steps at which drives are held against theory, and parts of their speeds.
var paces = []struct {
	dt    time.Duration
	speed float64
}{{4 * time.Millisecond, 1}, {time.Millisecond, 1}, {4 * time.Millisecond, 2.5}, {time.Millisecond, 2.5}}

// drivenAt is driven with a step.
func drivenAt(t *testing.T, text string, dt time.Duration) *engine.World {
	t.Helper()
	w := inTheEmptyWorld(t, engine.Options{StepSize: dt}, "tb3", text)
	seconds(t, w, 1)
	return w
}

// rate is the mean velocity in the frame of the base over some seconds of steady driving, after others.
func rate(t *testing.T, w *engine.World, c r3.Twist, after, during float64) (vx, vy, wz float64) {
	t.Helper()
	do(t, w, sim.DriveEntity{Name: "tb3", Twist: c})
	seconds(t, w, after)
	n := int(math.Round(during / w.StepSize().Seconds()))
	last := stateOf(t, w).state.Pose
	for range n {
		advance(t, w, 1)
		p := stateOf(t, w).state.Pose
		d := last.Relative(p)
		turn := d.Rot.Yaw()
		// From the chord to the arc, seen from its middle.
		s, k := math.Sincos(-turn / 2)
		vx, vy, wz = vx+k*d.Pos.X-s*d.Pos.Y, vy+s*d.Pos.X+k*d.Pos.Y, wz+turn
		last = p
	}
	return vx / during, vy / during, wz / during
}

func TestAMecanumDriveGoesAsItsWheelsSay(t *testing.T) {
	for _, p := range paces {
		w := drivenAt(t, mecanumText(true), p.dt)
		for _, c := range [][3]float64{{0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.4}, {0.15, -0.1, 0.2},
			{-0.1, 0.15, -0.3}} {
			x, y, z := c[0]*p.speed, c[1]*p.speed, c[2]*p.speed
			vx, vy, wz := rate(t, w, r3.Twist{Linear: r3.V(x, y, 0), Angular: r3.V(0, 0, z)}, 1, 1)
			v, turn := math.Hypot(x, y), math.Abs(z)
			if math.Hypot(vx-x, vy-y) > 0.02*v+0.002 || math.Abs(wz-z) > 0.02*turn+0.004 {
				t.Errorf("step %v: told %.3v m/s, %.3v m/s, %.3v rad/s it goes at %.4v, %.4v, %.4v", p.dt, x,
					y, z, vx, vy, wz)
			}
		}
	}
}

// thin takes the width off wheels, whose tread else scrubs the ground when they are turned on the spot.
func thin(text string) string {
	return strings.ReplaceAll(text, "<length>0.05</length>", "<length>0.002</length>")
}

// skidText is a robot of four wheels of no width to speak of, at ±a and ±b, driven by sides.
func skidText(a, b float64) string {
	var s strings.Builder
	s.WriteString(`<sdf version="1.9"><model name="skid">` + chassisLink)
	var joints [2]string
	for i, k := range [4][2]float64{{a, b}, {-a, b}, {a, -b}, {-a, -b}} {
		name := fmt.Sprintf("w%d", i)
		s.WriteString(thin(wheelLink(name, k[0], k[1], "")) + hinge(name+"_joint", "base", name, "0 1 0", ""))
		side := []string{"left", "right"}[i/2]
		joints[i/2] += fmt.Sprintf("<%s_joint>%s_joint</%s_joint>", side, name, side)
	}
	fmt.Fprintf(&s, `<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">%s%s<wheel_separation>%g</wheel_separation><wheel_radius>0.1</wheel_radius></plugin></model></sdf>`,
		joints[0], joints[1], 2*b)
	return s.String()
}

// skids returns the velocity of a robot with four fixed wheels whose sides roll at l and r. All tyres slide,
// and by Coulomb's law each force has the same magnitude against its slip. The forces and their moments sum
// to zero.
func skids(a, b, l, r float64) (v, w float64) {
	pull := func(v, w float64) (force, moment float64) {
		for _, k := range [4][2]float64{{a, b}, {-a, b}, {a, -b}, {-a, -b}} {
			roll := l
			if k[1] < 0 {
				roll = r
			}
			x, y := roll-(v-w*k[1]), -w*k[0]
			n := math.Hypot(x, y)
			force, moment = force+x/n, moment+(k[0]*y-k[1]*x)/n
		}
		return force, moment
	}
	v, w = (l+r)/2, (r-l)/(2*b)/2
	for range 100 {
		const d = 1e-7
		f, m := pull(v, w)
		fv, mv := pull(v+d, w)
		fw, mw := pull(v, w+d)
		a11, a12, a21, a22 := (fv-f)/d, (fw-f)/d, (mv-m)/d, (mw-m)/d
		det := a11*a22 - a12*a21
		v, w = v-0.5*(a22*f-a12*m)/det, w-0.5*(a11*m-a21*f)/det
	}
	return v, w
}

// TestASkidSteerRobotTurnsAboutItsICR: on the spot 1 + (a/b)² times slower than its wheels say, on an arc as
// the balance of the tyres' forces says.
func TestASkidSteerRobotTurnsAboutItsICR(t *testing.T) {
	const b = 0.2
	for _, a := range []float64{0.15, 0.2} {
		if _, w := skids(a, b, -1, 1); math.Abs(w*b*(1+a*a/b/b)-1) > 1e-6 {
			t.Fatalf("the theory of this test is wrong: %v", w)
		}
		for _, p := range paces {
			w := drivenAt(t, skidText(a, b), p.dt)
			for _, c := range [][2]float64{{0, 1}, {0.2, 1}} {
				x, z := c[0]*p.speed, c[1]*p.speed
				v, turn := skids(a, b, x-z*b, x+z*b)
				vx, _, wz := rate(t, w, r3.Twist{Linear: r3.V(x, 0, 0), Angular: r3.V(0, 0, z)}, 2, 2)
				t.Logf("a %v, step %v: asked %.2f m/s and %.2f rad/s: %.4f and %.4f, theory %.4f and %.4f", a,
					p.dt, x, z, vx, wz, v, turn)
				// the theory is one without weight; turning throws it on the outer wheels
				fast := 0.04 * math.Abs(v*turn)
				if math.Abs(wz/turn-1) > 0.01+fast || math.Abs(vx-v) > 0.01*math.Abs(v)+fast+1e-3 {
					t.Errorf("a %v, step %v: asked for %v m/s and %v rad/s it goes at %.4f and %.4f, theory says %.4f and %.4f",
						a, p.dt, x, z, vx, wz, v, turn)
				}
			}
		}
	}
}

// TestACarsCircleIsItsWheelBaseOverTheTangent of its steering, and no tyre holds more than its friction.
func TestACarsCircleIsItsWheelBaseOverTheTangent(t *testing.T) {
	for _, p := range paces {
		w := drivenAt(t, thin(carText()), p.dt)
		for _, tan := range []float64{0.2, -0.4} {
			v := 0.4 * p.speed
			_, _, wz := rate(t, w, r3.Twist{Linear: r3.V(v, 0, 0), Angular: r3.V(0, 0, v*tan/0.4)}, 2, 3)
			vx, _, _ := rate(t, w, r3.Twist{Linear: r3.V(v, 0, 0), Angular: r3.V(0, 0, v*tan/0.4)}, 0, 1)
			got, want := vx/wz, 0.4/tan
			t.Logf("step %v, %.1f m/s: radius %.4f m, theory %.4f", p.dt, v, got, want)
			if math.Abs(got/want-1) > 0.003 {
				t.Errorf("step %v, %v m/s: a circle of %.4f m, the steering says %.4f m", p.dt, v, got, want)
			}
		}
	}
	// Twice as fast as friction 1 holds it on a circle of 1 m: v² / R is at most g.
	w := drivenAt(t, carText(), 4*time.Millisecond)
	vx, vy, wz := rate(t, w, r3.Twist{Linear: r3.V(6.2, 0, 0), Angular: r3.V(0, 0, 6.2)}, 2, 2)
	if pull := math.Hypot(vx, vy) * math.Abs(wz); pull > 9.81*1.02 || pull < 9.81*0.3 || math.Abs(wz) > 5 {
		t.Errorf("beyond its traction it is held with %.3f m/s² at %.2f m/s, %.2f rad/s; friction gives 9.81",
			pull, vx, wz)
	}
}

// casterText is a robot of two driven wheels with its weight before its caster: a swivel above a wheel that
// trails it.
func casterText(trail float64) string {
	var s strings.Builder
	s.WriteString(`<sdf version="1.9"><model name="cart">` + strings.Replace(chassisLink, "0.5 0.3 0.1",
		"0.5 0.2 0.1", 1))
	s.WriteString(thin(wheelLink("left", 0.1, 0.2, "") + wheelLink("right", 0.1, -0.2, "")))
	fmt.Fprintf(&s, `<link name="fork"><pose>-0.2 0 0.12 0 0 0</pose><inertial><mass>0.2</mass><inertia><ixx>0.0004</ixx><iyy>0.0004</iyy><izz>0.0004</izz></inertia></inertial></link>
		<link name="roll"><pose>%g 0 0.05 0 0 0</pose><inertial><mass>0.2</mass><inertia><ixx>0.00015</ixx><iyy>0.00025</iyy><izz>0.00015</izz></inertia></inertial>
		<collision name="c"><pose>0 0 0 -1.5707963267948966 0 0</pose><geometry><cylinder><radius>0.05</radius><length>0.002</length></cylinder></geometry></collision></link>`, -0.2-trail)
	s.WriteString(hinge("left_joint", "base", "left", "0 1 0", "") + hinge("right_joint", "base", "right",
		"0 1 0", ""))
	s.WriteString(hinge("swivel", "base", "fork", "0 0 1", "") + hinge("roll_joint", "fork", "roll", "0 1 0",
		""))
	s.WriteString(`<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius></plugin></model></sdf>`)
	return s.String()
}

// TestACasterSwingsBehindAsItsTrailSays: on a straight way s it turns by tan(φ/2) = tan(φ₀/2)·exp(−s/trail),
// from sideways and from almost ahead, without shimmy.
func TestACasterSwingsBehindAsItsTrailSays(t *testing.T) {
	const trail = 0.06
	for _, p := range paces {
		w := drivenAt(t, casterText(trail), p.dt)
		swivel := func() float64 {
			s := w.Snapshot()
			i, _ := s.Find("tb3")
			for k, j := range s.JointsOf(i) {
				if s.Model.Entities[i].Spec.Joints[k].Name == "swivel" {
					return math.Remainder(j.Position, 2*math.Pi)
				}
			}
			return math.NaN()
		}
		v := 0.2 * p.speed
		drive := func(v float64) {
			do(t, w,
				sim.DriveEntity{Name: "tb3", Twist: r3.Twist{Linear: r3.V(v, 0, 0)}})
		}
		for _, c := range []struct{ back, turn float64 }{{0, 1.2}, {0.5, 0.3}} {
			// Turned on the spot it stands across; driven back it swings ahead.
			do(t, w, sim.DriveEntity{Name: "tb3", Twist: r3.Twist{Angular: r3.V(0, 0, 1)}})
			seconds(t, w, c.turn)
			drive(-v)
			seconds(t, w, c.back*0.2/v)
			drive(0)
			seconds(t, w, 1)
			from, start := swivel(), stateOf(t, w).state.Pose
			if math.Abs(from) < 0.3 || math.Abs(from) > 3.05 {
				t.Fatalf("step %v: stands at %v before: this test shows nothing", p.dt, from)
			}
			drive(v)
			worst, way, shimmy := 0.0, 0.0, 0.0
			for way < 15*trail {
				advance(t, w, 5)
				way = start.Relative(stateOf(t, w).state.Pose).Pos.X
				want := 2 * math.Atan(math.Tan(from/2)*math.Exp(-way/trail))
				worst = max(worst, math.Abs(swivel()-want))
				if way > 10*trail {
					shimmy = max(shimmy, math.Abs(swivel()))
				}
			}
			t.Logf("step %v, %.1f m/s, from %.2f rad: at most %.3f rad from theory, %.4f rad when behind",
				p.dt, v, from, worst, shimmy)
			// fast, it swings at 8 rad/s, and has its own mass
			if worst > 0.03+0.06*(p.speed-1) || shimmy > 0.001 {
				t.Errorf("step %v, %v m/s, from %.2f rad: %.3f rad from theory, %.4f rad off when it should be behind",
					p.dt, v, from, worst, shimmy)
			}
		}
	}
}

// TestAKinematicDriveGoesExactlyAsItIsTold: on arcs, whatever the step, and its odometry says so.
func TestAKinematicDriveGoesExactlyAsItIsTold(t *testing.T) {
	for _, p := range paces {
		w := drivenAt(t, `<sdf version="1.9"><model name="slider">`+chassisLink+
			`<plugin filename="libgazebo_ros_planar_move.so" name="move"/></model></sdf>`, p.dt)
		for _, c := range [][3]float64{{0.5, 0.2, 0.3}, {0.4, 0, -0.8}, {0, -0.3, 0}, {0, 0, 1}} {
			x, y, z := c[0]*p.speed, c[1]*p.speed, c[2]*p.speed
			do(t, w, sim.DriveEntity{Name: "tb3",
				Twist: r3.Twist{Linear: r3.V(x, y, 0), Angular: r3.V(0, 0, z)}})
			seconds(t, w, 0.2)
			before := stateOf(t, w)
			seconds(t, w, 2)
			after := stateOf(t, w)
			turn := 2 * z
			s, k := 2.0, 0.0 // ∫ of cosine and sine over the way
			if z != 0 {
				s, k = math.Sin(turn)/z, (1-math.Cos(turn))/z
			}
			want := r3.V(x*s-y*k, x*k+y*s, 0)
			way := before.state.Pose.Relative(after.state.Pose)
			if way.Pos.Dist(want) > 1e-7*want.Len()+1e-9 ||
				math.Abs(math.Remainder(way.Rot.Yaw()-turn, 2*math.Pi)) > 1e-6 {
				t.Errorf("step %v: told %v m/s, %v m/s, %v rad/s for 2 s it went by %v, turned by %v; want %v and %v",
					p.dt, x, y, z, way.Pos, way.Rot.Yaw(), want, turn)
			}
		}
	}
}
