package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// Folder is the name of the folder in the archive for a system, and of the archive without its suffix.
func (e *edition) Folder(system, arch string) string {
	return fmt.Sprintf("simdeck_%s_%s", e.Version, target{system: system, arch: arch})
}

// Archive is the name of the archive for a system.
func (e *edition) Archive(system, arch string) string {
	if system == "windows" {
		return e.Folder(system, arch) + ".zip"
	}
	return e.Folder(system, arch) + ".tar.gz"
}

// Signer and Namespace are the principal and the namespace of signatures.
func (e *edition) Signer() string { return signer }

// Namespace is that of ssh-keygen -Y.
func (e *edition) Namespace() string { return namespace }

// publish writes a release's files for people and package managers into a folder. Beside the archives it
// writes install script, Homebrew formula, Scoop manifest and notes; below pages are the files for a static
// host.
func (e *edition) publish(out string) error {
	at := filepath.Join(out, "pages")
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	list, err := summed(out)
	if err != nil {
		return err
	}
	e.sums = map[string]string{}
	for _, f := range list {
		e.sums[f.name] = f.sum
	}
	var all []file
	for _, f := range []struct {
		name string
		mode int64
	}{{"install.sh", 0o755}, {"simdeck.rb", 0o644}, {"simdeck.json", 0o644}} {
		text, err := e.expand(f.name)
		if err != nil {
			return err
		}
		all = append(all, file{f.name, f.mode, text})
	}
	notes, err := e.notes()
	if err != nil {
		return err
	}
	index, err := e.expand("index.html")
	if err != nil {
		return err
	}
	if err := write(out, append(all, file{"RELEASE_NOTES.md", 0o644, notes})); err != nil {
		return err
	}
	if err := write(at, []file{all[0], {"index.html", 0o644, index}}); err != nil {
		return err
	}
	if err := e.apt(out); err != nil {
		return err
	}
	return e.module(filepath.Join(at, "go"))
}
