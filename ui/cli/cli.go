// Package cli is simdeck's command line: it turns arguments, environment and
// simdeck.yaml into Options and hands them to the functions that main.go
// gives. It knows the engine's vocabulary and nothing else.
//
// settings.go declares flags and configuration keys, help.go and package help print them. misuse.go words the
// errors about them, and report.go writes errors as JSON.
package cli

import (
	"context"
	"io"
	"log/slog"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/record"
	"simdeck/sim/scene"
	"simdeck/ui/cli/workers"
	"simdeck/ui/escape"
	"simdeck/ui/fetch"
	"simdeck/ui/keymap"
)

// Program is the functions behind the commands, from main.go. A nil function: its command is not there.
type Program struct {
	Version      string
	Keymap       []byte // keymap.yaml as shipped
	DefaultWorld string // name of the demo world, used when none is named
	// IsShipped reports whether a world of a name is part of the program; nil: none is.
	IsShipped func(name string) bool
	// Console opens the console on an engine in this process.
	Console func(ctx context.Context, o Options) error
	// Run runs an engine without a console.
	Run func(ctx context.Context, o Options) error
	// Serve runs an engine whose operators come by SSH.
	Serve func(ctx context.Context, o Options, sshOptions SSH) error
	// Shot draws a frame of the console into a file.
	Shot func(ctx context.Context, o Options, s Shot) error
	// Bench measures what a step of an engine costs.
	Bench func(ctx context.Context, o Options, b Bench) error
	// Doctor looks at network and terminal.
	Doctor func(ctx context.Context, o Options) []Finding
	// Library finds worlds and models; with it comes the resource that
	// Options.World names.
	Library func(o Options) (scene.Library, scene.Resource, error)
	// Wants lists the files of networks that the world of the options names and that have no copy.
	Wants func(ctx context.Context, o Options) ([]fetch.Item, error)
	// Far opens the console on a simulator of the graph. It calls found before the terminal is the console's.
	Far func(ctx context.Context, o Options, t Target, found func()) error
	// Replay opens the console on a recording.
	Replay func(ctx context.Context, o Options, b *record.Playback) error
	// Fleet looks at all simulators of the graph while work does; nil: while an operator does.
	Fleet func(ctx context.Context, o Options, t Target, work func(context.Context, sim.Fleet) error) error
	// Attach finds a simulator on the graph and works on it.
	Attach func(ctx context.Context, o ROS, t Target, work func(context.Context, Remote) error) error
	// Conform tests a simulator on the graph and reports on out.
	Conform func(ctx context.Context, o ROS, t Target, c Conform, out io.Writer) error
	// Record records topics of the graph until ctx ends.
	Record func(ctx context.Context, o Options, t Topics) (Recorded, error)
	// Viewers shows the simulation workers of the graph to browsers until ctx ends.
	Viewers func(ctx context.Context, o Options) error
	// Requests tells the simulations that a topic asks for, whenever they change, until ctx ends.
	Requests func(ctx context.Context, o Options, topic string, tell func([]workers.Simulation)) error
	// Services lists the services that can be called, and Fields the fields of one.
	Services func() []string
	Fields   func(service string) []string
}

// Options is the set of all options that a user can give.
type Options struct {
	World string // as typed: a URI or a path; never empty
	Text  string // of the world, in place of a file; empty: World says
	// options of each of several worlds, which share a participant of ROS; nil: this is the only one
	Each      []Options
	Paused    bool          // start paused
	Stopped   bool          // start stopped; neither: start playing
	RealTime  float64       // asked real-time factor; 0: as fast as possible; < 0: not given
	Step      time.Duration // 0: not given
	Seed      uint64
	Duration  time.Duration // simulated, then quit; 0: for ever
	Unpaced   bool          // as fast as possible whatever RealTime is, which snapshots show
	Workers   int           // processors to compute a step on; 0: one
	Path      []string      // folders to look for worlds and models in
	AsClients bool          // Library is to be as those have it who ask for things
	SpawnFrom scene.Reach   // which files those who ask for things may name
	Vehicle   []string      // KEY=VALUE: parameters of the ego vehicle, before what the world says
	Copies
	Recording Recording
	Trace     string // folder to write what goes over the network into; empty: none
	Serving
	OnFault  sim.FaultPolicy
	Limits   sim.Limits
	ROS      ROS
	Log      slog.Level
	View     View
	Progress Progress // on stderr
}

// Copies is the options of what is kept of files, their own or those of networks.
type Copies struct {
	Cache  string      // folder that keeps what was computed of meshes; empty: none
	Tell   func(error) // is told of what cannot be kept in Cache; nil: nobody
	Assets string      // folder of copies of files of networks, after those of this user; empty: none
	Mirror bool        // Assets is the only folder of copies: not those of this user
	Fetch  bool        // bring what the named worlds lack before they are loaded
}

// Serving is the options of the servers beside a simulation.
type Serving struct {
	Metrics string // address where figures are told; empty: nowhere
	Viewers Viewers
	Webots  *Webots // lets controllers of Webots in; nil: none
	// lets autopilots fly vehicles of the world; no Vehicles: none
	Autopilots Autopilots
}

// Viewers is the options of the server of browsers.
type Viewers struct {
	Address string   // where it listens; empty: there is none
	Names   []string // of this host, besides localhost and IP addresses
	Store   string   // folder whose files are served as the storage of l2_msgs; empty: none
}

