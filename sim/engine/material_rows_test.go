package engine_test

import (
	"math"

	"simdeck/sim/r3"
)

// sdfRows are those of SDF.
func sdfRows() []materialRow {
	slope, steep := math.Atan(0.5)-0.01, math.Atan(0.5)+0.02
	gx, gz := tilted(slope)
	sx, sz := tilted(steep)
	arm := 3 * math.Pi / 16
	mu := func(mu, mu2 string) string { return ode("<mu>" + mu + "</mu><mu2>" + mu2 + "</mu2>") }
	grip := mu("0.9", "0.9")
	torsion := func(inside string) string {
		return "<friction><ode><mu>0.9</mu></ode><torsional>" + inside + "</torsional></friction>"
	}
	bounce := func(inside string) string { return "<bounce>" + inside + "</bounce>" }
	soft := func(inside string) string { return "<contact><ode>" + inside + "</ode></contact>" }
	return []materialRow{
		{name: "sdf/the smaller of two mu counts",
			world: sdfThing("box", mu("0.8", "0.8"), mu("0.3", "0.3"), 0, 0, -earth), start: gliding,
			seconds: 2,
			measure: (*fate).way, want: slideWay(0.3), part: 0.01},
		{name: "sdf/mu holds below its angle",
			world: sdfThing("box", mu("0.5", "0.5"), mu("0.5", "0.5"), 0, gx, gz), seconds: 2,
			measure: (*fate).way, want: 0, off: 1e-3},
		{name: "sdf/mu lets slide above its angle",
			world: sdfThing("box", mu("0.5", "0.5"), mu("0.5", "0.5"), 0, sx, sz), seconds: 2,
			measure: (*fate).way, want: 0.5 * 4 * (sx + 0.5*sz), part: 0.02},
		{name: "sdf/mu2 acts across fdir1",
			world: sdfThing("box", mu("0.9", "0.9"), ode("<mu>0.8</mu><mu2>0.2</mu2><fdir1>0 1 0</fdir1>"), 0,
				0, -earth), start: gliding,
			seconds: 2, measure: (*fate).way, want: slideWay(0.2), part: 0.01},
		{name: "sdf/mu acts along fdir1",
			world: sdfThing("box", mu("0.9", "0.9"), ode("<mu>0.8</mu><mu2>0.2</mu2><fdir1>1 0 0</fdir1>"), 0,
				0, -earth), start: gliding,
			seconds: 2, measure: (*fate).way, want: slideWay(0.8), part: 0.01},
		{name: "sdf/slip gives way with the force",
			world: sdfThing("box", grip,
				ode("<mu>0.9</mu><slip1>0.1</slip1><slip2>0.05</slip2><fdir1>0 1 0</fdir1>"), 0, 1, -earth),
			seconds: 3, measure: (*fate).pace, want: 0.05 * heavy * 1, part: 0.01},
		{name: "sdf/torsional friction has the arm of its patch",
			world: sdfThing("ball", grip, torsion("<coefficient>0.5</coefficient><patch_radius>0.02</patch_radius>"),
				0, 0, -earth),
			start: spinning, seconds: 0.4, measure: (*fate).spin, want: spinLeft(arm*0.5*0.02, 0.4),
			part: 0.01},
		{name: "sdf/torsional friction has the arm of its surface", world: sdfThing("ball", grip,
			torsion("<coefficient>0.5</coefficient><use_patch_radius>false</use_patch_radius><surface_radius>0.1</surface_radius>"),
			0, 0, -earth),
			start: spinning, seconds: 0.4, measure: (*fate).spin,
			want: spinLeft(arm*0.5*math.Sqrt(0.1*0.001), 0.4), part: 0.01},
		{name: "sdf/restitution gives back its square of the height",
			world: sdfThing("ball", "", bounce("<restitution_coefficient>0.6</restitution_coefficient><threshold>0.01</threshold>"),
				1, 0, -earth),
			seconds: 0.8, measure: (*fate).rise, want: 0.36, part: 0.02},
		{name: "sdf/nothing bounces below the threshold",
			world: sdfThing("ball", "", bounce("<restitution_coefficient>0.6</restitution_coefficient><threshold>5</threshold>"),
				1, 0, -earth),
			seconds: 0.8, measure: (*fate).rise, want: 0, off: 2e-3},
		{name: "sdf/what is slow bounces above a low threshold",
			world: sdfThing("ball", "", bounce("<restitution_coefficient>0.6</restitution_coefficient><threshold>0.01</threshold>"),
				0.01, 0, -earth),
			seconds: 0.1, measure: (*fate).rise, want: 0.0036, part: 0.2},
		{name: "sdf/kp is the stiffness of a contact",
			world:   sdfThing("ball", "", soft("<kp>4000</kp><kd>50</kd>"), 0, 0, -earth),
			seconds: 3, measure: (*fate).sunk, want: heavy * earth / 4000, part: 0.02},
		{name: "sdf/two springs are softer than one",
			world:   sdfThing("ball", soft("<kp>4000</kp>"), soft("<kp>4000</kp><kd>50</kd>"), 0, 0, -earth),
			seconds: 3, measure: (*fate).sunk, want: heavy * earth / 2000, part: 0.02},
		{name: "sdf/min_depth lets overlaps be",
			world: sdfThing("ball", soft("<min_depth>0.004</min_depth>"),
				soft("<min_depth>0.004</min_depth>"), -0.002, 0, -earth),
			seconds: 0.5, measure: (*fate).sunk, want: 0, off: 1e-3},
	}
}

