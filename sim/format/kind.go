package format

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/mesh"
	"simdeck/sim/asset/texture"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/format/bundle"
	"simdeck/sim/format/mjcf"
	"simdeck/sim/format/occupancy"
	"simdeck/sim/format/prefab"
	"simdeck/sim/format/webots"
	"simdeck/sim/scene"
)

// kind is the expected kind of a file. Readers quote text that they do not understand, which helps the author
// of a model. A client that names another file of the search folders would thereby learn its content. So
// every file is requested as a kind, and a client's file that does not begin like its kind reaches no reader:
// see loader.read.
type kind struct {
	what string // for messages
	fits func(name string, data []byte) bool
}

// errKind reports a file of another kind than requested.
var errKind = fmt.Errorf("%w: another kind of file", scene.ErrUnsupportedFormat)

var (
	documentKind = kind{"a world or model", isDocument}
	macroKind    = kind{"a file of xacro macros", isMacros}
	valuesKind   = kind{"a YAML file (.yaml, .yml) of values", isValues}
	sidecarKind  = kind{"a .simulationinfo", isSidecar}
	configKind   = kind{"a model.config",
		func(_ string, data []byte) bool { return xmltree.RootName(data) == "model" }}
	parametersKind = kind{"a ROS parameter file, with ros__parameters:", isParameters}
	scriptKind     = kind{"a script of materials", isScript}
	meshKind       = kind{"a mesh of that format", mesh.Is}
	paletteKind    = kind{"a file of OBJ materials",
		func(_ string, data []byte) bool { return mesh.IsPalette(data) }}
	pictureKind = kind{"a picture", func(_ string, data []byte) bool { return texture.Is(data) }}
	// anyKind is of what a file names that is known as a mesh or bundle: its author chose it, and no client
	// can.
	anyKind = kind{"anything", func(string, []byte) bool { return true }}
)

// isDocument tells worlds and models by how they begin.
func isDocument(name string, data []byte) bool {
	switch extension(name) {
	case ".yaml", ".yml":
		return bundle.Is(data) || occupancy.Is(data) &&
			(bytes.Contains(data, []byte("resolution:")) || bytes.Contains(data, []byte("origin:")))
	case ".prefab":
		return prefab.Is(data)
	case ".proto":
		return webots.Is(data) || webots.HoldsModel(data)
	case ".wbt":
		return webots.Is(data)
	}
	switch xmltree.RootName(data) {
	case "sdf", "robot", mjcf.Root, "mujocoinclude", "gazebo", "COLLADA":
		return true
	}
	return webots.Is(data)
}

// isMacros tells files that others include: their root element is a robot, or says that it has macros in it.
func isMacros(_ string, data []byte) bool {
	return xmltree.RootName(data) == "robot" || xmltree.RootHas(data, "xmlns:xacro")
}

// maxParameters bounds a ROS parameter file, in bytes.
const maxParameters = 1 << 20

func isParameters(_ string, data []byte) bool {
	return bytes.Contains(data, []byte("ros__parameters:"))
}

func isValues(name string, _ []byte) bool {
	return extension(name) == ".yaml" || extension(name) == ".yml"
}

func isSidecar(_ string, data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n\ufeff"), []byte("{")) ||
		strings.EqualFold(xmltree.RootName(data), "simulationinfo")
}

// isScript tells scripts of materials by their first word.
func isScript(_ string, data []byte) bool {
	text, _ := xmltree.ToUTF8(data)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") ||
			strings.HasPrefix(line, "*") {
			continue
		}
		word := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == '{' })
		return len(word) > 0 && slices.Contains([]string{"material", "import", "abstract", "vertex_program",
			"fragment_program"}, word[0])
	}
	return false
}

// errTextUnlisted refuses a model or world that was sent as text.
var errTextUnlisted = errors.New("spawning from text is disabled here: only listed models and worlds can be used (--spawn-from listed)")

// discreet leaves out notes that may quote values of a file that a client's arguments lead to.
func (ld *loader) discreet(notes scene.Notes) scene.Notes {
	if ld.named == "" || len(notes) == 0 {
		return notes
	}
	return scene.Notes{{Kind: scene.Suspicious, File: ld.named, Line: 1, Column: 1,
		Text: fmt.Sprintf("%d notes on what its values make are not shown: it was named by an argument",
			len(notes))}}
}

// hint tells a client how to get a file that it may not have. For addresses built from values of its own
// arguments it only says that they are not available.
func (ld *loader) hint(err error) error {
	if err != nil && ld.named != "" {
		for _, why := range []error{scene.ErrMissingAssets, scene.ErrUnreadableAssets,
			scene.ErrUnsupportedFormat, scene.ErrParse, scene.ErrNotFound} {
			if errors.Is(err, why) {
				return fmt.Errorf("%w: nothing can be made of %s, which an argument names; nothing of it is shown here, simdeck check on this machine says more",
					why, ld.named)
			}
		}
	}
	if !ld.lib.client || !errors.Is(err, asset.ErrOutside) {
		return err
	}
	return fmt.Errorf("%w; the simulator was started with --spawn-from %v: --path FOLDER opens one more folder to clients, --spawn-from anywhere all files",
		err, ld.lib.reach)
}

// listed refuses to a client who may have only what is listed any other file.
func (ld *loader) listed(file asset.Ref, uri string, args map[string]string) error {
	if !ld.lib.client || ld.lib.reach != scene.ReachListed {
		return nil
	}
	if args == nil && ld.lists(file) {
		return nil
	}
	return fmt.Errorf("%w: %s: it is not listed, and only what is listed is read (--spawn-from listed); get_spawnables and get_available_worlds list it",
		scene.ErrNotFound, uri)
}

// lists tells whether walking through the roots, or a source in them, shows a file.
func (ld *loader) lists(file asset.Ref) bool {
	if ld.space.Roots()[file.Root].Name == builtinName {
		return false
	}
	for part := range strings.SplitSeq(file.Path, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	for dir := file.Dir(); ; dir = dir.Dir() {
		// one model is in it
		if isFile(ld.space, dir.Join("model.config")) || isFile(ld.space, dir.Join("model.sdf")) {
			at, err := modelFile(ld, dir)
			return err == nil && at == file && ld.glimpse(file).kind != ""
		}
		if path.Clean("/"+dir.Path) == "/" {
			return looked(file) && ld.glimpse(file).kind != ""
		}
	}
}
