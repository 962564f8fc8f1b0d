package cli

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"simdeck/sim"
	"simdeck/sim/engine"
	"simdeck/sim/scene"
	"simdeck/ui/readfile"
)

// session is one run of the command line.
type session struct {
	Program
	rosArgs []string
	environ []string
}

// options merges flags, environment and configuration file.
func (s *session) options(flags *pflag.FlagSet, world string) (Options, *values, error) {
	v, err := s.resolve(flags)
	if err != nil {
		return Options{}, nil, err
	}
	named := world != ""
	if !named {
		world = s.DefaultWorld
	} else if flags.Lookup(keyframeArg) != nil {
		if world, err = withKeyframe(world, v.text(keyframeArg)); err != nil {
			return Options{}, nil, err
		}
	}
	o := Options{
		World: world, Paused: v.yes("paused"), Stopped: v.yes("stopped"), Path: v.list("path"),
		Vehicle: v.list("vehicle"), Copies: Copies{Cache: s.cacheDir(), Assets: v.text("assets"),
			Fetch: v.yes("fetch")},
		Serving: Serving{Metrics: v.text("metrics"),
			Viewers: Viewers{Address: v.text("viewers"), Names: v.list("viewers-names")}},
		Recording: Recording{Dir: v.text("record"), Later: filepath.Join(s.stateDir(), "recordings"),
			Topics: v.list("record-topics")},
		ROS: ROS{
			Off: v.yes("no-ros"), Namespace: onHost(v.text("namespace"), os.Hostname),
			Legacy: v.text("legacy"), Habits: v.list("habits"), Services: v.text("services-namespace"),
			Single:     v.yes("single-robot"),
			Interfaces: v.words("interface"), Peers: v.list("peers"),
			Range: s.discoveryRange(), Args: s.rosArgs,
			Routers: v.list("zenoh-router"), Zenoh: ZenohVariables{
				SessionConfig: s.env("ZENOH_SESSION_CONFIG_URI"), Override: s.env("ZENOH_CONFIG_OVERRIDE")},
		},
		View: View{Theme: v.text("theme"), Back: v.text("background"), Symbols: v.text("symbols"),
			Color: v.text("color"), Pictures: v.text("pictures"), Glyphs: v.text("picture-glyphs"),
			Plain:    v.yes("plain"),
			ReadOnly: v.yes("read-only")},
	}
	if v.source["symbols"] == "default" {
		o.View.Symbols = "" // the choice that is kept for this kind of terminal
	}
	o.View.Dir, o.View.Start = s.stateDir(), o.Start()
	if err := v.numbers(&o); err != nil {
		return Options{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.ROS.RMW, err = middlewares(v.list("rmw")); err != nil {
		return Options{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.Trace = v.text("trace"); o.Trace != "" && o.Recording.Dir == "" {
		o.Recording.Dir, o.Recording.Topics = o.Trace, []string{noTopics}
	}
	if o.ROS.Lockstep, err = v.lockstep(o.ROS.Off); err != nil {
		return Options{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.Webots, err = v.webots(&o); err != nil {
		return Options{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.Autopilots, err = v.autopilots(); err != nil {
		return Options{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.ROS.Worker, err = v.worker(&o, named); err != nil {
		return Options{}, nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	if o.View.Keymap, err = s.readKeymap(v.text("keymap")); err != nil {
		return Options{}, nil, err
	}
	return o, v, nil
}

// lockstep reads for which commands a world waits.
func (v *values) lockstep(noROS bool) (l Lockstep, err error) {
	l.Topics = v.list("lockstep")
	late := v.text("lockstep-late")
	l.GoOn = late == "go-on"
	l.Patience, err = v.flags.GetDuration("lockstep-timeout")
	switch {
	case err != nil:
		return l, err
	case l.Patience <= 0:
		return l, fmt.Errorf("lockstep-timeout %v: want more than 0", l.Patience)
	case !l.GoOn && late != "pause":
		return l, fmt.Errorf("lockstep-late %q: want pause or go-on", late)
	case noROS && len(l.Topics) > 0:
		return l, fmt.Errorf("lockstep and no-ros: want one of them")
	}
	return l, nil
}

// worker reads the settings of a simulation worker; nil without --worker.
func (v *values) worker(o *Options, named bool) (*Worker, error) {
	w := &Worker{ReportPath: v.text("report-path"), ObjectConfig: v.text("object-config"),
		Robot: v.text("webots-robot-name")}
	switch {
	case !v.yes("worker") && w.Robot != "" && o.Webots == nil:
		return nil, fmt.Errorf(
			"webots-robot-name %s: want --webots-controllers, --run-controllers or --worker with it", w.Robot)
	case !v.yes("worker") && (w.ReportPath != "" || w.ObjectConfig != ""):
		return nil, fmt.Errorf("report-path and object-config are a worker's: want --worker with them")
	case !v.yes("worker"):
		return nil, nil
	case o.ROS.Off:
		return nil, fmt.Errorf("worker and no-ros: want one of them")
	case named && w.ObjectConfig != "":
		return nil, fmt.Errorf("the world %s and object-config %s: want one of them", o.World, w.ObjectConfig)
	}
	w.named = named
	return w, nil
}

// webots reads the settings for controllers of Webots; nil where none may connect.
func (v *values) webots(o *Options) (*Webots, error) {
	w := &Webots{Address: v.text("webots-controllers"), Robot: v.text("webots-robot-name"),
		Run: v.yes("run-controllers")}
	switch {
	case w.Run:
		w.Address, w.Project = cmp.Or(w.Address, "0"), o.controllersProject()
	case w.Address == "":
		for _, key := range [...]string{"webots-patience", "webots-library"} {
			if v.source[key] != "default" {
				return nil, fmt.Errorf("%s is for controllers of Webots: want --webots-controllers or --run-controllers with it", key)
			}
		}
		return nil, nil
	}
	var err error
	if w.Patience, err = v.flags.GetDuration("webots-patience"); err == nil && w.Patience <= 0 {
		err = fmt.Errorf("webots-patience %v: want more than 0", w.Patience)
	}
	switch library := v.text("webots-library"); library {
	case "R2023a":
		w.Release = 20230
	case "R2023b":
		w.Release = 20231
	case "R2025a":
		w.Release = 20250
	default:
		err = fmt.Errorf("webots-library %q: want R2023a, R2023b, or R2025a for it and later ones", library)
	}
	return w, err
}

// autopilots reads the settings for autopilots outside.
func (v *values) autopilots() (a Autopilots, err error) {
	a.Vehicles = v.list("autopilot")
	if len(a.Vehicles) == 0 {
		for _, key := range [...]string{"autopilot-patience", "autopilot-address"} {
			if v.source[key] != "default" {
				return a, fmt.Errorf("%s is for autopilots: want --autopilot with it", key)
			}
		}
		return a, nil
	}
	a.Address = v.text("autopilot-address")
	if a.Patience, err = v.flags.GetDuration("autopilot-patience"); err == nil && a.Patience < 0 {
		err = fmt.Errorf("autopilot-patience %v: want 0 or more", a.Patience)
	}
	return a, err
}

// controllersProject is the folder of the project that the named world belongs to: PROJECT of
// PROJECT/worlds/NAME.wbt; empty: it is no such file.
func (o *Options) controllersProject() string {
	file, folder, err := o.WorldFile()
	if err != nil || folder == "" || filepath.Base(folder) != "worlds" || filepath.Ext(file) != ".wbt" {
		return ""
	}
	return filepath.Dir(folder)
}

// CheckWebots says why the controllers cannot be started that are to be. Errors wrap ErrUsage.
func (o Options) CheckWebots() error {
	if o.Webots == nil || !o.Webots.Run || o.Webots.Project != "" {
		return nil
	}
	return Usage(fmt.Errorf("run-controllers: the world %q: want a file PROJECT/worlds/NAME.wbt, whose controllers are in PROJECT/controllers",
		o.World))
}

// notInNames matches the characters that ROS names may not hold, and runs of _.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9]+`)

// onHost replaces @host in a namespace by the name of this host, made a valid ROS name. Replicas that an
// orchestrator starts by one command get namespaces of their own.
func onHost(namespace string, hostname func() (string, error)) string {
	if !strings.Contains(namespace, "@host") {
		return namespace
	}
	host, err := hostname()
	if err != nil || host == "" {
		host = "host"
	}
	host = notInNames.ReplaceAllString(host, "_")
	if host[0] >= '0' && host[0] <= '9' {
		host = "h" + host
	}
	return strings.ReplaceAll(namespace, "@host", host)
}

func (v *values) yes(key string) bool {
	on, _ := v.flags.GetBool(key)
	return on
}

func (v *values) text(key string) string { return v.flags.Lookup(key).Value.String() }

// words is the list of one text; nil for an empty text.
func (v *values) words(key string) []string {
	if word := v.text(key); word != "" {
		return []string{word}
	}
	return nil
}

func (v *values) list(key string) []string {
	l, _ := v.flags.GetStringSlice(key)
	if len(l) == 0 {
		return nil
	}
	return l
}

// numbers reads the settings that have a range.
func (v *values) numbers(o *Options) error {
	o.RealTime, _ = v.flags.GetFloat64("rtf")
	o.Step, _ = v.flags.GetDuration("step")
	o.Seed, _ = v.flags.GetUint64("seed")
	o.View.Seed = o.Seed
	o.Workers, _ = v.flags.GetInt("workers")
	o.Duration, _ = v.flags.GetDuration("duration")
	onFault, err := sim.ParseFaultPolicy(v.text("on-fault"))
	o.OnFault = onFault
	limits, wrongLimit := sim.ParseLimits(sim.DefaultLimits(), v.list("limits"))
	o.Limits = limits
	o.View.Rewind, _ = v.flags.GetDuration("rewind")
	o.ROS.Domain, _ = v.flags.GetInt("domain")
	wrong := func(key, want string) error {
		return fmt.Errorf("%s %s from %s: want %s", key, v.text(key), v.source[key], want)
	}
	reach, known := scene.ParseReach(v.text("spawn-from"))
	o.SpawnFrom = reach
	switch {
	case wrongLimit != nil:
		return wrong("limits", "like "+sim.DefaultLimits().String()+", 0 for none")
	case err != nil:
		return wrong("on-fault", "contain or pause")
	case !known:
		return wrong("spawn-from", strings.Join(scene.Reaches(), ", "))
	case !slices.Contains([]string{"", "gazebo", "o3de"}, o.ROS.Legacy):
		return wrong("legacy", "gazebo or o3de")
	case o.Paused && o.Stopped:
		return fmt.Errorf("paused and stopped: want one of them")
	case math.IsNaN(o.RealTime) || math.IsInf(o.RealTime, 0) || o.RealTime < 0 &&
		v.source["rtf"] != "default":
		return wrong("rtf", "0 for as fast as possible, or more")
	case o.Step < 0 || o.Step == 0 && v.source["step"] != "default":
		return wrong("step", "more than 0")
	case o.Workers < 0 || o.Workers > 64:
		return wrong("workers", "1 to 64, or 0 to choose by the machine")
	case o.Duration < 0:
		return wrong("duration", "more than 0")
	case o.View.Rewind < 0:
		return wrong("rewind", "0 for none, or more")
	case o.ROS.Domain < 0 || o.ROS.Domain > 232:
		return wrong("domain", "0 to 232")
	}
	if err := o.Log.UnmarshalText([]byte(v.text("log-level"))); err != nil || !plainLevel(o.Log) {
		return wrong("log-level", "debug, info, warn or error")
	}
	return nil
}

func plainLevel(l slog.Level) bool {
	return l == slog.LevelDebug || l == slog.LevelInfo || l == slog.LevelWarn || l == slog.LevelError
}

// discoveryRange is the discovery range of ROS 2 by its variables ROS_AUTOMATIC_DISCOVERY_RANGE and, where
// that is not set, ROS_LOCALHOST_ONLY.
func (s *session) discoveryRange() string {
	if r := strings.ToUpper(s.env("ROS_AUTOMATIC_DISCOVERY_RANGE")); r != "" {
		return r
	}
	if s.env("ROS_LOCALHOST_ONLY") == "1" {
		return "LOCALHOST"
	}
	return ""
}

// Start is the state to start in.
func (o Options) Start() sim.State {
	switch {
	case o.Stopped:
		return sim.Stopped
	case o.Paused:
		return sim.Paused
	}
	return sim.Playing
}

// Pace is the asked real-time factor in the engine's words, see
// engine.Config.RealTime.
func (o Options) Pace() float64 {
	switch {
	case o.RealTime < 0:
		return 0
	case o.RealTime == 0:
		return engine.AsFastAsPossible
	}
	return o.RealTime
}

// SearchPaths are the asked folders and those that other tools' variables
// name, each once and absolute.
func (o Options) SearchPaths() (asked, inherited []string) {
	add := func(to, dirs []string) []string {
		for _, dir := range dirs {
			abs, err := filepath.Abs(dir)
			if dir != "" && err == nil && !slices.Contains(asked, abs) && !slices.Contains(to, abs) {
				to = append(to, abs)
			}
		}
		return to
	}
	asked = add(nil, o.Path)
	for _, variable := range []string{"GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "AMENT_PREFIX_PATH",
		"ROS_PACKAGE_PATH"} {
		inherited = add(inherited, filepath.SplitList(os.Getenv(variable)))
	}
	return asked, inherited
}

// noTopics in place of the topics to record has none recorded.
const noTopics = "none"

// RecordsTopics reports that recordings hold topics.
func (o Options) RecordsTopics() bool { return !slices.Equal(o.Recording.Topics, []string{noTopics}) }

// Names of middlewares in ROS.RMW.
const (
	DDS   = "dds"
	Zenoh = "zenoh"
)

// maxZenohConfig bounds the file that ZENOH_SESSION_CONFIG_URI names, in octets.
const maxZenohConfig = 1 << 20

// middlewares are the names that --rmw and RMW_IMPLEMENTATION give, each once. Of the words of ROS 2
// rmw_zenoh_cpp is Zenoh, and every other implementation is one of DDS.
func middlewares(words []string) (all []string, err error) {
	for _, w := range words {
		name := w
		switch {
		case w == "rmw_zenoh_cpp":
			name = Zenoh
		case strings.HasPrefix(w, "rmw_"):
			name = DDS
		case w != DDS && w != Zenoh:
			return nil, fmt.Errorf("--rmw is %q: want dds, zenoh or dds,zenoh", w)
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all, nil
}

// Middleware is the name of the first that was asked for.
func (o ROS) Middleware() string {
	if len(o.RMW) == 0 {
		return DDS
	}
	return o.RMW[0]
}

// ZenohRouters are the endpoints to connect to: those of the command line, else those that parse finds in
// ZENOH_SESSION_CONFIG_URI's file and ZENOH_CONFIG_OVERRIDE.
func (o ROS) ZenohRouters(parse func(given []string, file, override string) ([]string, error)) ([]string,
	error) {
	file := ""
	if name := o.Zenoh.SessionConfig; name != "" && len(o.Routers) == 0 {
		b, err := readfile.All(name, maxZenohConfig)
		if err != nil {
			return nil, errors.Join(ErrUsage, fmt.Errorf("ZENOH_SESSION_CONFIG_URI: %w", err))
		}
		file = string(b)
	}
	all, err := parse(o.Routers, file, o.Zenoh.Override)
	if err != nil {
		return nil, Usage(err)
	}
	return all, nil
}

// ZenohVariables are those of the environment that nodes of rmw_zenoh_cpp obey.
type ZenohVariables struct {
	SessionConfig string // ZENOH_SESSION_CONFIG_URI, a file
	Override      string // ZENOH_CONFIG_OVERRIDE
}
