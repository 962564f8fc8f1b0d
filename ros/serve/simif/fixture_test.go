package simif

import (
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
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
var files = rostest.Files(map[string]string{
	"yard/world.sdf":            worldText,
	"broken/world.sdf":          `<sdf version="1.9"><world name="w"><model name="m"></world></sdf>`,
	"models/crate/model.config": `<model><name>crate</name><sdf version="1.9">model.sdf</sdf></model>`,
	"models/crate/drawing.usd":  "#usda 1.0",
	"models/crate/torn.stl":     "solid torn\nfacet",
	"slow/world.sdf":            strings.Replace(worldText, "test outdoor", "slow", 1),
	"odd/world.sdf": `<sdf version="1.9"><world name="odd"><plugin name="p" filename="libnobody_knows.so"/>
<model name="m"><static>true</static><link name="l"><visual name="v"><geometry><mesh><uri>model://crate/nowhere.dae</uri></mesh></geometry></visual></link></model></world></sdf>`,
	"models/crate/model.sdf": crateText,
	"models/crate/model.simulationinfo": `{"description": "A crate", "category": "dynamic_object", "tags": ["crate", "marked"],
	"bounds": {"box": {"min": [-0.1, -0.2, -0.3], "max": [0.1, 0.2, 0.3]}}, "asset": "model.sdf"}`,
})

// yard is a simulator with a client, on a virtual network, in the time of a
// synctest bubble.
type yard struct {
	*rostest.Stage
	slow *gate // of the world slow
}

// inTheYard runs a test with the services over a real engine, paused.
func inTheYard(t *testing.T, f func(y *yard)) {
	t.Helper()
	inTheYardWith(t, func(e *engine.Engine) sim.Backend { return e }, f)
}

// inTheYardWith puts something between the services and the engine.
func inTheYardWith(t *testing.T, between func(*engine.Engine) sim.Backend, f func(y *yard)) {
	t.Helper()
	slow := &gate{FS: files, name: "slow/world.sdf"}
	rostest.On(t, rostest.Play{Files: slow, World: scene.Resource{URI: "world://@cache@/yard"},
		Start: sim.Paused}, func(s *rostest.Stage) error {
		slow.open = make(chan struct{}) // of the bubble, which waits for what waits at the gate
		_, err := New(Config{Node: s.Server, Backend: between(s.Engine), Formats: s.Engine.Formats(),
			Version: "1.2.3"})
		return err
	}, func(s *rostest.Stage) { f(&yard{s, slow}) })
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
