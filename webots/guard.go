package webots

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// guardArgument is the argument with which simdeck is a guard and nothing else.
const guardArgument = "controllers-guard"

// GuardCommand is the command line of a guard; nil: the path of this program is not known.
func GuardCommand() []string {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{program, guardArgument}
}

// ExitIfGuard does the work of a guard, and exits, when the arguments of this process ask for one.
func ExitIfGuard(args []string, in io.Reader) {
	if len(args) == 1 && args[0] == guardArgument {
		runGuard(in)
		os.Exit(0)
	}
}

// guard is a process that outlives this one, and ends the process groups of its controllers when it is gone.
// After kill -9 the kernel ends the first process of each group only. A nil guard does nothing.
type guard struct {
	command []string
	log     *slog.Logger

	mu sync.Mutex
	in io.WriteCloser // nil: it does not run yet
	of *exec.Cmd
}

// note reports a process group that has begun (+) or ends (-). It starts the guard before the first.
func (g *guard) note(sign rune, group int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in == nil && sign == '+' {
		if err := g.start(); err != nil {
			g.log.Warn("webots: children of controllers may outlive simdeck", "error", err)
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

// runGuard reads which groups there are until its input ends, and kills those that are left then. Signals do
// not end it: closing its input does.
func runGuard(in io.Reader) {
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
