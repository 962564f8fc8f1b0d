//go:build unix

package ui

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pixels is how large a terminal of this machine says that its window is; 0 by 0 when it does not.
func pixels(out io.Writer) (w, h int) {
	file, ok := out.(*os.File)
	if !ok {
		return 0, 0
	}
	size, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(size.Xpixel), int(size.Ypixel)
}
