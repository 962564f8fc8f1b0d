// Package readfile opens and reads the files that users name. A name may lead anywhere: to a pipe without a
// writer, an endless device, a folder, a file larger than memory. Only regular files are opened, without
// waiting, and no more is read than a limit. All of simdeck that reads a file by its name in the system does
// so here.
package readfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Why a file is not read.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("file too large")
)

// Open opens a regular file to read; links are followed. Other files are not opened, because that may block
// or have an effect. Errors wrap ErrNotRegular or those of package fs.
func Open(name string) (*os.File, error) {
	return open(name, os.Stat, os.OpenFile)
}

// OpenIn opens a regular file of a folder as Open does. Nothing leads out of the folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(name, root.Stat, root.OpenFile)
}

func open(name string, stat func(string) (fs.FileInfo, error),
	file func(string, int, fs.FileMode) (*os.File, error)) (*os.File, error) {
	info, err := stat(name)
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, err
	}
	f, err := file(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have become a pipe since
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// regular refuses what is no regular file.
func regular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s: %w; want a regular file", name, kindOf(info.Mode()), ErrNotRegular)
}

// kindOf says what a file is that is no regular one.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe (FIFO)"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// All reads a whole file of at most limit bytes, whatever size it claims to have. Errors are those of Open,
// or wrap ErrTooLarge.
func All(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Rest(f, limit)
}

// Rest reads what is left of an opened file that must be regular: at most limit bytes.
func Rest(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err == nil {
		err = regular(f.Name(), info)
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d are read", f.Name(), ErrTooLarge, info.Size(),
			limit)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)                                       // files of /proc say 0
	if n, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil || n > limit { // it may have grown
		if err == nil {
			err = fmt.Errorf("%s: %w: it goes on after %d bytes, which is the limit", f.Name(), ErrTooLarge,
				limit)
		}
		return nil, err
	}
	return b.Bytes(), nil
}
