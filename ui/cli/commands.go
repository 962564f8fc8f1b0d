package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim/scene"
	"simdeck/ui/cli/help"
	"simdeck/ui/cli/worldfile"
	"simdeck/ui/escape"
	"simdeck/ui/keymap"
)

// localGroup heads the commands that work here.
const localGroup = "local"

// newRoot builds the tree of commands.
func newRoot(s *session) *cobra.Command {
	root := &cobra.Command{
		Use:   "simdeck [WORLD …]",
		Short: "A robot simulator in your terminal that speaks ROS 2",
		Long: "simdeck opens a world in the console and serves it to ROS 2; without WORLD, the demo.\n" +
			"WORLD is a file or a URI; arguments of a .xacro file stand behind it as name:=value. Every flag is also a key of simdeck.yaml and an environment\n" +
			"variable: --log-level is log-level: there and SIMDECK_LOG_LEVEL here. What stands after\n" +
			"--ros-args goes to the ROS node as in any other: -r __ns:=/lab, -p use_sim_time:=true.\n" +
			exitCodeHelp(),
		Args: cobra.ArbitraryArgs, Version: s.Version, SilenceErrors: true, SilenceUsage: true,
	}
	root.SetFlagErrorFunc(flagError)
	declare(root.Flags(), simulate|view|past|several)
	root.PersistentFlags().Bool(quietFlag, false, "print no progress on stderr")
	root.AddGroup(&cobra.Group{ID: localGroup, Title: "Commands:"})
	root.SetCompletionCommandGroupID(localGroup)
	root.SetHelpCommand(helpCommand())
	help.Install(root)
	if s.Console != nil {
		root.RunE = func(cmd *cobra.Command, args []string) error {
			if err := s.typo(cmd, args); err != nil {
				return err
			}
			return s.start(cmd, args, s.Console)
		}
	}
	if s.Console != nil {
		root.AddCommand(tourCommand(s))
	}
	if s.Run != nil {
		root.AddCommand(s.runCommand(), s.workersCommand())
	}
	if s.Serve != nil {
		root.AddCommand(s.serveCommand())
	}
	if s.Library != nil {
		root.AddCommand(append(s.listCommands(), s.replayCommand(), s.bisectCommand(), s.sweepCommand(),
			s.runOfSweepCommand())...)
	}
	if s.Wants != nil {
		root.AddCommand(fetchCommand(s))
	}
	if s.Viewers != nil {
		root.AddCommand(s.viewersCommand())
	}
	if s.Record != nil {
		root.AddCommand(s.recordCommand())
	}
	if s.Shot != nil {
		root.AddCommand(s.shotCommand())
	}
	if s.Bench != nil {
		root.AddCommand(s.benchCommand())
	}
	if s.Attach != nil {
		root.AddGroup(&cobra.Group{ID: remoteGroup, Title: "Commands for any simulator on the ROS 2 graph:"})
		if s.Far != nil {
			root.AddCommand(s.attachCommand())
		}
		root.AddCommand(s.remoteCommands()...)
		if s.Conform != nil {
			root.AddCommand(s.conformCommand())
		}
	}
	if s.Doctor != nil {
		root.AddCommand(s.doctorCommand())
	}
	root.AddCommand(s.configCommand(), s.keysCommand(), s.manCommand(), s.versionCommand())
	for _, c := range root.Commands() {
		if c.GroupID == "" {
			c.GroupID = localGroup
		}
	}
	addCompletion(root)
	root.InitDefaultHelpCmd()
	exemplify(root)
	for _, c := range append(root.Commands(), root) {
		head(c.Flags())
		if slices.Contains(ofWorlds, c.Name()) && c.RunE != nil {
			s.suggestWorlds(c)
		}
	}
	wordMisuse(root)
	return root
}

// typo tells a command that was mistyped from the name of a world.
func (s *session) typo(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || strings.ContainsAny(args[0], "/.:") {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil || s.IsShipped != nil && s.IsShipped(args[0]) {
		return nil
	}
	if hint := scene.DidYouMean(args[0], commandNames(cmd)); hint != "" {
		return fmt.Errorf("%w: %q is neither a command nor a file%s", ErrUsage, args[0], hint)
	}
	return nil
}

func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}

