package mjcf

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/sim/transmission"
)

// strung is a body on a hinge with two sites and shapes, and places for a tendon and an actuator.
const strung = `<mujoco><worldbody><site name="u" pos="0 0 1"/>
<body name="b"><joint name="j"/><joint name="k" type="slide"/><geom name="g" size="0.1"/><geom name="box" type="box" size="1 1 1"/>
<geom name="c" type="cylinder" size="0.2 1"/><site name="s" pos="1 2 3"/></body></worldbody>
<tendon>TENDON</tendon>
<actuator>ACTUATOR</actuator></mujoco>`

func strungWith(tendon, actuator string) string {
	return strings.NewReplacer("TENDON", tendon, "ACTUATOR", actuator).Replace(strung)
}

func TestStringsGoThroughSitesAroundShapes(t *testing.T) {
	m := model(t, strungWith(`<spatial name="t" stiffness="3" springlength="0.2 0.4" range="0 2"><site site="u"/>
<geom geom="c" sidesite="s"/><site site="s"/><pulley divisor="2"/><site site="u"/><geom geom="g"/><site site="s"/></spatial>`,
		`<position name="p" tendon="t" kp="4" kv="1" gear="2" ctrlrange="0 1"/><motor name="m" site="s" refsite="u" gear="0 0 1 0 2 0"/>
<motor name="q" cranksite="s" slidersite="u" cranklength="5"/>`), nil)
	if len(m.Notes) > 0 || len(m.Transmissions) != 4 {
		t.Fatalf("%d transmissions, notes %v", len(m.Transmissions), m.Notes)
	}
	own, p, thruster, crank := m.Transmissions[0], m.Transmissions[1], m.Transmissions[2], m.Transmissions[3]
	link := int32(len(m.Links) - 1) // of b, behind the virtual one
	at := func(body int32, x, y, z float64) transmission.Mount {
		return transmission.Mount{Body: body, Pose: r3.Pose{Pos: r3.V(x, y, z), Rot: r3.Identity()}}
	}
	u, s := at(transmission.World, 0, 0, 1), at(link, 1, 2, 3)
	site := func(m transmission.Mount) transmission.Part {
		return transmission.Part{Kind: transmission.Site, Body: m.Body, Pose: m.Pose}
	}
	want := []transmission.Part{site(u), {Kind: transmission.Cylinder, Body: link, Pose: r3.IdentityPose(),
		Radius: 0.2, Sided: true, SideBody: link, Side: s.Pose.Pos}, site(s),
		{Kind: transmission.Pulley, Body: transmission.World, Pose: r3.IdentityPose(), Divisor: 2}, site(u),
		{Kind: transmission.Sphere, Body: link, Pose: r3.IdentityPose(), Radius: 0.1}, site(s)}
	for _, k := range []scene.Transmission{own, p} {
		if !reflect.DeepEqual(k.Path.Parts, want) {
			t.Errorf("%s: %+v", k.Name, k.Path.Parts)
		}
	}
	limit := own.Passive.Limit // MuJoCo's solref of 0.02 s, and its solimp
	if math.Abs(limit.Stiffness-2770.08) > 0.01 || math.Abs(limit.Damping-105.263) > 0.001 ||
		limit.Impedance != [5]float64{0.9, 0.95, 0.001, 0.5, 2} {
		t.Errorf("its range gives by %+v", limit)
	}
	if own.SpringAtRest || own.Actuator != nil || own.Passive != (transmission.Passive{Stiffness: 3,
		Rest: [2]float64{0.2, 0.4}, Limited: true, Range: [2]float64{0, 2}, Limit: limit}) {
		t.Errorf("its forces: %+v", own)
	}
	servo := scene.Actuator{Gear: 2, Gain: [3]float64{4}, Bias: [3]float64{0, -4, -1}, InputLimited: true,
		InputRange: [2]float64{0, 1}}
	servo.Activation.TimeConstant = p.Actuator.Activation.TimeConstant // of none
	if p.Name != "p" || *p.Actuator != servo || p.Passive != (transmission.Passive{}) {
		t.Errorf("its servo: %+v, %+v", p, p.Actuator)
	}
	gear := r3.Twist{Linear: r3.V(0, 0, 1), Angular: r3.V(0, 2, 0)}
	if k := thruster.Path.Thruster; k == nil || thruster.Actuator.Gear != 1 ||
		*k != (transmission.Thruster{Site: s, Relative: true, Ref: u, Gear: gear}) {
		t.Errorf("the thruster: %+v", thruster)
	}
	if k := crank.Path.Crank; k == nil || *k != (transmission.Crank{Slider: u, Pin: s, Rod: 5}) {
		t.Errorf("the crank: %+v", crank)
	}
}

