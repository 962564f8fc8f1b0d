package simtest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/msgs/diagnosticmsgs"
	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

const scout = `<sdf version="1.9"><model name="scout">
<link name="base_link"><pose>0 0 0.08 0 0 0</pose><inertial><mass>5</mass><inertia><ixx>0.04</ixx><iyy>0.07</iyy><izz>0.1</izz></inertia></inertial>
<collision name="c"><pose>0 0 0.05 0 0 0</pose><geometry><box><size>0.3 0.2 0.1</size></box></geometry></collision>
<sensor name="flat" type="gpu_lidar"><pose>0 0 0.2 0 0 0</pose><update_rate>12</update_rate><topic>scan</topic>
<lidar><scan><horizontal><samples>36</samples><min_angle>-3.1</min_angle><max_angle>3.1</max_angle></horizontal></scan>
<range><min>0.05</min><max>20</max></range><noise><type>gaussian</type><stddev>0.05</stddev></noise></lidar></sensor></link>
<link name="left"><pose>0 0.17 0.08 -1.570796 0 0</pose>` + tyre + `</link>
<link name="right"><pose>0 -0.17 0.08 -1.570796 0 0</pose>` + tyre + `</link>
<link name="caster"><pose>-0.15 0 0.04 0 0 0</pose><inertial><mass>0.1</mass><inertia><ixx>0.0001</ixx><iyy>0.0001</iyy><izz>0.0001</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.04</radius></sphere></geometry>
<surface><friction><ode><mu>0.01</mu><mu2>0.01</mu2></ode></friction></surface></collision></link>
<joint name="left_joint" type="revolute"><parent>base_link</parent><child>left</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>
<joint name="right_joint" type="revolute"><parent>base_link</parent><child>right</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>
<joint name="caster_joint" type="fixed"><parent>base_link</parent><child>caster</child></joint>
<plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
<wheel_separation>0.34</wheel_separation><wheel_radius>0.08</wheel_radius></plugin>
</model></sdf>`

const tyre = `<inertial><mass>0.5</mass><inertia><ixx>0.0008</ixx><iyy>0.0008</iyy><izz>0.0016</izz></inertia></inertial>
<collision name="c"><geometry><cylinder><radius>0.08</radius><length>0.04</length></cylinder></geometry></collision>`

const pen = `<sdf version="1.9"><world name="pen"><physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="wall"><static>true</static><pose>4 0 1 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>0.2 8 2</size></box></geometry></collision></link></model>
<include><uri>model://scout</uri><name>one</name><pose>0 1 0 0 0 0.5</pose></include>
<include><uri>model://scout</uri><name>two</name><pose>0 -1 0 0 0 -0.3</pose></include></world></sdf>`

// askingPen asks by itself to wait for a controller.
var askingPen = strings.Replace(pen, "<physics", "<simdeck:lockstep>one/cmd_vel</simdeck:lockstep><physics", 1)

// tape keeps the hash of each step.
type tape struct {
	mu     sync.Mutex
	hashes []uint64
}

func (*tape) Begin(sim.RecordPosition, []sim.LogEntry, uint64) {}
func (*tape) Command(sim.LogEntry)                             {}
func (*tape) State(uint64, time.Duration, sim.Restore)         {}
func (*tape) End()                                             {}
func (*tape) Full() bool                                       { return false }

func (r *tape) Step(_, hash uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hashes = append(r.hashes, hash)
}

func (r *tape) all() []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hashes
}

// penned is a world of two robots in lockstep on a virtual network, and a host for controllers.
type penned struct {
	t      *testing.T
	net    *netsim.Network
	engine *engine.Engine
	bridge *ros.Bridge
	client *node.Node
	tape   *tape
}

// inThePen runs a test in a bubble.
func inThePen(t *testing.T, seed uint64, f netsim.Faults, until time.Duration, l ros.Lockstep,
	test func(*penned)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &penned{t: t, net: netsim.New(seed), tape: &tape{}}
		p.net.SetFaults(f)
		lib := rostest.Library(rostest.Files(map[string]string{"pen/world.sdf": pen,
			"asking/world.sdf":          askingPen,
			"models/scout/model.config": `<model><name>scout</name><sdf version="1.9">model.sdf</sdf></model>`,
			"models/scout/model.sdf":    scout}))
		var err1, err2, err3 error
		p.engine, err1 = engine.New(engine.Config{Library: lib, World: scene.Resource{URI: "world://@cache@/pen"},
			Start: sim.Paused, RealTime: 4, Seed: 5, Recorder: p.tape, Until: until})
		if err1 != nil {
			t.Fatal(err1)
		}
		p.bridge, err2 = ros.New(ros.Config{Transport: p.net.Host("sim"), Lockstep: l}, p.engine)
		p.client, err3 = node.New(node.Config{Name: "controllers", Transport: p.net.Host("client")})
		if err := errors.Join(err2, err3); err != nil {
			t.Fatal(err)
		}
		rostest.Run(t, "engine", p.engine.Run)
		rostest.Run(t, "bridge", p.bridge.Run)
		test(p)
	})
}

