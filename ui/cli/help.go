package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/sim/scene"
	"simdeck/ui/cli/help"
)

// headings are the subjects below which --help-all lists flags; settings that are in none are common.
var headings = []struct {
	title string
	keys  []string
}{
	{"Simulation", []string{"stopped", "step", "workers", "on-fault", "limits", "vehicle", "assets",
		"fetch"}},
	{"Recording", []string{"record-topics", "trace", "rewind"}},
	{"ROS 2", []string{"each-namespace", "spawn-from", "legacy", "habits", "services-namespace",
		"single-robot", "lockstep", "lockstep-timeout", "lockstep-late", "interface", "peers"}},
	{"Simulation worker", []string{"worker", "report-path", "object-config"}},
	{"Webots", []string{"webots-controllers", "run-controllers", "webots-patience", "webots-library",
		"webots-robot-name"}},
	{"Autopilots", []string{"autopilot", "autopilot-address", "autopilot-patience"}},
	{"Console", []string{"background", "symbols", "color", "pictures", "picture-glyphs", "plain", "keymap"}},
	{"SSH", []string{"host-key", "max-startups", "login-grace", "max-penalty", "penalty-exempt",
		"strict-modes"}},
	{"Service", []string{"metrics", "viewers", "viewers-names", "log-level", "config"}},
}

// head puts the flags of a command below their headings.
func head(f *pflag.FlagSet) {
	for _, h := range headings {
		for _, key := range h.keys {
			help.Under(f, key, h.title)
		}
	}
}

// helpCommand is help with an exit code for a command that is not there.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show help for a command", GroupID: localGroup,
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := commandOf(cmd.Root(), args)
			if err != nil {
				return err
			}
			c.InitDefaultHelpFlag()
			c.InitDefaultVersionFlag()
			return c.Help()
		},
	}
}

// manCommand prints manual pages.
func (s *session) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man [COMMAND]", Short: "Print a manual page, for man -l -",
		Example:           "  simdeck man run | man -l -\n  simdeck man > simdeck.1",
		ValidArgsFunction: completeCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := commandOf(cmd.Root(), args)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), help.Man(c, s.Version))
			return err
		},
	}
}

// commandOf is the command that words name, the root without words.
func commandOf(root *cobra.Command, words []string) (*cobra.Command, error) {
	c := root
	for _, w := range words {
		i := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == w })
		if i < 0 {
			return nil, fmt.Errorf("%w: no command %q%s; simdeck help lists them", ErrUsage, w,
				scene.DidYouMean(w, commandNames(c)))
		}
		c = c.Commands()[i]
	}
	return c, nil
}

func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}

func completeCommands(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
}

// suggestWorlds makes the commands that open worlds ask for the world that was meant, when none has the name.
func (s *session) suggestWorlds(c *cobra.Command) {
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil || !errors.Is(err, scene.ErrNotFound) || s.Library == nil {
			return err
		}
		for _, name := range args {
			if strings.ContainsAny(name, "/.:") || !strings.Contains(err.Error(), name) {
				continue
			}
			o, _, wrong := s.options(cmd.Flags(), "")
			if wrong != nil {
				break
			}
			lib, _, wrong := s.Library(o)
			if wrong != nil {
				break
			}
			var names []string
			list, _ := lib.Worlds(nil)
			for _, w := range list {
				names = append(names, w.Name)
			}
			return fmt.Errorf("%w%s; simdeck worlds lists them", err, scene.DidYouMean(name, names))
		}
		return err
	}
}

// ofWorlds are the commands whose arguments are worlds.
var ofWorlds = []string{"simdeck", "run", "serve", "shot", "benchmark", "check", "poses", "fetch"}

// newSession is a session with the environment of this process.
func newSession(p Program, ros []string) *session {
	return &session{Program: p, rosArgs: ros, environ: os.Environ()}
}

// shells are the shells that have completions.
var shells = []struct {
	name  string
	print func(root *cobra.Command, out io.Writer, described bool) error
}{
	{"bash", (*cobra.Command).GenBashCompletionV2},
	{"fish", (*cobra.Command).GenFishCompletion},
	{"powershell", func(root *cobra.Command, out io.Writer, described bool) error {
		if described {
			return root.GenPowerShellCompletionWithDesc(out)
		}
		return root.GenPowerShellCompletion(out)
	}},
	{"zsh", func(root *cobra.Command, out io.Writer, described bool) error {
		if described {
			return root.GenZshCompletion(out)
		}
		return root.GenZshCompletionNoDesc(out)
	}},
}

