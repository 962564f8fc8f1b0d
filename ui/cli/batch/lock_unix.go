//go:build unix

package batch

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps a file for this process until it ends; false: another has it.
func lock(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }
