package node

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Limits on how long a node takes to leave.
const (
	handlersMayTake = 300 * time.Millisecond  // before they are told to stop
	handlersMustEnd = 2500 * time.Millisecond // after that, held replies included
	// until callers have acknowledged their replies: one that is lost is sent again by then
	repliesMayTake = time.Second
	goodbyeMayTake = 300 * time.Millisecond // until the peers have acknowledged that it leaves
)

// Config is the configuration of a node. Transport is required, or a Context.
type Config struct {
	Name      string         // letters, digits and _
	OrAlike   bool           // take NAME_2 and so on where another node has the name, and Args do not give it
	Namespace string         // "" = "/"; a leading slash is added
	Args      Args           // __node and __ns, remapping, parameter values
	Domain    uint32         // as given to the transport
	Host      string         // name of the machine, told to others; "": not told
	Transport rtps.Transport // the network
	// in place of Transport; see ContextConfig
	Middleware Middleware
	// that the node shares with others, in place of Domain and Transport; nil: it has its own
	Context *Context
	Log     *slog.Logger // gets what /rosout gets; nil: nobody
	Faults  func(Fault)  // see ContextConfig; of a node that shares a Context it is that one's
	Random  io.Reader    // of goal and client ids; nil: crypto/rand, anything else is for tests
}

// Node takes part in the ROS graph under one name. Its publishers, services and the like live until they are
// closed or Run ends. All methods are safe for concurrent use.
type Node struct {
	given, ns   string
	name        atomic.Pointer[string]
	chosen      chan struct{} // closed when the name is final
	args        Args
	context     *Context
	alone       bool       // the context is its own, and runs while it does
	participant Middleware // the context's
	tasks       tasks
	log         *slog.Logger
	listener    *slog.Logger // Config.Log
	random      io.Reader
	notices     notices
	params      *Parameters
	clock       clock
	taps        taps

	mu      sync.Mutex
	own     map[wire.GUID]endpoint
	order   []wire.GUID // of own, as they were made
	serving []*Server   // open ones
}

// endpoint is a reader or writer of this node as the graph shows it.
type endpoint struct {
	writer      bool
	topic, kind string // DDS names
	hash        string // of the type, as announced
	qos         QoS
	passed      func() uint64                       // nil, or how many messages have gone through
	end         interface{ Matches() []rtps.Match } // nil: nobody asks for its matches
	close       func() error
	flushed     func() bool                   // nil, or whether everything written has arrived
	hear        func(context.Context, []byte) // of a subscription: takes a serialised message
	// nil where another endpoint of the same topic speaks for this one
	mismatches func() mismatches
}

// New makes a node with its parameter services and /rosout; it is not on the
// network before Run. Errors wrap ErrName, ErrArgs or rtps.ErrConfig.
func New(c Config) (*Node, error) {
	ns := cmp.Or(c.Namespace, "/")
	if ns[0] != '/' {
		ns = "/" + ns
	}
	name, ns := c.Args.identity(c.Name, ns)
	if err := cmp.Or(CheckNodeName(name), CheckNamespace(ns)); err != nil {
		return nil, err
	}
	orAlike := c.OrAlike && !c.Args.renames(c.Name)
	x := c.Context
	if x == nil {
		var err error
		if x, err = NewContext(ContextConfig{Domain: c.Domain, Transport: c.Transport, Host: c.Host,
			Middleware: c.Middleware, Enclave: c.Args.Enclave, Faults: c.Faults,
			ChoosesNames: orAlike}); err != nil {
			return nil, err
		}
	}
	n := &Node{given: name, ns: ns, chosen: make(chan struct{}), args: c.Args, context: x, alone: c.Context == nil,
		participant: x.participant, own: map[wire.GUID]endpoint{}, random: rand.Reader, listener: c.Log}
	if c.Random != nil {
		n.random = c.Random
	}
	n.log = slog.New(slog.DiscardHandler)
	if c.Log != nil {
		n.log = c.Log
	}
	n.name.Store(&n.given)
	// a middleware that announces nodes itself puts the name into every endpoint
	if orAlike && x.directory == nil {
		n.tasks.add(n.chooseName)
	} else {
		close(n.chosen)
	}
	if err := n.setup(c.Log); err != nil {
		n.close()
		return nil, err
	}
	x.join(n)
	n.changed()
	return n, nil
}

// setup makes what every node has.
func (n *Node) setup(log *slog.Logger) error {
	n.tasks.add(n.watchEndpoints)
	if err := n.openRosout(log); err != nil {
		return err
	}
	if err := n.openParameters(); err != nil {
		return err
	}
	if err := n.declareDescriptions(); err != nil || !n.isNamed() {
		return err
	}
	return n.openNamed()
}

