package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"simdeck/sim/scene"
	"simdeck/ui/cli/store"
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