// play lets the world go on.
func (p *penned) play() {
	p.t.Helper()
	if _, err := p.engine.Do(p.t.Context(), sim.SetState{State: sim.Playing}); err != nil {
		p.t.Fatal(err)
	}
}

// until waits for what must come true within ten minutes of the bubble's time.
func (p *penned) until(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(10 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			s := p.engine.Snapshot()
			p.t.Fatalf("waited in vain for %s; at %v the world is %s, waiting for %v", what, s.Time, s.State, s.Waiting)
		}
	}
}

// drive steers a robot by its scans, after thinking for as long as it is told.
func (p *penned) drive(robot string, q node.QoS, stamps bool, think func() time.Duration) {
	p.t.Helper()
	plain, err1 := node.NewPublisher[geometrymsgs.Twist](p.client, robot+"/cmd_vel", node.DefaultQoS())
	var stamped *node.Publisher[geometrymsgs.TwistStamped]
	var err2 error
	if stamps {
		err1 = errors.Join(err1, plain.Close())
		stamped, err2 = node.NewPublisher[geometrymsgs.TwistStamped](p.client, robot+"/cmd_vel",
			node.DefaultQoS())
	}
	_, err3 := node.NewSubscription(p.client, robot+"/scan", q,
		func(_ context.Context, m *sensormsgs.LaserScan, _ node.Origin) {
			time.Sleep(think())
			var out geometrymsgs.TwistStamped
			out.Header.Stamp = m.Header.Stamp
			far := func(i int) float64 { return min(float64(m.Ranges[i]), 20) } // infinite: nothing is seen
			out.Twist.Linear.X = min(0.8, far(18)/4)
			out.Twist.Angular.Z = math.Tanh(far(14)-far(22)) / 2
			var err error
			if stamps {
				err = stamped.Publish(&out)
			} else {
				err = plain.Publish(&out.Twist)
			}
			if err != nil {
				p.t.Error(err)
			}
		})
	if err := errors.Join(err1, err2, err3); err != nil {
		p.t.Fatal(err)
	}
}

// TestControllersInLockstepGiveTheSameBitsEveryTime: controllers take their time, and answer in either order;
// the network delays, loses, doubles and reorders. The world without lockstep shows that this matters.
func TestControllersInLockstepGiveTheSameBitsEveryTime(t *testing.T) {
	const until = 1500 * time.Millisecond
	run := func(seed uint64, l ros.Lockstep) (hash uint64, steps int) {
		chance := rand.New(rand.NewPCG(seed, 1))
		f := netsim.Faults{Delay: time.Duration(chance.IntN(4)) * time.Millisecond,
			Jitter: time.Duration(chance.IntN(20)) * time.Millisecond, Loss: 0.05 * chance.Float64(),
			Duplicate: 0.05, Reorder: 0.1}
		inThePen(t, seed, f, until, l, func(p *penned) {
			t := p.t
			var mu sync.Mutex
			think := func() time.Duration {
				mu.Lock()
				defer mu.Unlock()
				return time.Duration(chance.IntN(40)) * time.Millisecond
			}
			stamps := seed%2 == 1 && len(l.Topics) > 0 && strings.HasSuffix(l.Topics[0], ":stamp")
			p.drive("one", node.SensorQoS(), stamps, think) // may lose what it does not get at once
			p.drive("two", node.DefaultQoS(), stamps, think)
			if len(l.Topics) > 0 { // the world waits for them
				p.play()
				time.Sleep(time.Duration(chance.IntN(3000)) * time.Millisecond)
			}
			rostest.Run(p.t, "client", p.client.Run)
			if len(l.Topics) == 0 {
				time.Sleep(3 * time.Second)
				p.play()
			}
			p.until("the end", func() bool { return p.engine.Snapshot().Time >= until })
			all := p.tape.all()
			hash, steps = all[len(all)-1], len(all)
			if n := p.engine.Snapshot().Stats; n.Missed+n.Refused > 0 {
				t.Errorf("run %d went on without %d commands, and refused %d", seed, n.Missed, n.Refused)
			}
		})
		return hash, steps
	}
	free := map[uint64]bool{}
	for seed := range uint64(4) {
		hash, _ := run(seed, ros.Lockstep{})
		free[hash] = true
	}
	if len(free) < 2 {
		t.Errorf("4 runs without lockstep all have the same hash: the test shows nothing")
	}
	runs := uint64(100)
	if testing.Short() {
		runs = 10
	}
	for _, topics := range [][]string{{"one/cmd_vel", "/two/cmd_vel@/two/scan"},
		{"one/cmd_vel@one/scan:stamp", "two/cmd_vel:stamp"}} {
		hashes := map[uint64]uint64{}
		for seed := range runs / 2 {
			if topics[1][len(topics[1])-1] == 'p' {
				seed = 2*seed + 1
			}
			hash, steps := run(seed, ros.Lockstep{Topics: topics, Patience: time.Minute})
			hashes[hash]++
			if want := int(until / (4 * time.Millisecond)); steps != want {
				t.Errorf("run %d of %q took %d steps, want %d", seed, topics, steps, want)
			}
		}
		if len(hashes) != 1 {
			t.Errorf("%d runs of %q have the hashes %x", runs/2, topics, hashes)
		}
	}
}

