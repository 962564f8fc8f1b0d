package cli

import (
	"slices"
	"time"

	"github.com/spf13/pflag"

	"simdeck/sim"
)

// setting is a value from a flag, an environment variable or a key of simdeck.yaml, which share one name.
type setting struct {
	key     string
	group   group
	usage   string
	env     []string // of other tools, after SIMDECK_…
	list    string   // separator of a list in the environment; empty: no list
	declare func(f *pflag.FlagSet, key, usage string)
}

// group says which commands take a setting.
type group uint16

const (
	simulate  group = 1 << iota // run an engine
	lookup                      // look for worlds and models
	view                        // show a console
	past                        // show a console on an engine that keeps its past
	graph                       // look for simulators on the ROS graph
	logged                      // keep a log
	ssh                         // let operators in by SSH
	timed                       // step an engine to see what a step costs
	several                     // run several worlds
	admission                   // tell what a world may hold
	browsers                    // show worlds of the graph to browsers
)

func text(value string) func(*pflag.FlagSet, string, string) {
	return func(f *pflag.FlagSet, key, usage string) { f.String(key, value, usage) }
}

func span(value time.Duration) func(*pflag.FlagSet, string, string) {
	return func(f *pflag.FlagSet, key, usage string) { f.Duration(key, value, usage) }
}

func toggle(f *pflag.FlagSet, key, usage string)   { f.Bool(key, false, usage) }
func duration(f *pflag.FlagSet, key, usage string) { f.Duration(key, 0, usage) }
func list(f *pflag.FlagSet, key, usage string)     { f.StringSlice(key, nil, usage) }

// settings is the table of all of them.
func settings() []setting {
	return slices.Concat(engineSettings(), outsideSettings(), networkSettings(), consoleSettings())
}

// engineSettings are the settings of the simulation and of its node.
func engineSettings() []setting {
	return []setting{
		{key: "paused", group: simulate, declare: toggle, usage: "start paused"},
		{key: "stopped", group: simulate, declare: toggle, usage: "start stopped"},
		{key: keyframeArg, group: simulate | timed, declare: text(""),
			usage: "initial state of a MuJoCo file, the name of a <key> in it (default home, where there is one)"},
		{key: "rtf", group: simulate, usage: "real-time factor to ask for; 0 is as fast as possible (default what the world asks)",
			declare: func(f *pflag.FlagSet, key, usage string) {
				f.Float64(key, -1, usage)
				f.Lookup(key).DefValue = "0"
			}},
		{key: "step", group: simulate | timed, declare: duration,
			usage: "simulated time of a step, like 1ms (default what the world asks)"},
		{key: "seed", group: simulate | timed, usage: "seed of sensor noise",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Uint64(key, 0, usage) }},
		{key: "workers", group: simulate | timed,
			usage:   "processors to compute a step on; they change no result, and pay from some thousand bodies in contact on; 0 is one",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Int(key, 0, usage) }},
		{key: "duration", group: simulate | timed, declare: duration,
			usage: "simulated time after which to quit, like 30s (default for ever)"},
		{key: "on-fault", group: simulate | timed, declare: text("contain"),
			usage: "when an entity leaves the finite numbers: contain takes it out and goes on; pause pauses too"},
		{key: "limits", group: simulate | timed | admission, list: ",", declare: list,
			usage: "what a world may hold at most, as NAME=NUMBER, 0 for no limit (default " +
				sim.DefaultLimits().String() + ")"},
		{key: "record", group: simulate, declare: text(""),
			usage: "folder to record commands, hashes and topics into; it is made, and must not hold a recording"},
		{key: "record-topics", group: simulate, list: ",", declare: list,
			usage: "topics of our own to record, names and patterns with * and ?, ! before one leaves out; none records none (default all)"},
		{key: "trace", group: simulate, declare: text(""),
			usage: "folder to write commands and hashes into, as record does, and every RTPS datagram (rtps.pcap, for Wireshark)"},
		{key: "path", group: simulate | lookup, list: ":", declare: list,
			usage: "folders to look for worlds and models in"},
		{key: "assets", group: simulate | lookup, declare: text(""),
			usage: "folder with copies of files that worlds name by https addresses, as ~/.gz/fuel has them (default none besides those of this user)"},
		{key: "fetch", group: simulate | timed | admission, declare: toggle,
			usage: "bring what the named worlds lack from the network first, as fetch does; never what clients name"},
		{key: "spawn-from", group: simulate | lookup, declare: text("search"),
			usage: "files that clients may have spawned, loaded and listed: search (below the search folders), listed (what get_spawnables and get_available_worlds list), anywhere (all that simdeck can read)"},
		{key: "vehicle", group: simulate | lookup, list: ",", declare: list,
			usage: "parameters of the ego vehicle as KEY=VALUE, like max_speed=12,dynamics_model=rigid_body; entity=NAME makes a model of the world the ego vehicle"},
		{key: "no-ros", group: simulate, declare: toggle, usage: "run without ROS 2"},
		{key: "domain", group: simulate | graph, env: []string{"ROS_DOMAIN_ID"},
			usage: "ROS 2 domain, 0 to 232 (default ROS_DOMAIN_ID or 0)",
			declare: func(f *pflag.FlagSet, key, usage string) {
				f.Int(key, 0, usage)
				f.Lookup(key).DefValue = "0"
			}},
		{key: "namespace", group: simulate, declare: text(""),
			usage: "namespace of simdeck's own node; @host in it is the name of this host"},
		{key: "each-namespace", group: several, declare: toggle,
			usage: "take several worlds, each with its clock, its topics and services in a namespace by its name"},
		{key: "legacy", group: simulate, declare: text(""),
			usage: "serve deprecated services of gazebo_msgs beside simulation_interfaces, with the meaning that they have in gazebo (Classic) or o3de (its spawner) (default none)"},
		{key: "habits", group: simulate, list: ",", declare: list,
			usage: "serve simulation_interfaces as gazebo or isaac do, or with single habits of theirs, which conform --decisions lists (default standard)"},
		{key: "services-namespace", group: simulate, declare: text(""),
			usage: "namespace of the services of simulation_interfaces, like /gz_server, without moving topics (default that of the node)"},
		{key: "single-robot", group: simulate, declare: toggle,
			usage: "topics and frames of one robot have no prefix (cmd_vel, odom), as Nav2's defaults want them; it is the first that was given no namespace"},
		{key: "lockstep", group: simulate, list: ",", declare: list,
			usage: "topics of commands for which each step waits: TOPIC@OBSERVATION (a message for each of that topic of sensors), TOPIC@HZ (of simulated time), TOPIC (the robot's only sensor); :stamp after it goes by header stamps (default none)"},
		{key: "lockstep-timeout", group: simulate, declare: span(10 * time.Second),
			usage: "wall time for which a step waits for them"},
		{key: "lockstep-late", group: simulate, declare: text("pause"),
			usage: "after that time, pause, or go-on without the command and count it"},
		{key: "worker", group: simulate, declare: toggle,
			usage: "be a simulation worker of l2_msgs: a node of its own name, and everything of the world in its namespace"},
		{key: "report-path", group: simulate, declare: text(""),
			usage: "topic that gets a worker's status as well (parameter report_path)"},
		{key: "object-config", group: simulate, declare: text(""),
			usage: "a worker's world: a file, or the name of one in the storage or of a shipped world (parameter object_config)"},
	}
}

