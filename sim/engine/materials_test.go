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
	"simdeck/sim/scene"
)

// materialRow is a property of materials in a format: a small world, what is done in it, and what theory
// says.
type materialRow struct {
	name    string
	world   string  // text; "thing" is the moving model
	robot   string  // text of the thing where the world does not have it
	lift    float64 // m, of its middle
	start   r3.Twist
	seconds float64
	measure func(*fate) float64
	want    float64
	part    float64 // of want, that it may be off
	off     float64 // and besides
}

// fate is the final state of the thing.
type fate struct {
	first, last sim.EntityState
	lowest      float64 // m, of its middle
	peak        float64 // m, highest since it was lowest
}

func (f *fate) way() float64 { return f.last.Pose.Pos.X - f.first.Pose.Pos.X }

func (f *fate) pace() float64 { return f.last.Twist.Linear.X }
func (f *fate) spin() float64 { return f.last.Twist.Angular.Z }
func (f *fate) rise() float64 { return f.peak - ballWide }
func (f *fate) sunk() float64 { return f.first.Pose.Pos.Z - f.last.Pose.Pos.Z }

const (
	earth = 9.81
	// The things: a flat box and a ball, each of 2 kg.
	boxHigh, ballWide, heavy = 0.04, 0.1, 2.0
)

// sdfThing is an SDF world: ground and thing with their <surface>, and gravity along x and z.
func sdfThing(kind, ground, thing string, z, gx, gz float64) string {
	shape, lift, inertia := fmt.Sprintf("<box><size>0.2 0.2 %g</size></box>", boxHigh), boxHigh/2,
		"<ixx>0.006933333</ixx><iyy>0.006933333</iyy><izz>0.013333333</izz>"
	if kind == "ball" {
		shape, lift, inertia = fmt.Sprintf("<sphere><radius>%g</radius></sphere>", ballWide), ballWide,
			"<ixx>0.008</ixx><iyy>0.008</iyy><izz>0.008</izz>"
	}
	return fmt.Sprintf(`<sdf version="1.9"><world name="w"><gravity>%g 0 %g</gravity>
<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry><surface>%s</surface></collision></link></model>
<model name="thing"><pose>0 0 %g 0 0 0</pose><link name="l"><inertial><mass>%g</mass><inertia>%s<ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
<collision name="c"><geometry>%s</geometry><surface>%s</surface></collision></link></model></world></sdf>`, gx, gz, ground, z+lift, heavy, inertia, shape, thing)
}

// ode is SDF's <friction> of the ODE kind.
func ode(inside string) string { return "<friction><ode>" + inside + "</ode></friction>" }

// mjcfThing is a world of MJCF: attributes of the ground's geom and of the thing's.
func mjcfThing(kind, ground, thing string, z, gx, gz float64) string {
	shape, lift := fmt.Sprintf(`type="box" size="0.1 0.1 %g"`, boxHigh/2), boxHigh/2
	if kind == "ball" {
		shape, lift = fmt.Sprintf(`type="sphere" size="%g"`, ballWide), ballWide
	}
	return fmt.Sprintf(`<mujoco><option gravity="%g 0 %g"/><worldbody><geom name="ground" type="plane" size="50 50 1" %s/>
<body name="thing" pos="0 0 %g"><freejoint/><geom mass="%g" %s %s/></body></worldbody></mujoco>`, gx, gz, ground, z+lift, heavy, shape, thing)
}

// urdfThing is a robot of one link, with what <gazebo> says of it.
func urdfThing(kind, tags string) string {
	shape, i := fmt.Sprintf(`<box size="0.2 0.2 %g"/>`, boxHigh),
		`ixx="0.006933333" iyy="0.006933333" izz="0.013333333"`
	if kind == "ball" {
		shape, i = fmt.Sprintf(`<sphere radius="%g"/>`, ballWide), `ixx="0.008" iyy="0.008" izz="0.008"`
	}
	return fmt.Sprintf(`<robot name="thing"><link name="l"><inertial><mass value="%g"/><inertia %s ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry>%s</geometry></collision></link><gazebo reference="l">%s</gazebo></robot>`, heavy, i, shape, tags)
}

