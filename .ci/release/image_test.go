package main

import (
	"archive/tar"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// images are those of the layout, by architecture.
func images(t *testing.T) map[string]v1.Image {
	t.Helper()
	top, err := layout.ImageIndexFromPath(filepath.Join(released(t), "image"))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(top); err != nil {
		t.Fatal(err)
	}
	m, err := top.IndexManifest()
	if err != nil || len(m.Manifests) == 0 {
		t.Fatal(err, m)
	}
	for _, d := range m.Manifests { // other tags of the same index
		if d.Digest != m.Manifests[0].Digest {
			t.Errorf("%v: want one index under all tags", m.Manifests)
		}
	}
	index, err := top.ImageIndex(m.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	m, err = index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]v1.Image{}
	for _, d := range m.Manifests {
		if all[d.Platform.Architecture], err = index.Image(d.Digest); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestTheImageIsSmallAndRunsAsNobody(t *testing.T) {
	all := images(t)
	if len(all) != 2 || all["amd64"] == nil || all["arm64"] == nil {
		t.Fatalf("architectures: %v", all)
	}
	for arch, img := range all {
		c, err := img.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if c.Architecture != arch || c.Config.User != "65532:65532" ||
			c.Config.Labels["org.opencontainers.image.version"] != testVersion {
			t.Errorf("%s: %+v", arch, c)
		}
		layers, _ := img.Layers()
		size, _ := layers[0].Size()
		t.Logf("%s: %.1f MB", arch, float64(size)/1e6)
		if len(layers) != 1 || size > 16e6 {
			t.Errorf("%s: %d layers, the first of %d bytes; want one of 16 MB at most", arch, len(layers),
				size)
		}
	}
}

// TestTheImageRunsOnAReadOnlyRoot unpacks the image and runs its command as its user, in namespaces of its
// own. The root is read-only, and the command serves ROS 2 in a network of its own.
func TestTheImageRunsOnAReadOnlyRoot(t *testing.T) {
	img := images(t)["amd64"]
	root := t.TempDir()
	r := mutate.Extract(img)
	defer r.Close()
	unpack(t, r, root)
	c, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	words := append(append(c.Config.Entrypoint, c.Config.Cmd...), "--rtf", "0", "--duration", "5s")
	script := `set -e
ip link set lo up; ip link set lo multicast on; ip route add 224.0.0.0/4 dev lo
mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"
root=$1; user=$2; shift 2
if chroot --userspec="$user" "$root" "$1" version >/dev/null && touch "$root/written" 2>/dev/null; then echo "the root can be written to"; exit 9; fi
exec chroot --userspec="$user" "$root" "$@"`
	cmd := exec.Command("unshare",
		append([]string{"--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "sh", "-c", script, "sh",
			root, c.Config.User}, words...)...)
	cmd.Env = c.Config.Env
	cmd.Env[0] += ":/usr/sbin:/sbin:/bin"
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "set state playing") ||
		strings.Contains(string(out), "level=ERROR") {
		t.Errorf("%v\n%s", err, out)
	}
}

// unpack writes the files of a layer.
func unpack(t *testing.T, from io.Reader, root string) {
	t.Helper()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(from); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, h.Name)
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(to, os.FileMode(h.Mode))
		} else {
			data, _ := io.ReadAll(r)
			err = os.WriteFile(to, data, os.FileMode(h.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnImageHasTheTagsOfItsVersion(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "1.2.3 1.2 1 latest", "0.1.0": "0.1.0 0.1 latest", "1.2.3-rc.1": "1.2.3-rc.1",
		"0.2.0-dev+gabc1234": "0.2.0-dev-gabc1234", "1.2.3+4.gabc1234": "1.2.3-4.gabc1234",
	} {
		if got := strings.Join((&edition{Version: version}).tags(), " "); got != want {
			t.Errorf("%s: tags %s, want %s", version, got, want)
		}
	}
}

// TestTheArchiveOfTheImageHoldsTheLayout unpacks it beside the layout: docker load reads the same layout that
// is pushed.
func TestTheArchiveOfTheImageHoldsTheLayout(t *testing.T) {
	dir, unpacked := released(t), t.TempDir()
	output(t, "tar", "-xf", filepath.Join(dir, "simdeck_"+testVersion+"_image.tar"), "-C", unpacked)
	output(t, "diff", "-r", filepath.Join(dir, "image"), unpacked)
	index, err := os.ReadFile(filepath.Join(unpacked, "index.json"))
	if want := `"io.containerd.image.name": "registry.simdeck.example/simdeck:` + testVersion; err != nil ||
		!strings.Contains(strings.ReplaceAll(string(index), `":"`, `": "`), want) {
		t.Errorf("%v: no %s in %s", err, want, index)
	}
}
