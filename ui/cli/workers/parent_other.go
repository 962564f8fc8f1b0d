//go:build !linux

package workers

import "os/exec"

// dieWithParent does nothing where the kernel offers none of this:
// workers of a supervisor that was killed stay.
func dieWithParent(*exec.Cmd) {}
