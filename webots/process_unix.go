//go:build unix

package webots

import (
	"os/exec"
	"syscall"
)

// ownGroup starts a process in a group of its own, so that it is ended with those that it starts.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd)
}

// signalGroup signals a process and those that it started.
func signalGroup(pid int, s syscall.Signal) { _ = syscall.Kill(-pid, s) } // they may be gone already
