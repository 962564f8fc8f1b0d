package cycle

import "strings"

// low calls itself and another package: no cycle of files.
func low() {
	if strings.ToUpper("") != "" {
		low()
	}
}
