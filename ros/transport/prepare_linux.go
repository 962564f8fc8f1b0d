package transport

import "golang.org/x/sys/unix"

// prepare sets what a socket needs before it is bound. Buffers are forced where we may, else as large as the
// system grants; a smaller one costs repairs, not samples.
func prepare(fd uintptr, shared bool) error {
	if unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, receiveBuffer) != nil {
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, receiveBuffer)
	}
	_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUF, sendBuffer)
	if !shared {
		return nil
	}
	// receive only over interfaces whose group we joined, not others on this machine
	_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MULTICAST_ALL, 0)
	return unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1)
}
