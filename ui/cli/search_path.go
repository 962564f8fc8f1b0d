package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"simdeck/sim/scene"
	"simdeck/ui/readfile"
)

// SearchFolder is a folder of the search path.
type SearchFolder struct {
	Dir string
	FS  fs.FS // confined to the folder
	For Who
	// Unlisted folders answer absolute paths only.
	Unlisted bool
	// Downloads are copies of files of networks, below HOST/PATH of their addresses.
	Downloads bool
}

// Who is the group of users of a folder: programs and clients.
type Who uint8

// Groups.
const (
	Everybody Who = iota
	TheUser       // the user who started the program
	Clients       // its clients
)

// OpenFolder opens a folder for reading.
func OpenFolder(dir string) (fs.FS, error) {
	return readfile.Folder(dir)
}

// SearchFolders are the folders to look for files in: that of the asked world, then
// the search paths; and the asked world's URI. A folder that was asked for and
// cannot be opened is an error, one that another tool's variable names is not.
//
// The asked world finds its neighbours from the folder above its own, as
// worlds/x.world uses ../models. Clients have that only where it is laid out so:
// above /tmp/x.sdf is everything.
func (o Options) SearchFolders() (folders []SearchFolder, world string, err error) {
	world, own, err := o.WorldFile()
	if err != nil {
		return nil, world, err
	}
	mount := func(dir string, who Who) error {
		folder, err := OpenFolder(dir)
		if err == nil {
			folders = append(folders, SearchFolder{Dir: dir, FS: folder, For: who})
		}
		return err
	}
	if own != "" {
		above, who := filepath.Dir(own), Everybody
		if !project(own) {
			who = TheUser
		}
		if err := mount(above, who); err != nil {
			return nil, world, err
		}
		if who == TheUser && own != above {
			if err := mount(own, Clients); err != nil {
				return nil, world, err
			}
		}
	}
	asked, inherited := o.SearchPaths()
	for _, dir := range asked {
		if err := mount(dir, Everybody); err != nil {
			return nil, world, fmt.Errorf("search path %s: %w", dir, err)
		}
	}
	for _, dir := range inherited {
		_ = mount(dir, Everybody)
	}
	for _, dir := range append(fuelCaches(), Downloads()) {
		if dir != "" && !o.Mirror && mount(dir, Everybody) == nil {
			folders[len(folders)-1].Unlisted, folders[len(folders)-1].Downloads = true, true
		}
	}
	if o.Assets != "" {
		dir, err := filepath.Abs(o.Assets)
		if err == nil {
			err = mount(dir, Everybody)
		}
		switch {
		case err == nil:
			folders[len(folders)-1].Unlisted, folders[len(folders)-1].Downloads = true, true
		case !o.Mirror || !errors.Is(err, fs.ErrNotExist): // a mirror may be yet to be made
			return nil, world, fmt.Errorf("--assets: %w", err)
		}
	}
	if o.SpawnFrom == scene.ReachAnywhere {
		if err := mount("/", Everybody); err != nil {
			return nil, world, fmt.Errorf("--spawn-from anywhere: %w", err)
		}
		folders[len(folders)-1].Unlisted = true
	}
	return folders, world, nil
}

// fuelCaches are the folders where Gazebo keeps models of Fuel servers, its present name's first.
func fuelCaches() (dirs []string) {
	home, _ := os.UserHomeDir()
	for _, c := range [...]struct{ variable, folder string }{
		{"GZ_FUEL_CACHE_PATH", ".gz"}, {"IGN_FUEL_CACHE_PATH", ".ignition"}} {
		switch dir := os.Getenv(c.variable); {
		case filepath.IsAbs(dir):
			dirs = append(dirs, dir)
		case home != "":
			dirs = append(dirs, filepath.Join(home, c.folder, "fuel"))
		}
	}
	return dirs
}

// Downloads is the folder of copies of files that worlds name by addresses of networks;
// empty when the environment names none.
func Downloads() string {
	dir := os.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(dir) { // as the XDG base directory specification asks
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(home, ".cache")
	}
	return filepath.Join(dir, "simdeck", "assets")
}

// project reports that a folder is part of a project, so that its neighbours belong to it. Its name tells, as
// in packages and projects of Gazebo and Webots, or the content of its parent.
func project(dir string) bool {
	above := filepath.Dir(dir)
	home, err := os.UserHomeDir()
	if above == dir || filepath.Dir(above) == above || err == nil && above == home {
		return false
	}
	switch strings.ToLower(filepath.Base(dir)) {
	case "worlds", "world", "models", "urdf", "sdf", "xacro", "mjcf", "robots", "robot", "protos", "maps",
		"bundles", "scenarios":
		return true
	}
	return isFile(filepath.Join(above, "package.xml")) || isFile(filepath.Join(above, "model.config"))
}
