package store

import "golang.org/x/sys/windows"

// noRoom are the errors of a system that has no room for a file: of the disk, and of a user's share of it.
var noRoom = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL,
	windows.ERROR_DISK_QUOTA_EXCEEDED}
