// Package help prints what commands and flags are for: on a screen, and as a manual page.
package help

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// All is the name of the flag that asks for every flag.
const All = "help-all"

// heading is the annotation of a flag that is listed by --help-all only, below that heading.
const heading = "simdeck_heading"

// fewFlags is the number of rare flags up to which a command lists them without being asked.
const fewFlags = 5

// Under puts a flag below a heading of --help-all.
func Under(f *pflag.FlagSet, flag, title string) {
	if found := f.Lookup(flag); found != nil {
		found.Annotations = map[string][]string{heading: {title}}
	}
}

// Install gives a tree of commands its usage, and --help-all.
func Install(root *cobra.Command) {
	root.PersistentFlags().Var(&whole{}, All, "show every flag, by subject")
	root.PersistentFlags().Lookup(All).NoOptDefVal = "true"
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := io.WriteString(c.OutOrStderr(), Usage(c, everything(c)))
		return err
	})
}

// whole is the value of --help-all. It ends the parsing of flags with a request for help.
type whole struct{ asked bool }

func (w *whole) String() string { return "" }
func (w *whole) Type() string   { return "bool" }

// Set fails with pflag.ErrHelp, which cobra answers with help.
func (w *whole) Set(string) error {
	w.asked = true
	return pflag.ErrHelp
}

// everything reports that --help-all was asked for.
func everything(c *cobra.Command) bool {
	f := c.Flag(All)
	if f == nil {
		return false
	}
	w, ok := f.Value.(*whole)
	return ok && w.asked
}

// Usage is the usage of a command: its line, examples, commands and flags. Without every, flags that have a
// heading are only counted where they are many.
func Usage(c *cobra.Command, every bool) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	commands(&b, c)
	left := flags(&b, c, every)
	if left > 0 {
		fmt.Fprintf(&b, "\n%d more flags: %s --%s\n", left, c.CommandPath(), All)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nHelp for a command: %s help COMMAND\n", c.CommandPath())
	}
	return b.String()
}

// commands lists the commands below one, by group.
func commands(b *strings.Builder, c *cobra.Command) {
	groups := c.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		title := "\n" + g.Title + "\n"
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				fmt.Fprintf(b, "%s  %-*s %s\n", title, sub.NamePadding(), sub.Name(), sub.Short)
				title = ""
			}
		}
	}
}

// flags lists the flags of a command, and gives the number of those that are left out.
func flags(b *strings.Builder, c *cobra.Command, every bool) int {
	sections := Sections(c)
	rare := 0
	for _, s := range sections[1:] {
		count(s.Flags, &rare)
	}
	if every = every || rare <= fewFlags; every {
		rare = 0
	} else {
		sections = sections[:1]
	}
	for _, s := range sections {
		if text := s.Flags.FlagUsages(); text != "" {
			fmt.Fprintf(b, "\n%s:\n%s", s.Title, text)
		}
	}
	return rare
}

func count(f *pflag.FlagSet, n *int) { f.VisitAll(func(*pflag.Flag) { *n++ }) }

// Section is flags below one heading.
type Section struct {
	Title string
	Flags *pflag.FlagSet
}

// Sections are the flags of a command by heading: the common ones first, the headings as their flags come.
func Sections(c *cobra.Command) []Section {
	all := []Section{{"Flags", ordered()}}
	add := func(f *pflag.Flag) {
		title := "Flags"
		if under := f.Annotations[heading]; len(under) > 0 {
			title = under[0]
		}
		i := slices.IndexFunc(all, func(s Section) bool { return s.Title == title })
		if i < 0 {
			i, all = len(all), append(all, Section{title, ordered()})
		}
		if !f.Hidden {
			all[i].Flags.AddFlag(f)
		}
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return all
}

func ordered() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	return f
}
