package simif

import (
	"context"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/asset"
	"simdeck/sim/format"
	"simdeck/sim/scene"
)

const crateText = `<sdf version="1.9"><model name="crate"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision></link></model></sdf>`

const worldText = `<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><world name="yard">
<simdeck:description>A yard</simdeck:description><simdeck:tags>test outdoor</simdeck:tags>
<physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static><simdeck:category>static_object</simdeck:category>
<link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="post"><static>true</static><pose>5 0 0.5 0 0 0</pose><simdeck:tags>tall marked</simdeck:tags>
<link name="l"><collision name="c"><geometry><box><size>0.2 0.2 1</size></box></geometry></collision></link></model>
<include><uri>model://crate</uri><name>crate_a</name><pose>0 2 0.3 0 0 0</pose></include>
<include><uri>model://crate</uri><name>crate_b</name><pose>0 -2 0.3 0 0 1.5707963</pose><simdeck:deletable>true</simdeck:deletable></include>
<frame name="dock"><pose>1 2 0 0 0 0</pose><simdeck:description>Here</simdeck:description><simdeck:tags>goal dock</simdeck:tags>
<simdeck:bounds><box><size>2 2 1</size></box></simdeck:bounds></frame>
<frame name="gate"><pose>3 0 0 0 0 0</pose><simdeck:tags>goal</simdeck:tags><simdeck:bounds><sphere><radius>0.5</radius></sphere></simdeck:bounds></frame>
</world></sdf>`

// files are the models and worlds of the tests.
func files() fs.FS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o644} }
	return fstest.MapFS{
		"yard/world.sdf":            file(worldText),
		"broken/world.sdf":          file(`<sdf version="1.9"><world name="w"><model name="m"></world></sdf>`),
		"models/crate/model.config": file(`<model><name>crate</name><sdf version="1.9">model.sdf</sdf></model>`),
		"models/crate/drawing.usd":  file("#usda 1.0"),
		"models/crate/torn.stl":     file("solid torn\nfacet"),
		"slow/world.sdf":            file(strings.Replace(worldText, "test outdoor", "slow", 1)),
		"odd/world.sdf": file(`<sdf version="1.9"><world name="odd"><plugin name="p" filename="libnobody_knows.so"/>
<model name="m"><static>true</static><link name="l"><visual name="v"><geometry><mesh><uri>model://crate/nowhere.dae</uri></mesh></geometry></visual></link></model></world></sdf>`),
		"models/crate/model.sdf": file(crateText),
		"models/crate/model.simulationinfo": file(`{"description": "A crate", "category": "dynamic_object", "tags": ["crate", "marked"],
			"bounds": {"box": {"min": [-0.1, -0.2, -0.3], "max": [0.1, 0.2, 0.3]}}, "asset": "model.sdf"}`),
	}
}

// yard is a simulator with a client, on a virtual network, in the time of a
// synctest bubble.
type yard struct {
	t      *testing.T
	engine *sim.Engine
	client *node.Node
	net    *netsim.Network
	slow   *gate         // of the world slow
	ended  chan struct{} // closed when the engine has ended
}

// inTheYard runs a test with the services over a real engine, paused.
func inTheYard(t *testing.T, f func(y *yard)) {
	t.Helper()
	inTheYardWith(t, func(e *sim.Engine) sim.Deck { return e }, f)
}

// gate is a file that cannot be opened while the gate is shut.
type gate struct {
	fs.FS
	name string
	shut atomic.Bool
	open chan struct{} // closed: opened again
}

// Open waits at the gate.
func (g *gate) Open(name string) (fs.File, error) {
	if name == g.name && g.shut.Load() {
		<-g.open
	}
	return g.FS.Open(name)
}

// inTheYardWith puts something between the services and the engine.
func inTheYardWith(t *testing.T, between func(*sim.Engine) sim.Deck, f func(y *yard)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		slow := &gate{FS: files(), name: "slow/world.sdf", open: make(chan struct{})}
		lib := format.NewLibrary(format.Config{Roots: []asset.Root{{Name: asset.Cache, FS: slow}}})
		e, err := sim.New(sim.Config{Library: lib, World: scene.Resource{URI: "world://@cache@/yard"}, Start: sim.Paused})
		if err != nil {
			t.Fatal(err)
		}
		net := netsim.New(1)
		server, err1 := node.New(node.Config{Name: "simdeck", Transport: net.Host("server")})
		client, err2 := node.New(node.Config{Name: "client", Transport: net.Host("client")})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if _, err := New(Config{Node: server, Deck: between(e), Formats: e.Formats(), Version: "1.2.3"}); err != nil {
			t.Fatal(err)
		}
		y := &yard{t: t, engine: e, client: client, net: net, slow: slow, ended: make(chan struct{})}
		y.run("engine", func(ctx context.Context) error { defer close(y.ended); return e.Run(ctx) })
		y.run("server", server.Run)
		y.run("client", client.Run)
		f(y)
	})
}

// run runs something until the test ends.
func (y *yard) run(what string, f func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := f(ctx); err != nil {
			y.t.Errorf("the %s ended with %v", what, err)
		}
	}()
	y.t.Cleanup(func() {
		cancel()
		<-done
	})
}

// soon is a context for what must be answered.
func (y *yard) soon() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	y.t.Cleanup(cancel)
	return ctx
}

// ask calls a service as any client does.
func ask[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](y *yard, name string, svc msgs.Service[Q, S], q *Q) *S {
	y.t.Helper()
	c, err := node.NewClient[Q, S, PQ, PS](y.client, name, svc)
	if err != nil {
		y.t.Fatal(err)
	}
	defer c.Close()
	s, err := c.Call(y.soon(), q)
	if err != nil {
		y.t.Fatal(err)
	}
	return s
}