// world makes what the user asks for of a world's file and what stands behind it.
func (s *session) world(cmd *cobra.Command, args []string) (Options, *values, error) {
	worlds := worldfile.WithArguments(args)
	o, v, err := s.options(cmd.Flags(), first(worlds))
	if err != nil {
		return o, v, err
	}
	if cmd.Flags().Changed(keyframeArg) && len(worlds) == 0 {
		return o, v, fmt.Errorf("%w: --%s without a world: want a file of MuJoCo, NAME.xml", ErrUsage, keyframeArg)
	}
	o.Progress = progressOf(cmd)
	o.Each, err = s.each(cmd.Flags(), worlds, v, &o)
	for i := range o.Each {
		o.Each[i].Progress = o.Progress
	}
	return o, v, err
}

func (s *session) start(cmd *cobra.Command, args []string, f func(context.Context, Options) error) error {
	o, _, err := s.world(cmd, args)
	if err == nil {
		err = fetchFirst(s, cmd, &o)
	}
	if err != nil {
		return err
	}
	return f(cmd.Context(), o)
}

// tourCommand opens the demo with the tour.
func tourCommand(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use: "tour", Short: "Show the console to who sees it first, in five steps", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.start(cmd, args, func(ctx context.Context, o Options) error {
				o.View.Tour = true
				return s.Console(ctx, o)
			})
		},
	}
	declare(cmd.Flags(), simulate|view|past)
	return cmd
}

func (s *session) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "run [WORLD …]", Short: "Run a world, or several, without a console, logging to stderr",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return s.start(cmd, args, s.Run) },
	}
	declare(cmd.Flags(), simulate|several)
	cmd.Flags().Bool("headless", true, "no console, which run never has")
	return cmd
}

func (s *session) shotCommand() *cobra.Command {
	var shot Shot
	var size string
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "shot [WORLD]", Short: "Draw the console as PNG, SVG, text or a GIF in motion, or what a camera sees as PNG or GIF",
		Args: oneWorld,
		Long: "shot simulates for a while and draws a frame of the console: as a picture into FILE.png or FILE.svg, as text into FILE.txt, as\n" +
			"text with its colours into FILE.ansi.\n" +
			"With --camera it writes what a camera sees as a PNG: of a sensor, as entity/sensor or by either\n" +
			"where that is enough, or of a free one at \"x y z roll pitch yaw\" with --size in pixels.\n" +
			"With --video 10s it films the console, or with --camera what the camera sees, for ten seconds into FILE.gif. --press then is a list of words with blanks between: a key or an action\n" +
			"is pressed, up:2s holds the key up for two seconds, 1s waits for one.\n" +
			"--scenario plays a scenario from the start, which drives, moves joints and spawns.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("out") {
				shot.File = "simdeck." + formats(shot)[0]
			}
			if shot.Camera != "" && !cmd.Flags().Changed("size") {
				size = "640x480"
			}
			if _, err := fmt.Sscanf(size, "%dx%d", &shot.Width, &shot.Height); err != nil || !sized(shot) {
				return fmt.Errorf("%w: --size %q: want columns and rows like 120x40, from 40x10 to 500x300, or for a camera pixels up to 4096x4096",
					ErrUsage, size)
			}
			if !slices.Contains(formats(shot), shot.Format()) {
				return fmt.Errorf("%w: --out %q: want a file that ends in .%s", ErrUsage, shot.File,
					strings.Join(formats(shot), ", ."))
			}
			return s.start(cmd, args, func(ctx context.Context,
				o Options) error {
				err := s.Shot(ctx, o, shot)
				if err == nil && *asJSON {
					err = encode(cmd.OutOrStdout(), shotJSON{shot.File, shot.Format()})
				}
				return err
			})
		},
	}
	declare(cmd.Flags(), simulate|view|past)
	asJSON = withJSON(cmd.Flags())
	cmd.Flags().StringVar(&shot.Camera, "camera", "",
		"whose picture to take: entity/sensor, or \"x y z roll pitch yaw\"")
	cmd.Flags().StringVar(&size, "size", "120x40", "columns and rows; pixels of a free camera")
	cmd.Flags().StringVar(&shot.File, "out", "simdeck.svg", "file to write")
	cmd.Flags().StringVar(&shot.Press, "press", "",
		"actions to run before, by name, like view.camera,view.zoom; of a video, keys and times as well")
	cmd.Flags().DurationVar(&shot.Video, "video", 0,
		"film the console or the camera for so long, from 100ms to 2m, into a GIF")
	cmd.Flags().StringVar(&shot.Scenario, "scenario", "", "scenario to play from the start (docs/sweeps.md)")
	cmd.Flags().DurationVar(&shot.After, "after", 5*time.Second, "simulated time at which to draw")
	return cmd
}

