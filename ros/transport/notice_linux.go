package transport

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// notices is a socket on which the kernel tells that interfaces or addresses have come or gone
// (rtnetlink(7)). Its content is not read: a look at the interfaces shows the change. It stays with the
// network namespace in which it was opened.
type notices struct{ file *os.File }

// openNotices opens the socket. Without one the interfaces are looked at now and then only.
func openNotices() (*notices, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK,
		unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("%w: cannot be watched: %w", ErrInterface, err)
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK,
		Groups: unix.RTMGRP_LINK | unix.RTMGRP_IPV4_IFADDR}); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("%w: cannot be watched: %w", ErrInterface, err)
	}
	return &notices{os.NewFile(uintptr(fd), "netlink")}, nil
}

// watch puts a token into the channel for every notice, or for several, until the socket is closed. When
// notices came faster than they were read the kernel drops some and says so: that is a notice too.
func (n *notices) watch(to chan<- struct{}) {
	b := make([]byte, 8<<10)
	for failed := 0; failed < maxFailures; {
		_, err := n.file.Read(b)
		switch {
		case err == nil:
			failed = 0
		case errors.Is(err, unix.ENOBUFS):
			failed++
		default:
			return
		}
		select {
		case to <- struct{}{}:
		default:
		}
	}
}
