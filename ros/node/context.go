package node

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// ContextConfig says on which network a Context is. Transport is required.
type ContextConfig struct {
	Domain    uint32         // as given to the transport
	Transport rtps.Transport // the network
	// in place of Transport, where it is not DDS; its user has told it the domain. nil: DDS
	Middleware Middleware
	Host       string // name of the machine, told to others; "": not told
	Enclave    string // "" = "/"
	// some of its nodes may take another name; see Config.OrAlike
	ChoosesNames bool
	Faults       func(Fault) // is told of faults of this program, on any goroutine; nil: only the log is
}

// Context is the shared state of a process' nodes, as rcl's: one participant, which announces its nodes to
// the others. A node that is made without one has one of its own.
type Context struct {
	participant Middleware
	directory   NodeDirectory // the participant, where it announces nodes itself
	dirty       chan struct{}
	info        Writer // nil with a directory
	heard       Reader
	nodes       known
	notices     notices
	faults      faults
	saying      sync.Mutex // while the entry is made and written: the last one that is written is the newest
	ended       chan struct{}
	err         error // of Run, once ended is closed

	mu      sync.Mutex
	members []*Node
	held    atomic.Pointer[map[string]*Holder] // by topic; a changed copy replaces it under mu
}

// NewContext makes a context without nodes; it is not on the network before
// Run. Errors wrap rtps.ErrConfig.
func NewContext(c ContextConfig) (*Context, error) {
	if c.Middleware == nil {
		var properties []wire.Property
		if c.ChoosesNames {
			properties = []wire.Property{choosesNames}
		}
		p, err := rtps.New(rtps.Config{DomainID: c.Domain, Transport: c.Transport, Host: c.Host,
			Properties: properties, UserData: []byte("enclave=" + cmp.Or(c.Enclave, "/") + ";")})
		if err != nil {
			return nil, err
		}
		c.Middleware = dds{p}
	}
	x := &Context{participant: c.Middleware, dirty: make(chan struct{}, 1), ended: make(chan struct{}),
		nodes:  known{of: map[wire.GUIDPrefix][]NodeEntities{}},
		faults: faults{handler: c.Faults, left: faultBurst}}
	x.directory, _ = c.Middleware.(NodeDirectory)
	return x, x.openDiscovery()
}

// Run keeps the context on the network until ctx ends, which should be after
// its nodes have left. An error says why the network could not be used. It runs once.
func (x *Context) Run(ctx context.Context) error {
	loops, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { x.announceChanges(loops) })
	running.Go(func() { x.hearNodes(loops) })
	running.Go(func() { x.tellNotices(loops) })
	x.err = x.participant.Run(ctx)
	stop()
	running.Wait()
	close(x.ended)
	return x.err
}

// broken is the error with which the network ended while nodes were on it.
func (x *Context) broken() error {
	return cmp.Or(x.err, errors.New("the participant ended by itself"))
}

// join makes a node one of the context's.
func (x *Context) join(n *Node) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.members = append(x.members, n)
}

// part ends that.
func (x *Context) part(n *Node) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.members = slices.DeleteFunc(x.members, func(o *Node) bool { return o == n })
}

// all are the nodes of the context now, in the order in which they were made.
func (x *Context) all() []*Node {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.members)
}

// own is an endpoint of a node of the context.
func (x *Context) own(g wire.GUID) (endpoint, bool) {
	for _, n := range x.all() {
		n.mu.Lock()
		e, ok := n.own[g]
		n.mu.Unlock()
		if ok {
			return e, true
		}
	}
	return endpoint{}, false
}

// isOwn is whether an endpoint belongs to this participant.
func (x *Context) isOwn(g wire.GUID) bool { return g.Prefix == x.participant.GUID().Prefix }

// log is that of the first node: what the context has to say concerns all.
func (x *Context) log() *slog.Logger {
	for _, n := range x.all() {
		return n.log
	}
	return slog.New(slog.DiscardHandler)
}

// changed says that the nodes or their endpoints have changed.
func (x *Context) changed() {
	select {
	case x.dirty <- struct{}{}:
	default:
	}
}

// Companion is a node that shares the Context of another one and leaves the graph with it, or before.
type Companion struct {
	*Node
	stop context.CancelFunc
	left chan struct{}
}

// Beside makes a node that stands beside n on the graph, in the same participant. It runs while n does, until
// Leave. Context, Domain, Transport and Host of the Config are those of n. Errors are those of New.
func (n *Node) Beside(c Config) (*Companion, error) {
	c.Context = n.context
	if c.Log == nil {
		c.Log = n.listener
	}
	beside, err := New(c)
	if err != nil {
		return nil, err
	}
	ended, stop := context.WithCancel(context.Background())
	b := &Companion{Node: beside, stop: stop, left: make(chan struct{})}
	run := func(ctx context.Context) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(ended, cancel)()
		defer close(b.left)
		if err := beside.Run(ctx); err != nil {
			n.log.Error("a node has left the graph", "node", beside.FullName(), "error", err)
		}
	}
	if !n.Go(run) {
		beside.close()
		close(b.left)
	}
	return b, nil
}

// Leave takes the node off the graph; it does not wait. It may be called more than once.
func (b *Companion) Leave() { b.stop() }

// Left is closed when the node is on the graph no more.
func (b *Companion) Left() <-chan struct{} { return b.left }
