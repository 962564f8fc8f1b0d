package format

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/asset/xmltree"
	"simdeck/sim/scene"
)

// interrupting is a file system that interrupts who reads from it at the n-th file, and counts.
type interrupting struct {
	fstest.MapFS
	at        int
	opened    *int
	interrupt func()
}

func (i interrupting) Open(name string) (fs.File, error) {
	if *i.opened++; *i.opened == i.at {
		i.interrupt()
	}
	return i.MapFS.Open(name)
}

func TestReadingEndsWithItsContext(t *testing.T) {
	files := fstest.MapFS{}
	var include, attach, proto, used strings.Builder
	for i := range 50 {
		files[fmt.Sprintf("m%d/model.sdf", i)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			`<sdf version="1.9"><model name="m%d"><link name="l"/></model></sdf>`, i)}
		files[fmt.Sprintf("m%d.xml", i)] = &fstest.MapFile{Data: []byte(`<mujocoinclude><body/></mujocoinclude>`)}
		files[fmt.Sprintf("P%d.proto", i)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			"#VRML_SIM R2023b utf8\nPROTO P%d [ ] { Solid { } }\n", i)}
		files[fmt.Sprintf("m%d.xacro", i)] = &fstest.MapFile{Data: fmt.Appendf(nil,
			`<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="l%d"/></robot>`, i)}
		fmt.Fprintf(&include, `<include><uri>model://m%d</uri></include>`, i)
		fmt.Fprintf(&attach, `<include file="m%d.xml"/>`, i)
		fmt.Fprintf(&proto, "EXTERNPROTO \"P%d.proto\"\n", i)
		fmt.Fprintf(&used, "P%d { }\n", i)
	}
	maps.Copy(files, fstest.MapFS{
		"world.sdf": {Data: []byte(`<sdf version="1.9"><world name="w">` + include.String() +
			`</world></sdf>`)},
		"world.xml": {Data: []byte(`<mujoco><worldbody>` + attach.String() + `</worldbody></mujoco>`)},
		"world.wbt": {Data: []byte("#VRML_SIM R2023b utf8\n" + proto.String() + used.String())},
		"robot.urdf.xacro": {Data: []byte(`<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="l"/>` +
			strings.ReplaceAll(strings.ReplaceAll(attach.String(), "include file", "xacro:include filename"),
				".xml", ".xacro") + `</robot>`)},
	})
	for _, name := range []string{"world.sdf", "world.xml", "world.wbt", "robot.urdf.xacro"} {
		for _, at := range []int{1, 5} {
			ctx, cancel := context.WithCancel(t.Context())
			opened := 0
			lib := NewLibrary(Config{Roots: []asset.Root{{Name: "here",
				FS: interrupting{files, at, &opened, cancel}}}})
			_, err := lib.WorldContext(ctx, scene.Resource{URI: "spawnable://here/" + name})
			if !errors.Is(err, context.Canceled) || opened > at {
				t.Errorf("%s, interrupted at file %d: %v after %d files", name, at, err, opened)
			}
			cancel()
		}
	}
}

func TestALongTextIsNotReadToItsEndWhenItIsInterrupted(t *testing.T) {
	interrupted := errors.New("interrupted")
	asked := 0
	_, err := xmltree.Parse([]byte("<a>"+strings.Repeat("<b/>", 400_000)+"</a>"),
		xmltree.Limits{Interrupted: func() error {
			if asked++; asked == 3 {
				return interrupted
			}
			return nil
		}})
	if !errors.Is(err, interrupted) || asked != 3 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}
