package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	archived "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// nobody is the user that images run as; distroless ones have the same.
const nobody = 65532

// image writes an OCI layout with an index of an image for each architecture into a folder, which it empties
// first.
func (e *edition) image(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range targets() {
		if t.system != "linux" || t.arch == "arm" {
			continue
		}
		img, err := e.imageOf(t, filepath.Dir(dir))
		if err != nil {
			return fmt.Errorf("image for %s: %w", t, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img,
			Descriptor: v1.Descriptor{MediaType: types.OCIManifestSchema1,
				Platform: &v1.Platform{OS: t.system, Architecture: t.arch}}})
	}
	index = mutate.Annotations(index, e.labels()).(v1.ImageIndex)
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	for _, tag := range e.tags() {
		// the second is the name that containerd and Docker give it
		if err := path.AppendIndex(index, layout.WithAnnotations(map[string]string{
			"org.opencontainers.image.ref.name": tag,
			"io.containerd.image.name":          e.Origin.Image + ":" + tag,
		})); err != nil {
			return err
		}
	}
	return nil
}

// imageArchive packs the layout in one file, as hosting pages and docker load take it. It comes before the
// sums, so that it has one.
func (e *edition) imageArchive(out string) error {
	var all []file
	dir := filepath.Join(out, "image")
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		all = append(all, file{filepath.ToSlash(rel), 0o644, data})
		return err
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := tarred(&b, all, e.Time); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "simdeck_"+e.Version+"_image.tar"), b.Bytes(), 0o644)
}

// Tag is the version as a tag of images, which know no plus.
func (e *edition) Tag() string { return strings.ReplaceAll(e.Version, "+", "-") }

// tags are the names of an image: its version; without a suffix also the minor version, the major one from 1
// on, and latest.
func (e *edition) tags() []string {
	all := []string{e.Tag()}
	m := regexp.MustCompile(`^((\d+)\.\d+)\.\d+$`).FindStringSubmatch(e.Version)
	if m == nil {
		return all
	}
	all = append(all, m[1])
	if m[2] != "0" {
		all = append(all, m[2])
	}
	return append(all, "latest")
}

// imageOf is the image of one architecture: the binary, a user, and what must be kept with it.
func (e *edition) imageOf(t target, dir string) (v1.Image, error) {
	binary, err := e.build(t, dir)
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	notices, err := e.notices(binary)
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile(filepath.Join(e.Source, "LICENSE"))
	if err != nil {
		return nil, err
	}
	data, err := layerOf([]file{
		{"usr/bin/simdeck", 0o755, program}, {"usr/share/doc/simdeck/LICENSE", 0o644, licence},
		{"usr/share/doc/simdeck/" + notices.name, 0o644, notices.data},
		{"etc/passwd", 0o644, fmt.Appendf(nil, "simdeck:x:%d:%d:simdeck:/tmp:/sbin/nologin\n", nobody,
			nobody)},
		{"etc/group", 0o644, fmt.Appendf(nil, "simdeck:x:%d:\n", nobody)},
		{"tmp/", 0o1777, nil},
	}, e)
	if err != nil {
		return nil, err
	}
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1),
		types.OCIConfigJSON)
	if img, err = mutate.Append(img,
		mutate.Addendum{Layer: data, MediaType: types.OCILayer,
			History: v1.History{CreatedBy: "simdeck release", Created: v1.Time{Time: e.Time}}}); err != nil {
		return nil, err
	}
	config, err := e.config(t, img)
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(img, config)
}

// layerOf is a layer of files.
func layerOf(all []file, e *edition) (v1.Layer, error) {
	data, err := tarball(all, e.Time)
	if err != nil {
		return nil, err
	}
	return archived.LayerFromOpener(func() (io.ReadCloser,
		error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}, archived.WithMediaType(types.OCILayer))
}

// config says how the image runs. Where its root is read-only only /tmp, if it is mounted, and volumes can be
// written to; nothing has to be.
func (e *edition) config(t target, img v1.Image) (*v1.ConfigFile, error) {
	c, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Created = t.system, t.arch, v1.Time{Time: e.Time}
	c.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", nobody, nobody), WorkingDir: "/tmp",
		Env:          []string{"PATH=/usr/bin", "HOME=/tmp", "TERM=xterm-256color"},
		Entrypoint:   []string{"/usr/bin/simdeck"},
		Cmd:          []string{"run"},
		ExposedPorts: map[string]struct{}{"23234/tcp": {}},
		StopSignal:   "SIGTERM",
		Labels:       e.labels(),
	}
	return c, nil
}

// labels are those of OCI's image specification.
func (e *edition) labels() map[string]string {
	const prefix = "org.opencontainers.image."
	return map[string]string{
		prefix + "title": "simdeck", prefix +
			"description": "terminal console with a robot simulator inside, for ROS 2",
		prefix + "version": e.Version, prefix + "created": e.Time.Format(time.RFC3339),
		prefix + "licenses": "Apache-2.0",
	}
}
