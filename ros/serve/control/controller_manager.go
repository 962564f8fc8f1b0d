package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"simdeck/ros/msgs/controllermanagermsgs"
	"simdeck/ros/node"
	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
)

// defaultRate is the rate of controllers when nothing is said, in Hz of simulated time.
const defaultRate = 100

// Config is the configuration of a Manager. All but Namespace is required.
type Config struct {
	Node      *node.Node // that the manager's stand beside
	Backend   sim.Backend
	Entity    string // name of the robot
	Spec      *scene.ModelSpec
	Namespace string // of the manager's node and those of the controllers
}

// Manager is the controller manager of a robot.
type Manager struct {
	config   Config
	node     *node.Companion
	rate     int64 // Hz
	files    []node.Assignment
	activity *node.Publisher[controllermanagermsgs.ControllerManagerActivity]

	// held by who changes states, and shared by who sends commands: none arrives after its controller has
	// become inactive
	changing sync.RWMutex

	mu          sync.Mutex // of what follows; never held while the backend is asked
	hardware    hardware
	controllers []*controller // in the order in which they were loaded
	shown       look
}

// look is a robot in a snapshot.
type look struct {
	snapshot *sim.Snapshot
	entity   int // index of the robot in it
}

func (l look) joints() []sim.JointState { return l.snapshot.JointsOf(l.entity) }

// time is that of the snapshot; 0 before the first.
func (l look) time() time.Duration {
	if l.snapshot == nil {
		return 0
	}
	return l.snapshot.Time
}

// Name is the full name that the node of a robot's manager has in a namespace.
func Name(c *scene.ROS2Control, namespace string) string {
	return node.Join("/"+strings.Trim(namespace, "/"), cmp.Or(c.Manager, "controller_manager"))
}

// New puts the manager of a robot on the graph, without controllers. Errors say which of its parameter files
// cannot be read, and where, or wrap node.ErrName.
func New(c Config) (*Manager, error) {
	m := &Manager{config: c, hardware: newHardware(c.Spec.ROS.Control)}
	for _, f := range c.Spec.ROS.Control.Parameters {
		found, err := node.ParseParams(f.Name, []byte(f.Text))
		if err != nil {
			return nil, fmt.Errorf("the parameters of the controllers: %w", err)
		}
		m.files = append(m.files, found...)
	}
	var err error
	m.node, err = c.Node.Beside(node.Config{Name: cmp.Or(c.Spec.ROS.Control.Manager, "controller_manager"),
		Namespace: c.Namespace, Args: node.Args{Parameters: m.files}})
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	err = m.node.Parameters().Declare(ctx, node.Declaration{Name: "update_rate", ReadOnly: true,
		Default: node.IntegerValue(defaultRate), Range: &[2]float64{1, 1e6},
		Description: "how often controllers run, in Hz of simulated time; as often as snapshots come, at most",
		Set: func(_ context.Context, v node.Value) error {
			m.rate = v.IntegerValue
			return nil
		}})
	if m.rate == 0 {
		m.rate = defaultRate
	}
	if err == nil {
		err = m.node.Parameters().DeclareGiven(ctx)
	}
	if err == nil {
		m.activity, err = node.NewPublisher[controllermanagermsgs.ControllerManagerActivity](m.node.Node,
			"~/activity", node.LatchedQoS())
	}
	if err = errors.Join(err, m.serve()); err != nil {
		m.node.Leave()
		return nil, err
	}
	m.tell()
	return m, nil
}

// Close takes the manager and its controllers off the graph.
func (m *Manager) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.controllers {
		c.active.Store(false)
		c.node.Leave()
	}
	m.controllers = nil
	m.node.Leave()
	return nil
}

// Show hands a snapshot, in which the robot is entity i, to the controllers that are active.
func (m *Manager) Show(s *sim.Snapshot, i int) error {
	m.mu.Lock()
	m.shown = look{s, i}
	active := make([]*controller, 0, len(m.controllers))
	for _, c := range m.controllers {
		if c.active.Load() {
			active = append(active, c)
		}
	}
	m.mu.Unlock()
	var err error
	for _, c := range active {
		err = errors.Join(err, c.show(look{s, i}))
	}
	return err
}

// Odometry is a frame, and the pose in it that the robot's base has by an active controller's tf. ok is false
// when no controller tells tf where the base is.
func (m *Manager) Odometry() (frame, base string, pose r3.Pose, ok bool) {
	m.mu.Lock()
	controllers := slices.Clone(m.controllers)
	m.mu.Unlock()
	for _, c := range controllers {
		if !c.active.Load() {
			continue
		}
		c.showing.Lock()
		d, is := c.run.(*diffDrive)
		if ok = is && d.tf != nil; ok {
			frame, base, pose = d.msg.Header.FrameID, d.msg.ChildFrameID, d.believed.pose()
		}
		c.showing.Unlock()
		if ok {
			return frame, base, pose, true
		}
	}
	return "", "", pose, false
}

// now is the last look at the robot.
func (m *Manager) now() look {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown
}

// find is a controller that is loaded; nil: there is none of that name.
func (m *Manager) find(name string) *controller {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.controllers {
		if c.name == name {
			return c
		}
	}
	return nil
}

// tell publishes in which states controllers and hardware are.
func (m *Manager) tell() {
	msg := &controllermanagermsgs.ControllerManagerActivity{}
	m.mu.Lock()
	if m.shown.snapshot != nil {
		msg.Header.Stamp = node.SimTime(m.shown.time())
	}
	for _, c := range m.controllers {
		msg.Controllers = append(msg.Controllers,
			controllermanagermsgs.NamedLifecycleState{Name: c.name, State: c.state.message()})
	}
	for i := range m.hardware.components {
		h := &m.hardware.components[i]
		msg.HardwareComponents = append(msg.HardwareComponents,
			controllermanagermsgs.NamedLifecycleState{Name: h.spec.Name, State: h.state.message()})
	}
	m.mu.Unlock()
	if err := m.activity.Publish(msg); err != nil {
		m.node.Log().Error("the activity of controllers could not be published", "error", err)
	}
}
