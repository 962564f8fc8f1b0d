package node

import (
	"errors"
	"fmt"
	"time"

	"simdeck/ros/cdr"
	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Lifetime and number of replies that wait for the client's reply reader, because a fresh client's request
// can arrive before its reader is known. Real ones come within milliseconds, but a busy machine can lose
// announcements that come again only after seconds.
const (
	holdAtMost = 10 * time.Second
	maxHeld    = 64
)

// Caller is the sender of a request.
type Caller struct {
	Client   string // GUID of its request writer, in hex
	TypeHash string // of the request type it was built with; "" when it announces none (Humble)

	writer  wire.GUID
	related wire.SampleIdentity // for replies in the way of rmw_fastrtps
	header  bool                // for replies in the way of rmw_cyclonedds
	id      string              // its clientid, "" when it has none
	key     [2]uint64           // header: client and request number, given back as they are
}

// callerOf decides how a request wants its reply: rmw_fastrtps correlates by
// inline QoS, rmw_cyclonedds by 16 bytes in front of the message. The two
// cannot call each other; a server that looks at each request serves both.
func (n *Node) callerOf(s rtps.Sample) Caller {
	c := Caller{Client: s.Writer.String(), TypeHash: n.announcedHash(s.Writer), writer: s.Writer}
	e, _ := n.participant.Endpoint(s.Writer)
	c.id = e.Property("clientid")
	switch {
	case !s.Related.Writer.IsZero():
		c.related = wire.SampleIdentity{Writer: s.Related.Writer, SN: s.SN}
	case c.id != "" || e.Vendor == wire.VendorCyclone:
		c.header = true
	default:
		c.related = wire.SampleIdentity{Writer: s.Writer, SN: s.SN}
	}
	return c
}

// decode reads the request, and in front of it the header when there is one.
func (c *Caller) decode(payload []byte, request msgs.Message) error {
	if !c.header {
		return msgs.Decode(payload, request)
	}
	r := cdr.NewReader(payload)
	c.key = [2]uint64{r.Uint64(), r.Uint64()}
	request.ReadCDR(r)
	if err := r.Err(); err != nil {
		return fmt.Errorf("%s behind the header of rmw_cyclonedds: %w", request.TypeName(), err)
	}
	return nil
}

// encode makes the payload of the reply.
func (c *Caller) encode(response msgs.Message) ([]byte, error) {
	if !c.header {
		return msgs.Encode(nil, response)
	}
	if err := response.Validate(); err != nil {
		return nil, err
	}
	b := cdr.AppendHeader(nil)
	b = cdr.AppendUint64(b, c.key[0])
	b = cdr.AppendUint64(b, c.key[1])
	return response.AppendCDR(b), nil
}

// reply sends the response to the participant that asked, and to no other. It
// waits for the client's reply reader, without keeping the next request waiting.
func (s *Server) reply(c Caller, response msgs.Message) {
	payload, err := c.encode(response)
	if err != nil {
		s.node.log.Error("a response breaks the bounds of its type and is not sent", "service", s.name,
			"error", err)
		return
	}
	send := func() {
		o := rtps.WriteOptions{To: &c.writer.Prefix}
		if !c.header {
			o.Related = &c.related
		}
		switch number, err := s.replies.Write(payload, o); {
		case err == nil:
			s.debug("its reply is sent", c, number)
		case !errors.Is(err, rtps.ErrClosed):
			s.node.log.Error("a response cannot be sent", "service", s.name, "error", err)
		}
	}
	if s.reachable(c) {
		send()
		return
	}
	s.debug("its reply waits for a reader", c, 0)
	select {
	case s.held <- struct{}{}:
	default:
		s.node.notices.warn(s.node.log, s.name,
			"too many clients do not read their replies: some are dropped", "service", s.name)
		return
	}
	s.node.tasks.late(func() {
		defer func() { <-s.held }()
		if s.hold(c) {
			send()
		}
	})
}

// reachable reports whether the reader that waits for the reply is matched.
func (s *Server) reachable(c Caller) bool {
	_, found := s.readerOf(c)
	return found
}

// readerOf is the matched reader of a reply. It is the reader that the request names, or that of the request
// writer's clientid; else any reader of its participant.
func (s *Server) readerOf(c Caller) (wire.GUID, bool) {
	for _, m := range s.replies.Matches() {
		if m.GUID.Prefix != c.writer.Prefix {
			continue
		}
		e, _ := s.node.participant.Endpoint(m.GUID)
		switch named := !c.header && c.related.Writer.Entity.IsReader(); {
		case named && m.GUID != c.related.Writer:
		case c.header && c.id != "" && e.Property("clientid") != c.id:
		default:
			return m.GUID, true
		}
	}
	return wire.GUID{}, false
}

// hold waits until the client can be reached; false when it left or never
// showed its reader.
func (s *Server) hold(c Caller) bool {
	watch := s.node.participant.Watch()
	defer watch.Close()
	limit := time.NewTimer(holdAtMost)
	defer limit.Stop()
	for !s.reachable(c) {
		if !s.node.present(c.writer) {
			return false
		}
		select {
		case <-watch.C():
		case <-limit.C:
			s.node.notices.warn(s.node.log, c.Client,
				"a client does not show a reader for its reply: dropped",
				"service", s.name, "client", c.Client)
			return false
		}
	}
	return true
}