// Actions are the names of those to run before the picture is drawn.
func (s Shot) Actions() []string {
	return strings.FieldsFunc(s.Press, func(r rune) bool { return r == ',' || r == ' ' })
}

// Format is the file format of the picture.
func (s Shot) Format() string { return strings.TrimPrefix(filepath.Ext(s.File), ".") }

// formats are the file formats of a picture of the console, or of a camera's.
func formats(s Shot) []string {
	switch {
	case s.Video != 0:
		return []string{"gif"}
	case s.Camera != "":
		return []string{"png"}
	}
	return []string{"svg", "png", "txt", "ansi"}
}

func sized(s Shot) bool {
	if s.Camera != "" {
		return s.Width >= 1 && s.Width <= 4096 && s.Height >= 1 && s.Height <= 4096
	}
	return s.Width >= 40 && s.Width <= 500 && s.Height >= 10 && s.Height <= 300
}

func (s *session) configCommand() *cobra.Command {
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "config", Short: "Print the settings as they hold, and where each came from", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, v, err := s.options(cmd.Flags(), "")
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			list := []settingJSON{}
			for _, set := range settings() {
				value := strings.Trim(v.text(set.key), "[]")
				if set.key == "rtf" && v.source["rtf"] == "default" ||
					(set.key == "step" || set.key == "duration") && value == "0s" {
					value = ""
				}
				if *asJSON {
					list = append(list, settingJSON{set.key, value, v.source[set.key]})
					continue
				}
				escape.Fprintf(out, "%-12s %-24s # %s\n", set.key+":", value, v.source[set.key])
			}
			if *asJSON {
				return encode(out, list)
			}
			if v.file == "" {
				escape.Fprintf(out, "# no %s/simdeck.yaml\n", s.configDir())
			}
			return nil
		},
	}
	declare(cmd.Flags(), simulate|view|past|ssh|several)
	asJSON = withJSON(cmd.Flags())
	return cmd
}

func (s *session) keysCommand() *cobra.Command {
	var markdown bool
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "keys", Short: "Print the keys of the console, yours included", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, err := s.resolve(cmd.Flags())
			if err != nil {
				return err
			}
			m, err := s.readKeymap(v.text("keymap"))
			if err != nil {
				return err
			}
			if *asJSON {
				return encode(cmd.OutOrStdout(), bindingsJSON(m))
			}
			print := keymap.Text
			if markdown {
				print = keymap.Markdown
			}
			_, err = io.WriteString(cmd.OutOrStdout(), print(m))
			return err
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "as a table for documents")
	asJSON = withJSON(cmd.Flags())
	cmd.Flags().String("keymap", "", "your own keys")
	cmd.Flags().String("config", "", "configuration file")
	return cmd
}

// settingJSON is a setting in the JSON of config.
type settingJSON struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// bindingJSON is an action in the JSON of keys.
type bindingJSON struct {
	Context     string   `json:"context"`
	Action      string   `json:"action"`
	Keys        []string `json:"keys"`
	Description string   `json:"description"`
}

func bindingsJSON(m *keymap.Map) []bindingJSON {
	all := []bindingJSON{}
	for _, b := range m.Bindings() {
		all = append(all, bindingJSON{string(b.Context), b.Action, slices.Concat([]string{}, b.Keys),
			b.Comment})
	}
	return all
}

// shotJSON is the JSON of shot.
type shotJSON struct {
	File   string `json:"file"`
	Format string `json:"format"`
}
