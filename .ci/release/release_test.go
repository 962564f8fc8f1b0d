package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const testVersion = "1.2.3-4"

// testEdition is a release of the tree as it is, under a version of its own.
func testEdition(source string) *edition {
	o, err := originOf("../..")
	if err != nil {
		panic(err)
	}
	return &edition{Version: testVersion, Source: source, Time: time.Unix(1_700_000_000, 0).UTC(),
		Changes: []string{"A change"}, Origin: o, built: map[target]string{}}
}

// dist is the folder of a whole release of the tree. A build of the same tree by the same Go is cached in the
// user's cache.
var dist = sync.OnceValues(func() (string, error) {
	key, err := contentOf("../..")
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	kept := filepath.Join(cache, "simdeck", "release")
	dir := filepath.Join(kept, key)
	if _, err := os.Stat(filepath.Join(dir, "SHA256SUMS")); err == nil {
		return dir, nil
	}
	if err := errors.Join(os.RemoveAll(kept), os.MkdirAll(dir, 0o755)); err != nil { // one is enough to keep
		return "", err
	}
	return dir, testEdition("../..").release(targets(), dir)
})

func released(t *testing.T) string {
	t.Helper()
	dir, err := dist()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// apart are files that no release is made of.
var apart = regexp.MustCompile(`_test\.go$|(^|/)testdata/|` +
	`^(docs|deploy|\.github|\.ci/tidy|ros/interop|worlds/pictures)/`)

// contentOf is a sum of all that a release is made of.
func contentOf(root string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version())
	for _, f := range tree(root) {
		if apart.MatchString(f) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, f, len(data))
		sum.Write(data)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:12]), nil
}

// tree lists the files of the source that git knows or would take.
func tree(root string) []string {
	out, err := exec.Command("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard",
		"--deduplicate").Output()
	if err != nil {
		return nil
	}
	var all []string
	for _, f := range strings.Fields(string(out)) {
		if info, err := os.Stat(filepath.Join(root, f)); err == nil && info.Mode().IsRegular() {
			all = append(all, f)
		}
	}
	return all
}

// sourceElsewhere is a copy of the source in a folder of another name, without its tests and its repository.
func sourceElsewhere(t *testing.T) string {
	t.Helper()
	elsewhere := filepath.Join(t.TempDir(), "elsewhere", "another name")
	for _, f := range tree("../..") {
		if apart.MatchString(f) {
			continue
		}
		data, err := os.ReadFile(filepath.Join("../..", f))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(elsewhere, f)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700),
			os.WriteFile(to, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return elsewhere
}

func TestTwoBuildsInDifferentFoldersAreTheSameBytes(t *testing.T) {
	first := released(t)
	elsewhere := sourceElsewhere(t)
	t.Setenv("TZ", "Asia/Tokyo")
	second := t.TempDir()
	e := testEdition(elsewhere)
	if err := e.release(targets()[:1], second); err != nil {
		t.Fatal(err)
	}
	compared := 0
	err := filepath.WalkDir(second, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(second, name)
		// these name the files that were built
		if err != nil || d.IsDir() || rel == "SHA256SUMS" || rel == e.provenanceName() {
			return err
		}
		compared++
		a, err := os.ReadFile(filepath.Join(first, rel))
		if err != nil {
			return err
		}
		if b, _ := os.ReadFile(name); !bytes.Equal(a, b) {
			t.Errorf("%s differs: %d and %d bytes; a path, a time, an owner or the order of a map got into it",
				rel, len(a), len(b))
		}
		return nil
	})
	// archive, package, parts, and of the image layout, index, two manifests, two configurations, two layers
	if err != nil || compared < 8 {
		t.Errorf("%d files compared, %v", compared, err)
	}
}

func TestSumsAreOfEveryFile(t *testing.T) {
	dir := released(t)
	cmd := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	archives := 0
	for _, name := range files(t, dir) {
		if strings.HasPrefix(name, "simdeck_") {
			archives++
		}
		if name == "SHA256SUMS" || strings.HasPrefix(name, "image/") && name != imageIndex {
			continue
		}
		if !strings.Contains(string(out), name+": OK\n") {
			t.Errorf("%s has no sum", name)
		}
	}
	// archives, parts lists, packages, the image and the provenance
	if archives != 6+6+3+1+1 {
		t.Errorf("%d archives, parts lists, packages, images and statements", archives)
	}
}

