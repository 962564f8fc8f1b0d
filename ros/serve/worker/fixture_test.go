package worker

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"

	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

// arm is a Webots robot: a heavy foot, and a joint with a motor that swings a bar.
const arm = `Robot { translation X Y 0.1 name "NAME" controller "PROGRAM" children [
  Shape { geometry Box { size 0.2 0.2 0.2 } }
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { name "NAME motor" maxVelocity 5 maxTorque 20 } PositionSensor { name "s" } ]
    endPoint Solid { translation 0.2 0 0.15 name "bar" children [ Shape { geometry Box { size 0.3 0.05 0.05 } } ] boundingObject Box { size 0.3 0.05 0.05 } physics Physics { density -1 mass 0.5 } } }
  ] boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 20 } }
`

// cart is a Webots robot on two wheels and a ball, which waits for a controller outside.
const cart = `Robot { translation -5 0 0.1 name "cart" controller "<extern>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0.2 0 } device [ RotationalMotor { name "left" maxVelocity 20 maxTorque 5 } ]
    endPoint Solid { translation 0 0.2 0 rotation 1 0 0 1.5707963 name "l" boundingObject Cylinder { radius 0.1 height 0.04 } physics Physics { density -1 mass 0.5 } } }
  HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 -0.2 0 } device [ RotationalMotor { name "right" maxVelocity 20 maxTorque 5 } ]
    endPoint Solid { translation 0 -0.2 0 rotation 1 0 0 1.5707963 name "r" boundingObject Cylinder { radius 0.1 height 0.04 } physics Physics { density -1 mass 0.5 } } }
  Pose { translation -0.15 0 -0.05 children [ Shape { geometry Sphere { radius 0.05 } } ] }
  ] boundingObject Group { children [ Pose { translation 0 0 0.02 children [ Box { size 0.3 0.3 0.1 } ] } Pose { translation -0.15 0 -0.05 children [ Sphere { radius 0.05 } ] } ] }
  physics Physics { density -1 mass 5 } }
`

// floor and ball of a world with z up, and the ball alone as an old world with y up has it.
const (
	ground = "Solid { name \"ground\" translation 0 0 -0.5 boundingObject Box { size 20 20 1 } children [ Shape { geometry Box { size 20 20 1 } } ] }\n"
	ball   = "Solid { name \"ball\" translation 2 0 3 boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } children [ Shape { geometry Sphere { radius 0.1 } } ] }\n"
	head   = "#VRML_SIM R2023b utf8\nWorldInfo { title \"hall\" basicTimeStep 10 }\n"
	old    = "#VRML_SIM V8.5 utf8\nWorldInfo { title \"attic\" basicTimeStep 10 }\nSolid { name \"ball\" translation 1 2 3 boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } children [ Shape { geometry Sphere { radius 0.1 } } ] }\n"
	plain  = `<sdf version="1.9"><world name="plain"><model name="box"><pose>1 2 0.5 0 0 0</pose><link name="l"><pose>0 0 0.25 0 0 0</pose>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></world></sdf>`
)

// robot is an arm somewhere, with a name and a controller.
func robotText(name, program, x, y string) string {
	return strings.NewReplacer("NAME", name, "PROGRAM", program, "X", x, "Y", y).Replace(arm)
}

var (
	hall = head + ground + ball + robotText("one", "<extern>", "0", "0") + robotText("two", "waver", "0", "2")
	yard = head + ground + cart
	solo = head + ground + robotText("one", "<extern>", "0", "0")
)

func files() fs.FS {
	return rostest.Files(map[string]string{"worlds/hall.wbt": hall, "worlds/solo.wbt": solo,
		"worlds/yard.wbt": yard, "worlds/attic.wbt": old, "worlds/plain.sdf": plain})
}

// site is a virtual network with a viewer, which is its client, in the time of a bubble.
type site struct{ rostest.Stage }

// onSite runs a test on a network.
func onSite(t *testing.T, f func(h *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &site{rostest.Stage{T: t, Net: netsim.New(1)}}
		h.Client = h.node("viewer", "")
		rostest.Run(t, "viewer", h.Client.Run)
		f(h)
	})
}

// node is one on a host of its own.
func (h *site) node(name, ns string) *node.Node {
	h.T.Helper()
	n, err := node.New(node.Config{Name: name, Namespace: ns, Transport: h.Net.Host(name)})
	if err != nil {
		h.T.Fatal(err)
	}
	return n
}

// running is a worker on the network.
type running struct {
	engine *engine.Engine
	name   string
	leave  func() // as after a signal
}

// start runs a worker with its fleet over a world.
func (h *site) start(c Config, ns, world string, state sim.State) *running {
	h.T.Helper()
	from := scene.Resource{URI: world}
	if c.Object != nil {
		from = scene.Resource{Document: c.Object.Data}
	}
	r := &running{name: NewName(), engine: rostest.Engine(h.T, files(), from, state)}
	n := h.node(r.name, ns)
	if _, err := c.RobotConfig().New(n, r.engine); err != nil {
		h.T.Fatal(err)
	}
	if _, err := New(c, n, r.engine); err != nil {
		h.T.Fatal(err)
	}
	rostest.Run(h.T, "engine", r.engine.Run)
	r.leave = rostest.Run(h.T, "worker", n.Run)
	return r
}

func (r *running) do(h *site, c sim.Command) {
	h.T.Helper()
	if _, err := r.engine.Do(context.Background(), c); err != nil {
		h.T.Fatal(err)
	}
}

// topics are the names that somebody publishes below a prefix, as the viewer sees it.
func (h *site) topics(prefix string) (out []string) {
	for _, t := range h.Client.Graph().Topics {
		if t.Publishers > 0 && strings.HasPrefix(t.Name, prefix) {
			out = append(out, t.Name)
		}
	}
	return out
}

// many is room for all that a test hears.
func many() node.QoS { return node.BurstQoS(5000) }
