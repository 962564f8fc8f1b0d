package pane

// Rows is a cursor in a list of which a window is seen.
type Rows struct {
	Cursor int // the selected row
	first  int // the row at the top of the window
	count  int
	height int
	header int // lines above the first row
}

// fit tells the rows their count and the number of visible lines, and keeps the cursor among them and in the
// window.
func (r *Rows) fit(count, height int) {
	r.count, r.height = count, max(height, 1)
	r.Cursor = max(0, min(r.Cursor, count-1))
	r.first = max(r.Cursor-r.height+1, min(r.first, r.Cursor))
	r.first = max(0, min(r.first, count-r.height))
}

// Move goes that many rows down, or up.
func (r *Rows) Move(rows int) {
	r.Cursor += rows
	r.fit(r.count, r.height)
}

// Page goes pages down, or up.
func (r *Rows) Page(pages float64) { r.Move(int(pages * float64(r.height))) }

// Top goes to the first row.
func (r *Rows) Top() { r.Move(-r.count) }

// Bottom goes to the last row.
func (r *Rows) Bottom() { r.Move(r.count) }

// Click goes to the row at a line of the pane.
func (r *Rows) Click(line int) bool {
	row := r.first + line - r.header
	if line < r.header || row >= r.count {
		return false
	}
	r.Cursor = row
	r.fit(r.count, r.height)
	return true
}

// Wheel moves the cursor as a mouse's wheel does.
func (r *Rows) Wheel(rows int) { r.Move(rows) }

// window is the rows that are seen.
func (r *Rows) window() (first, end int) { return r.first, min(r.count, r.first+r.height) }
