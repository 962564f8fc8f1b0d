package cycle

import "strings"

// low calls itself and another package: no cycle of files.
func low() {
	if strings.ToUpper("") != "" {
		low()
	}
}

// walkBottom is the part of a walk: no cycle of files.
func walkBottom(w *walker) {
	w.count()
	run()
}
