package main

import (
	"fmt"
	"go/format"
	"io/fs"
	"path"
	"strings"

	"simdeck/ros/rosidl"
)

// The folders of definitions: what is shipped, and what only tests use.
const (
	shipped  = "definitions"
	testOnly = "testdata/definitions"
)

// pkg is one folder of definitions and the Go package that is made of it.
type pkg struct {
	ros  string          // ROS name: "simulation_interfaces"
	line string          // "2.x" where the package has several lines, otherwise ""
	path string          // of the Go package below ros/msgs: "simif2"
	name string          // of the Go package
	lib  *rosidl.Library // with all that the definitions refer to
	own  *rosidl.Library // only the definitions of this folder
	used map[string]string
}

// generate gives the text of every generated file by its path below ros/msgs.
func generate(root fs.FS) (map[string][]byte, error) {
	pkgs, err := packages(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, p := range pkgs {
		if err := p.generate(files); err != nil {
			return nil, fmt.Errorf("%s: %w", p.ros, err)
		}
	}
	files["registry_test.go"], err = registry(pkgs)
	return files, err
}

// packages finds the definitions and loads for each what it refers to.
func packages(root fs.FS) ([]*pkg, error) {
	var pkgs []*pkg
	dirs := map[*pkg]string{}
	for _, dir := range []string{shipped, testOnly} {
		entries, err := fs.ReadDir(root, dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			p := newPkg(e.Name(), dir == testOnly)
			pkgs, dirs[p] = append(pkgs, p), path.Join(dir, e.Name())
		}
	}
	for _, p := range pkgs {
		if err := p.load(root, pkgs, dirs); err != nil {
			return nil, err
		}
	}
	return pkgs, nil
}

func newPkg(folder string, internal bool) *pkg {
	p := &pkg{used: map[string]string{}}
	p.ros, p.line, _ = strings.Cut(folder, "@")
	p.name = strings.ReplaceAll(p.ros, "_", "")
	if p.line != "" {
		p.name = "simif" + strings.TrimSuffix(p.line, ".x")
	}
	p.path = p.name
	if internal {
		p.path = "internal/" + p.name
	}
	return p
}

// base is the line that a package without lines sees, and on which the draft stands.
const base = "2.x"

// load fills the libraries: all packages without lines, then this package's line.
func (p *pkg) load(root fs.FS, all []*pkg, dirs map[*pkg]string) error {
	p.lib, p.own = rosidl.NewLibrary(), rosidl.NewLibrary()
	for _, other := range all {
		if other.line != "" && other.line != base {
			continue
		}
		if err := p.lib.AddPackage(root, dirs[other], other.ros); err != nil {
			return err
		}
	}
	for _, lib := range []*rosidl.Library{p.lib, p.own} {
		if err := lib.AddPackage(root, dirs[p], p.ros); err != nil {
			return err
		}
	}
	return p.lib.Check()
}

// home is the Go package that has the struct of a ROS type, as this package sees it.
func (p *pkg) home(name string) (path, alias string) {
	ros, _, _ := strings.Cut(name, "/")
	if _, ok := p.own.Struct(name); ok {
		return "", ""
	}
	folder := ros
	if ros == "simulation_interfaces" {
		folder += "@" + base
	}
	h := newPkg(folder, false)
	return h.path, h.name
}

// generate writes one file per definition, and doc.go.
func (p *pkg) generate(files map[string][]byte) error {
	add := func(f *file) error {
		text, err := f.text()
		files[path.Join(p.path, f.name)] = text
		return err
	}
	for _, s := range p.own.Messages() {
		f := p.newFile(s.Name, "msg")
		f.structs(s)
		if err := add(f); err != nil {
			return err
		}
	}
	for _, s := range p.own.Services() {
		f := p.newFile(s.Name, "srv")
		f.structs(s.Structs()...)
		f.service(s)
		if err := add(f); err != nil {
			return err
		}
	}
	for _, a := range p.own.Actions() {
		f := p.newFile(a.Name, "action")
		f.structs(a.Structs()...)
		f.service(a.SendGoal)
		f.service(a.GetResult)
		f.action(a)
		if err := add(f); err != nil {
			return err
		}
	}
	text, err := format.Source([]byte(p.doc()))
	files[path.Join(p.path, "doc.go")] = text
	return err
}

func (p *pkg) doc() string {
	what := p.ros
	if p.line != "" {
		what += " (" + p.line + ")"
	}
	return fmt.Sprintf("%s. DO NOT EDIT.\n\n// Package %s has the types of the ROS package %s. Package msgs tells how they are named and used.\npackage %s\n",
		marker, p.name, what, p.name)
}
