package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/ui/escape"
)

// Remote is a simulator somewhere on the ROS graph, simdeck or another.
type Remote interface {
	// Title is its name on the graph.
	Title() string
	// Do carries out a command as a sim.Backend does.
	Do(ctx context.Context, c sim.Command) (sim.Reply, error)
	// Entities lists the entities whose names match a filter, with the simulated time.
	Entities(ctx context.Context, filter string) (time.Duration, []Entity, error)
	// Call calls a service of simulation_interfaces with "field=value" words.
	Call(ctx context.Context, service string, fields []string) (Answer, error)
}

// Entity is one of a Remote's; State is nil when it does not tell.
type Entity struct {
	Name  string
	State *sim.EntityState
}

// Answer is the response of a service.
type Answer struct {
	Simulator string // its node
	Service   string // full name
	Line      string // of simulation_interfaces, in which it was called
	Code      uint8  // its result
	Name      string // of the code
	Message   string // the error_message
	JSON      []byte // the response as it came
	Text      string // the response without its result, for people
}

// Target says which simulator is meant.
type Target struct {
	Node    string        // its name on the graph; "": the only one
	Service string        // that it must serve
	Line    string        // of simulation_interfaces to speak; "": what it announces
	Timeout time.Duration // for finding it and for an answer; 0: the defaults
}

// task is a command at work on a simulator.
type task struct {
	Remote
	ctx  context.Context
	out  io.Writer
	args []string
	json bool
}

// say prints a line for people, or a value as JSON.
func (t *task) say(value any, line string) error {
	if t.json {
		return json.NewEncoder(t.out).Encode(value)
	}
	_, err := escape.Fprintln(t.out, line)
	return err
}

// done is the result of the everyday commands in JSON.
type done struct {
	Simulator string   `json:"simulator"`
	Did       string   `json:"did"`
	Names     []string `json:"names,omitempty"`
	Steps     uint64   `json:"steps,omitempty"`
	Time      *float64 `json:"time,omitempty"` // simulated, s
}

// remoteGroup heads these commands in the help.
const remoteGroup = "remote"

// remoteCommands are the commands for any simulator of the graph.
func (s *session) remoteCommands() []*cobra.Command {
	return []*cobra.Command{
		s.callCommand(),
		s.stateCommand("play", sim.Playing, "Let simulated time run"),
		s.stateCommand("pause", sim.Paused, "Hold simulated time"),
		s.stateCommand("stop", sim.Stopped, "Hold simulated time and reset everything"),
		s.stepCommand(), s.resetCommand(), s.spawnCommand(), s.deleteCommand(), s.listCommand(),
	}
}

// onRemote makes c a command that works on a simulator which serves service.
func (s *session) onRemote(c *cobra.Command, service string, work func(*task) error) *cobra.Command {
	target := s.target(c, service, 0)
	asJSON := c.Flags().Bool("json", false, "as JSON")
	if c.ValidArgsFunction == nil && c.ValidArgs == nil {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		return s.attach(cmd, *target, func(ctx context.Context, r Remote) error {
			answered := wait(cmd, "Waiting for "+r.Title())
			defer answered()
			return work(&task{Remote: r, ctx: ctx, out: endingWait{cmd.OutOrStdout(), answered}, args: args,
				json: *asJSON})
		})
	}
	return c
}

// completionMayTake is the time limit of completing names after a tab.
const completionMayTake = time.Second