// Strings that MuJoCo refuses are refused here, with the line and the column of the element.
func TestAStringThatIsNoneIsRefusedWhereItIs(t *testing.T) {
	for name, c := range map[string]struct{ tendon, actuator, want string }{
		"no site":       {tendon: `<spatial><site site="u"/><site site="x"/></spatial>`, want: `4:34: <site>: there is no site "x"`},
		"no name":       {tendon: `<spatial><site/><site site="s"/></spatial>`, want: `4:18: <site> has no site`},
		"one":           {tendon: `<spatial><site site="u"/></spatial>`, want: "4:9: "},
		"twice":         {tendon: `<spatial><site site="u"/><site site="u"/></spatial>`, want: "twice"},
		"no side":       {tendon: `<spatial><site site="u"/><geom geom="g" sidesite="x"/><site site="s"/></spatial>`, want: `4:34: <geom>: there is no site "x"`},
		"a box":         {tendon: `<spatial><site site="u"/><geom geom="box"/><site site="s"/></spatial>`, want: "no sphere and no cylinder"},
		"a shape last":  {tendon: `<spatial><site site="u"/><site site="s"/><geom geom="g"/></spatial>`, want: "between two sites"},
		"pulley last":   {tendon: `<spatial><site site="u"/><site site="s"/><pulley divisor="2"/></spatial>`, want: "a pulley begins a branch"},
		"two pulleys":   {tendon: `<spatial><pulley divisor="2"/><pulley divisor="2"/><site site="u"/><site site="s"/></spatial>`, want: "a pulley begins a branch"},
		"alone":         {tendon: `<spatial><site site="u"/><site site="s"/><pulley divisor="2"/><site site="u"/></spatial>`, want: "a site alone"},
		"divisor 0":     {tendon: `<spatial><site site="u"/><site site="s"/><pulley divisor="0"/><site site="s"/></spatial>`, want: `divisor="0"`},
		"nan":           {tendon: `<spatial stiffness="nan"><site site="u"/><site site="s"/></spatial>`, want: "nan"},
		"springlength":  {tendon: `<spatial springlength="2 1"><site site="u"/><site site="s"/></spatial>`, want: "springlength"},
		"a huge string": {tendon: `<spatial>` + strings.Repeat(`<site site="u"/><site site="s"/>`, 600) + `</spatial>`, want: "more than 1000 parts"},
		"no refsite":    {actuator: `<motor site="s" refsite="x"/>`, want: `there is no site "x"`},
		"no slider":     {actuator: `<motor cranksite="s" cranklength="1"/>`, want: "slidersite"},
		"no rod":        {actuator: `<motor cranksite="s" slidersite="u"/>`, want: "cranklength"},
		"muscle range":  {actuator: `<muscle tendon="" joint="j" range="1 0.5"/>`, want: "optimal lengths"},
		"muscle lmin":   {actuator: `<muscle joint="j" lmin="1.2"/>`, want: "lmin=1.2"},
		"muscle nan":    {actuator: `<muscle joint="j" force="nan"/>`, want: "nan"},
		"muscle time":   {actuator: `<muscle joint="j" timeconst="-1 1"/>`, want: "timeconst"},
		"gear":          {actuator: `<motor site="s" gear="1 2 3 4 5 6 7"/>`, want: "gear"},
	} {
		_, err := Model(open(t, strungWith(c.tendon, c.actuator), nil))
		if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

func TestAnEqualityOfTendonsHoldsALength(t *testing.T) {
	m := model(t, `<mujoco><worldbody><site name="u" pos="0 0 1"/><body><joint name="i" type="slide" ref=".1"/><geom size=".1"/><site name="s"/></body>
<body><joint name="j" type="slide"/><geom size=".1"/></body><body><joint name="k" type="slide"/><geom size=".1"/></body></worldbody>
<tendon><fixed name="f"><joint joint="i" coef="2"/></fixed><fixed name="g"><joint joint="j" coef="1"/><joint joint="k" coef="3"/></fixed>
<spatial name="h" actuatorfrcrange="-3 1"><site site="u"/><site site="s"/></spatial></tendon>
<equality><tendon name="e" tendon1="f" tendon2="g" polycoef=".5 -2 0 0 0"/><tendon tendon1="h"/><tendon tendon1="h" tendon2="f"/></equality>
<actuator><motor name="m" tendon="h" gear="-2" forcerange="-1 1"/></actuator></mujoco>`, nil)
	if len(m.Transmissions) != 3 {
		t.Fatalf("%d transmissions", len(m.Transmissions))
	}
	e, h, motor := m.Transmissions[0], m.Transmissions[1], m.Transmissions[2]
	var coefficients []float64
	for _, term := range e.Joints {
		coefficients = append(coefficients, term.Coefficient)
	}
	if p := e.Passive; !reflect.DeepEqual(coefficients, []float64{2, 2, 6}) || !e.RangeAtRest ||
		!p.Limited || p.Range != [2]float64{0.5, 0.5} || p.Limit == (transmission.Limit{}) {
		t.Errorf("2·i = 0.5 − 2·(j + 3·k) is %v with %+v", coefficients, p)
	}
	if len(h.Path.Parts) != 2 || !h.RangeAtRest || h.Passive.Range != [2]float64{} {
		t.Errorf("the string is held by %+v", h)
	}
	// By a gear of −2, forces of −3 to 1 on the tendon are −0.5 to 1.5 of the motor, which has 1 at most.
	if a := motor.Actuator; a == nil || !a.ForceLimited || a.ForceRange != [2]float64{-0.5, 1} {
		t.Errorf("the motor: %+v", motor.Actuator)
	}
	if len(m.Notes) != 2 || !strings.Contains(m.Notes[1].Text, "both are <fixed>") {
		t.Errorf("notes %v", m.Notes)
	}
}
