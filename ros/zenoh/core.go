package zenoh

import (
	"errors"
	"fmt"
	"time"

	"simdeck/ros/zenoh/wire"
)

// Why a link cannot go on.
var (
	ErrProtocol = errors.New("zenoh: the router breaks the protocol")
	ErrRefused  = errors.New("zenoh: the router has closed the session")
	ErrSilent   = errors.New("zenoh: the router is silent")
	ErrFull     = errors.New("zenoh: the router does not take what is sent to it")
)

// Handler is told of what a router says. Slices are valid during the call only. It may call methods of the
// Core.
type Handler interface {
	Up()   // the session is open, and all declarations are on their way
	Down() // the link is gone, and with it tokens, subscribers and queries of others
	Value(key string, v *wire.Value)
	Query(q Query)
	Answer(id uint32, responder wire.ID, key string, failed bool, v *wire.Value)
	Answered(id uint32) // no more answers come
	Token(key string, there bool)
	Subscriber(key string, there bool)
}

// Query is a question of another session. It must be ended by Core.Finish.
type Query struct {
	ID                              uint32
	Key                             string
	Parameters, Payload, Attachment []byte
}

// state is the progress of a link.
type state uint8

const (
	offline state = iota
	asking        // InitSyn is sent
	opening       // OpenSyn is sent
	open
)

// Core is a session as a state machine. It is not safe for concurrent use.
type Core struct {
	id      wire.ID
	handler Handler
	state   state
	since   time.Time // of the state
	heard   time.Time
	lease   time.Duration // the router's
	stats   Stats

	out      sendQueue
	in       [2]reassembly // best effort, reliable
	remote   remoteNames
	queries  map[uint32]struct{} // of others, under way
	declared []declaration
	lastID   uint32
	asked    uint32 // number of the last query
}

// declaration is one of ours.
type declaration struct {
	what     wire.What // DeclareInterest: it is an interest
	of       uint8     // of an interest
	id       uint32
	key      string
	complete bool
}

// declareInterest is the kind of a declaration that is an interest.
const declareInterest wire.What = 0xff

// Stats counts what a session has done.
type Stats struct {
	Links                uint64 // sessions with a router so far
	Dropped              uint64 // values that the router did not take in time
	Refused              uint64 // declarations and queries beyond a limit
	Malformed            uint64
	BatchesIn, BytesIn   uint64
	BatchesOut, BytesOut uint64
}

// NewCore makes a session without a link. sn is the number of its first frame, at random.
func NewCore(id wire.ID, sn uint32, h Handler) *Core {
	return &Core{id: id, handler: h, out: sendQueue{sn: sn}, queries: map[uint32]struct{}{}}
}

// Stats gives the counters.
func (c *Core) Stats() Stats { return c.stats }

// IsOpen is whether a router takes what is sent.
func (c *Core) IsOpen() bool { return c.state == open }

// Connected says that there is a link, on which nothing was said yet.
func (c *Core) Connected(now time.Time) {
	c.reset()
	c.state, c.since, c.heard = asking, now, now
	c.out.control((&wire.Init{Version: wire.Version, Role: wire.Client, ID: c.id,
		Resolution: wire.DefaultResolution, Batch: wire.MaxBatch}).Append(nil))
}

// Lost says that the link is gone.
func (c *Core) Lost() {
	was := c.state
	c.reset()
	if was == open {
		c.handler.Down()
	}
}

func (c *Core) reset() {
	c.state = offline
	c.out.clear()
	c.in = [2]reassembly{}
	c.remote = remoteNames{}
	clear(c.queries)
}

// Leave asks the router to forget the session.
func (c *Core) Leave() {
	if c.state == open {
		c.out.control((&wire.Close{Session: true}).Append(nil))
	}
}