// mjcfRows are those of MJCF.
func mjcfRows() []materialRow {
	return []materialRow{
		{name: "mjcf/the larger of two frictions counts",
			world: mjcfThing("box", `friction="0.2"`, `friction="0.6"`, 0, 0, -earth), start: gliding,
			seconds: 2,
			measure: (*fate).way, want: slideWay(0.6), part: 0.01},
		{name: "mjcf/the higher priority decides",
			world: mjcfThing("box", `friction="0.2" priority="1"`, `friction="0.6"`, 0, 0, -earth),
			start: gliding, seconds: 3,
			measure: (*fate).way, want: slideWay(0.2), part: 0.01},
		{name: "mjcf/condim 1 of both slides for ever",
			world: mjcfThing("box", `condim="1"`, `condim="1"`, 0, 0, -earth), start: gliding, seconds: 2,
			measure: (*fate).way, want: 4, part: 0.001},
		{name: "mjcf/the larger condim counts",
			world: mjcfThing("box", `condim="1" friction="0.1"`, `condim="3" friction="0.4"`, 0, 0, -earth),
			start: gliding, seconds: 2,
			measure: (*fate).way, want: slideWay(0.4), part: 0.01},
		{name: "mjcf/condim 4 has the larger torsional friction",
			world:   mjcfThing("ball", `friction="1 0.01"`, `condim="4" friction="1 0.002"`, 0, 0, -earth),
			start:   spinning,
			seconds: 0.4, measure: (*fate).spin, want: spinLeft(0.01, 0.4), part: 0.01},
		{name: "mjcf/condim 3 has none",
			world: mjcfThing("ball", `friction="1 0.01"`, `friction="1 0.01"`, 0, 0, -earth), start: spinning,
			seconds: 0.4, measure: (*fate).spin, want: 20, part: 0.001},
		{name: "mjcf/condim 6 has rolling friction",
			world: mjcfThing("ball", `friction="1 0.005 0.002"`, `condim="6" friction="1 0.005 0.004"`, 0, 0,
				-earth), start: rolls,
			seconds: 5, measure: (*fate).way, want: rollWay(0.004), part: 0.01},
	}
}

// urdfRows are those of URDF with Gazebo's tags.
func urdfRows() []materialRow {
	grip := ode("<mu>0.9</mu><mu2>0.9</mu2>")
	level := onGround(grip, 0, -earth)
	return []materialRow{
		{name: "urdf/mu1 and mu2", world: level, lift: boxHigh / 2,
			robot: urdfThing("box", "<mu1>0.3</mu1><mu2>0.3</mu2>"), start: gliding, seconds: 2,
			measure: (*fate).way, want: slideWay(0.3), part: 0.01},
		{name: "urdf/mu2 acts across fdir1", world: level, lift: boxHigh / 2,
			robot: urdfThing("box", "<mu1>0.7</mu1><mu2>0.2</mu2><fdir1>0 1 0</fdir1>"), start: gliding,
			seconds: 3,
			measure: (*fate).way, want: slideWay(0.2), part: 0.01},
		{name: "urdf/kp and kd", world: level, lift: ballWide,
			robot: urdfThing("ball", "<kp>5000</kp><kd>20</kd>"), seconds: 3,
			measure: (*fate).sunk, want: heavy * earth / 5000, part: 0.02},
	}
}

// webotsRows are those of Webots.
func webotsRows() []materialRow {
	pair := func(inside string) string { return `ContactProperties { material2 "thing" ` + inside + ` }` }
	return []materialRow{
		{name: "webots/coulombFriction", world: webotsThing("box", pair("coulombFriction 0.4"), 0, earth),
			start: gliding, seconds: 2,
			measure: (*fate).way, want: slideWay(0.4), part: 0.01},
		{name: "webots/bounce", world: webotsThing("ball", pair("bounce 0.7"), 1, earth), seconds: 0.9,
			measure: (*fate).rise, want: 0.49, part: 0.02},
		{name: "webots/nothing bounces below bounceVelocity",
			world: webotsThing("ball", pair("bounce 0.7 bounceVelocity 5"), 1, earth), seconds: 0.9,
			measure: (*fate).rise, want: 0, off: 2e-3},
		{name: "webots/what is slow bounces above bounceVelocity",
			world: webotsThing("ball", pair("bounce 0.7 bounceVelocity 0.01"), 0.01, earth), seconds: 0.1,
			measure: (*fate).rise, want: 0.0049, part: 0.2},
		{name: "webots/bounceVelocity is 0.01 where nothing is said",
			world: webotsThing("ball", pair("bounce 0.7"), 0.01, earth), seconds: 0.1,
			measure: (*fate).rise, want: 0.0049, part: 0.2},
		{name: "webots/softCFM and softERP are a spring",
			world: webotsThing("ball", pair("softCFM 0.01"), 0, earth), seconds: 3,
			measure: (*fate).sunk, want: heavy * earth * 0.004 * 0.01 / 0.2, part: 0.02},
		{name: "webots/a large softERP is a stiffer spring",
			world: webotsThing("ball", pair("softCFM 0.02 softERP 0.8"), 0, earth), seconds: 3,
			measure: (*fate).sunk, want: heavy * earth * 0.004 * 0.02 / 0.8, part: 0.02},
		{name: "webots/forceDependentSlip",
			world: webotsThing("box", pair("coulombFriction 1 forceDependentSlip 0.1"), 0, earth),
			start: r3.Twist{Linear: r3.V(0.5, 0, 0)}, seconds: 0.3, measure: (*fate).pace,
			want: 0.5 * math.Exp(-0.3/(0.1*heavy)), part: 0.02},
		{name: "webots/rollingFriction",
			world: webotsThing("ball", pair("rollingFriction 0.003 0.003 0"), 0, earth), start: rolls, seconds: 5,
			measure: (*fate).way, want: rollWay(0.003), part: 0.01},
	}
}