// outsideSettings are the settings for programs outside that drive robots.
func outsideSettings() []setting {
	return []setting{
		{key: "webots-robot-name", group: simulate, declare: text(""),
			usage: "the only robot that takes commands of a worker, or controllers of Webots (default all)"},
		{key: "webots-controllers", group: simulate, declare: text(""),
			usage: "port, or address and port, like Webots' 1234, for controllers written against Webots' library, which find robots by WEBOTS_CONTROLLER_URL=tcp://HOST:PORT/ROBOT; a port alone is for this machine only (default none)"},
		{key: "run-controllers", group: simulate, declare: toggle,
			usage: "start the controllers that the robots of a world PROJECT/worlds/NAME.wbt name, from PROJECT/controllers, as Webots does; never for what clients spawn or load from elsewhere"},
		{key: "webots-patience", group: simulate, declare: span(time.Second),
			usage: "wall time for which the world waits for such a controller's next step, before it goes on without it"},
		{key: "webots-library", group: simulate, declare: text("R2025a"),
			usage: "release of the controllers' library: R2025a, for it and later ones, R2023b or R2023a"},
		{key: "autopilot", group: simulate, list: ",", declare: list,
			usage: "let ArduPilot, Betaflight or PX4 fly a model: ardupilot, betaflight or px4, with :ENTITY and :PORT behind it or not; without them each model that its file connects to it, or that has rotors (default none)"},
		{key: "autopilot-address", group: simulate, declare: text("127.0.0.1"),
			usage: "address at which autopilots are listened for: this machine only unless it is another"},
		{key: "autopilot-patience", group: simulate,
			usage:   "wall time for which the world waits for an autopilot's answer, before it pauses; 0: it does not wait",
			declare: span(10 * time.Second)},
	}
}

