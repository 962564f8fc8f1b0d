//go:build !amd64

package physics

import "unsafe"

// Other processors go through the lanes one by one, in Go.

func hasAVX2() bool { return false }

func warmWide(*batch, int, *row, *moving) {}

func solveWide(*batch, int, *row, *moving, *pass) {}

func fetch(unsafe.Pointer, int) {}
