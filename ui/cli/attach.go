package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
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
			return fmt.Errorf("%w: --json without --all: want both; simdeck list --json lists the entities of one simulator",
				ErrUsage)
		case *all && target.Node != "":
			return fmt.Errorf("%w: --all and --node %s: want one of them", ErrUsage, target.Node)
		}
		return s.onGraph(cmd, *target, func(ctx context.Context, o Options) error {
			switch {
			case *asJSON:
				return s.Fleet(ctx, o, *target, tableOnce(cmd.OutOrStdout(), target.Timeout))
			case *all:
				return s.Fleet(ctx, o, *target, nil)
			}
			found := wait(cmd, fmt.Sprintf("Looking for a simulator on domain %d", o.ROS.Domain))
			defer found()
			return s.Far(ctx, o, *target, found)
		})
	}
	return cmd
}

// fleetMember is a row of the fleet as JSON. Unknown values are left out.
type fleetMember struct {
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	World    string    `json:"world,omitempty"`
	State    string    `json:"state,omitempty"`
	Time     *float64  `json:"time,omitempty"`   // simulated, s
	Factor   *float64  `json:"factor,omitempty"` // simulated seconds in a second
	Entities *int      `json:"entities,omitempty"`
	Seen     time.Time `json:"seen"`
	Lost     bool      `json:"lost"`
	Fault    string    `json:"fault,omitempty"`
}

// Time within which a table that is printed once must be complete.
const (
	fleetShows   = 5 * time.Second
	fleetSettles = 1500 * time.Millisecond // nothing new for so long
)

// tableOnce prints what there is as soon as nothing new shows, or the time is up.
func tableOnce(out io.Writer, within time.Duration) func(context.Context, sim.Fleet) error {
	return func(ctx context.Context, f sim.Fleet) error {
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(within, fleetShows))
		defer cancel()
		settleFleet(ctx, f)
		list := []fleetMember{}
		for _, m := range f.Members() {
			list = append(list, tabled(&m))
		}
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
}

// settleFleet waits until those that are there have told all, and no more come.
func settleFleet(ctx context.Context, f sim.Fleet) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var known []string
	news := time.Now()
	for {
		var now []string
		for _, m := range f.Members() {
			now = append(now, m.ID, m.World, m.State.String())
			if m.State == sim.Playing && m.Factor < 0 && m.Entities > 0 { // it takes two looks
				now = append(now, time.Now().String())
			}
		}
		if !slices.Equal(now, known) {
			known, news = now, time.Now()
		}
		if len(known) > 0 && time.Since(news) > fleetSettles {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func tabled(m *sim.Member) fleetMember {
	r := fleetMember{Name: m.Name, Host: m.Host, World: m.World, Seen: m.Seen.UTC().Round(time.Millisecond),
		Lost: m.Lost, Fault: m.Fault}
	if m.State != sim.Unknown {
		r.State = m.State.String()
	}
	if m.Factor >= 0 {
		r.Factor = &m.Factor
	}
	if m.Entities >= 0 {
		r.Entities = &m.Entities
	}
	if m.Timed {
		at := m.Time.Seconds()
		r.Time = &at
	}
	return r
}
