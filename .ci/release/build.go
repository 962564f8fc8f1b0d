package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// target is a system that is built for.
type target struct {
	system, arch string // as Go names them; arm is version 7
	debian       string // Debian's name of the architecture; empty: no package
}

// targets are all systems that a release is for.
func targets() []target {
	return []target{
		{"linux", "amd64", "amd64"}, {"linux", "arm64", "arm64"}, {"linux", "arm", "armhf"},
		{"darwin", "amd64", ""}, {"darwin", "arm64", ""}, {"windows", "amd64", ""},
	}
}

// String is the target in names of files.
func (t target) String() string {
	arch := t.arch
	if arch == "arm" {
		arch = "armv7"
	}
	return t.system + "_" + arch
}

// build makes the binary, once, in a folder of its own under dir and gives its path.
func (e *edition) build(t target, dir string) (string, error) {
	if binary, ok := e.built[t]; ok {
		return binary, nil
	}
	name := "simdeck"
	if t.system == "windows" {
		name += ".exe"
	}
	folder, err := filepath.Abs(filepath.Join(dir, "bin_"+t.String()))
	if err != nil {
		return "", err
	}
	binary := filepath.Join(folder, name)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags",
		"-s -w -buildid= -X main.linked="+e.Version, "-o", binary, ".")
	cmd.Dir = e.Source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0",
		"GOARM=7", "GOOS="+t.system, "GOARCH="+t.arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building for %s: %w\n%s", t, err, strings.TrimSpace(string(out)))
	}
	e.built[t] = binary
	return binary, nil
}

// clean removes the binaries, which archives and packages hold now.
func (e *edition) clean() (err error) {
	for _, binary := range e.built {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(binary)))
	}
	clear(e.built)
	return err
}