// completing completes arguments by what a simulator knows.
func (s *session) completing(service string,
	know func(context.Context, Remote) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		t := Target{Service: service, Timeout: completionMayTake}
		if node := cmd.Flags().Lookup("node"); node != nil {
			t.Node = node.Value.String()
		}
		var left []string
		err := s.attach(cmd, t, func(ctx context.Context, r Remote) error {
			for _, name := range know(ctx, r) {
				// none that a shell would take for more
				if !slices.Contains(args, name) && escape.Line(name) == name {
					left = append(left, name)
				}
			}
			return nil
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return left, cobra.ShellCompDirectiveNoFileComp
	}
}

// target declares the flags that say which simulator is meant, and those of more
// groups.
func (s *session) target(c *cobra.Command, service string, more group) *Target {
	t := &Target{Service: service}
	declare(c.Flags(), graph|more)
	c.Flags().StringVar(&t.Node, "node", "", "node or prefix of the simulator, where there are several")
	c.Flags().DurationVar(&t.Timeout, "timeout", 0,
		"how long to look for the simulator and to wait for an answer\n(default 5s and 30s; what can last may)")
	c.GroupID = remoteGroup
	return t
}

// attach looks for a simulator and works on it.
func (s *session) attach(cmd *cobra.Command, t Target, work func(context.Context, Remote) error) error {
	return s.onGraph(cmd, t, func(ctx context.Context,
		o Options) error {
		found := func() {}
		if t.Timeout != completionMayTake {
			found = wait(cmd, fmt.Sprintf("Looking for a simulator on domain %d", o.ROS.Domain))
		}
		defer found()
		return s.Attach(ctx, o.ROS, t, func(ctx context.Context, r Remote) error {
			found()
			return work(ctx, r)
		})
	})
}

// onGraph does something about a simulator of the graph, with what the flags say.
func (s *session) onGraph(cmd *cobra.Command, t Target, do func(context.Context, Options) error) error {
	o, _, err := s.options(cmd.Flags(), "")
	if err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	err = do(cmd.Context(), o)
	if err != nil && cmd.Context().Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

func (t Target) check() error {
	if t.Timeout < 0 {
		return fmt.Errorf("%w: --timeout %v: want more than 0", ErrUsage, t.Timeout)
	}
	return nil
}

// Conform is the options of the conformance suite.
type Conform struct {
	Decisions bool   // print those of simdeck, and test nothing
	JSON      bool   // instead of a table
	JUnit     string // file to write; empty: none
	Gentle    bool   // only checks whose effects can be undone
	Quit      bool   // the simulator may be ended
	Only      string // regular expression over the names of checks
	Model     string // URI to spawn in tests; empty: a box
}

func (s *session) conformCommand() *cobra.Command {
	var c Conform
	cmd := &cobra.Command{
		Use: "conform", Short: "Test whether a simulator does what simulation_interfaces says",
		Args: cobra.NoArgs,
		Long: "conform tests every row of the standard that can be seen from outside, on any simulator. What it does not\n" +
			"advertise is skipped; what it does otherwise than simdeck where the standard is silent differs and is no fault.\n" +
			"It deletes what it spawns and brings state and world back; simulated time and poses go with the reset tests,\n" +
			"which --gentle leaves out. It fails (exit code 1) when a check does.",
		Example: "  simdeck conform --node gz_server --junit gazebo.xml\n  simdeck conform --only '^(spawn|refuse)' --gentle\n  simdeck conform --decisions",
	}
	target := s.target(cmd, "", 0)
	f := cmd.Flags()
	f.BoolVar(&c.JSON, "json", false, "as JSON")
	f.StringVar(&c.JUnit, "junit", "", "file to write a JUnit report to, for CI")
	f.BoolVar(&c.Decisions, "decisions", false,
		"print what simdeck does where the standard is silent, and test nothing")
	f.BoolVar(&c.Gentle, "gentle", false, "test only what can be put back: no reset, no stop, no loading")
	f.BoolVar(&c.Quit, "quit", false, "test that it quits, too: this ends the simulator")
	f.StringVar(&c.Only, "only", "", "test only what this regular expression finds, like '^step'")
	f.StringVar(&c.Model, "model", "",
		"URI of the model to spawn in tests (default a box, or the first spawnable)")
	f.StringVar(&target.Line, "line", "",
		"speak this line: 2.x, 1.x or draft (default what the simulator announces)")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return s.onGraph(cmd, *target, func(ctx context.Context, o Options) error {
			tested := wait(cmd, "Testing a simulator")
			defer tested()
			return s.Conform(ctx, o.ROS, *target, c, endingWait{cmd.OutOrStdout(), tested})
		})
	}
	return cmd
}
