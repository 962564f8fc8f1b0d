package cli

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

type broken struct{}

func (broken) Error() string  { return "the console broke: nil map" }
func (broken) Report() string { return "goroutine 1 [running]" }

func TestAFaultIsOneLineAndAReport(t *testing.T) {
	engine := fmt.Errorf("%w: %w", ErrLost, fmt.Errorf("engine fault: index\n%s", debug.Stack()))
	for _, c := range []struct {
		err          error
		line, report string
	}{
		{engine, "lost: engine fault: index", "TestAFaultIsOneLineAndAReport"},
		{fmt.Errorf("console: %w", broken{}), "console: the console broke: nil map", "goroutine 1"},
	} {
		if ExitCode(c.err) != 4 || oneLine(c.err) != c.line {
			t.Errorf("code %d, %q", ExitCode(c.err), oneLine(c.err))
		}
		file, wrong := writeReport(t.TempDir(), "v1", []string{"run"}, c.err)
		text, err := os.ReadFile(file)
		if wrong != nil || err != nil || !strings.Contains(string(text), c.report) ||
			!strings.Contains(string(text), `simdeck v1`) {
			t.Errorf("report %s, %v:\n%s", file, err, text)
		}
	}
	if file, err := writeReport("/dev/null/no", "v1", nil, engine); err == nil {
		t.Errorf("a report that cannot be written is in %s", file)
	}
}
