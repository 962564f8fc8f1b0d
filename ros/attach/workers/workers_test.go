package workers

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"simdeck/ros/msgs/geometrymsgs"
	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/msgs/sensormsgs"
	"simdeck/ros/msgs/stdmsgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
	"simdeck/ros/serve/storage"
	"simdeck/ros/serve/worker"
	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/logtest"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// hall is a world with a floor, a ball that falls and a pendulum that swings.
const (
	hall = `<sdf version="1.9"><world name="hall">
<model name="floor"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
<model name="sign"><link name="l"/><joint name="weld" type="fixed"><parent>world</parent><child>l</child></joint></model>
<model name="ball"><pose>2 0 3 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link></model>
<model name="clock"><pose>-2 1 0 0 0 0.5</pose><link name="post"><pose>0 0 1 0 0 0</pose></link>
<link name="bar"><pose>0.5 0 2 0 0 0</pose><inertial><pose>0.5 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><collision name="c"><pose>0.5 0 0 0 0 0</pose><geometry><box><size>1 0.1 0.1</size></box></geometry></collision></link>
<joint name="weld" type="fixed"><parent>world</parent><child>post</child></joint>
<joint name="hinge" type="revolute"><parent>post</parent><child>bar</child><axis><xyz>0 1 0</xyz></axis></joint></model>
</world></sdf>`
	crate = `<sdf version="1.9"><model name="crate"><link name="l"><pose>0 0 0.25 0 0 0</pose><collision name="c"><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model></sdf>`
)

// wall keeps the newest snapshot of each world that is shown.
type wall struct {
	mu    sync.Mutex
	shown map[string]*sim.Snapshot
	begun int
}

func (w *wall) Begin(name string) (func(*sim.Snapshot, time.Time), func(), error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun++
	w.shown[name] = nil
	return func(s *sim.Snapshot, _ time.Time) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.shown[name] = s
		}, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			delete(w.shown, name)
		}, nil
}

// at is the newest snapshot of a world; nil: none.
func (w *wall) at(name string) *sim.Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.shown[name]
}

func (w *wall) has(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, has := w.shown[name]
	return has
}

// site is a network with a watch.
type site struct {
	rostest.Stage
	wall    *wall
	journal logtest.Journal
}

func onSite(t *testing.T, f func(h *site)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &site{Stage: rostest.Stage{T: t, Net: netsim.New(1)},
			wall: &wall{shown: map[string]*sim.Snapshot{}}}
		h.Client = h.node("viewer", "")
		watch := New(Config{Library: rostest.Library(rostest.Files(map[string]string{"shipped/world.sdf": hall})).ForClients(),
			IsShipped: func(name string) bool { return name == "shipped" }, Screen: h.wall, Log: h.journal.Log()},
			h.Client)
		rostest.Run(t, "viewer", h.Client.Run)
		rostest.Run(t, "watch", watch.Run)
		f(h)
	})
}

func (h *site) node(name, ns string) *node.Node {
	h.T.Helper()
	n, err := node.New(node.Config{Name: name, Namespace: ns, Transport: h.Net.Host(name)})
	if err != nil {
		h.T.Fatal(err)
	}
	return n
}

// start runs a worker of hall; leave ends it as after a signal.
func (h *site) start(ns string) (e *engine.Engine, leave func(), name string) {
	h.T.Helper()
	return h.startWith(ns, hall)
}

// startWith runs a worker of a world's text.
func (h *site) startWith(ns, text string) (e *engine.Engine, leave func(), name string) {
	h.T.Helper()
	c, name := worker.Config{}, worker.NewName()
	files := rostest.Files(map[string]string{"crate.sdf": crate})
	e = rostest.Engine(h.T, files, sim.Resource{Document: text}, sim.Playing)
	n := h.node(name, ns)
	if _, err := c.RobotConfig().New(n, e); err != nil {
		h.T.Fatal(err)
	}
	if _, err := worker.New(c, n, e); err != nil {
		h.T.Fatal(err)
	}
	rostest.Run(h.T, "engine", e.Run)
	return e, rostest.Run(h.T, "worker", n.Run), name
}

