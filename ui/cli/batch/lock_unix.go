//go:build unix

package batch

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockedUntil is the timeout of a lock. The process of a run that had just begun when its sweep was killed
// holds the sweep's open files until it becomes another program.
const lockedUntil = 3 * time.Second

// lock keeps a file for this process until it ends; false: another has it.
func lock(f *os.File) bool {
	for end := time.Now().Add(lockedUntil); ; time.Sleep(20 * time.Millisecond) {
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}
