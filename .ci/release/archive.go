package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// file is one of an archive.
type file struct {
	name string // slash-separated; of a folder it ends with a slash
	mode int64
	data []byte
}

func sorted(all []file) []file {
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all
}

// archive writes BASE.tar.gz, or BASE.zip for Windows, with all files in one folder.
func (e *edition) archive(t target, base string, all []file) error {
	inside := make([]file, len(all))
	for i, f := range all {
		inside[i] = file{filepath.Base(base) + "/" + f.name, f.mode, f.data}
	}
	var b bytes.Buffer
	if t.system == "windows" {
		if err := zipped(&b, inside, e.Time); err != nil {
			return err
		}
		return os.WriteFile(base+".zip", b.Bytes(), 0o644)
	}
	data, err := tarball(inside, e.Time)
	if err != nil {
		return err
	}
	return os.WriteFile(base+".tar.gz", data, 0o644)
}

// tarball packs files in the order of their names, all by root and of one time, with the folders above them.
func tarball(all []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	// the level is valid: a higher one takes twice as long for 1 % less
	z, _ := gzip.NewWriterLevel(&b, 7)
	if err := tarred(z, all, at); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// tarred is the same without packing.
func tarred(to io.Writer, all []file, at time.Time) error {
	w := tar.NewWriter(to)
	for _, f := range sorted(withFolders(all)) {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: at, Uname: "root",
			Gname: "root", Typeflag: tar.TypeReg, Format: tar.FormatGNU}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return w.Close()
}

// withFolders adds the folders in which files stand, where they are not named themselves. A name that begins
// with ./ has folders that do: dpkg makes no others.
func withFolders(all []file) []file {
	there := map[string]bool{"./": true}
	for _, f := range all {
		there[f.name] = true
	}
	for _, f := range slices.Clone(all) {
		for dir := above(f.name); dir != "" && !there[dir]; dir = above(dir) {
			there[dir] = true
			all = append(all, file{dir, 0o755, nil})
		}
	}
	return all
}

// above is the folder in which a file or folder stands, with a slash at its end; empty where there is none.
func above(name string) string {
	return name[:strings.LastIndexByte(strings.TrimSuffix(name, "/"), '/')+1]
}

func zipped(to io.Writer, all []file, at time.Time) error {
	z := zip.NewWriter(to)
	for _, f := range sorted(all) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(os.FileMode(f.mode))
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}

// gzipped is a single file packed, without its name and time.
func gzipped(data []byte) []byte {
	var b bytes.Buffer
	// the level is valid, and writes to memory do not fail
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

// sum is that of a file.
type sum struct{ name, sum string }

// imageIndex names the parts of the image with their sums.
const imageIndex = "image/index.json"

// signature are the names of what is made from a key.
var signature = regexp.MustCompile(`\.(sig|gpg)$|/InRelease$`)

// summed are the sums of the files of a release in a folder, of its pages, and of the image's index.
func summed(dir string) (all []sum, err error) {
	names := []string{imageIndex}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case d.IsDir() && rel != "pages" && !strings.HasPrefix(rel, "pages/"):
			return fs.SkipDir
		case d.IsDir() || signature.MatchString(rel):
			return nil
		case !strings.Contains(rel, "/") && !versioned.MatchString(rel) && !slices.Contains(unversioned, rel):
			return nil // other tools write into dist, too
		}
		names = append(names, rel)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		all = append(all, sum{name, fmt.Sprintf("%x", sha256.Sum256(data))})
	}
	return all, nil
}

// sums writes SHA256SUMS over the files of a folder.
func sums(dir string) error {
	all, err := summed(dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%s  %s\n", f.sum, f.name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(b.String()), 0o644)
}
