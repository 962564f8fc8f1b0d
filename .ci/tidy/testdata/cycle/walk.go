package cycle

// walker goes over all parts.
type walker struct{ n int }

func (w *walker) count() { w.n++ }

func walk() {
	var w walker
	walkBottom(&w)
}
