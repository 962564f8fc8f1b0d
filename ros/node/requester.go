package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Why a call has no reply.
var (
	// none was found, or the one asked for is not there
	ErrNoServer = errors.New("no server")
	ErrLeft     = errors.New("left the graph without answer") // the server that was asked
)

// lateReply is the time that a reply may take which was sent before its server left.
const lateReply = 100 * time.Millisecond

// requester is the client's side of a service of any type: requests by the server's middleware, replies to
// the waiting call.
type requester struct {
	node     *Node
	name     string
	id       uint64 // in headers of rmw_cyclonedds
	requests Writer
	replies  Reader

	mu      sync.Mutex
	number  uint64
	waiting map[uint64]chan []byte // by request number; the header, if any, is taken off
}

// newRequester makes the endpoints of a client; the name is a full one.
func newRequester(n *Node, full string, types ServiceTypes) (*requester, error) {
	r := &requester{node: n, name: full, waiting: map[uint64]chan []byte{}}
	for _, b := range n.bytes(8) {
		r.id = r.id<<8 | uint64(b)
	}
	if err := r.open(types); err != nil {
		return nil, fmt.Errorf("client of %s: %w", full, err)
	}
	n.tasks.add(r.listen)
	return r, nil
}

// open makes the ends of the client.
func (r *requester) open(types ServiceTypes) error {
	n, request, response := r.node, types.Request, types.Response
	requests, replies, err := n.participant.NewClient(n.named(), ServiceConfig{Name: r.name, ID: n.uniqueID(),
		Types: []ServiceTypes{types}, QoS: ServiceQoS(), Queue: requestQueue})
	if err != nil {
		return err
	}
	r.replies, r.requests = replies, requests
	n.adopt(replies.GUID(), endpoint{topic: ddsReply(r.name), kind: response.DDSTypeName(),
		hash: response.TypeHash(), close: replies.Close, mismatches: ofReader(replies)})
	n.adopt(requests.GUID(), endpoint{writer: true, topic: ddsRequest(r.name), kind: request.DDSTypeName(),
		hash: request.TypeHash(), close: requests.Close, mismatches: ofWriter(requests)})
	return nil
}

// exchange waits for a server, sends the request to it, waits for the reply and
// reads it into response. It gives the server's request reader.
func (r *requester) exchange(ctx context.Context, of wire.GUID, request, response msgs.Message) (wire.GUID,
	error) {
	server, err := r.find(ctx, of)
	if err != nil {
		return server, err
	}
	number, reply, err := r.send(server, request)
	if err != nil {
		return server, fmt.Errorf("call of %s: %w", r.name, err)
	}
	defer r.forget(number)
	payload, err := r.await(ctx, server, reply)
	if err != nil {
		return server, fmt.Errorf("call of %s, sent and not answered: %w", r.name, err)
	}
	if err := msgs.Decode(payload, response); err != nil {
		return server, fmt.Errorf("reply of %s: %w", r.name, err)
	}
	return server, nil
}

// find waits for a participant whose request reader and reply writer are both
// ready, and gives its request reader. If of is not zero, only the participant with this endpoint counts,
// which never returns once gone.
func (r *requester) find(ctx context.Context, of wire.GUID) (wire.GUID, error) {
	watch := r.node.participant.Watch()
	defer watch.Close()
	for {
		for _, m := range r.requests.Matches() {
			if m.Ready && (of.IsZero() || m.GUID.Prefix == of.Prefix) && r.answers(m.GUID.Prefix) {
				return m.GUID, nil
			}
		}
		if !of.IsZero() && !r.node.present(of) {
			return wire.GUID{}, fmt.Errorf("%w of %s: the one asked for is not on the graph", ErrNoServer,
				r.name)
		}
		select {
		case <-watch.C():
		case <-ctx.Done():
			return wire.GUID{}, fmt.Errorf("%w of %s: %w", ErrNoServer, r.name, context.Cause(ctx))
		}
	}
}

func (r *requester) answers(p wire.GUIDPrefix) bool {
	for _, w := range r.replies.Matches() {
		if w.Ready && w.GUID.Prefix == p {
			return true
		}
	}
	return false
}

