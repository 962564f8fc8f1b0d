package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository is one of git with a changelog and an origin, and one commit.
func repository(t *testing.T) (dir string, run func(args ...string)) {
	t.Helper()
	dir = t.TempDir()
	run = func(args ...string) {
		t.Helper()
		who := []string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}
		cmd := exec.Command("git", append(who, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	origin, err := os.ReadFile("origin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := write(dir, []file{{originFile, 0o644, origin},
		{"CHANGELOG.md", 0o644, []byte("# Changes\n\n## Unreleased\n\n- Next.\n\n" +
			"## 1.2.3 - 2026-01-02\n\n- This.\n")}}); err != nil {
		t.Fatal(err)
	}
	run("init", "--quiet")
	run("add", ".")
	run("commit", "--quiet", "--message", "One")
	return dir, run
}

func TestTheVersionIsThatOfTheTagAndItsNotesAreThere(t *testing.T) {
	dir, run := repository(t)
	look := func() (*edition, string, error) {
		t.Helper()
		e, err := editionOf(dir)
		if err != nil {
			t.Fatal(err)
		}
		notes, err := e.notes()
		return e, string(notes), err
	}
	if e, notes, err := look(); err != nil || e.Tagged || !strings.HasPrefix(e.Version, development+"+g") ||
		!strings.Contains(notes, "- Next.") {
		t.Errorf("without a tag: %+v, %v: %s", e, err, notes)
	}
	run("tag", "v1.2.3")
	if e, notes, err := look(); err != nil || !e.Tagged || e.Version != "1.2.3" || e.Commit == "" ||
		!strings.Contains(notes, "- This.") || strings.Contains(notes, "- Next.") ||
		!strings.Contains(notes, "simdeck.example/simdeck@v1.2.3`") {
		t.Errorf("at its tag: %+v, %v: %s", e, err, notes)
	}
	readme := filepath.Join(dir, "README.md")
	if err := os.WriteFile(readme, []byte("more"), 0o644); err != nil {
		t.Fatal(err)
	}
	run("add", ".")
	if e, notes, err := look(); err != nil || e.Tagged || e.Version != "1.2.3+dirty" || e.Commit != "" ||
		!strings.Contains(notes, "- Next.") {
		t.Errorf("changed: %+v, %v: %s", e, err, notes)
	}
	run("commit", "--quiet", "--message", "Two")
	run("tag", "v1.3.0")
	if e, notes, err := look(); err == nil || !strings.Contains(err.Error(), `"## 1.3.0"`) {
		t.Errorf("a tag that nobody wrote about: %+v, %s", e, notes)
	}
}

func TestWhereThereIsNoRepositoryTheVersionIsSaid(t *testing.T) {
	dir, _ := repository(t)
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	if _, err := editionOf(dir); err == nil || !strings.Contains(err.Error(), "SIMDECK_VERSION") {
		t.Errorf("no version, but %v", err)
	}
	t.Setenv("SIMDECK_VERSION", "1.2.3")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	e, err := editionOf(dir)
	if err != nil || e.Version != "1.2.3" || e.Time.Unix() != 1_700_000_000 || e.Commit != "" {
		t.Errorf("%+v, %v", e, err)
	}
	for _, spoiled := range []string{"v1.2.3", "1.2.3;rm", ""} {
		t.Setenv("SIMDECK_VERSION", spoiled)
		if e, err := editionOf(dir); err == nil {
			t.Errorf("version %q is taken: %+v", spoiled, e)
		}
	}
}
