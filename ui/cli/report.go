package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/cli/store"
	"simdeck/ui/escape"
)

// Errors that decide about the exit code.
var (
	ErrUsage = errors.New("usage")
	ErrLost  = errors.New("lost") // the engine broke
)

// Usage makes an error one of usage; nil stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUsage, err)
}

// ErrorKind is a kind of failure as scripts tell it.
type ErrorKind struct {
	Code     string // in the JSON of an error
	ExitCode int
	Meaning  string
	is       []error
}

// errorKinds are the kinds: an error is of the first that has it in its chain, else of the last.
var errorKinds = []ErrorKind{
	{"usage", 2, "the command line is wrong", []error{ErrUsage}},
	{"lost", 4, "the engine failed, or the attached simulator was lost; a report is written",
		[]error{ErrLost}},
	{"interrupted", 1, "it was asked to end, and did not in time", []error{errInterrupted}},
	{"not_passed", 1, "a check or a run did not pass", []error{errMissed, errSick, errAlone}},
	{"disk_full", 1, "the disk is full", []error{store.ErrFull}},
	{"limit", 3, "a file holds more than a limit allows", []error{sim.ErrLimit}},
	{"not_found", 3, "a world, a model or a file is missing", []error{scene.ErrNotFound}},
	{"unsupported_format", 3, "no reader knows the format of a file", []error{scene.ErrUnsupportedFormat}},
	{"no_resource", 3, "neither a file nor its text was given", []error{scene.ErrNoResource}},
	{"parse", 3, "a file is invalid; the message has line and column", []error{scene.ErrParse}},
	{"missing_assets", 3, "a mesh, texture or include of a file is missing", []error{scene.ErrMissingAssets}},
	{"unreadable_assets", 3, "a mesh, texture or include of a file cannot be read",
		[]error{scene.ErrUnreadableAssets}},
	{"unsupported_elements", 3, "with `check --strict`: parts of a file are not run",
		[]error{scene.ErrUnsupportedParts}},
	{"failed", 1, "it cannot start, or what was asked for cannot be written", nil},
}

// ErrorKinds returns the kinds of failures, each once.
func ErrorKinds() []ErrorKind { return errorKinds }

// errorKindOf is the kind of an error.
func errorKindOf(err error) *ErrorKind {
	for i := range errorKinds {
		for _, e := range errorKinds[i].is {
			if errors.Is(err, e) || e == ErrLost && lost(err) {
				return &errorKinds[i]
			}
		}
	}
	return &errorKinds[len(errorKinds)-1]
}

// ExitCode is the exit code for an error; 0 for nil.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	return errorKindOf(err).ExitCode
}

// exitCodes are the meanings of the exit codes.
var exitCodes = [...]string{
	"all is well",
	"it cannot start or write, or a check failed",
	"the command line is wrong",
	"a world or another file is missing or invalid",
	"the engine failed, or the attached simulator was lost",
}

// ExitCodes returns the meanings of the exit codes from 0 on.
func ExitCodes() []string { return exitCodes[:] }

// exitCodeHelp is the exit codes as help tells them.
func exitCodeHelp() string {
	var b strings.Builder
	b.WriteString("Exit codes:\n")
	for code, meaning := range exitCodes {
		b.WriteString("  " + strconv.Itoa(code) + "  " + meaning + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// reporter is an error that has more to say than a line: a broken console.
type reporter interface {
	error
	Report() string
}

// lost reports that an error is a fault of simdeck's own.
func lost(err error) bool {
	var r reporter
	return errors.Is(err, ErrLost) || errors.As(err, &r)
}

// oneLine is an error's text for stderr: all of it, in one line, without
// the stacks of goroutines.
func oneLine(err error) string {
	var lines []string
	for _, l := range strings.Split(err.Error(), "\n") {
		if strings.HasPrefix(l, "goroutine ") {
			break
		}
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return scene.Brief(strings.Join(lines, "; "))
}

// writeReport writes all that an error has to say into a file in dir, and says where.
func writeReport(dir, version string, args []string, err error) (string, error) {
	text := fmt.Sprintf("simdeck %s\n%q\n\n%s\n", version, args, err)
	var r reporter
	if errors.As(err, &r) {
		text += "\n" + r.Report() + "\n"
	}
	folder, wrong := store.Open(dir)
	if wrong != nil {
		return "", wrong
	}
	defer folder.Close()
	name := time.Now().UTC().Format("crash-20060102-150405.txt")
	return filepath.Join(dir, name), store.Replace(folder, name, []byte(text))
}

// stateDir is the folder of reports.
func (s *session) stateDir() string {
	dir := s.env("XDG_STATE_HOME")
	if dir == "" {
		dir = filepath.Join(s.env("HOME"), ".local", "state")
	}
	return filepath.Join(dir, "simdeck")
}

// failure is an error in JSON, on stderr.
type failure struct {
	Message  string `json:"message"`
	Code     string `json:"code"`
	ExitCode int    `json:"exit_code"`
	Report   string `json:"report,omitempty"` // file of the report on a fault of simdeck's own
}

// caution is a warning in JSON, on stderr.
type caution struct {
	Warning string `json:"warning"`
}

// complain writes an error to stderr: a line for people, or an object when the command was asked for JSON.
func (s *session) complain(to io.Writer, cmd *cobra.Command, args []string, err error) {
	line := oneLine(err)
	f := failure{Message: strings.TrimPrefix(line, ErrUsage.Error()+": "), Code: errorKindOf(err).Code,
		ExitCode: ExitCode(err)}
	line = "simdeck: " + line
	if lost(err) {
		file, wrong := writeReport(s.stateDir(), s.Version, args, err)
		if wrong == nil {
			f.Report, line = file, line+"; report: "+file
		} else {
			line += "; the report cannot be written: " + oneLine(wrong)
		}
	}
	if wantsJSON(cmd, args) {
		_ = json.NewEncoder(to).Encode(f) // nobody is left to tell
		return
	}
	escape.Fprintln(to, line)
}

// warn writes a warning to a command's stderr: a line for people, or an object with --json.
func warn(cmd *cobra.Command, text string) {
	if asksJSON(cmd) {
		_ = json.NewEncoder(cmd.ErrOrStderr()).Encode(caution{text}) // nobody is left to tell
		return
	}
	escape.Fprintln(cmd.ErrOrStderr(), "simdeck: "+text)
}

// asksJSON reports that a command has --json and that it was given; its flags have been read.
func asksJSON(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup("json")
	return f != nil && f.Value.String() == "true"
}

// wantsJSON reports that a command has --json and that it was given. Where its flags were not read to their
// end, the command line's words decide, without the values of flags.
func wantsJSON(cmd *cobra.Command, args []string) bool {
	if cmd == nil {
		return false
	}
	f := cmd.Flags().Lookup("json")
	if f == nil {
		return false
	}
	if f.Changed || cmd.Flags().Parsed() && len(cmd.Flags().Args()) > 0 {
		return f.Value.String() == "true"
	}
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if args[i] == "--json" || args[i] == "--json=true" {
			return true
		}
		name, isFlag := strings.CutPrefix(args[i], "--")
		if takes := cmd.Flags().Lookup(name); isFlag && takes != nil && takes.NoOptDefVal == "" {
			i++ // its value
		}
	}
	return false
}
