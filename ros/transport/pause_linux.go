package transport

import (
	"syscall"
	"time"
)

// Pause waits, to some tens of microseconds: Go's timers wait for a millisecond at least when nothing else
// happens.
func (u *UDP) Pause(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // a signal that ends it early does no harm
}
