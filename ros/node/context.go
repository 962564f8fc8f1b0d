package node

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// ContextConfig says on which network a Context is. Transport is required.
type ContextConfig struct {
	Domain    uint32         // as given to the transport
	Transport rtps.Transport // the network
	Host      string         // name of the machine, told to others; "": not told
	Enclave   string         // "" = "/"
	Faults    func(Fault)    // is told of faults of this program, on any goroutine; nil: only the log is
}

// Context is the shared state of a process' nodes, as rcl's: one participant, which announces its nodes to
// the others. A node that is made without one has one of its own.
type Context struct {
	participant *rtps.Participant
	dirty       chan struct{}
	info        *rtps.Writer
	heard       *rtps.Reader
	nodes       known
	notices     notices
	faults      faults
	saying      sync.Mutex // while the entry is made and written: the last one that is written is the newest
	ended       chan struct{}
	err         error // of Run, once ended is closed

	mu      sync.Mutex
	members []*Node
}

// NewContext makes a context without nodes; it is not on the network before
// Run. Errors wrap rtps.ErrConfig.
func NewContext(c ContextConfig) (*Context, error) {
	p, err := rtps.New(rtps.Config{DomainID: c.Domain, Transport: c.Transport, Host: c.Host,
		UserData: []byte("enclave=" + cmp.Or(c.Enclave, "/") + ";")})
	if err != nil {
		return nil, err
	}
	x := &Context{participant: p, dirty: make(chan struct{}, 1), ended: make(chan struct{}),
		nodes:  known{of: map[wire.GUIDPrefix][]nodeEntities{}},
		faults: faults{handler: c.Faults, left: faultBurst}}
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
