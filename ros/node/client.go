package node

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// ErrNoServer is wrapped by a Call whose context ended before a server was found.
var ErrNoServer = errors.New("no server")

// Client calls a service of any middleware. All methods are safe for
// concurrent use.
type Client[Q, S any] struct {
	node     *Node
	name     string
	message  func(*Q) msgs.Message
	decode   func(*cdr.Reader) (*S, error)
	id       uint64 // in headers of rmw_cyclonedds
	requests *rtps.Writer
	replies  *rtps.Reader

	mu      sync.Mutex
	number  uint64
	waiting map[uint64]chan []byte // by request number; the header, if any, is taken off
}

// NewClient makes a client of n; the name is expanded and remapped. Errors
// wrap ErrName.
func NewClient[Q, S any, PQ msgs.Of[Q], PS msgs.Of[S]](n *Node, name string, svc msgs.Service[Q, S]) (*Client[Q, S], error) {
	full, err := n.Resolve(name)
	if err != nil {
		return nil, err
	}
	var seed [8]byte
	rand.Read(seed[:])
	c := &Client[Q, S]{
		node: n, name: full, waiting: map[uint64]chan []byte{},
		message: func(q *Q) msgs.Message { return PQ(q) },
		decode: func(r *cdr.Reader) (*S, error) {
			s := new(S)
			PS(s).ReadCDR(r)
			return s, r.Err()
		},
	}
	for _, b := range seed {
		c.id = c.id<<8 | uint64(b)
	}
	if err := c.open(PQ(nil), PS(nil)); err != nil {
		return nil, fmt.Errorf("client of %s: %w", full, err)
	}
	n.tasks.add(c.listen)
	return c, nil
}

// open makes the reply reader before the request writer.
func (c *Client[Q, S]) open(request, response msgs.Message) error {
	n := c.node
	id := "clientid=" + n.uniqueID() + ";"
	r, err := n.participant.NewReader(rtps.ReaderConfig{
		Topic: ddsReply(c.name), Type: response.DDSTypeName(), QoS: ServiceQoS(), Queue: requestQueue,
		UserData: []byte(id + string(hashTag(response)))})
	if err != nil {
		return err
	}
	w, err := n.participant.NewWriter(rtps.WriterConfig{
		Topic: ddsRequest(c.name), Type: request.DDSTypeName(), QoS: ServiceQoS(),
		UserData: []byte(id + string(hashTag(request)))})
	if err != nil {
		r.Close()
		return err
	}
	c.replies, c.requests = r, w
	n.adopt(r.GUID(), endpoint{topic: ddsReply(c.name), kind: response.DDSTypeName(), hash: response.TypeHash(), close: r.Close})
	n.adopt(w.GUID(), endpoint{writer: true, topic: ddsRequest(c.name), kind: request.DDSTypeName(),
		hash: request.TypeHash(), close: w.Close})
	return nil
}

// Call waits for a server, sends the request to it and waits for the reply.
// Errors: ErrNoServer, a request that breaks its bounds, a reply that cannot
// be read, or why ctx ended.
func (c *Client[Q, S]) Call(ctx context.Context, request *Q) (*S, error) {
	server, err := c.find(ctx)
	if err != nil {
		return nil, err
	}
	number, reply, err := c.send(server, c.message(request))
	if err != nil {
		return nil, fmt.Errorf("call of %s: %w", c.name, err)
	}
	defer c.forget(number)
	select {
	case payload := <-reply:
		response, err := c.decode(cdr.NewReader(payload))
		if err != nil {
			return nil, fmt.Errorf("reply of %s: %w", c.name, err)
		}
		return response, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("call of %s, sent and not answered: %w", c.name, context.Cause(ctx))
	}
}

// WaitReady waits until a server can be called. Errors wrap ErrNoServer.
func (c *Client[Q, S]) WaitReady(ctx context.Context) error {
	_, err := c.find(ctx)
	return err
}