// onGround is an SDF world of a ground alone.
func onGround(surface string, gx, gz float64) string {
	text := sdfThing("box", surface, "", 0, gx, gz)
	return text[:strings.Index(text, `<model name="thing">`)] + "</world></sdf>"
}

// webotsThing is a Webots world with its ContactProperties; the thing is of the material "thing".
func webotsThing(kind, contacts string, z, g float64) string {
	shape, lift := fmt.Sprintf("Box { size 0.2 0.2 %g }", boxHigh), boxHigh/2
	if kind == "ball" {
		shape, lift = fmt.Sprintf("Sphere { radius %g }", ballWide), ballWide
	}
	return fmt.Sprintf(`#VRML_SIM R2023b utf8
WorldInfo { basicTimeStep 4 gravity %g contactProperties [ %s ] }
Solid { name "ground" boundingObject Plane { size 100 100 } }
Solid { translation 0 0 %g name "thing" contactMaterial "thing" boundingObject %s physics Physics { density -1 mass %g } }`, g, contacts, z+lift, shape, heavy)
}

// slideWay is the sliding distance of a body at 2 m/s.
func slideWay(mu float64) float64 { return 2 * 2 / (2 * mu * earth) }

// tilted is gravity on a slope.
func tilted(angle float64) (gx, gz float64) { return earth * math.Sin(angle), -earth * math.Cos(angle) }

// spinLeft is the remaining spin, rad/s, of the ball that spun at 20 rad/s, after some time with a torque per
// N.
func spinLeft(arm, seconds float64) float64 {
	return 20 - arm*heavy*earth*seconds/(0.4*heavy*ballWide*ballWide)
}

// rollWay is the rolling distance of the ball at 1 m/s with a torque per N.
func rollWay(arm float64) float64 { return 1 * 1.4 * ballWide / (2 * arm * earth) }

var (
	gliding  = r3.Twist{Linear: r3.V(2, 0, 0)}
	rolls    = r3.Twist{Linear: r3.V(1, 0, 0), Angular: r3.V(0, 1/ballWide, 0)}
	spinning = r3.Twist{Angular: r3.V(0, 0, 20)}
)

func TestMaterialsActAsTheirFormatsSay(t *testing.T) {
	for _, r := range append(append(append(sdfRows(), mjcfRows()...), urdfRows()...), webotsRows()...) {
		t.Run(r.name, func(t *testing.T) {
			f := r.live(t)
			if got := r.measure(f); !(math.Abs(got-r.want) <= r.part*math.Abs(r.want)+r.off) {
				t.Errorf("%.5g, theory says %.5g", got, r.want)
			}
		})
	}
}

// live plays the row's world.
func (r *materialRow) live(t *testing.T) *fate {
	w, err := engine.NewWorld(engine.Options{StepSize: 2 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	do(t, w, sim.LoadWorld{Resource: scene.Resource{Document: r.world}})
	do(t, w, sim.SetState{State: sim.Playing})
	if r.robot != "" {
		p := sim.FramedPose{Pose: r3.Pose{Pos: r3.V(0, 0, r.lift), Rot: r3.Identity()}}
		do(t, w, sim.Spawn{Name: "thing", Resource: scene.Resource{Document: r.robot}, Pose: p})
	}
	name := "thing"
	if s := w.Snapshot(); r.robot == "" {
		name = s.Model.Entities[len(s.Model.Entities)-1].Name
	}
	do(t, w, sim.SetEntityState{Name: name, Twist: &r.start})
	thing := func() sim.EntityState {
		s := w.Snapshot()
		i, ok := s.Find(name)
		if !ok {
			t.Fatalf("no thing among %d entities", len(s.Entities))
		}
		return s.Entities[i]
	}
	f := &fate{first: thing()}
	f.lowest = f.first.Pose.Pos.Z
	for range int(math.Round(r.seconds / w.StepSize().Seconds())) {
		advance(t, w, 1)
		f.last = thing()
		z := f.last.Pose.Pos.Z
		if z < f.lowest {
			f.lowest, f.peak = z, z
		}
		f.peak = max(f.peak, z)
	}
	return f
}