// openNamed makes the services whose names begin with the node's.
func (n *Node) openNamed() error { return cmp.Or(n.params.serve(), n.openDescriptions()) }

// Run is the node's life on the network. It returns nil after ctx ends. It then accepts no more requests,
// gives handlers a moment before it stops them, delivers replies in progress, and leaves the graph. An error
// says why the network could not be used. A node that shares a Context needs that to run, too, until it has
// left.
func (n *Node) Run(ctx context.Context) error {
	network, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	down := make(chan error, 1)
	go func() { down <- n.onNetwork(network) }()

	working, cancel := context.WithCancel(ctx)
	defer cancel()
	calls, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	n.tasks.run(working, calls)
	n.params.tellUnknown()
	var err error
	select {
	case <-ctx.Done():
	case err = <-down:
		down <- nil
		err = cmp.Or(err, n.context.broken())
	}
	cancel()
	if !n.tasks.end(handlersMayTake) {
		abort()
		n.tasks.end(handlersMustEnd)
	}
	n.leave()
	stop()
	if late := <-down; err == nil {
		err = late
	}
	return err
}

// onNetwork runs a context that is the node's own, and waits for the end of one that it shares.
func (n *Node) onNetwork(ctx context.Context) error {
	if n.alone {
		return n.context.Run(ctx)
	}
	select {
	case <-ctx.Done():
		return nil
	case <-n.context.ended:
		return n.context.broken()
	}
}

// leave empties the node's entry, takes its endpoints back and gives the
// peers a moment to acknowledge.
func (n *Node) leave() {
	n.await(repliesMayTake, n.flushed)
	last := n.close()
	n.await(goodbyeMayTake, func() bool { return n.context.info == nil || n.context.info.Acked(last) })
}

// close takes the node out of the graph with its endpoints; last is the announcement's sequence number.
func (n *Node) close() (last wire.SequenceNumber) {
	n.context.part(n)
	n.mu.Lock()
	gone, order := n.own, n.order
	n.own, n.order = map[wire.GUID]endpoint{}, nil
	n.mu.Unlock()
	last = n.context.announce()
	for _, g := range order {
		gone[g].close()
	}
	return last
}

// flushed reports whether every reply has been acknowledged.
func (n *Node) flushed() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.own {
		if e.flushed != nil && !e.flushed() {
			return false
		}
	}
	return true
}

// await looks every few milliseconds until done, at most for limit.
func (n *Node) await(limit time.Duration, done func() bool) {
	for end := time.Now().Add(limit); !done() && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}

// Name is the node's name without its namespace.
func (n *Node) Name() string { return *n.name.Load() }

// Namespace is the node's namespace, "/" or "/a/b".
func (n *Node) Namespace() string { return n.ns }

// named is the node's name as the middleware wants it.
func (n *Node) named() NodeName { return NodeName{n.ns, n.Name()} }

// FullName is the node's name with its namespace.
func (n *Node) FullName() string { return Join(n.ns, n.Name()) }

// Log takes what the node and those who work on it have to say: it goes to
// /rosout and to Config.Log.
func (n *Node) Log() *slog.Logger { return n.log }

// Parameters are the node's parameters.
func (n *Node) Parameters() *Parameters { return n.params }

// Resolve is the full name of a topic or service of this node, after
// remapping.
func (n *Node) Resolve(name string) (string, error) {
	full, err := n.args.resolve(name, n.ns, n.Name(), n.given)
	if err != nil {
		return "", fmt.Errorf("node %s: %w", n.FullName(), err)
	}
	return full, nil
}

// Go runs f until the node ends, which cancels its context; false when it has
// ended already.
func (n *Node) Go(f func(ctx context.Context)) bool { return n.tasks.add(f) }

// adopt puts an endpoint into the node's entry of the graph.
func (n *Node) adopt(g wire.GUID, e endpoint) {
	n.mu.Lock()
	n.own[g] = e
	n.order = append(n.order, g)
	n.mu.Unlock()
	n.changed()
}

// release takes it out again and closes it. It may be called more than once.
func (n *Node) release(g wire.GUID) error {
	n.mu.Lock()
	e, ok := n.own[g]
	delete(n.own, g)
	for i := range n.order {
		if n.order[i] == g {
			n.order = append(n.order[:i:i], n.order[i+1:]...)
			break
		}
	}
	n.mu.Unlock()
	if !ok {
		return nil
	}
	n.changed()
	return e.close()
}

func (n *Node) changed() { n.context.changed() }
