package format

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"simdeck/sim/asset"
	"simdeck/sim/scene"
)

const xacroSpace = `xmlns:xacro="http://www.ros.org/wiki/xacro"`

// workspace is a package with a robot written in macros, in the folders that colcon makes.
func workspace() fstest.MapFS {
	return fstest.MapFS{
		"share/bot/urdf/bot.urdf.xacro": text(`<robot name="bot" ` + xacroSpace + `>
  <xacro:arg name="wheels" default="2"/>
  <xacro:include filename="$(find bot)/urdf/wheel.xacro"/>
  <xacro:include filename="parts/*.xacro"/>
  <link name="base"><visual><geometry><mesh filename="file://$(find bot)/meshes/m.obj"/></geometry></visual></link>
  <xacro:property name="cfg" value="${xacro.load_yaml('$(find bot)/config/bot.yaml')}"/>
  <xacro:macro name="wheels" params="i">
    <xacro:if value="${i > 0}"><xacro:wheel i="${i}" radius="${cfg['radius']}"/><xacro:wheels i="${i - 1}"/></xacro:if>
  </xacro:macro>
  <xacro:wheels i="$(arg wheels)"/>
</robot>`),
		"share/bot/urdf/wheel.xacro": text(`<robot name="wheel" ` + xacroSpace + `>
<xacro:macro name="wheel" params="i radius">
  <link name="wheel${i}"><collision><geometry><sphere radius="${radius}"/></geometry></collision></link>
  <joint name="j${i}" type="continuous"><parent link="base"/><child link="wheel${i}"/></joint>
</xacro:macro></robot>`),
		"share/bot/urdf/parts/lamp.xacro": text(`<robot ` + xacroSpace +
			`><link name="lamp"/><joint name="l" type="fixed"><parent link="base"/><child link="lamp"/></joint></robot>`),
		"share/bot/config/bot.yaml": text("radius: 0.25\n"),
		"share/bot/meshes/m.obj":    text(triangle),
		"share/bot/package.xml":     text("<package/>"),
	}
}

func TestARobotOfMacrosIsSpawnedFromItsFileWithArguments(t *testing.T) {
	for _, base := range []string{"", "/opt/ws"} {
		lib := NewLibrary(Config{Roots: []asset.Root{{Name: "ws", FS: workspace(), Base: base}}})
		for _, c := range []struct {
			uri   string
			links int
		}{
			{"package://bot/urdf/bot.urdf.xacro", 4},
			{"package://bot/urdf/bot.urdf.xacro?wheels=3", 5},
			{"share/bot/urdf/bot.urdf.xacro?wheels=0", 2},
			{"package://bot/urdf/bot.urdf.xacro?wheels=3", 5},
		} {
			m, err := lib.Model(scene.Resource{URI: c.uri})
			if err != nil || len(m.Links) != c.links || len(m.Notes) > 0 && m.Notes.Has(scene.Missing) {
				t.Fatalf("%s: %v, %+v", c.uri, err, m)
			}
			if m.Source != c.uri || strings.Contains(m.Document, "xacro") ||
				!strings.Contains(m.Document, `<link name="base">`) {
				t.Errorf("%s: source %s, document %.300s", c.uri, m.Source, m.Document)
			}
		}
	}
}

func TestRobotsOfMacrosAreListedAndFilesOfDefinitionsAreNot(t *testing.T) {
	list, complaints := NewLibrary(Config{Roots: []asset.Root{{Name: "ws", FS: workspace(),
		Base: "/opt/ws"}}}).Spawnables(nil)
	if len(list) != 1 || list[0].URI != "file:///opt/ws/share/bot/urdf/bot.urdf.xacro" ||
		list[0].Info.Category != scene.Robot {
		t.Errorf("%+v %v", list, complaints)
	}
}

func TestErrorsInMacrosNameTheFileAndTheCall(t *testing.T) {
	fsys := workspace()
	fsys["share/bot/config/bot.yaml"] = text("radius: -1\n")
	_, err := library(fsys).Model(scene.Resource{URI: "package://bot/urdf/bot.urdf.xacro"})
	want := "@cache@/share/bot/urdf/wheel.xacro:3:47 (macro wheel, called at @cache@/share/bot/urdf/bot.urdf.xacro:8:32) (macro wheels, called at @cache@/share/bot/urdf/bot.urdf.xacro:10:3): <sphere> has a length of -1"
	if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwant %s", err, want)
	}
	_, err = library(workspace()).Model(scene.Resource{URI: "package://bot/urdf/bot.urdf.xacro?wheels=%zz"})
	if !errors.Is(err, scene.ErrParse) || !strings.Contains(err.Error(), "write ?name=value") {
		t.Errorf("%v", err)
	}
}

func TestMacrosLeadNowhereOutsideTheSearchFolders(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(secret, []byte("key: 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{
		`<xacro:include filename="` + secret + `"/>`, `<xacro:include filename="../../../../etc/passwd"/>`,
		`<a b="${xacro.load_yaml('` + secret + `')}"/>`,
		`<a b="${xacro.load_yaml('https://example.invalid/x.yaml')}"/>`,
		`<xacro:include filename="/etc/*.conf"/>`, `<xacro:include filename="$(find ../..)/x"/>`,
	} {
		_, err := library(workspace()).Model(scene.Resource{Document: `<robot name="r" ` + xacroSpace +
			`><xacro:property name="p" value="1"/>` + inside + `</robot>`})
		if !errors.Is(err, scene.ErrParse) || !errors.Is(err, asset.ErrOutside) &&
			!errors.Is(err, asset.ErrNetwork) && !errors.Is(err, asset.ErrNotFound) {
			t.Errorf("%s: %v", inside, err)
		}
	}
}
