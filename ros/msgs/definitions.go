package msgs

import (
	"embed"
	"io/fs"
)

//go:embed definitions
var definitions embed.FS

// Definitions has the .msg, .srv and .action files of all packages, comments left out: a folder per package,
// such as "geometry_msgs" or "simulation_interfaces@2.x". Package rosidl makes type descriptions of them.
func Definitions() fs.FS {
	sub, err := fs.Sub(definitions, "definitions")
	if err != nil {
		return embed.FS{} // not reached: the folder's name is a constant and the compiler found it
	}
	return sub
}
