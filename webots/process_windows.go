package webots

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup does nothing: there are no groups to be signalled.
func ownGroup(cmd *exec.Cmd) { dieWithParent(cmd) }

// guardGroup does nothing: there are no groups.
func guardGroup(*exec.Cmd) {}

// signalGroup ends a process; there is no way to ask it.
func signalGroup(pid int, _ syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may be gone already
		_ = p.Release()
	}
}

// noFollow is no flag there.
const noFollow = 0

// ownerOf does not know owners: folders for temporary files are each user's own.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
