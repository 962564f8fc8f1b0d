package format

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
)

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// modelFile is the model in a folder: the newest that model.config lists, else model.sdf, else the file
// called as the folder is. A file is its own answer.
func modelFile(ld *loader, ref asset.Ref) (asset.Ref, error) {
	if file, known := ld.files[ref]; known {
		return file, nil
	}
	file, err := findModelFile(ld, ref)
	if err == nil {
		ld.files[ref] = file
	}
	return file, err
}

func findModelFile(ld *loader, ref asset.Ref) (asset.Ref, error) {
	info, err := ld.space.Stat(ref)
	if err != nil || !info.IsDir() {
		return ref, err
	}
	if data, err := ld.read(ref.Join("model.config"), 1<<20, configKind); err == nil {
		if name := configured(data); name != "" {
			if file := ref.Join(name); isFile(ld.space, file) {
				return file, nil
			}
		}
	}
	base := path.Base("/" + ref.Path)
	for _, name := range []string{"model.sdf", base + ".sdf", base + ".urdf", "model.urdf"} {
		if file := ref.Join(name); isFile(ld.space, file) {
			return file, nil
		}
	}
	return ref, fmt.Errorf("folder %s: %w: it has no model.config that names a model, no model.sdf and no %s.urdf",
		ld.space.Name(ref), asset.ErrNotFound, base)
}

// worldFile is the world in a folder. A file is its own answer.
func worldFile(ld *loader, ref asset.Ref) (asset.Ref, error) {
	info, err := ld.space.Stat(ref)
	if err != nil || !info.IsDir() {
		return ref, err
	}
	base := path.Base("/" + ref.Path)
	for _, name := range []string{"world.sdf", base + ".sdf", base + ".world", "world.world", base + ".wbt",
		"world.yaml"} {
		if file := ref.Join(name); isFile(ld.space, file) {
			return file, nil
		}
	}
	return modelFile(ld, ref)
}

func isFile(s *asset.Space, ref asset.Ref) bool {
	info, err := s.Stat(ref)
	return err == nil && info.Mode().IsRegular()
}

// configured is the file with the highest version in a model.config; empty when it lists none.
func configured(data []byte) string {
	tree, err := xmltree.Parse(data, xmltree.Limits{Bytes: 1 << 20})
	if err != nil {
		return ""
	}
	best, highest := "", -1
	for _, n := range tree.Root.All("sdf") {
		if v := order(n.Get("version")); v > highest {
			best, highest = n.Value(), v
		}
	}
	if best == "" {
		best = tree.Root.ValueOf("urdf")
	}
	return best
}

// order makes a version comparable by its parts: 1.12 is above 1.9.
func order(version string) int {
	major, minor, _ := strings.Cut(version, ".")
	a, errA := strconv.Atoi(major)
	b, _ := strconv.Atoi(minor)
	if errA != nil {
		return 0
	}
	return min(max(a, 0), 1000)*1000 + min(max(b, 0), 999)
}
