package storage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"simdeck/ros/msgs/l2msgs"
	"simdeck/ros/netsim"
	"simdeck/ros/node"
	"simdeck/ros/rostest"
)

func TestObjectsAreFoundByTheirNamesAndNothingElseIs(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"store/arena.sdf": "<sdf/>", "store/hall.wbt": "#VRML_SIM",
		"store/robots/spot.proto": "PROTO", "store/cone.obj": "v 0 0 0", "store/both.world": "w",
		"store/both.sdf": "s", "store/notes.txt": "secret", "secret.sdf": "secret",
		"store/.hidden.sdf": "secret", "store/.git/arena.sdf": "secret"} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	store := filepath.Join(dir, "store")
	if err := os.Symlink(filepath.Join(dir, "secret.sdf"), filepath.Join(store, "link.sdf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(store, "folder.sdf"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(store)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	synctest.Test(t, func(t *testing.T) {
		s := rostest.Stage{T: t, Net: netsim.New(1)}
		onHost := func(name string) *node.Node {
			n, err := node.New(node.Config{Name: name, Transport: s.Net.Host(name)})
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		server := onHost("storage")
		if err := Serve(server, root.FS()); err != nil {
			t.Fatal(err)
		}
		s.Client = onHost("viewer")
		rostest.Run(t, "server", server.Run)
		rostest.Run(t, "client", s.Client.Run)
		for _, c := range []struct {
			name string
			kind uint8 // 0: there is none
			text string
		}{
			{"arena", l2msgs.Object3DTypeSdf, "<sdf/>"}, {"arena.sdf", l2msgs.Object3DTypeSdf, "<sdf/>"},
			{"hall", l2msgs.Object3DTypeProto, "#VRML_SIM"}, {"both", l2msgs.Object3DTypeSdf, "s"},
			{"both.world", l2msgs.Object3DTypeSdf, "w"}, {"robots/spot", l2msgs.Object3DTypeProto, "PROTO"},
			{"cone", l2msgs.Object3DTypeObj, "v 0 0 0"}, {"notes.txt", 0, "endings"}, {"notes", 0, "endings"},
			{"../secret", 0, "no name"}, {"/etc/passwd", 0, "no name"}, {"", 0, "no name"},
			{`..\secret`, 0, "no name"}, {"link", 0, "link.sdf: "}, {"folder", 0, "no regular file"},
			{"robots", 0, "endings"}, {".hidden", 0, "hidden"}, {".hidden.sdf", 0, "hidden"},
			{".git/arena", 0, "hidden"},
		} {
			r := rostest.Ask(&s, Service, l2msgs.GetObject3DService(),
				&l2msgs.GetObject3DRequest{Name: c.name})
			switch {
			case r.Success != (c.kind != 0):
				t.Errorf("%q: %+v", c.name, r)
			case r.Success && (r.Object.Type != c.kind || r.Object.Data != c.text || r.Object.Name != c.name):
				t.Errorf("%q: %+v", c.name, r.Object)
			case !r.Success && (!strings.Contains(r.Message, c.text) || strings.Contains(r.Message, dir) ||
				r.Object.Data != ""):
				t.Errorf("%q: %q, want %q in it and no path of this machine", c.name, r.Message, c.text)
			}
		}
	})
}
