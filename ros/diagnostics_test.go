package ros

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/diagnosticmsgs"
	"simdeck/ros/msgs/rclinterfaces"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// crank is a model whose motor knows no limit.
const crank = `<sdf version="1.9"><model name="crank"><link name="foot"><inertial><mass>1</mass></inertial>
<collision name="c"><geometry><box><size>1 1 .2</size></box></geometry></collision></link>
<link name="wheel"><pose>0 0 .5 0 0 0</pose><inertial><mass>1</mass></inertial></link>
<joint name="axle" type="continuous"><parent>foot</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis></joint></model></sdf>`

func TestAFaultIsToldByDiagnosticsAndOnFaultIsAParameter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		net, e := netsim.New(1), newEngine(t)
		b, err := New(Config{Transport: net.Host("sim")}, e)
		if err != nil {
			t.Fatal(err)
		}
		client, err := node.New(node.Config{Name: "client", Transport: net.Host("client")})
		if err != nil {
			t.Fatal(err)
		}
		told := make(chan *diagnosticmsgs.DiagnosticArray, 64)
		hear := func(wait time.Duration) (heard []*diagnosticmsgs.DiagnosticArray) {
			time.Sleep(wait)
			for len(told) > 0 {
				heard = append(heard, <-told)
			}
			return heard
		}
		if _, err := node.NewSubscription(client, "/diagnostics", node.DefaultQoS(),
			func(_ context.Context, m *diagnosticmsgs.DiagnosticArray,
				_ node.Origin) {
				told <- m
			}); err != nil {
			t.Fatal(err)
		}
		ends := []<-chan error{run(ctx, e.Run), run(ctx, b.Run), run(ctx, client.Run)}
		do := func(c sim.Command) {
			if _, err := e.Do(ctx, c); err != nil {
				t.Errorf("%s: %v", sim.Describe(c), err)
			}
		}
		heard := hear(3 * time.Second)
		if len(heard) < 2 || len(heard[0].Status) != 1 ||
			heard[0].Status[0].Level != diagnosticmsgs.DiagnosticStatusOK ||
			heard[0].Status[0].Name != "/simdeck: simulation" {
			t.Errorf("of a sound world: %+v", heard)
		}
		do(sim.Spawn{Name: "crank", Resource: scene.Resource{Document: crank}})
		do(sim.SetJoint{Name: "crank", Joint: "axle", Mode: sim.JointEffort, Target: 1e300})
		do(sim.SetState{State: sim.Playing})
		hear(0)
		heard = hear(500 * time.Millisecond)
		if len(heard) == 0 {
			t.Fatal("a fault is not told at once")
		}
		m := heard[len(heard)-1]
		if len(m.Status) != 2 || m.Status[0].Level != diagnosticmsgs.DiagnosticStatusError ||
			m.Status[1].Level != diagnosticmsgs.DiagnosticStatusError ||
			m.Status[1].Name != "/simdeck: entity crank" || !strings.Contains(m.Status[1].Message, "floor") {
			t.Errorf("of a contained entity: %+v", m)
		}
		p := b.node.Parameters()
		set := func(v string) error {
			return p.Set(ctx, rclinterfaces.Parameter{Name: "on_fault", Value: node.StringValue(v)})
		}
		if err := set("pause"); err != nil || e.Snapshot().Pacing.OnFault != sim.PauseOnFault {
			t.Errorf("on_fault is %v, %v", e.Snapshot().Pacing.OnFault, err)
		}
		for _, v := range []string{"halt", "explode", ""} {
			if err := set(v); !errors.Is(err, node.ErrParameter) {
				t.Errorf("on_fault %q: %v", v, err)
			}
		}
		cancel()
		for _, end := range ends {
			if err := <-end; err != nil {
				t.Error(err)
			}
		}
	})
}
