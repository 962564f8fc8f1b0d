//go:build !linux

package transport

import "time"

// Pause waits, as long as Go's timers need for it.
func (u *UDP) Pause(d time.Duration) { time.Sleep(d) }
