//go:build e2e

package tmux_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"simdeck/ui/uitest/tmux"
)

// served starts simdeck serve for alice, an operator, and bob, a viewer; eve has a key, too, that may not
// enter. It gives the port and the folder of the keys.
func served(t *testing.T) (port, dir string) {
	t.Helper()
	dir = t.TempDir()
	var list strings.Builder
	for name, options := range map[string]string{"alice": "", "bob": `role="viewer" `, "eve": "none"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f",
			filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if options != "none" {
			fmt.Fprintf(&list, "%s%s\n", options, read(t, dir, name+".pub"))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "keys"), []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary(t), "serve", "bench", "--no-ros", "--listen", "127.0.0.1:0", "--keys",
		filepath.Join(dir, "keys"))
	command.Env, command.Stderr = append(os.Environ(), "HOME="+dir), log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			t.Errorf("serve ended with %v: %s", err, read(t, dir, "log"))
		}
	})
	address := regexp.MustCompile(`address=127\.0\.0\.1:(\d+)`)
	for end := time.Now().Add(tmux.Patience); ; time.Sleep(20 * time.Millisecond) {
		if m := address.FindStringSubmatch(read(t, dir, "log")); m != nil {
			return m[1], dir
		}
		if time.Now().After(end) {
			t.Fatalf("it does not listen: %s", read(t, dir, "log"))
		}
	}
}

// enter opens a terminal with the real ssh in it.
func enter(t *testing.T, port, dir, who string, more ...string) (*tmux.Terminal, string) {
	t.Helper()
	at := t.TempDir()
	ssh := fmt.Sprintf("env -u SSH_AUTH_SOCK ssh -F none -tt -q -p %s -i %s -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=%s someone@127.0.0.1 %s",
		port, filepath.Join(dir, who), "INFO", strings.Join(more, " "))
	script := fmt.Sprintf(`echo BEFORE; stty -g >before; %s 2>stderr; echo $? >code; stty -g >after; echo AFTER; exec cat`,
		strings.Replace(ssh, "-q ", "", 1))
	return tmux.Open(t, 110, 32, at, script), at
}

func TestOperatorsAndViewersShareASimulationOverSSH(t *testing.T) {
	port, dir := served(t)
	alice, at := enter(t, port, dir, "alice")
	bob, _ := enter(t, port, dir, "bob")
	for who, term := range map[string]*tmux.Terminal{"operator": alice, "viewer": bob} {
		term.Wait("the console of the "+who, func(s string) bool {
			return strings.Contains(header(s), "playing") && strings.Contains(header(s), who)
		})
	}
	if first := bob.Row(1); !strings.HasPrefix(first, "┌─ 8 Camera") {
		t.Errorf("the second row of the screen is %q: lines do not begin at the left", first)
	}
	bob.Keys("Space")
	bob.WaitText("read-only")
	spawn(t, alice, "probe")
	pauseAndStep(t, alice)
	bob.Wait("what alice did", func(s string) bool {
		return strings.Contains(header(s), "paused") &&
			strings.Contains(s, "probe")
	})
	alice.Resize(90, 26)
	alice.Wait("the frame in the new size", func(s string) bool {
		return strings.Contains(header(s), "paused") && strings.Count(strings.TrimRight(s, "\n"), "\n") == 25
	})
	alice.Keys("q")
	alice.WaitText("AFTER")
	if m := alice.Modes(); m != tmux.Restored || read(t, at, "code") != "0" ||
		read(t, at, "before") != read(t, at, "after") {
		t.Errorf("after leaving: modes %+v, exit code %s", m, read(t, at, "code"))
	}
	if log := read(t, dir, "log"); !strings.Contains(log, `by="ssh alice"`) {
		t.Errorf("who did it is not in the log:\n%s", log)
	}
	bob.Wait("the console that is left", func(s string) bool { return strings.Contains(header(s), "paused") })
}

func TestSSHGivesNothingButTheConsole(t *testing.T) {
	port, dir := served(t)
	for _, c := range []struct {
		who, command, want, code string
	}{
		{"eve", "", "is not in the file of keys", "255"},
		{"alice", "ls", "remote commands are not supported", "1"},
	} {
		term, at := enter(t, port, dir, c.who, c.command)
		term.WaitText("AFTER")
		if said := read(t, at, "stderr") +
			term.Screen(); !strings.Contains(strings.ReplaceAll(said, "\n", ""), c.want) ||
			read(t, at, "code") != c.code {
			t.Errorf("%s %s: exit code %s: %s", c.who, c.command, read(t, at, "code"), said)
		}
	}
	out, err := exec.Command("scp", "-F", "none", "-P", port, "-i", filepath.Join(dir, "alice"), "-o",
		"IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no",
		"-o", "UserKnownHostsFile=/dev/null", "someone@127.0.0.1:/etc/hostname",
		filepath.Join(dir, "stolen")).CombinedOutput()
	if _, stolen := os.Stat(filepath.Join(dir, "stolen")); err == nil || stolen == nil {
		t.Errorf("scp copies files: %v: %s", err, out)
	}
}
