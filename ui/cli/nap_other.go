//go:build !linux

package cli

import "time"

// NewNap returns nil: Go's timers do.
func NewNap() func(time.Duration) { return nil }
