package ros

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/rostest"
	"simdeck/ros/serve/gazebo"
	"simdeck/ros/serve/worker"
	"simdeck/ros/transport"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

const (
	// A request of a fuzzer is answered, or given up and then answered, within answerWithin and hungAfter; it
	// takes no more than mostOctets.
	answerWithin = 300 * time.Millisecond
	hungAfter    = 30 * time.Second
	mostOctets   = 256 << 20
	mostRequests = 6
)

// robotText is a world with something for each kind of handler: an arm, a car as ego vehicle, a box, a named
// pose.
var robotText = strings.Replace(`<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><world name="w">
<simdeck:ego><model>car</model><dynamics_model>kinematic_bicycle</dynamics_model></simdeck:ego>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="box"><pose>3 0 0.2 0 0 0</pose><link name="l"><inertial><mass>1</mass></inertial><collision name="c"><geometry><box><size>0.4 0.4 0.4</size></box></geometry></collision></link></model>
CAR
<model name="arm"><link name="base"><inertial><mass>5</mass></inertial></link><link name="a"><pose>0 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
<joint name="turn" type="revolute"><parent>base</parent><child>a</child><axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1</upper><effort>10</effort><velocity>2</velocity></limit></axis></joint></model>
<frame name="dock"><pose>1 2 0 0 0 0</pose><simdeck:tags>goal</simdeck:tags><simdeck:bounds><box><size>2 2 1</size></box></simdeck:bounds></frame>
</world></sdf>`, "CAR", carText(), 1)

// carText is a car that steers.
func carText() string {
	body := func(name, at, shape string) string {
		return `<link name="` + name + `"><pose>` + at +
			`</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>` +
			shape + `</link>`
	}
	joint := func(name, parent, child, axis string) string {
		return `<joint name="` + name + `" type="revolute"><parent>` + parent + `</parent><child>` + child +
			`</child><axis><xyz>` + axis + `</xyz></axis></joint>`
	}
	wheel := `<collision name="c"><pose>0 0 0 -1.5708 0 0</pose><geometry><cylinder><radius>0.1</radius><length>0.05</length></cylinder></geometry></collision>`
	car := `<model name="car"><pose>-3 0 0 0 0 0</pose>` + body("chassis", "0 0 0.15 0 0 0", "")
	for _, side := range []string{"left", "right"} {
		y := map[string]string{"left": " 0.15", "right": " -0.15"}[side]
		car += body("rear_"+side, "-0.2"+y+" 0.1 0 0 0", wheel) + body("front_"+side, "0.2"+y+" 0.1 0 0 0",
			wheel) + body("knuckle_"+side, "0.2"+y+" 0.1 0 0 0", "") +
			joint("rear_"+side+"_joint", "chassis", "rear_"+side, "0 1 0") + joint("steer_"+side+"_joint",
			"chassis", "knuckle_"+side, "0 0 1") +
			joint("front_"+side+"_joint", "knuckle_"+side, "front_"+side, "0 1 0")
	}
	return car + `<plugin filename="gz-sim-ackermann-steering-system" name="gz::sim::systems::AckermannSteering"><left_joint>rear_left_joint</left_joint>
<right_joint>rear_right_joint</right_joint><left_steering_joint>steer_left_joint</left_steering_joint><right_steering_joint>steer_right_joint</right_steering_joint></plugin></model>`
}

const boxText = `<sdf version="1.9"><model name="crate"><link name="body"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision></link></model></sdf>`

// handlers are nodes that serve and take all profiles over one engine, which is paused.
type handlers struct {
	engine  *engine.Engine
	bridges []*Bridge
	names   []string // of all, in order: a service with the index of its definition, or a topic
	end     func()
}

func allHandlers(t testing.TB) *handlers {
	t.Helper()
	files := rostest.Files(map[string]string{"worlds/w.sdf": robotText, "models/crate/model.sdf": boxText,
		"models/crate/model.config": "<model><name>crate</name><sdf version='1.9'>model.sdf</sdf></model>"})
	e, err := engine.New(engine.Config{Library: rostest.Library(files),
		World: scene.Resource{Document: robotText},
		Start: sim.Paused})
	if err != nil {
		t.Fatal(err)
	}
	h := &handlers{engine: e}
	ctx, stop := context.WithCancel(context.Background())
	ended := []<-chan error{run(ctx, e.Run)}
	for _, c := range []Config{{Legacy: gazebo.Classic, Transport: transport.Mute{}},
		{Node: "o3de", Namespace: "/o3de", Legacy: gazebo.O3DE, Transport: transport.Mute{}},
		{Node: "worker", Transport: transport.Mute{}, Worker: &worker.Config{}}} {
		b, err := New(c, e)
		if err != nil {
			t.Fatal(err)
		}
		h.bridges = append(h.bridges, b)
		ended = append(ended, run(ctx, b.Run))
	}
	h.end = func() {
		stop()
		for _, one := range ended {
			<-one
		}
	}
	for !slices.Contains(h.names, "worker rt/arm/joint_commands") ||
		!slices.Contains(h.names, "simdeck /sim/set_ego_pose 0") ||
		// nodes make them when they see the world
		!slices.Contains(h.names, "simdeck rt/arm/joint_commands") {
		time.Sleep(time.Millisecond)
		h.names = slices.Sorted(maps.Keys(h.all()))
	}
	return h
}

