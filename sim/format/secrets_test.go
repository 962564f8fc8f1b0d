package format

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simdeck/sim/asset"
	"simdeck/sim/scenario"
	"simdeck/sim/scene"
)

// secret stands in files that are no models, in many ways of writing.
const secret = "Xyzzy7Marker"

// secretTexts are samples of such files.
func secretTexts() map[string]string {
	return map[string]string{
		"shadow":   "root:" + secret + ":19000:0:99999:7:::\n" + secret + "\n",
		"environ":  "PATH=/bin\x00TOKEN=" + secret + "\x00",
		"settings": "# " + secret + "\npassword: " + secret + "\n" + secret + ": {a: [" + secret + "\n",
		"values":   "password: " + secret + "\nlist: [" + secret + "]\n",
		"deploy":   "image: " + secret + "\nmetadata: " + secret + "\nmode: " + secret + "\n",
		"json":     `{"token": "` + secret + `", "` + secret + `": 1}`,
		"xml": `<settings><password key="` + secret + `">` + secret + `</password><` + secret +
			`/></settings>`,
		"torn": `<!-- ` + secret + ` --><settings><` + secret,
		"root": `<` + secret + ` a="` + secret + `"/>`,
		"key":  "-----BEGIN " + secret + "-----\n" + secret + "\n",
		"code": "material_of = '" + secret + "'\nv = " + secret + "\n",
		"bare": secret,
	}
}

// secretNames are endings by which readers are picked.
func secretNames() []string {
	return strings.Fields("- .sdf .urdf .xml .world .xacro .urdf.xacro .yaml .yml .json .wbt .proto .prefab .spawnable .stl .obj .dae .glb .gltf .ply .msh .png .jpg .bmp .pgm .mtl .material .simulationinfo .config .txt")
}

// carriers are documents that name a file in every way that readers know.
func carriers(uri string) []string {
	sdf := func(in string) string { return `<sdf version="1.9"><model name="m">` + in + `</model></sdf>` }
	link := func(in string) string { return sdf(`<link name="l">` + in + `</link>`) }
	robot := func(in string) string {
		return `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">` + in + `</robot>`
	}
	mujoco := func(in string) string {
		return `<mujoco>` + in + `<worldbody><body><geom type="sphere" size="1"/></body></worldbody></mujoco>`
	}
	vrml := "#VRML_SIM R2023b utf8\n"
	return []string{
		sdf(`<include><uri>` + uri + `</uri></include>`),
		`<sdf version="1.9"><world name="w"><include><uri>` + uri + `</uri></include></world></sdf>`,
		link(`<collision name="c"><geometry><mesh><uri>` + uri + `</uri></mesh></geometry></collision>`),
		link(`<visual name="c"><geometry><mesh><uri>` + uri +
			`</uri><submesh><name>a</name></submesh></mesh></geometry></visual>`),
		link(`<collision name="c"><geometry><heightmap><uri>` + uri +
			`</uri><size>1 1 1</size></heightmap></geometry></collision>`),
		link(`<visual name="c"><geometry><box><size>1 1 1</size></box></geometry><material><script><uri>` +
			uri + `</uri><name>material_of</name></script></material></visual>`),
		link(`<visual name="c"><geometry><box><size>1 1 1</size></box></geometry><material><pbr><metal><albedo_map>` +
			uri + `</albedo_map></metal></pbr></material></visual>`),
		link(`<visual name="c"><geometry><heightmap><uri>` + uri + `</uri><texture><diffuse>` + uri +
			`</diffuse><size>1</size></texture></heightmap></geometry></visual>`),
		robot(`<link name="l"><collision><geometry><mesh filename="` + uri +
			`"/></geometry></collision></link>`),
		robot(`<link name="l"><visual><geometry><box size="1 1 1"/></geometry><material name="m"><texture filename="` +
			uri + `"/></material></visual></link>`),
		robot(`<xacro:include filename="` + uri + `"/><link name="l"/>`),
		robot(`<xacro:include filename="` + uri + `*"/><link name="l"/>`),
		robot(`<xacro:property name="p" value="${xacro.load_yaml('` + uri + `')}"/><link name="${p}"/>`),
		robot(`<link name="${xacro.load_yaml('` + uri + `')['password']}"/>`),
		robot(`<xacro:include filename="${xacro.load_yaml('` + uri + `')}"/>`),
		mujoco(`<include file="` + uri + `"/>`),
		mujoco(`<asset><mesh name="m" file="` + uri +
			`"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody>`),
		mujoco(`<asset><texture name="t" type="2d" file="` + uri +
			`"/><material name="m" texture="t"/></asset><worldbody><geom size="1" material="m"/></worldbody>`),
		mujoco(`<asset><hfield name="h" file="` + uri +
			`" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody>`),
		mujoco(`<asset><model name="a" file="` + uri +
			`"/></asset><worldbody><attach model="a" prefix="p"/></worldbody>`),
		vrml + `EXTERNPROTO "` + uri + `"` + "\nWorldInfo {} Solid {}",
		vrml + `EXTERNPROTO "x/Thing.proto"` + "\nThing { url \"" + uri + "\" }",
		vrml + `Solid { children [ Shape { geometry Mesh { url [ "` + uri +
			`" ] } } ] boundingObject Mesh { url "` + uri + `" } }`,
		vrml + `Solid { children [ Shape { appearance PBRAppearance { baseColorMap ImageTexture { url "` +
			uri + `" } } geometry Box {} } CadShape { url "` + uri + `" } ] }`,
		`{"ContainerEntity": {"Id": "c"}, "Entities": {}, "Instances": {"i": {"Source": "` + uri + `"}}}`,
	}
}

