package webots

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// GuardArgument is the argument with which simdeck does RunGuard and nothing else.
const GuardArgument = "controllers-guard"

// guard is a process that outlives this one, and ends the process groups of its controllers when it is gone,
// also by kill -9: the kernel ends but the first process of each. A nil guard does nothing.
type guard struct {
	command []string
	log     *slog.Logger

	mu sync.Mutex
	in io.WriteCloser // nil: it does not run yet
	of *exec.Cmd
}

// note tells the guard of a process group that has begun (+) or ends (-). It starts the guard before the first.
func (g *guard) note(sign rune, group int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in == nil && sign == '+' {
		if err := g.start(); err != nil {
			g.log.Warn("webots: what controllers have started may stay when simdeck is killed", "error", err)
			return
		}
	}
	if g.in != nil {
		_, _ = fmt.Fprintf(g.in, "%c%d\n", sign, group) // it may have been killed itself
	}
}

func (g *guard) start() error {
	cmd := exec.Command(g.command[0], g.command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	guardGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	g.in, g.of = in, cmd
	return nil
}

// end ends the guard, and with it the groups that are left.
func (g *guard) end() {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in != nil {
		_ = g.in.Close()
		_ = g.of.Wait()
		g.in = nil
	}
}

// RunGuard is the process of a guard: it reads which groups there are until its input ends, and kills those
// that are left then. Signals do not end it: whoever waits for it closes its input.
func RunGuard(in io.Reader) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	groups := map[int]bool{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var sign rune
		var group int
		if n, _ := fmt.Sscanf(lines.Text(), "%c%d", &sign, &group); n != 2 || group <= 1 {
			continue
		}
		if sign == '+' {
			groups[group] = true
		} else {
			delete(groups, group)
		}
	}
	for group := range groups {
		signalGroup(group, syscall.SIGKILL)
	}
}
