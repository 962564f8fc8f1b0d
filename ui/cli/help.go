package cli

import (
	"encoding/json"
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
	"simdeck/ui/escape"
)

// headings are the subjects below which --help-all lists flags; settings that are in none are common.
var headings = []struct {
	title string
	keys  []string
}{
	{"Simulation", []string{"stopped", "step", "workers", "on-fault", "limits", "vehicle"}},
	{"Recording", []string{"record-topics", "trace", "rewind"}},
	{"ROS 2", []string{"each-namespace", "spawn-from", "legacy-gazebo", "interface", "peers"}},
	{"Simulation worker", []string{"worker", "report-path", "object-config", "webots-robot-name"}},
	{"Console", []string{"background", "symbols", "color", "pictures", "plain", "keymap"}},
	{"SSH", []string{"host-key", "max-startups", "login-grace", "max-penalty", "penalty-exempt",
		"strict-modes"}},
	{"Service", []string{"metrics", "log-level", "config"}},
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

// flagError makes an error about flags one of usage, with the flag that was meant.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return fmt.Errorf("%w: %w", ErrUsage, err)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	hint := ""
	if meant := scene.Suggest(unknown.GetSpecifiedName(), names); meant != "" {
		hint = fmt.Sprintf("; did you mean --%s?", meant)
	}
	return fmt.Errorf("%w: %w%s", ErrUsage, err, hint)
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
var ofWorlds = []string{"simdeck", "run", "serve", "shot", "bench", "check", "poses"}

// failure is an error in JSON, on stderr.
type failure struct {
	Error  string `json:"error"`
	Exit   int    `json:"exit"`
	Report string `json:"report,omitempty"` // file of the report on a fault of simdeck's own
}

// complain writes an error to stderr: a line for people, or an object when the command was asked for JSON.
func (s *session) complain(to io.Writer, cmd *cobra.Command, args []string, err error) {
	f := failure{Error: oneLine(err), Exit: ExitCode(err)}
	line := "simdeck: " + f.Error
	if lost(err) {
		file, wrong := writeReport(s.stateDir(), s.Version, args, err)
		if wrong == nil {
			f.Report, line = file, line+"; report: "+file
		} else {
			line += "; the report cannot be written: " + oneLine(wrong)
		}
	}
	if wantsJSON(cmd, args) {
		_ = json.NewEncoder(to).Encode(f) // nobody is left to tell
		return
	}
	escape.Fprintln(to, line)
}

// newSession is a session with the environment of this process.
func newSession(p Program, ros []string) *session {
	return &session{Program: p, rosArgs: ros, environ: os.Environ()}
}

// wantsJSON reports that a command has --json and that it was given. Where its flags were not read to their
// end, the words of the command line decide, without what stands behind a flag that takes a value.
func wantsJSON(cmd *cobra.Command, args []string) bool {
	if cmd == nil {
		return false
	}
	f := cmd.Flags().Lookup("json")
	if f == nil {
		return false
	}
	if f.Changed || cmd.Flags().Parsed() && len(cmd.Flags().Args()) > 0 {
		return f.Value.String() == "true"
	}
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if args[i] == "--json" || args[i] == "--json=true" {
			return true
		}
		name, isFlag := strings.CutPrefix(args[i], "--")
		if takes := cmd.Flags().Lookup(name); isFlag && takes != nil && takes.NoOptDefVal == "" {
			i++ // its value
		}
	}
	return false
}
