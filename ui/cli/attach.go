package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

// attachCommand opens the console on a simulator elsewhere, or on all of them.
func (s *session) attachCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "attach", Short: "Open the console on any simulator that serves simulation_interfaces",
		Args: cobra.NoArgs,
		Long: "attach shows a simulator on the ROS 2 graph in the console, simdeck or another, found by what it\n" +
			"serves, under any prefix, in the 1.x or 2.x line. What it does not serve is off, with the reason.\n" +
			"When it restarts, the console is there again. Leaving the console leaves the simulator running.\n\n" +
			"With --all it shows a table of every simulator on the graph: what each does, where, and whether it\n" +
			"is still there. Several are paused or run at once, and each can be opened in a console of its own.",
		Example: "  simdeck attach\n  simdeck attach --node /robot1/simdeck\n  simdeck attach --all\n  simdeck attach --all --json",
	}
	target := s.target(cmd, "", view|logged)
	all := cmd.Flags().Bool("all", false, "a table of every simulator on the graph")
	asJSON := cmd.Flags().Bool("json", false, "with --all: print the table once, as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case *asJSON && !*all:
			return fmt.Errorf("%w: --json goes with --all; simdeck list --json lists the entities of one simulator",
				ErrUsage)
		case *all && target.Node != "":
			return fmt.Errorf("%w: --all shows every simulator, --node %s one of them: give one of the two",
				ErrUsage, target.Node)
		}
		return s.onGraph(cmd, *target, func(ctx context.Context, o Options) error {
			switch {
			case *asJSON:
				return s.Fleet(ctx, o, *target, tableOnce(cmd.OutOrStdout(), target.Timeout))
			case *all:
				return s.Fleet(ctx, o, *target, nil)
			}
			return s.Far(ctx, o, *target)
		})
	}
	return cmd
}
