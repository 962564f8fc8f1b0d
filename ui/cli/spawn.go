package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/sim"
	"simdeck/sim/r3"
	"simdeck/sim/scene"
	"simdeck/ui/cli/worldfile"
	"simdeck/ui/readfile"
)

func (s *session) spawnCommand() *cobra.Command {
	var rename, inline bool
	var frame, namespace, keyframe string
	c := &cobra.Command{
		Use: "spawn URI [NAME] [X Y [Z [YAW]]]", Short: "Spawn a model, a file or what spawnables lists",
		Long: "spawn puts a model into the world. URI is what the simulator knows (see simdeck spawnables, or call\n" +
			"get_spawnables), or a file here; arguments of a .xacro file stand behind it as name:=value. Without NAME the simulator gives one. Metres and radians.",
		Example:            "  simdeck spawn model://box crate_1 1.5 -2 0.3\n  simdeck spawn ./robot.urdf --inline --frame dock",
		DisableFlagParsing: true, // or a negative number would be taken for a flag: see mixed
	}
	c.ValidArgsFunction = s.completing("get_spawnables", func(ctx context.Context, r Remote) (uris []string) {
		known, _ := r.Do(ctx, sim.ListSpawnables{}) // no answer, no completions
		if list, ok := known.(sim.Spawnables); ok {
			for _, m := range list.List {
				uris = append(uris, m.URI)
			}
		}
		return uris
	})
	c = s.onRemote(c, "spawn_entity", func(t *task) error {
		q, err := spawning(worldfile.WithArguments(t.args))
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUsage, err)
		}
		q.AllowRenaming = rename || q.Name == ""
		q.Namespace, q.Pose.Frame = namespace, frame
		uri, err := withKeyframe(q.Resource.URI, keyframe)
		if err != nil {
			return err
		}
		if q.Resource, err = local(uri, inline); err != nil {
			return err
		}
		r, err := t.Do(t.ctx, q)
		if err != nil {
			return suggestModel(t, q.Resource.URI, err)
		}
		name := q.Name
		if spawned, ok := r.(sim.Spawned); ok && spawned.Name != "" {
			name = spawned.Name
		}
		if name == "" {
			return t.say(done{Simulator: t.Title(), Did: "spawn"}, t.Title()+" has it, and gives no name")
		}
		return t.say(done{Simulator: t.Title(), Did: "spawn", Names: []string{name}},
			fmt.Sprintf("%s has %s", t.Title(), name))
	})
	c.Flags().BoolVar(&rename, "rename", false, "take another name when NAME is in use")
	c.Flags().BoolVar(&inline, "inline", false,
		"send the text of the file, for a simulator that cannot read it")
	c.Flags().StringVar(&frame, "frame", "",
		"entity, entity/link or named pose that the pose is relative to (default the world)")
	c.Flags().StringVar(&namespace, "entity-namespace", "", "namespace of the topics of a robot")
	c.Flags().StringVar(&keyframe, keyframeArg, "",
		"initial state of a MuJoCo file, the name of a <key> in it (default home, where there is one)")
	c.RunE = mixed(c.RunE, func(args []string) error {
		_, err := spawning(args)
		return err
	})
	return c
}

// suggestModel adds the model that was meant to the error of a spawn, when the simulator lists one.
func suggestModel(t *task, uri string, err error) error {
	if errors.Is(err, sim.ErrNameTaken) {
		return err
	}
	name := uri[strings.LastIndexByte(uri, '/')+1:]
	known, wrong := t.Do(t.ctx, sim.ListSpawnables{})
	list, ok := known.(sim.Spawnables)
	if wrong != nil || !ok || name == "" {
		return err
	}
	var names []string
	for _, m := range list.List {
		if m.URI == uri {
			return err // the model is known: something else is wrong
		}
		names = append(names, m.URI[strings.LastIndexByte(m.URI, '/')+1:])
	}
	return fmt.Errorf("%w%s", err, scene.DidYouMean(name, names))
}

var negative = regexp.MustCompile(`^-(\d|\.\d|[iI]nf)`)

// mixed lets flags and negative numbers stand in any order: pflag would take
// the numbers for flags.
func mixed(run func(*cobra.Command, []string) error, check func([]string) error) func(*cobra.Command,
	[]string) error {
	return func(cmd *cobra.Command, all []string) error {
		words := make([]string, len(all))
		for i, w := range all {
			if words[i] = w; negative.MatchString(w) {
				words[i] = minus + w[1:]
			}
		}
		err := cmd.Flags().Parse(words)
		if help, _ := cmd.Flags().GetBool("help"); help || errors.Is(err, pflag.ErrHelp) {
			return cmd.Help()
		}
		if err != nil {
			return cmd.FlagErrorFunc()(cmd, err)
		}
		args := cmd.Flags().Args()
		for i, w := range args {
			args[i] = strings.Replace(w, minus, "-", 1)
		}
		if err := positional(cobra.MinimumNArgs(1))(cmd, args); err != nil {
			return err
		}
		if err := check(args); err != nil {
			return Usage(err)
		}
		return run(cmd, args)
	}
}

// minus stands for the sign of a number while flags are looked for.
const minus = "\u2212"

// spawning reads URI, name and pose.
func spawning(args []string) (sim.Spawn, error) {
	var c sim.Spawn
	if len(args) == 0 || args[0] == "" {
		return c, errors.New("URI \"\": want the URI of a model or a file")
	}
	c.Resource.URI = args[0]
	rest := args[1:]
	if len(rest) > 0 {
		if _, err := strconv.ParseFloat(rest[0], 64); err != nil {
			c.Name, rest = rest[0], rest[1:]
		}
	}
	if len(rest) == 1 || len(rest) > 4 {
		return c, fmt.Errorf("pose %q: want X Y, X Y Z or X Y Z YAW", strings.Join(rest, " "))
	}
	var p [4]float64
	for i, word := range rest {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return c, fmt.Errorf("pose %q: want a number of metres or radians", word)
		}
		p[i] = f
	}
	c.Pose.Pose = r3.PoseRPY(p[0], p[1], p[2], 0, 0, p[3])
	return c, nil
}

// local makes a file here known by its full path, or sends its text.
func local(uri string, inline bool) (sim.Resource, error) {
	file, query := macroFile(uri)
	info, err := os.Stat(file)
	if inline && query != "" {
		return sim.Resource{}, fmt.Errorf("%w: --inline with the arguments %s: want a file without arguments", ErrUsage,
			query)
	}
	if err != nil || info.IsDir() {
		if inline {
			return sim.Resource{}, fmt.Errorf("%w: --inline %q: want a file on this machine", ErrUsage, uri)
		}
		return sim.Resource{URI: uri}, nil
	}
	if inline {
		text, err := readfile.All(uri, mostModel)
		return sim.Resource{Document: string(text)}, err
	}
	full, err := filepath.Abs(file)
	return sim.Resource{URI: full + query}, err
}
