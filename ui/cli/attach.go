package cli

import (
	"context"

	"github.com/spf13/cobra"
)

// attachCommand opens the console on a simulator elsewhere.
func (s *session) attachCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "attach", Short: "Open the console on any simulator that serves simulation_interfaces", Args: cobra.NoArgs,
		Long: "attach shows a simulator on the ROS 2 graph in the console, simdeck or another, found by what it\n" +
			"serves, under any prefix, in the 1.x or 2.x line. What it does not serve is off, with the reason.\n" +
			"When it restarts, the console is there again. Leaving the console leaves the simulator running.",
	}
	target := s.target(cmd, "", view|logged)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return s.onGraph(cmd, *target, func(ctx context.Context, o Options) error { return s.Far(ctx, o, *target) })
	}
	return cmd
}
