package node

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// ServerID tells the servers on a graph apart. Its zero value is none.
type ServerID struct{ requests wire.GUID }

// Has reports whether a publisher is of the server's participant; see Origin.
func (s ServerID) Has(publisher string) bool {
	return strings.HasPrefix(publisher, s.requests.Prefix.String())
}

// Participant names the participant that has the server.
func (s ServerID) Participant() string { return s.requests.Prefix.String() }

// ParticipantOf is the participant of a publisher; see Origin.
func ParticipantOf(publisher string) string {
	participant, _, _ := strings.Cut(publisher, "|")
	return participant
}

// RemoteHost is the host of a participant.
type RemoteHost struct {
	Name    string        // of its machine, as it says; "" when it does not
	Address string        // to which discovery goes, without the port; "" when none can be reached
	Lease   time.Duration // for which it may be silent until it is taken for gone; 0: for ever
}

// Hosts are the other participants by the name that ServerID.Participant gives.
func (n *Node) Hosts() map[string]RemoteHost {
	all := map[string]RemoteHost{}
	for _, p := range n.participant.Graph().Participants {
		h := RemoteHost{Name: p.Host(), Lease: p.Lease}
		if port := strings.LastIndexByte(p.Address, ':'); port > 0 {
			h.Address = p.Address[:port]
		}
		all[p.GUID.Prefix.String()] = h
	}
	return all
}

// RemoteServer is a server of a service that another participant has.
type RemoteServer struct {
	ID           ServerID
	Name         string // of the service, "/gz_server/spawn_entity"
	Type         string // "simulation_interfaces/srv/SpawnEntity"
	Node         string // full name; "" until its participant has said which of its nodes it is
	RequestHash  string // RIHS01 of the request's definition; "" when it announces none (Humble)
	ResponseHash string // of the response's
	// RIHS01 of the services as wholes that it speaks, where its middleware tells these and not those two
	Services []string
}

// Servers are the servers of others that have both their ends on the graph,
// by name of the service, then of the node.
func (n *Node) Servers() []RemoteServer {
	g := n.participant.Graph()
	type end struct {
		participant wire.GUIDPrefix
		name        string
	}
	replies := map[end]rtps.RemoteEndpoint{}
	for _, e := range g.Writers {
		if name, kind := rosName(e.Topic); kind == rosReply {
			replies[end{e.GUID.Prefix, name}] = e
		}
	}
	var all []RemoteServer
	for _, e := range g.Readers {
		name, kind := rosName(e.Topic)
		reply, answers := replies[end{e.GUID.Prefix, name}]
		if kind != rosRequest || !answers {
			continue
		}
		one := RemoteServer{ID: ServerID{e.GUID}, Name: name, Type: rosType(e.Type), Node: n.nodeOf(e.GUID),
			RequestHash: e.Property("typehash"), ResponseHash: reply.Property("typehash")}
		if hash := e.Property(ServiceHash); hash != "" {
			if at := slices.IndexFunc(all, one.speaksAlso(hash)); at >= 0 {
				all[at].Services = append(all[at].Services, hash)
				continue
			}
			one.Services = []string{hash}
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b RemoteServer) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Node, b.Node))
	})
	return all
}

// ServiceHash is the property of an endpoint that has the RIHS01 of a service as a whole. Middlewares tell it
// in which each definition of a service has an endpoint of its own.
const ServiceHash = "servicehash"

// speaksAlso finds the server that is this one in another definition. Two in the same one are two servers.
func (r RemoteServer) speaksAlso(hash string) func(RemoteServer) bool {
	return func(o RemoteServer) bool {
		return len(o.Services) > 0 && o.Name == r.Name && o.Type == r.Type && o.Node == r.Node &&
			o.ID.requests.Prefix == r.ID.requests.Prefix && !slices.Contains(o.Services, hash)
	}
}

// nodeOf is the node of another participant that has a reader; "" when none
// has said so.
func (n *Node) nodeOf(reader wire.GUID) string {
	n.context.nodes.mu.Lock()
	defer n.context.nodes.mu.Unlock()
	for _, e := range n.context.nodes.of[reader.Prefix] {
		if slices.Contains(e.Readers, reader) {
			return Join(e.Namespace, e.Name)
		}
	}
	return ""
}
