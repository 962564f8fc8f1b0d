package worker

import (
	"regexp"
	"testing"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
)

func TestAWorkerSaysWhoItIsOnBothTopics(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{ReportPath: "/l2/workers"}, "/lab", "worlds/hall.wbt", sim.Paused)
		if !regexp.MustCompile(`^l2_sim_worker_[0-9a-f]{32}$`).MatchString(r.name) || r.name == NewName() {
			h.T.Errorf("%s: want a name that no other worker has", r.name)
		}
		for _, topic := range []string{"/lab/simulation", "/l2/workers"} {
			got := rostest.Hear[l2msgs.Simulation](&h.Stage, topic, node.LatchedQoS()).Last()
			want := l2msgs.Simulation{Ns: "/lab", ReportPath: "/l2/workers", WorkerID: r.name,
				Object: l2msgs.Object3D{
					Type: l2msgs.Object3DTypeProto, Name: "hall", Data: hall,
					Pose:  geometrymsgs.Pose{Orientation: geometrymsgs.Quaternion{W: 1}},
					Scale: geometrymsgs.Vector3{X: 1, Y: 1, Z: 1}}}
			if got == nil || *got != want {
				h.T.Errorf("%s: %+v; who comes late has it at once, and the world's text as it is", topic,
					got)
			}
		}
	})
}

func TestAWorkerSaysSoEveryFiveSecondsAndAtOnceWhenItsWorldChanges(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/hall.wbt", sim.Paused)
		firm, loose := rostest.Hear[l2msgs.Simulation](&h.Stage, "/lab/simulation", many()),
			rostest.Hear[l2msgs.Simulation](&h.Stage, "/lab/simulation", node.SensorQoS())
		time.Sleep(time.Second)
		firm.Clear()
		loose.Clear()
		time.Sleep(50 * time.Second)
		if n, m := len(firm.All()), len(loose.All()); n != 10 || m != 10 {
			h.T.Errorf("%d and %d messages in 50 s, of a reliable and a best-effort listener; want 10 each",
				n, m)
		}
		firm.Clear()
		r.do(h, sim.LoadWorld{Resource: sim.Resource{URI: "worlds/plain.sdf"}})
		time.Sleep(200 * time.Millisecond)
		if m := firm.Last(); m == nil || m.Object.Data != plain || m.Object.Type != l2msgs.Object3DTypeSdf ||
			m.Object.Name != "plain" {
			h.T.Errorf("0.2 s after another world was loaded: %+v", m)
		}
		firm.Clear()
		r.do(h, sim.UnloadWorld{})
		time.Sleep(200 * time.Millisecond)
		if m := firm.Last(); m == nil || m.Object.Data != "" || m.Object.Type != l2msgs.Object3DTypeUnknown {
			h.T.Errorf("without a world: %+v", m)
		}
		r.do(h, sim.LoadWorld{Resource: sim.Resource{Document: solo}})
		time.Sleep(200 * time.Millisecond)
		if m := firm.Last(); m.Object.Data != solo || m.Object.Type != l2msgs.Object3DTypeProto {
			h.T.Errorf("of a world that was sent as text: %+v", m)
		}
	})
}

func TestReportPathMayBeTheTopicThatThereIsAnyway(t *testing.T) {
	onSite(t, func(h *site) {
		h.start(Config{ReportPath: "/lab/simulation"}, "/lab", "worlds/solo.wbt", sim.Paused)
		heard := rostest.Hear[l2msgs.Simulation](&h.Stage, "/lab/simulation", many())
		time.Sleep(time.Second)
		heard.Clear()
		time.Sleep(10 * time.Second)
		if n := len(heard.All()); n != 2 {
			h.T.Errorf("%d messages in 10 s, want 2: not twice the same", n)
		}
	})
}

func TestAReportPathThatIsNoNameIsRefused(t *testing.T) {
	onSite(t, func(h *site) {
		e := rostest.Engine(h.T, files(), sim.Resource{URI: "worlds/solo.wbt"}, sim.Paused)
		if _, err := New(Config{ReportPath: "/l2//x y"}, h.node("w", ""), e); err == nil {
			h.T.Error("a topic with a space was taken")
		}
	})
}