// Recording is the options of recordings of a world.
type Recording struct {
	Dir    string   // folder to record into from the start; empty: none
	Later  string   // folder of the recordings that operators begin; empty: they cannot
	Topics []string // that are recorded, as Topics.Want has it; "none": none
}

// ROS is the options of the ROS side.
type ROS struct {
	Off        bool
	Domain     int
	Namespace  string
	Legacy     string   // gazebo or o3de: whose gazebo_msgs to serve too; "": none
	Habits     []string // of other simulators that simulation_interfaces is to have
	Services   string   // namespace of its services; empty: that of the node
	Single     bool     // topics and frames of one robot have no prefix
	Lockstep   Lockstep
	Worker     *Worker  // be a simulation worker of l2_msgs; nil: not
	Interfaces []string // empty: all
	Peers      []string // to discover by unicast
	// ROS_AUTOMATIC_DISCOVERY_RANGE: "SUBNET", "LOCALHOST", "OFF", "SYSTEM_DEFAULT"; empty: not given
	Range string
	RMW   []string // middlewares: dds, zenoh; empty: dds
	// endpoints of Zenoh routers; empty: the one that rmw_zenoh_cpp looks for
	Routers []string
	Zenoh   ZenohVariables
	Args    []string // arguments after --ros-args, up to --
}

// Lockstep is the options of waiting for commands.
type Lockstep struct {
	Topics   []string      // as lockstep.Parse of ROS reads them; empty: nothing is waited for
	Patience time.Duration // on the wall clock
	GoOn     bool          // after it without the command; else the world pauses
}

// Worker is the options of a simulation worker of l2_msgs.
type Worker struct {
	ReportPath   string // a topic that gets its status as well
	ObjectConfig string // the world: a file, or its name in the storage
	Robot        string // the only one whose commands are taken; empty: all
	named        bool   // there is a world on the command line
}

// Webots is the options for controllers that are written against Webots' library.
type Webots struct {
	Address  string        // to listen on: a port, or an address and a port
	Robot    string        // the only one that they may take; empty: all
	Patience time.Duration // for which the world waits for their next step
	Run      bool          // start those that the world's robots name
	Project  string        // folder with those controllers; empty: the named world is of no project
	Release  int           // of their library: 20230 for R2023a, 20231 for R2023b, 20250 for R2025a and later
}

// Autopilots is the options for autopilots outside; see package autopilot.
type Autopilots struct {
	Vehicles []string      // PROTOCOL, PROTOCOL:ENTITY or PROTOCOL:ENTITY:PORT
	Address  string        // to listen on
	Patience time.Duration // for which the world waits for an answer; 0: it does not wait
}

// View is the options of the console; see ui.Config.
type View struct {
	Tour                        bool // begin with the tour
	Theme, Back, Symbols, Color string
	Pictures, Glyphs            string
	Plain                       bool // lines instead of a screen
	ReadOnly                    bool
	Seed                        uint64        // of the simulator, to show
	Rewind                      time.Duration // simulated, that can be rewound
	Keymap                      *keymap.Map   // the shipped one with the user's over it
	Dir                         string        // of what consoles keep, see Preferences
	Start                       sim.State     // in which a world begins that an operator loads
}

// Shot is a picture of the console.
type Shot struct {
	Width, Height int           // cells
	After         time.Duration // simulated
	File          string
	// names of actions to run before, with commas between; of a video, what ui.VideoRequest says
	Press string
	Video time.Duration // length of a video of the console; 0: a picture is wanted
	// entity of the picture in place of the console's; Width and Height of a free one in pixels
	Camera string
	// file of the scenario to play from the start; empty: none
	Scenario string
	Pace     float64 // simulated time over time of a camera's video; 0 or less: 1
}

// Main runs the command line and returns the exit code (ExitCode). Errors take one line on
// stderr, of JSON with --json.
func Main(p Program, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	out, complaints := escape.NewWriter(stdout), escape.NewWriter(stderr)
	cmd, err := execute(ctx, p, args, out, complaints)
	if err != nil {
		newSession(p, nil).complain(complaints, cmd, args, err)
	}
	_, _ = out.Flush(), complaints.Flush() // nobody is left to tell
	return ExitCode(err)
}

// Execute runs the command line until it is done or ctx ends. Its output passes writers that escape terminal
// commands in strings from outside.
func Execute(ctx context.Context, p Program, args []string, stdout, stderr io.Writer) error {
	_, err := execute(ctx, p, args, stdout, stderr)
	return err
}

// execute is Execute, and tells which command ran.
func execute(ctx context.Context, p Program, args []string, stdout, stderr io.Writer) (*cobra.Command,
	error) {
	args, ros := splitROS(args)
	root := newRoot(newSession(p, ros))
	root.SetArgs(args)
	root.SetOut(escape.NewWriter(stdout))
	root.SetErr(escape.NewWriter(stderr))
	giveUp(root)
	return root.ExecuteContextC(ctx)
}

// splitROS takes what is meant for ROS out of the arguments: what stands
// between --ros-args and -- or the end, as any node has it.
func splitROS(args []string) (rest, ros []string) {
	in := false
	for _, a := range args {
		switch {
		case a == "--ros-args":
			in = true
		case in && a == "--":
			in = false
		case in:
			ros = append(ros, a)
		default:
			rest = append(rest, a)
		}
	}
	return rest, ros
}
