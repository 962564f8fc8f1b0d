package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"simdeck/ros/node"
	"simdeck/sim"
)

// Why a controller is not loaded or configured.
var (
	errUnknownKind = errors.New("there is no such type of controller")
	errParameters  = errors.New("the parameters are not those of such a controller")
	errState       = errors.New("not in that state")
)

// wants are the interfaces that a controller needs, by their full names.
type wants struct{ commands, states []string }

// behaviour is the work of a type of controller.
type behaviour interface {
	// configure reads the parameters, makes topics, and says which interfaces are needed.
	configure(c *controller) (wants, error)
	// begin and end are the commands that go with becoming active and inactive.
	begin(l look) []sim.JointTarget
	end() []sim.JointTarget
	// show publishes what is seen, while the controller is active.
	show(l look) error
}

// controller is a loaded controller.
type controller struct {
	manager *Manager
	name    string
	kind    string // its type
	node    *node.Companion
	rate    int64 // Hz
	active  atomic.Bool

	// of Manager.mu
	state state
	wants wants

	showing sync.Mutex
	run     behaviour
	last    time.Duration
	any     bool // last holds
	ends    []interface{ Close() error }
}

// load makes a controller, which is unconfigured.
func (m *Manager) load(ctx context.Context, name string) error {
	if m.find(name) != nil {
		return fmt.Errorf("%w: it is loaded already", errState)
	}
	kind, err := m.kindOf(name)
	if err != nil {
		return err
	}
	args, err := m.arguments(name)
	if err != nil {
		return err
	}
	n, err := m.config.Node.Beside(node.Config{Name: name, Namespace: m.node.Namespace(), Args: args})
	if err != nil {
		return err
	}
	c := &controller{manager: m, name: name, kind: kind.name, node: n, state: unconfigured, run: kind.make()}
	for _, d := range append(kind.parameters(), node.Declaration{Name: "update_rate",
		Default: node.IntegerValue(0), Range: &[2]float64{0, 1e6},
		Description: "how often it runs, in Hz; 0: as the controller manager"}) {
		if err = n.Parameters().Declare(ctx, d); err != nil {
			break
		}
	}
	if err == nil {
		err = n.Parameters().DeclareGiven(ctx)
	}
	if err != nil {
		n.Leave()
		return err
	}
	m.mu.Lock()
	m.controllers = append(m.controllers, c)
	m.mu.Unlock()
	return nil
}

// kindOf is the type of a controller, as a parameter of the manager says.
func (m *Manager) kindOf(name string) (*kind, error) {
	v, _ := m.node.Parameters().Get(name + ".type")
	if v.Type != node.String || v.StringValue == "" {
		return nil, fmt.Errorf("%w: parameter %s.type of %s is not set; want one of %s", errUnknownKind, name,
			m.node.FullName(), strings.Join(kindNames(), ", "))
	}
	for i := range kinds {
		if kinds[i].name == v.StringValue {
			return &kinds[i], nil
		}
	}
	return nil, fmt.Errorf("%w: %q, of %s; want one of %s", errUnknownKind, v.StringValue, name,
		strings.Join(kindNames(), ", "))
}

// maxParameters bounds a parameter file, in bytes.
const maxParameters = 1 << 20

// arguments are those of a controller's node: parameters from the files of the robot, then from those that
// <name>.params_file names, and what <name>.node_options_args says.
func (m *Manager) arguments(name string) (node.Args, error) {
	given, _ := m.node.Parameters().Get(name + ".node_options_args")
	args, err := node.ParseArgs(listOf(given))
	if err != nil {
		return args, err
	}
	found := slices.Clone(m.files)
	files, _ := m.node.Parameters().Get(name + ".params_file")
	for _, file := range listOf(files) {
		reader := m.config.Backend.Capabilities().Files
		if reader == nil {
			return args, fmt.Errorf("%s: %w: this simulator reads no files", file, sim.ErrUnsupported)
		}
		text, name, err := reader.ReadFile(file, maxParameters, "a ROS parameter file, with ros__parameters:",
			func(text []byte) bool { return strings.Contains(string(text), "ros__parameters:") })
		if err != nil {
			return args, err
		}
		more, err := node.ParseParams(name, text)
		if err != nil {
			return args, err
		}
		found = append(found, more...)
	}
	args.Parameters = append(found, args.Parameters...)
	return args, nil
}

