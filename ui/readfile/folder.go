package readfile

import (
	"io/fs"
	"os"
)

// Folder opens a folder to read in. Requests cannot leave it, and only regular files and folders can be
// opened.
func Folder(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return folder{root.FS().(listed), root}, nil
}

// listed is the set of interfaces of an os.Root's file system.
type listed interface {
	fs.StatFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

// folder is an os.Root whose files can be opened without waiting.
type folder struct {
	listed
	root *os.Root
}

// Open is that of package fs.
func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if info, err := f.root.Stat(name); err == nil && info.IsDir() {
		return f.listed.Open(name)
	}
	file, err := OpenIn(f.root, name)
	if err != nil { // a nil *os.File is no nil fs.File
		return nil, err
	}
	return file, nil
}
