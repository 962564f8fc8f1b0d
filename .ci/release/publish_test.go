package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// files lists those below a folder, slash-separated and relative to it.
func files(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		all = append(all, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// linked is a folder with the files of the release, which share their bytes with it until they are replaced.
func linked(t *testing.T) string {
	t.Helper()
	from := released(t)
	dir, err := os.MkdirTemp(filepath.Dir(from), "linked")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	for _, name := range files(t, from) {
		to := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755),
			os.Link(filepath.Join(from, name), to)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// replace writes a file without touching those that it shares its bytes with.
func replace(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := errors.Join(os.Remove(name), os.WriteFile(name, text, 0o644)); err != nil {
		t.Fatal(err)
	}
}

func sumOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

func TestThePagesOfTwoFoldersOfTheSameSourceAreTheSameBytes(t *testing.T) {
	first, second := released(t), linked(t)
	e := testEdition(sourceElsewhere(t))
	for _, target := range targets() {
		if target.debian != "" {
			e.debs = append(e.debs, pooledOf(t, second, target))
		}
	}
	for _, name := range files(t, second) {
		if strings.HasPrefix(name, "pages/") || strings.HasPrefix(name, "simdeck.") {
			if err := os.Remove(filepath.Join(second, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(filepath.Join(second, "install.sh")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(second, "RELEASE_NOTES.md")); err != nil {
		t.Fatal(err)
	}
	if err := e.publish(second); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range files(t, first) {
		a, _ := os.ReadFile(filepath.Join(first, name))
		b, err := os.ReadFile(filepath.Join(second, name))
		if compared++; err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
	if compared < 40 {
		t.Errorf("%d files", compared)
	}
}

// pooledOf is a package as release() knows it.
func pooledOf(t *testing.T, dir string, target target) pooled {
	t.Helper()
	p := pooled{name: "simdeck_1.2.3~4_" + target.debian + ".deb", arch: target.debian}
	name := filepath.Join(dir, p.name)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	p.control, p.sum, p.size = output(t, "dpkg-deb", "--field", name), sumOf(t, name), int(info.Size())
	return p
}

// formula returns a Homebrew formula's source for one system: on_SYSTEM do on_PROCESSOR do url, sha256.
func formula(t *testing.T, text, system, processor string) (url, sum string) {
	t.Helper()
	m := regexp.MustCompile(`(?s)on_` + system + ` do\n.*?on_` + processor +
		` do\n\s+url "([^"]+)"\n\s+sha256 "([0-9a-f]{64})"`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("the formula has nothing for %s on %s:\n%s", system, processor, text)
	}
	return m[1], m[2]
}

func TestTheFormulaAndTheManifestNameArchivesByTheirSums(t *testing.T) {
	dir := released(t)
	text, err := os.ReadFile(filepath.Join(dir, "simdeck.rb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ system, processor, want string }{
		{"macos", "arm", "darwin_arm64"}, {"macos", "intel", "darwin_amd64"}, {"linux", "arm", "linux_arm64"},
		{"linux", "intel", "linux_amd64"},
	} {
		url, sum := formula(t, string(text), c.system, c.processor)
		name := "simdeck_" + testVersion + "_" + c.want + ".tar.gz"
		if filepath.Base(url) != name || sum != sumOf(t, filepath.Join(dir, name)) ||
			!strings.HasPrefix(url, "https://simdeck.example/simdeck/releases/v"+testVersion+"/") {
			t.Errorf("%s on %s: %s %s", c.system, c.processor, url, sum)
		}
	}
	text, err = os.ReadFile(filepath.Join(dir, "simdeck.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version, Description, Homepage, License, Bin string
		Architecture                                 map[string]struct {
			URL, Hash  string
			ExtractDir string `json:"extract_dir"`
		}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	a := m.Architecture["64bit"]
	archive := filepath.Join(dir, filepath.Base(a.URL))
	names, _ := unzip(t, archive)
	if m.Version != testVersion || m.License != "Apache-2.0" || a.Hash != sumOf(t, archive) ||
		!strings.Contains(strings.Join(names, "\n")+"\n", a.ExtractDir+"/"+m.Bin+"\n") {
		t.Errorf("%s\nand the archive has %v", text, names)
	}
}

func TestNotesAreTheSectionOfTheVersion(t *testing.T) {
	const changelog = "# Changes\n\n## Unreleased\n\n### Added\n\n- New.\n\n## [1.2.3] - 2026-01-02\n\n" +
		"- Old.\n\n## 1.2\n\n- Older.\n"
	for version, want := range map[string]string{"Unreleased": "### Added\n\n- New.\n", "1.2.3": "- Old.\n",
		"1.2": "- Older.\n", "1.2.4": "", "1": ""} {
		if got, ok := section(changelog, version); got != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
	}
	e := testEdition(t.TempDir())
	if err := os.WriteFile(filepath.Join(e.Source, "CHANGELOG.md"), []byte(changelog), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := e.notes()
	if err != nil || !strings.Contains(string(text), "- New.") || strings.Contains(string(text), "- Old.") ||
		!strings.Contains(string(text), "/install.sh | sh`") &&
			!strings.Contains(string(text), `/install.sh \| sh`) {
		t.Errorf("%v: %s", err, text)
	}
	e.Tagged = true
	if text, err := e.notes(); err == nil || !strings.Contains(err.Error(), `"## 1.2.3-4"`) {
		t.Errorf("a tag without a section is released with %s, %v", text, err)
	}
}

func TestAnOriginThatCannotBeServedIsRefused(t *testing.T) {
	good := testEdition("../..").Origin
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*origin){
		"module":                 func(o *origin) { o.Module = "simdeck" },
		"{version}":              func(o *origin) { o.Downloads = "https://example.org/releases" },
		"downloads":              func(o *origin) { o.Downloads = "https://example.org/v{version}/" },
		"pages":                  func(o *origin) { o.Pages = "https://example.org/'; rm -rf $HOME; '" },
		"want a URL without a s": func(o *origin) { o.Pages = "ftp://example.org" },
		"image":                  func(o *origin) { o.Image = "Example.org/Simdeck" },
		"maintainer":             func(o *origin) { o.Maintainer = "nobody" },
	} {
		o := good
		if spoil(&o); o.check() == nil || !strings.Contains(o.check().Error(), want) {
			t.Errorf("%+v: %v, want %q in it", o, o.check(), want)
		}
	}
	dir := t.TempDir()
	name := filepath.Join(dir, filepath.FromSlash(originFile))
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755),
		os.WriteFile(name, []byte("modul: example.org/simdeck\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := originOf(dir); err == nil || !strings.Contains(err.Error(), "modul") {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestVersionsOfModulesSortAsTheirReleasesDo(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.3": "v1.2.3", "1.2.3-rc.1": "v1.2.3-rc.1", "1.2.3+4.gabc1234": "v1.2.4-0.4.gabc1234",
		"0.2.0-dev+gabc1234": "v0.2.0-dev.gabc1234", "0.2.0-dev+gabc1234.dirty": "v0.2.0-dev.gabc1234.dirty",
	} {
		if got := (&edition{Version: version}).GoVersion(); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

func TestOnlyImportsOfTheModuleAreRenamed(t *testing.T) {
	const frame = "package a\n\nimport (\n\tx \"%[1]s/sim\" // the engine\n\t\"simdeckard/b\"\n" +
		"\t_ \"%[1]s\"\n)\n\nconst s = \"simdeck/sim\"\n"
	text, want := fmt.Sprintf(frame, "simdeck"), fmt.Sprintf(frame, "example.org/fork")
	if got, err := renamed("a.go", []byte(text), "simdeck", "example.org/fork"); err != nil ||
		string(got) != want {
		t.Errorf("%v: %s", err, got)
	}
	if _, err := renamed("a.go", []byte("packag a"), "simdeck", "example.org/fork"); err == nil {
		t.Error("what is no Go is renamed")
	}
}

func TestWhatAnEarlierReleaseLeftIsTakenAwayAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	old := []string{"simdeck_1.0.0_linux_amd64.tar.gz", "simdeck_1.0.0_windows_amd64.zip",
		"simdeck_1.0.0_amd64.deb", "simdeck_1.0.0_linux_armv7.cdx.json",
		"simdeck_1.0.0.provenance.json", "simdeck_1.0.0_image.tar"}
	kept := []string{"simdeck_notes.md", "simdeck", "fuzz.txt", "other_1.0.0_linux_amd64.tar.gz"}
	for _, name := range append(slices.Clone(old), kept...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range files(t, released(t)) {
		if strings.HasPrefix(name, "simdeck_") && !versioned.MatchString(name) {
			t.Errorf("%s would stay for the next release", name)
		}
	}
	if err := testEdition("../..").clear(dir); err != nil {
		t.Fatal(err)
	}
	if left := files(t, dir); len(left) != len(kept) {
		t.Errorf("left %v, want %v", left, kept)
	}
}