// listOf are the strings of a value that is one or several of them.
func listOf(v node.Value) []string {
	if v.Type == node.String && v.StringValue != "" {
		return []string{v.StringValue}
	}
	return v.StringArrayValue
}

// configure makes a controller inactive, with topics and the interfaces that it needs; with an error it is
// unconfigured.
func (m *Manager) configure(c *controller) error {
	if c.state == active || c.state == finalized {
		return fmt.Errorf("%w: it is %s; want unconfigured or inactive", errState, c.state)
	}
	m.cleanup(c)
	if c.rate = c.integer("update_rate"); c.rate == 0 {
		c.rate = m.rate
	}
	kind, err := m.kindOf(c.name)
	if err != nil {
		return err
	}
	run := kind.make()
	w, err := run.configure(c)
	if err != nil {
		m.cleanup(c)
		return err
	}
	c.showing.Lock()
	c.run = run
	c.showing.Unlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	c.wants, c.state = w, inactive
	return nil
}

// cleanup makes a controller that is not active unconfigured.
func (m *Manager) cleanup(c *controller) {
	for _, e := range c.ends {
		if err := e.Close(); err != nil {
			c.node.Log().Warn("a topic could not be closed", "error", err)
		}
	}
	c.ends = nil
	m.mu.Lock()
	defer m.mu.Unlock()
	c.wants, c.state = wants{}, unconfigured
}

// unload takes a controller that is not active off the graph, and waits until its node has left.
func (m *Manager) unload(ctx context.Context, c *controller) error {
	if c.state == active {
		return fmt.Errorf("%w: it is active; deactivate it first", errState)
	}
	m.mu.Lock()
	m.controllers = slices.DeleteFunc(m.controllers, func(o *controller) bool { return o == c })
	m.mu.Unlock()
	c.node.Leave()
	select {
	case <-c.node.Left():
	case <-ctx.Done():
	}
	return nil
}

// show publishes what a controller sees.
func (c *controller) show(l look) error {
	c.showing.Lock()
	defer c.showing.Unlock()
	return c.run.show(l)
}

// hushed gives targets while nothing is shown.
func (c *controller) hushed(give func() []sim.JointTarget) []sim.JointTarget {
	c.showing.Lock()
	defer c.showing.Unlock()
	return give()
}

// due reports whether a controller that publishes at a rate in Hz is to do so at a time, and has not yet.
func (c *controller) due(l look, rate float64) bool {
	now := l.time()
	if rate <= 0 {
		return false
	}
	period := time.Duration(float64(time.Second) / rate)
	if c.any && now >= c.last && (period <= 0 || now/period == c.last/period) && now-c.last < period {
		return false
	}
	c.any, c.last = true, now
	return true
}

// errInactive is a command for a controller that does not run.
var errInactive = errors.New("the controller is not active")

// send hands targets to the joints, while the controller is active and their hardware is.
func (c *controller) send(ctx context.Context, command sim.Command) error {
	c.manager.changing.RLock()
	defer c.manager.changing.RUnlock()
	if err := c.ready(); err != nil {
		return err
	}
	_, err := c.manager.config.Backend.Do(sim.WithSender(ctx, "ros"), command)
	return err
}

// ready gives the reason for which commands of the controller have no effect now; nil: they have one.
func (c *controller) ready() error {
	if !c.active.Load() {
		return errInactive
	}
	m := c.manager
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range c.wants.commands {
		if h := &m.hardware.components[m.hardware.commands[name].component]; h.state != active {
			return fmt.Errorf("%w: its hardware %q is %s", errInactive, h.spec.Name, h.state)
		}
	}
	return nil
}

// tell logs why a command was refused; those for an inactive controller once.
func (c *controller) tell(ctx context.Context, topic string, err error) {
	if err == nil || ctx.Err() != nil || errors.Is(err, sim.ErrClosed) {
		return
	}
	c.node.WarnOnce(topic+": "+err.Error(), "a command was refused", "topic", topic, "error", err)
}
