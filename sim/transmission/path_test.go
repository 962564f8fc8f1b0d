package transmission

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"simdeck/sim/r3"
)

// reference is a transmission with its length and Jacobian as MuJoCo 4.0 has them: peers/transmission.py.
type reference struct {
	Bodies      [3][7]float64 // position and quaternion, w first
	Parts       []referencePart
	Site, Ref   *referencePart
	Slider, Pin *referencePart
	Gear        []float64
	Rod         float64
	Length      float64
	Jacobian    [18]float64 // a force and a torque about its origin on each body
}

type referencePart struct {
	Kind            Kind
	Body            int32
	Pos             [3]float64
	Quat            [4]float64
	Radius, Divisor float64
	Side            *[3]float64
	SideBody        int32
}

func vec(v [3]float64) r3.Vec { return r3.V(v[0], v[1], v[2]) }

func (k *referencePart) mount() Mount {
	rot, ok := r3.Quat{W: k.Quat[0], X: k.Quat[1], Y: k.Quat[2], Z: k.Quat[3]}.Unit()
	if !ok {
		rot = r3.Identity()
	}
	return Mount{k.Body, r3.Pose{Pos: vec(k.Pos), Rot: rot}}
}

func (c *reference) path() (p Path) {
	switch {
	case c.Gear != nil:
		t := &Thruster{Site: c.Site.mount(), Gear: r3.Twist{Linear: r3.V(c.Gear[0], c.Gear[1], c.Gear[2]),
			Angular: r3.V(c.Gear[3], c.Gear[4], c.Gear[5])}}
		if c.Ref != nil {
			t.Relative, t.Ref = true, c.Ref.mount()
		}
		p.Thruster = t
	case c.Rod > 0:
		p.Crank = &Crank{c.Slider.mount(), c.Pin.mount(), c.Rod}
	}
	for i := range c.Parts {
		k := &c.Parts[i]
		m := k.mount()
		part := Part{Kind: k.Kind, Body: m.Body, Pose: m.Pose, Radius: k.Radius, Divisor: k.Divisor}
		if k.Side != nil {
			part.Sided, part.SideBody, part.Side = true, k.SideBody, vec(*k.Side)
		}
		p.Parts = append(p.Parts, part)
	}
	return p
}

func (c *reference) pose(body int32) r3.Pose {
	b := &c.Bodies[body]
	rot, _ := r3.Quat{W: b[3], X: b[4], Y: b[5], Z: b[6]}.Unit()
	return r3.Pose{Pos: r3.V(b[0], b[1], b[2]), Rot: rot}
}

// references are those of testdata.
func references(t testing.TB) (list []reference) {
	t.Helper()
	data, err := os.ReadFile("testdata/mujoco.json")
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil || len(list) < 100 {
		t.Fatalf("%d references: %v", len(list), err)
	}
	return list
}

func TestLengthsAndJacobiansAreThoseOfMuJoCo(t *testing.T) {
	for n, c := range references(t) {
		p := c.path()
		if err := p.Check(3); err != nil {
			t.Errorf("case %d: %v", n, err)
			continue
		}
		length, wrenches := p.Measure(c.pose, nil)
		if math.Abs(length-c.Length) > 1e-6 {
			t.Errorf("case %d: length %.9f, MuJoCo has %.9f", n, length, c.Length)
		}
		var got [18]float64
		for _, w := range wrenches {
			if w.Body < 0 {
				continue
			}
			moment := w.Torque.Add(w.Point.Sub(c.pose(w.Body).Pos).Cross(w.Force))
			for i := range 3 {
				got[6*w.Body+int32(i)] += w.Force.At(i)
				got[6*w.Body+3+int32(i)] += moment.At(i)
			}
		}
		for i := range got {
			if math.Abs(got[i]-c.Jacobian[i]) > 1e-5 {
				t.Errorf("case %d: Jacobian %.6f\nMuJoCo has %.6f", n, got, c.Jacobian)
				break
			}
		}
	}
}

// The Jacobian is the derivative of the length, wherever strings do not begin to touch a shape.
func TestTheJacobianIsTheDerivativeOfTheLength(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const h = 1e-6
	for n, c := range references(t) {
		p := c.path()
		if p.Thruster != nil { // its torque turns about axes that turn along
			continue
		}
		_, wrenches := p.Measure(c.pose, nil)
		body := int32(n % 3)
		turn := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		shift := r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		want := 0.0
		for _, w := range wrenches {
			if w.Body == body {
				arm := w.Point.Sub(c.pose(body).Pos)
				want += w.Force.Dot(shift.Add(turn.Cross(arm))) + w.Torque.Dot(turn)
			}
		}
		var at [2]float64
		for side := range at {
			k := h * float64(2*side-1)
			at[side], _ = p.Measure(func(b int32) r3.Pose {
				pose := c.pose(b)
				if b == body {
					pose.Pos, pose.Rot = pose.Pos.AddScaled(k, shift), pose.Rot.Turn(turn.Scale(k))
				}
				return pose
			}, nil)
		}
		if got := (at[1] - at[0]) / (2 * h); math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("case %d: the length changes by %.8f, the Jacobian says %.8f", n, got, want)
		}
	}
}

func TestAPathThatIsNoneIsRefused(t *testing.T) {
	site := Part{Kind: Site, Pose: r3.IdentityPose()}
	ball := Part{Kind: Sphere, Pose: r3.IdentityPose(), Radius: 1}
	pulley := Part{Kind: Pulley, Pose: r3.IdentityPose(), Divisor: 2}
	with := func(p Part, change func(*Part)) Part { change(&p); return p }
	for name, parts := range map[string][]Part{
		"one site":           {site},
		"a site of a branch": {site, site, pulley, site},
		"a pulley last":      {site, site, pulley},
		"two pulleys":        {site, site, pulley, pulley, site, site},
		"a shape first":      {ball, site, site},
		"two shapes":         {site, ball, ball, site},
		"a shape last":       {site, site, ball},
		"no radius":          {site, with(ball, func(p *Part) { p.Radius = 0 }), site},
		"no divisor":         {site, site, with(pulley, func(p *Part) { p.Divisor = 0 }), site, site},
		"an unknown body":    {site, with(site, func(p *Part) { p.Body = 7 })},
		"not a number":       {site, with(site, func(p *Part) { p.Pose.Pos.X = math.Inf(1) })},
		"a huge path":        make([]Part, MaxParts+1),
	} {
		if err := (&Path{Parts: parts}).Check(1); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := (&Path{Parts: []Part{pulley, site, ball, site, site}}).Check(1); err != nil {
		t.Errorf("a pulley first, which MuJoCo takes: %v", err)
	}
}