// TestAWorldInLockstepSaysForWhomItWaitsAndTakesCommandsMeanwhile: over ROS, in its snapshots, until its
// patience is over, which pauses it; and never longer than a user wants.
func TestAWorldInLockstepSaysForWhomItWaitsAndTakesCommandsMeanwhile(t *testing.T) {
	l := ros.Lockstep{Topics: []string{"one/cmd_vel"}, Patience: 3 * time.Second}
	inThePen(t, 1, netsim.Faults{}, 0, l,
		func(p *penned) {
			t := p.t
			rostest.Run(p.t, "client", p.client.Run)
			p.play()
			var mu sync.Mutex
			said := map[string]bool{}
			_, err := node.NewSubscription(p.client, "/diagnostics", node.DefaultQoS(),
				func(_ context.Context, m *diagnosticmsgs.DiagnosticArray, _ node.Origin) {
					mu.Lock()
					defer mu.Unlock()
					said[m.Status[0].Message] = true
				})
			if err != nil {
				t.Fatal(err)
			}
			p.until("the wait to be shown", func() bool { return len(p.engine.Snapshot().Waiting) == 1 })
			const who, what = "/one/cmd_vel", "it has no publisher"
			if a := p.engine.Snapshot().Waiting[0]; a.Who != who || a.What != what {
				t.Errorf("it waits for %+v, want %s: %s", a, who, what)
			}
			if _, err := p.engine.Do(t.Context(), sim.SetPacing{RealTime: 2}); err != nil {
				t.Error(err)
			}
			p.until("the pause", func() bool { return p.engine.Snapshot().State == sim.Paused })
			s := p.engine.Snapshot()
			if want := "lockstep: nothing in time from " + who + ": " + what; s.Halted != want || s.Step != 0 {
				t.Errorf("at step %d it is paused because of %q, want %q", s.Step, s.Halted, want)
			}
			if _, err := p.engine.Do(t.Context(), sim.StepWorld{N: 5}); !errors.Is(err, sim.ErrCancelled) ||
				!strings.Contains(err.Error(), who) {
				t.Errorf("stepping without a controller ends with %v", err)
			}
			time.Sleep(2 * time.Second)
			mu.Lock()
			for _, want := range []string{"waits for " + who + ": " + what,
				"paused: lockstep: nothing in time from " + who + ": " + what} {
				if !said[want] {
					t.Errorf("diagnostics said %v, and not %q", said, want)
				}
			}
			mu.Unlock()
			p.drive("one", node.DefaultQoS(), false, func() time.Duration { return time.Millisecond })
			p.play()
			p.until("the world to go on with a controller", func() bool { return p.engine.Snapshot().Time > time.Second })
			if _, err := p.engine.Do(t.Context(), sim.Reset{Scope: sim.ResetAll}); err != nil {
				t.Fatal(err)
			}
			p.until("the world to go on after a reset", func() bool {
				s := p.engine.Snapshot()
				return s.State == sim.Playing && s.Time > 500*time.Millisecond &&
					s.Time < 900*time.Millisecond
			})
		})
}

// TestAWorldThatAsksForLockstepHasItAsLongAsItIsLoaded: from its first step on, whatever was loaded before,
// unless a user wants something else.
func TestAWorldThatAsksForLockstepHasItAsLongAsItIsLoaded(t *testing.T) {
	load := func(p *penned, world string) *sim.Snapshot {
		uri := "world://@cache@/" + world
		c := sim.LoadWorld{Resource: scene.Resource{URI: uri}}
		if _, err := p.engine.Do(p.t.Context(), c); err != nil {
			p.t.Fatal(err)
		}
		p.play()
		time.Sleep(time.Second)
		return p.engine.Snapshot()
	}
	inThePen(t, 1, netsim.Faults{}, 0, ros.Lockstep{Patience: time.Hour}, func(p *penned) {
		p.play()
		for range 2 {
			s := load(p, "asking")
			if s.Step != 0 || len(s.Waiting) != 1 || s.Waiting[0].Who != "/one/cmd_vel" {
				p.t.Errorf("the world that asks is at step %d, waiting for %+v", s.Step, s.Waiting)
			}
			if s := load(p, "pen"); s.Time < 500*time.Millisecond || s.Waiting != nil {
				p.t.Errorf("the world that asks for nothing is at %v, waiting for %+v", s.Time, s.Waiting)
			}
		}
	})
	users := ros.Lockstep{Topics: []string{"two/cmd_vel"}, Patience: time.Hour}
	inThePen(t, 1, netsim.Faults{}, 0, users, func(p *penned) {
		if s := load(p, "asking"); len(s.Waiting) != 1 || s.Waiting[0].Who != "/two/cmd_vel" {
			p.t.Errorf("with other topics of the user's it waits for %+v", s.Waiting)
		}
	})
}
