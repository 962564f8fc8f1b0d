//go:build e2e

package tmux_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// far starts a simulator without a console in a process of its own; kill ends it as a power cut does.
func far(t *testing.T) (kill func()) {
	t.Helper()
	command := exec.Command(binary(t), "run", "bench", "--namespace", "/far")
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	done := false
	kill = func() {
		if !done {
			done = true
			_ = command.Process.Kill()
			_ = command.Wait()
		}
	}
	t.Cleanup(kill)
	return kill
}

func TestAnOperatorWorksOnASimulatorElsewhereThatDiesAndComesBack(t *testing.T) {
	kill := far(t)
	term, dir := console(t, 140, 40, "attach --timeout 20s")
	term.Wait("the far world to play", func(s string) bool {
		return strings.Contains(header(s), "playing") && strings.Contains(s, "/far/simdeck") &&
			strings.Contains(s, "scout")
	})
	spawn(t, term, "probe")
	pauseAndStep(t, term)
	term.Keys("b") // there is no call for it
	term.WaitText("not supported by the attached simulator")

	kill()
	term.Wait("the loss", func(s string) bool {
		return strings.Contains(header(s), "lost") &&
			strings.Contains(s, "scout")
	})
	term.Keys("Space", "6", "z") // the log has room for the whole line
	term.WaitText("reconnecting")
	term.Keys("z", "1")
	far(t)
	term.Wait("its return, without what was spawned", func(s string) bool {
		return strings.Contains(header(s), "playing") && !strings.Contains(s, "probe ")
	})

	term.Keys("q")
	checkRestored(t, term, dir)
	out, err := exec.Command(binary(t), "list", "--timeout", "20s").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "scout") {
		t.Errorf("after leaving, the simulator: %v: %s", err, out)
	}
}
