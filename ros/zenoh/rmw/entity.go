package rmw

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	zenoh "simdeck/ros/zenoh/wire"
)

// ErrToken says that a liveliness token describes nothing of ROS.
var ErrToken = errors.New("rmw_zenoh: no liveliness token of ROS")

// Kind is the kind of an entity, in the letters of its token.
type Kind string

// Kinds of entities.
const (
	Node         Kind = "NN"
	Publisher    Kind = "MP"
	Subscription Kind = "MS"
	Service      Kind = "SS"
	Client       Kind = "SC"
)

// Entity is a node or an endpoint of it, as its liveliness token describes it.
type Entity struct {
	Domain  uint32
	Session zenoh.ID
	Node    uint32 // number of the node in its session
	ID      uint32 // number of the entity in its session
	Kind    Kind
	Enclave string // "/"
	Of      node.NodeName

	// of endpoints
	Topic string // full name
	Type  string // "std_msgs::msg::dds_::String_"; of a service without Request_
	Hash  string // RIHS01; of a service as a whole
	QoS   rtps.QoS
}

// space is the first part of all tokens.
const space = "@ros2_lv"

// maxPart bounds a part of a token, in octets.
const maxPart = 512

// mangle makes one part of a key of a name.
func mangle(name string) string {
	if name == "" {
		return "%"
	}
	return strings.ReplaceAll(name, "/", "%")
}

// Token is the key of the entity's liveliness token.
func (e *Entity) Token() string {
	parts := []string{space, strconv.FormatUint(uint64(e.Domain), 10), e.Session.String(),
		strconv.FormatUint(uint64(e.Node), 10), strconv.FormatUint(uint64(e.ID), 10), string(e.Kind),
		mangle(e.Enclave), mangle(e.Of.Namespace), mangle(e.Of.Name)}
	if e.Kind != Node {
		parts = append(parts, mangle(e.Topic), mangle(e.Type), mangle(e.Hash), appendQoS(e.QoS))
	}
	return strings.Join(parts, "/")
}

// ParseToken is the inverse of Token. Errors wrap ErrToken.
func ParseToken(token string) (e Entity, err error) {
	parts := strings.Split(token, "/")
	if len(parts) != 9 && len(parts) != 13 || parts[0] != space {
		return e, fmt.Errorf("%w: %d parts, want 9 of a node or 13 of an endpoint", ErrToken, len(parts))
	}
	for _, p := range parts {
		if p == "" || len(p) > maxPart {
			return e, fmt.Errorf("%w: a part of %d octets, want 1 to %d", ErrToken, len(p), maxPart)
		}
	}
	var numbers [3]uint32
	for i, at := range []int{1, 3, 4} {
		v, err := strconv.ParseUint(parts[at], 10, 32)
		if err != nil {
			return e, fmt.Errorf("%w: part %d is %q, want a number", ErrToken, at, parts[at])
		}
		numbers[i] = uint32(v)
	}
	if e.Session, err = zenoh.ParseID(parts[2]); err != nil {
		return e, fmt.Errorf("%w: %w", ErrToken, err)
	}
	name := func(at int) string { return strings.ReplaceAll(parts[at], "%", "/") }
	e.Domain, e.Node, e.ID, e.Kind = numbers[0], numbers[1], numbers[2], Kind(parts[5])
	e.Enclave, e.Of = name(6), node.NodeName{Namespace: name(7), Name: name(8)}
	switch e.Kind {
	case Node:
		return e, nil
	case Publisher, Subscription, Service, Client:
	default:
		return e, fmt.Errorf("%w: kind %q, want NN, MP, MS, SS or SC", ErrToken, parts[5])
	}
	if len(parts) != 13 {
		return e, fmt.Errorf("%w: an endpoint of 9 parts, want 13", ErrToken)
	}
	e.Topic, e.Type, e.Hash = name(9), name(10), name(11)
	if !strings.HasPrefix(e.Topic, "/") {
		return e, fmt.Errorf("%w: topic %q does not begin with /", ErrToken, e.Topic)
	}
	e.QoS, err = parseQoS(parts[12])
	return e, err
}

