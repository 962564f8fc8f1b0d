package cli

import (
	"fmt"
	"io/fs"

	"simdeck/ui/readfile"
)

// Folder is one that files are looked for in.
type Folder struct {
	Dir string
	FS  fs.FS // nothing that is asked of it leads out of it
}

// OpenFolder opens a folder for reading.
func OpenFolder(dir string) (fs.FS, error) {
	return readfile.Folder(dir)
}

// Folders are those that files are looked for in: that of the asked world, then
// the search paths; and the asked world's URI. A folder that was asked for and
// cannot be opened is an error, one that another tool's variable names is not.
func (o Options) Folders() (folders []Folder, world string, err error) {
	world, own, err := o.WorldFile()
	if err != nil {
		return nil, world, err
	}
	mount := func(dir string) error {
		folder, err := OpenFolder(dir)
		if err == nil {
			folders = append(folders, Folder{dir, folder})
		}
		return err
	}
	if own != "" {
		if err := mount(own); err != nil {
			return nil, world, err
		}
	}
	asked, inherited := o.SearchPaths()
	for _, dir := range asked {
		if err := mount(dir); err != nil {
			return nil, world, fmt.Errorf("search path %s: %w", dir, err)
		}
	}
	for _, dir := range inherited {
		_ = mount(dir)
	}
	return folders, world, nil
}