// Receive takes a batch. With an error the link is of no use any more.
func (c *Core) Receive(batch []byte, now time.Time) error {
	c.heard = now
	c.stats.BatchesIn++
	c.stats.BytesIn += uint64(len(batch)) + wire.BatchHeader
	for len(batch) > 0 {
		m, left, err := wire.ParseTransport(batch)
		if err != nil {
			c.stats.Malformed++
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		if err := c.transport(m, now); err != nil {
			return err
		}
		batch = left
	}
	return nil
}

// transport takes a transport message.
func (c *Core) transport(m wire.Message, now time.Time) error {
	switch m := m.(type) {
	case *wire.Init:
		return c.initAck(m, now)
	case *wire.Open:
		return c.openAck(m, now)
	case *wire.Close:
		return fmt.Errorf("%w: %s", ErrRefused, m.Reason)
	case *wire.Frame:
		if c.state != open {
			return fmt.Errorf("%w: a frame before the session is open", ErrProtocol)
		}
		return c.messages(m.Messages)
	case *wire.Fragment:
		if c.state != open {
			return fmt.Errorf("%w: a fragment before the session is open", ErrProtocol)
		}
		channel := &c.in[0]
		if m.Reliable {
			channel = &c.in[1]
		}
		whole, err := channel.add(m)
		if err != nil || whole == nil {
			return err
		}
		return c.messages(whole)
	}
	return nil // KeepAlive
}

func (c *Core) initAck(m *wire.Init, now time.Time) error {
	switch {
	case c.state != asking || !m.Ack:
		return fmt.Errorf("%w: an Init out of turn", ErrProtocol)
	case m.Version != wire.Version:
		return fmt.Errorf("%w: version %d of the protocol, want %d, that of Zenoh 1.x", ErrProtocol, m.Version,
			wire.Version)
	case m.Resolution&0x3 < 2 || m.Batch < minBatch:
		return fmt.Errorf("%w: sequence numbers of resolution %d in batches of %d octets, want 32 bits and %d",
			ErrProtocol, m.Resolution&0x3, m.Batch, minBatch)
	case m.ID == c.id:
		return fmt.Errorf("%w: it is this session itself", ErrProtocol)
	}
	c.state, c.since = opening, now
	c.out.batch = int(m.Batch)
	c.out.control((&wire.Open{Lease: Lease, SN: uint64(c.out.sn), Cookie: m.Cookie}).Append(nil))
	return nil
}

// minBatch is the least size of batches that makes sense.
const minBatch = 128

func (c *Core) openAck(m *wire.Open, now time.Time) error {
	if c.state != opening || !m.Ack {
		return fmt.Errorf("%w: an Open out of turn", ErrProtocol)
	}
	if m.Lease < 100*time.Millisecond {
		return fmt.Errorf("%w: a lease of %v, want 100 ms or more", ErrProtocol, m.Lease)
	}
	c.state, c.since, c.lease = open, now, m.Lease
	c.stats.Links++
	for _, d := range c.declared {
		c.tell(d, true)
	}
	c.handler.Up()
	return nil
}

// messages takes the network messages of a frame. A message that cannot be read hides those behind it.
func (c *Core) messages(b []byte) error {
	for len(b) > 0 {
		m, left, err := wire.ParseNetwork(b)
		if err != nil {
			c.stats.Malformed++
			return fmt.Errorf("%w: %w", ErrProtocol, err)
		}
		if err := c.network(m); err != nil {
			return err
		}
		b = left
	}
	return nil
}

func (c *Core) network(m wire.Message) error {
	switch m := m.(type) {
	case *wire.Push:
		key, err := c.key(m.Key)
		if err != nil {
			return err
		}
		c.handler.Value(key, &m.Value)
	case *wire.Request:
		return c.question(m)
	case *wire.Response:
		key, err := c.key(m.Key)
		if err != nil {
			return err
		}
		c.handler.Answer(m.Request, m.Responder, key, m.Failed, &m.Value)
	case *wire.ResponseFinal:
		c.handler.Answered(m.Request)
	case *wire.Declare:
		return c.declaration(m)
	}
	return nil // interests of the router, and what routers tell each other
}

// question takes a query; one too many is answered with nothing.
func (c *Core) question(m *wire.Request) error {
	key, err := c.key(m.Key)
	if err != nil {
		return err
	}
	if _, twice := c.queries[m.ID]; twice || len(c.queries) >= maxQueries {
		c.stats.Refused++
		if !twice {
			c.out.message((&wire.ResponseFinal{Request: m.ID}).Append(nil), kept)
		}
		return nil
	}
	c.queries[m.ID] = struct{}{}
	c.handler.Query(Query{ID: m.ID, Key: key, Parameters: m.Parameters, Payload: m.Payload,
		Attachment: m.Attachment})
	return nil
}

// key is the text of a key expression. Ours are never declared by number.
func (c *Core) key(k wire.KeyExpr) (string, error) {
	key := string(k.Suffix)
	if k.Scope != 0 {
		scope, known := c.remote.keys[k.Scope]
		if !known || !k.OfSender {
			return "", fmt.Errorf("%w: key number %d was not declared", ErrProtocol, k.Scope)
		}
		key = scope + key
	}
	if len(key) > maxKey || key == "" {
		return "", fmt.Errorf("%w: a key of %d octets, want 1 to %d", ErrProtocol, len(key), maxKey)
	}
	return key, nil
}

// declaration notes what others have.
func (c *Core) declaration(m *wire.Declare) error {
	r := &c.remote
	switch m.What {
	case wire.DeclareKey:
		key, err := c.key(wire.KeyExpr{Scope: m.Key.Scope, Suffix: m.Key.Suffix, OfSender: true})
		if err != nil {
			return err
		}
		if !r.declareKey(uint16(m.ID), key) {
			return fmt.Errorf("%w: more than %d keys, or %d octets of them", ErrProtocol, maxKeys, maxText)
		}
	case wire.UndeclareKey:
		r.forgetKey(uint16(m.ID))
	case wire.DeclareToken, wire.DeclareSubscriber:
		key, err := c.key(m.Key)
		if err != nil {
			return err
		}
		was, ok := r.declare(m.What, m.ID, key)
		if !ok {
			c.stats.Refused++
			return nil
		}
		if was == key {
			return nil
		}
		if was != "" {
			c.changed(m.What, was, false)
		}
		c.changed(m.What, key, true)
	case wire.UndeclareToken, wire.UndeclareSubscriber:
		if key := r.undeclare(m.What-1, m.ID); key != "" {
			c.changed(m.What-1, key, false)
		}
	}
	return nil // of queryables nothing was asked
}

func (c *Core) changed(what wire.What, key string, there bool) {
	if what == wire.DeclareToken {
		c.handler.Token(key, there)
	} else {
		c.handler.Subscriber(key, there)
	}
}

// Declare says that this session subscribes a key (DeclareSubscriber), answers queries on it
// (DeclareQueryable), or is alive under it (DeclareToken). complete is of queryables.
// The number is for Undeclare.
func (c *Core) Declare(what wire.What, key string, complete bool) uint32 {
	return c.add(declaration{what: what, key: key, complete: complete})
}

// Interest asks to be told of others' tokens or subscribers on keys of an expression, now and in future.
func (c *Core) Interest(of uint8, expression string) uint32 {
	return c.add(declaration{what: declareInterest, of: of, key: expression})
}

func (c *Core) add(d declaration) uint32 {
	c.lastID++
	d.id = c.lastID
	c.declared = append(c.declared, d)
	if c.state == open {
		c.tell(d, true)
	}
	return d.id
}

// Undeclare ends a declaration or an interest.
func (c *Core) Undeclare(id uint32) {
	for i, d := range c.declared {
		if d.id == id {
			c.declared = append(c.declared[:i:i], c.declared[i+1:]...)
			if c.state == open {
				c.tell(d, false)
			}
			return
		}
	}
}

// tell tells the router of a declaration, or of its end.
func (c *Core) tell(d declaration, there bool) {
	var m wire.Message
	switch {
	case d.what == declareInterest && there:
		m = &wire.Interest{ID: d.id, Mode: wire.CurrentFuture, Of: d.of, Key: wire.Key(d.key)}
	case d.what == declareInterest:
		m = &wire.Interest{ID: d.id}
	case there:
		m = &wire.Declare{What: d.what, ID: d.id, Key: wire.Key(d.key), Complete: d.complete}
	default:
		m = &wire.Declare{What: d.what + 1, ID: d.id, Key: wire.Key(d.key)}
	}
	c.out.message(m.Append(nil), kept)
}

// Put publishes a value; false when it is lost: without a router, or when too much waits for it.
func (c *Core) Put(key string, v *wire.Value, reliable bool) bool {
	if c.state != open {
		return false
	}
	m, grade := wire.Push{Key: wire.Key(key), Value: *v}, bestEffort
	if reliable {
		m.QoS, grade = wire.Data|wire.Block, important
	}
	return c.count(c.out.message(m.Append(nil), grade))
}

func (c *Core) count(taken bool) bool {
	if !taken {
		c.stats.Dropped++
	}
	return taken
}

// Ask sends a query to the queryables of a key, and gives its number. q.ID is not used. It is false without a
// router.
func (c *Core) Ask(q wire.Request) (uint32, bool) {
	c.asked++
	q.ID = c.asked
	if c.state != open || !c.count(c.out.message(q.Append(nil), important)) {
		return 0, false
	}
	return q.ID, true
}

// Reply answers a query; it may be called several times, until Finish. The result says whether the query
// still waits and the answer is on its way.
func (c *Core) Reply(id uint32, key string, v *wire.Value) bool {
	if _, waits := c.queries[id]; !waits {
		return false
	}
	m := wire.Response{Request: id, Key: wire.Key(key), QoS: wire.Data | wire.Block, Responder: c.id,
		Value: *v}
	return c.count(c.out.message(m.Append(nil), important))
}

// Finish ends the answers to a query.
func (c *Core) Finish(id uint32) {
	if _, waits := c.queries[id]; waits {
		delete(c.queries, id)
		c.out.message((&wire.ResponseFinal{Request: id}).Append(nil), kept)
	}
}

// Idle is whether everything that was queued is on its way, or nobody takes it.
func (c *Core) Idle() bool { return c.state != open || c.out.empty() }

// Waits is whether a query of another session has no final answer yet.
func (c *Core) Waits(id uint32) bool {
	_, waits := c.queries[id]
	return waits
}

// Next gives a batch to send, with its length in front, or nil. It is valid until the next call.
func (c *Core) Next(now time.Time) []byte {
	b := c.out.next(c.state == open)
	if b != nil {
		c.out.sent = now
		c.stats.BatchesOut++
		c.stats.BytesOut += uint64(len(b))
	}
	return b
}

// Tick does what is due, and gives the time of the next call. With an error the link is of no use any more.
func (c *Core) Tick(now time.Time) (next time.Time, err error) {
	switch {
	case c.state == offline:
		return now.Add(Lease), nil
	case c.out.octets > declaredMB<<20:
		return now, fmt.Errorf("%w: %d octets wait", ErrFull, c.out.octets)
	case c.state != open:
		if end := c.since.Add(handshakeMayTake); now.Before(end) {
			return end, nil
		}
		return now, fmt.Errorf("%w: the handshake takes more than %v", ErrSilent, handshakeMayTake)
	case now.Sub(c.heard) >= c.lease:
		return now, fmt.Errorf("%w: nothing came for its lease of %v", ErrSilent, c.lease)
	}
	due := c.out.sent.Add(Lease / keepAlives)
	if !now.Before(due) {
		if c.out.empty() {
			c.out.control((&wire.KeepAlive{}).Append(nil))
		}
		due = now.Add(Lease / keepAlives)
	}
	if end := c.heard.Add(c.lease); end.Before(due) {
		due = end
	}
	return due, nil
}
