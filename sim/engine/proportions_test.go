package engine_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

var (
	proportionsWorlds = flag.Int("proportions", 60, "how many worlds of robots of random proportions are run")
	proportionsSeed   = flag.Int("proportions-seed", -1, "the only one to run")
)

// cart is a robot of random proportions: a chassis on wheels.
type cart struct {
	name   string
	masses []float64 // by link, kg
	moment []r3.Vec  // about the link's axes, kg·m²
	text   string    // SDF
}

// randomCart makes a cart with 2 to 6 wheels. A wheel has 1e-3 to 1e4 times the mass of the chassis. Its
// moment of inertia is 0.01 to 1000 times that of a hoop of its mass and radius.
func randomCart(r *rand.Rand, name string) *cart {
	c := &cart{name: name}
	even := func(low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }
	size := r3.V(even(0.1, 1), even(0.1, 0.6), even(0.05, 0.2))
	mass, mu := even(0.1, 100), even(0.1, 1.5)
	var b strings.Builder
	link := func(name string, x, y float64, mass float64, moment r3.Vec, shape string) {
		fmt.Fprintf(&b, `<link name="%s"><pose>%g %g 0 0 0 0</pose><inertial><mass>%g</mass><inertia><ixx>%g</ixx><iyy>%g</iyy><izz>%g</izz></inertia></inertial>
<collision name="c">%s<surface><friction><ode><mu>%g</mu></ode></friction></surface></collision></link>`,
			name, x, y, mass, moment.X, moment.Y, moment.Z, shape, mu)
		c.masses, c.moment = append(c.masses, mass), append(c.moment, moment)
	}
	fmt.Fprintf(&b, `<sdf version="1.9"><model name="%s">`, name)
	s2 := r3.V(size.X*size.X, size.Y*size.Y, size.Z*size.Z)
	link("base", 0, 0, mass, r3.V(s2.Y+s2.Z, s2.X+s2.Z, s2.X+s2.Y).Scale(mass/12),
		fmt.Sprintf(`<geometry><box><size>%g %g %g</size></box></geometry>`, size.X, size.Y, size.Z))
	radius := size.Z/2 + even(0.02, 0.2)
	for i := range 2 + r.IntN(5) {
		of, hoop := mass*even(1e-3, 1e4), even(0.01, 1000)
		about := hoop * of * radius * radius
		across := about * (0.5 + 0.5*r.Float64())
		x, y := (r.Float64()-0.5)*size.X, size.Y/2+0.05
		if i%2 == 1 {
			y = -y
		}
		wheel := fmt.Sprintf("wheel%d", i)
		link(wheel, x, y, of, r3.V(across, about, across),
			fmt.Sprintf(`<pose>0 0 0 -1.5707963267948966 0 0</pose><geometry><cylinder><radius>%g</radius><length>0.04</length></cylinder></geometry>`, radius))
		b.WriteString(hinge(wheel+"_joint", "base", wheel, "0 1 0", ""))
	}
	b.WriteString(`</model></sdf>`)
	c.text = b.String()
	return c
}

// energy is the kinetic energy of a cart, and its potential energy under gravity, J.
func (c *cart) energy(t *testing.T, w *engine.World, gravity r3.Vec) (kinetic, potential float64) {
	t.Helper()
	s := w.Snapshot()
	i, ok := s.Find(c.name)
	if !ok {
		t.Fatalf("%s is gone", c.name)
	}
	for k, l := range s.LinksOf(i) {
		v, spin := l.Twist.Linear, l.Pose.Rot.RotateBack(l.Twist.Angular)
		kinetic += 0.5*c.masses[k]*v.Len2() + 0.5*(c.moment[k].X*spin.X*spin.X+c.moment[k].Y*spin.Y*spin.Y+
			c.moment[k].Z*spin.Z*spin.Z)
		potential -= c.masses[k] * gravity.Dot(l.Pose.Pos)
	}
	return kinetic, potential
}