// await waits for the reply of a server, at most until it has left.
func (r *requester) await(ctx context.Context, server wire.GUID, reply <-chan []byte) ([]byte, error) {
	watch := r.node.participant.Watch()
	defer watch.Close()
	var late <-chan time.Time
	for {
		if late == nil && !r.node.present(server) {
			late = time.After(lateReply)
		}
		select {
		case payload := <-reply:
			return payload, nil
		case <-watch.C():
		case <-late:
			return nil, fmt.Errorf("the server %w", ErrLeft)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// send writes the request in the way of the server's middleware and notes who
// waits for the reply before that can arrive.
func (r *requester) send(server wire.GUID, q msgs.Message) (uint64, chan []byte, error) {
	if err := q.Validate(); err != nil {
		return 0, nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	number := r.number + 1
	o := rtps.WriteOptions{To: &server.Prefix}
	b := cdr.AppendHeader(nil)
	if r.wantsHeader(server) {
		b = cdr.AppendUint64(b, r.id)
		b = cdr.AppendUint64(b, number)
	} else {
		o.Related = &wire.SampleIdentity{Writer: r.replies.GUID(), SN: wire.SequenceNumberUnknown}
	}
	sn, err := r.requests.Write(q.AppendCDR(b), o)
	if err != nil {
		return 0, nil, err
	}
	// Every request is one sample of this writer, so both ways of numbering agree.
	if uint64(sn) != number {
		return 0, nil, fmt.Errorf("request %d became sample %d", number, sn)
	}
	r.number = number
	reply := make(chan []byte, 1)
	r.waiting[number] = reply
	return number, reply, nil
}

func (r *requester) forget(number uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, number)
}

// wantsHeader reports whether an endpoint of a server is of rmw_cyclonedds.
func (r *requester) wantsHeader(g wire.GUID) bool {
	e, ok := r.node.participant.Endpoint(g)
	if !ok || e.Vendor == wire.VendorSimdeck || e.Vendor == wire.VendorEProsima {
		return false
	}
	return e.Vendor == wire.VendorCyclone || e.Property("serviceid") != ""
}

// listen hands every reply to the call that waits for it.
func (r *requester) listen(ctx context.Context) {
	for {
		s, err := r.replies.Receive(ctx)
		if err != nil {
			return
		}
		number, payload, mine := r.mine(s)
		if !mine {
			continue
		}
		r.mu.Lock()
		if reply := r.waiting[number]; reply != nil {
			delete(r.waiting, number)
			reply <- payload
		}
		r.mu.Unlock()
	}
}

// mine reports whether a reply is for this client and gives the number of its
// request and the payload without the header.
func (r *requester) mine(s rtps.Sample) (uint64, []byte, bool) {
	if s.Related.Writer == r.replies.GUID() || s.Related.Writer == r.requests.GUID() {
		return uint64(s.Related.SN), s.Payload, true
	}
	if !s.Related.Writer.IsZero() || !r.wantsHeader(s.Writer) {
		return 0, nil, false
	}
	read := cdr.NewReader(s.Payload)
	id, number := read.Uint64(), read.Uint64()
	if read.Err() != nil || id != r.id {
		return 0, nil, false
	}
	// 16 bytes are a multiple of every alignment: what follows reads the same without them.
	return number, append(s.Payload[:cdr.HeaderSize:cdr.HeaderSize], s.Payload[cdr.HeaderSize+16:]...), true
}

// Name is the full name.
func (r *requester) Name() string { return r.name }

// WaitReady waits until a server can be called. Errors wrap ErrNoServer.
func (r *requester) WaitReady(ctx context.Context) error {
	_, err := r.find(ctx, wire.GUID{})
	return err
}

// Close takes the client off the graph. It may be called more than once.
func (r *requester) Close() error {
	return errors.Join(r.node.release(r.requests.GUID()), r.node.release(r.replies.GUID()))
}

// bytes are n random ones.
func (n *Node) bytes(count int) []byte {
	b := make([]byte, count)
	n.mu.Lock() // a source that is given need not be safe for concurrent use
	defer n.mu.Unlock()
	if _, err := io.ReadFull(n.random, b); err != nil {
		panic(fmt.Errorf("node %s: no random bytes: %w", n.FullName(), err)) // crypto/rand never fails
	}
	return b
}

// uniqueID tells the clients and servers of all participants apart, in the
// form in which rmw_cyclonedds writes it; only equality counts.
func (n *Node) uniqueID() string {
	parts := make([]string, 16)
	for i, b := range n.bytes(16) {
		parts[i] = fmt.Sprintf("%x", b)
	}
	return strings.Join(parts, ".")
}

// present reports whether an endpoint is on the graph.
func (n *Node) present(g wire.GUID) bool {
	if n.context.isOwn(g) {
		_, ok := n.context.own(g)
		return ok
	}
	_, ok := n.participant.Endpoint(g)
	return ok
}