// find waits for a participant whose request reader and reply writer are both
// ready, and gives its request reader.
func (c *Client[Q, S]) find(ctx context.Context) (wire.GUID, error) {
	watch := c.node.participant.Watch()
	defer watch.Close()
	for {
		for _, r := range c.requests.Matches() {
			if r.Ready && c.answers(r.GUID.Prefix) {
				return r.GUID, nil
			}
		}
		select {
		case <-watch.C():
		case <-ctx.Done():
			return wire.GUID{}, fmt.Errorf("%w of %s: %w", ErrNoServer, c.name, context.Cause(ctx))
		}
	}
}

func (c *Client[Q, S]) answers(p wire.GUIDPrefix) bool {
	for _, w := range c.replies.Matches() {
		if w.Ready && w.GUID.Prefix == p {
			return true
		}
	}
	return false
}

// send writes the request in the way of the server's middleware and notes who
// waits for the reply before that can arrive.
func (c *Client[Q, S]) send(server wire.GUID, q msgs.Message) (uint64, chan []byte, error) {
	if err := q.Validate(); err != nil {
		return 0, nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	number := c.number + 1
	o := rtps.WriteOptions{To: &server.Prefix}
	b := cdr.AppendHeader(nil)
	if c.wantsHeader(server) {
		b = cdr.AppendUint64(b, c.id)
		b = cdr.AppendUint64(b, number)
	} else {
		o.Related = &wire.SampleIdentity{Writer: c.replies.GUID(), SN: wire.SequenceNumberUnknown}
	}
	sn, err := c.requests.Write(q.AppendCDR(b), o)
	if err != nil {
		return 0, nil, err
	}
	// Every request is one sample of this writer, so both ways of numbering agree.
	if uint64(sn) != number {
		return 0, nil, fmt.Errorf("request %d became sample %d", number, sn)
	}
	c.number = number
	reply := make(chan []byte, 1)
	c.waiting[number] = reply
	return number, reply, nil
}

func (c *Client[Q, S]) forget(number uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, number)
}

// wantsHeader reports whether an endpoint of a server is of rmw_cyclonedds.
func (c *Client[Q, S]) wantsHeader(g wire.GUID) bool {
	e, ok := c.node.participant.Endpoint(g)
	if !ok || e.Vendor == wire.VendorSimdeck || e.Vendor == wire.VendorEProsima {
		return false
	}
	return e.Vendor == wire.VendorCyclone || e.Property("serviceid") != ""
}

// listen hands every reply to the call that waits for it.
func (c *Client[Q, S]) listen(ctx context.Context) {
	for {
		s, err := c.replies.Receive(ctx)
		if err != nil {
			return
		}
		number, payload, mine := c.mine(s)
		if !mine {
			continue
		}
		c.mu.Lock()
		if reply := c.waiting[number]; reply != nil {
			delete(c.waiting, number)
			reply <- payload
		}
		c.mu.Unlock()
	}
}

// mine reports whether a reply is for this client and gives the number of its
// request and the payload without the header.
func (c *Client[Q, S]) mine(s rtps.Sample) (uint64, []byte, bool) {
	if s.Related.Writer == c.replies.GUID() || s.Related.Writer == c.requests.GUID() {
		return uint64(s.Related.SN), s.Payload, true
	}
	if !s.Related.Writer.IsZero() || !c.wantsHeader(s.Writer) {
		return 0, nil, false
	}
	r := cdr.NewReader(s.Payload)
	id, number := r.Uint64(), r.Uint64()
	if r.Err() != nil || id != c.id {
		return 0, nil, false
	}
	// 16 bytes are a multiple of every alignment: what follows reads the same without them.
	return number, append(s.Payload[:cdr.HeaderSize:cdr.HeaderSize], s.Payload[cdr.HeaderSize+16:]...), true
}

// Name is the full name.
func (c *Client[Q, S]) Name() string { return c.name }

// Close takes the client off the graph. It may be called more than once.
func (c *Client[Q, S]) Close() error {
	return errors.Join(c.node.release(c.requests.GUID()), c.node.release(c.replies.GUID()))
}

// uniqueID tells the clients and servers of all participants apart, in the
// form in which rmw_cyclonedds writes it; only equality counts.
func (n *Node) uniqueID() string {
	var raw [16]byte
	rand.Read(raw[:])
	parts := make([]string, len(raw))
	for i, b := range raw {
		parts[i] = fmt.Sprintf("%x", b)
	}
	return strings.Join(parts, ".")
}