// TestRobotsOfAnyProportionsGainNoEnergy spawns carts on a slope, some inside each other, at steps of 0.25 to
// 16 ms. Nothing drives them. Their energy never rises but by commands, and by what pushes overlaps apart.
func TestRobotsOfAnyProportionsGainNoEnergy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 8 s")
	}
	worst := 0.0
	for seed := range *proportionsWorlds {
		if *proportionsSeed >= 0 {
			seed = *proportionsSeed
		}
		gain, why := runProportions(t, uint64(seed))
		if why != "" {
			t.Errorf("seed %d: %s", seed, why)
		}
		worst = max(worst, gain)
		if *proportionsSeed >= 0 {
			break
		}
	}
	t.Logf("at most %.2g of the energy gained", worst)
}

// runProportions runs the world of a seed. It returns the largest gain, as a part of what moves and weighs,
// and what is wrong, if anything.
func runProportions(t *testing.T, seed uint64) (worst float64, wrong string) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 19))
	step := []time.Duration{250, 500, 1000, 2000, 4000, 8000, 16000}[r.IntN(7)] * time.Microsecond
	w, err := engine.NewWorld(engine.Options{StepSize: step})
	if err != nil {
		t.Fatal(err)
	}
	tilt := r.Float64() * 0.3
	gravity := r3.V(9.81*math.Sin(tilt), 0, -9.81*math.Cos(tilt))
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: fmt.Sprintf(`<sdf version="1.9"><world name="slope"><gravity>%g 0 %g</gravity>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model></world></sdf>`,
		gravity.X, gravity.Z)}})
	do(t, w, sim.SetState{State: sim.Playing})
	var carts []*cart
	for i := range 1 + r.IntN(3) {
		c := randomCart(r, fmt.Sprintf("cart%d", i))
		carts = append(carts, c)
		pose := r3.PoseRPY(r.Float64()*2, r.Float64()*2, 0.3+r.Float64()*0.3, r.Float64()*0.3,
			r.Float64()*0.3, r.Float64()*6)
		do(t, w, sim.Spawn{Name: c.name, Resource: scene.Resource{Document: c.text},
			Pose: sim.FramedPose{Pose: pose}})
	}
	total := func() (kinetic, potential float64) {
		for _, c := range carts {
			k, p := c.energy(t, w, gravity)
			kinetic, potential = kinetic+k, potential+p
		}
		return kinetic, potential
	}
	weight := 0.0
	for _, c := range carts {
		for _, m := range c.masses {
			weight += m * 9.81
		}
	}
	lift := 0.002 // m, of all of them: what overlaps is pushed apart
	if len(carts) > 1 {
		lift = 0.3
	}
	seconds := func(s float64) int { return int(math.Ceil(s / step.Seconds())) }
	for phase := range 3 {
		if phase > 0 { // thrown at 20 m/s, as a client may
			twist := r3.Twist{Linear: r3.V(r.Float64()-0.5, r.Float64()-0.5, -r.Float64()*0.3).Scale(20),
				Angular: r3.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(10)}
			do(t, w, sim.SetEntityState{Name: carts[r.IntN(len(carts))].name, Twist: &twist})
		}
		advance(t, w, 1)
		kinetic, potential := total()
		least, moved := kinetic+potential, kinetic
		for range 10 {
			for range seconds(0.1) {
				advance(t, w, 1)
				k, p := total()
				moved = max(moved, k)
				e := k + p
				if !(e-least <= 0.01*moved+lift*weight) {
					return worst, fmt.Sprintf("step %v, phase %d, %d carts: has %.6g J of energy, had %.6g J; %.6g J moved, weight %.3g N",
						step, phase, len(carts), e, least, moved, weight)
				}
				worst = max(worst, (e-least)/(moved+weight))
				least = min(least, e)
			}
		}
		if err := w.Validate(); err != nil {
			return worst, err.Error()
		}
	}
	return worst, ""
}
