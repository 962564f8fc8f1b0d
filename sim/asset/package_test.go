package asset

import (
	"errors"
	"testing"
	"testing/fstest"
)

func packageXML(name string) *fstest.MapFile {
	return file(`<?xml version="1.0"?><package format="3"><name> ` + name + " </name></package>")
}

func TestPackagesAreCalledAsTheirManifestSaysNotAsTheirFolder(t *testing.T) {
	s := NewSpace(
		Root{Name: "ws", Base: "/ws", FS: fstest.MapFS{
			"src/panda_description/package.xml":      packageXML("moveit_resources_panda_description"),
			"src/panda_description/meshes/hand.stl":  file("moveit hand"),
			"src/panda_description/urdf/panda.urdf":  file("robot"),
			"src/stack/deep/arm_v2/package.xml":      packageXML("arm"),
			"src/stack/deep/arm_v2/m.stl":            file("too deep"),
			"src/stack/arm_v1/package.xml":           packageXML("arm"),
			"src/stack/arm_v1/m.stl":                 file("arm"),
			"src/stack/.git/package.xml":             packageXML("hidden"),
			"src/stack/.git/m.stl":                   file("hidden"),
			"src/plain/m.stl":                        file("plain"),
			"src/broken/package.xml":                 file("<package><name>"),
			"src/broken/m.stl":                       file("broken"),
			"src/linked":                             link("/opt/tools"),
			"src/out":                                link("/etc"),
			"models/panda_description/meshes/a.stl":  file("a model"),
			"models/panda_description/model.config":  file("<model/>"),
			"src/stack/arm_v1/nested/package.xml":    packageXML("nested"),
			"src/stack/arm_v1/nested/m.stl":          file("nested"),
			"src/panda_description/sub/robot/r.urdf": file("robot"),
		}},
		Root{Name: "prefix", Base: "/opt/ros", FS: fstest.MapFS{
			"share/panda_description/package.xml":     packageXML("panda_description"),
			"share/panda_description/meshes/hand.stl": file("panda hand"),
		}},
		Root{Name: "tools", Base: "/opt/tools",
			FS: fstest.MapFS{"package.xml": packageXML("toolbox"), "m.stl": file("tool")}},
	)
	for _, c := range []struct {
		uri, want string
		from      Ref
	}{
		{"package://moveit_resources_panda_description/meshes/hand.stl", "moveit hand", Ref{}},
		{"package://moveit_resources_panda_description/meshes/hand.stl", "moveit hand",
			Ref{0, "src/panda_description/sub/robot/r.urdf"}},
		{"package://panda_description/meshes/hand.stl", "panda hand", Ref{}},
		{"package://panda_description/meshes/hand.stl", "panda hand",
			Ref{0, "src/panda_description/urdf/panda.urdf"}},
		// in no package of that name: the folder's does
		{"package://panda_description/urdf/panda.urdf", "robot", Ref{}},
		{"package://arm/m.stl", "arm", Ref{}},
		{"package://plain/m.stl", "plain", Ref{}},
		{"package://broken/m.stl", "broken", Ref{}},
		{"package://toolbox/m.stl", "tool", Ref{}},
		{"PACKAGE://toolbox/m.stl", "tool", Ref{}},
		{"model://panda_description/meshes/a.stl", "a model", Ref{}},
		{"webots://src/plain/m.stl", "plain", Ref{}},
	} {
		r, err := s.Resolve(c.uri, c.from)
		if err != nil {
			t.Errorf("%s: %v", c.uri, err)
			continue
		}
		if data, err := s.ReadFile(r, 100); err != nil || string(data) != c.want {
			t.Errorf("%s from %q reads %q, %v; want %q", c.uri, c.from.Path, data, err, c.want)
		}
	}
	for uri, want := range map[string]error{
		"package://hidden/m.stl": ErrNotFound, "package://nested/m.stl": ErrNotFound,
		"package://arm/../../x": ErrOutside,
		"webots://../x":         ErrOutside, "webots:///etc/passwd": ErrNotFound,
		"webots://projects/x.proto": ErrNotFound,
		"fuel://x/y":                ErrNetwork, "SSH://host/x": ErrNetwork, "s3://bucket/x": ErrNetwork,
		"package://out/passwd": ErrNotFound,
	} {
		if r, err := s.Resolve(uri, Ref{}); !errors.Is(err, want) {
			t.Errorf("%s: %+v, %v; want %v", uri, r, err, want)
		}
	}
}
