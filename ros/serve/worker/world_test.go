package worker

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/msgs/rosgraphmsgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/tf2msgs"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/sim"
	"simdeck/sim/r3"
)

func names(m *l2msgs.Object3DArray) (out []string) {
	for i := range m.Objects {
		out = append(out, m.Objects[i].Name)
	}
	return out
}

func TestWhatMovesIsToldTwentyTimesASecondAndElseOnce(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/hall.wbt", sim.Paused)
		heard := rostest.Hear[l2msgs.Object3DArray](&h.Stage, "/lab/object3d", many())
		h.Until("the entities", func() bool { return heard.Last() != nil })
		if got := names(heard.Last()); !slices.Equal(got, []string{"ball", "one", "two"}) {
			h.T.Fatalf("%v: those that can move, by name", got)
		}
		heard.Clear()
		time.Sleep(10 * time.Second)
		if n := len(heard.All()); n < 9 || n > 11 {
			h.T.Errorf("%d messages in 10 s at rest, want 10 ± 1", n)
		}
		spin := r3.Twist{Linear: r3.V(0, 0, 60)} // up for six seconds, and down again
		r.do(h, sim.SetEntityState{Name: "ball", Twist: &spin})
		heard.Clear()
		r.do(h, sim.StepWorld{N: 1000})
		time.Sleep(300 * time.Millisecond)
		if n := len(heard.All()); n < 199 || n > 202 {
			h.T.Errorf("%d messages in 10 simulated seconds of flight, want 200 ± 1 and at most one when it ended",
				n)
		}
		s := r.engine.Snapshot()
		i, _ := s.Find("ball")
		ball := heard.Last().Objects[0]
		if p := s.Entities[i].Pose.Pos; ball.Pose.Position.Z != p.Z ||
			ball.ID != int64(s.Model.Entities[i].ID) || ball.Scale.X != 1 || ball.Data != "" ||
			ball.Type != l2msgs.Object3DTypeProto {
			h.T.Errorf("%+v, it is at %v", ball, p)
		}
		to := r3.PoseRPY(5, 6, 7, 0, 0, 0)
		heard.Clear()
		r.do(h, sim.SetEntityState{Name: "ball", Pose: &to})
		time.Sleep(150 * time.Millisecond)
		if m := heard.Last(); m == nil || m.Objects[0].Pose.Position.X != 5 {
			h.T.Errorf("moved while paused, 0.15 s ago: %+v", m)
		}
	})
}

func TestEntitiesComeAndGoInTheNextMessage(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/solo.wbt", sim.Paused)
		heard := rostest.Hear[l2msgs.Object3DArray](&h.Stage, "/lab/object3d", many())
		has := func(what string, want ...string) {
			h.T.Helper()
			time.Sleep(150 * time.Millisecond)
			if m := heard.Last(); m == nil || !slices.Equal(names(m), want) {
				h.T.Fatalf("%s: %+v, want %v", what, m, want)
			}
		}
		r.do(h, sim.Spawn{Name: "box",
			Resource: sim.Resource{Document: `<sdf version="1.9"><model name="box"><link name="l"><pose>0 0 0.5 0 0 0</pose></link></model></sdf>`},
			Pose:     sim.FramedPose{Pose: r3.PoseRPY(3, 0, 0, 0, 0, 0)}})
		has("spawned", "box", "one")
		if o := heard.Last().Objects[0]; o.Pose.Position.X != 3 || o.Type != l2msgs.Object3DTypeSdf {
			h.T.Errorf("%+v", o)
		}
		r.do(h, sim.Delete{Names: []string{"box"}})
		has("deleted", "one")
		r.do(h, sim.Reset{})
		has("reset", "one")
	})
}

func TestAPoseIsThatOfTheModelFrameAsTheWorldsFileHasIt(t *testing.T) {
	onSite(t, func(h *site) {
		h.start(Config{}, "/lab", "worlds/plain.sdf", sim.Paused)
		heard := rostest.Hear[l2msgs.Object3DArray](&h.Stage, "/lab/object3d", many())
		h.Until("the box", func() bool { return heard.Last() != nil })
		if p := heard.Last().Objects[0].Pose.Position; p.X != 1 || p.Y != 2 || p.Z != 0.5 {
			h.T.Errorf("<pose>1 2 0.5 0 0 0</pose> is told as %+v; its link is 0.25 m above", p)
		}
	})
}

func TestOldWorldsWithYUpAreToldInROSAxes(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/attic.wbt", sim.Paused)
		heard := rostest.Hear[l2msgs.Object3DArray](&h.Stage, "/lab/object3d", many())
		h.Until("the ball", func() bool { return heard.Last() != nil })
		if p := heard.Last().Objects[0].Pose.Position; p.Z != 2 || math.Hypot(p.X, p.Y) != math.Hypot(1, 3) {
			h.T.Errorf("translation 1 2 3 of a world with y up is at %+v; want 2 m of height", p)
		}
		r.do(h, sim.StepWorld{N: 20})
		h.Until("a fall", func() bool {
			p := heard.Last().Objects[0].Pose.Position
			return p.Z < 1.9 &&
				p.Z > 1.5
		})
	})
}

