package rmw

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"simdeck/ros/node"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
	"simdeck/ros/zenoh"
	zwire "simdeck/ros/zenoh/wire"
)

func domainPart(domain uint32) string { return strconv.FormatUint(uint64(domain), 10) }

// others are the entities of other sessions.
type others struct {
	entities  map[string]*Entity // by token
	endpoints map[wire.GUID]rtps.RemoteEndpoint
	byGID     map[GID]wire.GUID // of publishers and clients
	byKey     map[string][]*Entity
	exact     map[string]int // subscribers of a key
	wild      map[string]int // subscribers of an expression with wildcards
	strangers map[wire.GUID]rtps.RemoteEndpoint
	graph     *rtps.Graph // nil: to be made anew
}

func (o *others) reset() {
	*o = others{entities: map[string]*Entity{}, endpoints: map[wire.GUID]rtps.RemoteEndpoint{},
		byGID: map[GID]wire.GUID{}, byKey: map[string][]*Entity{}, exact: map[string]int{},
		wild: map[string]int{}, strangers: map[wire.GUID]rtps.RemoteEndpoint{}}
}

// add takes an entity in; false when it was there.
func (o *others) add(token string, e *Entity) bool {
	if o.entities[token] != nil {
		return false
	}
	o.graph = nil
	o.entities[token] = e
	for _, r := range e.endpoints() {
		o.endpoints[r.GUID] = r
	}
	if e.Kind != Node {
		o.byKey[e.Key()] = append(o.byKey[e.Key()], e)
		o.byGID[gidOf(token)] = e.guid(writerKind)
	}
	return true
}

func (o *others) remove(token string) {
	e := o.entities[token]
	if e == nil {
		return
	}
	o.graph = nil
	delete(o.entities, token)
	delete(o.byGID, gidOf(token))
	for _, r := range e.endpoints() {
		delete(o.endpoints, r.GUID)
	}
	if e.Kind == Node {
		return
	}
	key := e.Key()
	left := slices.DeleteFunc(o.byKey[key], func(x *Entity) bool { return x == e })
	if o.byKey[key] = left; len(left) == 0 {
		delete(o.byKey, key)
	}
}

// endpoints describe an entity in the words of DDS.
func (e *Entity) endpoints() []rtps.RemoteEndpoint {
	property := "typehash"
	if e.Kind == Service || e.Kind == Client {
		property = node.ServiceHash
	}
	one := func(kind wire.EntityID, topic, of string) rtps.RemoteEndpoint {
		return rtps.RemoteEndpoint{GUID: e.guid(kind), Writer: kind == writerKind, Vendor: wire.VendorSimdeck,
			Topic: topic, Type: of, QoS: e.QoS, UserData: []byte(property + "=" + e.Hash + ";")}
	}
	service := strings.TrimSuffix(e.Type, "_")
	request, response := service+"_Request_", service+"_Response_"
	switch e.Kind {
	case Publisher:
		return []rtps.RemoteEndpoint{one(writerKind, "rt"+e.Topic, e.Type)}
	case Subscription:
		return []rtps.RemoteEndpoint{one(readerKind, "rt"+e.Topic, e.Type)}
	case Service:
		return []rtps.RemoteEndpoint{one(readerKind, "rq"+e.Topic+"Request", request),
			one(writerKind, "rr"+e.Topic+"Reply", response)}
	case Client:
		return []rtps.RemoteEndpoint{one(writerKind, "rq"+e.Topic+"Request", request),
			one(readerKind, "rr"+e.Topic+"Reply", response)}
	}
	return nil
}

// subscribe notes a subscriber of an expression, or its end.
func (o *others) subscribe(expression string, there bool) {
	t, by := o.exact, 1
	if strings.Contains(expression, "*") {
		t = o.wild
	}
	if !there {
		by = -1
	}
	if t[expression] += by; t[expression] <= 0 {
		delete(t, expression)
	}
}

// wanted is whether anybody subscribes a key.
func (o *others) wanted(key string) bool {
	if o.exact[key] > 0 {
		return true
	}
	for expression := range o.wild {
		if zenoh.Matches(expression, key) {
			return true
		}
	}
	return false
}

