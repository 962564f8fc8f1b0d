package dynamics

import "unsafe"

// warmStartContactsWide does to all lanes of count batches what warmStartLane does to one; count is above
// zero.
//
//go:noescape
func warmStartContactsWide(batches *contactBatch, count int, rows *contactRow, bodies *bodyState)

// solveContactsWide does what solveContactLane does.
//
//go:noescape
func solveContactsWide(batches *contactBatch, count int, rows *contactRow, bodies *bodyState, p *iteration)

// prefetch prefetches memory that is needed soon; it affects nothing but time.
//
//go:noescape
func prefetch(at unsafe.Pointer, size int)

// hasAVX2 reports that processor and operating system support AVX2, which warmStartContactsWide needs.
func hasAVX2() bool
