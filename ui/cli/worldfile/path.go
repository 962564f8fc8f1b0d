// Package worldfile reads the names of worlds that the program's user gives: paths, with arguments of macros,
// on the command line and in the console. Its Engine opens them while a simulation runs.
package worldfile

import (
	"cmp"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"simdeck/ui/readfile"
)

// assignment is an argument of a file with macros, as ROS writes it.
var assignment = regexp.MustCompile(`^([A-Za-z_]\w*):=(.*)$`)

// WithArguments puts each name:=value into the address of the file before it: robot.urdf.xacro?name=value.
func WithArguments(args []string) []string {
	var out []string
	for _, a := range args {
		m := assignment.FindStringSubmatch(a)
		if m == nil || len(out) == 0 {
			out = append(out, a)
			continue
		}
		joint := "?"
		if strings.Contains(out[len(out)-1], "?") {
			joint = "&"
		}
		out[len(out)-1] += joint + m[1] + "=" + url.QueryEscape(m[2])
	}
	return out
}

// Typed is a typed world as one argument of the command line. The user's folder stands in it for a tilde.
// Arguments of a xacro behind it (robot.xacro x:=1) are part of its address.
func Typed(text string) string {
	words := strings.Fields(text)
	first := len(words)
	for first > 1 && assignment.MatchString(words[first-1]) {
		first--
	}
	if first < len(words) {
		name := strings.TrimSpace(text[:strings.Index(text, words[first])])
		text = WithArguments(append([]string{name}, words[first:]...))[0]
	}
	return expanded(text)
}

// expanded puts the user's folder in place of a tilde at the beginning of a path.
func expanded(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// mostPaths bounds the entries of a folder that are looked through for a path, and mostCompletions the paths.
const mostPaths, mostCompletions = 4096, 100

// entriesOf is the first entries of a folder; none where it cannot be read.
func entriesOf(dir string) []fs.DirEntry {
	folder, err := readfile.Folder(dir)
	if err != nil {
		return nil
	}
	file, err := folder.Open(".")
	if err != nil {
		return nil
	}
	defer file.Close()
	list, ok := file.(fs.ReadDirFile)
	if !ok {
		return nil
	}
	entries, _ := list.ReadDir(mostPaths) // those of a broken folder, too
	return entries
}

// Paths completes a path: the folders and world files whose path begins so, sorted. A folder ends in a slash,
// but for that of a world bundle.
func Paths(typed string) []string {
	shown, base := filepath.Split(typed)
	dir := cmp.Or(expanded(shown), ".")
	entries := entriesOf(dir)
	var all []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || name[0] == '.' && base == "" {
			continue
		}
		path := filepath.Join(dir, name)
		switch info, err := os.Stat(path); {
		case err != nil:
		case info.IsDir() && isFile(filepath.Join(path, "world.yaml")):
			all = append(all, shown+name)
		case info.IsDir():
			all = append(all, shown+name+"/")
		case info.Mode().IsRegular() && worldFile(name):
			all = append(all, shown+name)
		}
	}
	slices.Sort(all)
	return all[:min(len(all), mostCompletions)]
}

// worldFile reports that a file may be a world or a robot by its ending.
func worldFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".sdf", ".world", ".urdf", ".xacro", ".xml", ".wbt", ".proto", ".prefab", ".spawnable", ".yaml",
		".yml":
		return true
	}
	return false
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
