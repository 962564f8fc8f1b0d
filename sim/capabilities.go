package sim

import (
	"context"
	"time"
)

// Capabilities declares what a simulator offers beside commands and snapshots. The zero value offers nothing
// more. The program that runs a simulator adds its surroundings: a graph, a recorder, viewers. Its functions
// are safe from any goroutine and must not block.
type Capabilities struct {
	// model formats that can be spawned, the preferred one first; nil: not told
	Formats []string
	Files   FileReader // reads files of the simulator's library; nil: it reads none
	// why the simulator can never do a command, ""  where it can be tried; nil: it can do all
	Unsupported func(Command) string
	Reconnects  bool              // the backend outlives the simulator: one that quits may come back
	Connection  func() Connection // state on the node graph; nil: on none
	Graph       func() Graph      // nodes, topics and services of the node graph; nil: not told
	Recorder    RecordingControl  // makes recordings; nil: none can be made
	Lockstep    *Lockstep         // for controllers that the world waits for; nil: it waits for none
	Keyboard    *Keyboard         // for controllers that operators type for; nil: there are none
	// viewers of the simulation, the asking console among them; nil: there can be no others
	Viewers func() []string
}

// Supports says why a command can never be done; empty where it can be tried.
func (c *Capabilities) Supports(command Command) (reason string) {
	if c.Unsupported == nil {
		return ""
	}
	return c.Unsupported(command)
}

// FileReader reads files of a simulator's library.
type FileReader interface {
	// ReadFile reads at most limit bytes of a file by its URI, and gives its name in messages. It fails where
	// like does not take the text; messages call the text that was wanted what.
	ReadFile(uri string, limit int64, what string, like func([]byte) bool) (data []byte, name string,
		err error)
}

// Connection is the state of a simulator on the node graph of its middleware.
type Connection struct {
	On     bool
	Domain int
	Peers  int    // participants seen
	Name   string // of the node, with its namespace
	Fault  string // why it is down; empty: it is not
	Note   string // about its name; empty: there is none
	Far    string // interface line of a simulator elsewhere, whose name Name is; empty: it is in this process
}

// Graph is the node graph of a middleware: nodes, topics, services.
type Graph struct {
	Nodes    []string // full names
	Topics   []GraphName
	Services []GraphName
}

// GraphName is a topic or a service with its participants.
type GraphName struct {
	Name        string
	Types       []string // "std_msgs/msg/String"; several when the parties disagree
	Publishers  int      // of a service: its servers
	Subscribers int      // of a service: its clients
	QoS         []string // in words
	Own         bool     // this simulator takes part
	Passed      uint64   // messages to and from this simulator; 0 where it takes no part
}

// Recording is the state of the recording that is made.
type Recording struct {
	Folder string // empty: none is made
	Bytes  int64
	Fault  string    // why it broke; empty: it did not
	Began  time.Time // of this machine; zero: not known
}

// RecordingScope says which topics a recording holds beside commands and hashes.
type RecordingScope struct {
	Kind   RecordingKind
	Topics []string // of RecordTopics: names and patterns, as simdeck record takes them
}

// RecordingKind is the selection of topics of a recording.
type RecordingKind uint8

// Kinds of recordings, each with more than the one before; RecordTopics has chosen ones.
const (
	RecordCommands RecordingKind = iota // no topics
	RecordState                         // topics without sensors: clock, transforms, odometry, joints
	RecordSensors                       // all topics
	RecordTopics
)

// RecordingControl makes recordings of a simulator, one at a time. All consoles of a simulator share it.
type RecordingControl interface {
	// State is called at most 4 times a second and must not block.
	State() Recording
	// Topics are the names and patterns that the program was told to record; nil: none. Where recordings hold
	// no topics the reason says why.
	Topics() (patterns []string, reason string)
	// Start begins a recording and names its folder; Stop returns when it is whole. Samples of sensors that
	// take longer than their period are left out of the recording, where the simulation would wait for them
	// else.
	Start(ctx context.Context, scope RecordingScope) (folder string, err error)
	Stop(ctx context.Context) (folder string, err error)
}
