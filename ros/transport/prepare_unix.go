//go:build unix && !linux

package transport

import (
	"errors"

	"golang.org/x/sys/unix"
)

// prepare sets what a socket needs before it is bound. Buffers are as large as the system grants. The BSDs
// and macOS want both options before several may share a multicast port.
func prepare(fd uintptr, shared bool) error {
	// more than the system grants is refused there, not cut
	for size := receiveBuffer; size > 64<<10; size /= 2 {
		if unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, size) == nil {
			break
		}
	}
	for size := sendBuffer; size > 64<<10; size /= 2 {
		if unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUF, size) == nil {
			break
		}
	}
	if !shared {
		return nil
	}
	return errors.Join(unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
		unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1))
}
