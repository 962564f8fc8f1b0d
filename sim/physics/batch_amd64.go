package physics

// warmWide does to all lanes of count batches what warmLane does to one; count is above zero.
//
//go:noescape
func warmWide(batches *batch, count int, rows *row, bodies *moving)

// solveWide does what solveLane does.
//
//go:noescape
func solveWide(batches *batch, count int, rows *row, bodies *moving, p *pass)

// hasAVX2 reports that this processor, and its operating system, can do what warmWide needs.
func hasAVX2() bool