// matches are the endpoints of a kind that others have on a key.
func (o *others) matches(key string, kind Kind, endpoint wire.EntityID) (all []rtps.Match) {
	for _, e := range o.byKey[key] {
		if e.Kind == kind {
			all = append(all, rtps.Match{GUID: e.guid(endpoint), Ready: true})
		}
	}
	return all
}

// maxStrangers bounds senders without a token that are remembered.
const maxStrangers = 1024

// sender is the GUID of the sender of a message on a key. Senders without a token get one for each type hash,
// as it stands in the key.
func (o *others) sender(gid GID, hash string) wire.GUID {
	if g, ok := o.byGID[gid]; ok {
		return g
	}
	of := xxh3.HashString(string(gid[:]) + hash)
	g := wire.GUID{Entity: wire.EntityID(of)<<8 | writerKind}
	copy(g.Prefix[:], gid[:12])
	if _, known := o.strangers[g]; !known {
		if len(o.strangers) >= maxStrangers {
			clear(o.strangers)
		}
		o.strangers[g] = rtps.RemoteEndpoint{GUID: g, Writer: true,
			UserData: []byte("typehash=" + hash + ";")}
	}
	return g
}

// Endpoint describes an endpoint of another session, or who calls one of our services at this moment.
func (p *Participant) Endpoint(g wire.GUID) (e rtps.RemoteEndpoint, ok bool) {
	p.session.Do(func(*zenoh.Core) {
		for _, l := range p.lines {
			if e, ok = l.server.caller(g); ok {
				return
			}
		}
		if e, ok = p.others.endpoints[g]; !ok {
			e, ok = p.others.strangers[g]
		}
	})
	return e, ok
}

// Graph is a snapshot of the other sessions.
func (p *Participant) Graph() (g *rtps.Graph) {
	p.session.Do(func(*zenoh.Core) {
		if p.others.graph == nil {
			p.others.graph = p.others.picture()
		}
		g = p.others.graph
	})
	return g
}

func (o *others) picture() *rtps.Graph {
	g := &rtps.Graph{}
	seen := map[zwire.ID]bool{}
	for _, e := range o.entities {
		if !seen[e.Session] {
			seen[e.Session] = true
			g.Participants = append(g.Participants, rtps.RemoteParticipant{
				GUID:   wire.GUID{Prefix: prefixOf(e.Session), Entity: wire.EntityParticipant},
				Vendor: wire.VendorSimdeck, Name: "/", UserData: []byte("enclave=" + e.Enclave + ";"),
				Lease: zenoh.Lease})
		}
	}
	for _, e := range o.endpoints {
		if e.Writer {
			g.Writers = append(g.Writers, e)
		} else {
			g.Readers = append(g.Readers, e)
		}
	}
	slices.SortFunc(g.Participants, func(a, b rtps.RemoteParticipant) int { return a.GUID.Compare(b.GUID) })
	byTopic := func(a, b rtps.RemoteEndpoint) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), a.GUID.Compare(b.GUID))
	}
	slices.SortFunc(g.Writers, byTopic)
	slices.SortFunc(g.Readers, byTopic)
	return g
}

// Nodes are the nodes of other sessions with their endpoints.
func (p *Participant) Nodes() map[wire.GUIDPrefix][]node.NodeEntities {
	all := map[wire.GUIDPrefix][]node.NodeEntities{}
	p.session.Do(func(*zenoh.Core) {
		type of struct {
			session zwire.ID
			node    uint32
		}
		found := map[of]*node.NodeEntities{}
		for _, e := range p.others.entities {
			at := of{e.Session, e.Node}
			if found[at] == nil {
				found[at] = &node.NodeEntities{NodeName: e.Of}
			}
			for _, r := range e.endpoints() {
				if r.Writer {
					found[at].Writers = append(found[at].Writers, r.GUID)
				} else {
					found[at].Readers = append(found[at].Readers, r.GUID)
				}
			}
		}
		for at, n := range found {
			all[prefixOf(at.session)] = append(all[prefixOf(at.session)], *n)
		}
	})
	return all
}