func TestJointsBearTheirRobotsNameWhereThereAreSeveral(t *testing.T) {
	for _, c := range []struct {
		world string
		want  []string
	}{{"worlds/solo.wbt", []string{"one motor"}},
		{"worlds/hall.wbt", []string{"one/one motor", "two/two motor"}}} {
		onSite(t, func(h *site) {
			r := h.start(Config{}, "/lab", c.world, sim.Paused)
			heard := rostest.Hear[sensormsgs.JointState](&h.Stage, "/lab/joint_states", many())
			heard.Clear()
			r.do(h, sim.StepWorld{N: 1000})
			time.Sleep(300 * time.Millisecond)
			m := heard.Last()
			if n := len(heard.All()); m == nil || !slices.Equal(m.Name, c.want) || n < 499 || n > 501 ||
				m.Header.Stamp != node.SimTime(10*time.Second) {
				h.T.Fatalf("%s: %d messages in 10 simulated seconds, the last %+v; want 500 of %v", c.world,
					n, m, c.want)
			}
			s := r.engine.Snapshot()
			for i := range m.Name {
				e, joint, split := strings.Cut(m.Name[i], "/")
				if !split {
					e, joint = "one", m.Name[i]
				}
				at, _ := s.Find(e)
				if q := s.JointsOf(at)[0]; s.Model.Entities[at].Spec.Joints[0].Name != joint ||
					m.Position[i] != q.Position || m.Velocity[i] != q.Velocity || m.Effort[i] != q.Effort {
					h.T.Errorf("%s is at %v rad, it is said to be at %v", m.Name[i], q, m.Position[i])
				}
			}
		})
	}
}

func TestAllOfAWorldStandsInItsNamespace(t *testing.T) {
	onSite(t, func(h *site) {
		a, b := h.start(Config{}, "/lab/a", "worlds/hall.wbt", sim.Playing),
			h.start(Config{}, "/lab/b", "worlds/hall.wbt", sim.Paused)
		h.Until("both worlds", func() bool {
			return slices.Contains(h.topics("/lab/a"), "/lab/a/object3d") &&
				slices.Contains(h.topics("/lab/b"), "/lab/b/object3d")
		})
		time.Sleep(time.Second)
		shared := []string{"/parameter_events", "/rosout"}
		for _, topic := range h.topics("/") {
			if !strings.HasPrefix(topic, "/lab/") && !slices.Contains(shared, topic) {
				h.T.Errorf("%s is not in the namespace of a world", topic)
			}
		}
		if mine, other := h.topics("/lab/a/"), h.topics("/lab/b/"); len(mine) < 10 ||
			len(mine) != len(other) {
			h.T.Errorf("one world, twice: %v and %v", mine, other)
		}
		clock, still := rostest.Hear[rosgraphmsgs.Clock](&h.Stage, "/lab/a/clock", many()),
			rostest.Hear[rosgraphmsgs.Clock](&h.Stage, "/lab/b/clock", many())
		tf := rostest.Hear[tf2msgs.TFMessage](&h.Stage, "/lab/a/tf", many())
		time.Sleep(2 * time.Second)
		if last, other := clock.Last(), still.Last(); last.Clock.Sec < 2 || other.Clock.Sec != 0 {
			h.T.Errorf("the clock of the world that plays is at %+v, that of the other at %+v", last, other)
		}
		frames := map[string]string{}
		for _, f := range tf.Last().Transforms {
			frames[f.ChildFrameID] = f.Header.FrameID
		}
		if frames["one/base_link"] != "world" || frames["two/base_link"] != "world" ||
			frames["one/bar"] != "one/base_link" {
			h.T.Errorf("%v: the frames of all robots, whoever controls them", frames)
		}
		if a.name == b.name {
			h.T.Error("two workers share a name")
		}
	})
}

func TestTheTextsOfSpawnedEntitiesAreToldInMessagesOfABoundedSize(t *testing.T) {
	onSite(t, func(h *site) {
		r := h.start(Config{}, "/lab", "worlds/solo.wbt", sim.Paused)
		const size = 100 << 10
		texts := map[string]string{}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			texts[name] = "<sdf version='1.9'><model name='" + name + "'><static>true</static><link name='l'/></model></sdf><!--" +
				strings.Repeat(name, size) + "-->"
			r.do(h, sim.Spawn{Name: name, Resource: sim.Resource{Document: texts[name]}})
		}
		heard := rostest.Hear[l2msgs.Object3DArray](&h.Stage, "/lab/object3d", many())
		time.Sleep(5 * time.Second)
		told := map[string]int{}
		for _, m := range heard.All() {
			bytes := 0
			for i := range m.Objects {
				o := &m.Objects[i]
				if bytes += len(o.Data); o.Data != "" {
					if len(m.Objects) > len(texts) { // else it is of the time when they were spawned
						told[o.Name]++
					}
					if o.Data != texts[o.Name] {
						h.T.Errorf("%s has another text, of %d bytes", o.Name, len(o.Data))
					}
				}
			}
			if bytes > textRoom {
				h.T.Errorf("a message with %d bytes of texts, at most %d", bytes, textRoom)
			}
		}
		for name := range texts {
			if told[name] < 1 || told[name] > 4 {
				h.T.Errorf("the text of %s was told %d times in 5 s", name, told[name])
			}
		}
	})
}
