package source

import (
	"strconv"
	"strings"
)

// Names are the taken names, each with the number that is tried next behind it.
type Names map[string]int

// Take takes a name that nobody has yet: the one that is asked for, else the first with a number behind it
// that is free.
func (taken Names) Take(name string) string {
	free, n := name, max(1, taken[name])
	for ; taken[free] > 0; n++ {
		free = name + "_" + strconv.Itoa(n)
	}
	taken[free] = max(1, taken[free])
	taken[name] = max(taken[name], n)
	return free
}

// Release gives back the name that was taken last.
func (taken Names) Release(name string) {
	delete(taken, name)
	at := strings.LastIndexByte(name, '_')
	if at < 0 {
		return
	}
	if n, err := strconv.Atoi(name[at+1:]); err == nil && taken[name[:at]] == n+1 {
		taken[name[:at]] = n
	}
}
