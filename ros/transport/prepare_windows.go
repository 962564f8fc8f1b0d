package transport

import (
	"errors"

	"golang.org/x/sys/windows"
)

// prepare sets what a socket needs before it is bound.
func prepare(fd uintptr, shared bool) error {
	h := windows.Handle(fd)
	_ = windows.SetsockoptInt(h, windows.SOL_SOCKET, windows.SO_RCVBUF, receiveBuffer)
	_ = windows.SetsockoptInt(h, windows.SOL_SOCKET, windows.SO_SNDBUF, sendBuffer)
	if !shared {
		return nil
	}
	return windows.SetsockoptInt(h, windows.SOL_SOCKET, windows.SO_REUSEADDR, 1)
}

// inUse says whether somebody else has a port. A port that its owner holds exclusively is refused as not
// permitted.
func inUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}