// all gives what there is now: the world decides what topics are taken.
func (h *handlers) all() map[string]func(ctx context.Context, payload []byte) (answered bool) {
	all := map[string]func(context.Context, []byte) bool{}
	for _, b := range h.bridges {
		of := strings.TrimPrefix(b.node.FullName(), "/") + " "
		for _, s := range b.node.Serving() {
			for line, request := range s.Definitions() {
				name := fmt.Sprint(of, s.Name(), " ", line)
				for all[name] != nil { // another type under the same name
					name += "'"
				}
				all[name] = func(ctx context.Context, payload []byte) bool {
					if payload == nil {
						payload = request
					}
					return s.Answer(ctx, line, payload) != nil
				}
			}
		}
		for _, l := range b.node.Listening() {
			all[of+l.Topic] = func(ctx context.Context, payload []byte) bool {
				l.Take(ctx, payload)
				return true
			}
		}
	}
	return all
}

// begin has the world as it was, in the state that it began in; false when the engine has been told to end.
func (h *handlers) begin() bool {
	_, err1 := h.engine.Do(context.Background(), sim.SetState{State: sim.Stopped})
	_, err2 := h.engine.Do(context.Background(), sim.LoadWorld{Resource: scene.Resource{Document: robotText}})
	_, err3 := h.engine.Do(context.Background(), sim.SetState{State: sim.Paused})
	_ = err1
	return err2 == nil && err3 == nil
}

// ask gives what a fuzzer says to the handler that it names.
func (h *handlers) ask(t *testing.T, which int, payload []byte) {
	name := h.names[which%len(h.names)]
	handler := h.all()[name]
	if handler == nil {
		return // the world that it was for has gone
	}
	ctx, stop := context.WithTimeout(context.Background(), answerWithin)
	defer stop()
	answered := make(chan bool, 1)
	go func() { answered <- handler(ctx, payload) }()
	select {
	case yes := <-answered:
		if !yes && ctx.Err() == nil {
			t.Errorf("%s does not answer", name)
		}
	case <-time.After(hungAfter):
		t.Fatalf("%s is at a request of %d octets for %v", name, len(payload), hungAfter)
	}
}

// requests are the fuzzer's requests, each with its length in front.
func requests(b []byte) (which []int, payloads [][]byte) {
	for len(b) >= 4 && len(which) < mostRequests {
		n := min(int(binary.LittleEndian.Uint16(b[2:])), len(b)-4)
		which, payloads = append(which, int(binary.LittleEndian.Uint16(b))), append(payloads, b[4:4+n])
		b = b[4+n:]
	}
	return which, payloads
}

func request(which int, payload []byte) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(which))
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(payload))), payload...)
}

// FuzzRequests gives any octets, as requests and as messages, to the handlers of every service, action,
// parameter and topic of all profiles. None panics, each answers or ends when it is abandoned, none takes
// much memory, and the engine goes on.
func FuzzRequests(f *testing.F) {
	h := allHandlers(f)
	f.Cleanup(func() { h.end() })
	if len(h.names) < 80 {
		f.Fatalf("%d handlers: some are missing", len(h.names))
	}
	for i := range h.names {
		f.Add(request(i, append([]byte{0, 1, 0, 0}, make([]byte, 200)...)))
		f.Add(append(request(i, bytes.Repeat([]byte{0xff}, 64)),
			request(i, append([]byte{0, 1, 0, 0}, bytes.Repeat([]byte{1, 0, 0, 0}, 40)...))...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if !h.begin() {
			h.end()
			h = allHandlers(t)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		which, payloads := requests(b)
		for i := range which {
			h.ask(t, which[i], payloads[i])
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > mostOctets {
			t.Errorf("%d octets were allocated for %d requests of %d octets", n, len(which), len(b))
		}
		for _, b := range h.bridges {
			if n := b.Traffic().Faults; n != 0 {
				t.Fatalf("%d handlers panicked", n)
			}
		}
	})
}