// apart is the largest distance of the links of an entity in two snapshots, in m; false: one has it not.
func apart(a, b *sim.Snapshot, name string) (float64, bool) {
	if a == nil || b == nil {
		return 0, false
	}
	i, here := a.Find(name)
	k, there := b.Find(name)
	if !here || !there {
		return 0, false
	}
	most := 0.0
	for n, l := range a.LinksOf(i) {
		p := b.LinksOf(k)[n].Pose
		most = max(most, l.Pose.Pos.Dist(p.Pos), l.Pose.Rot.Conj().Mul(p.Rot).Vector().Len())
	}
	return most, true
}

func TestEveryLinkOfAWorkersWorldIsWhereTheWorkerHasIt(t *testing.T) {
	onSite(t, func(h *site) {
		e, _, _ := h.start("/lab")
		h.Until("the world", func() bool { return h.wall.at("/lab") != nil })
		time.Sleep(2 * time.Second)
		s := h.wall.at("/lab")
		if s.State != sim.Playing || s.Model.World.Name != "hall" || s.Time < time.Second {
			h.T.Errorf("%v of %s at %v", s.State, s.Model.World.Name, s.Time)
		}
		i, _ := e.Snapshot().Find("clock")
		if q := e.Snapshot().JointsOf(i); q[0].Position == 0 && q[1].Position == 0 {
			h.T.Error("the pendulum does not swing")
		}
		if _, err := e.Do(context.Background(), sim.SetState{State: sim.Paused}); err != nil {
			h.T.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		for _, name := range []string{"floor", "sign", "ball", "clock"} {
			if d, ok := apart(e.Snapshot(), h.wall.at("/lab"), name); !ok || d > 0.02 {
				h.T.Errorf("%s: %v m from where the worker has it, there: %v", name, d, ok)
			}
		}
		if s := h.wall.at("/lab"); s.State != sim.Paused {
			h.T.Errorf("%v after the clock stood still", s.State)
		}
	})
}

// arm is a world of Webots whose robot has a joint that was moved by hand.
const arm = `#VRML_SIM R2023b utf8
WorldInfo { title "bench" basicTimeStep 10 }
Solid { name "ground" translation 0 0 -0.5 boundingObject Box { size 20 20 1 } }
Robot { translation 1 2 0.1 rotation 0 0 1 0.3 name "arm" controller "<extern>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 position 0.4 anchor 0.1 0 0 } device [ RotationalMotor { name "m" maxTorque 20 } ]
    endPoint Solid { translation 0.2 0 0.15 rotation 0 0 1 0.4 name "bar" boundingObject Box { size 0.3 0.05 0.05 } physics Physics { density -1 mass 0.5 } } }
  ] boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 20 } }
`

func TestAWorldOfWebotsIsShownWithItsJoints(t *testing.T) {
	onSite(t, func(h *site) {
		e, _, _ := h.startWith("/lab", arm)
		h.Until("the world", func() bool { return h.wall.at("/lab") != nil })
		drive := rostest.Talk[stdmsgs.Float64MultiArray](&h.Stage,
			"/lab/arm/forward_position_controller/commands", node.DefaultQoS())
		i, _ := e.Snapshot().Find("arm")
		h.Until("the joint where it was sent", func() bool {
			drive(&stdmsgs.Float64MultiArray{Data: []float64{-0.7}})
			q := e.Snapshot().JointsOf(i)[0].Position
			return q > -0.72 && q < -0.68
		})
		time.Sleep(2 * time.Second)
		if d, ok := apart(e.Snapshot(), h.wall.at("/lab"), "arm"); !ok || d > 0.02 {
			h.T.Errorf("%v m from where the worker has it, there: %v", d, ok)
		}
	})
}

func TestAnotherWorldOrNoneTakesThePlaceOfTheOneBefore(t *testing.T) {
	onSite(t, func(h *site) {
		e, _, _ := h.start("/lab")
		do := func(c sim.Command) {
			if _, err := e.Do(context.Background(), c); err != nil {
				h.T.Fatal(err)
			}
		}
		shows := func(name string, entities int) func() bool {
			return func() bool {
				s := h.wall.at("/lab")
				return s != nil && s.Model.World.Name == name && len(s.Entities) == entities
			}
		}
		h.Until("the hall", shows("hall", 4))
		do(sim.LoadWorld{Resource: sim.Resource{Document: arm}})
		h.Until("the bench", shows("bench", 2))
		do(sim.UnloadWorld{})
		h.Until("no world", shows("", 0))
	})
}

func TestSpawnedAndDeletedEntitiesArriveWithTheirShapes(t *testing.T) {
	onSite(t, func(h *site) {
		e, _, _ := h.start("/lab")
		h.Until("the world", func() bool { return h.wall.at("/lab") != nil })
		do := func(c sim.Command) {
			if _, err := e.Do(context.Background(), c); err != nil {
				h.T.Fatal(err)
			}
		}
		do(sim.Spawn{Name: "box", Resource: sim.Resource{URI: "crate.sdf"},
			Pose: sim.FramedPose{Pose: r3.PoseRPY(5, 5, 0, 0, 0, 0)}})
		h.Until("the crate", func() bool {
			d, ok := apart(e.Snapshot(), h.wall.at("/lab"), "box")
			return ok && d < 0.02
		})
		s := h.wall.at("/lab")
		i, _ := s.Find("box")
		if l := s.Model.Entities[i].Spec.Links[0]; len(l.Collisions) != 1 || l.Collisions[0].Size.X != 0.5 {
			h.T.Errorf("%+v: not the crate's shape", l)
		}
		do(sim.Delete{Names: []string{"box"}})
		h.Until("its end", func() bool { _, ok := h.wall.at("/lab").Find("box"); return !ok })
		if n := len(h.wall.at("/lab").Entities); n != 4 {
			h.T.Errorf("%d entities, want 4", n)
		}
	})
}

func TestTwoWorkersAreTwoWorldsAndOneThatLeavesIsGone(t *testing.T) {
	onSite(t, func(h *site) {
		_, leave, _ := h.start("/a")
		_, _, killed := h.start("/b")
		h.Until("both", func() bool { return h.wall.at("/a") != nil && h.wall.at("/b") != nil })
		leave()
		h.Until("the end of one", func() bool { return !h.wall.has("/a") })
		if !h.wall.has("/b") {
			h.T.Error("the other has gone too")
		}
		h.Net.Partition([]string{"viewer"}, []string{killed})
		h.Until("the end of the killed one", func() bool { return !h.wall.has("/b") })
		if h.wall.begun != 2 {
			h.T.Errorf("%d worlds were begun, want 2", h.wall.begun)
		}
	})
}

func TestAWorldByNameIsFetchedFromTheStorage(t *testing.T) {
	for _, c := range []struct {
		store fstest.MapFS
		said  string // in the log; empty: it is shown
	}{{store: rostest.Files(map[string]string{"arena.sdf": hall})},
		{store: rostest.Files(map[string]string{"other.sdf": hall}), said: "is not in the storage"}} {
		onSite(t, func(h *site) {
			n := h.node("storage", "")
			if err := storage.Serve(n, c.store); err != nil {
				h.T.Fatal(err)
			}
			rostest.Run(h.T, "storage", n.Run)
			h.stranger("/lab", l2msgs.Object3D{Name: "arena"})
			if c.said != "" {
				h.Until("a warning", func() bool { return h.journal.Count(c.said) == 1 })
				return
			}
			h.Until("the world", func() bool {
				s := h.wall.at("/lab")
				return s != nil && len(s.Entities) == 4
			})
		})
	}
}

func TestAShippedWorldIsShownByItsNameWithoutAStorage(t *testing.T) {
	onSite(t, func(h *site) {
		h.stranger("/lab", l2msgs.Object3D{Name: "shipped"})
		h.Until("the world", func() bool {
			s := h.wall.at("/lab")
			return s != nil && len(s.Entities) == 4
		})
		h.stranger("/yard", l2msgs.Object3D{Name: "shipped/world.sdf"})
		h.Until("a warning", func() bool { return h.journal.Count("cannot be shown") == 1 })
	})
}

// stranger is a worker of somebody else that reports an object every 5 s.
func (h *site) stranger(ns string, o l2msgs.Object3D) (n *node.Node, leave func()) {
	h.T.Helper()
	n = h.node("somebody", ns)
	p, err := node.NewPublisher[l2msgs.Simulation](n, "simulation", node.LatchedQoS())
	if err != nil {
		h.T.Fatal(err)
	}
	n.Go(func(ctx context.Context) {
		for ctx.Err() == nil {
			if err := p.Publish(&l2msgs.Simulation{Ns: ns, WorkerID: "w7", Object: o}); err != nil {
				h.T.Error(err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(5 * time.Second):
			}
		}
	})
	return n, rostest.Run(h.T, "stranger", n.Run)
}

func TestAStrangersWorkerIsShownUntilItsPublishersAreGone(t *testing.T) {
	onSite(t, func(h *site) {
		_, leave := h.stranger("/lab", l2msgs.Object3D{Data: hall})
		h.Until("its world", func() bool { return h.wall.at("/lab") != nil })
		time.Sleep(20 * time.Second)
		if !h.wall.has("/lab") {
			h.T.Error("a worker that reports every 5 s has gone")
		}
		leave()
		h.Until("its end", func() bool { return !h.wall.has("/lab") })
	})
}

func TestAWorldThatCannotBeReadIsToldAndReadsNoFile(t *testing.T) {
	for name, text := range map[string]string{"nonsense": "hello", "a file": `<sdf version="1.9"><world name="w"><include><uri>file:///etc/passwd</uri></include></world></sdf>`} {
		onSite(t, func(h *site) {
			h.stranger("/lab", l2msgs.Object3D{Data: text})
			time.Sleep(5 * time.Second)
			if s := h.wall.at("/lab"); s != nil && len(s.Entities) > 0 {
				h.T.Errorf("%s: %d entities", name, len(s.Entities))
			}
			if strings.Contains(h.journal.String(), "root:") {
				h.T.Errorf("%s: the log shows the file:\n%s", name, h.journal.String())
			}
		})
	}
}

func FuzzReplica(f *testing.F) {
	f.Add("ball", crate, "hinge", 1.0, 0.5)
	f.Add("new", crate, "clock/hinge", -1.0, 1e308)
	f.Add("", "<sdf", "/", 0.0, 0.0)
	lib := rostest.Library(nil).ForClients()
	f.Fuzz(func(t *testing.T, name, text, joint string, w, q float64) {
		r := &replica{library: lib}
		if err := r.load(t.Context(), scene.Resource{Document: hall}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			o := l2msgs.Object3D{Name: name, Data: text, Pose: geometrymsgs.Pose{
				Position: geometrymsgs.Point{X: q}, Orientation: geometrymsgs.Quaternion{W: w}}}
			all := []l2msgs.Object3D{o, {Name: "clock"}, o}
			_ = r.objects(t.Context(), &l2msgs.Object3DArray{Objects: all})
			r.joints(&sensormsgs.JointState{Name: []string{joint, "hinge"}, Position: []float64{q}})
			s := r.snapshot(time.Time{})
			if len(s.Entities) > 5 {
				t.Fatalf("%d entities", len(s.Entities))
			}
			for i := range s.Links {
				if p := s.Links[i].Pose; !p.IsFinite() {
					t.Fatalf("link %d at %v", i, p)
				}
			}
		}
	})
}
