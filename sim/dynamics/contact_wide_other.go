//go:build !amd64

package dynamics

import "unsafe"

// Other processors go through the lanes one by one, in Go.

func hasAVX2() bool { return false }

func warmStartContactsWide(*contactBatch, int, *contactRow, *bodyState) {}

func solveContactsWide(*contactBatch, int, *contactRow, *bodyState, *iteration) {}

func prefetch(unsafe.Pointer, int) {}
