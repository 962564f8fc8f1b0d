// Package worlds holds the demo worlds and the models to spawn: a folder per world with its world.sdf, and
// models with .simulationinfo sidecars. They are our own, plain SDF, and open in other simulators too. Beside
// each world.sdf stands golden.txt: the step at which it comes to rest and the hash of its state then.
package worlds

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed lab/world.sdf bench/world.sdf airfield hangar/world.sdf harbour/world.sdf empty/world.sdf warehouse/world.sdf maze/world.sdf maze/maze_map.* track crossing playground armcell hills models
var files embed.FS

// FS is the folder of worlds and models; sim/format mounts it as "@cache@".
func FS() fs.FS { return files }

// Has reports whether a name is that of a world, as in "simdeck run NAME".
func Has(name string) bool {
	if strings.ContainsRune(name, '/') {
		return false
	}
	_, err := fs.Stat(files, name+"/world.sdf") // of names that are no path it is an error
	return err == nil
}
