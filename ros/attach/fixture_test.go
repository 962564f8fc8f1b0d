package attach

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/msgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

const crateText = `<sdf version="1.9"><model name="crate"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision></link></model></sdf>`

const worldText = `<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><world name="yard">
<physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static>
<link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<include><uri>model://crate</uri><name>crate_a</name><pose>0 2 0.3 0 0 0</pose></include>
<frame name="dock"><pose>1 2 0 0 0 0</pose></frame></world></sdf>`

var files = rostest.Files(map[string]string{
	"yard/world.sdf":            worldText,
	"models/crate/model.config": `<model><name>crate</name><sdf version="1.9">model.sdf</sdf></model>`,
	"models/crate/model.sdf":    crateText,
	"models/crate/model.simulationinfo": `{"description": "A crate", "category": "dynamic_object",
			"bounds": {"box": {"min": [-0.1, -0.2, -0.3], "max": [0.1, 0.2, 0.3]}}, "asset": "model.sdf"}`,
})

// field is a virtual network with simulators on it and someone who looks for
// them, in the time of a synctest bubble.
type field struct {
	t   *testing.T
	net *netsim.Network
	g   *Graph
}

// inTheField runs a test with a Graph that is on the network.
func inTheField(t *testing.T, f func(f *field)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x := &field{t: t, net: netsim.New(1)}
		g, err := Open(Config{Transport: x.net.Host("user"), Node: "_user"})
		if err != nil {
			t.Fatal(err)
		}
		x.g = g
		rostest.Run(t, "graph", func(ctx context.Context) error {
			return g.Run(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil })
		})
		f(x)
	})
}

// simdeck puts a paused simdeck into the field.
func (f *field) simdeck(host string, c ros.Config) *engine.Engine {
	f.t.Helper()
	e := rostest.Engine(f.t, files, scene.Resource{URI: "world://@cache@/yard"}, sim.Paused)
	c.Transport = f.net.Host(host)
	b, err := ros.New(c, e)
	if err != nil {
		f.t.Fatal(err)
	}
	rostest.Run(f.t, "engine of "+host, e.Run)
	rostest.Run(f.t, "bridge of "+host, b.Run)
	return e
}

// other puts a node into the field, for simulators that are not simdeck.
func (f *field) other(host, namespace string, setup func(*node.Node)) (stop func()) {
	f.t.Helper()
	n, err := node.New(node.Config{Name: host, Namespace: namespace, Transport: f.net.Host(host)})
	if err != nil {
		f.t.Fatal(err)
	}
	setup(n)
	return rostest.Run(f.t, host, n.Run)
}

// serve makes a server of one definition.
func serve[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](t *testing.T, n *node.Node, name string,
	svc msgs.Service[Q, S], answer func(*Q) *S) {
	t.Helper()
	line := node.NewLine[Q, S, PQ, PS](svc,
		func(_ context.Context, _ node.Caller, q *Q) *S { return answer(q) }, nil)
	if _, err := n.Serve(node.ServerConfig{Name: name, Lines: []node.Line{line}}); err != nil {
		t.Fatal(err)
	}
}

// soon is a context that ends long after everything should have happened.
func (f *field) soon() context.Context {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 10*time.Second, context.DeadlineExceeded)
	f.t.Cleanup(cancel)
	return ctx
}

// find finds a simulator that must be there.
func (f *field) find(w Want) Simulator {
	f.t.Helper()
	s, err := f.g.Find(f.soon(), w)
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}
