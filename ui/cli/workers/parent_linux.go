package workers

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel end a process when that which started it is gone, also by kill -9.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
