package vehicle

import (
	"math"
	"slices"
	"testing"
	"time"

	"simdeck/ros/msgs/navmsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

// town is the site with a car that drives to the east past a signal, and somebody who walks.
func town() map[string]string {
	return map[string]string{
		"site/actors.json": `{"actors": [{"id": "car", "lane": "main", "start": 10, "speed": 5},
			{"id": "walker", "type": "pedestrian", "trajectory": [{"time": 0, "position": [0, -9]}, {"time": 100, "position": [0, 9]}]}]}`,
		"site/lanes.json": `{"lanes": [{"id": "main", "points": [[-40, -3], [40, -3]]}]}`,
		"site/signals.json": `{"signals": [{"id": "light", "position": [5, 6], "phases":
			[{"state": "red", "duration": 2}, {"state": "green", "duration": 3}]}]}`,
	}
}

func TestActorsAndSignalsHaveTopicsInNamespacesOfTheirOwn(t *testing.T) {
	f := files()
	for name, file := range rostest.Files(town()) {
		f[name] = file
	}
	f["site/world.yaml"].Data = append(f["site/world.yaml"].Data,
		"actors: {trajectories: actors.json}\ntraffic: {lanes: lanes.json, signals: signals.json}\n"...)
	inTownOf(t, f, "site", sim.Paused, func(h *rostest.Stage) {
		car := hear[navmsgs.Odometry](h, "/actor/car/odom", node.DefaultQoS())
		walker := hear[navmsgs.Odometry](h, "/actor/walker/odom", node.DefaultQoS())
		time.Sleep(time.Second)
		late := hear[stdmsgs.String](h, "/signal/light/state", node.LatchedQoS())
		time.Sleep(time.Second)
		if l := late.All(); len(l) != 1 || l[0].Data != "red" {
			t.Errorf("who comes late hears %d messages of the signal; want the last, red", len(l))
		}
		car.Clear()
		walker.Clear()
		h.Do(sim.SetState{State: sim.Playing})
		time.Sleep(6 * time.Second)
		h.Do(sim.SetState{State: sim.Paused})
		time.Sleep(time.Second)
		var words []string
		for _, m := range late.All() {
			words = append(words, m.Data)
		}
		if !slices.Equal(words, []string{"red", "green", "red"}) {
			t.Errorf("in 6 s the signal says %v; want red, green, red", words)
		}
		list := car.All()
		if n := len(list); n < 118 || n > 122 || len(walker.All()) != n {
			t.Fatalf("%d messages of the car and %d of the walker in 6 s, want 20 in each second", n,
				len(walker.All()))
		}
		for _, m := range list {
			at := node.SimDuration(m.Header.Stamp).Seconds() - 100
			x, v := m.Pose.Pose.Position.X, m.Twist.Twist.Linear.X
			if math.Abs(x-(-30+5*at)) > 1e-6 || math.Abs(v-5) > 1e-6 || m.Header.FrameID != "map" ||
				m.ChildFrameID != "actor_car" {
				t.Fatalf("at %.3f s the car is at x = %.4f m, at %.4f m/s: %+v", at, x, v, m.Header)
			}
		}
		h.Do(sim.SetSignal{Name: "light", Phase: "green", Hold: true})
		h.Do(sim.StepWorld{N: 1})
		time.Sleep(time.Second)
		if l := late.All(); l[len(l)-1].Data != "green" {
			t.Errorf("switched to green it says %q", l[len(l)-1].Data)
		}
	})
}
