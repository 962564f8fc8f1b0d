package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// suite and part are the fields of a line of sources besides the URL.
const (
	suite = "stable"
	part  = "main"
)

// pooled is a Debian package of a release.
type pooled struct {
	name    string // of the file
	arch    string
	control string // its control file, with which its paragraph in Packages begins
	sum     string
	size    int
}

// apt writes a Debian repository (https://wiki.debian.org/DebianRepository/Format) of the packages that were
// made in out, into the folder apt of its pages.
func (e *edition) apt(out string) error {
	dir := filepath.Join(out, "pages", "apt")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	var indices []file // below dists/SUITE
	var arches []string
	for _, p := range e.debs {
		arches = append(arches, p.arch)
		pool := "pool/" + part + "/s/simdeck/" + p.name
		data, err := os.ReadFile(filepath.Join(out, p.name))
		if err != nil {
			return err
		}
		if err := write(dir, []file{{pool, 0o644, data}}); err != nil {
			return err
		}
		paragraph := []byte(fmt.Sprintf("%sFilename: %s\nSize: %d\nSHA256: %s\n", p.control, pool, p.size, p.sum))
		folder := part + "/binary-" + p.arch + "/"
		indices = append(indices, file{folder + "Packages", 0o644, paragraph},
			file{folder + "Packages.gz", 0o644, gzipped(paragraph)})
	}
	slices.Sort(arches)
	release := e.releaseFile(arches, sorted(indices))
	// a client that has an older Release finds its indices by their sums
	for _, f := range slices.Clone(indices) {
		by := fmt.Sprintf("%s/by-hash/SHA256/%x", path.Dir(f.name), sha256.Sum256(f.data))
		indices = append(indices, file{by, f.mode, f.data})
	}
	indices = append(indices, file{"Release", 0o644, release})
	if err := write(filepath.Join(dir, "dists", suite), indices); err != nil {
		return err
	}
	readme, err := e.expand("apt.txt")
	if err != nil {
		return err
	}
	return write(dir, []file{{"README.txt", 0o644, readme}})
}

// releaseFile names the indices with their sums; a signature over it is one over all packages.
func (e *edition) releaseFile(arches []string, indices []file) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Origin: simdeck\nLabel: simdeck\nSuite: %s\nCodename: %s\nDate: %s\nArchitectures: %s\n"+
		"Components: %s\nAcquire-By-Hash: yes\nDescription: simdeck %s\nSHA256:\n", suite, suite,
		e.Time.Format("Mon, 02 Jan 2006 15:04:05 UTC"), strings.Join(arches, " "), part, e.Version)
	for _, f := range indices {
		fmt.Fprintf(&b, " %x %d %s\n", sha256.Sum256(f.data), len(f.data), f.name)
	}
	return b.Bytes()
}

// signApt signs the repository with an OpenPGP key of the user's keyring, and puts the key's public part
// beside it. Signatures of an earlier release go in either case.
func (e *edition) signApt(out, key string) error {
	apt := filepath.Join(out, "pages", "apt")
	dir := filepath.Join(apt, "dists", suite)
	clear := filepath.Join(dir, "InRelease")
	detached := filepath.Join(dir, "Release.gpg")
	public := filepath.Join(apt, "simdeck.gpg")
	for _, name := range []string{clear, detached, public} {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if key == "" {
		fmt.Println("NOT SIGNED: make release GPG=KEY signs the Debian repository with an OpenPGP key")
		return nil
	}
	release := filepath.Join(dir, "Release")
	for _, args := range [][]string{
		{"--clearsign", "--output", clear, release},
		{"--armor", "--detach-sign", "--output", detached, release},
		{"--export", "--output", public},
	} {
		args = append([]string{"--batch", "--yes", "--digest-algo", "SHA256", "--local-user", key}, args...)
		if args[6] == "--export" {
			args = append(args, key)
		}
		cmd := exec.Command("gpg", args...)
		cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("signing the Debian repository with %s: %w", key, err)
		}
	}
	return nil
}
