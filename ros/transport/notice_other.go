//go:build !linux

package transport

import (
	"fmt"
	"os"
)

// notices are those of Linux. Elsewhere the interfaces are looked at now and then only.
type notices struct{ file *os.File }

// openNotices has none to open.
func openNotices() (*notices, error) {
	return nil, fmt.Errorf("%w: cannot be watched on this system", ErrInterface)
}

func (*notices) watch(chan<- struct{}) {}
