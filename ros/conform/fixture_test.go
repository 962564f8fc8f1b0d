package conform

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"simdeck/ros"
	"simdeck/ros/attach"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/zenoh/rmw"
	"simdeck/ros/zenoh/zenohsim"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
)

const yardText = `<sdf version="1.9" xmlns:simdeck="urn:simdeck:sdf"><world name="yard">
<simdeck:description>A yard</simdeck:description><simdeck:tags>test outdoor</simdeck:tags>
<physics name="p" type="ignored"><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static><simdeck:category>static_object</simdeck:category>
<link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="post"><static>true</static><pose>5 0 0.5 0 0 0</pose><simdeck:tags>tall</simdeck:tags>
<link name="l"><collision name="c"><geometry><box><size>0.2 0.2 1</size></box></geometry></collision></link></model>
<include><uri>model://crate</uri><name>crate</name><pose>0 2 0.3 0 0 0</pose></include>
<frame name="dock"><pose>1 2 0 0 0 0</pose><simdeck:tags>goal dock</simdeck:tags>
<simdeck:bounds><box><size>2 2 1</size></box></simdeck:bounds></frame>
<frame name="gate"><pose>3 0 0 0 0 1</pose><simdeck:tags>goal</simdeck:tags><simdeck:bounds><sphere><radius>0.5</radius></sphere></simdeck:bounds></frame>
</world></sdf>`

var files = rostest.Files(map[string]string{
	"yard/world.sdf":                    yardText,
	"models/crate/model.config":         `<model><name>crate</name><sdf version="1.9">model.sdf</sdf></model>`,
	"models/crate/model.sdf":            boxSDF,
	"models/crate/model.simulationinfo": `{"description": "A crate", "category": "dynamic_object", "asset": "model.sdf"}`,
})

// measured lets steps take wall time, as they do: in a synctest bubble they
// take none, and nothing could happen meanwhile.
type measured struct {
	*engine.Engine
	busy *sync.Mutex
	stop chan struct{} // a PAUSED ends the steps
}

func (m measured) Do(ctx context.Context, c sim.Command) (sim.Reply, error) {
	steps, ok := c.(sim.StepWorld)
	if !ok {
		if c != sim.Command(sim.SetState{State: sim.Paused}) {
			return m.Engine.Do(ctx, c)
		}
		if m.busy.TryLock() {
			defer m.busy.Unlock()
			return m.Engine.Do(ctx, c)
		}
		m.stop <- struct{}{}
		return sim.Done{}, nil
	}
	if !m.busy.TryLock() {
		return nil, fmt.Errorf("%w: steps are being done", sim.ErrIncorrectState)
	}
	defer m.busy.Unlock()
	var done sim.Stepped
	for {
		r, err := m.Engine.Do(ctx, sim.StepWorld{N: min(1, steps.N-done.Completed)})
		if err != nil {
			return done, err
		}
		one, _ := r.(sim.Stepped)
		done.Completed += one.Completed
		done.Time = one.Time
		if done.Completed == steps.N {
			return done, nil
		}
		select {
		case <-time.After(time.Millisecond):
		case <-m.stop:
			return done, sim.ErrCancelled
		case <-ctx.Done():
			return done, ctx.Err()
		}
	}
}

// withSimdeck works on a simdeck in this process; between puts something
// between its services and its engine.
func withSimdeck(t *testing.T, start sim.State, o attach.Options, between func(sim.Backend) sim.Backend,
	work func(context.Context, *attach.Remote, *engine.Engine) error) {
	t.Helper()
	withSimdeckOver(t, false, start, o, between, work)
}

// withSimdeckOver is withSimdeck over DDS, or over Zenoh.
func withSimdeckOver(t *testing.T, zenoh bool, start sim.State, o attach.Options,
	between func(sim.Backend) sim.Backend,
	work func(context.Context, *attach.Remote, *engine.Engine) error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := rostest.Engine(t, files, scene.Resource{URI: "world://@cache@/yard"}, start)
		net := netsim.New(1)
		its, users := ros.Config{Transport: net.Host("sim"), Version: "test"},
			attach.Config{Transport: net.Host("user")}
		if zenoh {
			router := zenohsim.New()
			session := func() (node.Middleware, error) { return rmw.New(rmw.Config{Dialer: router}), nil }
			its.Middleware, users.Middleware = session, session
		}
		b, err1 := ros.New(its, between(measured{e, &sync.Mutex{}, make(chan struct{})}))
		g, err2 := attach.Open(users)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		rostest.Run(t, "engine", e.Run)
		rostest.Run(t, "bridge", b.Run)
		err := g.Run(context.Background(), func(ctx context.Context) error {
			s, err := g.Find(ctx, attach.Want{})
			if err != nil {
				return err
			}
			return work(ctx, g.Attach(s, o), e)
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// examined runs the suite over a simdeck.
func examined(t *testing.T, start sim.State, o attach.Options, options Options,
	between func(sim.Backend) sim.Backend, look func(*Report, *engine.Engine)) {
	t.Helper()
	withSimdeck(t, start, o, between, func(ctx context.Context, r *attach.Remote, e *engine.Engine) error {
		report, err := Run(ctx, r, options)
		if err == nil {
			look(report, e)
		}
		return err
	})
}

// honest changes nothing.
func honest(d sim.Backend) sim.Backend { return d }
