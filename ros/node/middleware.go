package node

import (
	"context"

	"simdeck/ros/msgs"
	"simdeck/ros/rtps"
	"simdeck/ros/rtps/wire"
)

// Middleware carries messages between the nodes of a Context and others: DDS, or another one that speaks of
// topics as DDS does. Package rtps has the meaning of its words.
type Middleware interface {
	// Run is its life on the network until ctx ends.
	Run(ctx context.Context) error
	GUID() wire.GUID
	Graph() *rtps.Graph
	Endpoint(wire.GUID) (rtps.RemoteEndpoint, bool)
	Watch() Watch
	Stats() rtps.Stats
	Notices() []rtps.Notice
	// IgnoresQoS is whether every reader of a topic gets the messages of every writer.
	IgnoresQoS() bool

	NewWriter(of NodeName, c rtps.WriterConfig) (Writer, error)
	NewReader(of NodeName, c rtps.ReaderConfig) (Reader, error)
	NewServer(of NodeName, c ServiceConfig) (Reader, Writer, error)
	NewClient(of NodeName, c ServiceConfig) (Writer, Reader, error)
}

// NodeDirectory is a Middleware that announces nodes in a way of its own.
type NodeDirectory interface {
	// AnnounceNodes says which nodes stand on the graph now.
	AnnounceNodes(all []NodeName)
	// Nodes are those of others.
	Nodes() map[wire.GUIDPrefix][]NodeEntities
}

// NodeName names a node.
type NodeName struct{ Namespace, Name string }

// NodeEntities is a node with its endpoints.
type NodeEntities struct {
	NodeName
	Readers, Writers []wire.GUID
}

// ServiceConfig describes a server or a client of a service.
type ServiceConfig struct {
	Name  string         // full
	ID    string         // tells it from others of the same service
	Types []ServiceTypes // definitions that it speaks: at least one, of a client exactly one
	QoS   QoS
	Queue int // requests or replies that wait
}

// ServiceTypes is a definition of a service.
type ServiceTypes struct {
	Request, Response msgs.Message // for their names and hashes
	Hash              string       // RIHS01 of the service as a whole; "": not known
}

// Writer is a rtps.Writer of any middleware.
type Writer interface {
	GUID() wire.GUID
	Buffer(octets int) []byte
	Write(payload []byte, o rtps.WriteOptions) (wire.SequenceNumber, error)
	Matches() []rtps.Match
	Acked(wire.SequenceNumber) bool
	Stats() rtps.WriterStats
	Kept() [][]byte
	Close() error
}

// Reader is a rtps.Reader of any middleware.
type Reader interface {
	GUID() wire.GUID
	Receive(ctx context.Context) (rtps.Sample, error)
	Recycle(payload []byte)
	Matches() []rtps.Match
	Stats() rtps.ReaderStats
	Close() error
}

// Watch tells of changes of the graph.
type Watch interface {
	C() <-chan struct{}
	Close()
}

// dds is the middleware of DDS: a service is a pair of topics there.
type dds struct{ *rtps.Participant }

func (d dds) Watch() Watch { return d.Participant.Watch() }

func (d dds) IgnoresQoS() bool { return false }

func (d dds) NewWriter(_ NodeName, c rtps.WriterConfig) (Writer, error) {
	w, err := d.Participant.NewWriter(c)
	if err != nil {
		return nil, err
	}
	return w, nil
}

func (d dds) NewReader(_ NodeName, c rtps.ReaderConfig) (Reader, error) {
	r, err := d.Participant.NewReader(c)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// NewServer makes the writer first: a client that sees the reader is answered. The first definition is
// announced.
func (d dds) NewServer(of NodeName, c ServiceConfig) (Reader, Writer, error) {
	first, id := c.Types[0], "serviceid="+c.ID+";"
	replies := c.QoS
	// for each client's process, which may have asked that much before it takes an answer
	replies.Depth = max(requestQueue, c.QoS.Depth)
	w, err := d.NewWriter(of, rtps.WriterConfig{
		Topic: ddsReply(c.Name), Type: first.Response.DDSTypeName(), QoS: replies,
		UserData: []byte(id + string(hashTag(first.Response.TypeHash())))})
	if err != nil {
		return nil, nil, err
	}
	r, err := d.NewReader(of, rtps.ReaderConfig{
		Topic: ddsRequest(c.Name), Type: first.Request.DDSTypeName(), QoS: c.QoS, Queue: c.Queue,
		UserData: []byte(id + string(hashTag(first.Request.TypeHash())))})
	if err != nil {
		w.Close()
		return nil, nil, err
	}
	return r, w, nil
}

// NewClient makes the reply reader before the request writer.
func (d dds) NewClient(of NodeName, c ServiceConfig) (Writer, Reader, error) {
	types, id := c.Types[0], "clientid="+c.ID+";"
	replies, err := d.NewReader(of, rtps.ReaderConfig{
		Topic: ddsReply(c.Name), Type: types.Response.DDSTypeName(), QoS: c.QoS, Queue: c.Queue,
		UserData: []byte(id + string(hashTag(types.Response.TypeHash())))})
	if err != nil {
		return nil, nil, err
	}
	requests, err := d.NewWriter(of, rtps.WriterConfig{
		Topic: ddsRequest(c.Name), Type: types.Request.DDSTypeName(), QoS: c.QoS,
		UserData: []byte(id + string(hashTag(types.Request.TypeHash())))})
	if err != nil {
		replies.Close()
		return nil, nil, err
	}
	return requests, replies, nil
}