func TestEveryArchiveHoldsAProgramForItsSystem(t *testing.T) {
	dir := released(t)
	for _, target := range targets() {
		base := "simdeck_" + testVersion + "_" + target.String()
		var names []string
		var program []byte
		if target.system == "windows" {
			names, program = unzip(t, filepath.Join(dir, base+".zip"))
		} else {
			names, program = untar(t, filepath.Join(dir, base+".tar.gz"))
		}
		for _, want := range []string{"LICENSE", "README.md", "THIRD-PARTY-LICENSES", "man/simdeck-run.1",
			"completions/simdeck.bash"} {
			if !strings.Contains(strings.Join(names, "\n")+"\n", base+"/"+want+"\n") {
				t.Errorf("%s: %s is missing in %v", base, want, names)
			}
		}
		magic := map[string]string{"linux": "\x7fELF", "darwin": "\xcf\xfa\xed\xfe",
			"windows": "MZ"}[target.system]
		if !bytes.HasPrefix(program, []byte(magic)) {
			t.Errorf("%s: the program begins with %q", base, program[:4])
		}
		if target.system == "linux" {
			f, err := elf.NewFile(bytes.NewReader(program))
			if err != nil {
				t.Fatal(err)
			}
			if libs, _ := f.ImportedLibraries(); len(libs) > 0 || f.Section(".interp") != nil {
				t.Errorf("%s is not static: %v", base, libs)
			}
		}
		if root, _ := filepath.Abs("../.."); bytes.Contains(program, []byte(root)) {
			t.Errorf("%s holds the path of where it was built", base)
		}
	}
}

func untar(t *testing.T, name string) (names []string, program []byte) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return names, program
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if h.Uid != 0 || h.ModTime.Unix() != 1_700_000_000 {
			t.Errorf("%s: %s has owner %d and time %v", name, h.Name, h.Uid, h.ModTime)
		}
		if filepath.Base(h.Name) == "simdeck" {
			program, _ = io.ReadAll(r)
		}
	}
}

func unzip(t *testing.T, name string) (names []string, program []byte) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		names = append(names, f.Name)
		if strings.HasSuffix(f.Name, ".exe") {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			program, _ = io.ReadAll(r)
		}
	}
	return names, program
}

func TestTheBillOfMaterialsNamesWhatIsInTheBinary(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(released(t), "simdeck_"+testVersion+"_linux_arm64.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b struct {
		BOMFormat, SpecVersion, SerialNumber string
		Metadata                             struct{ Component component }
		Components                           []component
	}
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	if b.BOMFormat != "CycloneDX" || b.Metadata.Component.Version != testVersion ||
		!regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(b.SerialNumber) {
		t.Errorf("%+v %s", b.Metadata, b.SerialNumber)
	}
	for _, want := range []string{"std", "github.com/spf13/cobra", "charm.land/bubbletea/v2",
		"golang.org/x/crypto"} {
		if !strings.Contains(string(data), `"name": "`+want+`"`) {
			t.Errorf("%s is in the binary, but not in its bill of materials", want)
		}
	}
	if strings.Contains(string(data), "go-containerregistry") {
		t.Error("what only the release is made with is listed")
	}
}

func TestVersionsComeFromTags(t *testing.T) {
	for described, want := range map[string]string{
		"v1.2.3": "1.2.3", "v1.2.3-dirty": "1.2.3+dirty", "v1.2.3-4-gabc1234": "1.2.3+4.gabc1234",
		"v1.0.0-rc.1": "1.0.0-rc.1",
		"abc1234":     "0.2.0-dev+gabc1234", "v1.2.3-4-gabc1234-dirty": "1.2.3+4.gabc1234.dirty",
		"abc1234-dirty": "0.2.0-dev+gabc1234.dirty",
	} {
		if got := versionOf(described); got != want {
			t.Errorf("%s: %s, want %s", described, got, want)
		}
	}
}
