package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Man is the manual page of a command, in the man macros of roff.
func Man(c *cobra.Command, version string) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q %q\n", strings.ToUpper(name), "simdeck "+version, "simdeck")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	long := c.Long
	if long == "" {
		long = c.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, part := range strings.Split(long, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(part) + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	for _, s := range Sections(c) {
		title := strings.ToUpper(s.Title)
		if title == "FLAGS" {
			title = "OPTIONS"
		}
		n := 0
		if count(s.Flags, &n); n == 0 {
			continue
		}
		fmt.Fprintf(&b, ".SH %q\n", title)
		s.Flags.VisitAll(func(f *pflag.Flag) { option(&b, f) })
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	return b.String()
}

// option writes the paragraph of a flag.
func option(b *strings.Builder, f *pflag.Flag) {
	kind, usage := pflag.UnquoteUsage(f)
	b.WriteString(".TP\n")
	short := ""
	if f.Shorthand != "" {
		short = `\fB\-` + f.Shorthand + `\fR, `
	}
	fmt.Fprintf(b, "%s\\fB%s\\fR", short, roff("--"+f.Name))
	if kind != "" {
		fmt.Fprintf(b, " \\fI%s\\fR", roff(kind))
	}
	fmt.Fprintf(b, "\n%s\n", roff(usage))
}

// roff escapes a text: backslashes and hyphens, and lines that would be requests.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
