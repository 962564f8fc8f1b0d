package sim

import (
	"fmt"
	"path"
	"strings"
)

// Loading is the progress of reading a world, and of the convex decomposition of meshes. The meshes of a
// humanoid take seconds where no cache has their hulls. The zero value: nothing is being loaded.
type Loading struct {
	What     string // the last part of the address of the world or model; empty: not known
	Done, Of int    // meshes; Of 0: none is being decomposed
	Mesh     string // the file of the one that was begun last
}

// Meshes is the number of decomposed meshes of all; empty where none is being decomposed.
func (l Loading) Meshes() string {
	if l.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d meshes", l.Done, l.Of)
}

// String is the progress in a line for people; empty where nothing is being loaded.
func (l Loading) String() string {
	switch meshes := l.Meshes(); {
	case l == Loading{}:
		return ""
	case l.What == "":
		return "Loading " + meshes
	case meshes == "":
		return "Loading " + l.What
	default:
		return "Loading " + l.What + ": " + meshes
	}
}

// LoadingOf is the progress of a resource at the beginning. A file goes by its name, and by that of its
// folder where its format prescribes the name.
func LoadingOf(r Resource) Loading {
	address, _, _ := strings.Cut(r.URI, "?")
	folder, name := path.Split(strings.TrimRight(strings.ReplaceAll(address, `\`, "/"), "/"))
	if folder = path.Base(folder); folder != "." && folder != "/" && fixedName(name) {
		name = folder
	}
	if name == "" {
		name = "the text of a world or model"
	}
	return Loading{What: name}
}

// fixedName reports that a format prescribes the name of a file.
func fixedName(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	return stem == "world" || stem == "model" || stem == "scene"
}
