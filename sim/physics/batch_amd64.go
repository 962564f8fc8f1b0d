package physics

import "unsafe"

// warmWide does to all lanes of count batches what warmLane does to one; count is above zero.
//
//go:noescape
func warmWide(batches *batch, count int, rows *row, bodies *moving)

// solveWide does what solveLane does.
//
//go:noescape
func solveWide(batches *batch, count int, rows *row, bodies *moving, p *pass)

// fetch asks for memory that is needed soon: it changes nothing but how long that takes.
//
//go:noescape
func fetch(at unsafe.Pointer, size int)

// hasAVX2 reports that this processor, and its operating system, can do what warmWide needs.
func hasAVX2() bool