// Key is the key on which the messages of an endpoint travel.
func (e *Entity) Key() string { return topicKey(e.Domain, e.Topic, e.Type, e.Hash) }

func topicKey(domain uint32, topic, kind, hash string) string {
	return strconv.FormatUint(uint64(domain), 10) + "/" + strings.Trim(topic, "/") + "/" + kind + "/" + hash
}

// GID is the name of an entity in attachments.
type GID [16]byte

// gidOf is the GID of the entity with a token.
func gidOf(token string) (g GID) {
	h := xxh3.HashString128(token)
	for i := range 8 {
		g[i], g[8+i] = byte(h.Lo>>(8*i)), byte(h.Hi>>(8*i))
	}
	return g
}

// Kinds of endpoints in GUIDs (RTPS 2.2 §9.3.1.2).
const (
	writerKind wire.EntityID = 0x03
	readerKind wire.EntityID = 0x04
)

func prefixOf(session zenoh.ID) (p wire.GUIDPrefix) {
	copy(p[:], session[:])
	return p
}

// guid is the GUID of one of the entity's endpoints.
func (e *Entity) guid(kind wire.EntityID) wire.GUID {
	return wire.GUID{Prefix: prefixOf(e.Session), Entity: wire.EntityID(e.ID)<<8 | kind}
}

// never is the duration of what ROS has no limit for.
const never = time.Duration(1<<63 - 1)

// appendQoS is a quality of service as a part of a token: what is as rmw's default is left out.
func appendQoS(q rtps.QoS) string {
	reliability, durability, history := "", "", ",10"
	if q.Reliability == rtps.BestEffort {
		reliability = "2"
	}
	if q.Durability != rtps.Volatile {
		durability = "1"
	}
	switch q.Depth {
	case 0:
		history = "2,"
	default:
		history = "," + strconv.Itoa(q.Depth)
	}
	pair := func(d time.Duration) string {
		if d <= 0 {
			return ","
		}
		return fmt.Sprintf("%d,%d", d/time.Second, d%time.Second)
	}
	return strings.Join([]string{reliability, durability, history, pair(q.Deadline), pair(q.Lifespan), ",,"},
		":")
}

// parseQoS is the inverse of appendQoS, for all that others write.
func parseQoS(s string) (q rtps.QoS, err error) {
	bad := func(what, value string) (rtps.QoS, error) {
		return rtps.QoS{}, fmt.Errorf("%w: %s %q in the quality of service %q", ErrToken, what, value, s)
	}
	parts := strings.Split(s, ":")
	if len(parts) < 6 {
		return bad("too few parts", s)
	}
	q = rtps.QoS{Reliability: rtps.Reliable, Depth: 10}
	switch parts[0] {
	case "", "0", "1":
	case "2":
		q.Reliability = rtps.BestEffort
	default:
		return bad("reliability", parts[0])
	}
	switch parts[1] {
	case "", "0", "2":
	case "1":
		q.Durability = rtps.TransientLocal
	default:
		return bad("durability", parts[1])
	}
	kind, depth, _ := strings.Cut(parts[2], ",")
	if depth != "" {
		n, err := strconv.ParseUint(depth, 10, 31)
		if err != nil {
			return bad("depth", depth)
		}
		q.Depth = int(n)
	}
	if kind == "2" {
		q.Depth = 0
	}
	for i, into := range []*time.Duration{&q.Deadline, &q.Lifespan} {
		if *into, err = parseSpan(parts[3+i]); err != nil {
			return bad("duration", parts[3+i])
		}
	}
	return q, nil
}

// parseSpan is a duration in seconds and nanoseconds; 0 is without a limit.
func parseSpan(s string) (time.Duration, error) {
	seconds, nanoseconds, _ := strings.Cut(s, ",")
	var v [2]uint64
	for i, text := range []string{seconds, nanoseconds} {
		if text == "" {
			continue
		}
		var err error
		if v[i], err = strconv.ParseUint(text, 10, 63); err != nil {
			return 0, err
		}
	}
	if v[0] >= uint64(never/time.Second) || v[1] >= uint64(time.Second) {
		return 0, nil
	}
	return time.Duration(v[0])*time.Second + time.Duration(v[1]), nil
}
