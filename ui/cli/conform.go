package cli

import (
	"context"

	"github.com/spf13/cobra"
)

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
