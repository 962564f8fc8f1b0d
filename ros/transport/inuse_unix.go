//go:build unix

package transport

import (
	"errors"

	"golang.org/x/sys/unix"
)

// inUse says whether somebody else has a port.
func inUse(err error) bool { return errors.Is(err, unix.EADDRINUSE) }
