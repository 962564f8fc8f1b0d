package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// resultOK is Result.result of what was done.
const resultOK = 1

func (s *session) callCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "call SERVICE [FIELD=VALUE …]",
		Short: "Call a service of simulation_interfaces on any simulator",
		Long: "call asks a simulator on the ROS 2 graph, found by the type of its services: simdeck, Gazebo or another,\n" +
			"under any prefix, in the line of simulation_interfaces (2.x, 1.x, draft) that it announces.\n\n" +
			"Fields are those of the definition, with dots for nested ones; numbers may be nan, inf or the name of\n" +
			"a constant; lists are JSON; a word that begins with { is the whole request.\n" +
			"Services:" + wrapped(s.names(), 100, "  "),
		Example: "  simdeck call spawn_entity name=box entity_resource.uri=model://box initial_pose.pose.position.z=1\n" +
			"  simdeck call set_simulation_state state.state=paused\n" +
			"  simdeck call get_entities 'filters.tags.tags=[\"crate\"]' filters.tags.filter_mode=all --json",
		Args: cobra.MinimumNArgs(1), ValidArgsFunction: s.completeCall,
	}
	target := s.target(c, "", 0)
	asJSON := c.Flags().Bool("json", false, "the response as JSON, as it came")
	c.Flags().StringVar(&target.Line, "line", "",
		"speak this line: 2.x, 1.x or draft (default what the simulator announces)")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		t := *target
		t.Service = args[0]
		return s.attach(cmd, t, func(ctx context.Context, r Remote) error {
			a, err := r.Call(ctx, args[0], args[1:])
			if err != nil {
				return err
			}
			return printAnswer(cmd.OutOrStdout(), a, *asJSON)
		})
	}
	return c
}

// printAnswer writes the response, and gives an error when the simulator did
// not do what it was asked.
func printAnswer(out io.Writer, a Answer, asJSON bool) error {
	text := a.Text
	switch {
	case asJSON:
		text = string(a.JSON) + "\n"
	case a.Code != resultOK:
		text = ""
	case text == "":
		text = "OK\n"
	}
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	if a.Code == resultOK {
		return nil
	}
	why := a.Message
	if why == "" {
		why = "no reason given"
	}
	return fmt.Errorf("%s of %s: %s (%d): %s", a.Service, a.Simulator, a.Name, a.Code, why)
}

// names are the services that can be called.
func (s *session) names() []string {
	if s.Services == nil {
		return nil
	}
	return s.Services()
}

// completeCall completes the service, then fields that are not yet given.
func (s *session) completeCall(_ *cobra.Command, args []string, _ string) ([]string,
	cobra.ShellCompDirective) {
	if len(args) == 0 {
		return s.names(), cobra.ShellCompDirectiveNoFileComp
	}
	if s.Fields == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	given := map[string]bool{}
	for _, a := range args[1:] {
		name, _, _ := strings.Cut(a, "=")
		given[name] = true
	}
	var left []string
	for _, f := range s.Fields(args[0]) {
		if !given[f] {
			left = append(left, f+"=")
		}
	}
	return left, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// wrapped writes words with commas in lines of a width.
func wrapped(words []string, width int, indent string) string {
	var b strings.Builder
	column := width
	for i, w := range words {
		if i < len(words)-1 {
			w += ","
		}
		if column+1+len(w) > width {
			b.WriteString("\n" + indent)
			column = len(indent)
		} else {
			b.WriteString(" ")
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	return b.String()
}
