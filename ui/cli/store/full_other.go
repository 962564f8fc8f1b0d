//go:build !windows

package store

import "syscall"

// noRoom are the errors of a system that has no room for a file: of the disk, and of a user's share of it.
var noRoom = []error{syscall.ENOSPC, syscall.EDQUOT}
