package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simdeck/ui/cli/store"
	"simdeck/ui/escape"
)

// Topics is the selection of topics of the ROS graph to record.
type Topics struct {
	Dir  string
	Want []string // names and patterns; none: all that tools list
	JSON bool     // the log is for programs
	Wall bool     // messages get the time of this machine, also where there is simulated time
}

// Recorded is the summary of a recording of topics.
type Recorded struct {
	Messages uint64
	Topics   int
	Lost     uint64
}

func (s *session) recordCommand() *cobra.Command {
	var t Topics
	var within time.Duration
	var asJSON *bool
	cmd := &cobra.Command{
		Use: "record DIR [TOPIC …]", Short: "Record topics of the ROS 2 graph, of any nodes, until interrupted",
		Args: cobra.MinimumNArgs(1),
		Long: "record subscribes topics and writes them into a folder that ros2 bag, Foxglove and simdeck take: an MCAP file with\n" +
			"the definitions of the types, and metadata.yaml. Without TOPIC it records all that tools list, those that show later\n" +
			"too. TOPIC is a name, or a pattern in which * stands for any characters and ? for one; with ! before it, it leaves\n" +
			"topics out. Messages get simulated time where /clock has a publisher.\n" +
			"A process that is killed leaves a folder that opens, up to its last second.\n" +
			"The commands and hashes that simdeck replay verifies are recorded where the simulation runs: with --record, or R in\n" +
			"the console.",
		Example: "  simdeck record monday\n  simdeck record monday /tf /tf_static '*/scan' --duration 30s\n  simdeck record monday '!*image*'",
		RunE: func(cmd *cobra.Command, args []string) error {
			t.Dir, t.Want, t.JSON = args[0], args[1:], *asJSON
			return s.record(cmd, t, within, *asJSON)
		},
	}
	declare(cmd.Flags(), graph|logged)
	cmd.Flags().BoolVar(&t.Wall, "wall-time", false,
		"give messages the time of this machine, not that on /clock")
	cmd.Flags().DurationVar(&within, "duration", 0,
		"time after which to end, of this machine (default when interrupted)")
	asJSON = withJSON(cmd.Flags())
	return cmd
}

func (s *session) record(cmd *cobra.Command, t Topics, within time.Duration, asJSON bool) error {
	o, _, err := s.options(cmd.Flags(), "")
	if err != nil {
		return err
	}
	o.Progress = progressOf(cmd)
	ctx := cmd.Context()
	switch {
	case within < 0:
		return fmt.Errorf("%w: --duration %v: want more than 0", ErrUsage, within)
	case within > 0:
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, within)
		defer stop()
	}
	r, err := s.Record(ctx, o, t)
	if err = store.Explain(err); errors.Is(err, store.ErrFull) {
		return fmt.Errorf("%w; recording stopped, %d messages lost", err, r.Lost)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return encode(cmd.OutOrStdout(), recordedJSON{t.Dir, r.Messages, r.Topics, r.Lost})
	}
	escape.Fprintln(cmd.OutOrStdout(), r.line(t.Dir))
	return nil
}

// line is the summary in a line.
func (r Recorded) line(dir string) string {
	var b strings.Builder
	escape.Fprintf(&b, "%s: %d messages of %d topics", dir, r.Messages, r.Topics)
	if r.Lost > 0 {
		escape.Fprintf(&b, "; %d were lost: see custom_data in its metadata.yaml", r.Lost)
	}
	return b.String()
}

// recordedJSON is the JSON of record.
type recordedJSON struct {
	Folder   string `json:"folder"`
	Messages uint64 `json:"messages"`
	Topics   int    `json:"topics"`
	Lost     uint64 `json:"lost"`
}