// told is the full answer to a client's attempt.
func told(lib scene.Library, r scene.Resource) string {
	var all []string
	m, err := lib.Model(r)
	all = append(all, fmt.Sprint(err))
	if m != nil {
		all = append(all, fmt.Sprintf("%+v %+v %s", m.Notes, m.Links, m.Name))
	}
	w, err := lib.World(r)
	all = append(all, fmt.Sprint(err))
	if w != nil {
		all = append(all, fmt.Sprintf("%+v %s %+v", w.Notes, w.Name, w.Models))
		if r.URI != "" {
			all = append(all, w.File.Text)
		}
	}
	return strings.Join(all, "\n")
}

// vault is a folder that clients may search, with files in it that are no models, and one beside it that they
// may not.
func vault(t *testing.T) (inside, outside string) {
	base := t.TempDir()
	inside, outside = filepath.Join(base, "robots"), filepath.Join(base, "private")
	for _, dir := range []string{inside, outside, filepath.Join(inside, "x")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for kind, text := range secretTexts() {
		for _, ext := range secretNames() {
			for _, dir := range []string{inside, outside} {
				if err := os.WriteFile(filepath.Join(dir, kind+strings.TrimPrefix(ext, "-")), []byte(text),
					0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	bot := `<robot name="bot" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="file" default=""/><xacro:arg name="part" default="part.xacro"/>
<xacro:include filename="$(arg part)"/><xacro:property name="v" value="${xacro.load_yaml('$(arg file)')}"/><link name="${v['frames']['base']}"/></robot>`
	for name, text := range map[string]string{"bot.urdf.xacro": bot, "part.xacro": `<robot/>`,
		"x/model.sdf": cubeSDF, "sound.sdf": cubeSDF} {
		if err := os.WriteFile(filepath.Join(inside, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return inside, outside
}

func libraryOn(t *testing.T, folder string) *Library {
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return NewLibrary(Config{Roots: []asset.Root{{Name: asset.Cache, FS: disk()},
		{Name: "path1", FS: root.FS(), Base: folder}}})
}

func TestNothingOfAFileThatIsNoModelIsToldToAClient(t *testing.T) {
	inside, _ := vault(t)
	own := libraryOn(t, inside)
	lib := own.ForClients()
	tried, quoted := 0, 0
	try := func(what string, r scene.Resource) {
		tried++
		if text := told(lib, r); strings.Contains(text, secret) {
			at := strings.Index(text, secret)
			t.Errorf("%s: …%s…", what, text[max(0, at-200):min(len(text), at+60)])
		}
	}
	for kind := range secretTexts() {
		for _, ext := range secretNames() {
			file := filepath.Join(inside, kind+strings.TrimPrefix(ext, "-"))
			try(file, scene.Resource{URI: file})
			try("an argument "+file, scene.Resource{URI: filepath.Join(inside, "bot.urdf.xacro") + "?file=" +
				file})
			try("a part "+file, scene.Resource{URI: filepath.Join(inside, "bot.urdf.xacro") + "?part=" +
				file})
			if strings.Contains(told(own, scene.Resource{URI: file}), secret) {
				quoted++
			}
			if _, _, err := lib.Read(file, 1<<20, "a scenario", scenario.Is); err == nil ||
				strings.Contains(err.Error(), secret) {
				t.Errorf("%s as a scenario: %v", file, err)
			}
			if !slices.Contains([]string{"shadow", "environ", "values", "json", "xml"}, kind) {
				continue // the best one of each reader is enough
			}
			for _, doc := range carriers("file://" + file) {
				try(doc, scene.Resource{Document: doc})
			}
		}
	}
	for _, list := range [][]string{nil, {inside}, {filepath.Join(inside, "x")}} {
		spawnables, a := lib.Spawnables(list)
		worlds, b := lib.Worlds(list)
		if text := fmt.Sprintf("%+v %+v %q %q", spawnables, worlds, a, b); strings.Contains(text, secret) ||
			len(spawnables) == 0 {
			t.Errorf("listed are %s", text)
		}
	}
	if tried < 4500 || quoted < 30 {
		t.Errorf("%d attempts, of which the user himself would be told %d", tried, quoted)
	}
}

// leads are addresses that would leave the folder, of a file beside it.
func leads(inside, outside string) []string {
	file := filepath.Join(outside, "shadow")
	all := []string{
		file, "file://" + file, "file:" + file, "file://localhost" + file, "file://host" + file,
		"FILE://" + file, "file:///" + file, "file:////" + file,
		"//" + file, "/proc/self/root" + file, "file:///proc/self/root" + file,
		"/proc/self/cwd/../../.." + file, "/dev/fd/3",
		inside + "/../private/shadow", "file://" + inside + "/../private/shadow",
		inside + "/x/../../private/shadow", "../private/shadow", "x/../../private/shadow",
		`..\private\shadow`, `file://` + inside + `\..\private\shadow`, inside + "//..//private//shadow",
		"..%2fprivate%2fshadow", inside + "/%2e%2e/private/shadow", inside + "/%252e%252e/private/shadow",
		"file://" + strings.ReplaceAll(file, "/", "%2f"),
		"package://../private/shadow", "package://robots/../private/shadow", "model://../private/shadow",
		"model://x/../../private/shadow", "webots://../private/shadow",
		"spawnable://path1/../private/shadow", "world://path1/../private/shadow",
		"spawnable://@cache@/../../" + file, "spawnable://@closed@/" + file, "spawnable://@anywhere@" + file,
		file + ".", file + "...", strings.ToUpper(file), file + "\x00.sdf", file + "%00.sdf",
		inside + "/../private/shadow\x00", " " + file + " ",
		inside + "/link", inside + "/folder/shadow", inside + "/chain", inside + "/up/private/shadow", "link",
		"folder/shadow.sdf", "file://" + inside + "/folder/shadow.urdf",
		inside + "/proc", "/etc/passwd", "file:///etc/passwd", "/proc/self/environ",
	}
	return all
}

func TestNoAddressOfAClientLeavesTheSearchFolders(t *testing.T) {
	inside, outside := vault(t)
	good := strings.ReplaceAll(cubeSDF, "cube", secret)
	for name, text := range map[string]string{"shadow": good, "shadow.sdf": good,
		"shadow.urdf": `<robot name="` + secret + `"><link name="` + secret + `"/></robot>`} {
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": filepath.Join(outside, "shadow"), "folder": outside,
		"chain": filepath.Join(inside, "link"), "up": "..", "proc": "/proc/self/environ"} {
		if err := os.Symlink(to, filepath.Join(inside, link)); err != nil {
			t.Fatal(err)
		}
	}
	lib := libraryOn(t, inside).ForClients()
	all := leads(inside, outside)
	if slices.Sort(all); len(slices.Compact(all)) < 21 {
		t.Fatalf("%d addresses", len(all))
	}
	for round := range 2 {
		for _, uri := range leads(inside, outside) {
			for _, r := range []scene.Resource{{URI: uri}, {URI: uri + "?a=b"}} {
				if m, err := lib.Model(r); err == nil || strings.Contains(err.Error(), secret) ||
					strings.Contains(err.Error(), "root:") {
					t.Errorf("round %d: %q is answered with %v, %v", round, r.URI, m, err)
				}
				if w, err := lib.World(r); err == nil || strings.Contains(err.Error(), secret) ||
					strings.Contains(err.Error(), "root:") {
					t.Errorf("round %d: %q is answered with %v, %v", round, r.URI, w, err)
				}
			}
			for _, doc := range carriers(uri) {
				if text := told(lib, scene.Resource{Document: doc}); strings.Contains(text, secret) ||
					strings.Contains(text, "root:") {
					t.Errorf("round %d: %q in %s", round, uri, doc)
				}
			}
		}
		for _, source := range []string{"/", "file:///", outside, "file://" + outside, inside + "/..",
			inside + "/folder", inside + "/up", "/proc/self/root/"} {
			spawnables, failed := lib.Spawnables([]string{source})
			_, also := lib.Worlds([]string{source})
			if len(failed) == 0 || len(also) == 0 ||
				strings.Contains(fmt.Sprintf("%+v %q", spawnables, failed), secret) {
				t.Errorf("source %s lists %+v, and says %q", source, spawnables, failed)
			}
		}
	}
}
