package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simdeck/sim"
	"simdeck/sim/scene"
	"simdeck/ui/cli/store"
	"simdeck/ui/escape"
)

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

// codes are the words for kinds of errors, the first that fits.
var codes = []struct {
	err  error
	word string
}{
	{ErrUsage, "usage"}, {ErrLost, "lost"}, {errInterrupted, "interrupted"}, {errMissed, "not_passed"},
	{errSick, "not_passed"}, {store.ErrFull, "disk_full"}, {sim.ErrLimit, "limit"},
	{scene.ErrNotFound, "not_found"}, {scene.ErrUnsupportedFormat, "unsupported_format"},
	{scene.ErrNoResource, "no_resource"}, {scene.ErrParse, "parse"},
	{scene.ErrMissingAssets, "missing_assets"}, {scene.ErrUnreadableAssets, "unreadable_assets"},
	{scene.ErrUnsupportedParts, "unsupported_elements"},
}

// codeOf is the word for the kind of an error.
func codeOf(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.word
		}
	}
	if lost(err) {
		return "lost"
	}
	return "failed"
}

// complain writes an error to stderr: a line for people, or an object when the command was asked for JSON.
func (s *session) complain(to io.Writer, cmd *cobra.Command, args []string, err error) {
	line := oneLine(err)
	f := failure{Message: strings.TrimPrefix(line, ErrUsage.Error()+": "), Code: codeOf(err),
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
