//go:build unix

package ui

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pixels is the size of the window of a local terminal, in pixels; 0 by 0 where it is not known.
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
