//go:build !linux

package webots

import "os/exec"

// dieWithParent does nothing where the kernel offers none of this: a controller that kill -9 of this process
// left behind ends when its connection does.
func dieWithParent(*exec.Cmd) {}

// reap waits for the end of a process.
func reap(cmd *exec.Cmd, ended func()) error {
	err := cmd.Wait()
	ended()
	return err
}
