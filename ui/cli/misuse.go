package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simdeck/sim/scene"
)

// misuse is an error about a command line, with a line that would be right.
type misuse struct {
	err     error
	example string
}

func (m *misuse) Error() string { return m.err.Error() + "; example: " + m.example }
func (m *misuse) Unwrap() error { return m.err }

// wordMisuse makes all commands word argument errors alike: the problem, the value, what would be right, and
// an example.
func wordMisuse(c *cobra.Command) {
	c.Args = positional(c.Args)
	if run := c.RunE; run != nil {
		c.RunE = func(cmd *cobra.Command, args []string) error { return withExample(cmd, run(cmd, args)) }
	}
	for _, child := range c.Commands() {
		wordMisuse(child)
	}
}

// withExample adds an example to an error about the command line; others stay as they are.
func withExample(c *cobra.Command, err error) error {
	var m *misuse
	if !errors.Is(err, ErrUsage) || errors.As(err, &m) {
		return err
	}
	return &misuse{err, exampleFor(c, err)}
}

// flagName matches a flag in a text, shellOperator what makes a line more than one command.
var flagName, shellOperator = regexp.MustCompile(`--[a-z][a-z-]+`), regexp.MustCompile(`[|>]|&&`)

// exampleFor is the command's example that suits an error: one with the flag in the error, else the first
// with the command alone.
func exampleFor(c *cobra.Command, err error) string {
	flag := flagName.FindString(err.Error())
	best := ""
	for line := range strings.Lines(c.Example) {
		line = strings.TrimSpace(line)
		switch {
		case !strings.HasPrefix(line, c.CommandPath()) || shellOperator.MatchString(line):
		case flag != "" && strings.Contains(line+" ", flag+" "):
			return line
		case best == "":
			best = line
		}
	}
	if best == "" {
		return c.CommandPath()
	}
	return best
}

// positional checks the arguments of a command, and words what is wrong about their number.
func positional(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		if !strings.Contains(err.Error(), "want") { // one of cobra's
			err = miscounted(cmd, check, args)
		}
		return withExample(cmd, Usage(err))
	}
}

// miscounted says which argument is missing, or which is the first that is surplus.
func miscounted(cmd *cobra.Command, check cobra.PositionalArgs, args []string) error {
	words := strings.Fields(cmd.Use)[1:]
	right := strings.Join(append([]string{cmd.CommandPath()}, words...), " ")
	for n := len(args) - 1; n >= 0; n-- {
		if check(cmd, args[:n]) != nil {
			continue
		}
		if len(words) == 0 {
			right = "none"
		}
		return fmt.Errorf("surplus argument %q: want %s", args[n], right)
	}
	name := "argument"
	if len(args) < len(words) {
		name = "argument " + strings.Trim(words[len(args)], "[]…. ")
	}
	return fmt.Errorf("missing %s: want %s", name, right)
}

// flagError makes an error about flags one of usage, with the flag that was meant.
func flagError(c *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return Usage(err)
	}
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var value *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		err = unknownFlag(c, unknown)
	case errors.As(err, &bare):
		err = fmt.Errorf("missing value of --%s: want %s", bare.GetFlag().Name, kindOf(bare.GetFlag()))
	case errors.As(err, &value):
		err = fmt.Errorf("--%s %q: want %s", value.GetFlag().Name, value.GetValue(), kindOf(value.GetFlag()))
	case errors.As(err, &syntax):
		err = fmt.Errorf("flag %q: want --NAME or --NAME=VALUE", syntax.GetSpecifiedFlag())
	}
	return withExample(c, Usage(err))
}

// unknownFlag names the flag that was meant, or where all are listed.
func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	said := "--" + err.GetSpecifiedName()
	if short := err.GetSpecifiedShortnames(); short != "" {
		said = "-" + short
	}
	if meant := scene.Suggest(err.GetSpecifiedName(), names); meant != "" {
		return fmt.Errorf("unknown flag: %s; did you mean --%s?", said, meant)
	}
	return fmt.Errorf("unknown flag: %s: want one of %s --help-all", said, c.CommandPath())
}

// kindOf is the type of a flag's value, for people.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 on"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, like 500ms, 30s or 2m"
	case "stringSlice":
		return "words with commas between"
	}
	return "a " + f.Value.Type()
}