// networkSettings are the settings of how the simulation is on its network.
func networkSettings() []setting {
	return []setting{
		{key: "interface", group: simulate | graph, declare: text(""),
			usage: "network interface to use (default all)"},
		{key: "peers", group: simulate | graph, list: ",;", env: []string{"ROS_STATIC_PEERS"}, declare: list,
			usage: "hosts to discover by unicast, where multicast is blocked"},
		{key: "rmw", group: simulate | graph, list: ",", env: []string{"RMW_IMPLEMENTATION"}, declare: list,
			usage: "middleware: dds, zenoh, or dds,zenoh for both at once, of which only the first looks at the graph (default dds)"},
		{key: "zenoh-router", group: simulate | graph, list: ",", declare: list,
			usage: "Zenoh routers to connect to, tcp/HOST:PORT, the first that answers (default that of ZENOH_CONFIG_OVERRIDE or ZENOH_SESSION_CONFIG_URI, else tcp/localhost:7447)"},
		{key: "metrics", group: simulate, declare: text(""),
			usage: "port, or address and port, where Prometheus may ask for /metrics, and others for /healthz and /readyz; a port alone is for this machine only (default none)"},
		{key: "viewers", group: simulate, declare: text(""),
			usage: "port, or address and port, where browsers see the worlds in 3D; a port alone is for this machine only (default none)"},
		{key: "viewers-names", group: simulate | browsers, list: ",", declare: list,
			usage: "names of this host in the addresses of such browsers, besides localhost and IP addresses"},
		{key: "log-level", group: simulate | logged, declare: text("info"),
			usage: "debug, info, warn or error"},
	}
}

// consoleSettings are the settings of the console and of its SSH server.
func consoleSettings() []setting {
	return []setting{
		{key: "theme", group: view, declare: text("ansi"), usage: "colours: ansi, safe, contrast or mono"},
		{key: "background", group: view, declare: text("auto"),
			usage: "of the terminal: auto asks it; dark or light"},
		{key: "symbols", group: view, declare: text("braille"),
			usage: "what the map is drawn with: braille, block or ascii"},
		{key: "color", group: view, declare: text("auto"), usage: "auto, never, 16, 256 or true"},
		{key: "pictures", group: view, declare: text("auto"),
			usage: "what the camera view is drawn with: auto asks the terminal; blocks, kitty, sixel"},
		{key: "picture-glyphs", group: view, declare: text("auto"),
			usage: "the finest characters of blocks: half, quadrant, sextant, octant; auto takes what the terminal is known to draw"},
		{key: "plain", group: view, declare: toggle,
			usage: "print changes as lines and take actions as lines: for screen readers and pipes"},
		{key: "read-only", group: view, declare: toggle, usage: "look, but change nothing"},
		{key: "rewind", group: past, usage: "simulated time that can be rewound; 0 keeps none",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Duration(key, 30*time.Second, usage) }},
		{key: "listen", group: ssh, declare: text(":23234"), usage: "address where operators enter by SSH"},
		{key: "keys", group: ssh, declare: text(""),
			usage: "public keys of those who may enter (default ~/.ssh/authorized_keys)"},
		{key: "host-key", group: ssh, declare: text(""),
			usage: "private key of this host; made when there is none\n(default ssh_host_ed25519_key in simdeck's folder of state)"},
		{key: "sessions", group: ssh, usage: "consoles at once, at most",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Int(key, 32, usage) }},
		{key: "idle", group: ssh, declare: duration,
			usage: "time without a key pressed after which a console closes (default never)"},
		{key: "max-startups", group: ssh, declare: text("20:30:100"),
			usage: "connections that have not logged in, START:RATE:FULL as in OpenSSH: from START on RATE % are dropped at random, more and more until all at FULL"},
		{key: "login-grace", group: ssh, usage: "time for a login",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Duration(key, 30*time.Second, usage) }},
		{key: "max-penalty", group: ssh,
			usage:   "longest time for which an address is refused after failed logins; 0 refuses none",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Duration(key, 10*time.Minute, usage) }},
		{key: "penalty-exempt", group: ssh, list: ",", declare: list,
			usage: "networks that are never refused for failed logins, like 10.1.0.0/16"},
		{key: "strict-modes", group: ssh,
			usage:   "refuse files of keys that other users may write, or whose folders they may",
			declare: func(f *pflag.FlagSet, key, usage string) { f.Bool(key, true, usage) }},
		{key: "keymap", group: view, declare: text(""),
			usage: "your own keys (default keymap.yaml beside simdeck.yaml)"},
	}
}

// declare puts the flags of some groups onto a command.
func declare(f *pflag.FlagSet, g group) {
	f.SortFlags = false
	for _, s := range settings() {
		if s.group&g != 0 {
			s.declare(f, s.key, s.usage)
		}
	}
	f.String("config", "", "configuration file (default $XDG_CONFIG_HOME/simdeck/simdeck.yaml)")
}