// addCompletion adds cobra's command that prints completions. Without a shell that it knows it says which
// there are, and each prints where the other commands do.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
		if c, _, err := root.Find([]string{"completion", s.name}); err == nil {
			c.RunE = func(cmd *cobra.Command, _ []string) error {
				bare, _ := cmd.Flags().GetBool("no-descriptions")
				return s.print(cmd.Root(), cmd.OutOrStdout(), !bare)
			}
		}
	}
	c, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	c.Use, c.Args = "completion SHELL", cobra.ArbitraryArgs
	c.Short = "Print the completions of commands and flags for a shell"
	c.RunE = func(_ *cobra.Command, args []string) error { // a shell is a command of its own
		if len(args) == 0 {
			return fmt.Errorf("%w: missing argument SHELL: want %s", ErrUsage, strings.Join(names, ", "))
		}
		return fmt.Errorf("%w: shell %q: want %s", ErrUsage, args[0], strings.Join(names, ", "))
	}
}

// examples are lines that show what a command is for, where the command has none of its own. Tests read them,
// too.
var examples = map[string]string{
	"simdeck":    "  simdeck warehouse --paused\n  simdeck\n  simdeck robot.urdf.xacro arm:=left\n  simdeck my.sdf --namespace /lab --domain 7",
	"tour":       "  simdeck tour\n  simdeck tour --no-ros",
	"run":        "  simdeck run my.sdf --rtf 0 --duration 60s\n  simdeck run warehouse --no-ros --record monday\n  simdeck run a.sdf b.sdf --each-namespace\n  simdeck run my.sdf --metrics 9100 --viewers 23280",
	"serve":      "  simdeck serve warehouse --keys operators\n  simdeck serve my.sdf --listen 127.0.0.1:23234 --sessions 4 --idle 30m",
	"shot":       "  simdeck shot warehouse --after 2s --out warehouse.png\n  simdeck shot --camera scout/camera --out seen.png\n  simdeck shot --press view.camera --size 100x30 --out frame.txt\n  simdeck shot warehouse --after 0s --video 5s --press 'D up:2s esc' --out drive.gif",
	"check":      "  simdeck check robot.urdf world.sdf\n  simdeck check --strict robot.urdf\n  simdeck check --write-info models/*.sdf",
	"attach":     "  simdeck attach\n  simdeck attach --node gz_server\n  simdeck attach --peers robot-7 --read-only",
	"doctor":     "  simdeck doctor\n  simdeck doctor --interface eth0 --domain 7",
	"worlds":     "  simdeck worlds\n  simdeck worlds --path ~/worlds --json",
	"spawnables": "  simdeck spawnables --path ~/robots\n  simdeck spawnables --json",
	"poses":      "  simdeck poses warehouse\n  simdeck poses my.sdf --json",
	"list":       "  simdeck list\n  simdeck list --node /lab/simdeck --json",
	"step":       "  simdeck step 250\n  simdeck pause && simdeck step 250",
	"reset":      "  simdeck reset\n  simdeck reset time state",
	"delete":     "  simdeck delete crate_1 crate_2",
	"config":     "  simdeck config\n  SIMDECK_RTF=2 simdeck config",
	"keys":       "  simdeck keys\n  simdeck keys --markdown",
	"version":    "  simdeck version\n  simdeck version --json",
	"help":       "  simdeck help run",
	"completion": "  simdeck completion bash",
	"bash":       "  simdeck completion bash",
	"zsh":        "  simdeck completion zsh",
	"fish":       "  simdeck completion fish",
	"powershell": "  simdeck completion powershell",
	runOfSweep:   "  simdeck sweep-run --path worlds",
}

// exemplify gives a command and those under it the examples that they lack.
func exemplify(c *cobra.Command) {
	if c.Example == "" {
		c.Example = examples[c.Name()]
	}
	for _, child := range c.Commands() {
		exemplify(child)
	}
}
