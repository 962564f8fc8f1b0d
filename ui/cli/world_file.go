package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simdeck/sim/scene"
	"simdeck/ui/cli/worldfile"
	"simdeck/ui/readfile"
)

// WorldFile is the asked world as a URI, or as an absolute path with its folder where it is a file. A xacro
// may have arguments behind it (robot.xacro?x=1). A folder with a world.yaml is a world bundle. A world given
// as text has neither. Errors wrap scene.ErrNotFound.
func (o Options) WorldFile() (uri, folder string, err error) {
	if o.Text != "" {
		return "", "", nil
	}
	name, query := macroFile(o.World)
	if bundle := filepath.Join(name, "world.yaml"); isFile(bundle) {
		name = bundle
	}
	info, err := os.Stat(name)
	isPath := strings.ContainsRune(o.World, filepath.Separator) && !strings.Contains(o.World, ":")
	switch {
	case isPath && errors.Is(err, fs.ErrNotExist):
		return o.World, "", fmt.Errorf("%w: there is no file %s", scene.ErrNotFound, o.World)
	case isPath && err == nil && info.IsDir():
		return o.World, "", fmt.Errorf("%w: %s is a folder; name a world or robot file in it",
			scene.ErrNotFound, o.World)
	case isPath && err == nil && !info.Mode().IsRegular():
		_, err := readfile.Open(name) // which says what it is
		return o.World, "", fmt.Errorf("%w: %w", scene.ErrNotFound, err)
	case err != nil || !info.Mode().IsRegular():
		return o.World, "", nil
	}
	file, err := filepath.Abs(name)
	return file + query, filepath.Dir(file), err
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// NamesWorld reports whether a name means a world by itself: it is a file, a world bundle or a URI.
func NamesWorld(name string) bool {
	file, _ := macroFile(name)
	return isFile(file) || isFile(filepath.Join(file, "world.yaml")) || strings.Contains(name, "://")
}

// Take takes over what a worker's world was found to be: an address, or its text; or why it was not found.
// Both empty leave what was named. Errors wrap ErrUsage where another world was named as well.
func (o *Options) Take(address, text string, err error) error {
	switch {
	case err != nil || address+text == "":
		return err
	case o.ROS.Worker != nil && o.ROS.Worker.named:
		return fmt.Errorf("%w: the world %s and object_config: want one of them", ErrUsage, o.World)
	case address != "":
		o.World = address
	}
	o.Text = text
	return nil
}

// oneWorld allows one world, with the arguments of its file behind it.
func oneWorld(cmd *cobra.Command, args []string) error {
	return cobra.MaximumNArgs(1)(cmd, worldfile.WithArguments(args))
}

// macroFile cuts the arguments off a file that takes some: one with macros, or one of MuJoCo with the name of
// a keyframe. query has its question mark.
func macroFile(name string) (file, query string) {
	for _, joint := range [...]string{".xacro?", ".xml?" + keyframeArg + "="} {
		if at := strings.Index(name, joint); at >= 0 {
			at += strings.IndexByte(joint, '?')
			return name[:at], name[at:]
		}
	}
	return name, ""
}

// keyframeArg is the argument of a file of MuJoCo that names its initial state.
const keyframeArg = "keyframe"

// withKeyframe is the address of a file with the keyframe from which it starts; empty: none is asked for.
func withKeyframe(uri, keyframe string) (string, error) {
	switch {
	case keyframe == "":
		return uri, nil
	case !strings.EqualFold(path.Ext(uri), ".xml"):
		return "", fmt.Errorf("%w: --%s %q of %q: want a file of MuJoCo, NAME.xml", ErrUsage, keyframeArg, keyframe, uri)
	}
	return worldfile.WithArguments([]string{uri, keyframeArg + ":=" + keyframe})[0], nil
}
