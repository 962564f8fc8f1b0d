//go:build unix

package webots

import (
	"io/fs"
	"os/exec"
	"syscall"
)

// ownGroup starts a process in a group of its own, so that it is ended with those that it starts.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd)
}

// guardGroup starts a guard in a group of its own: signals of a terminal do not reach it.
func guardGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// signalGroup signals a process and those that it started.
func signalGroup(pid int, s syscall.Signal) { _ = syscall.Kill(-pid, s) } // they may be gone already

// noFollow makes opening a link fail.
const noFollow = syscall.O_NOFOLLOW

// ownerOf is the user id of a file's owner.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(s.Uid), true
}
