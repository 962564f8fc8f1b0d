package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/node"
	"simdeck/ros/serve"
	"simdeck/ros/serve/robot"
	"simdeck/sim"
	"simdeck/sim/scene"
)

// How often, and how many pictures may wait.
const (
	announceEvery = 5 * time.Second       // of the wall clock
	lookEvery     = 50 * time.Millisecond // of the wall clock
	jointPeriod   = 20 * time.Millisecond // of simulated time, as robots have it
	queue         = 512
)

// Config is the configuration of a worker. The parameters of its node, of the names of the first two, have
// precedence.
type Config struct {
	// report_path: a topic that gets the Simulation messages as well; empty: none
	ReportPath string
	// object_config: the world's file, or its name in the storage; for viewers, it was read already
	ObjectConfig string
	Robot        string           // the only one whose commands are taken; empty: there is none such
	Object       *l2msgs.Object3D // the world, as the storage gave it; nil: it was a file
}

// NewName is a node's name that no other worker has.
func NewName() string {
	var id [16]byte
	rand.Read(id[:])
	return "l2_sim_worker_" + hex.EncodeToString(id[:])
}

// RobotConfig is the configuration of a worker's robots.
func (c Config) RobotConfig() robot.Config {
	return robot.Config{
		Inside:          true,
		Taken:           []string{"simulation", "joint_states", "object3d", "clock", "tf", "tf_static"},
		External:        func(m *sim.EntityModel) bool { return m.Spec.Controller == scene.ExternController },
		AcceptsCommands: func(m *sim.EntityModel) bool { return c.Robot == "" || c.calls(m) },
	}
}

// calls reports whether an entity is the robot that is named.
func (c Config) calls(m *sim.EntityModel) bool { return m.Name == c.Robot || m.Spec.Name == c.Robot }

// Worker publishes a backend's world.
type Worker struct {
	config  Config
	node    *node.Node
	backend sim.Backend
	report  report
	objects objects
	joints  joints
	clock   serve.Clock

	last *sim.Snapshot
}

// New makes the topics of a worker on a node; it publishes while the node runs. Errors wrap node.ErrName or
// node.ErrParameter.
func New(c Config, n *node.Node, d sim.Backend) (*Worker, error) {
	w := &Worker{config: c, node: n, backend: d}
	if err := errors.Join(w.declare(), w.report.open(n, &w.config), w.objects.open(n),
		w.joints.open(n)); err != nil {
		return nil, fmt.Errorf("l2_msgs: %w", err)
	}
	w.joints.pub.TimedBy(w.clock.Now)
	w.objects.pub.TimedBy(w.clock.Now)
	n.Go(w.run)
	return w, nil
}

// declare makes what the worker was told parameters of its node.
func (w *Worker) declare() error {
	text := func(name, what string, into *string) error {
		return w.node.Parameters().Declare(context.Background(),
			node.Declaration{Name: name, Default: node.StringValue(*into), ReadOnly: true,
				Description: what, Set: func(_ context.Context,
					v node.Value) error {
					*into = v.StringValue
					return nil
				}})
	}
	return errors.Join(
		text("report_path", "a topic that gets the Simulation messages as well", &w.config.ReportPath),
		text("object_config", "the world: a file, or a name that the storage knows", &w.config.ObjectConfig))
}

// run publishes until the engine or the node ends.
func (w *Worker) run(ctx context.Context) {
	pictures := w.backend.Subscribe(sim.Lossless(queue, jointPeriod))
	defer pictures.Close()
	pictures.WantSensors(false)
	w.show(w.backend.Snapshot())
	w.tell(w.report.publish())
	w.missRobot()
	announced := time.Now()
	serve.EachSnapshot(ctx, pictures, func(s *sim.Snapshot) bool {
		w.show(s)
		return true
	}, serve.Ticker{Period: lookEvery, Do: func(now time.Time) {
		if s := w.backend.Snapshot(); len(pictures.C()) == 0 && !pictures.Holds() {
			w.show(s)
		}
		w.tell(w.objects.rest(w.last, now))
		if now.Sub(announced) > announceEvery-lookEvery/2 {
			announced = now
			w.tell(w.report.publish())
		}
	}})
}

// show publishes what is new in a picture.
func (w *Worker) show(s *sim.Snapshot) {
	before := w.last
	if before != nil && s.Seq <= before.Seq {
		return
	}
	w.last = s
	w.clock.Show(s)
	if before == nil || before.Model != s.Model {
		if w.report.describe(s.Model, w.config.Object) && before != nil {
			w.tell(w.report.publish())
		}
		w.joints.collect(s.Model)
	}
	if before == nil || before.Model != s.Model || due(before.Time, s.Time, jointPeriod) {
		w.tell(w.joints.publish(s))
	}
	if before == nil || before.Model != s.Model || due(before.Time, s.Time, objectPeriod) {
		w.tell(w.objects.publish(s, time.Now()))
	}
}

// due reports whether a multiple of period lies between two times, or time went back.
func due(before, now, period time.Duration) bool {
	return now < before || now/period != before/period
}

func (w *Worker) tell(err error) {
	if err != nil {
		w.node.Log().Error("the world could not be published", "error", err)
	}
}

// missRobot tells when the robot that is to be commanded is not there.
func (w *Worker) missRobot() {
	all := w.last.Model.Entities
	if w.config.Robot == "" || slices.ContainsFunc(all,
		func(m sim.EntityModel) bool { return w.config.calls(&m) }) {
		return
	}
	var robots []string
	for i := range all {
		if all[i].Info.Category == scene.Robot {
			robots = append(robots, all[i].Name)
		}
	}
	w.node.Log().Warn("no robot takes commands: the one that was named is not there", "name", w.config.Robot,
		"robots", strings.Join(robots, ", "))
}
