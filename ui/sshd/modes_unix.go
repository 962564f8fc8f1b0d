//go:build unix

package sshd

import (
	"io/fs"
	"syscall"
)

// ownerOf is the user id of a file's owner.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(s.Uid), true
}
