// Release builds what users install: static binaries in archives, Debian packages and a container image, with
// their parts lists and checksums. The same commit gives the same bytes, in any folder and at any time. It is
// a module of its own, so that what it needs is no dependency of simdeck.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

func main() {
	out := flag.String("out", "dist", "folder to write into")
	source := flag.String("source", ".", "folder of simdeck's source")
	only := flag.String("only", "", "build only this: image")
	key := flag.String("sign", "", "OpenSSH key to sign with; empty: nothing is signed")
	gpg := flag.String("gpg", "", "OpenPGP key to sign the Debian repository with; empty: it is not signed")
	flag.Parse()
	if err := run(*source, *out, *only, *key, *gpg); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run builds all, or the image alone.
func run(source, out, only, key, gpg string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	e, err := editionOf(source)
	if err != nil {
		return err
	}
	fmt.Println("simdeck", e.Version)
	if only == "image" {
		return errors.Join(e.image(filepath.Join(out, "image")), e.clean())
	}
	if e.Origin.placeholder() {
		fmt.Println("PLACEHOLDER ADDRESSES: set those of " + originFile + " before publishing")
	}
	if e.Signers, err = signersLine(key); err != nil {
		return err
	}
	if err := e.release(targets(), out); err != nil {
		return err
	}
	return errors.Join(e.sign(out, key), e.signApt(out, gpg))
}

// release builds all files for some targets, and the image, into a folder, and says what they were made of.
func (e *edition) release(all []target, out string) error {
	if err := e.clear(out); err != nil {
		return err
	}
	texts, err := e.texts()
	if err != nil {
		return err
	}
	for _, t := range all {
		binary, err := e.build(t, out)
		if err != nil {
			return err
		}
		if err := e.pack(t, binary, texts, out); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := e.image(filepath.Join(out, "image")); err != nil {
		return err
	}
	if err := errors.Join(e.imageArchive(out), e.clean()); err != nil {
		return err
	}
	if len(all) == len(targets()) { // a formula names them all
		if err := e.publish(out); err != nil {
			return err
		}
	}
	if err := e.provenance(all, out); err != nil {
		return err
	}
	return sums(out)
}

// versioned are the files of a release that have its version in their names.
var versioned = regexp.MustCompile(`^simdeck_.+(_(linux|darwin|windows)_(amd64|arm64|armv7)` +
	`\.(tar\.gz|zip|cdx\.json)|_(amd64|arm64|armhf)\.deb|_image\.tar|\.provenance\.json)$`)

// unversioned are the others of its folder that are summed.
var unversioned = []string{"install.sh", "simdeck.rb", "simdeck.json", "RELEASE_NOTES.md"}

// clear removes the files of a release that was made before in the same folder: they would be summed, signed
// and uploaded with this one.
func (e *edition) clear(out string) error {
	entries, err := os.ReadDir(out)
	for _, f := range entries {
		if versioned.MatchString(f.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(out, f.Name())))
		}
	}
	return err
}

// pack writes the files of one target.
func (e *edition) pack(t target, binary string, texts []file, out string) error {
	parts, err := e.sbom(binary, t)
	if err != nil {
		return err
	}
	notices, err := e.notices(binary)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	program := file{name: filepath.Base(binary), mode: 0o755, data: content}
	base := filepath.Join(out, e.Folder(t.system, t.arch))
	if err := os.WriteFile(base+".cdx.json", parts, 0o644); err != nil {
		return err
	}
	if err := e.archive(t, base, append([]file{program, notices}, texts...)); err != nil {
		return err
	}
	if t.debian == "" {
		return nil
	}
	return e.debian(t, program, notices, texts, out)
}
